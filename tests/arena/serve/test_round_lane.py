"""Rounds, finals and seasons as they are played, by a clock that stands still while they are."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from arena.entrants import expand
from arena.ledger import Ledger
from arena.serve import LeagueError, round_lane, rounds
from arena.serve.children import Child
from arena.serve.intake.archives import UnpackBounds, unpack
from arena.serve.intake.incoming import submission_folder
from arena.serve.intake.submissions import SOURCE
from arena.serve.league import League, read_league
from arena.serve.round_lane import RoundLane
from arena.serve.rounds import Season
from arena.serve.stands import Stands
from arena.serve.store import LeagueStore

pytestmark = [pytest.mark.process, pytest.mark.slow]
BOTS = Path(__file__).parents[3] / "bots"
BEGIN = datetime(2026, 9, 1, tzinfo=UTC)
TEXT = """
name = "test"
remote = {{ allowed = true }}
references = ["@random_bot"]
[plan]
game = "kosmos"
edition = "nim"
players = "2"
isolation = "none"
seed = 0
[rounds]
{rounds}
[season]
begins = 2026-09-01T00:00:00Z
{season}
[[mark]]
name = "best"
top = 0.5
"""


class Followed:
    """Ends at once, in the place of what follows a round."""

    reason = ""

    def __init__(self, output: Path | None) -> None:
        if output is not None:
            output.write_text("{}")

    def poll(self) -> int:
        return 0

    def wait(self, seconds: float) -> int:
        return 0


class PlayedLeague:
    """A league with a clock of its own, in which bots join without a trial."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.now, self.said = folder, BEGIN.timestamp(), []
        self.store = LeagueStore(folder, lambda: self.now)
        self.take()

    def take(self, season: str = "", rounds: str = 'every = "1 h"') -> None:
        """Begin with what the file says now, as a process that begins does."""
        file = self.folder / "league.toml"
        file.write_text(TEXT.format(rounds=rounds, season=season))
        league = read_league(file)
        self.season = Season(league, self.store)
        self.lane = RoundLane(self.season, self.store, self.stands, self.said.append)

    @property
    def stands(self) -> Stands:
        return Stands(self.season, self.store)

    def join(self, name: str, bot: str = "greedy", *, text: str = "") -> int:
        """Let a bot join: a packaged one, changed so that it is another version, or one with this text."""
        if name not in {each.name for each in self.store.members()}:
            self.store.add_member(name)
        number = self.store.receive(name, "upload", "").id
        source = submission_folder(self.folder, number) / SOURCE
        source.parent.mkdir(parents=True)
        file = self.folder / "bot.py"
        file.write_text(text or (BOTS / f"{bot}.py").read_text() + f"\n# {name} {number}\n")
        unpack(file, source, UnpackBounds(10**7, 100))
        [entrant] = expand([source]).found
        self.store.move(number, "joined", fingerprint=entrant.fingerprint)
        return number

    def step(self) -> None:
        self.lane.step(self.now)
        if self.lane.child is not None:
            assert self.lane.child.wait(300) is not None
            self.lane.step(self.now)

    def go_on(self, hours: float = 0.0) -> list[tuple[int, str | None]]:
        """Let time pass, do all that there is to do, and return the rounds."""
        for _ in range(round(hours * 4)):
            self.now += 900
            self._do_all()
        self._do_all()
        return [(each.number, each.outcome) for each in self.store.rounds(self.season.name)]

    def _do_all(self) -> None:
        while True:
            before = self.store.chain.length(), self.said[:]
            self.step()
            if (self.store.chain.length(), self.said) == before and self.lane.child is None and not self.lane._attempts:
                return

    def ledger(self, *place: str) -> Ledger:
        return Ledger.open(self.season.folder.joinpath(*place))

    def games(self) -> int:
        with self.ledger() as ledger:
            return len(ledger.ids())

    def field(self) -> list[str]:
        with self.ledger() as ledger:
            return ledger.field()


