"""Play two worlds on that a seat cannot tell apart, and compare all that the seat gets.

The second world differs from the first in what the seat may not know. The rules draw it (`redeal` or `determinize`),
or it is the same game with other outcomes of chance from the beginning on, as long as the seat sees no difference; and
in it the others make other hidden choices. While the seat sees the same of both courses, it must be shown the same
views, actions in the same order, pictures, scores and ranks before the end, and the others must be asked, or waited
for, at the same decisions. And no event may tell two choices of another seat apart that the view hides.

Two equal worlds show nothing: a report says by phase how often they differed in what others are shown. The kit cannot
know what may come to light, as when a card is turned over: the report lists it, for the author to judge.
"""

from __future__ import annotations

import json
import re
from bisect import bisect
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import accumulate
from typing import Any, Final, NamedTuple

from engine.chance import Chance
from engine.picture import Illustrated
from engine.rules import Data, Event, Redealt, Rules, State
from engine.testing.contract import Case, RulesCheckError, cases

GAMES: Final = 10
"""Games without an action of a new kind, after which no more are played to find situations."""
_MORE: Final = 5  # times so many games are played at most
_LONG: Final = 400  # decisions after which such a game is left
_DECISIONS: Final = 500  # so many are looked at, if that takes no more than
_SHORT_GAMES: Final = 20  # times so many games
_KEPT: Final = 4  # situations of each phase that are kept
_FURTHER: Final = 40  # further ones, if replaying them takes no more than
_REPLAYED: Final = 2000  # moves in all
_RARE: Final = 20  # further ones, in which a rare action was offered for the first time
_SEATS: Final = 3  # for which a situation is examined
_NEAR: Final = 100  # decisions from the beginning on in two worlds, if rules also draw worlds
_AHEAD: Final = 16  # decisions that are played on in two worlds
_TRIED: Final = 4  # other actions that are tried in place of one
_QUOTED: Final = 300  # letters of what differs


class PhaseTally(NamedTuple):
    """How well a phase was tested."""

    reached: int
    """Its decisions in the games that were played."""
    compared: int
    """Moments at which two worlds were compared."""
    differing: int
    """Of those, the ones at which something hidden differed: only these can show a leak."""


class Leak(NamedTuple):
    """Something by which a seat can tell two worlds apart that it should not."""

    what: str
    """Which part of what a seat gets: the view, the actions, an event, forced moves, the scores, and so on."""
    phase: str
    seat: int
    detail: str
    """What it was in the one world and in the other."""

    def __str__(self) -> str:
        """Say in a sentence what can be told apart."""
        return f"in phase {self.phase}, seat {self.seat} can tell two worlds apart by its {self.what}: {self.detail}"


class LeakReport(NamedTuple):
    """What the kit found in one edition with one number of players."""

    edition: str
    players: int
    sources: list[str]
    """Where worlds came from."""
    phases: dict[str, PhaseTally]
    leaks: list[Leak]
    """The first of each kind in each phase."""
    revealed: dict[str, int]
    """In how many courses something hidden came to light, by the event and the parts of it that differed."""

    def untested(self) -> dict[str, str]:
        """Return the phases of which nothing is known, each with the reason."""
        why = {
            phase: "all worlds were equal" if found.compared else "no worlds" for phase, found in self.phases.items()
        }
        return {phase: why[phase] for phase, found in self.phases.items() if not found.differing}


def check_leaks(rules: Rules, phases: Collection[str] = (), games: int = GAMES) -> list[LeakReport]:
    """Look for leaks in every named edition with every number of players.

    Raises `RulesCheckError` for a leak, and if in some edition no worlds that differ were compared in one of `phases`.
    """
    reports = [find_leaks(case, games) for case in cases(rules)]
    for report in reports:
        for leak in report.leaks:
            raise RulesCheckError(f"{rules.name}, edition {report.edition}, {report.players} players: {leak}")
    for edition in rules.editions():
        of_it = [report for report in reports if report.edition == edition]
        tested = {phase for each in of_it for phase in each.phases.keys() - each.untested().keys()}
        if missing := sorted({*phases} - tested):
            raise RulesCheckError(f"{rules.name}, edition {edition}: not tested for leaks: phase {', '.join(missing)}")
    return reports


