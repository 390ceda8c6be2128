"""The wrapper of language models: what it asks, what it makes of all that comes back, and what that costs."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from arena import shipped
from arena.client import Decision, GameStart
from arena.starters import WRAPPERS, make, readme, wrappers
from engine import catalog
from engine.chance import Seeded
from tests.isolation_demand import need
from tests.model_server import Model, ModelServer, Reply, completion, offered
from tests.shell import Shell

KEY = "hush-4711-do-not-tell"
PROGRAM = shipped.find(WRAPPERS) / "openai" / "bot.py"
DEFAULTS = {
    **{"model": "oracle", "key": "KEY", "temperature": None, "parsing": "lenient", "retries": 2, "log": "answers"},
    **{"on_unreadable": "illegal", "timeout": 30.0, "patience": 60.0, "answer_tokens": 0, "game_requests": 0},
    **{"game_tokens": 0, "requests": 0, "tokens": 0},
}
Serve = Callable[[Model], ModelServer]


@pytest.fixture
def serve() -> Iterator[Serve]:
    running = []

    def begin(model: Model) -> ModelServer:
        running.append(ModelServer(model).running())
        return running[-1].__enter__()

    yield begin
    for each in running:
        each.__exit__(None, None, None)


def script(*replies: str | Reply) -> Model:
    """A model that says one after the other, and the last one ever after."""
    left = list(replies)
    return lambda _: left.pop(0) if len(left) > 1 else left[0]


class Seat:
    """A bot in process, at the first decision of a game."""

    def __init__(self, server: ModelServer, game: str = "kosmos", **options: Any) -> None:
        spec = importlib.util.spec_from_file_location("openai_wrapper", PROGRAM)
        assert spec is not None
        assert spec.loader is not None
        module: Any = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module  # where dataclasses look
        spec.loader.exec_module(module)
        self.module = module
        self.module.OPTIONS = SimpleNamespace(**{**DEFAULTS, "url": server.url, **options})
        self.module.SERVER = self.module.Server(KEY)
        self.module.FIRST_WAIT = 0.001
        rules = catalog.rules(game)
        self.edition = rules.edition(rules.editions()[0])
        self.state = rules.start(2, self.edition, Seeded(b"sixteen bytes at"))
        self.words = [rules.words(action) for action in self.state.actions()]
        self.bot = self.module.ModelBot()
        self.bot.start(GameStart("g", game, self.edition, self.state.to_act or 0, 2, None, 7))

    def decide(self, clock: dict[str, int] | None = None) -> Decision:
        """Return the decision, with the record of it; `index` is what the bot answers."""
        seat, actions = self.state.to_act or 0, self.state.actions()
        asked = Decision(
            *("g", "kosmos", self.edition, seat, 2, 1, self.state.view(seat), actions, [], clock, Random(1))
        )
        self.index = self.bot.decide(asked)
        return asked

    @property
    def is_illegal(self) -> bool:
        return self.index not in range(len(self.words))


# What is asked


def test_a_model_is_asked_with_rules_and_question_and_its_thoughts_become_the_note(serve: Serve) -> None:
    server = serve(script("The ship is worth it.\nANSWER: 1"))
    seat = Seat(server, temperature=0.5, answer_tokens=900)
    asked = seat.decide()
    assert seat.index == 1
    [body], [headers] = server.asked, server.headers
    assert (body["model"], body["temperature"], body["max_tokens"]) == ("oracle", 0.5, 900)
    assert [each["role"] for each in body["messages"]] == ["system", "user"]
    assert body["messages"][0]["content"].startswith("You play kosmos with 2 players.")
    assert offered(body) == seat.words
    assert (headers["Authorization"], headers["path"]) == (f"Bearer {KEY}", "/v1/chat/completions")
    assert asked.record["note"] == "The ship is worth it."
    assert asked.record["metrics"] == {"requests": 1, "tokens_in": 100, "tokens_out": 10, "unreadable": 0}


def test_what_is_not_said_is_left_to_the_server_and_tokens_are_estimated(serve: Serve) -> None:
    server = serve(script(Reply(body=completion("ANSWER: 0", usage=False, reasoning_content="Long thoughts."))))
    asked = Seat(server).decide()
    assert not {"temperature", "max_tokens"} & server.asked[0].keys()
    assert asked.record["note"] == "Long thoughts."
    assert asked.record["metrics"]["tokens_out"] == (len("ANSWER: 0") + len("Long thoughts.")) // 4
    assert asked.record["metrics"]["tokens_in"] > 500


# Answers that cannot be read

UNREADABLE = ("", "I do not know", "ANSWER: 99", "Answer: 0\nAnswer: 1\nEither.", '{"action": 0', "<think>ANSWER: 0")


@pytest.mark.parametrize("policy", ["illegal", "random"])
@pytest.mark.parametrize("answer", UNREADABLE)
def test_an_unreadable_answer_costs_what_was_chosen_after_all_retries(serve: Serve, answer: str, policy: str) -> None:
    server = serve(script(answer))
    seat = Seat(server, retries=1, on_unreadable=policy)
    asked = seat.decide()
    assert len(server.asked) == 2
    assert asked.record["metrics"]["unreadable"] == 2
    assert asked.record["note"].startswith(f"{policy}: ")
    assert seat.is_illegal is (policy == "illegal")
    if policy == "random":
        assert seat.index == Random(1).randrange(len(seat.words))


@pytest.mark.parametrize(("parsing", "requests"), [("strict", 2), ("lenient", 1)])
def test_strictly_or_leniently(serve: Serve, parsing: str, requests: int) -> None:
    server = serve(script('{"action": 1}', "ANSWER: 1"))
    seat = Seat(server, parsing=parsing)
    seat.decide()
    assert (seat.index, len(server.asked)) == (1, requests)


def test_a_model_is_told_why_its_answer_cannot_be_read(serve: Serve) -> None:
    server = serve(script("ANSWER: 99", "ANSWER: 2"))
    seat = Seat(server)
    asked = seat.decide()
    assert seat.index == 2
    *_, own, told = server.asked[1]["messages"]
    assert own == {"role": "assistant", "content": "ANSWER: 99"}
    assert told["content"].startswith(
        "Your answer cannot be read: there is no action 99: they are numbered from 0 to 2."
    )
    assert asked.record["metrics"]["unreadable"] == 1
    assert asked.record["metrics"]["requests"] == 2


# A server that fails

FAILURES = {
    "busy": Reply(429, b'{"error": "slow down"}', {"Retry-After": "0"}),
    "busy until a date": Reply(429, b"", {"Retry-After": "Fri, 01 Jan 2100 00:00:00 GMT"}),
    "broken": Reply(500, b"oops"),
    "overloaded": Reply(503),
    "nonsense": Reply(body=b"\xff\x00<html>"),
    "nothing": Reply(body=b""),
    "half of JSON": Reply(body=completion("ANSWER: 0")[:40]),
    "no choices": Reply(body=b'{"choices": []}'),
    "a list": Reply(body=b"[1]"),
    "no text": Reply(body=completion(["ANSWER: 0"])),
    "deep": Reply(body=b"[" * 100_000),
    "cut": Reply(body=b"{}", headers={"Content-Length": "2000"}),
    "too much": Reply(body=b" " * (5 << 20)),
}


@pytest.mark.parametrize("kind", FAILURES)
def test_what_may_pass_is_asked_again(serve: Serve, kind: str) -> None:
    server = serve(script(FAILURES[kind], "ANSWER: 1"))
    seat = Seat(server)
    asked = seat.decide()
    assert (seat.index, len(server.asked)) == (1, 2)
    assert asked.record["metrics"]["unreadable"] == 0


def test_a_request_that_takes_too_long_is_given_up(serve: Serve) -> None:
    server = serve(script(Reply(body=completion("ANSWER: 0"), held=True), "ANSWER: 1"))
    seat = Seat(server, timeout=0.3)
    seat.decide()
    assert (seat.index, len(server.asked)) == (1, 2)


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (Reply(500, b"oops"), "no answer: HTTP 500: oops, and no time is left to ask again"),
        (Reply(429, b"wait", {"Retry-After": "3600"}), "no answer: HTTP 429: wait, and no time is left to ask again"),
        (Reply(held=True), "no answer: no answer within "),
    ],
)
def test_when_the_time_is_up_no_answer_costs_as_an_unreadable_one_does(serve: Serve, reply: Reply, why: str) -> None:
    seat = Seat(serve(script(reply)))
    asked = seat.decide({"move": 500, "bank": 400})
    assert seat.is_illegal
    assert asked.record["note"].startswith(f"illegal: {why}")


def test_a_server_that_is_not_there_is_no_answer(serve: Serve) -> None:
    seat = Seat(serve(script("")), url="http://127.0.0.1:9/v1", on_unreadable="random")
    asked = seat.decide({"move": 500, "bank": 0})
    assert not seat.is_illegal
    assert asked.record["note"].startswith("random: no answer: http://127.0.0.1:9/v1 cannot be reached")


@pytest.mark.parametrize("status", [400, 401, 404, 302, 307])
def test_what_will_never_be_answered_ends_the_bot_and_the_key_goes_nowhere(serve: Serve, status: int) -> None:
    elsewhere = serve(script("ANSWER: 0"))
    server = serve(script(Reply(status, f"not with {KEY}".encode(), {"Location": f"{elsewhere.url}/chat/completions"})))
    with pytest.raises(SystemExit, match=rf"refuses what it is asked: HTTP {status}: not with \(the key\)"):
        Seat(server).decide()
    assert elsewhere.asked == []
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    "reply", [Reply(500, f"{'x' * 190}{KEY}".encode()), Reply(body=f"no JSON {KEY}".encode()), f"{KEY}\nbut no number"]
)
def test_a_key_that_a_server_repeats_is_neither_logged_nor_noted(
    serve: Serve, reply: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = Seat(serve(script(reply)), log="all", retries=0).decide({"move": 600, "bank": 0})
    said = capsys.readouterr().err + json.dumps(asked.record)
    assert KEY[:6] not in said
    assert '"unanswered"' in said


# What it may cost


@pytest.mark.parametrize(
    ("limit", "why"),
    [
        ({"game_requests": 2}, "the budget of a game is spent, 2 requests"),
        ({"requests": 2}, "the budget is spent, 2 requests"),
        ({"game_tokens": 220}, "the budget of a game is spent, 220 tokens"),
        ({"tokens": 200}, "the budget is spent, 200 tokens"),
    ],
)
def test_when_the_budget_is_spent_nobody_is_asked(serve: Serve, limit: dict[str, Any], why: str) -> None:
    server = serve(script("ANSWER: 1"))
    seat = Seat(server, **limit)
    for _ in range(2):
        seat.decide()
        assert seat.index == 1
    asked = seat.decide()
    assert seat.is_illegal
    assert asked.record["note"] == f"illegal: no answer: {why}"
    assert asked.record["metrics"]["requests"] == 0
    seat.bot.start(GameStart("h", "kosmos", seat.edition, seat.state.to_act or 0, 2, None, 7))
    seat.decide()
    assert seat.is_illegal is ("of a game" not in why), "the next game has a budget of its own"
    assert len(server.asked) == (3 if "of a game" in why else 2)


def test_the_log_has_answers_or_prompts_too_or_nothing(serve: Serve, capsys: pytest.CaptureFixture[str]) -> None:
    for level in ("off", "answers", "all"):
        seat = Seat(serve(script("hm", "ANSWER: 1")), log=level)
        seat.decide()
        lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
        assert [line["answer"] for line in lines] == ([] if level == "off" else ["hm", "ANSWER: 1"])
        assert [line["read"] for line in lines] == ([] if level == "off" else ["it names no action", 1])
        assert all(("prompt" in line) is (level == "all") for line in lines)
        if level == "all":
            assert seat.words[0] in lines[0]["prompt"][0]


def test_a_long_clock_gives_a_long_time(serve: Serve) -> None:
    seconds = Seat(serve(script(""))).module.seconds
    assert seconds(None) == 60.0
    assert seconds({"move": 60_000, "bank": 8000}) == pytest.approx(60.8)
    assert seconds({"move": 50, "bank": 0}) == pytest.approx(0.2)


# As a process


@pytest.mark.process
@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--url ftp://x/v1 --model m", "--url ftp://x/v1: write an address such as https://api.openai.com/v1"),
        ("--url https://x/v1 --model m --key NO_KEY", "there is no NO_KEY here: export it, and give it to this bot: "),
        ("--url http://x.example/v1 --model m --key KEY", "--url http://x.example/v1 is not encrypted, and others"),
    ],
)
def test_what_cannot_work_is_said_at_the_start(words: str, told: str) -> None:
    environment = os.environ | {"KEY": KEY}
    done = subprocess.run(
        [sys.executable, PROGRAM, *words.split()], capture_output=True, text=True, check=False, env=environment
    )
    assert done.returncode == 1
    assert done.stderr.startswith(told)


def test_a_folder_says_how_it_gets_the_network(tmp_path: Path) -> None:
    made = make(wrappers()["openai"], tmp_path / "mine")
    assert {str(path) for path in made} == {".bot.schema.json", "README.md", "bot.py", "bot.toml"}
    text = readme(wrappers()["openai"], "mine")
    assert "arena match . @random_bot --network mine=OPENAI_API_KEY --move 60" in text


def wise(asked: dict[str, Any]) -> str:
    """A model that thinks, and answers as it was asked to."""
    actions = offered(asked)
    return f"I have {len(actions)} actions.\nANSWER: {len(asked['messages'][-1]['content']) % len(actions)}"


class Careless:
    """A model that answers each time in another way that can be read leniently."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, asked: dict[str, Any]) -> str:
        actions = offered(asked)
        self.times += 1
        index = self.times % len(actions)
        words = actions[index] if actions.count(actions[index]) == 1 else str(index)
        ways = (f"{index}", f'```json\n{{"action": {index}}}\n```', f"So be it.\n{words}", f"**Answer: {index}**\nGo!")
        return ways[self.times % len(ways)]


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    shell = Shell(tmp_path)
    yield shell
    shell.close()