@pytest.fixture
def league(tmp_path, monkeypatch):
    def child(words, *given, output=None, cores=None):
        return Child(words, *given, output=output, cores=cores) if "tournament" in words else Followed(output)

    monkeypatch.setattr(round_lane, "Child", child)
    folder = tmp_path / "league"
    folder.mkdir()
    made = PlayedLeague(folder)
    with made.store:
        yield made


COMPLETE = "complete"
CRASHES = "import sys; sys.exit(1)\n"


def test_a_round_is_a_block_of_each_whoever_joins_and_leaves(league):
    assert league.go_on(2) == []  # nobody has come
    league.join("ada")
    assert league.go_on(1) == [(1, COMPLETE)]
    assert league.games() == 2
    league.join("bob")
    league.join("eve")
    assert league.go_on(1)[-1] == (2, COMPLETE)
    assert league.field() == ["ada", "bob", "eve", "random_bot"]
    joined = league.games()
    league.go_on(1)
    assert league.games() - joined == 4  # each has a block at two players: four bots, two in each game
    league.store.set_member("ada", "eve", paused=True)
    league.go_on(1)
    assert (league.field(), league.games()) == (["ada", "bob", "random_bot"], joined + 8)
    assert {outcome for _, outcome in league.go_on()} == {COMPLETE}


def test_a_round_has_the_blocks_that_were_asked_for_when_it_began(league):
    league.join("ada")
    league.take(rounds='every = "1 h"\nblocks = 2')
    league.go_on(1)
    assert league.games() == 4
    league.take(rounds='every = "1 h"\nblocks = 1')
    league.go_on(2)
    assert league.games() == 8
    assert [(each.blocks, each.target) for each in league.store.rounds("season-1")] == [(2, 2), (1, 3), (1, 4)]


def test_two_with_the_same_files_play_as_two_bots(league):
    league.join("ada")
    league.go_on(2)
    files = submission_folder(league.folder, 1) / SOURCE / "bot.py"
    league.join("bob", text=files.read_text())
    assert league.go_on(1)[-1] == (3, COMPLETE)
    assert league.field() == ["ada", "bob", "random_bot"]
    assert league.games() == 2 * 2 + 3 * 2


def test_who_is_left_out_keeps_the_version_before_and_the_round_is_complete(league):
    league.join("ada")
    league.go_on(2)
    league.join("ada", text=CRASHES)
    league.join("bob", text=CRASHES)
    assert league.go_on(1)[-1] == (3, COMPLETE)
    assert (league.field(), league.games()) == (["ada", "random_bot"], 6)
    assert league.go_on(1)[-1] == (4, COMPLETE)
    assert (league.field(), league.games()) == (["ada", "random_bot"], 8)
    league.join("bob")
    assert league.go_on(1)[-1] == (5, COMPLETE)
    assert league.field() == ["ada", "bob@2", "random_bot"]


def test_a_round_that_cannot_be_played_is_told_and_can_be_played_again(league):
    league.join("ada")
    league.go_on(1)
    marks = league.store.marks("season-1", 1)
    (submission_folder(league.folder, 1) / SOURCE).rename(league.folder / "away")
    [_, (number, outcome)] = league.go_on(1)
    assert (number, outcome[:14]) == (2, "not complete: ")
    assert league.store.marks("season-1", 2) == marks  # nobody loses one by that
    (league.folder / "away").rename(submission_folder(league.folder, 1) / SOURCE)
    league.store.reopen_round("season-1", 2, "eve")
    assert league.go_on() == [(1, COMPLETE), (2, COMPLETE)]
    assert league.games() == 4


