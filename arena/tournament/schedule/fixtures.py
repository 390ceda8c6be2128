"""The fixtures of a tournament: the games of its schedule, and of each whether it was played or will never be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from arena.formats import Format, GameOutcome
from arena.game.faults import CRASHES
from arena.game.spec import GameSpec
from arena.ledger import (
    BlockRecord,
    FaultRecord,
    GameRecord,
    GameResult,
    GameSummary,
    Ledger,
    Outcome,
    Seeds,
)
from arena.tournament.schedule.history import TournamentHistory
from arena.tournament.schedule.rounds import OnDrawn, Schedule, game_ids, specs
from arena.tournament.schedule.void_games import VoidGames, next_attempt

_OPEN, _ISSUED, _PLAYED, _MISSING = range(4)


class Fixtures:
    """Go through the blocks of a schedule, and keep what becomes of their games."""

    def __init__(
        self,
        ledger: Ledger,
        format: Format,
        seeds: Seeds,
        on_drawn: OnDrawn = lambda _: None,
        end: int | None = None,
        damaged: list[str] | None = None,
    ) -> None:
        """Read what was recorded, and begin at the first block.

        Args:
            ledger: the ledger.
            format: one that has not drawn anything yet.
            seeds: the tournament's.
            on_drawn: gets the blocks of each round that is drawn.
            end: take only the recorded blocks before that place; None: all.
            damaged: gets ids of games that were played, but cannot be read; None: then raise `LedgerError`.
        """
        settings, events = ledger.settings, ledger.field_events()
        recorded = [block for block in ledger.blocks() if end is None or block.place < end]
        self.history = TournamentHistory(events)
        dealing = seeds.dealing
        self.schedule = Schedule(
            format, sorted(settings.entrants), events, self.history, recorded, on_drawn, dealing, settings.tables
        )
        self.seeds = seeds
        self._known = {outcome.id: outcome for outcome in ledger.outcomes(damaged)}
        self.void_games = VoidGames(ledger.voids())
        self._set_aside = self.void_games.set_aside() | set(damaged or ())
        self._crashed = ledger.retired_by(CRASHES) if settings.time.get("on_crash") == "void" else None
        """By game, the seats that crashed, if that makes a game void; None: it does not."""
        self._idle = ledger.idle()
        self._without = ledger.games_left_out()
        self._without_places: dict[int, str] = {}
        self._states = bytearray()
        """By place."""
        self.pending = 0
        """Games that were issued and of which nothing is known yet."""
        self.surprises = 0
        """Goes up whenever a game that was issued turns out to be missing or void, or suspends somebody."""
        self._void_games = 0

    def block(self, number: int) -> BlockRecord | None:
        """Return a block, counted from 0, after noting what is known of its games. None: as `Schedule.block`."""
        block = self.schedule.block(number)
        if block is not None and len(self._states) < block.place + len(block.bots):
            self._states.extend(bytes(block.place + len(block.bots) - len(self._states)))
            for place, game_id in enumerate(game_ids(block, self.seeds.dealing), block.place):
                outcome = self._known.pop(game_id, None)
                if game_id in self._without:
                    self._without_places[place] = self._without[game_id]
                if outcome is not None:
                    self._states[place] = _PLAYED
                    crashed = (self._crashed or {}).get(game_id, ())
                    self.history.played(place, game_result(outcome), crashed, self._idle.get(game_id, ()))
                elif game_id in self._set_aside or self.history.excludes(block.bots, place):
                    self._note_missing(place)
        return block

    def open_games(self, block: BlockRecord) -> Iterator[GameSpec]:
        """Yield the games of a block that are still to be played, and note each as issued."""
        if _OPEN not in self._states[block.place : block.place + len(block.bots)]:
            return
        for spec in specs(block, self.seeds):
            if self._states[spec.index] != _OPEN:
                continue
            if self.history.excludes(spec.bots, spec.index):
                self._note_missing(spec.index)
                continue
            self._states[spec.index] = _ISSUED
            self.pending += 1
            yield self.as_due(spec)

    def as_due(self, spec: GameSpec) -> GameSpec:
        """Return a game of the schedule as it is to be played after the attempts at it that failed."""
        return next_attempt(spec, self.void_games.of(spec.id), self.seeds)

    def played(self, game: GameSummary) -> list[str]:
        """Note that a game that was issued has been played, and return the bots that it suspends."""
        self._states[game.index] = _PLAYED
        self.pending -= 1
        crashed = () if self._crashed is None else crashed_seats(game.faults, game.retired)
        return self._noted(self.history.played(game.index, game_result(game), crashed, game.idle))

    def missing(self, index: int) -> list[str]:
        """Note that a game that was issued will never be played. Returns as `played` does."""
        self.pending -= 1
        self.surprises += 1
        self._states[index] = _MISSING
        return self._noted(self.history.missing(index))

    def counting(self, block: BlockRecord) -> int:
        """Count the games of a block that count, if those that are not known yet are played to the end."""
        states = self._states[block.place : block.place + len(block.bots)]
        if not (self.history.absent or self.history.void or self._without):
            return len(states) - states.count(_MISSING)
        excludes = self.history.excludes
        return sum(
            state != _MISSING and place not in self._without_places and not excludes(block.bots, place)
            for place, state in enumerate(states, block.place)
        )

    def without_before(self, place: int) -> dict[str, list[int]]:
        """Return the places of games before a place that do not count, by the machine that is left out."""
        found: dict[str, list[int]] = {}
        for each in sorted(self._without_places):
            if each < place:
                found.setdefault(self._without_places[each], []).append(each)
        return found

    def unknown(self, block: BlockRecord) -> int:
        """Count the games of a block that may still be played."""
        states = self._states[block.place : block.place + len(block.bots)]
        return states.count(_OPEN) + states.count(_ISSUED)

    def is_gapless(self) -> bool:
        """Return whether no game may still be played that lies before one that was."""
        last = self._states.rfind(_PLAYED)
        return not any(state in self._states[: last + 1] for state in (_OPEN, _ISSUED))

    def first_open(self, block: BlockRecord) -> int:
        """Return the place of the first game of a block that may still be played."""
        return self._states.index(_OPEN, block.place)

    def is_open(self, place: int) -> bool:
        """Return whether the game at a place may still be played."""
        return self._states[place] in (_OPEN, _ISSUED)

    def unscheduled(self) -> dict[str, Outcome]:
        """Return the games that were played and have not been met in the schedule so far, by id."""
        return dict(self._known)

    def _note_missing(self, index: int) -> None:
        self._states[index] = _MISSING
        self.history.missing(index)

    def _noted(self, suspended: list[str]) -> list[str]:
        self.surprises += bool(suspended) or self.history.void_games > self._void_games
        self._void_games = self.history.void_games
        return suspended


def crashed_seats(faults: Iterable[FaultRecord], retired: Sequence[int]) -> list[int]:
    """Return the retired seats that have one of the faults that are crashes."""
    crashed = {fault.seat for fault in faults if fault.code in CRASHES}
    return [seat for seat in sorted(retired) if seat in crashed]


def game_result(game: GameRecord | GameSummary | GameResult | Outcome) -> GameOutcome:
    """Return what a format may know of a game, by seat."""
    return GameOutcome(game.bots, game.ranks, game.scores, game.retired)
