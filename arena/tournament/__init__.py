"""A tournament as it is played: from what is asked for to a ledger that says which games count.

A `plan` is what is asked for, by flags, a file or from Python; its `identity` is what stays fixed from then on, and
`folders` finds where that lies. A `run` builds the bots (`admission`), lets some of them join or leave
(`field_changes`) and hands over to the `coordinator`, which asks `schedule` for games, has them played (`dispatch`,
`workers`) and records them (`game_recorder`). Who follows a run gets to know of it by an `observer`, as `hooks` do.
`comparison` plays one of two bots. `verification` looks at what was recorded.
"""

import logging

logging.getLogger(__name__).addHandler(logging.NullHandler())  # silent until somebody asks for the log
