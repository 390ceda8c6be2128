"""Reads `protocol.md`: its sections and tables."""

from __future__ import annotations

import re
from functools import cache

from generators.vectors.make import DOCUMENT

TEXT = DOCUMENT.read_text("utf-8")
Row = list[str]
SECTIONS = {"kosmos": "10", "ravensburger": "11"}
"""Where each of our games is described."""


@cache
def section(number: str) -> str:
    """The text of a numbered section, without its subsections' siblings."""
    found = re.search(rf"^(#+) {re.escape(number)} .*?(?=^\1 |\Z)", TEXT, re.MULTILINE | re.DOTALL)
    assert found, f"there is no section {number}"
    body: str = found[0]
    return re.split(r"^#{2,3} (?!" + re.escape(number) + r"\b)", body, maxsplit=1, flags=re.MULTILINE)[0]


def prose(number: str) -> str:
    """The text of a section as one line."""
    return " ".join(section(number).split())


def tables(number: str) -> list[dict[str, Row]]:
    """The tables of a section: for each the cells of its rows by the code in the first cell."""
    found: list[dict[str, Row]] = []
    for block in re.findall(r"(?:^\|.*\n)+", section(number), re.MULTILINE):
        rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in block.splitlines()]
        found.append({code(row[0])[0]: row for row in rows[2:] if code(row[0])})
    return found


def code(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)
