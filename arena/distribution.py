"""Name the arena's package in an index, and say how to install an optional part of it.

`arena` belongs to somebody else in the index. The command and the imported packages keep that name.
"""

from __future__ import annotations

from typing import Final

NAME: Final = "bot-arena"


def requirement(extra: str, version: str = "") -> str:
    """Return a pip requirement for this package with an extra.

    `version` is as pip writes it (`==1.0`, ` @ git+...`).
    """
    return f"{NAME}[{extra}]{version}"


def how_to_install(extra: str) -> str:
    """Return the text that says how to install an extra."""
    return f"pip install '{requirement(extra)}', from a checkout pip install -e '.[{extra}]'"
