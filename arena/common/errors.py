"""The base class of errors with a message for the user."""

from __future__ import annotations


class ArenaError(ValueError):
    """Something that the user asked for cannot be done. The message says what, where and what to do about it.

    The command line prints it as one line and ends with exit code 2. Errors of `engine`, which does not import `arena`,
    are handled next to it in `arena.cli.failures`.
    """
