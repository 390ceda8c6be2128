"""A league that runs: what is dropped joins and plays, whatever happens to the process, the file or the members."""

from __future__ import annotations

import errno
import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from arena.entrants import expand
from arena.ledger import Ledger
from arena.serve import LeagueError
from arena.serve.backup import back_up
from arena.serve.intake import INCOMING
from arena.serve.intake.incoming import submission_folder
from arena.serve.intake.submissions import SOURCE, SubmissionWay
from arena.serve.league import read_league
from arena.serve.pages.actions import OrganiserWish
from arena.serve.rounds import SITE
from arena.serve.service import Service, served
from arena.serve.stands import Stands
from arena.serve.store import LeagueStore
from tests.shell import SECONDS, Shell

pytestmark = [pytest.mark.slow, pytest.mark.process]
BEGIN = 1_800_000_000.0
DAY = 86_400.0
TEXT = """
name = "test"
references = ["@random_bot"]
[plan]
game = "openspiel:leduc_poker"
players = "2"
seed = 1
start = 60
move = 20
bank = 60
[submissions]
trial_games = 2
[rounds]
every = "1 day"
[season]
begins = 2027-01-15T08:00:00+00:00
[[mark]]
name = "good"
top = 0.5
[web]
port = 0
{more}
"""
GOOD = "from arena.client import run\nrun(lambda game: min({number}, len(game.actions) - 1))\n"
BROKEN = "raise SystemExit('it has no day')\n"
LOOKS = 5000
"""More than any of this takes."""