def find_leaks(case: Case, games: int = GAMES) -> LeakReport:
    """Look for leaks in one edition with one number of players."""
    search = _Search(case)
    for situation in search.situations(games):
        for seat in search.some(case.players, _SEATS):
            search.examine(*situation, seat)
    compared, differing, leaks = search.compared, search.differing, [*search.leaks.values()]
    phases = {phase: PhaseTally(count, compared[phase], differing[phase]) for phase, count in search.reached.items()}
    return LeakReport(case.edition, case.players, [*search.sources], phases, leaks, dict(search.revealed))


class _Later(Chance):
    """The chance of a world that is drawn: what is hidden comes from one source, and all later numbers from another."""

    def __init__(self, hidden: Chance, later: Chance, is_drawn: list[bool]) -> None:
        self.hidden, self.later, self.is_drawn = hidden, later, is_drawn

    def below(self, stream: str, bound: int) -> int:
        return (self.later if self.is_drawn[0] else self.hidden).below(stream, bound)

    def copy(self) -> Chance:
        return self.later.copy() if self.is_drawn[0] else _Later(self.hidden.copy(), self.later.copy(), self.is_drawn)


class _Exchanged(Chance):
    """The chance of a game with some outcomes exchanged. It counts them, and in `total` those of all its copies."""

    def __init__(self, source: Chance, other: Chance, places: range, total: list[int], drawn: int = 0) -> None:
        self.source, self.other, self.places, self.total, self.drawn = source, other, places, total, drawn

    def below(self, stream: str, bound: int) -> int:
        number = self.source.below(stream, bound)
        self.drawn += 1
        self.total[0] += 1
        return self.other.below(stream, bound) if self.drawn in self.places else number

    def copy(self) -> Chance:
        return _Exchanged(self.source.copy(), self.other.copy(), self.places, self.total, self.drawn)


_Situation = tuple[str, list[int], list[int], int]
"""A game's label, its moves and who made them, and how many of these lead to a decision of interest."""
_Key = tuple[int, tuple[tuple[int | None, str, int], ...]]
"""How far a game has come, as a seat may know it: at the same place it must be shown the same."""
_Seen = list[tuple[str, Data]]


class _Moment(NamedTuple):
    """What a seat is shown, part by part, and what others are."""

    shown: dict[str, Any]
    hidden: list[Data]


class _Move(NamedTuple):
    """A move, and what the seat saw of it."""

    seat: int | None
    words: str
    seen: _Seen


class _World:
    """A world as one seat goes through it."""

    def __init__(self, rules: Rules, state: State, seat: int) -> None:
        self.rules, self.state, self.seat = rules, state, seat
        self.steps = 0
        # Since both worlds were compared at a decision of the seat:
        self.seen: _Seen = []
        self.asked: list[tuple[int | None, str, int]] = []
        """The decisions for which others wait, so that they can count them."""

    def copy(self) -> _World:
        world = _World(self.rules, self.state.copy(), self.seat)
        world.seen, world.asked = [*self.seen], [*self.asked]
        return world

    def key(self) -> _Key:
        return len(self.seen), (*self.asked, (self.state.to_act, self.state.phase, len(self.seen)))

    def waits(self) -> bool:
        return self.state.to_act not in (None, self.seat)

    def play(self, index: int) -> _Seen:
        """Play an action, and return what the seat sees of it."""
        self.steps += 1
        self.asked.append((self.state.to_act, self.state.phase, len(self.seen)))
        events = self.state.play(index)
        for move in self.state.forced_moves():
            before = len(self.visible(events[: move.events]))
            self.asked.append((move.seat, move.phase, len(self.seen) + before))
        seen = self.visible(events)
        self.seen += seen
        return seen

    def visible(self, events: Sequence[Event]) -> _Seen:
        return [(self.rules.words(what), what) for to, what in events if to in (None, self.seat)]

    def moment(self) -> _Moment:
        state, view = self.state, self.state.view(self.seat)
        shown: dict[str, Any] = {"view": view, "spectator's view": state.view(None)}
        shown["actions"] = [(self.rules.words(each), each) for each in state.actions() if not self.waits()]
        shown |= {"scores": state.scores(), "ranks": state.ranks()}
        if isinstance(self.rules, Illustrated):
            shown |= {"scene": self.rules.scene(view), "hand": self.rules.hand(view)}
        others = [state.view(seat) for seat in range(len(shown["ranks"])) if seat != self.seat]
        return _Moment({} if state.to_act is None else shown, others)


