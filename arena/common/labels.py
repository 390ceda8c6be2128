"""Name the versions of a bot: `mine` is the first, `mine@2` the second.

A bot is named by such a label wherever it plays: in the field, in games and in tables. Names of bots have no `@`.
"""

from __future__ import annotations

import re
from typing import Final

MARK: Final = "@"
NAMED: Final = "up to 40 letters, digits, - _ and ."
SUBMITTER: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
"""What a submitter may be called: it is the name of the bot, of a folder and of a part of an address."""
_MOST_DIGITS: Final = 10


def version_label(name: str, number: int) -> str:
    """Return the label of a bot's version; they are counted from 1."""
    return name if number == 1 else f"{name}{MARK}{number}"


def bot_name(label: str) -> str:
    """Return the name that all versions of a bot have in common."""
    return _parts(label)[0]


def version_number(label: str) -> int:
    """Return which version a label names, from 1."""
    return _parts(label)[1]


def spelled_out(label: str) -> str:
    """Return a label with its number, also if it is the first: `mine@1`, for texts that are about versions."""
    return f"{bot_name(label)}{MARK}{version_number(label)}"


def read_label(text: str) -> str:
    """Read what a user calls a version, such as `mine@1`. Raises `ValueError` if it is no such thing."""
    name, mark, number = text.partition(MARK)
    if not name or (mark and not (number.isascii() and number.isdigit() and int(number) > 0)):
        raise ValueError(f"{text!r} is no version of a bot: write its name and a number, such as mine@2")
    return version_label(name, int(number) if mark else 1)


def _parts(label: str) -> tuple[str, int]:
    """Return name and number. A ledger that was tampered with may hold anything: then all of it is the name."""
    name, mark, number = label.rpartition(MARK)
    if name and mark and number.isascii() and number.isdigit() and len(number) < _MOST_DIGITS:
        return name, int(number)
    return label, 1
