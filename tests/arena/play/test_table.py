"""The table: what visitors know and may do, at every moment."""

from __future__ import annotations

from itertools import pairwise

import pytest

from arena.game.transcript import GameStep
from arena.ledger import Step
from arena.play.table import STAGES, PlayTable
from arena.web.visitors import NotNowError, Visitor
from engine.rules import Event
from tests.arena.play.local_table import LocalTable, now


class Hints:
    name = "advisor"

    def __init__(self):
        self.asked = []

    def ask(self, seat, sent, answer):
        self.asked.append((seat, sent, answer))


def stage(visitor):
    [found] = [each for each in now(visitor) if each in STAGES]
    return found


def test_a_game_begins_when_all_are_ready():
    ann, bob = Visitor("Ann"), Visitor("Bob")
    table = LocalTable({"Ann": ann, "Bob": bob}, ["Ann", "bot", "Bob"]).table
    assert now(ann)["lobby"] == {"ready": False, "waiting_for": ["Bob"]}
    assert (now(ann)["table"]["mine"], now(bob)["table"]["mine"]) == ([0], [2])
    table.begin(ann)
    assert not table.wait_for_all(0)
    assert now(bob)["lobby"] == {"ready": False, "waiting_for": []}
    table.begin(bob)
    assert table.wait_for_all(0)
    with pytest.raises(NotNowError):
        table.begin(bob)


def test_each_visitor_sees_its_own_turns_alone():
    ann, bob = Visitor("Ann"), Visitor("Bob")
    local = LocalTable({"Ann": ann, "Bob": bob}, ["Ann", "Bob"])
    local.go_on()
    first = local.game.awaited
    own, other = ((ann, bob), (bob, ann))[first]
    turn = now(own)["turn"]
    assert now(own)["thinking"] == now(other)["thinking"] == {"seat": first}
    assert (stage(own), stage(other)) == ("turn", "live")
    with pytest.raises(NotNowError):
        local.table.choose(other, turn["decision"], 0)
    with pytest.raises(NotNowError):
        local.table.choose(own, turn["decision"], len(turn["choices"]))
    local.table.choose(own, turn["decision"], 0)
    with pytest.raises(NotNowError):
        local.table.choose(own, turn["decision"], 0)
    shown = {}
    for _ in range(40):
        local.go_on()
        visitor = (ann, bob)[local.game.awaited]
        turn = now(visitor)["turn"]
        assert turn["seat"] == turn["own"]["seat"] == local.game.awaited
        assert turn["since"] == shown.get(turn["seat"], turn["since"]), "where this seat's last turn ended"
        shown[turn["seat"]] = len(turn["public"]["steps"])
        local.table.choose(visitor, turn["decision"], 0)
    assert all(shown.values())


def test_who_waits_is_shown_at_once_what_happens() -> None:
    """To the page of one who waits: each public event, with the own cards and nothing of the others'."""
    ann, bob = Visitor("Ann"), Visitor("Bob")
    local = LocalTable({"Ann": ann, "Bob": bob}, ["Ann", "bot", "Bob"])
    steps = []
    for _ in range(60):
        local.go_on()
        waits = {0: bob, 2: ann}[local.game.awaited]
        live = now(waits)["live"]
        steps.append(len(live["public"]["steps"]))
        assert live["seat"] == live["own"]["seat"] == local.seats.index(waits.name)
        assert now(waits)["thinking"] == {"seat": local.game.awaited}
        asked = {0: ann, 2: bob}[local.game.awaited]
        turn = now(asked)["turn"]
        assert turn["public"] == live["public"], "who is asked knows no more of it"
        local.table.choose(asked, turn["decision"], 0)
        assert stage(asked) == "live", "the question does not stand there any more"
    assert steps == sorted(steps)
    assert steps[-1] > steps[0] + 20


def test_what_follows_a_move_without_a_choice_is_shown_after_its_pause() -> None:
    ann, bob = Visitor("Ann"), Visitor("Bob")
    local = LocalTable({"Ann": ann, "Bob": bob}, ["Ann", "bot", "Bob"])
    local.go_on()
    data = local.table._page_data
    assert data is not None
    shown = data.of(0).steps
    step = data.steps[-1] if data.steps else None
    events = [
        Event(None, {"event": "turn", "seat": 1}),
        Event(2, {"event": "x"}),
        Event(None, {"event": "turn", "seat": 2}),
    ]
    before = data._events
    made = GameStep(Step("play", 0, "bot", 0, {"do": "draw", "count": 1}), [], events, local.game._state)
    assert step is None or step.state is made.state
    local.table.on_step(local.spec, made)
    assert data.of(0).steps == shown
    numbers = [each.number for each in ann.bulletin.newer_than(0)]
    local.table.on_thinking(local.spec, 1, before + 1)
    assert data.of(0).steps == shown + 1
    local.table.on_thinking(local.spec, 1, before + 2)
    live = now(ann)["live"]
    assert len(live["public"]["steps"]) == shown + 1, "what only Bob may read is nothing new to Ann"
    local.table.on_thinking(local.spec, 2)
    assert len(now(ann)["live"]["public"]["steps"]) == shown + 2
    assert numbers != [each.number for each in ann.bulletin.newer_than(0)]


