"""Compare rating systems by how well they foresee held-out blocks of real tournaments.

    python -m benchmarks.held_out play FOLDER
    python -m benchmarks.held_out measure FOLDER [SVG]

The first plays a tournament of each game with the bots in `bots/` (it goes on when run again). The second prints JSON:
by game and rating system the Brier score and the log loss of the probability that one bot finishes ahead of another in
a game, and by how much each is `worse` than the best system's, with standard errors by resampling blocks. With SVG it
draws the reliability diagram of `docs/ratings.md`.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.ledger import Ledger
from arena.rating import SYSTEMS, RatingInput
from arena.rating.base import of_players
from arena.rating.held_out import Forecast, Forecaster, Forecasts, compared, held_out_forecasts, joint_forecaster
from arena.rating.joint.approximation import LUCK
from arena.rating.joint.rank_bands import difference_errors
from arena.rating.rated_table import finish
from arena.standings import rated_results
from benchmarks.choices import ChoiceFit, Choices, bradley_terry, plackett_luce
from benchmarks.reliability_chart import reliability_chart

BOTS = Path(__file__).parent.parent / "bots"
FIELDS = {
    "kosmos": ["random_bot.py", "pairs.py", "saboteur.py", "sprinter.py", "greedy.py", "planner.py", "python", "c"],
    "ravensburger": ["random_bot.py", "strider.py", "navigator.py", "python", "c"],
}
GAMES = 3000
RESAMPLED = 2000


def play(folder: Path) -> None:
    """Play a tournament of each game."""
    for game, bots in FIELDS.items():
        command = [sys.executable, "-m", "arena", "tournament", *(str(BOTS / bot) for bot in bots), "--game", game]
        command += ["--games", str(GAMES), "--seed", "1", "--out", str(folder / game)]
        subprocess.run(command, check=True)


def choices(model: Choices, *, by_count: bool) -> Forecaster:
    """Return forecasts by strengths of all games, or of those with the same number of players."""

    def forecaster(games: Sequence[RatingInput], bots: Sequence[str]) -> Forecast:
        numbers = {bot: number for number, bot in enumerate(bots)}
        counts = {len(game.bots) for game in games}
        fits = {count: ChoiceFit(bots, of_players(games, count if by_count else None), model) for count in counts}
        errors = {count: difference_errors(fit.errors()) for count, fit in fits.items()}

        def forecast(one: str, other: str, players: int) -> float:
            first, second = numbers[one], numbers[other]
            difference = float(fits[players].mean[first] - fits[players].mean[second])
            # The mean of a logistic function of a normal variable (MacKay 1992).
            return _logistic(difference / math.sqrt(1 + math.pi * float(errors[players][first, second]) ** 2 / 8))

        return forecast

    return forecaster


def sequential(*, by_count: bool) -> Forecaster:
    """Return forecasts by TrueSkill game by game, with its own sigma."""

    def forecaster(games: Sequence[RatingInput], bots: Sequence[str]) -> Forecast:
        counts = {len(game.bots) for game in games}
        tables = {
            count: SYSTEMS["sequential"].rate(games, bots, players=count if by_count else None).values
            for count in (counts if by_count else {0})
        }

        def forecast(one: str, other: str, players: int) -> float:
            first, second = (tables[players if by_count else 0][bot] for bot in (one, other))
            deviation = math.hypot(LUCK, LUCK, first["sigma"], second["sigma"])
            return (1 + math.erf((first["mu"] - second["mu"]) / deviation / math.sqrt(2))) / 2

        return forecast

    return forecaster


def mean_finish(*, by_count: bool) -> Forecaster:
    """Return forecasts by differences of mean finishes, at the odds that fit the known games best."""

    def forecaster(games: Sequence[RatingInput], bots: Sequence[str]) -> Forecast:
        finishes: dict[tuple[str, int], list[float]] = defaultdict(lambda: [0.5, 0.5])
        for game in games:
            for seat, bot in enumerate(game.bots):
                finishes[bot, len(game.bots) if by_count else 0].append(finish(game.ranks, seat))
        means = {key: sum(found) / len(found) for key, found in finishes.items()}
        rows = defaultdict(list)
        for game in games:
            count = len(game.bots) if by_count else 0
            for one, bot in enumerate(game.bots):
                for other in range(one):
                    ahead = (game.ranks[one] < game.ranks[other]) + (game.ranks[one] <= game.ranks[other])
                    gap = means[game.bots[other], count] - means[bot, count]
                    rows[count].append((gap, ahead / 2, 2 / len(game.bots)))
        slopes = {count: _slope(*np.array(found).T) for count, found in rows.items()}

        def forecast(one: str, other: str, players: int) -> float:
            count = players if by_count else 0
            return _logistic(slopes[count] * (means.get((other, count), 0.5) - means.get((one, count), 0.5)))

        return forecast

    return forecaster


def _slope(gaps: NDArray[np.float64], ahead: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    """Fit the log-odds of finishing ahead for each unit of difference, by Newton's method."""
    slope = 1.0
    for _ in range(50):
        likely = 1 / (1 + np.exp(-slope * gaps))
        slope += float(
            np.sum(weights * gaps * (ahead - likely)) / (np.sum(weights * gaps**2 * likely * (1 - likely)) + 1e-9)
        )
    return slope


