"""Play the rounds that are due, one after the other, each by `arena tournament`, and publish the pages after each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from arena.common.printable import counted
from arena.common.regular_files import write_atomic
from arena.serve.children import ARENA, Child, lanes
from arena.serve.marks import marks_csv
from arena.serve.rounds import FAIRNESS, FINAL, MARKS, SITE, Season
from arena.serve.schedule import missed
from arena.serve.season_pages import GamesShown
from arena.serve.stands import Stands
from arena.serve.store import LeagueRound, LeagueStore, Submission

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
    log: str
    words: tuple[str, ...]
    seconds: float
    output: Path | None = None
    noted: str = ""
    """Under what it is kept that this was done, if it is done once a season."""


class RoundLane:
    """The rounds of a season, one child process at a time."""

    def __init__(self, season: Season, store: LeagueStore, stands: Stands, say: Callable[[str], object]) -> None:
        """Take the season."""
        self._season, self._store, self._stands, self._say = season, store, stands, say
        self.child: Child | None = None
        self._follow: list[_Work] = []
        """What follows the round that ended: the first one is under way."""
        self._playing: LeagueRound | None = None
        self._attempts = 0
        self._began = store.now()
        self._waits_since: float | None = None
        self._waited_since: float | None = None
        """The same at the step before."""
        self._passed = 0.0
        """The last moment at which a round was due that nobody came to, whoever it waited for."""
        self._said = ""

    def rate(self) -> None:
        """Rate the bots of a round that has been played: it takes seconds, for which the state is not used."""
        what = self._playing
        if what is None or self.child is None or self._follow or self.child.poll() is None:
            return
        if not self._season.is_final(what) and self._season.is_complete(what):
            self._stands.rate(what)

    def step(self, now: float, may_begin: bool = True) -> None:
        """Begin or end what there is to begin or end. Never waits. `may_begin`: not while there is no room."""
        self._stands.waits_for = []
        self._waited_since, self._waits_since = self._waits_since, None
        if self.child is not None:
            if (code := self.child.poll()) is not None:
                child, self.child = self.child, None
                self._note_end(code, child, may_begin)
            return
        if not may_begin:
            return
        if self._follow:
            self._go_on()
            return
        if self._store.get("paused", False):
            return
        season = self._season
        if season.is_over:
            self._say_once(f"season {season.name} is over: another [season] name begins the next one")
            return
        season.go_on(now)
        last = season.last()
        if last is not None and last.outcome is None:
            if self._is_ready(now, season.staying(last), is_final=season.is_final(last)):
                self._play(last)
        elif last is not None and last.outcome == "complete" and self._store.get("shown") != _name(last):
            self._follow = self._following(last)
            self._go_on()
        elif last is not None and season.is_final(last):
            if last.outcome == "complete" or season.rules.final is None:
                self._end()
        elif (due := self._due(last, now)) is not None:
            came = [] if season.league.settings.rounds.without_end else season.waited_for(due)
            if self._is_ready(now, season.field(due), came):
                if season.present(due):
                    self._begin(season.next_round(due))
                else:
                    self._passed = due
        elif now >= season.ends:
            if season.rules.final is not None and (best := season.finalists(self._stands.order())):
                self._begin_final(best, now)
                return
            if season.rules.final is not None:
                self._say_once("there are too few bots for a final")
            self._end()

    def _begin_final(self, best: Mapping[str, int], now: float) -> None:
        """Begin the final as soon as the best are connected, or have been waited for and enough are."""
        season = self._season
        if not self._is_ready(now, best, is_final=True):
            return
        if not (field := season.finalists(self._stands.order(), are_present=True)):
            names = ", ".join(season.away(best))
            self._say_once(f"the final waits for {names}: too few are connected. Without `final`, the season ends")
            return
        self._store.put(f"season {season.name}", "final")
        self._begin(season.final(field))

    def _end(self) -> None:
        """End the season, after its pages were written with all that is shown from now on, such as its seeds."""
        season = self._season
        last, noted = self._store.last_round(season.name), f"pages of {season.name}"
        if last is not None and not self._store.get(noted):
            self._follow = [self._publishing(last, "now", noted)]
            self._go_on()
        else:
            season.end(season.name)

    def _begin(self, what: LeagueRound) -> None:
        if what.field:
            self._store.begin_round(what, self._season.marks_before(what))
            name = "the final" if self._season.is_final(what) else f"round {what.number}"
            away = "".join(f"; {each} is not connected" for each in self._season.away(self._season.field(what.due)))
            self._say(f"{name} begins with {counted(len(what.field), 'submitted bot')}{away}")
            self._play(what)

    def _due(self, last: LeagueRound | None, now: float) -> float | None:
        """Return the moment of the next round if it has come. None: none is due."""
        season, rules = self._season, self._season.league.settings.rounds
        if now < season.begins:
            return None
        if rules.without_end:
            if now >= season.ends or not (field := season.present(now)):
                return None
            if last is not None and last.outcome != "complete":
                return None if 0 <= now - (last.ended or 0.0) < rules.wait_minutes * 60 else now
            return None if last is not None and field == last.field and season.is_resolved() else now
        if last is not None and last.due > now:
            self._say_once(f"the clock was ahead in round {last.number}: those that are due by what it says now follow")
        for due in missed(rules, season.begins, season.due_since(last, now), min(now, season.ends)):
            if season.present(due) or (due > self._passed and season.waited_for(due)):
                return due
        return None  # nobody has come so far

    def _is_ready(
        self, now: float, field: Mapping[str, int], came: Sequence[Submission] = (), *, is_final: bool = False
    ) -> bool:
        """Return whether nothing has to be waited for any more: no submission that came in time, and no bot elsewhere.

        Bots elsewhere are waited for before the final, and when the league has just begun and they are coming back.
        """
        most = self._season.league.settings.rounds.wait_minutes * 60
        away = self._season.away(field) if is_final or abs(now - self._began) < most else []
        if not came and not away:
            return True
        since = now if self._waited_since is None else self._waited_since
        if (is_waiting := abs(now - since) < most) or is_final:  # the clock may be set back
            self._waits_since = since
        if is_waiting:
            self._stands.waits_for = [each.id for each in came]
            if away:
                self._say_once(f"waiting until they are connected: {', '.join(away)}")
            return False
        if came:
            names = ", ".join(sorted({each.submitter for each in came}))
            self._say(f"the round waits no longer for submissions of {names}: they play in a later one")
        return True

    def _play(self, what: LeagueRound) -> None:
        season = self._season
        plan = season.write_plan(what, is_again=self._attempts > 0)
        words = [*ARENA, "tournament", "--plan", str(plan), "--trust-plan", "--quiet"]
        league, cores = season.league, None
        if league.plan.cluster is None:  # which has as many cores as it has
            _, cores = lanes(league.settings.submissions.cores)
            words += ["--jobs", str(len(cores or [0]))]
        log = plan.with_suffix(".log")
        self.child = Child(words, league.folder, log, _ROUND_SECONDS, league.environment, cores=cores)
        self._playing = what

    def _note_end(self, code: int, child: Child, may_begin: bool) -> None:
        what = self._season.last()
        assert what is not None
        if self._follow:
            if code and not may_begin:
                return  # the disk is full: it is done again when it is not
            work = self._follow.pop(0)
            if code:
                self._say(f"{work.name} ended early: {child.last_lines(3) or child.reason}")
                if work.output is not None:
                    work.output.unlink(missing_ok=True)
            elif work.output is not None:
                work.output.replace(work.output.with_suffix(""))
            if work.noted:
                self._store.put(work.noted, True)
            elif not self._follow:
                self._store.put("shown", _name(what))
            return
        is_final = self._season.is_final(what)
        name = "the final" if is_final else f"round {what.number}"
        before = self._season.marks_before(what)
        if self._season.is_complete(what):
            self._attempts = 0
            found = before if is_final else self._stands.marks(what)
            table = marks_csv(self._season.league.settings.marks, found)
            write_atomic(self._season.folder / MARKS, table.encode())
            self._store.end_round(what.season, what.number, "complete", self._stands.games(), found, before)
            self._say(f"{name} is complete")
            return
        self._attempts += may_begin  # else the disk may be full
        if self._attempts >= _ATTEMPTS:
            self._attempts = 0
            why = child.last_lines(3) or child.reason
            games = self._stands.games()
            self._store.end_round(what.season, what.number, f"not complete: {why}", games, before, before)
            self._say(f"{name} could not be completed: {why}")

    def _publishing(self, what: LeagueRound, games: GamesShown, noted: str = "") -> _Work:
        season, name = self._season, self._season.league.settings.name
        folder, site, title = season.place(what), season.folder / SITE, f"{name}, {season.name}"
        if season.is_final(what):
            site, title = site / FINAL, f"{title}: final"
        words = (ARENA[0], "-m", "arena.serve.season_pages", str(folder), str(site), title, games)
        return _Work("publishing the pages", "publish", words, _PUBLISH_SECONDS, noted=noted)

    def _following(self, what: LeagueRound) -> list[_Work]:
        season, league, folder = self._season, self._season.league, self._season.place(what)
        if season.is_final(what):  # it is shown when the season is over
            return [self._publishing(what, "now")]
        games: GamesShown = "live" if league.settings.web.replays == "at once" else "later"
        fair = (*ARENA, "report", str(folder), "--fair", "--json", "--ask", str(folder / "answers.json"))
        apart = ("--isolation", league.plan.isolation.level)
        looking = _Work("looking for copies", "report", (*fair, *apart), _FAIR_SECONDS, folder / f"{FAIRNESS}.new")
        return [self._publishing(what, games), looking]

    def _go_on(self) -> None:
        """Begin what is next of what follows a round."""
        work, league = self._follow[0], self._season.league
        log = self._season.folder.with_name(f"{work.log}.log")
        self.child = Child(work.words, league.folder, log, work.seconds, league.environment, output=work.output)

    def _say_once(self, text: str) -> None:
        if text != self._said:
            self._said = text
            self._say(text)


def _name(what: LeagueRound) -> str:
    return f"{what.season}, {what.number}"