def test_two_at_one_page_have_a_curtain_between_their_turns():
    both = Visitor("Ann and Bob")
    hints = Hints()
    local = LocalTable({"Ann": both, "Bob": both}, ["Ann", "bot", "Bob"], hints=hints)
    curtains = []
    for _ in range(40):
        local.go_on()
        seat = local.game.awaited
        if stage(both) == "curtain":
            curtain = now(both)["curtain"]
            assert curtain == {"decision": curtain["decision"], "seat": seat, "name": local.seats[seat]}
            with pytest.raises(NotNowError, match="curtain"):
                local.table.choose(both, curtain["decision"], 0)
            with pytest.raises(NotNowError, match="curtain"):
                local.table.hint(both, curtain["decision"])
            curtains.append(seat)
            local.table.show(both, curtain["decision"])
        turn = now(both)["turn"]
        assert turn["seat"] == curtains[-1], "the same person goes on without one"
        local.table.hint(both, turn["decision"])
        assert hints.asked[-1][0] == turn["seat"]
        assert {each["game_id"] for each in hints.asked[-1][1]} == {local.game.game_id}
        assert [each["seat"] for each in hints.asked[-1][1][:1]] == [turn["seat"]], "its own messages alone"
        if len(curtains) == 3:
            hints.asked[-1][2](1, "")
            assert now(both)["hint"]["index"] == 1
        local.table.choose(both, turn["decision"], 0)
        assert "hint" not in now(both)
    assert len(set(curtains)) == 2
    assert all(one != other for one, other in pairwise(curtains))


def test_what_the_referee_repeats_changes_nothing_and_a_late_turn_is_over():
    ann = Visitor("Ann")
    local = LocalTable({"Ann": ann}, ["Ann", "bot"])
    local.go_on()
    before = now(ann)["turn"]
    message = local.table._seats["Ann"].sent[-1]
    local.table.hear("Ann", message)
    assert now(ann)["turn"] == before
    local.table.hear("Ann", {"type": "fault", "code": "late", "text": "no answer", "strikes_left": 2, "turn": 1})
    assert now(ann)["fault"]["strikes_left"] == 2
    with pytest.raises(NotNowError):
        local.table.choose(ann, before["decision"], 0)


@pytest.mark.slow
def test_the_end_is_shown_and_again_begins_the_next_game():
    ann = Visitor("Ann")
    local = LocalTable({"Ann": ann}, ["bot", "Ann"])
    table = local.table
    with pytest.raises(NotNowError):
        table.want_rematch(ann)
    table.begin(ann)
    while local.game.awaited is not None:
        local.go_on()
        if local.game.awaited is not None:
            turn = now(ann)["turn"]
            ways = [each["action"].get("to") for each in turn["choices"]]
            ends = [way if type(way) is int else -1 for way in ways]
            table.choose(ann, turn["decision"], ends.index(max(ends)))
    record = local.game.record()
    table.over(record, {"id": record.id, "replay": None})
    table.mistakes(record, 1, {"done": True, "moves": []})
    assert stage(ann) == "over"
    assert "thinking" not in now(ann)
    over = now(ann)["over"]
    assert (over["public"]["ranks"], over["seat"]) == (record.ranks, 1)
    assert now(ann)["mistakes"]["seat"] == 1
    table.over_again(record, {"id": record.id, "replay": "/replay/x"})
    assert now(ann)["over"]["replay"] == "/replay/x"
    table.want_rematch(ann)
    assert table.wait_for_all(0)
    table.over_again(record, {"id": record.id, "replay": "/replay/late"})
    assert now(ann)["over"]["replay"] == "/replay/x", "the next game begins"
    local.begin()
    assert set(now(ann)) == {"table", "lobby"}
    assert now(ann)["table"]["number"] == 2
    assert now(ann)["lobby"] == {"ready": True, "waiting_for": []}


def test_without_what_helps_to_choose_the_game_goes_on(monkeypatch, caplog):
    def fail(*_):
        raise KeyError("Ann's card")

    ann = Visitor("Ann")
    local = LocalTable({"Ann": ann}, ["Ann", "bot"])
    rules = type(local.table._settings.rules)
    for name in ("hand", "question", "barred"):
        monkeypatch.setattr(rules, name, fail)
    local.go_on()
    turn = now(ann)["turn"]
    assert (turn["hand"], turn["question"], turn["barred"]) == ([], None, None)
    local.table.choose(ann, turn["decision"], 0)
    assert local.table.failure is None
    assert [each.levelname for each in caplog.records] == ["WARNING"] * 3
    assert "question is left out, because the game's code raised KeyError" in caplog.text
    assert "card" not in caplog.text, "another person may sit at this terminal"


def test_a_turn_that_cannot_be_shown_behind_a_curtain_fails_the_game(monkeypatch):
    def fail(*_):
        raise KeyError("a bug of the game")

    both = Visitor("Ann and Bob")
    local = LocalTable({"Ann": both, "Bob": both}, ["Ann", "Bob"])
    monkeypatch.setattr(PlayTable, "_show_turn", fail)
    local.go_on()
    assert local.table.failure is None
    local.table.show(both, now(both)["curtain"]["decision"])
    assert "a bug of the game" in local.table.failure  # type: ignore[attr-defined]


def test_whoever_waits_is_let_go_when_the_table_is_left():
    ann = Visitor("Ann")
    table = LocalTable({"Ann": ann}, ["bot", "Ann"]).table
    table.leave()
    assert table.is_left
    assert not table.wait_for_all(600)
    table.close("the end")
    assert now(ann)["gone"] == {"text": "the end"}
    assert ann.bulletin.is_closed