def test_rounds_without_end_stop_when_the_order_is_known_and_go_on_with_a_newcomer(league, monkeypatch):
    league.take(rounds="without_end = true")
    league.join("ada")
    league.now += 1
    for _ in range(6):
        league.step()
    assert [each.outcome for each in league.store.rounds("season-1")] == [COMPLETE] * 2  # one after the other
    with league.ledger() as ledger:
        assert ledger.settings.options == {"until": "resolved"}
    assert not league.season.is_resolved()
    monkeypatch.setattr(Season, "is_resolved", lambda season: True)
    rounds = league.go_on(1)
    league.join("bob")
    league.now += 1
    assert len(league.go_on()) == len(rounds) + 1
    assert league.field() == ["ada", "bob", "random_bot"]


def test_rounds_without_end_pause_if_one_could_not_be_played(league):
    league.take(rounds="without_end = true\nwait_minutes = 20")
    league.join("ada")
    (submission_folder(league.folder, 1) / SOURCE).rename(league.folder / "away")
    assert len(league.go_on(0.25)) == 1
    assert len(league.go_on(0.25)) == 1
    assert len(league.go_on(0.25)) == 2


def test_a_submission_after_the_freeze_plays_in_the_next_season(league):
    season = "freezes = 2026-09-01T00:30:00Z\nends = 2026-09-01T02:30:00Z"
    league.take(season)
    early = league.join("ada")
    league.now += 2000
    assert not league.season.is_late(league.store.submissions()[0])
    late = league.join("ada")
    assert league.season.is_parted(*(each.received for each in league.store.submissions()))
    league.go_on(3)
    assert [each.field for each in league.store.rounds("season-1")] == [{"ada": early}] * 2
    assert league.season.is_over
    waits = league.stands.facts(league.now).members["ada"].waits_for
    assert waits == "the next season: submission 2 came when those for this one were closed"
    league.take('name = "spring"')
    league.go_on(1)
    assert league.store.rounds("spring")[0].field == {"ada": late}


def test_the_best_play_a_final_and_then_the_season_is_only_read(league):
    league.take('ends = 2026-09-01T01:30:00Z\nfinal = "groups+knockout"\nfinalists = 3')
    for name, bot in (("ada", "greedy"), ("bob", "greedy"), ("eve", "random_bot"), ("kim", "greedy")):
        league.join(name, bot)
    league.go_on(1)
    assert league.store.get("season season-1") == "begun"
    order = league.stands.order()
    league.go_on(1)
    [final] = league.store.rounds("season-1/final")
    assert (final.number, final.outcome, sorted(final.field)) == (2, COMPLETE, sorted(order[:3]))
    with league.ledger("final") as ledger:
        assert sorted(each.bot for each in ledger.settings.placings) == sorted(order[:3])
        assert ledger.settings.format == "groups+knockout"
    assert league.season.is_over
    assert not [each for each in league.season.folder.rglob("*") if each.stat().st_mode & 0o222]
    assert (league.season.folder / "marks.csv").read_text().count("\n") == 5
    chain = league.store.chain.head()
    league.go_on(2)
    assert league.store.chain.head() == chain
    assert league.said[-1] == "season season-1 is over: another [season] name begins the next one"


@pytest.fixture
def here(league, monkeypatch):
    """Whose bots elsewhere are connected: in these tests they play here, whoever they are."""
    found = {"ada": "", "bob": ""}
    monkeypatch.setattr(rounds, "connected", lambda league: found)
    monkeypatch.setattr(Season, "remote", lambda season, field: [name for name in field if name in ("ada", "bob")])
    monkeypatch.setattr(League, "remote_plan", lambda league, names, *, is_round: {})
    return found


@pytest.mark.parametrize("is_back", [True, False])
def test_a_final_waits_for_bots_elsewhere_that_were_away_when_it_was_due(league, here, monkeypatch, is_back):
    season = 'ends = 2026-09-01T01:30:00Z\nfinal = "knockout"\nfinalists = 2'
    league.take(season)
    order = ["ada", "bob", "eve", "kim"]
    for name in order:
        league.join(name)
    league.go_on(1.25)
    monkeypatch.setattr(Stands, "order", lambda stands: order)
    here.clear()
    league.now += 1800
    league.take(season)  # as after a reboot
    league.step()
    league.now += 300
    league.step()
    assert not league.season.is_over
    assert not league.store.rounds("season-1/final")
    if is_back:
        here.update(ada="", bob="")
    league.now += 300
    league.go_on()
    [final] = league.store.rounds("season-1/final")
    assert (set(final.field), final.outcome) == ({"ada", "bob"} if is_back else {"eve", "kim"}, COMPLETE)


