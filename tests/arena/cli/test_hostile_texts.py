"""Names and words of bots are whatever they like: on no command's output do they act, and no line of it is theirs."""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from html.parser import HTMLParser

import pytest

from arena.ledger import Ledger
from tests.arena.cli.conftest import ESCAPE, HOSTILE, ROOT, parsed

FOREIGN = ("日本", "größe", "😀")
COMMANDS = [
    ["show"],
    ["show", "--games"],
    ["show", "--faults", f"escape{ESCAPE}"],
    ["show", "--faults", f"nobody{ESCAPE}"],
    ["show", "--history"],
    ["show", "--history", f"escape{ESCAPE}"],
    ["show", "--history", f"nobody{ESCAPE}"],
    ["report", "--bot", f"escape{ESCAPE}"],
    ["report", "--bot", f"nobody{ESCAPE}"],
    ["leaderboard"],
    ["leaderboard", "--format", "github"],
    ["leaderboard", "--format", "html"],
    ["leaderboard", "--format", "csv"],
    ["verify"],
]
JSON = [
    ["show"],
    ["show", "--games"],
    ["show", "--faults", f"escape{ESCAPE}"],
    ["show", "--history", f"escape{ESCAPE}"],
    ["report", "--bot", f"escape{ESCAPE}"],
    ["leaderboard"],
    ["verify"],
]


def assert_harmless(text: str) -> None:
    """Nothing that moves a cursor, sets a title or turns the direction of writing."""
    odd = {char for char in text if unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp", "Cs", "Co")} - {"\n", "\t"}
    assert not odd


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: "-".join(word for word in words if word.isascii()))
def test_no_control_character_reaches_the_output(cli, hostile, words):
    code = {"verify": 1}.get(words[0], 2 if words[-1].startswith("nobody") else 0)
    done = cli(words[0], hostile, *words[1:], code=code)
    assert done.output.strip()
    assert_harmless(done.output)
    assert not any(line.strip().startswith("forged") for line in done.output.splitlines())


@pytest.mark.parametrize("words", JSON, ids=lambda words: "-".join(word for word in words if word.isascii()))
def test_json_escapes_them_and_loses_nothing(cli, hostile, words):
    done = cli(words[0], hostile, *words[1:], "--json", code=1 if words == ["verify"] else 0)
    assert_harmless(done.stdout)
    assert parsed(done)


def test_json_gives_a_script_the_names_as_they_are(cli, hostile):
    names = {HOSTILE, f"escape{ESCAPE}"}
    assert {row["bot"] for row in parsed(cli("leaderboard", hostile, "--json"))["overall"]} == names
    [fault] = parsed(cli("show", hostile, "--faults", f"escape{ESCAPE}", "--json"))
    assert fault["text"] == f"ended{ESCAPE}\nforged"
    assert fault["stderr"] == f"first{ESCAPE}\nsecond\rforged"


def test_the_authors_of_bots_reach_no_terminal_and_no_table_as_they_are(cli, hostile):
    for words in (["list", hostile.parent], ["leaderboard", hostile]):
        text = cli(*words).output
        assert_harmless(text)
        assert not any(line.strip().startswith("forged") for line in text.splitlines())
    cli("export", hostile, "--to", "export")
    with (hostile.parent / "export" / "bots.csv").open(encoding="utf-8", newline="") as table:
        row = next(csv.DictReader(table))
    assert (row["author"], row["team"][:3]) == (f"Eve{ESCAPE}\nforged", "'=1")
    assert not (hostile.parent / "export" / "avatars").exists()


def test_a_fault_stays_one_line_and_last_words_stay_set_apart(cli, hostile):
    lines = cli("show", hostile, "--faults", f"escape{ESCAPE}").stdout.splitlines()
    assert "crash: ended?]0;owned??[2J" in lines[0]
    assert lines[0].endswith("?forged")
    assert [line[:6] for line in lines[1:]] == ["    | "] * 3


