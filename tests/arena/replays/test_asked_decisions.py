"""What a seat was asked is found again: the decisions are those that the game asked its bot for."""

from __future__ import annotations

from random import Random

import pytest

from arena.game.clock import TimeControl
from arena.game.game import Game
from arena.game.spec import GameSpec
from arena.protocol.messages import Act
from arena.reports.bot_record import asked_decisions
from engine import catalog
from engine.rules import Rules

GAMES = pytest.mark.parametrize("rules", catalog.installed().values(), ids=list(catalog.installed()))


@GAMES
def test_every_decision_is_found_also_those_that_came_to_nothing(rules: Rules) -> None:
    edition = rules.edition(rules.editions()[0])
    edition["parameters"]["max_rounds"] = 15
    random = Random(7)
    spec = GameSpec("a-game", 0, 3, 0, 0, random.randbytes(16).hex(), ["ant", "bee", "cat"])
    game = Game(rules, edition, spec, TimeControl(strikes=4))
    asked: dict[int, dict[int, tuple[str, int, str | None]]] = {0: {}, 1: {}, 2: {}}
    while (seat := game.awaited) is not None:
        decision, phase = game.decide(), game.phase
        number = len(decision.actions)
        fails = seat == 1 and decision.turn % 5 == 4  # its fourth strike retires it
        index = number if fails else random.randrange(number)
        asked[seat][decision.turn] = (phase, number, None if fails else f"turn {decision.turn}")
        game.answer(seat, Act("a-game", decision.turn, index, f"turn {decision.turn}"), 0.001)
    record = game.record()
    assert record.retired == [1]
    for seat, turns in asked.items():
        found = asked_decisions(record, rules, edition, seat, turns)
        assert {turn: (each.phase, each.options, each.note) for turn, each in found.items()} == turns
        assert all((each.by == "substitute") == (each.note is None) and each.chosen for each in found.values())
        assert [each.step for each in found.values()] == sorted(each.step for each in found.values())
    last = max(asked[0])
    assert asked_decisions(record, rules, edition, 0, [last, last + 1]).keys() == {last}
