"""A game in words: its steps and events as lines, with the bots' names for the seats."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from arena.cli.terminal import set_apart
from arena.common.printable import printable
from arena.ledger import FaultRecord, MatchRecord, Step
from arena.match.transcript import MatchStep, visible
from engine.game import Event, Game, State

_SEAT = re.compile(r"\bseat (\d+)\b")


class Narrator:
    """Tells one game."""

    def __init__(self, rules: Game, bots: Sequence[str], seat: int | None = None) -> None:
        """`seat`: tell what this seat may know; None: all of it, hands and draws too, for who looks on from outside."""
        self._rules = rules
        self._names = [printable(bot) for bot in bots]
        self._seat = seat

    def opening(self, state: State) -> list[str]:
        """What lies open before the first move of a game that has just begun."""
        return [self.words(what) for what in self._rules.opening(state.view(None))]

    def step(self, step: Step, events: Iterable[Event]) -> list[str]:
        """What a step led to. What no event tells is told by the action."""
        everything = self._seat is None
        told = [self.words(event.what) for event in events if everything or visible(event, self._seat)]
        if not everything and step.seat != self._seat:
            return told
        if step.kind == "play" and not told and step.action is not None:
            told = [f"{self._names[step.seat]}: {self.words(step.action)}"]
        if step.by == "substitute" and told:
            told[0] += "  (substitute)"
        if step.note:
            told.append(f"    {self._names[step.seat]} notes: {printable(step.note)}")
        return told

    def choice(self, moment: MatchStep) -> str:
        """What this seat chose, and among how many."""
        assert moment.step.action is not None
        return f"> {self.words(moment.step.action)}  (option {moment.step.index} of 0 to {len(moment.offered) - 1})"

    def words(self, what: object) -> str:
        """An event or an action, with names."""
        assert isinstance(what, dict)
        text = self._rules.words(what)
        return _SEAT.sub(lambda found: self._name(int(found[1]), found[0]), text)

    def fault(self, fault: FaultRecord) -> str:
        """A fault as one line."""
        who = "somebody" if fault.seat is None else self._names[fault.seat]
        turn = "" if fault.turn is None else f", turn {fault.turn}"
        return f"! {who}{turn}: {fault.code}: {printable(fault.text)}"

    def result(self, record: MatchRecord) -> list[str]:
        """How the game ended, best first."""
        lines = ["", f"{record.ending}:"]
        for seat in sorted(range(record.players), key=lambda seat: (record.ranks[seat], seat)):
            scores = ", ".join(f"{key} {value}" for key, value in record.scores[seat].items())
            retired = ", retired" if seat in record.retired else ""
            lines.append(f"{record.ranks[seat]:>3}. {self._names[seat]} ({scores}{retired})")
        return lines

    def _name(self, seat: int, text: str) -> str:
        return self._names[seat] if seat < len(self._names) else text


def last_words(fault: FaultRecord) -> list[str]:
    """What a bot wrote to stderr last, set apart from our own lines."""
    return [f"    {line}" for line in set_apart(fault.stderr)]
