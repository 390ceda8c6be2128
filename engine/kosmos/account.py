"""What a few moves of `kosmos` did, in one short sentence, for people (see `engine.picture.Explained`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.kosmos.words import words

_SILENT: Final = ("round", "travel", "reroll", "draw", "turn_over", "lay_off", "home", "clear", "shuffle", "over")


def account(events: Sequence[Mapping[str, Any]]) -> str:
    """Say what events did: the legs of journeys with their days, and whatever else was done, in order."""
    clauses = list[str]()
    legs, roll, seat = list[str](), "", None
    for event in events:
        name = event["event"]
        if name == "roll":
            roll = f" with a roll of {event['roll']}"
        elif name == "arrive":
            if seat not in (None, event["seat"]):
                clauses += _journey(seat, legs)
                legs = []
            seat = event["seat"]
            legs.append(f"{event['city']} in {event['days']} {'day' if event['days'] == 1 else 'days'}{roll}")
            roll = ""
        elif name not in _SILENT:
            clauses += [*_journey(seat, legs), words(event)]
            legs, seat = [], None
    return _joined([*clauses, *_journey(seat, legs)])


def _journey(seat: int | None, legs: Sequence[str]) -> list[str]:
    return [f"seat {seat} travels to {', then to '.join(legs)}"] if legs else []


def _joined(clauses: Sequence[str]) -> str:
    """Join clauses, and name a seat once as long as it goes on."""
    found, doer = list[str](), ""
    for clause in clauses:
        who = " ".join(clause.split(" ", 2)[:2])
        found.append(clause.removeprefix(f"{who} ") if who == doer and who.startswith("seat ") else clause)
        doer = who
    return "; ".join(found)
