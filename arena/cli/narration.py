"""Render a game as lines of text, with the bots' names in place of seats: for a reader, and for one who plays."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from itertools import groupby
from typing import Any

from arena.cli.terminal import set_apart
from arena.common.printable import printable
from arena.game.transcript import GameStep, visible
from arena.ledger import FaultRecord, GameRecord, Step
from arena.replays.replayed import reasons_in
from arena.replays.views import TEXT
from engine.picture import follow
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
            known = [f"{key} {value}" for key, value in record.scores[seat].items()]
            known += ["retired"] if seat in record.retired else []
            scores = f" ({', '.join(known)})" if known else ""
            why = f": {printable(reasons[seat])}" if reasons else ""
            lines.append(f"{record.ranks[seat]:>3}. {self._names[seat]}{scores}{why}")
        return lines

    def _name(self, seat: int, text: str) -> str:
        return self._names[seat] if seat < len(self._names) else text


def last_words(fault: FaultRecord) -> list[str]:
    """Return the last lines that a bot wrote to stderr, marked so that they cannot pass for ours."""
    return [f"    {line}" for line in set_apart(fault.stderr)]


def happened(turn: Mapping[str, Any]) -> list[str]:
    """Return in words what has happened since the seat was asked last, with what only it knows.

    What belongs together is one line, without what only says whose turn begins.
    """
    public, own, since = turn["public"], turn["own"], turn["since"]
    begins, follows = set(public.get("begins", ())), set(public.get("follows", ()))
    announced = begins & set(public.get("bookkeeping", ()))
    lines: list[list[tuple[str, str]]] = []  # of each line its parts: in full, and as they are said
    private: list[list[tuple[str, str]]] = []
    before = None  # the seat of the step before, if the next one goes on in its line
    for number in range(since, len(public["steps"])):
        seat, _, [text] = public["steps"][number][:3]
        said = public["texts"][text]
        if number in follows or (number - 1 in begins and number - 1 not in announced and number not in announced):
            name = f"{public['bots'][seat]} " if seat is not None and seat == before else ""
            lines = [*lines[:-1], [*lines[-1], (said, said.removeprefix(name))]] if lines else [[(said, said)]]
        elif number not in announced:
            lines += [*private, [(said, said)]]
            private = []
        before = seat
        events = own["steps"].get(str(number), {}).get("events", [])
        private += [[("", f"  (only you see: {own['texts'][text]})")] for text in events]
    return [printable("; ".join(_folded(parts))) for parts in [*lines, *private]]


def _folded(parts: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield each part as it is said, and once what happened several times on end."""
    for _, same in groupby(parts, lambda part: part[0]):
        (_, said), *more = same
        yield f"{said} ({1 + len(more)} times)" if more else said


def places(public: Mapping[str, Any], board: Mapping[str, Any] | None, own: Collection[int]) -> list[str]:
    """Return a line for each seat: where it is, and what everybody knows of it, by the public part of the page data.

    Args:
        public: The public part.
        board: The game's board; None: it has none.
        own: The reader's seats.
    """
    if (scene := _scene(public)) is None:
        return []
    chances = public["chances"][-1][1:] if public.get("chances") else []
    lines = []
    for seat, (bot, place) in enumerate(zip(public["bots"], scene["at"], strict=True)):
        where = "off the board" if place is None or board is None else board["places"][place]["name"]
        facts = [f"{label} {value}" for label, value in scene["seats"][seat].items() if value is not None]
        known = [fact.removesuffix(" yes") for fact in facts if fact != where]
        if chances:
            known.append(f"chance to win {chances[seat] / 10:.0f} %")
        whose = f"{bot} (you)" if seat in own else bot
        lines.append(printable(f"  {whose}: {where}, {', '.join(known)}" if known else f"  {whose}: {where}"))
    return lines


