"""What the arena is called in a package index, and how a part of it that is missing is installed.

`arena` itself belongs to somebody else there; the command and the packages that are imported keep that name.
"""

from __future__ import annotations

from typing import Final

NAME: Final = "bot-arena"


def requirement(extra: str, version: str = "") -> str:
    """What pip is asked for: this package with an extra, and `version` as pip writes it (`==1.0`, ` @ git+...`)."""
    return f"{NAME}[{extra}]{version}"


def how_to_install(extra: str) -> str:
    """In words, what to type for an extra."""
    return f"pip install '{requirement(extra)}', from a checkout pip install -e '.[{extra}]'"
