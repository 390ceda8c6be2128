"""Hooks: commands that are run while a tournament is played, which never waits for them."""

from __future__ import annotations

import errno
import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import msgspec
import psutil
import pytest
from jsonschema import Draft202012Validator

from arena.ledger import FaultRecord, GameRecord, Ledger
from arena.standings import leaderboard
from arena.tournament.hooks import runner as hook_runner
from arena.tournament.hooks.commands import EVENTS, Hooks
from arena.tournament.hooks.events import AnyHookEvent, GamesSoFar, HookFault, Move, StandingsRow, TournamentFacts
from arena.tournament.observer import RunOutcome
from arena.tournament.plan import PlanError, read_plan

if TYPE_CHECKING:
    from tests.arena.tournament.conftest import Lab

pytestmark = pytest.mark.process

SCHEMA = Draft202012Validator(json.loads((Path(__file__).parents[3] / "docs/schema/hooks.json").read_text("utf-8")))
KEEP = ["sh", "-c", "cat >> got"]
"""A hook that writes down what it gets."""


def python(text: str) -> list[str]:
    return [sys.executable, "-c", text]


def got(folder: Path) -> list[dict[str, Any]]:
    """What `KEEP` got."""
    file = folder / "got"
    events = [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.exists() else []
    for event in events:
        SCHEMA.validate(event)
    return events


def hooks(command: list[str], *events: str, **other: Any) -> Hooks:
    commands: dict[str, Any] = dict.fromkeys(events, command)
    return Hooks(**commands, **other)


def said(lab: Lab) -> list[str]:
    """What was said of hooks."""
    return [text for text in lab.said if text.startswith("hook")]


def without_games(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: value for key, value in event.items() if key != "games"} for event in events]


@pytest.mark.slow
def test_each_round_and_the_end_are_sent_in_order_with_the_standings(lab: Lab) -> None:
    outcome = lab.run(games=60, hooks=hooks(KEEP, "round", "finished"))
    *rounds, end = got(lab.folder)
    assert [event["round"] for event in rounds] == list(range(1, len(rounds) + 1))
    assert len(rounds) > 3
    assert {event["event"] for event in rounds} == {"round"}
    first = [row["bot"] for row in rounds[-1]["standings"] if row["band"][0] == 1]
    says = "too early to say: any of the 4 may be the best" if len(first) == 4 else f"{first[0]}"
    assert rounds[-1]["text"].startswith(f"round {len(rounds)}: {says}")
    assert end["event"] == "finished"
    assert (end["rated"], end["complete"], end["games"]["played"]) == (outcome.counting, True, outcome.played)
    with Ledger.open(outcome.folder) as ledger:
        rows = leaderboard(ledger).overall
    assert rows is not None
    assert [(row.bot, dict(row.values), row.wins) for row in rows] == [
        (row["bot"], row["values"], row["wins"]) for row in end["standings"]
    ]
    assert end["tournament"]["folder"] == str(lab.folder / outcome.folder)
    assert said(lab) == []


@pytest.mark.slow
def test_what_a_round_says_does_not_depend_on_the_workers_or_on_kills(lab: Lab) -> None:
    wanted = hooks(KEEP, "round", "rank_changed")
    lab.run("a b c d", games=50, jobs=1, out="one", hooks=wanted)
    alone = without_games(got(lab.folder))
    (lab.folder / "got").unlink()
    lab.interrupt_after = lab.played.total() + 23
    assert lab.run("a b c d", games=50, jobs=3, out="two", hooks=wanted).interrupted
    lab.interrupt_after = None
    lab.run("a b c d", games=50, jobs=3, out="two", hooks=wanted)
    again = without_games(got(lab.folder))
    assert len(again) > 3
    for event in alone + again:
        event["tournament"].pop("folder")
    # What waited when it was interrupted is never sent: all else is the same.
    assert [event for event in alone if event in again] == again


@pytest.mark.slow
def test_the_order_of_the_bots_is_sent_only_when_it_changes(lab: Lab) -> None:
    lab.run("a b c", games=60, hooks=hooks(KEEP, "round", "rank_changed"))
    order: list[str] = []
    changed = 0
    for event in got(lab.folder):
        new = [row["bot"] for row in event["standings"]]
        if event["event"] == "round":
            before, order = order, new
            continue
        changed += 1
        assert new == order != before
        assert event["leaders"][0] == new[0]
        assert event["leaders_before"][0] == before[0]
        assert all(row["band"][0] == 1 for row in event["standings"] if row["bot"] in event["leaders"])
        assert event["moves"] == [
            {"bot": bot, "before": before.index(bot) + 1, "after": new.index(bot) + 1}
            for bot in new
            if before.index(bot) != new.index(bot)
        ]
    assert changed


