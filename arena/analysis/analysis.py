"""An analysed game as data, and what follows from it: marks, accuracy, and what was luck.

Values are chances to win from 0 to 1, or scores where the rules say what is played for. A choice is marked by how much
less it was worth than the best one that was found, if that is sure enough. Where a score is played for, twice its
standard deviation stands for the whole chance: where chances are even, a chance to win has that of one half.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt
from typing import Any, Final

import msgspec

from arena.analysis.playouts import CHANCE, Budget
from arena.common.printable import percent
from arena.rating import REACH

MARKS: Final = {"inaccuracy": 0.05, "mistake": 0.10, "blunder": 0.15}
"""Marks of a choice, with the least part of the whole chance that it lost."""
SYMBOLS: Final = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}
SURE: Final = 2.0
"""A choice is marked only if what it lost is at least so many standard errors."""
_VAGUE: Final = 0.5
"""An accuracy of which half the interval is more is not said."""


class Choice(msgspec.Struct, frozen=True):
    """A choice that was weighed."""

    action: int
    text: str
    value: float
    lost: float
    """How much less than it the choice that was played is worth."""
    error: float
    """The standard error of that."""
    by: list[str] = []
    """The bots, of those that were asked, whose choice it is."""
    way: tuple[int, int] | None = None
    """The places on the board between which it moves the seat's figure, if it does."""
    cards: list[str] = []
    """The cards that it takes from the seat's hand."""


class AnalysedDecision(msgspec.Struct, frozen=True):
    """A decision, with what was played and what would have been better."""

    place: int
    """Which step of the game it is, from 0."""
    seat: int
    turn: int
    """Which decision of the seat it is, from 1."""
    step: int
    """The number of public events before it."""
    phase: str
    options: int
    played: int
    choices: list[Choice]
    """First the one that seemed best; the played one is among them."""
    chances: list[float]
    """What the played choice is worth to every seat."""
    random: float
    """How much more than the played choice one at random is worth."""
    spread: float
    """The standard deviation of what the seat had after a playout."""

    @property
    def best(self) -> Choice:
        """The choice that seemed best."""
        return self.choices[0]

    @property
    def choice(self) -> Choice:
        """The choice that was played."""
        return next(each for each in self.choices if each.action == self.played)

    @property
    def others(self) -> list[Choice]:
        """The other choices that were weighed, the best first."""
        return [each for each in self.choices if each.action != self.played]


class GameAnalysis(msgspec.Struct, frozen=True):
    """A game with its decisions weighed, or with those of some seats, as far as that was done."""

    game: str
    bots: list[str]
    unit: str
    """What values are: `arena.analysis.playouts.CHANCE`, or the name of the score."""
    sign: float
    """1 if more is better, else -1."""
    budget: Budget
    named: list[str]
    """The bots that were asked what they would play."""
    seats: list[int]
    """Of whom all decisions were weighed."""
    results: list[float]
    """What each seat had in the end."""
    decisions: list[AnalysedDecision]
    """In the order of the game."""
    unweighed: list[tuple[int, int]]
    """Seats and turns of decisions for which no world was found."""

    def scale(self) -> float:
        """Return the whole chance, in the unit of values."""
        if self.unit == CHANCE or not self.decisions:
            return 1.0
        return 2 * sqrt(sum(each.spread**2 for each in self.decisions) / len(self.decisions)) or 1.0

    def mark(self, decision: AnalysedDecision) -> str:
        """Return the mark of what was played; an empty text if it has none."""
        lost, scale = decision.best.lost, self.scale()
        if lost < SURE * decision.best.error:
            return ""
        return next((mark for mark, least in reversed(MARKS.items()) if lost >= least * scale), "")

    def only(self, seats: Sequence[int]) -> GameAnalysis:
        """Return the same with the decisions of these seats alone."""
        kept = [each for each in self.decisions if each.seat in seats]
        return msgspec.structs.replace(self, decisions=kept, seats=[seat for seat in self.seats if seat in seats])

    def of(self, seat: int) -> list[AnalysedDecision]:
        """Return the decisions of a seat."""
        return [each for each in self.decisions if each.seat == seat]


def value_text(value: float, unit: str) -> str:
    """Return what a choice is worth in words: a chance in percent, or a score."""
    return percent(value) if unit == CHANCE else f"{value:.2f}"


def marks_text(unit: str) -> str:
    """Say from what loss on choices are marked."""
    of = "points of the chance to win" if unit == CHANCE else f"hundredths of twice the standard deviation of {unit}"
    least = ", ".join(f"{SYMBOLS[mark]} {mark} {100 * part:.0f}" for mark, part in MARKS.items())
    return f"{least}: so many {of} were lost, and more than 2 standard errors"


