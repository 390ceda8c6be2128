"""What in its whole game brought a seat of `kosmos` on or held it up most, for people, by open events alone.

Which days it lost by what others did is said first, if it would rank higher without them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from engine.rules import Data

LARGE: Final = 3
"""Days lost to one kind of event, or rounds waited, from which on they are told."""
_SLOW: Final = 10
"""Days of a leg from which on it is told."""
_DOUBLE: Final = 2
"""Rounds with several legs from which on they are told of the winner."""
_MOST_ACTS: Final = 2
"""Acts of others that are named."""
_BY: Final = {
    "detective": "by the detective",
    "storm": "by storms",
    "delay": "by delays",
    "chit": "by chits of others",
    "penalty": "for inattention",
}
_ACTS: Final = {
    "chit": "a chit of seat {}",
    "detective": "the detective whom seat {} had sent there",
    "storm": "the storm that seat {} drew",
    "delay": "the delay that seat {} drew",
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


def decisive_losses(seat: int, too_many: int, events: Sequence[Data]) -> str:
    """Return what to add to the reason of a seat's rank; nothing if others did not decide it.

    Args:
        seat: The seat.
        too_many: How many days it took more than it should have; 0 or less: its days were not why.
        events: All open events.
    """
    lost = Counter[str]()
    for act, days in _lost_by_others(seat, events):
        lost[act] += days
    if too_many <= 0 or lost.total() < too_many:
        return ""
    acts = [f"{days} {'day' if days == 1 else 'days'} by {act}" for act, days in lost.most_common(_MOST_ACTS)]
    return f"; it was held up for {', and '.join(acts)}"


def _lost_by_others(seat: int, events: Sequence[Data]) -> Iterator[tuple[str, int]]:
    """Yield what another seat did, in words, and the days that it cost this seat (K-34, K-61, K-62, K-65)."""
    did: dict[str, int] = {}
    """By why days are lost: the seat that did last what can cost them."""
    for event in events:
        name = event["event"]
        if name == "lose" and event["seat"] == seat:
            by = did.get(event["why"])
            if by is not None and by != seat:
                yield _ACTS[event["why"]].format(by), event["days"]
        elif name in ("chit", "detective"):
            did[name] = event["seat"]
        elif name == "grey":
            did[event["card"]] = event["seat"]