def _scene(public: Mapping[str, Any]) -> Any:
    """Return what lies open now; None: the game has no pictures."""
    scene = deepcopy(public.get("start"))
    for step in public["steps"] if scene is not None else ():
        follow(scene, step[3])
    return scene


_AROUND = (2, 12)
"""Places behind and before the reader that are shown of a long track."""


def route_in_words(public: Mapping[str, Any], board: Mapping[str, Any] | None, seat: int) -> str:
    """Return the places of a board in one line, each with who is there and what lies there, and what the ways ask for.

    What lies behind all is left out; of a long track only what is near the reader's `seat` is shown. Empty for a game
    without pictures.
    """
    scene = _scene(public)
    if scene is None or board is None:
        return ""
    everywhere, own = board["places"], scene["at"][seat] or 0
    is_long = len(everywhere) > sum(_AROUND)
    first = own - _AROUND[0] if is_long else min(at or 0 for at in scene["at"])
    shown = range(max(0, first), min(len(everywhere), own + _AROUND[1]) if is_long else len(everywhere))
    parts = ["... " if shown.start else ""]
    for place in shown:
        name, kind = everywhere[place]["name"], everywhere[place]["kind"]
        on = [bot for bot, at in zip(public["bots"], scene["at"], strict=True) if at == place]
        on += [piece for piece in board.get("pieces", ()) if scene["table"].get(piece) == name]
        for label, first in board.get("chits", {}).items():
            chits = scene["cards"].get(label, [])
            chit = chits[place - first] if 0 <= place - first < len(chits) else None
            on += [f"{label.split(' ')[0]} {chit}"] if chit else []
        title = f"{name} ({kind})" if is_long and kind and name.startswith("square ") else name
        parts.append(f"{title} [{', '.join(on)}]" if on else title)
        tickets = board.get("tickets", ())
        asks = " or ".join("+".join(option) for option in tickets[place]) if place < len(tickets) else ""
        parts.append(f" --{asks}-- " if asks else " - ")
    return printable("".join(parts[:-1]) + (" ..." if shown.stop < len(everywhere) else ""))


def view_lines(rows: Mapping[str, str], before: Mapping[str, str] | None) -> list[str]:
    """Return the rows of a view, or its text line by line, each marked if it is not as it was `before`."""
    if TEXT in rows:
        text, old = rows[TEXT].split("\n"), (before or {}).get(TEXT, "").split("\n")
        parts = [(line, line, old[place] if place < len(old) else None) for place, line in enumerate(text)]
    else:
        wide = max(map(len, rows), default=0)
        old_rows = before or {}
        parts = [(f"{label:<{wide}}  {value}", value, old_rows.get(label)) for label, value in rows.items()]
    return [printable(f"{'*' if before and now and now != then else ' '} {line}".rstrip()) for line, now, then in parts]


def standings(public: dict[str, Any]) -> list[str]:
    """Return the result of a game in words, the winner first."""
    lines = ["", f"{public['ending']}:"]
    reasons = reasons_in(public)
    for seat in sorted(range(public["players"]), key=lambda seat: (public["ranks"][seat], seat)):
        known = ", ".join(f"{key} {value}" for key, value in public["scores"][seat].items())
        scores = f" ({known})" if known else ""
        why = f": {reasons[seat]}" if reasons else ""
        lines.append(f"{public['ranks'][seat]:>3}. {printable(public['bots'][seat])}{scores}{printable(why)}")
    return lines


def mistakes_in_words(found: Mapping[str, Any], name: str) -> list[str]:
    """Return in words where a person's choices cost most."""
    if "error" in found:
        return [printable(found["error"])]
    lines = [f"{name}: {len(found['moves'])} of {found['weighed']} choices could have been better"]
    for move in found["moves"]:
        worth = f"{move['chance']}, with {printable(move['better'])} {move['could']}"
        lines.append(f"  turn {move['turn']}: {printable(move['chosen'])} {move['symbol']}  ({worth})")
    return lines
