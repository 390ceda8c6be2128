"""The Python client without a process: a script says what the referee sends and what the bot must answer."""

from __future__ import annotations

import copy
import logging
import pickle
import random
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import pytest

from arena import client
from arena.client import Bot, Decision, GameStart, play, run

HELLO = {"type": "hello", "protocol": [1, 0], "name": "scripted"}
WELCOME = {"type": "welcome", "protocol": [1, 0], "limits": {"frame": 65536, "decide": 1048576, "strikes": 3}}
BYE = {"type": "bye"}


class Script:
    """A transport that expects messages and answers each with others."""

    def __init__(self) -> None:
        self._expected: list[tuple[Mapping[str, Any], list[Mapping[str, Any]]]] = []
        self._coming: list[Mapping[str, Any]] = []

    def expect(self, sent: Mapping[str, Any], replies: Sequence[Mapping[str, Any]] = ()) -> None:
        self._expected.append((sent, list(replies)))

    def send(self, message: Mapping[str, Any]) -> None:
        expected, replies = self._expected.pop(0)
        assert message == expected
        self._coming += replies

    def receive(self) -> Mapping[str, Any] | None:
        return self._coming.pop(0) if self._coming else None

    def is_done(self) -> bool:
        return not self._expected and not self._coming


def start(game_id: str = "g", **changes: Any) -> dict[str, Any]:
    message = {"type": "start", "game_id": game_id, "game": "race", "edition": {"name": "short"}, "seat": 1}
    return {**message, "players": 2, "clock": {"move": 50, "bank": 5000}, "bot_seed": 2**64 - 1, **changes}


def decide(turn: int, game_id: str = "g", actions: int = 3, **changes: Any) -> dict[str, Any]:
    message = {"type": "decide", "game_id": game_id, "turn": turn, "events": [{"event": "roll"}], "view": {"left": 9}}
    return {**message, "actions": [{"do": n} for n in range(actions)], "clock": {"move": 50, "bank": 4000}, **changes}


def end(game_id: str = "g") -> dict[str, Any]:
    scores = [{"days": 70}, {"days": 75}]
    return {"type": "end", "game_id": game_id, "ending": "finished", "ranks": [1, 2], "scores": scores}


def act(turn: int, index: int, game_id: str = "g", **changes: Any) -> dict[str, Any]:
    return {"type": "act", "game_id": game_id, "turn": turn, "index": index, **changes}


def test_a_function_is_asked_with_all_that_the_referee_said() -> None:
    asked: list[Decision] = []

    def choose(game: Decision) -> int:
        asked.append(game)
        return 2

    script = Script()
    script.expect(HELLO, [WELCOME, start(), decide(1)])
    script.expect(act(1, 2), [end(), BYE])
    play(choose, HELLO, script)
    assert script.is_done()
    [game] = asked
    assert (game.game_id, game.game, game.edition, game.seat, game.players) == ("g", "race", {"name": "short"}, 1, 2)
    assert (game.turn, game.view, game.events) == (1, {"left": 9}, [{"event": "roll"}])
    assert game.actions == [{"do": 0}, {"do": 1}, {"do": 2}]
    assert game.clock == {"move": 50, "bank": 4000}


def test_a_decision_that_came_packed_is_as_any_other() -> None:
    """What a bot does not read stays packed. It can be printed, copied and sent to another process all the same."""
    asked: list[Decision] = []

    def choose(game: Decision) -> int:
        asked.append(game)
        return 0

    script = Script()
    script.expect(HELLO, [WELCOME, start(), client._decode_asked(msgspec.msgpack.encode(decide(1)))])
    script.expect(act(1, 0), [BYE])
    play(choose, HELLO, script)
    assert script.is_done()
    [game] = asked
    copies = [copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))]
    assert game.view == {"left": 9}
    assert game.view is game.view
    assert game.events == [{"event": "roll"}]
    for each in copies:
        assert type(each) is Decision
        assert repr(each) == repr(game).replace(repr(game.random), repr(each.random))
    with pytest.raises(AttributeError, match="a Decision has no 'veiw'"):
        game.veiw  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize(
    "message",
    [
        {"type": "fault", "game_id": None, "turn": None, "code": "stale", "text": "none", "strikes_left": 3},
        {"type": "news", "view": 1, "actions": "of a later version", "clock": [], "turn": {"a": "map"}},
        {**decide(1), "since": {"version": [1, 7]}},
    ],
)
def test_any_message_can_be_unpacked(message: Mapping[str, Any]) -> None:
    unpacked = client._Connection.unpack(object.__new__(client._Connection), msgspec.msgpack.encode(message))
    for name in ("type", "game_id", "turn", "view", "events", "actions", "clock"):
        if name in message:
            assert unpacked[name] == message[name]


