"""Classic games of PettingZoo by `pettingzoo:NAME`."""

from __future__ import annotations

import pytest

from engine import catalog
from engine.catalog import UnknownRules
from engine.chance import Seeded
from engine.testing import check

pytest.importorskip("pettingzoo", reason="PettingZoo is an extra")
pytest.importorskip("pygame", reason="its games import pygame")


@pytest.mark.parametrize("name", ["tictactoe_v3", "connect_four_v3"])
def test_the_contract_is_kept(name: str) -> None:
    check(catalog.rules(f"pettingzoo:{name}"))


def test_a_game_is_played_in_words() -> None:
    pytest.importorskip("chess", reason="python-chess is an extra")
    rules = catalog.rules("pettingzoo:chess-v6")
    assert (rules.name, rules.players) == ("pettingzoo:chess_v6", (2, 2))
    state = rules.start(2, rules.edition("standard"), Seeded(bytes(16)))
    for move in ("f2f3", "e7e5", "g2g4", "d8h4"):
        [index] = [place for place, action in enumerate(state.actions()) if action["do"] == move]
        events = state.play(index)
    assert rules.words(events[0].what) == "seat 1: d8h4"
    assert rules.words(events[1].what) == "the end: seat 0 -1, seat 1 1"
    assert (state.to_act, state.ranks()) == (None, [2, 1])
    assert state.view(None)["text"].endswith("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3")


def test_a_seat_gets_pettingzoos_numbers_as_one_list_if_they_are_few() -> None:
    rules = catalog.rules("pettingzoo:connect_four_v3")
    state = rules.start(2, rules.edition("standard"), Seeded(bytes(16)))
    state.play(3)
    view = state.view(0)
    assert [number for row in view["observation"] for square in row for number in square] == view["tensor"]
    assert sum(view["tensor"]) == 1
    assert "tensor" not in state.view(None)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("hanabi_v5", "it hides something: see arena games openspiel"),
        ("pong_v3", "there is no game 'pettingzoo:pong_v3': see arena games pettingzoo"),
    ],
)
def test_what_cannot_be_played_is_refused_with_the_reason(name: str, why: str) -> None:
    with pytest.raises(UnknownRules, match=why) as caught:
        catalog.rules(f"pettingzoo:{name}")
    assert caught.value.wanted == f"pettingzoo:{name}"


def test_offers_say_of_every_classic_game_whether_it_can_be_played() -> None:
    provider = catalog.provider("pettingzoo")
    assert provider is not None
    assert [offer.name.partition(":")[2] for offer in provider.offers() if not offer.refused] == [
        "chess_v6", "connect_four_v3", "go_v5", "tictactoe_v3"
    ]  # fmt: skip
