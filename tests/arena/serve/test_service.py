"""A league that runs: what is dropped joins and plays, whatever happens to the process, the file or the members."""

from __future__ import annotations

import errno
import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.serve import LeagueError
from arena.serve.backup import back_up
from arena.serve.intake import INCOMING
from arena.serve.intake.incoming import submission_folder
from arena.serve.intake.submissions import SOURCE, SubmissionWay
from arena.serve.league import read_league
from arena.serve.pages.actions import OrganiserWish
from arena.serve.rounds import SITE
from arena.serve.service import served
from arena.serve.stands import Stands
from tests.arena.serve.running_league import BEGIN, BROKEN, DAY, GOOD, Running
from tests.shell import SECONDS, Shell

pytestmark = [pytest.mark.slow, pytest.mark.process]


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    (tmp_path / "shell").mkdir()
    shell = Shell(tmp_path / "shell")
    yield shell
    shell.close()


@pytest.fixture
def league(tmp_path: Path) -> Running:
    return Running(tmp_path / "league")


def test_what_is_dropped_joins_or_is_refused_and_plays_in_the_next_round(league: Running) -> None:
    league.drop("ada", GOOD.format(number=1))
    league.drop("bob", BROKEN)
    with league.runs() as service:
        league.until_said("ada: submission 1 joined", "bob: submission 2 refused")
        league.until_shown(1)
        with league.store() as store:
            [what] = store.rounds("season-1")
            [_, refused] = store.submissions()
            assert (what.field, what.outcome, what.due) == ({"ada": 1}, "complete", BEGIN + DAY)
            assert refused.reason is not None
            assert "its process ended: exit code 1" in refused.reason
            assert store.marks("season-1", 1) == {"ada": ["good"]}
        public = service.pages.facts.public
        assert {each.bot: each.place for each in public.standings} == {"ada": "1", "random_bot": ""}
        assert public.marks == {"ada": ["good"]}
        assert len(public.games) == len(league.games()) > 0
    assert "ada: its" not in (league.folder / "drop" / "bob" / "received.txt").read_text()
    assert "submission 2: refused" in (league.folder / "drop" / "bob" / "received.txt").read_text()
    kinds = [json.loads(text)[0] for text in league.chain().splitlines()]
    assert {"member", "submission", "joined", "refused", "round", "round ended"} <= set(kinds)


def test_a_second_process_is_refused_and_the_first_goes_on(league: Running) -> None:
    with league.runs() as service:
        with pytest.raises(LeagueError, match="another process runs this league"), served(league.file, print):
            pass
        service.tick()
    with league.runs():  # and when it has ended, it may be run
        pass


def test_a_season_that_cannot_be_read_keeps_no_submission_out(league: Running) -> None:
    with league.runs() as service:
        service.tick()
        ledger = league.folder / "seasons" / "season-1" / "ledger.sqlite"
        ledger.parent.mkdir(parents=True, exist_ok=True)
        ledger.write_bytes(b"no ledger" * 1000)
        league.drop("ada", BROKEN)
        league.until_said("ledger.sqlite", "ada: submission 1 received")