def test_why_a_bot_is_left_out_stays_one_line(cli, hostile):
    for format_ in ("plain", "github", "html"):
        text = cli("leaderboard", hostile, "--format", format_).stdout
        [line] = [line for line in text.splitlines() if "no?]0;owned" in line.replace("\\", "")]
        assert "more of it" not in text
        assert line.isprintable()
        assert "the?" not in line
        assert "out.py" not in line


def test_no_name_becomes_markup_or_a_column(cli, hostile):
    class Tags(HTMLParser):
        found: set[str]

        def handle_starttag(self, tag, attrs):
            self.found.add(tag)

    tags = Tags()
    tags.found = set()
    tags.feed(cli("leaderboard", hostile, "--format", "html").stdout)
    assert "script" not in tags.found
    github = cli("leaderboard", hostile, "--format", "github").stdout
    assert "<script>" not in github
    rows = [line.replace("\\|", "") for line in github.splitlines() if line.startswith("|")]
    assert len({line.count("|") for line in rows}) == 1
    table = list(csv.reader(io.StringIO(cli("leaderboard", hostile, "--format", "csv").stdout)))
    assert len({len(row) for row in table}) == 1
    assert len(table) == 5


def with_names(played, folder, *names):
    """A tournament in which bots of these names entered too."""
    with Ledger.open(played) as ledger:
        meta, entrants = ledger.meta, ledger.entrants()
    with Ledger.create(folder, meta) as ledger:
        ledger.set_entrants([*entrants, *(type(entrants[0])(name, "x.py", "00") for name in names)])
    return folder


def test_a_name_that_looks_like_console_markup_is_printed_as_it_is(cli, tmp_path, played):
    name = "[bold red]x[/]"
    with_names(played, tmp_path / "t", name)
    assert name in cli("leaderboard", "t").stdout


@pytest.mark.slow
def test_a_bots_file_name_cannot_act_on_the_terminal_while_it_is_played(shell):
    bot = shell.folder / "a\x1b[31mb\nforged.py"
    bot.write_text("raise SystemExit('\\x1b[2Jno such luck')\n")
    greedy = [ROOT / "bots" / "greedy.py"] * 2
    done = shell.run("tournament", bot, *greedy, "--games", 2, "--start", 60, "--out", "t")
    assert_harmless(done.stdout + done.stderr)
    assert "no such luck" in done.stderr
    refused = shell.run("match", bot, greedy[0], "--start", 60, code=1)
    assert_harmless(refused.stdout + refused.stderr)
    assert not [line for line in (done.stdout + refused.stdout).splitlines() if line.startswith("forged")]


@pytest.mark.slow
def test_an_output_that_cannot_show_a_letter_shows_its_number(shell, played, tmp_path):
    folder = with_names(played, tmp_path / "t", *FOREIGN)
    done = shell.run("leaderboard", folder, env={"PYTHONIOENCODING": "ascii"})
    assert done.stdout.isascii()
    assert "?" not in done.stdout
    assert all(name.encode("ascii", "backslashreplace").decode() in done.stdout for name in FOREIGN)
    assert "+-" in shell.run("leaderboard", played, env={"PYTHONIOENCODING": "ascii"}).stdout


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_what_programs_read_is_true_whatever_the_encoding_of_the_terminal(shell, played, tmp_path, encoding):
    folder, env = with_names(played, tmp_path / "t", *FOREIGN), {"PYTHONIOENCODING": encoding}
    for command in ("leaderboard", "show"):
        told = shell.run(command, folder, "--json", env=env).stdout
        assert told.isascii()
        assert all(json.dumps(name) in told for name in FOREIGN), command
    for format_ in ("csv", "github", "html"):
        command = ("leaderboard", folder, "--format", format_)  # type: ignore[assignment]
        expected = shell.run(*command, env={"PYTHONIOENCODING": "utf-8"}, encoding="utf-8").stdout
        assert all(name in expected for name in FOREIGN)
        assert shell.run(*command, env=env, encoding="utf-8").stdout == expected