def new_bot(shell: Shell, name: str, server: ModelServer, *options: str) -> None:
    """A bot as it is made by `arena new`, which asks this server."""
    shell.run("new", name, "--from", "openai")
    file = shell.folder / name / "bot.toml"
    given = json.dumps(["--url", server.url, "--key", "KEY", *options])[1:-1]
    text = file.read_text("utf-8")
    assert text.count("\n]\n") == 1
    file.write_text(text.replace("\n]\n", f"\n    {given},\n]\n"))


@pytest.mark.process
@pytest.mark.slow
@pytest.mark.parametrize("game", ["kosmos", "ravensburger", "openspiel:hearts", "openspiel:leduc_poker"])
def test_models_play_whole_games_strictly_and_leniently(shell: Shell, serve: Serve, game: str) -> None:
    need("box")
    if game.startswith("openspiel:"):
        pytest.importorskip("pyspiel")
    servers = {"strict": serve(wise), "lenient": serve(Careless())}
    for parsing, server in servers.items():
        new_bot(shell, parsing, server, "--parsing", parsing, "--retries", "0")
    others = ["@random_bot"] * (2 if game == "openspiel:hearts" else 0)
    leave = [word for name in servers for word in ("--network", f"{name}=KEY")]
    asked = ["match", "strict", "lenient", *others, "--game", game, "--move", 60, "--start", 60, "--seed", 3, *leave]
    played = json.loads(shell.run(*asked, "--isolation", "box", "--json", env={"KEY": KEY}).stdout)
    assert (played["ending"], played["faults"]) == ("finished", [])
    assert all(server.asked for server in servers.values())
    assert "--network strict=KEY --network lenient=KEY" in played["again"]


