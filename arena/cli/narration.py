"""Render a game as lines of text, with the bots' names in place of seats."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from arena.cli.terminal import set_apart
from arena.common.printable import printable
from arena.game.transcript import GameStep, visible
from arena.ledger import FaultRecord, GameRecord, Step
from engine.rules import Event, Rules, State

_SEAT = re.compile(r"\bseat (\d+)\b")


class Narrator:
    """Renders the steps, events and faults of one game."""

    def __init__(self, rules: Rules, bots: Sequence[str], seat: int | None = None) -> None:
        """Take the bots' names by seat.

        With `seat`, render only what that seat may know. Without it, hands and draws are shown too.
        """
        self._rules = rules
        self._names = [printable(bot) for bot in bots]
        self._seat = seat

    def opening(self, state: State) -> list[str]:
        """Return what is open to all before the first move."""
        return [self.words(what) for what in self._rules.opening(state.view(None))]

    def step(self, step: Step, events: Iterable[Event]) -> list[str]:
        """Return the events of a step. If there is none to show, return its action instead."""
        everything = self._seat is None
        lines = [self.words(event.what) for event in events if everything or visible(event, self._seat)]
        if not everything and step.seat != self._seat:
            return lines
        if step.kind == "play" and not lines and step.action is not None:
            lines = [f"{self._names[step.seat]}: {self.words(step.action)}"]
        if step.by == "substitute" and lines:
            lines[0] += "  (substitute)"
        if step.note:
            lines.append(f"    {self._names[step.seat]} notes: {printable(step.note)}")
        return lines

    def choice(self, game_step: GameStep) -> str:
        """Return what this seat chose, and among how many options."""
        step = game_step.step
        assert step.action is not None
        return f"> {self.words(step.action)}  (option {step.index} of 0 to {len(game_step.offered) - 1})"

    def words(self, what: object) -> str:
        """Return an event or an action as one line, with names."""
        assert isinstance(what, dict)
        text = self._rules.words(what)
        return _SEAT.sub(lambda found: self._name(int(found[1]), found[0]), text)

    def fault(self, fault: FaultRecord) -> str:
        """Return a fault as one line."""
        who = "somebody" if fault.seat is None else self._names[fault.seat]
        turn = "" if fault.turn is None else f", turn {fault.turn}"
        return f"! {who}{turn}: {fault.code}: {printable(fault.text)}"

    def result(self, record: GameRecord, reasons: Sequence[str] = ()) -> list[str]:
        """Return the result of the game, best bot first, with why each has its rank if the game gives `reasons`."""
        lines = ["", f"{record.ending}:"]
        for seat in sorted(range(record.players), key=lambda seat: (record.ranks[seat], seat)):
            scores = ", ".join(f"{key} {value}" for key, value in record.scores[seat].items())
            retired = ", retired" if seat in record.retired else ""
            why = f": {printable(reasons[seat])}" if reasons else ""
            lines.append(f"{record.ranks[seat]:>3}. {self._names[seat]} ({scores}{retired}){why}")
        return lines

    def _name(self, seat: int, text: str) -> str:
        return self._names[seat] if seat < len(self._names) else text


def last_words(fault: FaultRecord) -> list[str]:
    """Return the last lines that a bot wrote to stderr, marked so that they cannot pass for ours."""
    return [f"    {line}" for line in set_apart(fault.stderr)]
