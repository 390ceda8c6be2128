"""Export the decisions of recorded games as a data set: a row for each, as Parquet parted by players, with a card.

Each game is played again, and what its seats were asked is what `arena.game.bot_messages` builds, as when it was
played: so a row holds what its seat knew, and nothing else of the position. Worker processes make tables of some
hundred rows; here they are gathered to row groups and written, so that memory does not grow with the number of games.
"""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from arena.common.errors import ArenaError
from arena.common.labels import version_number
from arena.common.printable import counted, printable
from arena.common.progress import SILENT, Progress
from arena.common.regular_files import why_unread, write_atomic
from arena.distribution import how_to_install, version
from arena.features.form import Form
from arena.game.game import teams_of
from arena.game.replay import UNFIT, ReplayError, questions
from arena.ledger import GameRecord, Ledger
from arena.ledger.settings import TournamentSettings
from arena.protocol.messages import Decide
from arena.rating.rated_table import finish
from engine import catalog
from engine.rules import Data, Rules

CARD: Final = "README.md"
DATA: Final = "data"
"""The folder of the files, one for each number of players, so that libraries can be given it as a whole."""
MARK: Final = "arena-decisions"
"""The tag by which a card is known for one of ours."""
_OURS: Final = re.compile(rf"{re.escape(CARD)}|{DATA}(/players-\d+\.parquet)?|({DATA}/)?\..*")
"""What a folder of ours has in it, and what others leave in one."""
_TYPES: Final = (
    "game:string index:int64 players:int32 seat:int32 bot:string version:int32 fingerprint:string rank:int32 "
    "finish:double score:double scores:string turn:int32 view:string events:string actions:string chosen:int32 "
    "chosen_by:string asked:bool ms:double metrics:string"
)
COLUMNS: Final = dict(each.split(":") for each in _TYPES.split())
"""The Arrow types of the columns; `card.md` says what stands in them."""
ENCODED: Final = {
    "features": "the view as numbers, by the form that is in the files' metadata",
    "steps": "the steps that lead to the chosen action, without those that had no alternative",
    "allowed": "for each of these steps, all that were allowed in its place: the mask",
    "taken": "for each of these steps, those that had been taken before it",
    "action_features": "a row of numbers for each action, where they are not chosen in steps; else null",
}
_TEMPLATE: Final = Path(__file__).with_name("card.md")
_TOGETHER: Final = 400
"""About so many steps of games are played again by one call of a worker."""
_ROW_GROUP: Final = 16 << 20
"""Bytes in memory, before they are compressed, of a row group."""


class DecisionsError(ArenaError):
    """A data set that cannot be written. The text says why and what to do."""


class Written(NamedTuple):
    """What was written."""

    decisions: int
    games: int
    head: str
    """Of the ledger when these were its games."""
    left_out: list[str]
    """Why some games are not in it, each in a line."""


class _Task(NamedTuple):
    """Games with the same number of players, for a worker."""

    rules: str
    edition: Data
    fingerprints: Mapping[str, str]
    form: Path | None
    records: Sequence[GameRecord]


def _arrow() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise DecisionsError(f"decisions are written with pyarrow: {how_to_install('parquet')}") from None
    return pyarrow


@cache
def _form(file: Path) -> Form:
    try:
        return Form.load(file)
    except (OSError, ValueError) as error:
        why = f"{file}: {why_unread(error)}" if isinstance(error, OSError) else error
        raise DecisionsError(f"{why}: make one by arena.features.Form.of(GAME).save(FILE)") from None


def _schema(form: Path | None) -> Any:
    arrow = _arrow()
    fields = [(name, arrow.type_for_alias(kind)) for name, kind in COLUMNS.items()]
    if form is not None:
        view, action = (arrow.list_(arrow.float32(), each) for each in (_form(form).width, _form(form).actions.width))
        ids = arrow.list_(arrow.int32())
        kinds = view, ids, arrow.list_(ids), arrow.list_(ids), arrow.list_(action)
        fields += zip(ENCODED, kinds, strict=True)
    return arrow.schema(fields)


def _play(task: _Task) -> tuple[Any, list[str]]:
    """Return the table of some games, and why others cannot be played again. Runs in a worker."""
    rules, form = catalog.rules(task.rules), None if task.form is None else _form(task.form)
    found: list[dict[str, Any]] = []
    failed = []
    for record in task.records:
        try:
            found += list(rows(record, rules, task.edition, task.fingerprints, form))
        except (ReplayError, *UNFIT) as error:
            failed.append(f"{record.id}: {error}")
    return _arrow().Table.from_pylist(found, _schema(task.form)), failed


