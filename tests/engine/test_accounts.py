"""What our games say of the moves of a turn in one sentence."""

from __future__ import annotations

from typing import Any

from engine import catalog
from engine.picture import Explained


def account(name: str, *events: dict[str, Any]) -> str:
    rules = catalog.rules(name)
    assert isinstance(rules, Explained)
    return rules.account(events)


def play(seat: int, card: str, begin: int, to: int) -> list[dict[str, Any]]:
    return [
        {"event": "play", "seat": seat, "card": card, "to": to},
        {"event": "move", "seat": seat, "from": begin, "to": to, "by": "card"},
    ]


def test_the_way_of_a_pawn_is_told_from_its_first_to_its_last_square() -> None:
    way = [*play(0, "train-4", 29, 33), *play(0, "purse", 33, 36), *play(0, "train-4", 36, 40)]
    assert account("ravensburger", *way) == "seat 0 goes from square 29 to square 40 by train 4, purse and train 4"
    more = [*way, *play(0, "steamer-3", 40, 43), *play(0, "steamer-2", 43, 45)]
    leap = {"event": "move", "seat": 0, "from": 45, "to": 50, "by": "leap"}
    counted = "seat 0 goes from square 29 to square 50 by 5 cards and the great leap"
    assert account("ravensburger", *more, {"event": "leap", "seat": 0, "taken": True}, leap) == counted


def test_who_is_sent_back_by_whom_is_told_and_that_handcuffs_did_nothing() -> None:
    thrown = {"event": "play", "seat": 0, "card": "handcuffs", "victim": 1}
    back = {"event": "move", "seat": 1, "from": 50, "to": 47, "by": "handcuffs"}
    own = play(0, "train-4", 29, 33)
    sent = "seat 0 goes from square 29 to square 33 by train 4; sends seat 1 back from square 50 to square 47"
    assert account("ravensburger", *own, thrown, back) == f"{sent} with handcuffs"
    assert account("ravensburger", thrown) == "seat 0 plays handcuffs on seat 1, which stays where it is"
    purse = {"event": "purse", "seat": 1}
    assert account("ravensburger", thrown, purse) == "seat 0 plays handcuffs on seat 1, which plays a purse and stays"
    order = {"event": "order", "seat": 0, "card": "others_back_3", "kept": False}
    others = {"event": "move", "seat": 2, "from": 9, "to": 6, "by": "order"}
    assert account("ravensburger", order, others) == "seat 2 goes back from square 9 to square 6 by an event card"


def test_all_legs_of_a_journey_are_told_with_their_days() -> None:
    suez = {"event": "arrive", "seat": 0, "city": "Suez", "progress": 3, "days": 1}
    bombay = {"event": "arrive", "seat": 0, "city": "Bombay", "progress": 4, "days": 9}
    roll = {"event": "roll", "seat": 0, "roll": 4}
    whole = "seat 0 travels to Suez in 1 day, then to Bombay in 9 days with a roll of 4"
    assert account("kosmos", suez, roll, bombay) == whole
    lost = {"event": "lose", "seat": 1, "days": 2, "why": "storm"}
    parts = account("kosmos", suez, lost, {**bombay, "seat": 1}).split("; ")
    assert [parts[0], parts[-1]] == ["seat 0 travels to Suez in 1 day", "travels to Bombay in 9 days"]


def test_handcuffs_that_do_nothing_are_remarked_on() -> None:
    """R-35: else a reader looks for the three squares back."""
    rules = catalog.rules("ravensburger")
    assert isinstance(rules, Explained)
    scene = {"seats": [{"square": 9}, {"square": 0}]}
    thrown = {"event": "play", "seat": 0, "card": "handcuffs", "victim": 1}
    assert rules.remark(scene, thrown) == "whose pawn is still on the start and stays there"
    assert rules.remark(scene, {**thrown, "seat": 1, "victim": 0}) == ""
    assert rules.remark(scene, play(0, "train-4", 9, 13)[0]) == ""
