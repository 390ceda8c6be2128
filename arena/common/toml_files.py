"""Read TOML files that may come from anybody."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Final

from arena.common.regular_files import read_regular

MOST_BYTES: Final = 64 << 10
"""The largest size of a file."""
_MOST_DOTS: Final = 100
"""In a line. Reading a key of many parts takes time that grows with the cube of their number."""


def read_toml(file: Path) -> dict[str, Any]:
    """Read a file.

    Raises:
        OSError: It cannot be read, or is no regular file.
        ValueError: It is too large, or no TOML.
    """
    return parse_toml(read_regular(file, MOST_BYTES).decode("utf-8"))


def parse_toml(text: str) -> dict[str, Any]:
    """Return what a text says. Raises `ValueError` if it is no TOML, or one that takes too long to read."""
    for number, line in enumerate(text.splitlines(), start=1):
        if line.count(".") > _MOST_DOTS:
            raise ValueError(f"line {number} has more than {_MOST_DOTS} dots")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("its values are nested too deep") from None