def rows(
    record: GameRecord, rules: Rules, edition: Data, fingerprints: Mapping[str, str], form: Form | None = None
) -> Iterator[dict[str, Any]]:
    """Yield the rows of a game. Raises `ReplayError`."""
    score = rules.capabilities.score
    teams = teams_of(rules, record.players)
    finishes = [round(finish(record.ranks, seat, teams), 6) for seat in range(record.players)]
    seen: list[list[Any]] = [[] for _ in record.bots]
    for seat, asked, step, is_asked, took in questions(record, rules, edition):
        seen[seat] += asked.events
        if step.kind != "play":
            continue
        bot, scores = record.bots[seat], record.scores[seat]
        row = {
            "game": record.id,
            "index": record.index,
            "players": record.players,
            "seat": seat,
            "bot": bot,
            "version": version_number(bot),
            "fingerprint": fingerprints.get(bot, ""),
            "rank": record.ranks[seat],
            "finish": finishes[seat],
            "score": None if score is None else scores.get(score.name),
            "scores": _json(scores),
            "turn": asked.turn if is_asked else None,
            "view": _json(asked.view),
            "events": _json(asked.events),
            "actions": _json(asked.actions),
            "chosen": step.index,
            "chosen_by": step.by,
            "asked": is_asked,
            "ms": None if took is None else took / 1000,
            "metrics": None if step.metrics is None else _json(step.metrics),
        }
        yield row if form is None else row | _encoded(form, asked, seen[seat], step.index)


def _encoded(form: Form, asked: Decide, events: Sequence[Any], chosen: int | None) -> dict[str, Any]:
    """Return the columns of `ENCODED`."""
    steps, allowed, taken = [], [], []
    choice, index = form.choice(asked.actions), None
    while index is None and chosen is not None:
        try:
            step = choice.toward(chosen)
        except IndexError:  # an action of another edition, which has no steps here
            break
        steps.append(step)
        allowed.append(choice.mask.nonzero()[0])
        taken.append(choice.steps[:])
        index = choice.take(step)
    features = list(form.features(asked.view, asked.actions)) if form.actions.kind == "features" else None
    numbers = form.encode(asked.view, events), steps, allowed, taken, features
    return dict(zip(ENCODED, numbers, strict=True))


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


class _Part:
    """The file of the games with one number of players."""

    def __init__(self, file: Path, schema: Any) -> None:
        """Create the file."""
        file.parent.mkdir(exist_ok=True)
        self.rows = 0
        self._held: list[Any] = []
        self._writer = _arrow().parquet.ParquetWriter(file, schema, compression="zstd")

    def add(self, table: Any) -> None:
        """Take a table, and write what was gathered once that is much."""
        self.rows += table.num_rows
        self._held.append(table)
        if sum(each.nbytes for each in self._held) >= _ROW_GROUP:
            self._flush()

    def close(self) -> None:
        """Write the rest."""
        self._flush()
        self._writer.close()

    def _flush(self) -> None:
        if self._held:
            self._writer.write_table(_arrow().concat_tables(self._held))
        self._held = []


def export_decisions(
    ledger: Ledger,
    folder: Path,
    pool: Callable[[], Executor],
    calls: int,
    form: Path | None = None,
    progress: Progress = SILENT,
) -> Written:
    """Write the decisions of all games into `folder`.

    After an error there is no card, and writing it again replaces what is there. The files are the same for any number
    of processes.

    Args:
        ledger: The ledger.
        folder: Must be new, empty, or hold an earlier data set, whose files are replaced.
        pool: Starts the processes that play games again.
        calls: How many calls wait for them at once.
        form: The file of an `arena.features.Form`, for numbers besides.
        progress: Receives the progress.

    Raises:
        LedgerError: The ledger cannot be read.
        DecisionsError: There is no game, a library is missing, or `folder` holds something else.
        OSError: A file cannot be written.
    """
    settings = ledger.settings
    catalog.rules(settings.game)  # here, not in a worker, it is said if they are missing
    schema = _schema(form)
    if form is not None and _form(form).game != settings.game:
        raise DecisionsError(f"{form} is the form of {_form(form).game}, and the games are {settings.game}")
    about = {"game": settings.game, "edition": settings.edition, "form": form and json.loads(form.read_text())}
    schema = schema.with_metadata({"arena": _json(about)})
    _check(folder)
    with ledger.snapshot():
        games = ledger.played()  # a game that is recorded from here on is not among them
        if not games:
            raise DecisionsError(f"{ledger.folder} has no games yet: play some first")
        entrants = {each.name: each.fingerprint for each in ledger.entrants()}
        folder.mkdir(parents=True, exist_ok=True)
        for file in (*folder.glob(CARD), *folder.glob(f"{DATA}/*.parquet")):
            file.unlink()
        progress.stage("games played again", games)
        parts: dict[int, _Part] = {}
        bots: Counter[str] = Counter()
        left_out: list[str] = []
        with pool() as processes:
            tasks = _tasks(ledger, entrants, form)
            for players, (table, failed) in _results(tasks, processes, calls, progress):
                left_out += failed
                if table.num_rows:
                    if players not in parts:
                        parts[players] = _Part(folder / DATA / f"players-{players}.parquet", schema)
                    parts[players].add(table)
                    bots.update(table["bot"].to_pylist())
        for part in parts.values():
            part.close()
        head = ledger.chain.head()
    if not parts:
        raise DecisionsError(f"no game can be played again, as {left_out[0] if left_out else 'all are empty'}")
    found = {players: part.rows for players, part in sorted(parts.items())}
    written = Written(sum(found.values()), games - len(left_out), head, left_out)
    write_atomic(folder / CARD, _card(settings, written, found, bots, form is not None).encode())
    return written