class Running:
    """A league in this process, whose clock is set by hand."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.folder, self.file, self.clock = folder, folder / "league.toml", BEGIN + 60
        self.said: list[str] = []
        self.service: Service | None = None
        self.write()
        with self.store() as store:
            store.add_member("ada")
            store.add_member("bob")

    def write(self, more: str = "", **changes: str) -> None:
        text = TEXT.format(more=more)
        for old, new in changes.items():
            text = text.replace(old, new)
        self.file.write_text(text)

    def store(self) -> LeagueStore:
        return LeagueStore(self.folder, lambda: self.clock)

    @contextmanager
    def runs(self) -> Iterator[Service]:
        with served(self.file, self.said.append, lambda: self.clock) as (service, _):
            self.service = service
            yield service

    def until(self, is_so: Callable[[], bool]) -> None:
        """Let it run until something is so."""
        assert self.service is not None
        for _ in range(LOOKS):
            self.service.tick()
            if is_so():
                return
            self.service.wait(0.05)
        raise AssertionError(f"it never came to be: {self.said}")

    def until_said(self, *texts: str) -> None:
        """Let it run until all of these were said since the last time."""
        self.until(lambda: all(any(text in said for said in self.said) for text in texts))
        self.said.clear()

    def until_shown(self, number: int) -> None:
        """Let a round be due, and wait for its pages."""
        self.clock = BEGIN + DAY * number
        site = self.folder / "seasons" / "season-1" / SITE / "index.html"
        before = site.stat().st_mtime_ns if site.exists() else 0
        self.until_said(f"round {number} is complete")
        self.until(lambda: site.exists() and site.stat().st_mtime_ns > before)

    def drop(self, name: str, text: str) -> None:
        made = self.folder / "drop" / name
        made.mkdir(parents=True, exist_ok=True)
        (made / ".bot.py").write_text(text)
        (made / ".bot.py").rename(made / "bot.py")

    def joined(self, name: str, number: int) -> None:
        """Have a bot in the league without its way there."""
        with self.store() as store:
            made = store.receive(name, "drop", f"digest-{name}-{number}")
            source = submission_folder(self.folder, made.id) / SOURCE
            source.mkdir(parents=True)
            (source / "bot.toml").write_text('name = "x"\ncommand = ["{python}", "./bot.py"]\nlanguage = "Python"\n')
            (source / "bot.py").write_text(GOOD.format(number=number))
            [found] = expand([str(source)]).found
            store.move(made.id, "joined", fingerprint=found.fingerprint)

    def chain(self) -> str:
        with self.store() as store:
            return "\n".join(store.chain.texts())

    def games(self) -> list[Any]:
        with Ledger.open(self.folder / "seasons" / "season-1") as ledger:
            return [(each.id, each.bots, each.ranks) for each in ledger.results()]


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


def test_the_file_may_change_and_a_wrong_one_leaves_what_held(league: Running) -> None:
    with league.runs() as service:
        for number in (3, 4):
            held = service.league.text
            league.write(more="nothing = of this")  # the very same text is refused each time that it is written
            league.until_said("what it said before holds")
            assert service.league.text == held
            assert "what it said before holds" in service.pages.facts.organiser.faults[0]
            league.write(**{"trial_games = 2": f"trial_games = {number}"})
            league.until_said("has changed: what it says holds from now on")
            assert service.pages.facts.organiser.faults == ()
            assert service.league.settings.submissions.trial_games == number
    settings = [json.loads(text)[3]["settings"] for text in league.chain().splitlines() if '"settings"' in text]
    assert ["trial_games = 3" in settings[1], "trial_games = 4" in settings[2]] == [True, True]


def test_a_file_with_other_line_ends_is_taken_once(league: Running) -> None:
    league.drop("ada", BROKEN)
    league.file.write_bytes(league.file.read_bytes().replace(b"\n", b"\r\n"))
    with league.runs() as service:
        taken = service._intake
        league.until_said("ada: submission 1 refused")
        assert service._intake is taken


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('game = "openspiel:leduc_poker"', 'game = "nope"', "nope"),
        ('players = "2"', 'players = "99"', "not within"),
        ('references = ["@random_bot"]', "references = []", "name one bot at least"),
        ('references = ["@random_bot"]', 'references = ["@random_bit"]', "random_bot"),
        ('references = ["@random_bot"]', 'references = ["gone.py"]', "gone.py"),
        ('references = ["@random_bot"]', 'references = ["a=@greedy", "a=@random_bot"]', "a"),
        ('references = ["@random_bot"]', 'references = ["ada=@greedy"]', "ada is a submitter"),
    ],
)
def test_a_file_that_asks_for_what_there_is_not_leaves_what_held(
    league: Running, old: str, new: str, said: str
) -> None:
    with league.runs() as service:
        held = service.league.text
        assert old in held
        league.write(**{old: new})
        league.until(lambda: any(said in each and "what it said before holds" in each for each in league.said))
        assert service.league.text == held


def test_what_games_are_played_by_is_fixed_with_the_first_round_of_a_season(league: Running) -> None:
    league.joined("ada", 1)
    league.joined("bob", 2)
    with league.runs() as service:
        service.tick()
        league.clock = BEGIN + DAY
        league.until_said("round 1 is complete")
        for change, said in (
            ({"move = 20": "move = 9"}, "its move is 20"),
            ({"leduc_poker": "kuhn_poker"}, "it plays openspiel:leduc_poker"),
            ({'every = "1 day"': "without_end = true"}, "its until is None"),
            ({"bank = 60": 'bank = 60\nnetwork = ["ada"]'}, "its network is for nobody"),
        ):
            league.write(**change)
            league.until_said(said)
            assert "another [season] name" in service.pages.facts.organiser.faults[0]
        league.write(**{"move = 20": "move = 9", "[season]": '[season]\nname = "next"'})
        league.until_said("what it says holds from now on")


def test_a_bot_that_may_use_the_network_may_join_later(league: Running) -> None:
    league.write(**{"bank = 60": 'bank = 60\nnetwork = ["bob"]'})
    league.joined("ada", 1)
    with league.runs() as service:
        service.tick()
        league.clock = BEGIN + DAY
        league.until_said("round 1 is complete")
        league.joined("bob", 2)
        league.clock = BEGIN + 2 * DAY
        league.until_said("round 2 is complete")


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


def test_a_submission_ends_by_the_file_by_which_it_began_and_the_next_one_does_not(league: Running) -> None:
    league.drop("ada", GOOD.format(number=1))
    with league.runs() as service:
        league.until(lambda: service._trials.child is not None)
        league.write(**{"trial_games = 2": "trial_games = 4"})
        league.until_said("has changed", "ada: submission 1 joined: 2 trial games")
        league.drop("bob", GOOD.format(number=1))
        league.until_said("bob: submission 2 joined: 4 trial games")


def test_a_file_that_is_wrong_for_its_repositories_leaves_all_of_what_held(league: Running) -> None:
    with league.runs() as service:
        held = service.league.text
        league.write(more='[[repository]]\nsubmitter = "ada"\nurl = "gopher://x"\n')
        league.until_said("what it said before holds")
        assert service.league.text == held
        league.write(more='[[repository]]\nsubmitter = "eve"\nurl = "https://localhost/x.git"\n')
        league.until(lambda: any("eve is no submitter" in each for each in service.pages.facts.organiser.faults))
        service.actions.organise("olga", OrganiserWish("pause", name="ada"))
        service.tick()
        assert service.pages.facts.members["ada"].waits_for == "an organiser, who has paused it"


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
