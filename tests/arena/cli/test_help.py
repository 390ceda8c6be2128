"""Help, and the pages that repeat it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys

import pytest

import arena
from arena.cli.app import SUMMARIES, load
from arena.cli.options import join_words
from arena.cli.progress import is_quiet
from arena.cli.terminal import ExitCode
from arena.tournament.plan import SETTINGS
from tests.arena.cli.conftest import ROOT
from tests.arena.cli.reference import COMMANDS, FILE, help_of, page
from tests.test_readme import TEXTS

OPTION = re.compile(r"(?<!\S)(--?[a-z][a-z-]*)")


def rows_of(name: str) -> list[list[str]]:
    """The table of options in the help of a command: what is typed, and what it is for."""
    table = help_of(name).partition("Options:")[2].partition("Examples:")[0]
    return [re.split(r"\s{2,}", line.strip()) for line in table.splitlines() if line.startswith("  -")]


def options_of(name: str) -> set[str]:
    return {option for row in rows_of(name) for option in OPTION.findall(row[0].replace(",", " "))}


def examples_of(name: str) -> list[str]:
    return [line.strip() for line in help_of(name).partition("Examples:\n")[2].splitlines() if line.strip()]


def test_the_commands_are_those_that_are_promised():
    assert set(COMMANDS) >= {"tournament", "match", "show", "leaderboard", "replay", "verify", "games"}


@pytest.mark.parametrize("name", COMMANDS)
def test_help_explains_every_option_and_has_examples(name):
    text = help_of(name)
    assert text.startswith(f"Usage: arena {name} ")
    assert {"--help", "-h"} <= options_of(name)
    for row in rows_of(name):
        assert len(row) > 1, f"{row[0]} is not explained"
    assert examples_of(name)
    assert max(map(len, text.splitlines())) <= 80


def test_no_summary_is_cut_short():
    listed = re.sub(r"\s+", " ", help_of().partition("Commands:")[2])
    for name, summary in SUMMARIES.items():
        assert f" {name} {summary}" in listed


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_use_what_exists(name):
    known = options_of(name)
    for example in examples_of(name):
        assert example.split()[:2] == ["arena", name]
        assert set(OPTION.findall(example)) <= known, example


@pytest.mark.slow
def test_every_command_and_option_in_readme_and_the_first_pages_exists():
    for command, rest in re.findall(r"\barena ([a-z]+)\b([^\n`]*)", "\n".join(code_of("\n".join(TEXTS)))):
        assert command in COMMANDS, command
        assert set(OPTION.findall(rest.partition("#")[0])) <= options_of(command), rest


def code_of(text: str) -> list[str]:
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    inline = [code for code in re.findall(r"`([^`\n]+)`", text) if code.startswith("arena ")]
    return [*blocks, *inline]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_stands_in_readme_or_the_first_pages(name):
    assert f"arena {name}" in "\n".join(TEXTS)


def test_the_page_of_commands_is_what_they_say():
    again = "run: python -m tests.arena.cli.reference"
    assert FILE.read_text("utf-8") == page(), f"docs/commands.md is not what --help prints any more; {again}"


@pytest.mark.parametrize("name", COMMANDS)
def test_the_summary_of_a_command_begins_its_help(name):
    assert load(name).get_short_help_str(limit=1000) == SUMMARIES[name]


@pytest.mark.process
def test_the_help_loads_no_command():
    program = "import sys; sys.argv[1:] = ['--help']; from arena.cli import main; main()"
    watched = f"import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr)); {program}"
    done = subprocess.run([sys.executable, "-c", watched], capture_output=True, text=True, timeout=60, check=True)
    loaded = set(done.stderr.split())
    assert "arena.cli.app" in loaded
    assert not loaded & {"arena.cli.match", "arena.referee", "engine", "msgspec", "rich", "tabulate", "wcwidth"}


def test_exit_codes_stand_in_help_and_the_page_of_commands():
    told = FILE.read_text("utf-8").partition("## Exit codes")[2].partition("\n## ")[0]
    for code in ExitCode:
        assert re.search(rf"\b{code}\s", help_of().partition("Exit codes:")[2]), code
        assert f"\n| {code} | " in told, code


def test_without_a_command_the_help_is_printed(cli):
    assert "Usage: arena" in cli(code=2).output


def test_the_version(cli):
    assert cli("--version").stdout == f"arena {arena.__version__} (pure Python engine)\n"


@pytest.mark.parametrize("name", COMMANDS)
def test_short_help_is_the_same(cli, name):
    assert cli(name, "-h").stdout == cli(name, "--help").stdout


@pytest.mark.slow
@pytest.mark.parametrize("shell_name", ["bash", "zsh", "fish"])
def test_a_completion_script_can_be_made(shell, shell_name):
    done = shell.run(env={"_ARENA_COMPLETE": f"source_{shell_name}"})
    assert "_ARENA_COMPLETE" in done.stdout
    assert done.stderr == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("arena le", {"leaderboard"}),
        ("arena leaderboard --format c", {"csv"}),
        ("arena match --edition ", {"standard", "en", "ru", "nim"}),
        ("arena tournament --game k", {"kosmos"}),
        ("arena tournament --format g", {"gauntlet", "groups+knockout"}),
        ("arena tournament a.py --until ", {"resolved"}),
        ("arena tournament --on-crash s", {"substitute"}),
        ("arena tournament @gr", {"@greedy"}),
        ("arena tournament a.py @ gr", {"@greedy"}),  # so does Bash take it apart
        ("arena check @ gr", {"@greedy"}),
        ("arena compare @ greedy @ pl", {"@planner"}),
        ("arena match @ greedy pl", set()),  # files are up to the shell
        ("arena replay p3-b0000-", {f"p3-b0000-r{number}" for number in range(3)}),
        ("arena replay tournaments/default p2-b0000-", {"p2-b0000-r0", "p2-b0000-r1"}),
        ("arena report --bot c", {"crasher"}),
        ("arena show tournaments/default --faults r", {"random_bot"}),
        ("arena show nowhere --faults r", {"random_bot"}),
    ],
)
def test_completion_knows_commands_and_values(shell, words, expected, tmp_path, played, monkeypatch):
    shutil.copytree(played, tmp_path / "tournaments" / "default")
    monkeypatch.chdir(tmp_path)
    place = str(len(words.split()) - (not words.endswith(" ")))
    done = shell.run(env={"_ARENA_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": place})
    assert set(done.stdout.split()) == expected
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("words", "place", "joined", "then"),
    [
        (["arena", "match", "@", "gr"], 3, ["arena", "match", "@gr"], 2),
        (["arena", "match", "@"], 2, ["arena", "match", "@"], 2),
        (["arena", "match", "@", "a", "@", "b", ""], 6, ["arena", "match", "@a", "@b", ""], 4),
        (["arena", "match", "@", "a", "@", "b"], 2, ["arena", "match", "@a", "@b"], 2),
        (["arena", "match", "a b", "@", "c"], 4, ["arena", "match", "a b", "@c"], 3),
        (["arena", "match", "a"], 2, ["arena", "match", "a"], 2),
    ],
)
def test_the_words_of_bash_are_joined_at_the_sign(words, place, joined, then):
    asked = {"_ARENA_COMPLETE": "complete_bash", "COMP_WORDS": "\n".join(words), "COMP_CWORD": str(place)}
    join_words(asked)
    assert asked["COMP_WORDS"].split("\n") == joined
    assert int(asked["COMP_CWORD"]) == then


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_takes_the_version_and_quiet(cli, name):
    assert {"-V", "--version", "-q", "--quiet"} <= {*help_of(name).replace(",", " ").split()}
    assert cli(name, "-q", "-V").stdout == cli("-V").stdout


def test_quiet_holds_for_one_run(cli):
    for words, quiet in ((("-q", "docs"), True), (("docs", "-q"), True), (("docs",), False)):
        cli(*words)
        assert is_quiet() == quiet, words


def test_the_options_of_a_tournament_stand_under_headings_after_the_ten_that_people_use():
    text = help_of("tournament")
    headings = re.findall(r"^(\w[\w ]*):$", text, re.MULTILINE)
    assert headings == [
        *("Arguments", "Options", "Field", "Games", "Clock", "Format", "Changing field", "Isolation", "Proof"),
    ]
    first = re.findall(r"^  (--[a-z-]+)", text.partition("Options:\n")[2], re.MULTILINE)[:10]
    used = "--plan --game --players --games --minutes --seed --jobs --out --fresh --format"
    assert first == used.split()


@pytest.mark.parametrize("name", SETTINGS)
def test_what_is_declared_of_a_setting_stands_in_help_and_schema(name):
    known = SETTINGS[name]
    _, _, listed = help_of("tournament").partition(f"\n{known.heading or 'Options'}:\n")
    listed = listed.partition("\n\n")[0] if name != "bots" else help_of("tournament")
    assert known.help in re.sub(r"\s+", " ", listed)
    assert (known.option or f"--{name.replace('_', '-')}" if name != "bots" else "BOTS") in listed
    described = json.loads((ROOT / "docs" / "schema" / "plan.json").read_text("utf-8"))["properties"][name]
    assert described["description"] == known.help
    if known.numbers is not None:
        assert described.items() >= known.numbers.schema().items()
