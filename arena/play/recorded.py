"""The ledger of the games with persons: who is at the table, which game is next, and what became of it.

It is a tournament of the format `seated`: each round is one block of all who sit at the table, and before a round
persons and bots may come and go. Which rotation of the block is played depends on the seat that somebody asked for, so
some may never be. A ledger of this kind never ends: there may always be another game. It was *last run* when a game was
last played in it to the end: a table that is left at once does not take the place of the tournament before.

What is answered in a game is kept in a file beside the ledger until the next one begins. So a game in whose middle the
arena was killed goes on where it was, if the same sit at the table and nobody had a fault; else it is void, and its
cards are not dealt again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from itertools import count
from pathlib import Path
from typing import Final

import msgspec

from arena.common.labels import bot_name
from arena.common.progress import Progress
from arena.common.regular_files import write_private
from arena.entrants import Built, Entrant, EntrantError
from arena.formats import recorded_format
from arena.game.spec import GameSpec
from arena.game.transcript import GameStep
from arena.isolation.settings import Isolation
from arena.ledger import BegunGame, EntrantRecord, GameRecord, Ledger, PageDataRecord, VoidRecord, committed_seeds
from arena.play.person import LANGUAGE
from arena.tournament import field_changes
from arena.tournament.admission import admit, avatars_of, rebuild
from arena.tournament.identity import Identity
from arena.tournament.open_ledger import check_place, create_ledger, open_ledger
from arena.tournament.plan import Plan, PlanError
from arena.tournament.schedule.fixtures import Fixtures
from arena.tournament.schedule.rounds import specs

BROKEN_OFF: Final = "the arena ended in the middle of this game"
_BEGUN: Final = "begun.jsonl"
"""The game that was begun last and its attempt, then by line the index of each answer and its microseconds."""


class RecordedTable:
    """The open ledger of a table, whose field is who sits at it."""

    def __init__(
        self, ledger: Ledger, built: Mapping[str, Built], persons: Sequence[str], isolation: Isolation
    ) -> None:
        """Read the ledger. `persons`: their labels; the first is the one whose seat can be chosen."""
        self.ledger = ledger
        self.built = built
        self._persons = persons
        self._isolation = isolation
        self._seeds = committed_seeds(ledger)
        self._answers_kept = 0
        self.note = ""
        """What became of a game that was broken off, for people; empty if none was."""
        self._resumed: tuple[str, tuple[tuple[int, int], ...]] | None = None
        """The id of a game that goes on where it was broken off, and what was answered in it."""
        self._take_up()
        self.is_resumed: Final = self._resumed is not None
        self._fixtures = self._read()

    def _take_up(self) -> None:
        """Go on with the game that was begun last, if the arena ended in its middle; else make it void."""
        begun = self.ledger.settings.begun
        if begun is None or begun.game in self.ledger.ids():
            return
        if any((each.game, each.attempt) == (begun.game, begun.attempt) for each in self.ledger.voids()):
            return
        answers = _answers(self.ledger.folder / _BEGUN, begun)
        if answers is not None and {*begun.bots} == {*self.built, *self._persons}:
            self._resumed = begun.game, answers
            self.note = "The arena had ended in the middle of this game. It goes on where it was."
        else:
            self.ledger.record_void(VoidRecord(begun.game, begun.attempt, begun.bots, BROKEN_OFF))
            self.note = "The arena had ended in the middle of the last game, which does not count. This is another one."

    def next_game(self, seat: int | None) -> GameSpec:
        """Return the next game of all who are at the table. `seat`: the first person's; None: any.

        Raises `PlanError` if there can be none.
        """
        wanted = {*self.built, *self._persons}
        for number in count():
            # Somebody retired: it is open no more.
            if self._resumed is not None and number >= len(self.ledger.blocks()):
                self._resumed = None
                return self.next_game(seat)
            block = self._fixtures.block(number)
            if block is None:
                out = sorted(wanted.difference(self._fixtures.schedule.field(self._fixtures.schedule.drawn).bots))
                who = f" ({', '.join(out)} retired too often in a row)" if out else ""
                raise PlanError(f"no game of {', '.join(sorted(wanted))} can be drawn{who}: choose another --ledger")
            if set(block.bots) != wanted:
                continue
            for spec in specs(block, self._seeds):
                if not self._fixtures.is_open(spec.index):
                    continue
                if self._resumed is not None and spec.id == self._resumed[0]:
                    return msgspec.structs.replace(self._fixtures.as_due(spec), answers=self._resumed[1])
                if self._resumed is None and (seat is None or spec.bots[seat] == self._persons[0]):
                    return self._fixtures.as_due(spec)
        raise AssertionError

    def begin(self, spec: GameSpec) -> None:
        """Write that a game begins, before anybody is sent anything of its cards: they are never dealt again."""
        attempt = 1 + len(self._fixtures.void_games.of(spec.id))
        self.ledger.set_meta("begun", msgspec.to_builtins(BegunGame(spec.id, attempt, spec.bots)))
        self._answers_kept, resumed, self._resumed = len(spec.answers), self._resumed, None
        if resumed is None:
            write_private(self.ledger.folder / _BEGUN, msgspec.json.encode([spec.id, attempt]) + b"\n")

    def keep(self, game_step: GameStep) -> None:
        """Keep what was answered, before anybody sees what follows from it."""
        step = game_step.step
        if step.kind == "play" and step.by == "referee":  # an opening, which is drawn again
            return
        if self._answers_kept:
            self._answers_kept -= 1
            return
        with (self.ledger.folder / _BEGUN).open("ab") as file:
            file.write(msgspec.json.encode([step.index, game_step.microseconds]) + b"\n")

    def record(self, record: GameRecord, page_data: PageDataRecord | None) -> None:
        """Write a game that was played to its end."""
        self.ledger.note_isolation(self._isolation.recorded)
        self.ledger.record(record, page_data)
        check_place(self.ledger, self._seeds.secret)
        self._fixtures = self._read()

    def record_void(self, spec: GameSpec, error: str) -> None:
        """Write that a game failed or was left. If it is played again, then with another deal."""
        attempt = 1 + len(self._fixtures.void_games.of(spec.id))
        self.ledger.record_void(VoidRecord(spec.id, attempt, spec.bots, error))
        self._fixtures = self._read()

    def _read(self) -> Fixtures:
        format = recorded_format(self.ledger.settings, self._seeds.schedule)
        return Fixtures(self.ledger, format, self._seeds, self.ledger.add_blocks)


def _answers(file: Path, begun: BegunGame) -> tuple[tuple[int, int], ...] | None:
    """Return what was answered in the game that was begun last. None: it cannot go on."""
    try:
        lines = file.read_bytes().split(b"\n")[:-1]  # what was cut off is no line
        if msgspec.json.decode(lines[0]) == [begun.game, begun.attempt]:
            return msgspec.json.decode(b"[%s]" % b",".join(lines[1:]), type=tuple[tuple[int, int], ...])
    except (OSError, IndexError, msgspec.MsgspecError):  # it is damaged, or somebody had a fault
        pass
    return None


@contextmanager
def opened_table(
    identity: Identity,
    out: str | None,
    default: Path,
    fresh: bool,
    entrants: Sequence[Entrant],
    persons: Sequence[str],
    isolation: Isolation,
    progress: Progress,
) -> Iterator[RecordedTable]:
    """Open the ledger of a table, or begin it, with these bots and persons in its field.

    Args:
        identity: What is fixed.
        out: The ledger's folder; None: `default`, or one beside it.
        default: See `out`.
        fresh: Whether what lies there is moved aside.
        entrants: The bots.
        persons: The persons' names.
        isolation: How bots are kept apart.
        progress: Gets what happens.

    Raises:
        PlanError: The folder holds something else, or a name is taken.
        EntrantError: A bot cannot play.
        LedgerError: The ledger cannot be used, or another process has it.
    """
    person_records = [_person_record(name) for name in persons]

    def begin(folder: Path) -> dict[str, Built]:
        built, records = _admitted(entrants, identity, progress, isolation)
        create_ledger(folder, identity, [*records, *person_records], avatars_of(entrants))
        return built

    with open_ledger(identity, out, fresh, progress, begin, default) as (ledger, begun):
        built = begun
        if built is None:
            built = _change_field(ledger, identity, entrants, person_records, progress, isolation)
        yield RecordedTable(ledger, built, [_label_of(ledger, each) for each in person_records], isolation)


def _person_record(name: str) -> EntrantRecord:
    print_ = blake2b(name.encode(), digest_size=16, person=b"person").hexdigest()
    return EntrantRecord(name, path="", fingerprint=print_, language=LANGUAGE)


def _as_entrant(record: EntrantRecord) -> Entrant:
    return Entrant(record.name, Path(), "folder", (), record.fingerprint, language=record.language)


def _label_of(ledger: Ledger, person_records: EntrantRecord) -> str:
    return next(each.name for each in ledger.entrants() if each.fingerprint == person_records.fingerprint)


def _admitted(
    entrants: Sequence[Entrant], identity: Identity, progress: Progress, isolation: Isolation
) -> tuple[dict[str, Built], list[EntrantRecord]]:
    """Build the bots and start each once. Raises `EntrantError` for one that cannot play."""
    built, records = admit(entrants, identity.game, identity.edition, identity.time, progress, isolation)
    for record in records:
        if record.left_out is not None:
            raise EntrantError(f"{record.name}: {record.left_out}")
    return built, records


def _change_field(
    ledger: Ledger,
    identity: Identity,
    entrants: Sequence[Entrant],
    person_records: Sequence[EntrantRecord],
    progress: Progress,
    isolation: Isolation,
) -> dict[str, Built]:
    """Let those join and leave who come to the table and go, and return the bots."""
    versions = ledger.entrants()
    for person in person_records:
        for each in versions:
            if bot_name(each.name) == person.name and each.fingerprint != person.fingerprint:
                raise PlanError(f"{person.name} is a bot in {ledger.folder}: choose another name for --persons")
    named = field_changes.named_as_before(entrants, versions)
    request = field_changes.request_field(Plan(leave=True), ledger, [*named, *map(_as_entrant, person_records)])
    new = {each.name for each in request.join}
    joining = [each for each in request.join if each.language != LANGUAGE]
    built, records = _admitted(joining, identity, progress, isolation) if joining else ({}, [])
    records += [each for each in person_records if each.name in new]
    change = field_changes.change_field(ledger, request, records, committed_seeds(ledger))
    ledger.change_field(records, change.events, change.place, avatars=avatars_of(joining))
    stay = [each for each in change.stay if each.language != LANGUAGE]

    def failed(name: str, reason: str) -> None:
        raise EntrantError(f"{name}: {reason}")

    return {**built, **rebuild(stay, failed, progress, isolation)}