class _Search:
    """The search for leaks in one case."""

    def __init__(self, case: Case) -> None:
        self.case, self.rules, self.edition = case, case.rules, case.rules.edition(case.edition)
        self.lots = case.chance("leaks")
        self.reached, self.compared, self.differing = Counter[str](), Counter[str](), Counter[str]()
        self.revealed, self.sources = Counter[str](), Counter[str]()
        self.played = Counter[str]()
        """How often an action was taken, by its words: those that are rare lead to rare phases."""
        self.leaks: dict[tuple[str, str, str | None], Leak] = {}
        self.total = [0]
        """How many random numbers were drawn."""

    def situations(self, games: int) -> list[_Situation]:
        """Play games while new actions are met. Keep decisions of every phase, and the first with each rare action."""
        kept: dict[str, list[_Situation]] = {}
        first: dict[str, _Situation] = {}
        offered = Counter[str]()
        played, latest = 0, 0
        while played < min(latest + games, games * _MORE) or (
            self.reached.total() < _DECISIONS and played < games * _SHORT_GAMES
        ):
            played += 1
            state, moves, actors = self.case.begin(label := f"leaks {played}"), list[int](), list[int]()
            while (seat := state.to_act) is not None and len(moves) < _LONG:
                phase, situation = state.phase, (label, moves, actors, len(moves))
                self.reached[phase] += 1
                place = self.lots.below("kept", self.reached[phase])
                for kind in {*self.kinds(state)}:
                    latest = latest if kind in first else played
                    first.setdefault(kind, situation)
                    offered[kind] += 1
                if len(of_phase := kept.setdefault(phase, [])) < _KEPT + _FURTHER:
                    of_phase.append(situation)
                elif place < _KEPT + _FURTHER:
                    of_phase[place] = situation
                actors.append(seat)
                moves.append(self.pick(state))
                state.play(moves[-1])
        rare = [first[kind] for kind in sorted(first, key=lambda kind: (offered[kind], kind))[:_RARE]]
        found, further = [*rare], list[_Situation]()
        for of_phase in kept.values():
            self.lots.shuffle("some", of_phase)
            found, further = [*found, *of_phase[:_KEPT]], [*further, *of_phase[_KEPT:]]
        self.lots.shuffle("some", further)
        found += further[: min(_FURTHER, bisect([*accumulate(at for *_, at in further)], _REPLAYED))]
        return [*{(label, at): (label, moves, actors, at) for label, moves, actors, at in found}.values()]

    def kinds(self, state: State) -> list[str]:
        """Return the words of the actions without their numbers."""
        return [re.sub(r"\d+", "#", self.rules.words(action)) for action in state.actions()]

    def pick(self, state: State) -> int:
        """Choose an action: at random, or one that was hardly ever taken."""
        kinds = self.kinds(state)
        index = self.lots.below("moves", len(kinds))
        if self.lots.below("ways", 2):
            index = min(range(len(kinds)), key=lambda each: (self.played[kinds[each]], each != index))
        self.played[kinds[index]] += 1
        return index

    def some(self, count: int, most: int) -> list[int]:
        """Choose some different numbers below `count`."""
        numbers = [*range(count)]
        self.lots.shuffle("some", numbers)
        return numbers[:most]

    def examine(self, label: str, moves: list[int], actors: list[int], at: int, seat: int) -> None:
        """Compare worlds for a seat: from its last decision before a situation on, and from the beginning on."""
        cuts = [number for number in range(min(at + 1, len(actors))) if actors[number] == seat]
        cut = cuts[-1] if cuts else 0
        chance, is_drawn = self.exchanged(label), [False]
        first, second, source = self.replayed(chance, moves[:cut]), None, "redeal"
        later = _Later(self.other_chance(), chance.copy(), is_drawn)
        if isinstance(self.rules, Redealt):
            second = self.rules.redeal(first, seat, later)
        if second is None and cuts:
            source = "determinize"
            second = self.rules.determinize(first.view(seat), self.case.players, self.edition, later)
        is_drawn[0] = True
        if second is not None:
            self.follow(source, first, second, seat, moves[cut : at + 1])
        for _ in range(4 if second is None else at < _NEAR):
            chance = self.exchanged(label)
            first = self.replayed(chance, [])
            place = 1 + self.lots.below("places", chance.drawn + at + 1)
            places = range(place, place + 1 if self.lots.below("rest", 2) else 1 << 60)
            second = self.replayed(self.exchanged(label, places), [])
            if first.to_act == second.to_act and first.view(seat) == second.view(seat):
                self.follow("chance", first, second, seat, moves[: at + 1])

    def replayed(self, chance: Chance, moves: Sequence[int]) -> State:
        state = self.rules.start(self.case.players, self.edition, chance)
        for index in moves:
            state.play(index)
        return state

    def exchanged(self, label: str, places: range = range(0)) -> _Exchanged:
        return _Exchanged(self.case.chance(label), self.other_chance(), places, self.total)

    def other_chance(self) -> Chance:
        return self.case.chance(f"other {self.lots.below('other', 1 << 60)}")

    def follow(self, source: str, first: State, second: State, seat: int, script: Sequence[int]) -> None:
        """Play on in two worlds, as in the script and then further, for as long as they look the same to the seat."""
        one, other = _World(self.rules, first, seat), _World(self.rules, second, seat)
        left, end, compared = [*script], len(script) + _AHEAD, Counter[tuple[str, bool]]()
        self.sources[source] += 1
        alike: bool | None = self.compare(one.moment(), other, compared)
        while alike and one.state.to_act is not None and one.steps < end:
            one.seen, one.asked, other.seen, other.asked = [], [], [], []
            alike = self.trail(one, other, *self.lead(one, left, end), compared)
        for (phase, differs), count in compared.items():
            self.compared[phase] += count
            came_to_light = alike is None and source != "chance"  # there it may be what was drawn later
            self.differing[phase] += count if differs or came_to_light else 0

    def lead(self, one: _World, script: list[int], end: int) -> tuple[dict[_Key, _Moment], dict[_Key, _Move]]:
        """Play in the first world up to the seat's next decision; return the moments on the way, and the moves."""
        moments, moves = dict[_Key, _Moment](), dict[_Key, _Move]()
        while not moves or (one.waits() and one.steps < end):
            before, key, total = one.state.copy(), one.key(), self.total[0]
            index = script.pop(0) if script else self.pick(before)
            words = self.rules.words(before.actions()[index])
            moves[key] = _Move(before.to_act, words, one.play(index))
            drawn = self.total[0] - total
            moments[one.key()] = one.moment()
            if before.to_act != one.seat:
                self.compare_choices(before, index, drawn, moves[key].seen, moments[one.key()], one.seat)
        return moments, moves

    def compare_choices(self, before: State, index: int, drawn: int, seen: _Seen, after: _Moment, seat: int) -> None:
        """Look for an event that tells two choices of another seat apart which the view hides.

        If they differ in how much they draw at random, what is hidden afterwards may differ for no other reason.
        """
        for instead in self.some(len(before.actions()), _TRIED):
            trial, total = _World(self.rules, before.copy(), seat), self.total[0]
            differs = instead != index and not _same(trial.play(instead), seen) and self.total[0] - total == drawn
            if differs and trial.state.view(seat) == after.shown.get("view"):
                moment = trial.moment()
                if moment.shown == after.shown and moment.hidden != after.hidden:
                    self.note("event", before.phase, seat, seen, trial.seen)

    def trail(
        self, one: _World, other: _World, moments: dict[_Key, _Moment], moves: dict[_Key, _Move], compared: Counter[Any]
    ) -> bool | None:
        """Play the second world so that the seat sees the same. Return False for a leak, None if it cannot be done."""
        same_choices, is_first = True, True
        while (is_first or other.waits()) and len(other.asked) <= len(one.asked) + _AHEAD:
            move, actor = moves.get(other.key()), other.state.to_act
            if (index := self.counterpart(one, other, move, moments)) is None:
                return None
            chosen = actor, self.rules.words(other.state.actions()[index])
            same_choices &= move is None or chosen == move[:2]
            other.play(index)
            is_first, moment = False, moments.get(other.key())
            if moment is not None and not self.compare(moment, other, compared):
                return False
        if one.waits() or other.waits() or not _same(one.seen, other.seen):
            return None
        if one.key() != other.key() and same_choices:  # else somebody may have done the same in another order
            self.note("forced moves", one.asked[-1][1], one.seat, one.key()[1], other.key()[1])
        return one.key() == other.key()

    def counterpart(self, one: _World, other: _World, move: _Move | None, moments: dict[_Key, _Moment]) -> int | None:
        """Choose an action of the second world after which the seat sees what it saw in the first, if there is one."""
        words, expected = [self.rules.words(each) for each in other.state.actions()], one.seen[len(other.seen) :]
        same = [index for index, each in enumerate(words) if move and move[:2] == (other.state.to_act, each)]
        others = [index for index in self.some(len(words), _TRIED) if other.waits() and index not in same]
        tried = [*same, *others] if self.lots.below("ways", 2) else [*others, *same]
        for index in tried:
            trial = other.copy()
            seen = trial.play(index)
            if _same(seen, expected[: len(seen)]):
                return index
            if index in same:
                after, now = moments.get(trial.key()), trial.moment()
                hidden = ", in no view" if after and after.shown and _same(after.shown, now.shown) else ""
                differing = [pair for pair in zip(seen, expected, strict=False) if pair[0] != pair[1]]
                for (said, what), (_, instead) in differing[:1]:
                    parts = [key for key in {**what, **instead} if what.get(key) != instead.get(key)]
                    self.revealed[f"{what.get('event', said)}: {', '.join(parts)}{hidden}"] += 1
        return None

    def compare(self, moment: _Moment, other: _World, compared: Counter[tuple[str, bool]]) -> bool:
        """Compare a moment of the first world with the second world now. Return whether the seat is shown the same."""
        now, phase = other.moment(), other.state.phase
        if now.shown and moment.shown:
            compared[phase, now.hidden != moment.hidden] += 1
        if not now.shown or not moment.shown:
            return now.shown == moment.shown
        leaks = {what: value for what, value in moment.shown.items() if not _same(now.shown[what], value)}
        for what, value in leaks.items():
            compared[phase, True] += 1
            self.note(what, phase, other.seat, value, now.shown[what])
        return not leaks

    def note(self, what: str, phase: str, seat: int, one: Any, other: Any) -> None:
        parts = _differing(one, other)
        for key in [*parts[0]] if isinstance(parts[0], dict) else [None]:  # each part of a view is a leak of its own
            each = parts if key is None else tuple({key: part[key]} for part in parts)
            texts = [_sent(part)[:_QUOTED] for part in each]
            self.leaks.setdefault((what, phase, key), Leak(what, phase, seat, " and ".join(texts)))


def _sent(value: Any) -> str:
    """Return a value as it is sent."""
    return json.dumps(value, default=repr)


def _same(one: Any, other: Any) -> bool:
    """Return whether two values are equal as they are sent, where keys have an order and True is not 1."""
    return one == other and _sent(one) == _sent(other)


def _differing(one: Any, other: Any) -> tuple[Any, Any]:
    """Return the parts in which two values differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        keys = [key for key in {**one, **other} if not _same(one.get(key), other.get(key))]
        if not keys:
            return [*one], [*other]
        parts = {key: _differing(one.get(key), other.get(key)) for key in keys}
        return {key: part[0] for key, part in parts.items()}, {key: part[1] for key, part in parts.items()}
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        same = next((place for place, pair in enumerate(zip(one, other, strict=False)) if not _same(*pair)), 0)
        return one[same:], other[same:]
    return one, other