def test_a_class_gets_an_instance_a_game_and_hears_of_everything() -> None:
    heard: list[tuple[int, Any]] = []
    made: list[Counting] = []

    class Counting(Bot):
        def start(self, start: GameStart) -> None:
            made.append(self)
            self.decisions = 0
            heard.append((len(made), (start.game_id, start.clock)))

        def decide(self, game: Decision) -> int:
            self.decisions += 1
            return self.decisions

        def fault(self, fault: Mapping[str, Any]) -> None:
            heard.append((made.index(self) + 1, fault["code"]))

        def end(self, ranks: Sequence[int], scores: Sequence[Mapping[str, float]]) -> None:
            heard.append((made.index(self) + 1, (ranks, scores)))

    fault = {"type": "fault", "game_id": "a", "turn": 1, "code": "illegal", "text": "index 1", "strikes_left": 2}
    script = Script()
    script.expect(HELLO, [WELCOME, start("a"), start("b", clock=None), decide(1, "a")])
    script.expect(act(1, 1, "a"), [fault, decide(1, "b")])
    script.expect(act(1, 1, "b"), [decide(2, "a")])
    script.expect(act(2, 2, "a"), [end("a"), decide(2, "b")])
    script.expect(act(2, 2, "b"), [end("b"), BYE])
    play(Counting, HELLO, script)
    assert script.is_done()
    over = ([1, 2], [{"days": 70}, {"days": 75}])
    clock = {"move": 50, "bank": 5000}
    assert heard == [(1, ("a", clock)), (2, ("b", None)), (1, "illegal"), (1, over), (2, over)]


def drawn(games: Sequence[tuple[str, int]]) -> list[float]:
    """What a bot draws in games of these ids and seeds, one decision each."""
    numbers: list[float] = []

    def choose(game: Decision) -> int:
        numbers.append(game.random.random())
        return 0

    script = Script()
    replies = [message for name, seed in games for message in (start(name, bot_seed=seed), decide(1, name), end(name))]
    script.expect(HELLO, replies)
    for name, _ in games:
        script.expect(act(1, 0, name))
    play(choose, HELLO, script)
    assert script.is_done()
    return numbers


def test_randomness_begins_anew_with_every_game_and_follows_from_its_seed_alone() -> None:
    random.seed(1)
    numbers = drawn([("a", 7), ("b", 7), ("c", 8)])
    assert numbers[0] == numbers[1] == random.Random(7).random()
    assert numbers[2] == random.Random(8).random()


def test_a_game_that_is_restated_begins_anew() -> None:
    script = Script()
    script.expect(HELLO, [WELCOME, start(), decide(1)])
    script.expect(act(1, 0), [WELCOME, start(), decide(1), BYE])
    script.expect(act(1, 0))
    play(lambda game: 0, HELLO, script)
    assert script.is_done()


def answer_of(choose: Any) -> Mapping[str, Any]:
    """What goes out for one decision."""
    sent: list[Mapping[str, Any]] = []

    class Listening(Script):
        def send(self, message: Mapping[str, Any]) -> None:
            sent.append(message)

    script = Listening()
    script._coming += [start(), decide(1)]
    play(choose, HELLO, script)
    return sent[1]


def test_notes_and_metrics_go_with_the_answer_within_their_limits() -> None:
    def choose(game: Decision) -> int:
        game.note("ü" * 600)
        for number in range(40):
            game.metric(f"m{number}", number)
        game.metric("m0", 1.5)
        return 1

    answer = answer_of(choose)
    assert answer["note"] == "ü" * 500
    assert answer["metrics"] == {"m0": 1.5} | {f"m{number}": float(number) for number in range(1, 32)}


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_metric_that_the_referee_would_refuse_is_an_error_at_once(value: float) -> None:
    def choose(game: Decision) -> int:
        game.metric("days", value)
        return 0

    with pytest.raises(ValueError, match="metric 'days' must be a finite number"):
        answer_of(choose)


class LikeNumPy:
    def __index__(self) -> int:
        return 2


@pytest.mark.parametrize(("chosen", "index"), [(LikeNumPy(), 2), (True, 1), (-5, -5)])
def test_whatever_counts_as_an_index_is_sent_as_a_plain_number(chosen: Any, index: int) -> None:
    sent = answer_of(lambda game: chosen)["index"]
    assert type(sent) is int
    assert sent == index


@pytest.mark.parametrize("chosen", [None, 1.0, "1"])
def test_anything_else_ends_the_bot_with_words(chosen: object) -> None:
    with pytest.raises(TypeError, match="decide must return the index of an action, not"):
        answer_of(lambda game: chosen)


def test_a_bot_without_decide_says_so() -> None:
    class Idle(Bot):
        pass

    with pytest.raises(TypeError, match="Idle has no decide"):
        answer_of(Idle)


def test_what_a_later_minor_version_adds_is_ignored() -> None:
    script = Script()
    news = {"type": "weather", "of": "tomorrow"}
    script.expect(HELLO, [{**WELCOME, "extra": 1}, news, start(mood="good"), decide(1, extra=[1]), end("unknown")])
    script.expect(act(1, 0), [{**BYE, "why": "late"}])
    play(lambda game: 0, HELLO, script)
    assert script.is_done()


def test_a_fault_is_logged_also_when_it_belongs_to_no_game(caplog: pytest.LogCaptureFixture) -> None:
    fault = {"type": "fault", "game_id": None, "turn": None, "code": "malformed", "text": "huh", "strikes_left": None}
    script = Script()
    script.expect(HELLO, [fault, BYE])
    with caplog.at_level(logging.WARNING, logger="arena.client"):
        play(lambda game: 0, HELLO, script)
    assert "malformed: huh" in caplog.text


def test_a_referee_that_is_gone_ends_the_loop() -> None:
    script = Script()
    script.expect(HELLO, [WELCOME])
    play(lambda game: 0, HELLO, script)
    assert script.is_done()


def test_an_object_for_a_class_is_an_error_before_anything_else() -> None:
    class Counting(Bot):
        def decide(self, game: Decision) -> int:
            return 0

    with pytest.raises(TypeError, match="run takes the class Counting itself"):
        run(Counting())  # type: ignore[arg-type]
