"""What a terminal says to a player: what happened, who is where, the result, and where choices cost most."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from copy import deepcopy
from typing import Any

from arena.common.printable import printable
from arena.replays.replayed import reasons_in
from engine.picture import follow


def happened(turn: Mapping[str, Any]) -> list[str]:
    """Return in words what has happened since the seat was asked last, with what only it knows.

    What belongs together is one line, without what only says whose turn begins.
    """
    public, own, since = turn["public"], turn["own"], turn["since"]
    begins, follows = set(public.get("begins", ())), set(public.get("follows", ()))
    announced = begins & set(public.get("bookkeeping", ()))
    lines: list[str] = []
    private: list[str] = []
    before = None  # the seat of the step before, if the next one goes on in its line
    for number in range(since, len(public["steps"])):
        seat, _, [text] = public["steps"][number][:3]
        said = public["texts"][text]
        if number in follows or (number - 1 in begins and number - 1 not in announced and number not in announced):
            is_same = seat is not None and seat == before
            name = f"{public['bots'][seat]} " if is_same else ""
            rest = said.removeprefix(name)
            lines = [*lines[:-1], f"{lines[-1]}; {rest}"] if lines else [said]
        elif number not in announced:
            lines += [*private, said]
            private = []
        before = seat
        events = own["steps"].get(str(number), {}).get("events", [])
        private += [f"  (only you see: {own['texts'][text]})" for text in events]
    return [printable(line) for line in [*lines, *private]]


def places(public: Mapping[str, Any], board: Mapping[str, Any] | None, own: Collection[int]) -> list[str]:
    """Return a line for each seat: where it is, and what everybody knows of it, by the public part of the page data.

    Args:
        public: The public part.
        board: The game's board; None: it has none.
        own: The reader's seats.
    """
    scene = deepcopy(public.get("start"))
    if scene is None:
        return []
    for step in public["steps"]:
        follow(scene, step[3])
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


def standings(public: dict[str, Any]) -> list[str]:
    """Return the result of a game in words, the winner first."""
    lines = ["", f"{public['ending']}:"]
    reasons = reasons_in(public)
    for seat in sorted(range(public["players"]), key=lambda seat: (public["ranks"][seat], seat)):
        scores = ", ".join(f"{key} {value}" for key, value in public["scores"][seat].items())
        why = f": {reasons[seat]}" if reasons else ""
        lines.append(f"{public['ranks'][seat]:>3}. {printable(public['bots'][seat])} ({scores}){printable(why)}")
    return lines


def mistakes_in_words(found: Mapping[str, Any], name: str) -> list[str]:
    """Return in words where a person's choices cost most."""
    if "error" in found:
        return [printable(found["error"])]
    bot = printable(found["bot"])
    lines = [f"{name}: {found['same']} of {found['asked']} choices are those of {bot}"]
    for move in found["moves"]:
        lines.append(
            f"  turn {move['turn']}: {printable(move['chosen'])}  ({move['chance'] / 10:.0f} % to win); "
            f"{bot}: {printable(move['better'])}  ({move['could'] / 10:.0f} %)"
        )
    return lines
