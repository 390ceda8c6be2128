"""Export the games of a ledger for other programs: a table with a row for each seat of each game, and a file a game.

Games are read one at a time, so memory does not grow with their number. The table of bots and the pictures of their
authors follow from the entries of the ledger's chain, so that a reader of the export alone can compare them with it.
"""

from __future__ import annotations

import itertools
import os
import statistics
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from arena.common.authors import MOST_AVATAR_BYTES, is_avatar, is_avatar_name
from arena.common.errors import ArenaError
from arena.common.progress import SILENT, Progress
from arena.common.regular_files import finish_atomic, named, read_regular, write_atomic
from arena.common.text_table import csv_row, no_formula
from arena.distribution import how_to_install
from arena.game.faults import FAULTS
from arena.ledger import GameRecord, Ledger
from arena.ledger.chain import bot_entry
from arena.rating.rated_table import finish
from arena.replays.game_file import FORMAT, encode, file_name, game_file

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


BEFORE: Final = {
    "game": str,
    "index": int,
    "players": int,
    "block": int,
    "rotation": int,
    "seed": str,
    "seat": int,
    "bot": str,
    "rank": int,
    "finish": float,
}
"""The columns before the scores, and their types."""
BEHIND: Final = {
    "retired": bool,
    **dict.fromkeys(FAULTS, int),
    "decisions": int,
    "median_ms": float,
    "ending": str,
    "engine": str,
}
"""The columns after the scores, and their types. `median_ms` is empty if the seat made no decision."""

_ROWS: Final = 10_000
"""Rows of a Parquet file that are held in memory at once."""
GAMES: Final = "games"
CHAIN: Final = "chain.jsonl"
"""The entries of the ledger's chain, one a line: see `arena.ledger.chain`."""


class ExportError(ArenaError):
    """An export that cannot be written. The text says why and what to do."""


class Columns(NamedTuple):
    """The columns of a table, in their order."""

    types: dict[str, type]
    scores: dict[str, str]
    """The column of each score, by the score's name: that name, or `score_<name>` if it is taken."""


BOT_TABLE: Final = Columns(dict.fromkeys(COLUMNS, str), {})
"""The columns of the table of bots."""


def columns(score_names: Iterable[str]) -> Columns:
    """Return the columns for games with these scores. Which there are depends on the game that was played."""
    taken = BEFORE.keys() | BEHIND.keys()
    scores = {name: f"score_{name}" if name in taken else name for name in score_names}
    return Columns({**BEFORE, **dict.fromkeys(scores.values(), int), **BEHIND}, scores)


def rows(record: GameRecord, table: Columns) -> Iterator[dict[str, Any]]:
    """Yield a game's rows, one for each seat, with every column of the table. An unknown value is None."""
    for seat, bot in enumerate(record.bots):
        faults = Counter(fault.code for fault in record.faults if fault.seat == seat)
        times = record.times[seat]
        row = {
            "game": record.id,
            "index": record.index,
            "players": record.players,
            "block": record.block,
            "rotation": record.rotation,
            "seed": record.seed,
            "seat": seat,
            "bot": bot,
            "rank": record.ranks[seat],
            "finish": round(finish(record.ranks, seat), 6),
            **{column: record.scores[seat].get(name) for name, column in table.scores.items()},
            "retired": seat in record.retired,
            **{code: faults[code] for code in FAULTS},
            "decisions": len(times),
            "median_ms": round(statistics.median(times) / 1000, 3) if times else None,
            "ending": record.ending,
            "engine": record.engine,
        }
        yield row


def write_csv(file: Path, table: Columns, found: Iterable[dict[str, Any]]) -> None:
    """Write rows as CSV in UTF-8 with a heading. An unknown value is empty, a bool is `true` or `false`."""
    with file.open("w", encoding="utf-8", newline="") as out:
        out.writelines(csv_lines(table, found))


