"""`arena check` and `arena new`: what they find and make, and their JSON. Their words: `wording/`."""

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
def test_a_failure_comes_with_its_rule_and_what_came(cli, tmp_path):
    (tmp_path / "text.py").write_text(TEXT_BOT)
    found = parsed(cli("check", "text.py", "--json", code=1))
    assert (found["bot"], found["passed"], found["failed"]) == ("text", 3, 1)
    assert [step["step"] for step in found["steps"]] == [step.name for step in STEPS]
    failed = found["steps"][3]
    assert failed["problem"]["requirement"]["section"] == "1.4"
    assert bytes.fromhex(failed["problem"]["came"][0]["hex"]).startswith(b'{"type"')


@pytest.mark.slow
def test_one_step_can_be_asked_for(cli):
    found = parsed(cli("check", GREEDY, *CALM, "--step", 8, "--step", 2, "--json"))
    assert [step["number"] for step in found["steps"]] == list(range(1, 9))


@pytest.mark.parametrize(
    "words", [("check", GREEDY), ("match", GREEDY, GREEDY), ("tournament", GREEDY, GREEDY)], ids=str
)
def test_a_cache_that_cannot_be_used_is_no_fault_of_a_bot(cli, tmp_path, monkeypatch, words):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path / "file" / "cache"))
    said = cli(*words, code=2).output
    assert "ARENA_CACHE" in said
    assert "file/cache" in said


# new


@pytest.mark.slow
def test_what_is_made_passes_the_check_under_its_name(cli, tmp_path):
    """In Python; the languages that are built have theirs in tests/starters."""
    cli("new", "fogg", "--lang", "python")
    found = parsed(cli("check", "fogg", *CALM, "--json"))
    assert (found["bot"], found["failed"]) == ("fogg", 0)


def test_it_names_the_files_and_leads_on(cli, tmp_path):
    made = parsed(cli("new", "deep/mine", "--lang", "Python", "--json"))
    assert made["language"] == "python"
    assert {"README.md", "bot.py", "bot.toml"} <= set(made["files"])
    assert all((tmp_path / made["folder"] / file).is_file() for file in made["files"])


@pytest.mark.slow
def test_the_languages_are_listed(cli):
    listed = parsed(cli("new", "--list", "--json"))
    assert {key for key, each in listed.items() if each["option"] == "--lang"} == set(starters())
    assert {key for key, each in listed.items() if each["option"] == "--from"} == {"gtp", "openai", "pyspiel", "uci"}


@pytest.mark.parametrize("words", [["--lang", "latin"], ["--lang", "python", "--game", "halma"], []], ids=str)
def test_what_cannot_be_made_leaves_nothing_behind(cli, tmp_path, words):
    cli("new", "mine", *words, code=2)
    assert not list(tmp_path.iterdir())


def test_what_is_there_already_stays(cli, tmp_path):
    (tmp_path / "there").mkdir()
    shutil.copy(GREEDY, tmp_path / "there")
    cli("new", "there", "--lang", "python", code=2)
    assert [path.name for path in (tmp_path / "there").iterdir()] == [GREEDY.name]


@pytest.mark.slow
def test_a_language_is_ready_only_if_its_libraries_are_there(cli, monkeypatch):
    """Where programs are found and pkg-config knows nothing."""
    monkeypatch.setenv("PKG_CONFIG_LIBDIR", "/nowhere")
    monkeypatch.delenv("PKG_CONFIG_PATH", raising=False)
    monkeypatch.setattr("arena.starters.shutil.which", lambda program, path=None: program)
    languages = parsed(cli("new", "--list", "--json"))
    assert languages["c"]["missing"] == languages["c"]["libraries"] != []
    assert languages["go"]["missing"] == []
