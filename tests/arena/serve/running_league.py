"""A league that runs in the process of a test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from arena.entrants import expand
from arena.ledger import Ledger
from arena.serve.intake.incoming import submission_folder
from arena.serve.intake.submissions import SOURCE
from arena.serve.rounds import SITE
from arena.serve.service import Service, served
from arena.serve.store import LeagueStore

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
