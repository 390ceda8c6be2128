"""What our games ask a person who plays, and how they explain cards that cannot be used."""

from __future__ import annotations

from collections import Counter
from importlib import resources
from random import Random
from typing import Any

import pytest

from engine import catalog
from engine.chance import Seeded, derive
from engine.picture import Guided
from tests.engine.plays import random_play

CASES = pytest.mark.parametrize(
    ("name", "edition"),
    [(name, edition) for name, rules in catalog.installed().items() for edition in rules.editions()],
)


def named(value: Any) -> Counter[str]:
    """All texts anywhere in an action."""
    if isinstance(value, str):
        return Counter([value])
    if isinstance(value, dict):
        return sum((named(part) for key, part in value.items() if key != "do"), Counter())
    parts = value if isinstance(value, list) else ()
    return sum(map(named, parts), Counter())


def offers(question: str) -> set[str]:
    """What a question says may be done, as the kinds of actions that do it."""
    said = {"Travel to ": "travel", "Travel a further": "travel", "sell an": "sell", "buy a card": "buy"}
    said |= {"draw 1 or 2": "draw", "exchange 2": "exchange", "lay off a card. ": "discard", "end your turn": "end"}
    return {kind for words, kind in said.items() if words in question} - (
        {"end"} if "ends your turn" in question else set()
    )


@CASES
def test_every_question_is_told_and_every_useless_card_explained(name: str, edition: str) -> None:
    rules = catalog.rules(name)
    assert isinstance(rules, Guided)
    page = resources.files(f"engine.{name}").joinpath("rules.md").read_text("utf-8")
    data = rules.edition(edition)
    questions: dict[str, str] = {}
    reasons = set()
    for number in range(3):
        state = rules.start(3, data, Seeded(derive(b"guides in testing", edition, number)))
        random = Random(f"{name} {edition} {number}")
        for _ in random_play(state, random):
            seat = state.to_act
            if seat is None:
                break
            view, actions = state.view(seat), state.actions()
            questions[state.phase] = rules.question(view, actions, data)
            assert offers(questions[state.phase]) <= {action["do"] for action in actions}, questions[state.phase]
            order = rules.order(actions)
            assert sorted(order) == list(range(len(actions)))
            kinds = [actions[index]["do"] for index in order]
            assert kinds[0] not in ("stay", "pass", "decline", "suffer") or not {"travel", "gold", "accept"} & {*kinds}
            barred = rules.barred(view, actions, data)
            offered = sum((named(dict(action)) for action in actions if action.get("place") is None), Counter())
            for card, (why, rule) in barred.items():
                assert card in rules.hand(view)
                assert card not in offered, "it can be used"
                assert f"**{rule}**" in page
                reasons.add(why)
    assert "What will you do?" not in questions.values()
    assert len(set(questions.values())) == len(questions) > 4
    assert len(reasons) > 5
    assert all(why.endswith(".") for why in reasons)