def marked_choices(analysis: GameAnalysis) -> list[dict[str, Any]]:
    """Return the choices that are marked as data for pages, in the order of the game."""
    return [
        {
            "seat": each.seat,
            "turn": each.turn,
            "step": each.step,
            "mark": mark,
            "symbol": SYMBOLS[mark],
            "lost": each.best.lost,
            "chosen": each.choice.text,
            "better": each.best.text,
            "chance": value_text(each.choice.value, analysis.unit),
            "could": value_text(each.best.value, analysis.unit),
            "way": each.best.way,
            "cards": each.best.cards,
        }
        for each in analysis.decisions
        if (mark := analysis.mark(each))
    ]


class SeatLosses(msgspec.Struct, frozen=True):
    """How a seat played a game, in parts of the whole chance."""

    marks: dict[str, int]
    lost: list[float]
    """By each of its choices; negative if the best that was found was no better."""
    stakes: list[float]
    """How much better the best choice was than one at random, for each of its decisions."""
    fall: float
    """How much less it had in the end than its chance at its first decision."""
    gained: float | None
    """What the others lost by their choices, shared among the rest of the table. None: not all were analysed."""


def losses_of(analysis: GameAnalysis, seat: int) -> SeatLosses | None:
    """Return how a seat played. None: none of its decisions was weighed."""
    own, scale = analysis.of(seat), analysis.scale()
    if not own:
        return None
    marks = [analysis.mark(each) for each in own]
    rivals = [each.best.lost for each in analysis.decisions if each.seat != seat]
    players = len(analysis.bots)
    return SeatLosses(
        marks={mark: marks.count(mark) for mark in MARKS},
        lost=[each.best.lost / scale for each in own],
        stakes=[(each.best.lost - each.random) / scale for each in own],
        fall=analysis.sign * (own[0].best.value - analysis.results[seat]) / scale,
        gained=sum(rivals) / (players - 1) / scale if len(analysis.seats) == players else None,
    )


class AccuracyRecord(msgspec.Struct, frozen=True):
    """How a bot played all of its games that were analysed."""

    games: int
    decisions: int
    marks: dict[str, int]
    accuracy: float | None
    """How much of what the best choices gain over choices at random it kept. None: nothing was at stake."""
    error: float | None
    """Half of the interval of 95 % around that, by how decisions differ."""
    lost: float
    """By its own choices, on average for a game, in parts of the whole chance."""
    luck: float | None
    """The share of what it lost, in games that ended worse than they began, that came not from anybody's choices."""


def accuracy_of(plays: Sequence[SeatLosses]) -> AccuracyRecord | None:
    """Return how a bot played. None: there is no game."""
    if not plays:
        return None
    lost = [part for play in plays for part in play.lost]
    stakes = [part for play in plays for part in play.stakes]
    stake = sum(stakes)
    ratio = sum(lost) / stake if stake > 0 else None
    rest = 0.0 if ratio is None else sum((one - ratio * other) ** 2 for one, other in zip(lost, stakes, strict=True))
    fallen = [play for play in plays if play.fall > 0 and play.gained is not None]
    fall, chosen = sum(play.fall for play in fallen), sum(sum(play.lost) - (play.gained or 0.0) for play in fallen)
    return AccuracyRecord(
        games=len(plays),
        decisions=len(lost),
        marks={mark: sum(play.marks[mark] for play in plays) for mark in MARKS},
        accuracy=None if ratio is None else 1 - ratio,
        error=None if ratio is None else REACH * sqrt(rest) / stake,
        lost=sum(lost) / len(plays),
        luck=min(1.0, max(0.0, 1 - chosen / fall)) if fallen else None,
    )


def accuracy_text(record: AccuracyRecord) -> str:
    """Return the accuracy with half of its interval, or a dash if that says next to nothing."""
    if record.accuracy is None or record.error is None or record.error > _VAGUE:
        return "-"
    return f"{100 * min(1.0, record.accuracy):.0f} ± {100 * record.error:.0f} %"


def losses_by_bot(analyses: Iterable[GameAnalysis]) -> dict[str, list[SeatLosses]]:
    """Return how each bot played, by its label, in the order of the games."""
    found: dict[str, list[SeatLosses]] = {}
    for analysis in analyses:
        for seat in analysis.seats:
            if (play := losses_of(analysis, seat)) is not None:
                found.setdefault(analysis.bots[seat], []).append(play)
    return found
