"""Run the commands of a league's hooks.

What has happened is read from the league's state, and how far that was sent is kept in a file. So an event of which the
command was under way when the league ended is sent again, and none is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, Final

import msgspec

from arena.common.printable import printable
from arena.common.regular_files import read_regular, write_atomic
from arena.serve.league import League
from arena.serve.store import LeagueStore, SubmissionStep
from arena.tournament.hooks.commands import LEAGUE_EVENTS
from arena.tournament.hooks.events import HookEvent, HookLeague, LeagueEvent, MarkEvent, SeasonEvent, SubmissionEvent
from arena.tournament.hooks.runner import HookRunner

FILE: Final = "hooks.json"
_MOST: Final = 50
"""Events that are submitted at once: further ones wait in the state of the league."""


class LeagueHooks:
    """Sends what happens in a league, in the order in which it does."""

    def __init__(self, league: League, store: LeagueStore, say: Callable[[str], None]) -> None:
        """Begin where an earlier process was, or with what happens from now on."""
        self._league, self._store, self._runner = league, store, None
        self._file = league.folder / FILE
        if league.hooks is None or not (commands := league.hooks.commands(LEAGUE_EVENTS)):
            self._file.unlink(missing_ok=True)
            return
        self._sent = store.counts()
        with suppress(OSError, ValueError):
            self._sent |= msgspec.json.decode(read_regular(self._file, 1000), type=dict[str, int])
        with suppress(OSError):  # before the first event, which may be under way when the league ends
            write_atomic(self._file, msgspec.json.encode(self._sent))
        self._is_sending = self._is_closed = False
        self._runner = HookRunner(commands, league.hooks.place(), league.hooks.timeout, say)

    def look(self) -> None:
        """Submit what has happened, as soon as all is sent that was submitted. Never waits."""
        if self._runner is None or self._is_sending:
            return
        steps = self._store.steps_since(self._sent["steps"], _MOST)
        whose = {each.id: each.submitter for each in self._store.submissions()} if steps else {}
        found = [("steps", n, [self._of_step(whose[step.submission], step)]) for n, step in steps]
        for n, entry in self._store.entries_since(self._sent["entries"], _MOST):
            found.append(("entries", n, self._of_entry(*entry)))
        if found:
            self._is_sending = self._runner.submit(lambda: self._sending(found))

    def close(self) -> None:
        """End the command that runs: its event is sent again by the next process."""
        if self._runner is not None:
            self._is_closed = True
            self._runner.kill()

    def _sending(self, found: list[tuple[str, int, list[HookEvent]]]) -> Iterator[HookEvent]:
        """Generate events, and note how far they were sent when the command of each has ended."""
        try:
            for kind, number, events in found:
                yield from events
                if self._is_closed:
                    return
                self._sent[kind] = number
                if events:
                    write_atomic(self._file, msgspec.json.encode(self._sent))
            write_atomic(self._file, msgspec.json.encode(self._sent))
        finally:
            self._is_sending = False

    def _of_step(self, submitter: str, step: SubmissionStep) -> HookEvent:
        number, state = step.submission, step.state
        text = f"{submitter}: submission {number} {state}"
        said: dict[str, Any] = {"submission": number, "submitter": submitter, "state": state, "about": step.text}
        return self._event(SubmissionEvent, text, **said)

    def _of_entry(self, what: str, who: str, moment: float, facts: dict[str, Any]) -> list[HookEvent]:
        if what == "round ended":
            return [self._of_marks(facts["number"], *change) for change in facts["marks"].items()]
        states = {key.removeprefix("season "): state for key, state in facts.items() if key.startswith("season ")}
        if what != "put" or not states:
            return []
        [(season, state)] = states.items()
        words = {"begun": "has begun", "frozen": "takes no more submissions", "final": "has its final"}
        return [self._event(SeasonEvent, f"season {season} {words.get(state, 'is over')}", season, state=state)]

    def _of_marks(self, number: int, submitter: str, changes: list[list[str]]) -> HookEvent:
        came, gone = changes
        words = [f"{name} {', '.join(those)}" for name, those in (("now has", came), ("has lost", gone)) if those]
        text = f"{submitter} {' and '.join(words)} after round {number}"
        return self._event(MarkEvent, text, submitter=submitter, round=number, came=came, gone=gone)

    def _event(self, kind: type[LeagueEvent], text: str, season: str | None = None, **said: Any) -> HookEvent:
        settings = self._league.settings
        league = HookLeague(str(self._league.folder), settings.name, season or settings.season.name)
        return kind(text=printable(text), league=league, **said)
