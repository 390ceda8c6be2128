"""`arena play`: whole games on a page and in a terminal, their ledger, and how it ends. Words: `wording/play.txt`."""

from __future__ import annotations

import contextlib
import json
import re
import signal
import subprocess

import pytest

from arena.game.game import LEFT
from arena.ledger import Ledger
from arena.play.recorded import BROKEN_OFF
from tests.arena.cli.conftest import ROOT, UNCONFINED
from tests.arena.play.page_client import PageClient

pytestmark = [pytest.mark.process, pytest.mark.slow]

GREEDY = ROOT / "bots" / "greedy.py"
SHORT = ["--edition", "nim", "--seed", 3, *UNCONFINED]


def test_a_game_in_the_terminal_is_recorded_like_any_other(shell):
    """By piped input: a hint, rules, words that narrow and are undone, then the first action until the end."""
    typed = ["h", "?", "? gold", "take", "u", "nonsense", "99", *["1"] * 2000]
    done = shell.run("play", GREEDY, *SHORT, "--text", "--seat", 2, input_text="\n".join(typed))
    assert "planner would take" in done.stdout
    assert "nothing in the list says nonsense" in done.stdout
    assert re.search(r"there are (\d+) choices: type 1 to \1$", done.stdout, re.MULTILINE)
    assert done.stdout.count("q        leaves the game") == 1
    assert re.search(r"\d+ of \d+ choices could have been better", done.stdout)
    [result] = shell.json("show", "--games")
    assert result["bots"] == ["greedy", "person"]
    ranks = dict(zip(result["bots"], result["ranks"], strict=True))
    for bot, rank in ranks.items():
        assert re.search(rf"^ +{rank}\. {bot} \(", done.stdout, re.MULTILINE)
    assert "all as recorded" in shell.run("verify").stdout
    assert "> take" in shell.run("replay", result["id"], "--seat", 2).stdout
    assert [each["last_run"] is None for each in shell.json("list")] == [False]
    rows = json.loads(shell.run("leaderboard", "--json").stdout)["overall"]
    assert {row["bot"] for row in rows} == {"greedy", "person"}
    shell.assert_nothing_lives()


def test_a_game_whose_input_ends_is_left_and_its_cards_are_not_dealt_again(shell):
    first, again = (
        shell.run("play", GREEDY, *SHORT, "--text", "--hints", "none", input_text="1\n", code=130) for _ in range(2)
    )
    assert "the input has ended: the game is left, and does not count" in first.stdout
    assert first.stdout.splitlines()[3:8] != again.stdout.splitlines()[3:8]
    assert shell.json("show", "--games") == []
    assert [each["last_run"] for each in shell.json("list")] == [None]
    assert "0 games verified" in shell.run("verify").stdout
    shell.assert_nothing_lives()


def killed(shell, words, answers, number=signal.SIGKILL):
    """Play so many decisions and kill the arena; the hand at the end and what was printed."""
    lines = []
    with shell.start(*words, stdin=subprocess.PIPE) as process:
        for _ in range(answers + 1):
            for line in process.stdout:
                lines.append(line)
                if "your hand" in line:
                    break
            if sum("your hand" in each for each in lines) <= answers:
                process.stdin.write("1\n")
                process.stdin.flush()
        process.send_signal(number)
        process.wait()
        process.stdin.close()
    return lines[-1], lines


def test_a_game_in_whose_middle_the_arena_was_killed_goes_on_where_it_was(shell):
    words = ["play", GREEDY, *SHORT, "--text", "--hints", "none", "--seat", 1]
    hand, said = killed(shell, words, 4, signal.SIGTERM)
    assert len({each for each in said if "your hand" in each}) > 1
    again, lines = killed(shell, words, 0)
    assert again == hand
    assert " takes " in "".join(lines), "what had happened is said again"
    done = shell.run(*words, input_text="1\n" * 2000)
    with Ledger.open(shell.folder / "tournaments" / "play-kosmos") as ledger:
        [game] = ledger.games()
        assert list(ledger.voids()) == []
    assert [len(each) for each in game.times] == [
        sum((step.kind, step.by, step.seat) == ("play", "bot", seat) for step in game.steps) for seat in (0, 1)
    ]
    assert "recorded as" in done.stdout
    assert "1 game verified, all as recorded" in shell.run("verify").stdout
    shell.assert_nothing_lives()


