"""One game by script: what an answer does, what a fault costs, and how games end."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

import arena
from arena.game.bot_messages import bot_seed
from arena.game.clock import SeatClock, TimeControl
from arena.game.game import Game, final_ranks
from arena.game.replay import inconsistencies, verify
from arena.game.spec import GameSpec
from arena.game.transcript import GameStep
from arena.protocol.messages import Act, Clock, FromReferee
from engine import catalog
from engine.chance import Chance, derive
from engine.rules import Capabilities, Data, Score
from tests.arena.game.conftest import STANDARD, TIME, Race, RaceState


def test_a_game_to_its_end(scripted):
    game = scripted(2)
    while not game.game.over:
        assert game.answer(1) is None
    record = game.game.record()
    assert record.ending == "finished"
    assert [step.by for step in record.steps] == ["bot"] * 5
    assert sorted(record.ranks) == [1, 2]
    assert record.scores[0]["at"] == 6
    assert [len(times) for times in record.times] == [3, 2]
    assert verify(record, game.rules, {"name": "standard"}) == []


def test_another_version_is_reported_only_where_it_may_explain_a_difference(scripted, monkeypatch):
    monkeypatch.setattr(catalog, "version", {"race": "1.0"}.get)
    game = scripted(2)
    while not game.game.over:
        game.answer(1)
    record = game.game.record()
    assert record.engine == f"race 1.0, arena {arena.__version__}"
    monkeypatch.setattr(catalog, "version", {"race": "1.1"}.get)
    assert verify(record, game.rules, {"name": "standard"}) == []
    changed = msgspec.structs.replace(record, ranks=record.ranks[::-1])
    assert verify(changed, game.rules, {"name": "standard"})[1:] == [
        f"played by race 1.0, arena {arena.__version__}, this is race 1.1, arena {arena.__version__}"
    ]


def test_a_seat_reads_its_own_events_and_those_of_all(scripted):
    game = scripted(2)
    assert game.ask().events == []
    game.game.answer(0, Act("g1", 1, 0), 0.0)
    events = game.ask().events
    assert [event["event"] for event in events] == ["stepped"]
    game.game.answer(1, Act("g1", 1, 0), 0.0)
    events = game.ask().events
    assert [(event["event"], event["seat"]) for event in events] == [("stepped", 0), ("felt", 0), ("stepped", 1)]


def test_turns_count_a_seats_own_decisions(scripted):
    game = scripted(3)
    turns = []
    for _ in range(6):
        message = game.ask()
        turns.append(message.turn)
        game.game.answer(game.game.awaited, Act("g1", message.turn, 0), 0.0)
    assert turns == [1, 1, 1, 2, 2, 2]


@pytest.mark.parametrize("policy", ["loss", "void"])
@pytest.mark.parametrize("players", [2, 3])
def test_where_a_crash_loses_the_first_late_answer_retires_the_seat(scripted, policy, players):
    time = TimeControl(on_crash=policy)
    game = scripted(players, time=time)
    game.ask()
    fault = game.game.late(9.0, "")
    assert (fault.code, fault.strikes_left) == ("late", 0)
    assert game.game.is_retired(0)
    while not game.game.over:  # the others play on: their game is not spoilt
        game.answer(1)
    record = game.game.record()
    assert (record.retired, record.ranks[0]) == ([0], players)
    assert record.ending == ("walkover" if players == 2 else "finished")
    assert verify(record, game.rules, {"name": "standard"}) == []
    assert inconsistencies(record, time) == []
    [without] = inconsistencies(record, TimeControl())
    assert without == "seat 0: it retired after 1 strikes of 3 and 0 faults that retire a seat"
    game = scripted(players, time=time)
    assert game.answer(99).strikes_left == 2, "what is illegal is no crash"


@pytest.mark.parametrize("index", [-1, 2, 2**63 - 1, -(2**63)])
def test_an_illegal_index_is_a_strike_a_penalty_and_the_substitutes_move(scripted, index):
    game = scripted(2)
    fault = game.answer(index)
    assert (fault.code, fault.turn, fault.strikes_left) == ("illegal", 1, 2)
    record = game.game.record()
    assert [(step.kind, step.seat, step.by) for step in record.steps] == [
        ("penalty", 0, "referee"),
        ("play", 0, "substitute"),
    ]
    assert record.steps[1].index == 0
    assert game.game.awaited == 1


def test_an_illegal_answer_is_kept_with_the_bots_last_words_and_no_other_is_asked_for_them(scripted):
    game = scripted(2)
    for index, turn in ((0, 1), (9, 1)):
        seat = game.game.awaited
        message = game.ask()
        game.game.answer(seat, Act("g1", message.turn, index), 0.0, lambda index=index: f"said at {index}")
        assert message.turn == turn
    assert [(fault.code, fault.stderr) for fault in game.game.record().faults] == [("illegal", "said at 9")]


def test_malformed_and_late_cost_the_same(scripted):
    game = scripted(2)
    game.ask()
    assert game.game.fault(0, "malformed", "no map").strikes_left == 2
    game.ask()
    fault = game.game.late(4.0, "last words")
    assert (fault.code, fault.strikes_left) == ("late", 2)
    record = game.game.record()
    assert [step.by for step in record.steps] == ["referee", "substitute", "referee", "substitute"]
    assert record.faults[1].stderr == "last words"


def test_malformed_while_another_is_asked_moves_nobody(scripted):
    game = scripted(3)
    game.ask()
    assert game.game.fault(2, "malformed", "no map").strikes_left == 2
    assert game.game.awaited == 0
    assert [step.kind for step in game.game.record().steps] == ["penalty"]


def test_stale_answers_are_dropped_and_free(scripted):
    game = scripted(2)
    game.ask()
    assert game.game.answer(0, Act("g1", 7, 0), 0.0).code == "stale"
    assert game.game.answer(1, Act("g1", 1, 0), 0.0).code == "stale"
    assert game.game.answer(0, Act("g1", 1, 1), 0.0) is None
    assert game.game.answer(0, Act("g1", 1, 1), 0.0).code == "stale"
    record = game.game.record()
    assert [step.kind for step in record.steps] == ["play"]
    assert [fault.code for fault in record.faults] == ["stale"] * 3


def test_out_of_strikes_the_seat_retires_and_the_substitute_plays_on(scripted):
    game = scripted(3)
    while not game.game.is_retired(0):
        if game.game.awaited == 0:
            game.answer(9)
        else:
            game.answer(0)
    while not game.game.over:
        assert game.game.awaited != 0
        game.answer(0)
    record = game.game.record()
    assert record.ending == "finished"
    assert record.retired == [0]
    assert record.ranks[0] == 3
    kinds = [(step.kind, step.by) for step in record.steps if step.seat == 0]
    assert kinds.count(("retire", "referee")) == 1
    assert kinds[-1] == ("play", "substitute")
    assert verify(record, game.rules, {"name": "standard"}) == []


@pytest.mark.parametrize("code", ["crash", "mute", "flood", "oversize", "impostor"])
def test_what_cannot_be_mended_retires_at_once(scripted, code):
    game = scripted(3)
    game.ask()
    game.game.fault(0, code, "gone")
    assert game.game.awaited == 1
    assert game.game.record().retired == [0]


def test_with_one_seat_left_the_game_is_a_walkover(scripted):
    game = scripted(3)
    game.ask()
    game.game.fault(1, "crash", "gone")
    assert not game.game.over
    game.game.fault(0, "crash", "gone")
    assert game.game.over
    record = game.game.record()
    assert record.ending == "walkover"
    assert record.retired == [1, 0]
    assert record.ranks == [2, 3, 1]
    assert verify(record, game.rules, {"name": "standard"}) == []


def test_what_is_played_for_a_score_goes_on_with_one_seat_left_and_with_none(scripted):
    for left in (1, 0):
        game = scripted(3)
        game.rules.capabilities = Capabilities(score=Score("at"))
        for seat in (0, 1, 2)[: 3 - left]:
            game.game.fault(seat, "crash", "gone")
        assert game.game.over == (not left)
        while not game.game.over:
            assert game.game.awaited == 2
            game.answer(1)
        record = game.game.record()
        assert record.ending == "finished"
        assert max(score["at"] for score in record.scores) >= 5, "a score before the end says nothing"
        assert record.ranks == [3, 2, 1]
        assert verify(record, game.rules, {"name": "standard"}) == []
        assert verify(record, scripted(3).rules, {"name": "standard"}), "by rank it would have been a walkover"


def test_retired_seats_rank_behind_all_others_earlier_ones_last():
    assert final_ranks([1, 2, 3, 4], []) == [1, 2, 3, 4]
    assert final_ranks([1, 2, 3, 3], [0]) == [4, 1, 2, 2]
    assert final_ranks([1, 1, 1, 1], [2, 0]) == [3, 1, 4, 1]
    assert final_ranks([1, 2], [0, 1]) == [2, 1]


def test_the_bank_pays_what_exceeds_the_move():
    clock = SeatClock(TimeControl(move=1.0, bank=3.0))
    clock.charge(0.9)
    assert clock.shown == Clock(1000, 3000)
    clock.charge(2.5)
    assert clock.shown == Clock(1000, 1500)
    assert clock.allowed == pytest.approx(2.5)
    clock.charge(99.0)
    assert clock.shown == Clock(1000, 0)
    assert clock.allowed == 1.0


def test_bots_see_their_bank(scripted):
    game = scripted(2)
    assert game.ask().clock == Clock(1000, 3000)
    game.game.answer(0, Act("g1", 1, 0), 2.0)
    game.answer(0)
    assert game.ask().clock == Clock(1000, 2000)


def test_an_error_of_the_rules_voids_the_game(scripted):
    game = scripted(2)
    game.game.void("Traceback: a hole")
    record = game.game.record()
    assert record.ending == "void"
    assert record.error == "Traceback: a hole"
    assert record.ranks == []


def test_bot_seeds_differ_by_seat_and_game_and_are_none_of_the_games_seeds():
    one, other = derive(b"t", "game", 1), derive(b"t", "game", 2)
    seeds = {bot_seed(seed, seat) for seed in (one, other) for seat in range(6)}
    assert len(seeds) == 12
    assert int.from_bytes(derive(one, "chance")[:8]) not in seeds


def test_the_digest_depends_on_who_chose_what(scripted):
    def digest(first: int, by_bot: bool) -> str:
        game = scripted(2)
        if by_bot:
            game.answer(first)
        else:
            game.ask()
            game.game.late(9.0, "")
        return game.game.record().digest

    assert digest(0, True) == digest(0, True)
    assert len({digest(0, True), digest(1, True), digest(0, False)}) == 3


def test_connections_of_unknown_senders_are_counted_once_a_game_and_charged_to_nobody(scripted):
    game = scripted(2)
    game.game.count_unknown_sender()
    game.game.count_unknown_sender()
    [fault] = game.game.record().faults
    assert (fault.seat, fault.code) == (None, "impostor")
    assert "2 connections" in fault.text


@pytest.mark.slow
def test_what_a_bot_gets_is_built_in_one_file():
    """What a bot may see leaves the state there, so that a reader who looks for a leak has one place to look at."""
    package = Path(arena.__file__).parent
    built = {
        (node.func.id, file.relative_to(package).as_posix())
        for file in sorted(package.rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    messages = {message.__name__ for message in get_args(FromReferee)} - {"Bye"}
    assert len(messages) == 5
    assert {(name, file) for name, file in built if name in messages} == {
        *((name, "game/bot_messages.py") for name in messages),
        ("Fault", "check/answering.py"),  # made up to try a bot
    }


class PairsState(RaceState):
    """A race of teams of two: the sums of their steps count."""

    def ranks(self) -> list[int]:
        sums = [self.at[0] + self.at[2], self.at[1] + self.at[3]] * 2
        return [1 + sum(other > own for other in sums) for own in sums]


class Pairs(Race):
    capabilities = Capabilities(teams={4: [[0, 2], [1, 3]]})

    def start(self, players: int, edition: Data, chance: Chance) -> PairsState:
        return PairsState(players, chance)


def test_a_team_ranks_behind_only_when_all_its_seats_have_retired():
    teams = [[0, 2], [1, 3]]
    assert final_ranks([1, 2, 1, 2], [], teams) == [1, 3, 1, 3]
    assert final_ranks([1, 2, 1, 2], [0], teams) == [1, 3, 1, 3], "its partner plays on"
    assert final_ranks([1, 2, 1, 2], [0, 3, 2], teams) == [3, 1, 3, 1]
    assert final_ranks([1, 1, 1, 1], [1], teams) == [1, 1, 1, 1]
    three = [[0, 1], [2, 3], [4, 5]]
    assert final_ranks([1, 1, 3, 3, 5, 5], [0, 2, 3, 1], three) == [3, 3, 5, 5, 1, 1], "who is out first is last"


def test_a_game_of_teams_is_a_walkover_when_one_team_is_left():
    pairs: Any = Pairs()
    spec = GameSpec("g1", 0, 4, 0, 0, "00" * 16, ["a", "b", "a", "b"])
    game = Game(pairs, STANDARD, spec, TIME)
    game.fault(0, "crash", "gone")
    game.fault(1, "crash", "gone")
    assert not game.over, "both teams have a seat that plays"
    game.fault(2, "crash", "gone")
    assert game.over
    record = game.record()
    assert (record.ending, record.ranks, record.retired) == ("walkover", [3, 1, 3, 1], [0, 1, 2])
    assert verify(record, pairs, STANDARD) == []
    assert verify(msgspec.structs.replace(record, ranks=[1, 3, 1, 3]), pairs, STANDARD) == [
        "recorded ranks are [1, 3, 1, 3], played again [3, 1, 3, 1]"
    ]


def test_a_game_goes_on_behind_what_was_answered_before() -> None:
    rules = catalog.rules("kosmos")
    edition = rules.edition("standard")
    spec = GameSpec("p2-b0000-r0", 0, 2, 0, 0, bytes(16).hex(), ["one", "two"])
    kept: list[tuple[int, int]] = []

    def keep(_: GameSpec, game_step: GameStep) -> None:
        assert game_step.step.index is not None
        assert game_step.microseconds is not None
        kept.append((game_step.step.index, game_step.microseconds))

    def play(game: Game, most: int) -> None:
        while (seat := game.awaited) is not None and most:
            decide = game.decide()
            game.answer(seat, Act("", decide.turn, len(decide.actions) - 1), 0.25)
            most -= 1

    game = Game(rules, edition, spec, TIME, on_step=keep)
    play(game, 17)
    again = Game(rules, edition, msgspec.structs.replace(spec, answers=tuple(kept)), TIME)
    assert again.take_unasked() == [], "what had to be waited for was, before"
    assert again.awaited is not None
    seat = again.awaited
    other = again.decide()
    one = game.decide()
    assert (other.turn, other.view, other.clock) == (one.turn, one.view, one.clock)
    assert len(other.events) >= len(one.events), "a new process is told all since the beginning"
    for each in (game, again):
        each.answer(seat, Act("", one.turn, 0), 0.25)
        play(each, 10**6)
    assert again.record() == game.record()
