"""Games with persons: each has a seat of its own at the referee, and a page or a terminal to play it from.

A person's seat is a bot like any other, whose program is a thread of this process (`person`). So it is sent exactly
what a bot in that seat would be sent, and what its page or terminal is sent is made of that alone (`table`). The games
are recorded in a ledger (`recorded`), which `arena verify`, `arena replay` and `arena show` read like any other.
"""