@pytest.mark.slow
def test_a_bot_that_keeps_failing_is_sent_once_more_a_round_and_when_it_is_suspended(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    play = lab.game

    def with_faults(spec: Any) -> Any:
        record = play(spec)
        faults = [FaultRecord(seat, 2, "crash", "ended\x1b[2J", "the hand was 7") for seat in record.retired]
        return msgspec.structs.replace(record, faults=[*faults, FaultRecord(None, None, "impostor", "none")])

    monkeypatch.setattr(lab, "game", with_faults)
    lab.retires = {"b"}
    outcome = lab.run("a b c d", games=40, hooks=hooks(KEEP, "fault", "suspended", "round"))
    events = got(lab.folder)
    faults = [event for event in events if event["event"] == "fault"]
    assert sum(event["count"] for event in faults) == sum("b" in game.bots for game in ledger_games(outcome))
    assert len(faults) < 2 * len([event for event in events if event["event"] == "round"])
    assert faults[0]["faults"][0]["code"] == "crash"
    assert faults[0]["text"] == f"b: crash in {faults[0]['faults'][0]['game']} (ended?[2J)"
    assert any(re.match(r"b has committed \d+ faults, the first: crash in ", event["text"]) for event in faults)
    [suspended] = (event for event in events if event["event"] == "suspended")
    assert suspended["bot"] == "b"
    place = {event["event"]: event["standings"] for event in events if event["event"] == "round"}["round"]
    assert [row["bot"] for row in place if row["rank"] is None] == ["b"]
    assert all((row["band"] is None) == row["suspended"] for row in place)
    assert {row["band"][1] <= 3 for row in place if row["band"]} == {True}
    # What a bot wrote may be about a game that it plays at the same time.
    assert "the hand" not in (lab.folder / "got").read_text("utf-8")


def ledger_games(outcome: RunOutcome) -> list[GameRecord]:
    with Ledger.open(outcome.folder) as ledger:
        return list(ledger.games())


@pytest.mark.slow
def test_no_seed_is_sent(lab: Lab) -> None:
    outcome = lab.run(games=40, seed=None, hooks=hooks(KEEP, "round", "rank_changed", "finished"))
    with Ledger.open(outcome.folder) as ledger:
        seeds = {ledger.settings.seed, ledger.settings.seed_hash, *(game.seed for game in ledger.games())}
    assert len(got(lab.folder)) > 3
    assert not [seed for seed in seeds if seed in (lab.folder / "got").read_text("utf-8")]


@pytest.mark.slow
def test_nothing_is_sent_when_nothing_was_played(lab: Lab) -> None:
    lab.run(games=20)
    lab.run(games=20, hooks=hooks(KEEP, "round", "finished"))
    assert got(lab.folder) == []


@pytest.mark.slow
def test_play_does_not_wait_for_a_hook(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    wait = ["sh", "-c", "until [ -e all ]; do sleep 0.02; done"]
    play = lab.game

    def game(spec: Any) -> Any:
        record = play(spec)
        if lab.played.total() == 40:
            (lab.folder / "all").touch()
        return record

    monkeypatch.setattr(lab, "game", game)
    assert lab.run("a b", players="2", games=40, hooks=hooks(wait, "round", timeout=100.0)).played == 40
    assert said(lab) == []


@pytest.mark.slow
def test_a_failure_is_said_once_with_the_last_words_and_then_counted(lab: Lab) -> None:
    fail = ["sh", "-c", "echo looking; printf 'no \\033[31mluck\\n'; exit 3"]
    lab.run("a b", players="2", games=10, hooks=hooks(fail, "round"))
    first, total = said(lab)
    assert first == "hook round: exit code 3: no ?[31mluck"
    assert re.fullmatch(r"hook round: exit code 3, \d+ times in all", total)


@pytest.mark.slow
def test_a_slow_hook_is_ended_with_all_that_it_has_started(lab: Lab) -> None:
    text = "import subprocess, sys; print('begun', flush=True); subprocess.run(['sleep', '4711.25'])"
    lab.run("a b", players="2", games=4, hooks=hooks(python(text), "finished", timeout=1.5))
    assert said(lab) == ["hook finished: was ended after 1.5 s: [hooks] timeout sets how long it may take: begun"]
    assert sleeping("4711.25") == []


def sleeping(seconds: str) -> list[psutil.Process]:
    """The processes that sleep so long."""
    return [each for each in psutil.process_iter(["cmdline"]) if each.info["cmdline"] == ["sleep", seconds]]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere who leaves the session is found by its token alone")
def test_what_a_hook_leaves_behind_is_killed(lab: Lab) -> None:
    fork = ["sh", "-c", "setsid sleep 4712.25 > /dev/null 2>&1 & echo begun > begun"]
    lab.run("a b", players="2", games=4, hooks=hooks(fork, "finished"))
    assert (lab.folder / "begun").exists()
    assert said(lab) == []
    assert sleeping("4712.25") == []


@pytest.mark.slow
def test_a_flood_of_output_is_cut_off(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = []
    tail = hook_runner.BotProcess.stderr_tail  # type: ignore[attr-defined]

    def looked(process: hook_runner.BotProcess, lines: int = 10) -> str:  # type: ignore[name-defined]
        kept.append(len(process._last_output[0]))
        return tail(process, lines)

    monkeypatch.setattr("arena.tournament.hooks.runner.BotProcess.stderr_tail", looked)
    lab.run("a b", players="2", games=4, hooks=hooks(["yes"], "finished", timeout=1.5))
    assert said(lab) == ["hook finished: was ended after 1.5 s: [hooks] timeout sets how long it may take: y"]
    assert 0 < kept[0] < 1_000_000


@pytest.mark.slow
def test_events_that_wait_too_long_are_dropped_and_counted(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hook_runner, "MOST_WAITING", 3)
    hold = ["sh", "-c", "until [ -e end ]; do sleep 0.02; done; cat >> got"]
    play = lab.game

    def game(spec: Any) -> Any:
        if lab.played.total() == 39:
            (lab.folder / "end").touch()
        return play(spec)

    monkeypatch.setattr(lab, "game", game)
    lab.run("a b", players="2", games=40, hooks=hooks(hold, "round", "finished", timeout=100.0))
    events = got(lab.folder)
    assert 3 <= len(events) < 10
    assert events[-1]["event"] == "finished"
    [dropped] = said(lab)
    assert re.fullmatch(r"hooks: \d+ events were not sent, because the commands took too long", dropped)


@pytest.mark.slow
def test_interrupted_the_hook_ends_too_and_no_end_is_sent(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    sleep = ["sh", "-c", "echo > begun; exec sleep 4713.25"]
    play = lab.game

    def game(spec: Any) -> Any:
        if lab.played.total() == 25:  # of the third lot: the first two are recorded
            while not (lab.folder / "begun").exists():
                pass
            raise KeyboardInterrupt
        return play(spec)

    monkeypatch.setattr(lab, "game", game)
    wanted = Hooks(round=sleep, finished=KEEP, timeout=1000.0)
    assert lab.run("a b", players="2", games=40, hooks=wanted).interrupted
    assert got(lab.folder) == []
    assert sleeping("4713.25") == []
    assert said(lab) == []


def test_on_a_full_disk_the_failure_is_told_and_no_folder_is_left(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("arena.tournament.hooks.runner.tempfile.tempdir", str(tmp_path / "temporary"))
    monkeypatch.setattr("arena.tournament.hooks.runner.Path.write_bytes", full)
    lab.run("a b", players="2", games=4, hooks=hooks(KEEP, "finished"))
    [told] = said(lab)
    assert os.strerror(errno.ENOSPC) in told
    assert list((tmp_path / "temporary").iterdir()) == []


@pytest.mark.slow
def test_when_the_last_hook_runs_the_ledger_is_free(lab: Lab) -> None:
    look = "import os; from pathlib import Path; from arena.ledger import locked\nwith locked(Path('t')): pass"
    lab.run("a b", players="2", games=4, out="t", hooks=hooks(python(look), "finished"))
    assert said(lab) == []


def test_a_hook_runs_in_the_folder_of_its_plan(tmp_path: Path, lab: Lab) -> None:
    place = tmp_path / "plans"
    (place / "bin").mkdir(parents=True)
    script = place / "bin" / "post it.sh"
    script.write_text('#!/bin/sh\necho "$1 $PWD $(pwd)" > said\n')
    script.chmod(0o755)
    (place / "p.toml").write_text("players = '2'\ngames = 4\n[hooks]\nfinished = \"'bin/post it.sh' 'a b'\"\n")
    plan = read_plan(place / "p.toml", {})
    assert plan.hooks is not None
    lab.run("a b", players="2", games=4, hooks=plan.hooks)
    assert said(lab) == []
    assert (place / "said").read_text() == f"a b {place} {place}\n"


BAD: dict[str, Callable[[str], str]] = {
    "hooks = 3": lambda _: "3 is not a table",
    "[hooks]\nrounds = 'x'": lambda _: "unknown key rounds; the keys are round, fault, ",
    "[hooks]\nround = 3": lambda _: "round: 3 is neither a text nor a list of texts",
    "[hooks]\nround = ['a', 3]": lambda _: "round: ['a', 3] is neither",
    "[hooks]\nround = ''": lambda _: "round: '' names no program",
    "[hooks]\nround = []": lambda _: "round: [] names no program",
    '[hooks]\nround = "post \'it"': lambda _: 'round: "post \'it" cannot be split into words: No closing quotation',
    '[hooks]\nround = ["a", "b\\u0000"]': lambda _: "has a character 0",
    "[hooks]\ntimeout = 0": lambda _: "timeout: 0 is not a number of seconds above 0 to 86400",
    "[hooks]\ntimeout = 'x'": lambda _: "timeout: 'x' is not a number of seconds",
    "[hooks]\nfolder = 3": lambda _: "folder: 3 is not a text",
}


@pytest.mark.parametrize("text", BAD)
def test_a_wrong_table_is_an_error_with_its_reason(tmp_path: Path, text: str) -> None:
    file = tmp_path / "p.toml"
    file.write_text(text)
    with pytest.raises(PlanError) as error:
        read_plan(file, {})
    assert f"{file}: [hooks]: " in str(error.value)
    assert BAD[text]("") in str(error.value)


def test_a_program_that_does_not_exist_is_an_error_before_anything_is_played(lab: Lab) -> None:
    (lab.folder / "plain.sh").write_text("echo\n")
    reasons = {
        "nosuch-program a": "hooks: round: PATH has no program nosuch-program",
        "plain.sh": "hooks: round: PATH has no program plain.sh: did you mean ./plain.sh?",
        "./plain.sh": f"hooks: round: {lab.folder}/plain.sh cannot be executed: chmod +x it",
        "./nosuch.sh": f"hooks: round: there is no program {lab.folder}/nosuch.sh",
    }
    for command, reason in reasons.items():
        with pytest.raises(PlanError) as error:
            lab.run(hooks=Hooks(round=command))
        assert reason in str(error.value)
    with pytest.raises(PlanError, match="there is no folder"):
        lab.run(hooks=Hooks(round="sh", folder="nowhere"))
    assert not lab.played


PAGE = (Path(__file__).parents[3] / "docs" / "hooks.md").read_text("utf-8")


def block(language: str) -> str:
    [found] = re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    return found


@pytest.mark.slow
def test_the_examples_of_the_page_work(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a `jq` and a `curl` that only show that they were called."""
    programs = {
        "post.sh": block("sh"),
        "jq": f'#!{sys.executable}\nimport json, sys\nprint(json.load(sys.stdin)["text"], sys.argv[1])\n',
        "curl": '#!/bin/sh\nfor last; do :; done\n{ echo "to $last"; cat; } > posted\n',
        "arena": "#!/bin/sh\necho $* > published\n",
        "leader.py": block("python"),
    }
    for name, text in programs.items():
        (lab.folder / name).write_text(text)
        (lab.folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{lab.folder}:{os.environ['PATH']}")
    monkeypatch.setenv("WEBHOOK", "https://chat.invalid/hook")
    (lab.folder / "p.toml").write_text(block("toml"))
    lab.run("a b c", games=40, hooks=read_plan(lab.folder / "p.toml", {}).hooks)
    assert said(lab) == []
    posted = (lab.folder / "posted").read_text("utf-8").splitlines()
    assert posted[0] == "to https://chat.invalid/hook"
    assert re.match("finished after 4[0-9] games: .* {content: .text, ", posted[1])
    assert (lab.folder / "published").read_text("utf-8") == "publish tournaments/default --to site\n"
    assert "| 1–3 | " in (lab.folder / "standings.md").read_text("utf-8")


def test_the_page_names_every_event_and_field() -> None:
    for event in EVENTS:
        assert PAGE.count(f"| `{event}` |") == 2
    for kind in get_args(AnyHookEvent):
        assert [field for field in kind.__struct_fields__ if f"`{field}`" not in PAGE] == []
    for kind in (TournamentFacts, GamesSoFar, StandingsRow, Move, HookFault):
        assert [field for field in kind.__struct_fields__ if f"`{field}`" not in PAGE] == []