def test_a_final_is_not_given_up_because_its_bots_are_away(league, here):
    league.take('ends = 2026-09-01T01:30:00Z\nfinal = "knockout"')
    league.join("ada")
    league.join("bob")
    league.go_on(1.25)
    here.clear()
    league.go_on(2)
    assert not league.season.is_over
    assert not league.store.rounds("season-1/final")
    assert "the final waits for ada, bob: too few are connected. Without `final`, the season ends" in league.said
    here.update(ada="", bob="")
    league.go_on()
    assert [each.outcome for each in league.store.rounds("season-1/final")] == [COMPLETE]
    assert league.season.is_over


def test_rounds_that_were_missed_wait_until_bots_elsewhere_are_back(league, here):
    league.join("ada")
    league.join("bob")
    league.go_on(1)
    here.clear()
    league.now += 7200
    league.take()
    league.go_on()
    here["ada"] = ""
    assert league.go_on() == [(1, COMPLETE)]
    here["bob"] = ""
    league.go_on(0.5)
    assert [set(each.field) for each in league.store.rounds("season-1")] == [{"ada", "bob"}] * 3


def test_a_final_is_played_by_the_version_before_if_the_newest_was_left_out(league):
    league.take('ends = 2026-09-01T02:30:00Z\nfinal = "knockout"')
    playing = {name: league.join(name) for name in ("ada", "bob")}
    league.go_on(1.5)
    league.join("ada", text=CRASHES)
    league.go_on(1.25)
    assert [(each.field, each.outcome) for each in league.store.rounds("season-1/final")] == [(playing, COMPLETE)]


def test_a_final_goes_on_without_a_finalist_who_was_removed(league):
    league.take('ends = 2026-09-01T01:30:00Z\nfinal = "knockout"')
    for name in ("ada", "bob", "eve"):
        league.join(name)
    league.go_on(1.25)
    league.now += 1800
    while not league.store.rounds("season-1/final"):
        league.lane.step(league.now)
    while not (league.season.folder / "final" / "ledger.sqlite").is_file():
        assert league.lane.child.wait(0.01) is None
    league.lane.child.end()
    league.store.set_member("kim", "ada", removed=True)
    league.take('ends = 2026-09-01T01:30:00Z\nfinal = "knockout"')
    league.go_on(0.25)
    assert [each.outcome for each in league.store.rounds("season-1/final")] == [COMPLETE]
    with league.ledger("final") as ledger:
        assert ledger.field() == ["bob", "eve"]
        assert {each.bot for each in ledger.settings.placings[:2]} == {"bob", "eve"}


def test_a_league_that_is_paused_ends_no_season(league):
    league.take("ends = 2026-09-01T01:30:00Z\nhidden_from = 2026-09-01T01:00:00Z")
    league.join("ada")
    league.go_on(1.25)
    league.store.put("paused", True)
    league.go_on(1)
    assert (league.season.is_over, league.season.is_hidden(league.now)) == (False, True)
    league.store.put("paused", False)
    league.go_on(0.25)
    assert (league.season.is_over, league.season.is_hidden(league.now)) == (True, False)


def test_too_few_for_a_final_end_the_season_without_one(league):
    league.take('ends = 2026-09-01T01:30:00Z\nfinal = "knockout"')
    league.join("ada")
    league.go_on(2)
    assert (league.season.is_over, league.store.rounds("season-1/final")) == (True, [])
    assert "there are too few bots for a final" in league.said