def _logistic(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))


SYSTEMS_COMPARED: Mapping[str, Forecaster] = {
    "joint": joint_forecaster,
    "sequential": sequential(by_count=False),
    "sequential, each number of players by itself": sequential(by_count=True),
    "plackett-luce": choices(plackett_luce, by_count=True),
    "plackett-luce, all games alike": choices(plackett_luce, by_count=False),
    "bradley-terry": choices(bradley_terry, by_count=True),
    "bradley-terry, all games alike": choices(bradley_terry, by_count=False),
    "mean finish": mean_finish(by_count=True),
    "mean finish, all games alike": mean_finish(by_count=False),
}


def measure(folder: Path) -> dict[str, dict[str, Any]]:
    """Return by game and system how well it foresaw held-out games."""
    found: dict[str, dict[str, Any]] = {}
    for game in FIELDS:
        forecasts = held_out_forecasts(_games(folder / game), list(SYSTEMS_COMPARED.values()))
        assert forecasts is not None
        named = dict(zip(SYSTEMS_COMPARED, forecasts, strict=True))
        found[game] = {"games": forecasts[0].games, "pairs": len(forecasts[0].results)}
        for score in ("brier", "log_loss"):
            found[game][score] = _against_the_best({name: _by_block(each, score) for name, each in named.items()})
    return found


def _games(folder: Path) -> list[RatingInput]:
    ledger = Ledger.open(folder)
    return [
        RatingInput(each.bots, each.ranks, each.scores, (each.players, each.block)) for each in rated_results(ledger)
    ]


def _by_block(forecasts: Forecasts, score: str) -> NDArray[np.float64]:
    """Return the sums of a score and of the weights, by block."""
    values = getattr(forecasts, score)()
    return np.stack([forecasts.of_blocks(values), forecasts.of_blocks(np.ones(len(values)))])


def _against_the_best(sums: Mapping[str, NDArray[np.float64]]) -> dict[str, dict[str, float]]:
    """Return each system's score, how much worse it is than the best one's, and the standard error of that."""
    scores = {name: float(values.sum() / weights.sum()) for name, (values, weights) in sums.items()}
    best = min(scores, key=lambda name: scores[name])
    blocks = sums[best].shape[1]
    drawn = np.random.RandomState(1).multinomial(blocks, np.full(blocks, 1 / blocks), RESAMPLED)
    found = {}
    for name, (values, weights) in sums.items():
        worse = drawn @ (values - sums[best][0]) / (drawn @ weights)
        alone = drawn @ values / (drawn @ weights)
        row = {
            "score": scores[name],
            "error": float(alone.std()),
            "worse": scores[name] - scores[best],
            "by": float(worse.std()),
        }
        found[name] = {key: round(value, 5) for key, value in row.items()}
    return found


def draw(folder: Path, file: Path) -> None:
    """Draw the reliability diagram."""
    panels = {}
    for game in FIELDS:
        forecasts = held_out_forecasts(_games(folder / game), [joint_forecaster])
        assert forecasts is not None
        panels[game] = compared(forecasts[0])
    file.write_text(reliability_chart(panels), "utf-8")


if __name__ == "__main__":
    where = Path(sys.argv[2])
    if sys.argv[1] == "play":
        play(where)
    else:
        print(json.dumps(measure(where), indent=1))
        if len(sys.argv) > 3:
            draw(where, Path(sys.argv[3]))
