"""Rounds, finals and seasons as they are played, by a clock that stands still while they are."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from arena.entrants import expand
from arena.ledger import Ledger
from arena.serve.intake.archives import UnpackBounds, unpack
from arena.serve.intake.incoming import submission_folder
from arena.serve.intake.submissions import SOURCE
from arena.serve.league import read_league
from arena.serve.round_lane import RoundLane
from arena.serve.rounds import Season
from arena.serve.stands import Stands
from arena.serve.store import LeagueStore

pytestmark = [pytest.mark.process]
BOTS = Path(__file__).parents[3] / "bots"
BEGIN = datetime(2026, 9, 1, tzinfo=UTC)
TEXT = """
name = "test"
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
        self.lane = RoundLane(self.season, self.store, self.stands, self.said.append, 2)

    @property
    def stands(self) -> Stands:
        return Stands(self.season, self.store)

    def join(self, name: str, bot: str = "greedy", *, more: str = "") -> int:
        """Let a bot join, of which the text is changed."""
        if name not in {each.name for each in self.store.members()}:
            self.store.add_member(name)
        number = self.store.receive(name, "upload", "").id
        source = submission_folder(self.folder, number) / SOURCE
        source.parent.mkdir(parents=True)
        file = self.folder / "bot.py"
        file.write_text((BOTS / f"{bot}.py").read_text() + f"\n# {name} {number}\n{more}")
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
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "league"
    folder.mkdir()
    made = PlayedLeague(folder)
    with made.store:
        yield made


def test_a_round_is_a_block_of_each_whoever_joins_and_leaves(league):
    assert league.go_on(2) == []
    league.join("ada")
    assert league.go_on(1) == [(1, "complete")]
    assert league.games() == 2
    assert league.go_on(1)[-1] == (2, "complete")
    assert league.games() == 4
    league.join("bob")
    league.join("eve")
    league.go_on(1)
    assert league.field() == ["ada", "bob", "eve", "random_bot"]
    joined = league.games()
    league.go_on(1)
    assert league.games() - joined == 4  # each has a block at two players: four bots, two in each game
    league.store.set_member("ada", "eve", paused=True)
    league.go_on(1)
    assert league.field() == ["ada", "bob", "random_bot"]
    assert {each.outcome for each in league.store.rounds("season-1")} == {"complete"}
