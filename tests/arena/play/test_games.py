"""Games at a table that fail: a real referee, persons alone, and a ledger that only notes."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from arena.client import Socket
from arena.game.clock import TimeControl
from arena.game.game import LEFT
from arena.game.spec import GameSpec
from arena.play.run import LostPersonError, play_games
from arena.play.table import STAGES, PlayTable, TableSettings
from arena.web import WebError
from arena.web.visitors import Visitor
from engine import catalog
from tests.arena.play.local_table import now


class Played:
    """Ann and Bob play; `look` is called once one of them is asked or the game is void."""

    def __init__(self, look):
        rules = catalog.rules("ravensburger")
        settings = TableSettings(rules, rules.edition(rules.editions()[0]))
        self.visitors = [Visitor("Ann"), Visitor("Bob")]
        self.table = PlayTable(settings, {each.name: each for each in self.visitors})
        self.voids = []
        self._look = look
        spec = GameSpec("p2-b0000-r0", 0, 2, 0, 0, bytes(16).hex(), ["Ann", "Bob"])
        recorded = SimpleNamespace(
            built={},
            next_game=lambda _: spec,
            begin=lambda _: None,
            keep=lambda _: None,
            record_void=lambda _, error: self.voids.append(error),
        )
        play_games(self.table, settings, recorded, TimeControl(), None, self._looked, pytest.fail)  # type: ignore[arg-type]

    def stages(self):
        return [each for visitor in self.visitors for each in now(visitor) if each in STAGES]

    def _looked(self):
        if "void" in self.stages():
            self.table.leave()
        for visitor in self.visitors:
            if now(visitor).get("lobby", {}).get("ready") is False:
                self.table.begin(visitor)
        self._look(self)


@pytest.mark.slow
def test_a_turn_that_cannot_be_shown_makes_the_game_void_and_the_table_can_be_left(monkeypatch):
    def fail(*_):
        raise KeyError("a bug of the game")

    monkeypatch.setattr(PlayTable, "_show_turn", fail)
    played = Played(lambda _: None)
    [error] = played.voids
    assert error.startswith("Traceback")
    assert [now(each)["void"] for each in played.visitors] == [{"text": "KeyError: 'a bug of the game'"}] * 2


@pytest.mark.slow
def test_a_person_who_cannot_be_asked_any_more_ends_the_games(monkeypatch):
    receive = Socket.receive

    def fail(self):
        message = receive(self)
        if message is not None and message["type"] == "decide":
            raise MemoryError("no room")
        return message

    monkeypatch.setattr(Socket, "receive", fail)
    with pytest.raises(LostPersonError, match=r"cannot ask (Ann|Bob) any more: MemoryError: no room"):
        Played(lambda _: None)


@pytest.mark.slow
def test_what_a_look_raises_ends_a_game_in_which_nobody_moves():
    voids = []

    def look(played):
        voids[:] = [played.voids]
        if "turn" in played.stages():
            raise WebError("the server has ended")

    with pytest.raises(WebError, match="the server has ended"):
        Played(look)
    assert voids == [[LEFT]]