def csv_lines(table: Columns, found: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Yield the heading and the rows of a table as lines of CSV."""
    # A game's plug-in names its scores: they are no more trusted than a bot's name.
    yield csv_row([no_formula(column) for column in table.types])
    for row in found:
        yield csv_row(cells(row, table))


def cells(row: dict[str, Any], table: Columns) -> list[str]:
    """Return a row's values as the texts of CSV cells."""
    return [_cell(row[column]) for column in table.types]


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return ""
    return no_formula(value) if isinstance(value, str) else str(value)


def write_parquet(file: Path, table: Columns, found: Iterable[dict[str, Any]]) -> None:
    """Write rows as Parquet with typed columns. Raises `ExportError` if pyarrow is not installed."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise ExportError(f"Parquet needs pyarrow: {how_to_install('parquet')}, or choose --format csv") from None
    kinds = {str: pyarrow.string(), int: pyarrow.int64(), float: pyarrow.float64(), bool: pyarrow.bool_()}
    schema = pyarrow.schema([(column, kinds[kind]) for column, kind in table.types.items()])
    rest = iter(found)
    with parquet.ParquetWriter(file, schema) as writer:
        while some := list(itertools.islice(rest, _ROWS)):
            writer.write_table(pyarrow.Table.from_pylist(some, schema))


WRITERS: Final[dict[str, Callable[[Path, Columns, Iterable[dict[str, Any]]], None]]] = {
    "csv": write_csv,
    "parquet": write_parquet,
}
"""The formats of the table. Each name is also the suffix of its files."""


class Exported(NamedTuple):
    """What was exported."""

    games: int
    """How many."""
    head: str
    """Of the ledger when these were its games."""


def export_table(ledger: Ledger, file: Path, format_: str, progress: Progress = SILENT) -> Exported:
    """Write the table of all games to `file`, and return what it holds.

    Args:
        ledger: The ledger.
        file: The file. On an error it is as it was before.
        format_: A key of `WRITERS`.
        progress: Receives the progress.

    Raises:
        LedgerError: The ledger cannot be read.
        ExportError: A library is missing.
        OSError: A file cannot be written.
    """
    with ledger.snapshot():
        return Exported(_write_table(ledger, file, format_, progress, lambda _: None), ledger.chain.head())


def _write_table(
    ledger: Ledger, file: Path, format_: str, progress: Progress, on_game: Callable[[GameRecord], None]
) -> int:
    ids = ledger.ids()  # a game that is recorded from here on is not among them
    progress.stage("exporting", len(ids))
    table = columns(ledger.score_names())

    def found() -> Iterator[dict[str, Any]]:
        for game_id in ids:
            record = ledger.game(game_id)
            on_game(record)
            yield from rows(record, table)
            progress.advance(game_id)

    _write(file, format_, table, found())
    return len(ids)


def _write(file: Path, format_: str, table: Columns, found: Iterable[dict[str, Any]]) -> None:
    """Write a table. On an error the file is as it was before."""
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    os.close(handle)
    beside = Path(name)
    try:
        with named(file):
            WRITERS[format_](beside, table, found)
        finish_atomic(beside, file)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def export_folder(ledger: Ledger, folder: Path, format_: str, progress: Progress = SILENT) -> Exported:
    """Write the tables of games and of bots, authors' pictures and one file for each game into `folder`.

    Return what they hold.

    After an error the export is incomplete; writing it again replaces it.

    Args:
        ledger: The ledger.
        folder: Must be new, empty, or hold an earlier export, whose files are replaced.
        format_: A key of `WRITERS`.
        progress: Receives the progress.

    Raises:
        LedgerError: The ledger cannot be read.
        ExportError: A library is missing, or `folder` holds something else.
        OSError: A file cannot be written.
    """
    _check(folder)
    settings = ledger.settings
    games = folder / GAMES
    games.mkdir(parents=True, exist_ok=True)
    written: set[str] = set()

    def write(record: GameRecord) -> None:
        name = file_name(record.id)
        write_atomic(games / name, encode(game_file(record, settings)))
        written.add(name)

    with ledger.snapshot():  # so that the chain is that of these games, whatever is recorded meanwhile
        number = _write_table(ledger, folder / f"{GAMES}.{format_}", format_, progress, write)
        write_atomic(folder / CHAIN, chain_file(ledger.chain.texts()))
        _write(folder / f"{BOTS}.{format_}", format_, BOT_TABLE, bot_rows(bots_of(ledger)))
        write_avatars(ledger, folder / AVATARS)
        head = ledger.chain.head()
    for file in _game_files(games):
        if file.name not in written and _is_ours(file):
            file.unlink()
    return Exported(number, head)


def chain_file(entries: Iterable[str]) -> bytes:
    """Return the file with the entries of a chain, one a line."""
    return "".join(f"{entry}\n" for entry in entries).encode("utf-8", "backslashreplace")


def _check(folder: Path) -> None:
    """Raise `ExportError` if `folder` is a file, or holds anything that no export wrote."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise ExportError(f"{folder} is no folder: name a new one, or one of an earlier export")
    foreign = [each.name for each in folder.iterdir() if not _belongs(each)]
    foreign += [f"{GAMES}/{file.name}" for file in _game_files(folder / GAMES) if not file.is_file()]
    if foreign:
        raise ExportError(
            f"{folder} holds something else ({min(foreign)}): name a new folder, or one of an earlier export"
        )


def _belongs(file: Path) -> bool:
    """Return whether an export's folder may hold this file."""
    if file.name in (GAMES, AVATARS):
        return file.is_dir()
    if file.name.startswith("."):
        return True  # of the system, of git, or left by an export that was killed
    tables = {f"{name}.{ending}" for name in (GAMES, BOTS) for ending in WRITERS}
    return file.name in {CHAIN, *tables} and file.is_file()


def _game_files(games: Path) -> list[Path]:
    return [file for file in games.glob("*.json") if not file.name.startswith(".")]


def _is_ours(file: Path) -> bool:
    with file.open("rb") as stream:
        return stream.read(100).startswith(f'{{"format":"{FORMAT}"'.encode())