@pytest.mark.process
@pytest.mark.slow
def test_in_a_tournament_each_kind_of_trouble_costs_what_the_page_says(shell: Shell, serve: Serve) -> None:
    need("box")
    server = serve(script("No idea."))
    new_bot(shell, "mine", server, "--retries", "0", "--log", "all")
    plan = shell.folder / "plan.toml"
    plan.write_text(
        'game = "openspiel:leduc_poker"\ngames = 4\nseed = 1\nout = "t"\n'
        "move = 60.0\ntrace = true\njobs = 1\nstart = 60.0\n"
        'network = ["mine=KEY", "drawn=KEY"]\nisolation = "box"\n'
        'bots = ["mine", { name = "drawn", path = "mine", args = ["--on-unreadable", "random"] }]\n'
    )
    done = shell.run("tournament", "--plan", "plan.toml", "--trust-plan", "--json", env={"KEY": KEY})
    rows = {row["bot"]: row for row in json.loads(done.stdout)["overall"]}
    assert rows["mine"]["faults"]["illegal"] > 0
    assert not any(rows["drawn"]["faults"].values())
    assert "gets KEY" in json.dumps(json.loads(done.stdout)["isolation"])
    kept = "".join(file.read_text("utf-8") for file in (shell.folder / "t" / "trace").glob("mine-*.stderr"))
    assert '"read": "it names no action"' in kept
    assert "Your actions:" in kept
    traced = "".join(file.read_text("utf-8") for file in (shell.folder / "t" / "trace").glob("*.jsonl"))
    assert "illegal: it names no action" in traced
    assert "random: it names no action" in traced
    holds = [path for path in shell.folder.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]
    assert holds == []