def test_what_was_broken_off_is_void_at_another_table_and_its_cards_are_not_dealt_again(shell):
    words = ["play", GREEDY, *SHORT, "--text", "--hints", "none", "--seat", 1]
    hand, _ = killed(shell, words, 1)
    folder = shell.folder / "tournaments" / "play-kosmos"
    (folder / "begun.jsonl").unlink()
    done = shell.run(*words, input_text="", code=130)
    assert "which does not count" in done.stdout + done.stderr
    assert hand.strip() not in done.stdout
    killed(shell, words, 1)
    shell.run("play", GREEDY, ROOT / "bots" / "pairs.py", *words[2:], input_text="", code=130)
    assert "failed, and to be played again with another deal: " in shell.run("verify").stdout
    with Ledger.open(folder) as ledger:
        assert [void.error for void in ledger.voids()] == [BROKEN_OFF, LEFT, BROKEN_OFF, LEFT]


def test_a_game_on_a_page_ends_as_the_ledger_says_and_another_one_follows(shell):
    with shell.start("play", GREEDY, *SHORT, "--no-browser", "--persons", "Ann") as process:
        invitation = process.stdout.readline().split()[0]
        with PageClient(invitation) as page:
            table = page.next("table")
            assert table["persons"] == table["mine"] == [table["bots"].index("Ann")]
            assert page.next("lobby") == {"ready": False, "waiting_for": []}
            assert page.post("/begin") == 204
            assert page.post("/begin") == 409
            turn = page.next("turn")
            assert page.post("/choose", decision=turn["decision"] + 1, index=0) == 409
            assert page.post("/choose", decision=turn["decision"], index=len(turn["choices"])) == 409
            assert page.post("/hint", decision=turn["decision"]) == 204
            assert page.next("hint")["index"] in range(len(turn["choices"]))
            assert page.post("/choose", decision=turn["decision"], index=0) == 204
            assert page.request("GET", "/analyse/p2-b0000-r0")[0] == 404, "persons can ask for no analysis"
            over = page.play(lambda turn: len(turn["choices"]) - 1)
            assert "mistakes" not in page.read, "nothing of an analysis comes while a game goes on"
            winners = [
                bot for bot, rank in zip(over["public"]["bots"], over["public"]["ranks"], strict=True) if rank == 1
            ]
            assert over["evening"] == {"games": 1, "won": dict.fromkeys(winners, 1)}
            mistakes = page.next("mistakes")
            while not mistakes["done"]:
                mistakes = page.next("mistakes")
            assert mistakes["weighed"] > 5
            with PageClient(re.search(r"http://\S+/enter/\S+", _printed_invitation(process, page))[0]) as late:
                late.next("table")
                late_over = late.next("over")
                assert late_over["public"] == over["public"], "who comes late is sent what holds"
                while late_over["replay"] is None:
                    late_over = late.next("over")
                assert late.request("GET", late_over["replay"].partition("#")[0])[0] == 200
                assert late.post("/again") == 204
                again = late.next("table")
                assert again["number"] == 2
                assert again["bots"] == table["bots"][::-1], "the seats have moved on"
                late.next("turn")
        process.send_signal(signal.SIGINT)
        assert any("Ctrl-C again leaves it" in line for line in process.stdout), "it asks once"
        while process.poll() is None:  # one that comes at once might be the same
            process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(0.2)
        assert process.returncode == 130
    [result] = shell.json("show", "--games")
    assert (over["public"]["bots"], over["public"]["ranks"]) == (result["bots"], result["ranks"])
    assert "1 game verified, all as recorded" in shell.run("verify").stdout
    shell.assert_nothing_lives()


def _printed_invitation(process, page):
    """Close the page, and return the line by which it can be opened again."""
    page.close()
    return process.stdout.readline()
