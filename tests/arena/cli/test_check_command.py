"""`arena check` and `arena new`: what is printed, for people and for scripts, and the exit codes."""

from __future__ import annotations

import shutil

import pytest

from arena.check import STEPS
from arena.starters import starters
from tests.arena.cli.conftest import ROOT, TEXT_BOT, parsed

pytestmark = pytest.mark.process

GREEDY = ROOT / "bots" / "greedy.py"
CALM = ("--start", 60, "--bank", 60)


@pytest.mark.slow
def test_a_sound_bot_passes_every_step(cli):
    lines = cli("check", GREEDY, *CALM).stdout.splitlines()
    assert len(lines) == len(STEPS) + 1
    for number, (line, step) in enumerate(zip(lines, STEPS, strict=False), start=1):
        assert line.split()[:2] == [str(number), "passed"]
        assert f"{step.title} ({step.section})" in line
    assert lines[-1] == f"greedy: {len(STEPS)} passed, 0 failed, 0 skipped"


def test_a_failure_is_told_with_what_came_what_is_said_and_what_to_do(cli, tmp_path):
    (tmp_path / "text.py").write_text(TEXT_BOT)
    told = cli("check", "text.py", code=1).stdout
    assert "  4  FAILED   Its first message is a sound hello (3.1)" in told
    block = told.partition("FAILED")[2].partition("skipped")[0]
    for part in (
        "wrong:     malformed: a text, no msgpack",
        "came:      no msgpack, but the text",
        b'{"type": "hello'.hex(" ", -4)[:20],
        'protocol:  section 1.4: "A frame is one',
        "to do:     This is text. Encode",
    ):
        assert part in block, told
    assert "  5  skipped  It speaks this version of the protocol (9): needs step 4" in told
    assert told.splitlines()[-1].startswith("text: 3 passed, 1 failed, ")


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_the_last_words_are_shown_with_their_tabs(cli, tmp_path, stream):
    (tmp_path / "ends.py").write_text(f"import sys; sys.{stream}.write('go.mod:3:\\tno such\\a module\\n')")
    told = cli("check", "ends.py", code=1).stdout
    assert f"{stream}:    | go.mod:3:\tno such? module" in told


def test_json_holds_the_same(cli, tmp_path):
    (tmp_path / "text.py").write_text(TEXT_BOT)
    found = parsed(cli("check", "text.py", "--json", code=1))
    assert (found["bot"], found["passed"], found["failed"]) == ("text", 3, 1)
    assert [step["step"] for step in found["steps"]] == [step.name for step in STEPS]
    failed = found["steps"][3]
    assert failed["problem"]["rule"]["section"] == "1.4"
    assert bytes.fromhex(failed["problem"]["came"][0]["hex"]).startswith(b'{"type"')


def test_one_step_can_be_asked_for(cli):
    told = cli("check", GREEDY, *CALM, "--step", 8, "--step", 2).stdout.splitlines()
    assert [line.split()[0] for line in told[:-1]] == ["1", "2", "3", "4", "5", "6", "7", "8"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["nothing.py"], "there is no nothing.py"),
        ([ROOT / "bots" / "*.py"], "bots: name one"),
        ([ROOT / "README.md"], "is no bot"),
        ([GREEDY, "--game", "halma"], "there is no game 'halma'"),
        ([GREEDY, "--step", 0], "'0' is not a whole number from 1"),
    ],
)
def test_what_cannot_be_checked_is_named(cli, words, told):
    assert told in cli("check", *words, code=2).stderr


# new


@pytest.mark.slow
def test_what_is_made_passes_the_check_under_its_name(cli, tmp_path):
    """In Python; the languages that are built have theirs in tests/starters."""
    assert "arena check fogg" in cli("new", "fogg", "--lang", "python").stdout
    last = cli("check", "fogg", *CALM).stdout.splitlines()[-1]
    assert last.startswith("fogg: ")
    assert " 0 failed" in last


def test_a_build_is_told_of_as_it_may_take_long(cli, tmp_path):
    """And not when it has been done."""
    cli("new", "fogg", "--lang", "python")
    with (tmp_path / "fogg" / "bot.toml").open("a") as file:
        file.write("build = 'true really'\n")
    steps = [*CALM, "--step", 1]
    assert cli("check", "fogg", *steps).stderr == "building fogg: true really\n"
    assert cli("check", "fogg", *steps).stderr == ""


def test_it_names_the_files_and_leads_on(cli, tmp_path):
    made = parsed(cli("new", "deep/mine", "--lang", "Python", "--json"))
    assert made["language"] == "python"
    assert {"README.md", "bot.py", "bot.toml"} <= set(made["files"])
    assert all((tmp_path / made["folder"] / file).is_file() for file in made["files"])


@pytest.mark.slow
def test_the_languages_are_listed(cli):
    assert "Python" in cli("new", "--list").stdout
    assert parsed(cli("new", "--list", "--json")).keys() == starters().keys()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["mine"], "choose one of"),
        (["--lang", "python"], "name the folder to make"),
        (["mine", "--lang", "latin"], "there is no starter for 'latin'"),
        (["Mine", "--lang", "python"], "a small letter first"),
        (["there", "--lang", "python"], "there is there already"),
        (["mine", "--lang", "python", "--game", "halma"], "there is no game 'halma'"),
    ],
)
def test_what_cannot_be_made_is_named(cli, tmp_path, words, told):
    (tmp_path / "there").mkdir()
    shutil.copy(GREEDY, tmp_path / "there")
    assert told in cli("new", *words, code=2).stderr
    assert not (tmp_path / "mine").exists()


@pytest.mark.slow
def test_a_language_is_ready_only_if_its_libraries_are_there(cli, monkeypatch):
    """Where programs are found and pkg-config knows nothing: what is missing is named, with how to get it."""
    monkeypatch.setenv("PKG_CONFIG_LIBDIR", "/nowhere")
    monkeypatch.delenv("PKG_CONFIG_PATH", raising=False)
    monkeypatch.setattr("arena.starters.templates.shutil.which", lambda program: program)
    [line] = [line for line in cli("new", "--list").stdout.splitlines() if line.startswith("c ")]
    assert "missing: libzmq 4.3, msgpack-c 4.0, json-c 0.15" in line
    told = cli("new", "fogg", "--lang", "c").stderr
    assert "C needs libzmq 4.3, " in told
    assert "apt install cmake make gcc pkg-config libzmq3-dev" in told