def test_what_fails_for_one_thing_is_said_once_and_the_others_go_on(
    league: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    with league.runs() as service:
        monkeypatch.setattr(service._intake, "look", lambda: 1 / 0)
        league.joined("ada", 1)
        league.joined("bob", 2)
        service.tick()
        league.clock = BEGIN + DAY
        league.until(lambda: any("round 1 is complete" in each for each in league.said))
        assert sum("ZeroDivisionError" in each for each in league.said) == 1
        assert any("a defect of the arena" in each for each in service.pages.facts.organiser.faults)


def test_a_disk_that_is_full_as_a_step_ends_has_it_done_again(league: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    def full_at_first(kind: type, name: str) -> None:
        given, left = getattr(kind, name), [OSError(errno.ENOSPC, "No space left on device", name)]

        def once(*words: Any) -> Any:
            if left:
                raise left.pop()
            return given(*words)

        monkeypatch.setattr(kind, name, once)

    full_at_first(SubmissionWay, "finished")
    full_at_first(Stands, "marks")
    league.drop("ada", GOOD.format(number=1))
    with league.runs():
        league.until_said("'finished': it is tried again", "ada: submission 1 joined")
        league.clock = BEGIN + DAY
        league.until_said("'marks': it is tried again", "round 1 is complete")
    with league.store() as store:
        assert store.marks("season-1", 1) == {"ada": ["good"]}


def test_organisers_pause_remove_and_let_again_and_all_is_in_the_chain(league: Running) -> None:
    league.joined("ada", 0)
    league.joined("bob", 1)
    league.drop("ada", BROKEN)
    with league.runs() as service:

        def wish(what: Any, **more: Any) -> None:
            service.actions.organise("olga", OrganiserWish(what, **more))

        wish("pause", name="ada")
        league.until_said("ada: submission 3 received")
        league.until_shown(1)
        with league.store() as store:
            assert store.rounds("season-1")[-1].field == {"bob": 2}  # the one who is paused is not waited for
        wish("resume", name="ada")
        league.until_said("ada: submission 3 refused")
        wish("try again", number=3)
        league.until_said("ada: submission 3 refused")
        wish("remove", name="bob")
        league.until_shown(2)
        with league.store() as store:
            assert store.rounds("season-1")[-1].field == {"ada": 1}
        league.until(lambda: service._rounds.child is None and not service._rounds._follow)
        wish("restore", name="bob")
        wish("stop")
        league.clock = BEGIN + 3 * DAY
        for _ in range(3):
            service.tick()
        assert service._rounds.child is None
        wish("go on")
        league.until_said("round 3 is complete")
        with league.store() as store:
            assert store.rounds("season-1")[-1].field == {"ada": 1, "bob": 2}
    own = [json.loads(text) for text in league.chain().splitlines() if '"olga"' in text]
    facts = [(each[0], each[3]) for each in own]
    assert facts == [
        ("set", {"name": "ada", "is_paused": True}),
        ("set", {"name": "ada", "is_paused": False}),
        ("try again", {"submission": 3}),
        ("set", {"name": "bob", "is_removed": True}),
        ("set", {"name": "bob", "is_removed": False}),
        ("put", {"paused": True}),
        ("put", {"paused": False}),
    ]


def test_a_round_that_could_not_be_completed_is_played_again_when_an_organiser_says_so(league: Running) -> None:
    league.joined("ada", 0)
    away = league.folder / "submissions" / "away"
    source = submission_folder(league.folder, 1) / SOURCE
    source.rename(away)
    with league.runs() as service:
        service.tick()
        league.clock = BEGIN + DAY
        league.until_said("round 1 could not be completed")
        with pytest.raises(LeagueError, match="round 2 is not the last one"):
            service.actions.organise("olga", OrganiserWish("play again", number=2))
        away.rename(source)
        service.actions.organise("olga", OrganiserWish("play again", number=1))
        league.until_said("round 1 is complete")
        with pytest.raises(LeagueError, match="it is complete"):
            service.actions.organise("olga", OrganiserWish("play again", number=1))
    assert '"play again"' in league.chain()


STAGES = {
    BEGIN + 60: (
        "submission 1 received",
        "received runs",
        "unpacked runs",
        "built runs",
        "checked runs",
        "submission 1 tried",
        "submission 1 joined",
    ),
    BEGIN + DAY: (
        "round 1 begins",
        "tournament runs",
        "marks",
        "round 1 is complete",
        "publishing the pages runs",
        "looking for copies runs",
    ),
}
"""Where it is killed: as soon as this is said, or while this is under way."""
PROCESS = """
import os, signal, sys
from pathlib import Path
from arena.serve.service import served
from arena.serve.stands import Stands

file, moment, stage = Path(sys.argv[1]), float(sys.argv[2]), sys.argv[3]

def killed(what):
    if stage in what:
        os.kill(os.getpid(), signal.SIGKILL)

given = Stands.marks
Stands.marks = lambda *words: (killed("marks"), given(*words))[1]
with served(file, killed, lambda: moment) as (service, _):
    quiet = 0
    while quiet < 5:
        service.tick()
        trials, rounds = service._trials, service._rounds
        if trials.child is not None:
            killed(f"{trials._way.submission.state} runs")
        if rounds.child is not None:
            killed(f"{rounds._follow[0].name if rounds._follow else 'tournament'} runs")
        is_open = len(service._store.submissions()) < 2 or service._store.submissions(is_open=True)
        quiet = 0 if is_open or trials.child is not None or rounds.child is not None else quiet + 1
        service.wait(0.1)
"""


def outcome(shell: Shell, league: Running, stages: dict[float, tuple[str, ...]]) -> list[Any]:
    """Let two bots join and play, killed at these stages, and return how that ended."""
    league.drop("ada", GOOD.format(number=0))
    league.drop("bob", GOOD.format(number=1))
    for moment, killed in stages.items():
        for stage in (*killed, "never"):
            words = [sys.executable, "-c", PROCESS, str(league.file), repr(moment), stage]
            ended = subprocess.run(words, env=shell.environment, check=False, timeout=SECONDS)
            assert ended.returncode == (0 if stage == "never" else -signal.SIGKILL), stage
            shell.assert_nothing_lives()
        league.clock = moment
    names = [path.name for path in league.folder.rglob("*")]
    assert [name for name in names if name.endswith((".new", ".running"))] == []
    assert list((league.folder / "submissions" / INCOMING).iterdir()) == []
    assert (league.folder / "seasons" / "season-1" / SITE / "index.html").exists()
    with league.store() as store:
        steps = {each.submitter: [step.state for step in store.steps(each.id)] for each in store.submissions()}
        rounds = [(each.number, sorted(each.field), each.outcome, each.games) for each in store.rounds("season-1")]
        chain = [json.loads(text)[:2] for text in store.chain.texts()]
        return [steps, rounds, store.marks("season-1", 1), league.games(), sorted(chain)]


def test_a_league_that_is_killed_at_every_stage_comes_to_the_same_end(shell: Shell, tmp_path: Path) -> None:
    quiet = outcome(shell, Running(tmp_path / "quiet"), dict.fromkeys(STAGES, ()))
    assert outcome(shell, Running(tmp_path / "killed"), STAGES) == quiet
    assert quiet[1][0][:3] == (1, ["ada", "bob"], "complete")


def test_from_a_backup_that_was_made_while_it_runs_a_league_goes_on_to_the_same_table(
    league: Running, tmp_path: Path
) -> None:
    own = league.folder / "bots" / "own"
    own.mkdir(parents=True)
    (own / "bot.toml").write_text('command = ["{python}", "bot.py"]\n')
    (own / "bot.py").write_text(GOOD.format(number=0))
    league.write(**{"@random_bot": "own=bots/own"})
    for number in (1, 2):
        league.joined("ada" if number == 1 else "bob", number)
        received = submission_folder(league.folder, number) / "received" / "trial"
        received.mkdir(parents=True)
        (received / "weights.json").write_text("[1]")  # the bots' own, whatever they are called
    with league.runs() as service:
        service.tick()  # the season begins
        league.until_shown(1)
        league.clock = BEGIN + DAY * 2
        league.until(lambda: any("round 2 begins" in said for said in league.said))
        back_up(read_league(league.file), tmp_path / "copy")
        league.until_shown(2)
    again = Running(tmp_path / "again")
    shutil.rmtree(again.folder)
    shutil.copytree(tmp_path / "copy", again.folder)
    again.clock = league.clock
    with again.runs():
        again.until_shown(2)
    assert len(again.games()) > 0
    assert again.games() == league.games()
    assert again.chain().splitlines()[:4] == league.chain().splitlines()[:4]
    assert (submission_folder(again.folder, 1) / "received" / "trial" / "weights.json").read_text() == "[1]"
