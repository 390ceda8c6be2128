"""What in its whole game brought a seat of `kosmos` on or held it up most, for people, by open events alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.rules import Data

LARGE: Final = 3
"""Days lost to one kind of event, or rounds waited, from which on they are told."""
_SLOW: Final = 10
"""Days of a leg from which on it is told."""
_DOUBLE: Final = 2
"""Rounds with several legs from which on they are told of the winner."""
_BY: Final = {
    "detective": "by the detective",
    "storm": "by storms",
    "delay": "by delays",
    "chit": "by chits of others",
    "penalty": "for inattention",
}


class JourneyCourse(NamedTuple):
    """What happened to one seat."""

    lost: Counter[str]
    """Days by what they were lost to."""
    legs: list[tuple[str, int]]
    """City and days of each leg."""
    rounds: int
    """Those in which it was on the way."""
    waited: int
    """Those of them without a leg."""
    double: int
    """Those with several legs."""


def course_of(seat: int, events: Sequence[Data]) -> JourneyCourse:
    """Return what happened to a seat."""
    lost, legs = Counter[str](), list[tuple[str, int]]()
    by_round, number, last = Counter[int](), 0, None
    for event in events:
        name = event["event"]
        if name == "round":
            number = event["round"]
        elif event.get("seat") != seat:
            continue
        elif name == "lose":
            lost[event["why"]] += event["days"]
        elif name == "arrive":
            legs.append((event["city"], event["days"]))
            by_round[number] += 1
        elif name == "home":
            last = number
    rounds = number if last is None else last
    double = sum(each > 1 for each in by_round.values())
    return JourneyCourse(lost, legs, rounds, rounds - len(by_round), double)


def what_brought_it_on(course: JourneyCourse) -> str:
    """Return what made the winner quick; nothing if it was nothing special."""
    if course.double < _DOUBLE:
        return ""
    return f"; it made several legs at once in {course.double} rounds"


def what_cost_days(course: JourneyCourse) -> str:
    """Return what cost a seat days that decided on its rank; nothing if they were few."""
    lost = {why: days for why, days in course.lost.items() if why != "late"}  # that is no cause of coming late
    why, days = max(lost.items(), key=lambda each: each[1], default=("", 0))
    if days >= LARGE:
        return f"; it was held up for {days} days in all {_BY[why]}"
    city, longest = max(course.legs, key=lambda each: each[1], default=("", 0))
    return f"; its leg to {city} alone took {longest} days" if longest >= _SLOW else ""


def what_held_it_up(course: JourneyCourse) -> str:
    """Return what made a seat arrive late; nothing if it hardly waited."""
    if course.waited < LARGE:
        return ""
    return f"; it did not travel in {course.waited} of its {course.rounds} rounds"
