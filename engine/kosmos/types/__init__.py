"""The types of what `kosmos` puts into messages: `protocol.md`, section 10, says what each field means.

They are plain dicts when the program runs. mypy holds the code that makes them to these types, and `docs/schema` is
made from them.
"""
