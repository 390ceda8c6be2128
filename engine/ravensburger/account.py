"""What a few moves of `ravensburger` did, in one short sentence, for people (see `engine.picture.Explained`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.ravensburger.words import card, words

_LISTED: Final = 4
"""The most moves of a pawn that are listed; more are counted."""
_MEANS: Final = {
    "leap": "the great leap",
    "order": "an event card",
    "handcuffs": "handcuffs",
    "square": "the handcuffs square",
}
_SILENT: Final = ("round", "turn", "announce", "draw", "shuffle", "home", "over", "leap", "order")


def account(events: Sequence[Mapping[str, Any]]) -> str:
    """Say what events did: where pawns went and by what, and whatever else was done, in order."""
    writer = _Writer()
    for event in events:
        writer.hear(event)
    return writer.text()


class _Writer:
    """Joins the moves of one pawn that follow each other."""

    def __init__(self) -> None:
        self._clauses: list[str] = []
        self._seat: int | None = None
        """Whose pawn moves."""
        self._begin = self._end = 0
        self._means: list[str] = []
        self._played = ""
        """The card that was played and has not moved a pawn yet."""
        self._thrown: Mapping[str, Any] | None = None
        """Handcuffs that were played and have not done anything yet."""

    def hear(self, event: Mapping[str, Any]) -> None:
        name = event["event"]
        if name == "move":
            self._move(event)
        elif name == "play" and "to" in event:
            self._end_throw()
            self._played = card(event["card"])
        elif name == "play" and "victim" in event:
            self._end_trip()
            self._end_throw()
            self._thrown = event
        elif name == "purse" and self._thrown is not None:
            self._say(f"{words(self._thrown)}, which plays a purse and stays")
            self._thrown = None
        elif name not in _SILENT and (
            name != "play" or event["card"] != "rose"
        ):  # where it lies is said by the next one
            self._end_trip()
            self._end_throw()
            self._say(words(event))

    def text(self) -> str:
        self._end_trip()
        self._end_throw()
        found, doer = list[str](), ""
        for clause in self._clauses:
            who = " ".join(clause.split(" ", 2)[:2])
            found.append(clause.removeprefix(f"{who} ") if who == doer else clause)
            doer = who
        return "; ".join(found)

    def _move(self, event: Mapping[str, Any]) -> None:
        seat, thrown = event["seat"], self._thrown
        if event["by"] == "handcuffs" and thrown is not None and thrown["victim"] == seat:
            by = f"seat {thrown['seat']} sends seat {seat} back"
            self._say(f"{by} from square {event['from']} to square {event['to']} with handcuffs")
            self._thrown = None
            return
        if seat != self._seat or event["from"] != self._end:
            self._end_trip()
            self._seat, self._begin = seat, event["from"]
        self._end = event["to"]
        self._means.append((self._played or "a card") if event["by"] == "card" else _MEANS[event["by"]])
        self._played = ""

    def _end_trip(self) -> None:
        if self._seat is not None:
            back = "back " if self._end < self._begin else ""
            way = f"from square {self._begin} to square {self._end}"
            self._say(f"seat {self._seat} goes {back}{way} by {_listed(self._means)}")
        self._seat, self._means = None, []

    def _end_throw(self) -> None:
        if self._thrown is not None:
            self._say(f"{words(self._thrown)}, which stays where it is")
        self._thrown = None

    def _say(self, clause: str) -> None:
        self._clauses.append(clause)


def _listed(means: Sequence[str]) -> str:
    if len(means) > _LISTED:
        cards = sum(each not in _MEANS.values() for each in means)
        others = list(dict.fromkeys(each for each in means if each in _MEANS.values()))
        means = [f"{cards} cards" if cards > 1 else "1 card", *others]
    return means[0] if len(means) == 1 else f"{', '.join(means[:-1])} and {means[-1]}"
