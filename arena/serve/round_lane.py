"""Play the rounds that are due, one after the other, each by `arena tournament`, and publish the pages after each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from arena.serve.children import ARENA, Child
from arena.serve.rounds import FAIRNESS, SITE, Season
from arena.serve.schedule import missed
from arena.serve.stands import Stands
from arena.serve.store import LeagueRound, LeagueStore

_ROUND_SECONDS: Final = 7 * 86_400.0
"""The most that a round may take."""
_PUBLISH_SECONDS: Final = 3600.0
_FAIR_SECONDS: Final = 300.0
"""For asking bots: those that are left are asked after the next round."""
_ATTEMPTS: Final = 3
"""How often a round is begun if its games cannot all be played, before organisers are told."""


class _Work(NamedTuple):
    """What follows a round."""

    name: str
    words: tuple[str, ...]
    seconds: float
    output: Path | None = None


class RoundLane:
    """The rounds of a season, one child process at a time."""

    def __init__(
        self, season: Season, store: LeagueStore, stands: Stands, say: Callable[[str], object], jobs: int
    ) -> None:
        """Take the season. `jobs`: how many cores rounds may use."""
        self._season, self._store, self._stands, self._say, self._jobs = season, store, stands, say, jobs
        self.child: Child | None = None
        self._follow: list[_Work] = []
        """What follows the round that ended: the first one is under way."""
        self._attempts = 0
        self._waits_since: float | None = None

    def step(self, now: float) -> None:
        """Begin or end what there is to begin or end. Never waits."""
        if self.child is not None:
            if (code := self.child.poll()) is not None:
                child, self.child = self.child, None
                self._note_end(code, child)
            return
        if self._follow:
            self._go_on()
            return
        rounds = self._store.rounds(self._season.name)
        if rounds and rounds[-1].outcome is None:
            self._play(rounds[-1])
        elif (due := self._due(rounds, now)) is not None and self._is_ready(due, now):
            what = self._season.next_round(due)
            if what.field:
                self._store.begin_round(what)
                away = "".join(f"; {name} is not connected" for name in self._season.away(due))
                self._say(f"round {what.number} begins with {len(what.field)} submitted bots{away}")
                self._play(what)

    def _due(self, rounds: list[LeagueRound], now: float) -> float | None:
        """Return the moment of the next round if it has come. None: none is due."""
        rules, begins, ends = self._season.league.settings.rounds, self._season.begins, self._season.ends
        if now < begins:
            return None
        if rules.without_end:
            due = (rounds[-1].ended or now) if rounds else now
            return due if due < ends else None
        for due in missed(rules, begins, rounds[-1].due if rounds else None, min(now, ends)):
            if self._season.field(due) or self._season.waited_for(due):
                return due
        return None  # nobody has come so far

    def _is_ready(self, due: float, now: float) -> bool:
        """Return whether nothing has to be waited for any more."""
        if not (waited := self._season.waited_for(due)):
            self._waits_since = None
            return True
        if self._waits_since is None:
            self._waits_since = now
        if now - self._waits_since < self._season.league.settings.rounds.wait_minutes * 60:
            return False
        names = ", ".join(sorted({each.submitter for each in waited}))
        self._say(f"the round waits no longer for submissions of {names}: they play in a later one")
        self._waits_since = None
        return True

    def _play(self, what: LeagueRound) -> None:
        season = self._season
        plan = season.write_plan(what)
        words = [*ARENA, "tournament", "--plan", str(plan), "--trust-plan", "--quiet", "--jobs", str(self._jobs)]
        self.child = Child(words, season.league.folder, season.folder.parent / f"{season.name}.log", _ROUND_SECONDS)

    def _note_end(self, code: int, child: Child) -> None:
        if self._follow:
            work = self._follow.pop(0)
            if code:
                self._say(f"{work.name} ended early: {child.last_lines(3) or child.reason}")
            elif work.output is not None:
                work.output.replace(work.output.with_suffix(""))
            return
        [*_, what] = self._store.rounds(self._season.name)
        if self._season.is_complete(what):
            self._attempts = 0
            found = self._stands.marks(what)
            self._store.end_round(what.season, what.number, "complete", self._stands.games(), found)
            self._say(f"round {what.number} is complete")
            self._follow = self._following()
            return
        self._attempts += 1
        if self._attempts >= _ATTEMPTS:
            self._attempts = 0
            why = child.last_lines(3) or child.reason
            self._store.end_round(what.season, what.number, f"not complete: {why}", self._stands.games(), {})
            self._say(f"round {what.number} could not be completed: {why}")

    def _following(self) -> list[_Work]:
        folder, league = self._season.folder, self._season.league
        title = f"{league.settings.name}, {self._season.name}"
        publish = ("publish", str(folder), "--to", str(folder / SITE), "--title", title, "--quiet")
        fair = ("report", str(folder), "--fair", "--json", "--ask", str(folder / "answers.json"))
        apart = ("--isolation", league.plan.isolation.level)
        return [
            _Work("publishing the pages", publish, _PUBLISH_SECONDS),
            _Work("looking for copies", (*fair, *apart), _FAIR_SECONDS, folder / f"{FAIRNESS}.new"),
        ]

    def _go_on(self) -> None:
        """Begin what is next of what follows a round."""
        work, base = self._follow[0], self._season.folder.parent
        log = base / f"{work.words[0]}.log"
        words = [*ARENA, *work.words]
        self.child = Child(words, self._season.league.folder, log, work.seconds, output=work.output)