def _tasks(ledger: Ledger, entrants: Mapping[str, str], form: Path | None) -> Iterator[_Task]:
    """Gather the games for calls, those with the same number of players together, in the order of the schedule."""
    settings = ledger.settings
    waiting: dict[int, list[GameRecord]] = {}
    for record in ledger.games():
        records = waiting.setdefault(record.players, [])
        records.append(record)
        if sum(len(each.steps) for each in records) >= _TOGETHER:
            yield _Task(settings.game, settings.edition, entrants, form, waiting.pop(record.players))
    for records in waiting.values():
        yield _Task(settings.game, settings.edition, entrants, form, records)


def _results(
    tasks: Iterator[_Task], processes: Executor, calls: int, progress: Progress
) -> Iterator[tuple[int, tuple[Any, list[str]]]]:
    """Yield the number of players and what came of each task, in the order of tasks. Only so many are open at once."""
    waiting: deque[tuple[_Task, Future[tuple[Any, list[str]]]]] = deque()
    for following in itertools.chain(tasks, itertools.repeat(None)):
        if following is not None:
            waiting.append((following, processes.submit(_play, following)))
        elif not waiting:
            return
        if following is None or len(waiting) >= calls:
            task, future = waiting.popleft()
            result = future.result()
            for record in task.records:
                progress.advance(record.id)
            yield task.records[0].players, result


def _check(folder: Path) -> None:
    """Raise `DecisionsError` if `folder` is a file, or holds anything that no data set has."""
    if folder.exists() and not folder.is_dir():
        raise DecisionsError(f"{folder} is no folder: name a new one, or one of an earlier data set")
    names = [str(each.relative_to(folder)) for each in (*folder.glob("*"), *folder.glob(f"{DATA}/*"))]
    foreign = [each for each in names if not _OURS.fullmatch(each)]
    if CARD in names and f"- {MARK}\n" not in (folder / CARD).read_text("utf-8", "replace"):
        foreign.append(CARD)
    if foreign:
        what = min(foreign)
        raise DecisionsError(f"{folder} holds something else ({what}): name a new one, or one of an earlier data set")


def _card(
    settings: TournamentSettings, written: Written, rows: Mapping[int, int], bots: Counter[str], is_encoded: bool
) -> str:
    """Return the data card, in the form that the library `datasets` reads."""
    names = [("all", "players-*"), *((f"players-{players}", f"players-{players}") for players in rows)]
    configs = [f'- config_name: {name}\n  data_files: "{DATA}/{part}.parquet"' for name, part in names]
    seeds = [settings.seed_hash, *(each.hash for each in settings.later_seeds)]
    left_out = written.left_out
    return _TEMPLATE.read_text("utf-8").format(
        pretty_name=json.dumps(f"Decisions of bots in {settings.game}"),
        tag=json.dumps(settings.game),
        configs="\n".join([configs[0], "  default: true", *configs[1:]]),
        rows=written.decisions,
        games=counted(written.games, "game"),
        game=_cell(settings.game),
        edition=_cell(str(settings.edition_name)),
        head=written.head,
        seeds=", ".join(f"`{_cell(each)}`" for each in seeds),
        version=version(),
        left_out=f"| left out | {counted(len(left_out), 'game')}: {_cell(left_out[0])} |\n" if left_out else "",
        players="\n".join(f"| {players} | {number} |" for players, number in rows.items()),
        encoded="".join(f"| `{column}` | {what} |\n" for column, what in ENCODED.items()) if is_encoded else "",
        bots="\n".join(f"| {_cell(bot)} | {number} |" for bot, number in sorted(bots.items())),
    )


def _cell(text: str) -> str:
    """Return a text for a table of Markdown. A ledger may come from anybody."""
    return printable(text).translate({ord(each): f"\\{each}" for each in "\\`*_[]<>|&"})