def test_a_season_begins_anew_or_goes_on_with_the_games_of_another(league):
    league.join("ada")
    league.go_on(1)
    league.take('name = "anew"')
    league.go_on(1)
    assert league.games() == 2
    assert [league.store.get(f"season {name}") for name in ("season-1", "anew")] == ["over", "begun"]
    league.take('name = "more"\ncontinues = "anew"')
    league.go_on(1)
    assert league.games() == 4
    assert [(each.number, each.target) for each in league.store.rounds("more")] == [(1, 2)]
    with pytest.raises(LeagueError, match=r"season\.continues: there is no season 'lost'"):
        league.take('name = "other"\ncontinues = "lost"')


def test_a_season_goes_on_with_marks_and_games_of_one_that_was_stopped_in_a_round(league):
    league.join("ada")
    league.join("bob", "random_bot")
    league.go_on(1)
    games, marks = league.games(), {"ada": ["best"], "bob": []}
    league.store.end_round("season-1", 1, COMPLETE, games, marks)
    for season in ("season-1", "two", "three"):
        if season != "season-1":
            league.take(f'name = "{season}"\ncontinues = "{league.season.name}"')
        league.join("eve", "random_bot")
        for _ in range(1 if season == "season-1" else 2):  # a season is seen, then its round is due
            league.now += 3600
            league.lane.step(league.now)
        league.lane.child.end()
    what = league.season.last()
    assert (what.number, what.outcome) == (1, None)
    assert league.season.marks_before(what) == marks
    assert league.season.earlier().games == what.games == games > 0


def test_the_final_table_is_that_of_a_league_that_was_not_killed(league):
    assert league.go_on() == []
    league.join("ada")
    league.now += 3600
    league.lane.step(league.now)
    league.lane.child.end()  # as it is killed with its parent
    league.take()
    assert league.go_on() == [(1, COMPLETE)]
    assert league.games() == 2


def test_a_round_that_nobody_came_to_in_time_waits_once(league):
    league.join("ada")
    league.go_on(1)
    league.store.set_member("eve", "ada", paused=True)
    league.take('name = "two"\ncontinues = "season-1"')
    league.store.add_member("bob")
    number = league.store.receive("bob", "upload", "").id
    assert league.go_on(3.75) == []  # rounds are due after 1 h, 2 h and 3 h
    waited = "the round waits no longer for submissions of bob: they play in a later one"
    assert league.said.count(waited) == 3
    assert not list(league.season.folder.glob("*"))
    league.store.set_member("eve", "ada", paused=False)
    league.store.move(number, "withdrawn")
    assert league.go_on(1)[-1][1] == COMPLETE


def test_rounds_go_on_when_a_clock_that_was_ahead_is_set_back(league):
    league.join("ada")
    league.go_on(1)
    right = league.now
    league.now += 400 * 86_400
    ahead = league.go_on(0.25)
    league.now = right
    assert league.go_on(0.5) == ahead
    assert f"the clock was ahead in round {len(ahead)}: those that are due by what it says now follow" in league.said
    assert league.go_on(0.75) == [*ahead, (len(ahead) + 1, COMPLETE)]
    assert league.store.rounds("season-1")[-1].due == right + 3600
    assert len(league.go_on(1)) == len(ahead) + 2


def test_a_round_that_is_due_says_what_it_waits_for(league):
    league.join("ada")
    league.store.add_member("bob")
    number = league.store.receive("bob", "upload", "").id
    league.go_on()
    league.now += 3600
    said = []
    for state in ("unpacked", "withdrawn"):
        league.lane.step(league.now)
        said.append(league.lane._stands.facts(league.now).public.league.waits_for)
        league.store.move(number, state)
    league.step()
    assert said == [[number], [number]]
    assert league.lane._stands.facts(league.now).public.league.waits_for == []
    assert league.store.rounds("season-1")[-1].field == {"ada": 1}
