"""`arena tournament`: what is typed, and how it ends. What it prints: `wording/tournament.txt`."""

from __future__ import annotations

import json
import os
import pty
import shlex
import shutil
import signal

import pytest

from tests.arena.cli.conftest import CRASHER, ROOT, parsed, read_until

GREEDY, RANDOM = BOTS = [ROOT / "bots" / "greedy.py", ROOT / "bots" / "random_bot.py"]
CALM = ["--start", 60, "--bank", 60]
"""On a busy machine the limits are not what these tests are about."""


@pytest.fixture
def finished(played, tmp_path):
    """A copy of the tournament that is played already, with its bots, and the command it was played by."""
    shutil.copytree(played, tmp_path / "t")
    shutil.copy(played.parent / "crasher.py", tmp_path)
    return ["tournament", *BOTS, "crasher.py", *CALM, "--games", 6, "--players", "2,3", "--out", "t"]


@pytest.mark.slow
def test_the_default_folder_then_nothing_left_then_an_edited_bot(shell, cli):
    mine = shell.folder / "mine.py"
    mine.write_text(GREEDY.read_text())
    asked = ["tournament", mine, RANDOM, *CALM, "--games", 2]

    def found():
        return {each["folder"]: each["games"] for each in parsed(cli("list", "--json"))}

    first = shell.json(*asked)
    assert found() == {"tournaments/default": 2}
    assert parsed(cli(*asked, "--json")) == first
    assert found() == {"tournaments/default": 2}

    mine.write_text(GREEDY.read_text() + "\n# better\n")
    changed = shell.json(*asked)
    assert {row["bot"] for row in changed["overall"]} == {"mine@2", "random_bot"}
    assert found() == {"tournaments/default": 4}
    assert parsed(cli(*asked, "--json")) == changed


@pytest.mark.slow
def test_off_a_terminal_progress_is_plain_lines_beside_the_result(shell):
    """Each stage has its own, with how many parts it has; what is done soon has no other."""
    done = shell.run("tournament", *BOTS, *CALM, "--games", 2, "--players", 2, "--jobs", 1)
    quick = [line for line in done.stderr.splitlines() if " of " not in line and not line.endswith(" ...")]
    assert quick[:2] == ["building: 2", "starting each bot once: 2"]
    assert quick[2].startswith("to publish if others are to check this: ")
    assert quick[3:] == ["playing: 2"]
    assert all(char.isprintable() or char == "\n" for char in done.stderr + done.stdout)
    assert not set(done.stdout.splitlines()) & set(done.stderr.splitlines())


@pytest.mark.process
@pytest.mark.slow
def test_where_crashes_make_games_void_the_first_of_a_bot_do_not_count(cli, tmp_path):
    (tmp_path / "crasher.py").write_text(CRASHER)
    words = [
        "tournament",
        "crasher.py",
        GREEDY,
        RANDOM,
        *CALM,
        "--players",
        2,
        "--games",
        12,
        "--jobs",
        1,
        "--out",
        "t",
    ]
    done = cli(*words, "--seed", 1, "--on-crash", "void")
    assert "void: games that do not count, by the bots that crashed there: crasher 3" in done.stdout
    board = parsed(cli("show", "t", "--json"))
    assert board["void_by_crash"] == {"crasher": 3}
    assert sum(row["games"] for row in board["players"]["2"]) >= 2 * 12, "others were played in their stead"
    assert parsed(cli("verify", "t", "--json"))["different"] == {}


def slow(folder):
    """A bot that takes its time to be built."""
    (folder / "slow").mkdir()
    shutil.copy(GREEDY, folder / "slow" / "bot.py")
    (folder / "slow" / "bot.toml").write_text('command = "{python} bot.py"\nbuild = "sleep 1.5"\n')
    return folder / "slow"


@pytest.mark.slow
def test_on_a_terminal_each_bot_that_is_being_built_has_a_line(shell):
    terminal, slave = pty.openpty()
    with shell.start("tournament", slow(shell.folder), RANDOM, *CALM, stderr=slave, env={"TERM": "xterm"}) as run:
        os.close(slave)
        shown = b""
        while b"  slow  1 s" not in shown:
            data = _read(terminal)
            assert data, shown
            shown += data
        run.send_signal(signal.SIGINT)
        while _read(terminal):
            pass
        run.communicate()
    os.close(terminal)


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # what Linux says when the other side is closed
        return b""


@pytest.mark.slow
@pytest.mark.process
def test_with_fixed_changed_bots_are_an_error_until_fresh(finished, cli, tmp_path):
    cli(*finished)
    assert len(parsed(cli("show", "t", "--games", "--json"))) == 7, "nothing was left to play"
    (tmp_path / "crasher.py").write_text("import sys\nprint('hm', file=sys.stderr)\nsys.exit('no such luck')\n")
    cli(*finished, "--fixed", code=2)
    begun = parsed(cli(*finished, "--fresh", "--json"))
    [left_out] = begun["left_out"]
    assert left_out["bot"] == "crasher"
    first, *more = left_out["reason"].splitlines()
    assert "no such luck" in first
    assert more == ["hm", "no such luck"]
    assert parsed(cli(*finished, "--json"))["left_out"] == [left_out]
    assert (tmp_path / "t.old-1" / "ledger.sqlite").is_file()


