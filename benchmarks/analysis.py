"""Compare analysis with the truth where that is known, and mistakes with losses where it is not.

    python -m benchmarks.analysis leduc [PLAYOUTS...]
    python -m benchmarks.analysis endgames FOLDER [PLAYOUTS...]
    python -m benchmarks.analysis games FOLDER

Each prints JSON. The first plays leduc poker by a solution and asks how far values are from those of the solution, and
how often the choice that seems best is one that loses nothing against it. The second takes endgames of `kosmos` for two
from the tournament in FOLDER in which one seat alone still decides, and searches them out in many worlds. The third
plays a tournament of two in FOLDER, if there is none, analyses 60 of its games, and asks whether what a bot lost by its
own choices goes with losing.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from math import comb, sqrt
from pathlib import Path
from random import Random
from statistics import fmean, median, stdev
from typing import Any

from arena.analysis.analysis import SURE, accuracy_of, losses_by_bot
from arena.analysis.playouts import Budget, WeighingTask, results, weigh
from arena.analysis.run import AnalysisCache, Analyst
from arena.common.processes import ProcessPool
from arena.game.replay import decisions
from arena.ledger import Ledger
from engine import catalog
from engine.chance import Seeded, derive
from engine.rules import Data, Rules, State

BOTS = Path(__file__).parent.parent / "bots"
FIELD = ("explorer.py", "planner.py", "greedy.py", "sprinter.py", "random_bot.py")
GAMES = 60
PLAYOUTS = (100, 400, 1600)
POSITIONS = 150
WORLDS = 400
LARGEST = 150_000
"""States of an endgame: a larger one is not searched out."""
LATE = 12
"""So many decisions before the end of a game endgames are looked for."""
NOTHING = 0.02
"""A choice that is worth less than the best one by at most this part of what is played for is as good."""


def mean(values: Sequence[float]) -> dict[str, float]:
    return {"mean": round(fmean(values), 4), "error": round(stdev(values) / sqrt(len(values)), 4)}


def found(task: WeighingTask, playouts: int, truth: dict[int, float], whole: float) -> dict[str, float]:
    """Return how far the values of the compared choices are from the truth, and whether the best one is named."""
    weighed = weigh(task, Budget(playouts))
    assert weighed is not None
    best = max(truth.values())
    named = weighed.values[0].action
    return {
        "error": fmean(abs(each.value - truth[each.action]) for each in weighed.values) / whole,
        "difference": fmean(abs(each.lost - (truth[each.action] - truth[task.played])) for each in weighed.values)
        / whole,
        "named": best - truth[named] <= NOTHING * whole,
        "at random": fmean(best - each <= NOTHING * whole for each in truth.values()),
        "regret": (best - truth[named]) / whole,
        "marked wrongly": weighed.values[0].lost > max(SURE * weighed.values[0].error, 0.05 * whole)
        and best - truth[task.played] <= NOTHING * whole,
    }


def summed(rows: Sequence[dict[str, float]]) -> dict[str, Any]:
    return {name: mean([float(row[name]) for row in rows]) for name in rows[0]}


# Leduc poker


class Solution:
    """Leduc poker by CFR+: what each choice is worth if both go on by the solution."""

    def __init__(self) -> None:
        import pyspiel

        self.game = pyspiel.load_game("leduc_poker")
        self.solver = solver = pyspiel.CFRPlusSolver(self.game)
        for _ in range(1000):
            solver.evaluate_and_update_policy()
        self.policy = solver.average_policy()
        self.exploitability = pyspiel.exploitability(self.game, self.policy)
        self._worth: dict[str, list[float]] = {}
        self.choices: dict[str, dict[int, list[float]]] = defaultdict(lambda: defaultdict(lambda: [0.0, 0.0]))
        self._visit(self.game.new_initial_state(), [1.0, 1.0, 1.0])

    def values(self, text: str) -> dict[int, float]:
        """Return what each action is worth for who is told this, given how likely the other is to have come here."""
        return {action: total / reach for action, (reach, total) in self.choices[text].items() if reach > 0}

    def _visit(self, state: Any, reach: list[float]) -> list[float]:
        if state.is_terminal():
            return list(state.returns())
        worth = [0.0, 0.0]
        player = state.current_player()
        known = state.chance_outcomes() if player < 0 else self.policy.action_probabilities(state)
        outcomes = dict(known)
        place = 2 if player < 0 else player
        others = reach[0] * reach[1] * reach[2] / reach[place] if reach[place] > 0 else 0.0
        if player >= 0:
            others = reach[1 - player] * reach[2]
        for action in state.legal_actions():
            after = state.child(action)
            share = outcomes.get(action, 0.0)
            further = reach[:]
            further[place] *= share
            values = self._visit(after, further)
            if player >= 0:
                entry = self.choices[state.information_state_string(player)][action]
                entry[0] += others
                entry[1] += others * values[player]
            worth = [one + share * other for one, other in zip(worth, values, strict=True)]
        return worth


def leduc(playouts: Sequence[int]) -> dict[str, Any]:
    """Play by the solution, and compare at each decision."""
    solution, rules = Solution(), catalog.rules("openspiel:leduc_poker")
    edition, random = rules.edition("standard"), Random(1)
    rows: dict[int, list[dict[str, float]]] = {each: [] for each in playouts}
    worlds: list[float] = []
    number = 0
    while len(rows[playouts[0]]) < POSITIONS:
        state: Any = rules.start(2, edition, Seeded(derive(bytes(16), "leduc", number)))
        number += 1
        while (seat := state.to_act) is not None:
            ids = [action["id"] for action in state.actions()]
            truth = {ids.index(each): worth for each, worth in solution.values(
                state.spiel.information_state_string(seat)).items()}  # fmt: skip
            if len(truth) == len(ids):
                played = random.randrange(len(ids))
                task = WeighingTask(
                    rules.name, 2, edition, state.view(seat), seat, len(ids), played, (), f"{number} {len(worlds)}"
                )
                for each in playouts:
                    rows[each].append(found(task, each, truth, 10.0))
                worlds.append(max(truth.values()) - min(truth.values()))
            policy = solution.policy.action_probabilities(state.spiel)
            state.play(random.choices(range(len(ids)), [policy.get(each, 0.0) for each in ids])[0])
    made = {str(each): summed(rows[each]) for each in playouts}
    return {
        "exploitability": solution.exploitability,
        "positions": len(rows[playouts[0]]),
        "unit": "10 chips",
        "what choices differ by": mean([each / 10 for each in worlds]),
        "playouts": made,
    }


# Endgames of kosmos


class TooLarge(Exception):
    pass


class Endgame:
    """An endgame in which one seat decides, searched out in so many worlds at once."""

    def __init__(self, rules: Rules, edition: Data, view: Data, seat: int, label: str) -> None:
        self.rules, self.seat, self.states = rules, seat, 0
        self.worlds: list[State] = []
        for number in range(WORLDS):
            chance = Seeded(derive(label.encode(), "an endgame", number))
            world = rules.determinize(view, 2, edition, chance)
            assert world is not None
            self.worlds.append(world)

    def values(self) -> dict[int, float]:
        """Return what each choice is worth. Raises `TooLarge`."""
        return {index: self._after(self.worlds, index) for index in range(len(self.worlds[0].actions()))}

    def _after(self, worlds: Sequence[State], index: int) -> float:
        """Play a choice in all worlds; the seat then tells apart only what it sees."""
        total, groups = 0.0, defaultdict[str, list[State]](list)
        self.states += len(worlds)
        if self.states > LARGEST:
            raise TooLarge
        for world in worlds:
            state = world.copy()
            events = state.play(index)
            if state.to_act is None:
                total += results(self.rules, state.ranks(), state.scores(), [[0], [1]])[self.seat]
            elif state.to_act != self.seat:
                raise TooLarge
            else:
                seen = [event.what for event in events if event.to in (None, self.seat)]
                groups[repr(seen)].append(state)
        for group in groups.values():
            options = range(len(group[0].actions()))
            total += len(group) * max(self._after(group, each) for each in options)
        return total / len(worlds)


def endgames(folder: Path, playouts: Sequence[int]) -> dict[str, Any]:
    """Search out endgames of games of two."""
    rows: dict[int, list[dict[str, float]]] = {each: [] for each in playouts}
    differ: list[float] = []
    looked = 0
    with Ledger.open(folder) as ledger:
        rules, edition = catalog.rules(ledger.settings.game), ledger.settings.edition
        for result in ledger.results():
            for asked in list(decisions(ledger.game(result.id), rules, edition))[-LATE:]:
                view, played = asked.state.view(asked.seat), asked.step.index
                assert played is not None
                looked += 1
                label = f"{result.id} {asked.seat} {asked.turn}"
                try:
                    truth = Endgame(rules, edition, view, asked.seat, label).values()
                except TooLarge:
                    continue
                if max(truth.values()) - min(truth.values()) <= NOTHING:
                    continue  # nothing is to be chosen
                differ.append(max(truth.values()) - min(truth.values()))
                task = WeighingTask(rules.name, 2, edition, view, asked.seat, len(asked.offered), played, (), label)
                for each in playouts:
                    rows[each].append(found(task, each, truth, 1.0))
    made = {str(each): summed(rows[each]) for each in playouts if rows[each]}
    return {
        "looked at": looked,
        "positions": len(differ),
        "what choices differ by": mean(differ),
        "playouts": made,
    }


# Whole games


def games(folder: Path) -> dict[str, Any]:
    """Analyse games of a tournament, and compare what bots lost by their choices with how the games ended."""
    if not folder.exists():
        command = [sys.executable, "-m", "arena", "tournament", *(str(BOTS / bot) for bot in FIELD)]
        command += ["--players", "2", "--games", "120", "--seed", "7", "--out", str(folder)]
        subprocess.run(command, check=True)
    cache = AnalysisCache(folder, writing=True)
    with Ledger.open(folder) as ledger, ProcessPool(2) as pool:
        rules, edition = catalog.rules(ledger.settings.game), ledger.settings.edition
        analyst = Analyst(rules, edition, Budget(200), cache=cache)
        results = ledger.results()
        chosen = [results[number * len(results) // GAMES] for number in range(GAMES)]
        analyses, seconds = [], []
        for result in chosen:
            record = ledger.game(result.id)
            missing, began = len(analyst.missing(record, [0, 1])), time.perf_counter()
            *_, analysis = analyst.analyse(record, [0, 1], pool)
            if missing == len(analysis.decisions):
                seconds.append(time.perf_counter() - began)
            analyses.append(analysis)
            print(f"{len(analyses)} of {GAMES}", file=sys.stderr)
    cache.close()
    return {
        "seconds for a game on two cores": {"median": round(median(seconds), 1), "games": len(seconds)}
        if seconds
        else {},
        "decisions for a game": mean([len(each.decisions) for each in analyses]),
        **_foreseen(analyses),
    }


def _foreseen(analyses: Sequence[Any]) -> dict[str, Any]:
    more, even, bins = 0, 0, defaultdict[int, list[tuple[float, float]]](list)
    by_marks = defaultdict[str, list[float]](list)
    brier, plain = [], []
    for analysis in analyses:
        loser = min((0, 1), key=lambda seat: analysis.results[seat])
        if analysis.results[0] == analysis.results[1]:
            even += 1
            continue
        lost = [sum(each.best.lost for each in analysis.of(seat)) for seat in (0, 1)]
        more += lost[loser] > lost[1 - loser]
        for seat in (0, 1):
            marks = [analysis.mark(each) for each in analysis.of(seat)]
            bad = sum(mark in ("mistake", "blunder") for mark in marks)
            by_marks["none" if bad == 0 else "1 or 2" if bad < 3 else "3 or more"].append(1 - analysis.results[seat])
        for each in analysis.decisions:
            chance, came = each.choice.value, analysis.results[each.seat]
            bins[min(9, int(10 * chance))].append((chance, came))
            brier.append((chance - came) ** 2)
            plain.append((0.5 - came) ** 2)
    decided = len(analyses) - even
    chance = sum(comb(decided, each) for each in range(more, decided + 1)) / 2**decided
    records = {bot: accuracy_of(plays) for bot, plays in losses_by_bot(analyses).items()}
    return {
        "games decided": decided,
        "the loser lost more by its own choices": more,
        "that or more by chance": chance,
        "share of lost games by mistakes and blunders": {
            name: {"lost": round(fmean(values), 3), "plays": len(values)} for name, values in sorted(by_marks.items())
        },
        "Brier score": round(fmean(brier), 4),
        "Brier score of one half": round(fmean(plain), 4),
        "chances": {
            f"{10 * place} to {10 * place + 10} %": {
                "said": round(fmean(one for one, _ in pairs), 3),
                "came": round(fmean(other for _, other in pairs), 3),
                "decisions": len(pairs),
            }
            for place, pairs in sorted(bins.items())
        },
        "bots": {
            bot: {
                "accuracy": record.accuracy,
                "error": record.error,
                "lost a game": record.lost,
                "games": record.games,
                "luck": record.luck,
            }
            for bot, record in records.items()
            if record is not None
        },
    }


def main() -> None:
    """Run one of the parts."""
    what, *rest = sys.argv[1:]
    if what == "leduc":
        made = leduc([int(each) for each in rest] or PLAYOUTS)
    elif what == "endgames":
        made = endgames(Path(rest[0]), [int(each) for each in rest[1:]] or PLAYOUTS)
    else:
        made = games(Path(rest[0]))
    print(json.dumps(made, indent=1))


if __name__ == "__main__":
    main()
