"""The bots of an export: a table with a row for each version, and the pictures of their authors.

Both follow from the entries of the ledger's chain, so that a reader of the export alone can compare them with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from arena.common.atomic_files import write_atomic
from arena.common.authors import MOST_AVATAR_BYTES, is_avatar, is_avatar_name
from arena.common.regular_files import read_regular
from arena.ledger import Ledger
from arena.ledger.chain import bot_entry

BOTS: Final = "bots"
AVATARS: Final = "avatars"
COLUMNS: Final = (
    "bot",
    "fingerprint",
    "language",
    "version",
    "left_out",
    "author",
    "team",
    "link",
    "licence",
    "avatar",
)
"""All of them texts, empty where nothing is said."""
_OF_AUTHOR: Final = {"author": "name", "team": "team", "link": "link", "licence": "licence", "avatar": "avatar"}


def bots_of(ledger: Ledger) -> dict[str, dict[str, Any]]:
    """Return what the chain says of each version of a bot, by label."""
    return {each.name: bot_entry(each)[1] for each in ledger.entrants()}


def bot_rows(bots: Mapping[str, Mapping[str, Any]]) -> Iterator[dict[str, str]]:
    """Yield the rows of the table of bots, sorted by label. A chain that was forged may say anything."""
    for name in sorted(bots):
        said = bots[name]
        found = said.get("author")
        author: Mapping[str, Any] = found if isinstance(found, dict) else {}
        yield {
            "bot": name,
            "fingerprint": _text(said.get("fingerprint")),
            "language": _text(said.get("language")),
            "version": _text(said.get("declared_version")),
            "left_out": _text(said.get("left_out")),
            **{column: _text(author.get(key)) for column, key in _OF_AUTHOR.items()},
        }


def _text(value: Any) -> str:
    """Return a text that can be written; nothing for what is none."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else ""


def write_avatars(ledger: Ledger, folder: Path) -> None:
    """Write the pictures of all authors into `folder`, and remove those of an earlier export."""
    authors = {each.author for each in ledger.entrants() if each.author is not None and each.author.avatar}
    found = {author.avatar: data for author in authors if (data := ledger.avatar(author)) is not None}
    if found:
        folder.mkdir(exist_ok=True)
    for name, data in found.items():
        write_atomic(folder / name, data)
    for file in folder.glob("*"):
        if is_avatar_name(file.name) and file.name not in found and file.is_file():
            file.unlink()
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()


def avatar_differences(folder: Path, bots: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return which pictures of authors are not those that the chain of an export names."""
    names = {row["avatar"] for row in bot_rows(bots)} - {""}
    there = {file.name for file in folder.glob("*") if not file.name.startswith(".")}
    found = [f"{name} was never recorded" for name in sorted(there - names)]
    for name in sorted(names):
        try:
            is_right = name in there and is_avatar(name, read_regular(folder / name, MOST_AVATAR_BYTES))
        except (OSError, ValueError):
            is_right = False
        if not is_right:
            found.append(f"{name} is {'not the picture that was recorded' if name in there else 'not there'}")
    return found
