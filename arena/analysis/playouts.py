"""Weigh the choices of a decision by playouts in worlds that its seat could not tell from the real one.

A playout draws a world that the seat's view allows, plays one of the choices there, and goes on: first through a tree
of what every seat could know by then, in which each seat prefers what has gone well for it (information-set Monte
Carlo tree search with UCB), then at random. Where a game is `engine.picture.Explained`, it ends after some moves, with
the chances by what lies open; any other game is played to its end.

Half of the playouts look for the best choice, leaving the worse half of the choices behind again and again. The other
half compare it, in worlds that had no part in that, with the one that was played and with one taken at random. So what
a choice seems to lose is not the luck of the choice that seemed best.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from math import ceil, log, log2, sqrt
from random import Random
from statistics import fmean, pstdev, stdev
from time import process_time
from typing import Final, NamedTuple

import msgspec

from arena.game.game import teams_of
from arena.game.transcript import visible
from arena.replays.turning_points import WHOLE, shares
from engine import catalog
from engine.chance import Seeded, derive
from engine.picture import Explained
from engine.rules import Data, Rules, State

CHANCE: Final = "chance"
"""What values are where no score is played for: the chance to win, from 0 to 1."""
PLAYOUTS: Final = 400
"""For a decision, if nothing else is asked for."""
_MOVES: Final = 8
"""Random moves of each seat of a game that says how the chances are."""
_LONGEST: Final = 200
"""And of another game, which is played to its end."""
_CURIOSITY: Final = 0.7
"""How much a choice that was tried seldom is preferred, where values are from 0 to 1."""


class Budget(msgspec.Struct, frozen=True):
    """How much is spent on a decision."""

    playouts: int = PLAYOUTS
    seconds: float | None = None
    """If given, so much processor time instead: then no result can be repeated."""


class WeighingTask(NamedTuple):
    """A decision that is to be weighed, as its seat was asked."""

    game: str
    """The name of the rules."""
    players: int
    edition: Data
    view: Data
    seat: int
    options: int
    """How many choices there were."""
    played: int
    """The index of the one that was played."""
    named: tuple[int, ...]
    """Of others that are to be compared with it."""
    label: str
    """The same label gives the same worlds."""


class Value(msgspec.Struct, frozen=True):
    """What a choice is worth to the seat."""

    action: int
    value: float
    """The chance to win, or the score that is to be expected."""
    lost: float
    """How much less the played choice is worth."""
    error: float
    """The standard error of that."""


class WeighedChoices(msgspec.Struct, frozen=True):
    """What was found for a decision."""

    values: list[Value]
    """Of the choices that were compared: first the one that seemed best, among the others the played one."""
    chances: list[float]
    """What the played choice is worth to every seat."""
    random: float
    """How much more than the played choice one at random is worth."""
    spread: float
    """The standard deviation of what the seat had after a playout."""


def unit_of(rules: Rules) -> str:
    """Return what values are: `CHANCE`, or the name of the score that is played for."""
    score = rules.capabilities.score
    return CHANCE if score is None else score.name


def sign_of(rules: Rules) -> float:
    """Return 1 if more is better, else -1."""
    score = rules.capabilities.score
    return -1.0 if score is not None and score.best == "least" else 1.0


def results(rules: Rules, ranks: Sequence[int], scores: Sequence[Data], teams: Sequence[Sequence[int]]) -> list[float]:
    """Return what each seat has by these ranks or scores; teams that tie share a win."""
    score = rules.capabilities.score
    if score is not None:
        return [float(each[score.name]) for each in scores]
    best = min(ranks)
    winners = [team for team in teams if ranks[team[0]] == best]
    return [any(seat in team for team in winners) / len(winners) for seat in range(len(ranks))]


def weigh(task: WeighingTask, budget: Budget) -> WeighedChoices | None:
    """Weigh a decision. None: no world is known for its view."""
    search = _Search(task, budget)
    if search.draw() is None:
        return None
    best, second, *_ = search.ordered()
    return search.compare([best, task.played, *task.named, second])


_rules = cache(catalog.rules)
"""Once for each process, because to make those of a bridge takes long."""


class _Node:
    """What a seat knows at one of its decisions, with how its choices have gone for it."""

    __slots__ = ("totals", "tried", "visits")

    def __init__(self, options: int) -> None:
        self.tried = [0] * options
        self.totals = [0.0] * options
        self.visits = 0

    def choose(self, random: Random, low: float, high: float) -> int:
        """Return a choice that was not tried yet, or else the one that promises most (UCB)."""
        if self.visits < len(self.tried):
            return random.choice([option for option, tried in enumerate(self.tried) if not tried])
        width = max(high - low, 1e-9)
        curiosity = _CURIOSITY * sqrt(log(self.visits))
        promises = [
            (total / tried - low) / width + curiosity / sqrt(tried)
            for total, tried in zip(self.totals, self.tried, strict=True)
        ]
        return promises.index(max(promises))

    def learn(self, option: int, value: float) -> None:
        self.visits += 1
        self.tried[option] += 1
        self.totals[option] += value


class _Search:
    """The playouts of one decision, with the tree that grows by them."""

    def __init__(self, task: WeighingTask, budget: Budget) -> None:
        self._task, self._budget = task, budget
        self._rules = _rules(task.game)
        self._explains = self._rules if isinstance(self._rules, Explained) else None
        self._teams = teams_of(self._rules, task.players)
        self._sign = sign_of(self._rules)
        self._low, self._high = 0.0, float(unit_of(self._rules) == CHANCE)
        """The worst and the best that a seat had so far, where more is better."""
        self._moves = task.players * (_LONGEST if self._explains is None else _MOVES)
        self._nodes: dict[tuple[int, ...], _Node] = {}
        self._drawn = 0
        self._began = process_time()

    def draw(self) -> State | None:
        """Draw the next world. None: none was found."""
        task = self._task
        seed = derive(task.label.encode(), "playout", self._drawn)
        self._drawn += 1
        self._random = Random(seed)
        self._first: dict[int, int] = {}
        return self._rules.determinize(task.view, task.players, task.edition, Seeded(seed))

    def ordered(self) -> list[int]:
        """Return the choices, the best first, by half of the playouts, spent on fewer and fewer choices."""
        options = self._task.options
        looks = ceil(log2(options))
        totals, counts = [0.0] * options, [0] * options
        left, behind = list(range(options)), list[int]()
        for look in range(looks):
            for world in self._worlds((look + 1) / (2 * looks), self._budget.playouts / (2 * looks * len(left))):
                for option in left:
                    totals[option] += self._walk(world, option)[self._task.seat]
                    counts[option] += 1
            left.sort(key=lambda option: -self._sign * totals[option] / max(1, counts[option]))
            half = ceil(len(left) / 2)
            left, behind = left[:half], [*left[half:], *behind]
        return [*left, *behind]

    def compare(self, arms: Sequence[int]) -> WeighedChoices | None:
        """Weigh some choices, and one at random, in other worlds than before."""
        task = self._task
        found: dict[int, list[list[float]]] = {arm: [] for arm in arms}
        at_random: list[float] = []
        for world in self._worlds(1.0, self._budget.playouts / (2 * len(found) + 2)):
            any_one = self._random.randrange(task.options)
            for arm, walks in found.items():
                walks.append(self._walk(world, arm))
            at_random.append(self._walk(world, any_one)[task.seat])
        if len(at_random) < 2:
            return None
        own = {arm: [each[task.seat] for each in walks] for arm, walks in found.items()}
        played = own[task.played]
        values = []
        for arm, each in own.items():
            lost = [self._sign * (one - other) for one, other in zip(each, played, strict=True)]
            values.append(Value(arm, fmean(each), fmean(lost), stdev(lost) / sqrt(len(lost))))
        return WeighedChoices(
            values=values,
            chances=[fmean(each) for each in zip(*found[task.played], strict=True)],
            random=self._sign * (fmean(at_random) - fmean(played)),
            spread=pstdev(played),
        )

    def _worlds(self, until: float, rounds: float) -> Iterator[State]:
        """Draw worlds for so many rounds, or until this part of the time has passed; at least two."""
        limit, done = self._budget.seconds, 0
        while done < 2 or (done < rounds if limit is None else process_time() - self._began < until * limit):
            if (world := self.draw()) is not None:
                yield world
            done += 1

    def _walk(self, world: State, option: int) -> list[float]:
        """Play on in a world after a choice, and return what each seat has at the end."""
        state = world.copy()
        seen = [0] * self._task.players
        path: list[tuple[_Node, int, int]] = []
        self._play(state, self._task.seat, option, seen)
        while (seat := state.to_act) is not None and (not path or path[-1][0].visits):  # one new node for each walk
            options = len(state.actions())
            key = seat, self._known(world, seat), seen[seat], options
            node = self._nodes.get(key)
            if node is None:
                node = self._nodes[key] = _Node(options)
            index = node.choose(self._random, self._low, self._high)
            path.append((node, seat, index))
            self._play(state, seat, index, seen)
        values = self._play_on(state)
        goodness = [self._sign * value for value in values]
        self._low, self._high = min(self._low, *goodness), max(self._high, *goodness)
        for node, seat, index in path:
            node.learn(index, goodness[seat])
        return values

    def _known(self, world: State, seat: int) -> int:
        """Return a number for what a seat knows of a world from the outset; our own knows the same in all of them."""
        if seat == self._task.seat:
            return 0
        if seat not in self._first:
            self._first[seat] = hash(repr(world.view(seat)))
        return self._first[seat]

    def _play(self, state: State, seat: int, index: int, seen: list[int]) -> None:
        """Play a choice, and note for each seat what it saw of that."""
        seen[seat] = hash((seen[seat], index))
        for event in state.play(index):
            text = hash(repr(event.what))
            for reader in range(len(seen)):
                if visible(event, reader):
                    seen[reader] = hash((seen[reader], text))

    def _play_on(self, state: State) -> list[float]:
        """Play at random from here on, and return what each seat has then."""
        moves, random = self._moves, self._random
        while moves and state.to_act is not None:
            state.play(int(random.random() * len(state.actions())))
            moves -= 1
        if state.to_act is not None and self._explains is not None:
            strengths = self._explains.strengths(self._explains.scene(state.view(None)), self._task.edition)
            return [share / WHOLE for share in shares(strengths)]
        return results(self._rules, state.ranks(), state.scores(), self._teams)