@pytest.mark.slow
def test_a_plan_file_says_the_same_as_flags_and_flags_win(shell, cli):
    plans = shell.folder / "plans"
    plans.mkdir()
    shutil.copy(GREEDY, plans / "mine.py")
    plan = plans / "p.toml"
    words = ['bots = ["mine.py", "mine.py"]', "rounds = 9", "start = 60", "bank = 60", "seed = 8", 'out = "from-plan"']
    plan.write_text("\n".join(words))
    done = shell.run("tournament", "--plan", plan, "--games", 2, "--out", "flag", "--json")
    board = json.loads(done.stdout)
    assert [row["bot"] for row in board["overall"]] == [row["bot"] for row in board["players"]["2"]]
    assert {row["bot"] for row in board["overall"]} == {"mine", "mine-2"}
    assert board["overall"][0]["games"] == 2
    assert not (shell.folder / "from-plan").exists()
    assert parsed(cli("show", "flag", "--json"))["seed_given"] is True
    assert done.stderr.strip(), "what is to be said stands beside the JSON"


@pytest.mark.parametrize(
    "words",
    [
        ["--plan", "p.toml"],
        ["--games", 0],
        ["--edition", "nosuch"],
        ["--players", "2-7"],
        ["--games", 2, "--rounds", 1],
        ["--out", ""],
        ["--strict", "notes.txt"],
        ["none.py"],
    ],
)
def test_what_is_refused_leaves_nothing_behind(cli, tmp_path, words):
    (tmp_path / "p.toml").write_text("gams = 3")
    (tmp_path / "notes.txt").touch()
    assert cli("tournament", *BOTS, *words, code=2).stdout == ""
    assert {path.name for path in tmp_path.iterdir()} == {"p.toml", "notes.txt"}


@pytest.mark.process
def test_with_strict_a_bot_that_cannot_be_started_is_an_error(cli, tmp_path):
    (tmp_path / "broken.py").write_text("raise SystemExit('no such luck')\n")
    assert "no such luck" in cli("tournament", "--strict", RANDOM, "broken.py", code=2).stderr
    assert not list(tmp_path.rglob("ledger.sqlite"))


@pytest.mark.slow
@pytest.mark.parametrize("asked_to_end", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_leaves_the_table_so_far_and_the_command_to_go_on(shell, cli, asked_to_end):
    asked = ["tournament", *BOTS, *CALM, "--games", 100, "--seed", 5, "--jobs", 1, "--out", "a folder", "--fresh"]
    with shell.start(*asked, start_new_session=True) as run:
        read_until(run.stderr, "playing: 10 of 100")
        if asked_to_end == signal.SIGINT:
            os.killpg(run.pid, asked_to_end)  # as a terminal does
        else:
            run.send_signal(asked_to_end)
        out, err = run.communicate()
    assert run.returncode == 130
    assert "Traceback" not in err
    shell.assert_nothing_lives()

    *_, typed, head = out.splitlines()
    assert head.startswith("Head: ")
    command = shlex.split(typed)
    assert command == ["arena", *(str(word) for word in asked if word != "--fresh")]
    before = parsed(cli("show", "a folder", "--json"))
    assert (before["finished"], before["games"]["played"] >= 10) == (False, True)
    assert sum(row["games"] for row in before["overall"]) == 2 * before["games"]["played"], "of them the table was made"
    cli(*command[1:], "--games", 2)  # less than was played: nothing is left
    after = parsed(cli("show", "a folder", "--json"))
    assert (after["finished"], after["games"]["played"]) == (True, before["games"]["played"])


@pytest.mark.slow
def test_an_interrupt_before_the_first_game_leaves_nothing_behind(shell):
    (shell.folder / "silent.py").write_text("import time\nprint('here', flush=True)\ntime.sleep(1000)\n")
    with shell.start("tournament", *BOTS, "silent.py", "--start", 100, start_new_session=True) as run:
        read_until(run.stderr, "silent ...")
        os.killpg(run.pid, signal.SIGINT)
        out, err = run.communicate()
    assert (run.returncode, out) == (130, "")
    assert "Traceback" not in err
    assert not list(shell.folder.rglob("ledger.sqlite"))


@pytest.mark.slow
@pytest.mark.process
def test_a_knockout_says_who_won_before_all_ratings(cli):
    bots = ("a=@random_bot", "b=@random_bot", "c=@random_bot")
    words = ("tournament", *bots, "--players", "2", "--format", "knockout", "--blocks", "1", "--seed", "4")
    said = cli(*words, "--out", "cup").stdout
    assert 0 <= said.index("placing of the knockout") < said.index("Ratings of all games") < said.index("overall")
    placing = parsed(cli(*words, "--out", "cup", "--json"))["placing"]
    assert [each["place"] for each in placing] == [1, 2, 3]
    assert f"{placing[0]['bot']} won" in said
    for command in ("show", "leaderboard", "report"):
        text = cli(command, "cup").stdout
        assert text.lower().index("placing") < text.lower().index("rating")
    assert parsed(cli("leaderboard", "cup", "--json"))["placing"] == placing
    assert "all as recorded" in cli("verify", "cup").stdout


@pytest.mark.slow
@pytest.mark.process
def test_a_gauntlet_says_how_the_challenger_did_against_each(cli):
    bots = ("a=@random_bot", "b=@random_bot", "c=@random_bot")
    words = ("--players", "2", "--format", "gauntlet", "--challenger", "a", "--games", "8", "--seed", "4")
    said = cli("tournament", *bots, *words, "--out", "run").stdout
    assert said[said.index("a against each") :].partition("\n\n")[0] in cli("show", "run").stdout
    assert [each["bot"] for each in parsed(cli("leaderboard", "run", "--json"))["against"]["a"]] == ["b", "c"]
    table = said[said.index("a against each") :].splitlines()
    rows = [line.split() for line in table[3:5]]
    assert [row[0] for row in rows] == ["b", "c"]
    assert sum(int(row[1]) for row in rows) == 8
    assert all(int(row[1]) == sum(map(int, row[2:])) for row in rows)
