"""Find where a person's choices cost most: ask a bot all questions of the seat again, and weigh both choices.

What a choice is worth is the chance to win after it, by playouts from what the seat knew. A playout draws a world that
the view allows, plays the action and goes on at random for some moves. Then a game that is `engine.picture.Explained`
says how the chances are by what lies open, with its formula that was fitted to finished games of the packaged bots; of
any other game the ranks count. Both actions are tried in the same worlds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Executor, Future
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any, Final, NamedTuple

from arena.check import ask_again
from arena.check.reask import Answer
from arena.check.report import Failed, Skipped
from arena.entrants import Built
from arena.game.clock import TimeControl
from arena.game.replay import replay
from arena.game.transcript import visible
from arena.ledger import GameRecord
from arena.replays.turning_points import final, shares
from arena.replays.words import Words
from engine import catalog
from engine.chance import Seeded, derive
from engine.picture import Explained
from engine.rules import Data, Rules, State

STEP: Final = 32
"""Worlds between two looks at whether more are needed."""
WORLDS: Final = 5 * STEP
MOVES: Final = 8
"""Random moves for each seat after the action."""
HOW: Final = (
    f"by up to {WORLDS} playouts each: worlds that the seat's view allows, {MOVES} random moves of every seat, then "
    "the chances by what lies open; only differences of more than 3 standard errors are listed"
)


class Weighed(NamedTuple):
    """The chances of a seat to win after its action and after another one, in thousandths."""

    chance: int
    could: int
    error: float
    """The standard error of the difference."""


def weigh(
    game: str, players: int, edition: Data, view: Data, seat: int, actions: tuple[int, int], label: str
) -> Weighed | None:
    """Compare two actions, and stop early if the second one is hardly better. None: no world is known for this view.

    Args:
        game: The name of the rules. They must have worlds.
        players: The number of players.
        edition: Its edition.
        view: What the seat knew.
        seat: The seat.
        actions: The indices of the action that was played and of the other one.
        label: The same label gives the same worlds.
    """
    rules = catalog.rules(game)
    pairs: list[tuple[int, int]] = []
    while len(pairs) < WORLDS:
        for number in range(len(pairs), len(pairs) + STEP):
            seed = derive(label.encode(), "weighing", number)
            world = rules.determinize(view, players, edition, Seeded(seed))
            if world is None:
                return None
            first, second = (_chance_after(rules, edition, world.copy(), index, seat, seed) for index in actions)
            pairs.append((first, second))
        differences = [second - first for first, second in pairs]
        error = stdev(differences) / sqrt(len(pairs))
        if fmean(differences) <= error:
            break
    chance, could = (round(fmean(each)) for each in zip(*pairs, strict=True))
    return Weighed(chance, could, error)


def _chance_after(rules: object, edition: Data, state: State, index: int, seat: int, seed: bytes) -> int:
    state.play(index)
    _play_on(state, Random(seed))
    return _chance(rules, edition, state, seat)


def _play_on(state: State, random: Random) -> None:
    moves = MOVES * len(state.ranks())
    while moves and state.to_act is not None:
        state.play(random.randrange(len(state.actions())))
        moves -= 1


def _chance(rules: object, edition: Data, state: State, seat: int) -> int:
    if state.to_act is not None and isinstance(rules, Explained):
        return shares(rules.strengths(rules.scene(state.view(None)), edition))[seat]
    return final(state.ranks())[seat]


_WORTH: Final = 10
"""The least difference of chances that is shown, in thousandths."""
_SURE: Final = 3.0
"""And in its standard errors: of a game's decisions some would else be listed by the playouts' chance alone."""
_MOST: Final = 12
_REPORTED: Final = 4
"""After so many weighed decisions the worst so far are reported."""

Report = Callable[[Mapping[str, Any]], object]


class _OpenMove(NamedTuple):
    """A choice that is being weighed."""

    words: dict[str, Any]
    weighed: Future[Weighed | None]


class MistakeFinder:
    """Compares a person's choices with those of one bot."""

    def __init__(self, built: Built, rules: Rules, edition: Data, time: TimeControl, pool: Executor) -> None:
        """Take the bot, the game, the bot's time control and where choices are weighed."""
        self._built = built
        self._rules = rules
        self._edition = edition
        self._time = time
        self._pool = pool

    def find(self, record: GameRecord, seat: int, report: Report) -> None:
        """Call `report` with the mistakes of a seat, worst first: more than once, the last time with `done`."""
        name = self._built.entrant.name
        places = _places(record, self._rules, self._edition, seat)
        asked, open_moves = 0, list[_OpenMove]()
        try:
            for answer in ask_again(self._built, record, self._rules, self._edition, seat, self._time):
                asked += not answer.is_lost
                if answer.differs:  # weighed from now on, while the bot is asked on
                    open_moves.append(self._begin(record, seat, answer, places[answer.question.turn]))
        except (Failed, Skipped, OSError) as error:
            why = error.problem.what if isinstance(error, Failed) else str(error)
            report({"bot": name, "done": True, "error": f"{name} could not be asked: {why}"})
            return
        said = {"bot": name, "asked": asked, "same": asked - len(open_moves), "how": HOW}
        found: list[dict[str, Any]] = []
        for number, move in enumerate(open_moves, start=1):
            weighed = move.weighed.result()
            if weighed is None:
                continue
            chance, could, deviation = weighed
            if could - chance >= max(_WORTH, _SURE * deviation):
                found.append({**move.words, "chance": chance, "could": could, "lost": could - chance})
            found.sort(key=lambda each: -each["lost"])
            if number % _REPORTED == 0:
                report({**said, "done": False, "moves": found[:_MOST]})
        report({**said, "done": True, "moves": found[:_MOST]})

    def _begin(self, record: GameRecord, seat: int, answer: Answer, step: int) -> _OpenMove:
        question, chosen = answer.question, answer.recorded.index
        assert chosen is not None
        words = Words(self._rules, record.bots)
        weighed = self._pool.submit(
            weigh,
            *(self._rules.name, record.players, self._edition, question.view, seat, (chosen, answer.now)),
            f"{record.id} {seat} {question.turn}",
        )
        in_words = [words.named(words.action(question.actions[index])) for index in (chosen, answer.now)]
        return _OpenMove({"step": step, "turn": question.turn, "chosen": in_words[0], "better": in_words[1]}, weighed)


def _places(record: GameRecord, rules: Rules, edition: Data, seat: int) -> dict[int, int]:
    """Return by turn of a seat how many public steps there were before its decision."""
    found: dict[int, int] = {}
    public = 0
    for game_step in replay(record, rules, edition):
        step = game_step.step
        if step.seat == seat and step.kind == "play":  # of one that retired, later ones are of no question
            found[len(found) + 1] = public
        public += sum(visible(event, None) for event in game_step.events)
    return found
