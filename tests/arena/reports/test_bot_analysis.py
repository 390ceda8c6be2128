"""What analysis says to a bot's author."""

from __future__ import annotations

from arena.analysis.analysis import AnalysedDecision, Choice, GameAnalysis
from arena.analysis.playouts import CHANCE, Budget
from arena.reports.bot_analysis import bot_analysis, spread


def decision(phase: str, turn: int, lost: float, random: float = -0.1) -> AnalysedDecision:
    choices = [Choice(1, f"best of {turn}", 0.5, lost, 0.01), Choice(0, "the other", 0.5 - lost, 0.0, 0.0)]
    return AnalysedDecision(turn, 0, turn, turn, phase, 2, 0, choices, [0.5, 0.5], random, 0.5)


def game(name: str, bot: str, *decisions: AnalysedDecision) -> GameAnalysis:
    return GameAnalysis(name, [bot, "bee"], CHANCE, 1.0, Budget(8), [], [0], [0.0, 1.0], [*decisions], [])


def test_the_costliest_decisions_the_worst_phase_and_the_trend_are_found():
    first = [game("g1", "mine", decision("buy", 1, 0.3), decision("go", 2, 0.02))]
    second = [
        game("g2", "mine@2", decision("buy", 1, 0.06), decision("go", 2, 0.2)),
        game("g3", "mine@2", decision("buy", 1, 0.0), decision("go", 2, 0.12)),
    ]
    found = bot_analysis("mine@2", {"mine": first, "mine@2": second}, 2)
    assert [(each.game, each.turn) for each in found.costliest] == [("g2", 2), ("g3", 2)]
    assert "best of 2" in found.costliest[0].words
    assert [each.phase for each in found.phases] == ["go", "buy"]
    assert found.phases[0].lost == 0.16
    assert found.versions["mine"].games == 1
    assert found.trend() == "Accuracy 38 ± 29 % (mine) → 51 ± 19 % (mine@2)"
    assert bot_analysis("mine@2", {"mine@2": second}, 2).trend() == ""


def test_games_are_spread_evenly():
    assert spread([*range(10)], 3) == [0, 3, 6]
    assert spread([*range(2)], 5) == [0, 1]
    assert spread([], 5) == []
