"""Who is ahead in a game of `kosmos`, and in the end why, for people (see `engine.picture.Explained`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, inf, log
from typing import Any, Final

from engine.game import Data
from engine.kosmos.cards import DAYS, LONDON
from engine.kosmos.contenders import contenders
from engine.kosmos.lost_days import decisive_losses
from engine.picture import CHANCE, RULES

WEIGHTS: Final = (1.628, -0.857, 0.385, 0.752, -1.141, 1.307, -0.688, 0.584)
"""Of the features below. `benchmarks/fit_chances.py` fits them to finished games of the bots in
`bots/`: here 73 games, 3,945 turns; loss 1.136 nats on games kept apart, 1.374 with equal chances."""
LEAST: Final = 0.0065
"""The chance that a seat which can still win keeps, however badly it stands: in whole percent it is 1, not 0."""
_ORDINALS: Final = ("1st", "2nd", "3rd", "4th", "5th", "6th")
_BEGIN: Final = ("travel", "roll", "reroll")
_BOOKKEEPING: Final = ("draw", "turn_over", "lay_off", "home", "clear", "shuffle", "over")
"""Events that follow from the one before, besides what `_is_due` names."""
_FOLLOW: Final = (*_BOOKKEEPING, "grey", "lose")
_CHANCE: Final = ("roll", "grey")
_BY_CHANCE: Final = ("storm", "delay")
"""Why days are lost to an event card that was drawn."""


def features(scene: Data, seat: int) -> tuple[float, ...]:
    """Return what says how strong a seat's position is: its way, its days by how far it is, and what it holds."""
    own = scene["seats"][seat]
    way = scene["at"][seat] / LONDON
    days = own["days"] / 10
    home = float(way == 1)
    cards = own["travel cards"] + own["event cards"]
    late = max(0.0, days - DAYS / 10)
    rest = 1 - home
    return 10 * way, days, days * way, home, late, home * late, rest * own["gold"] / 2, rest * cards / 3


def strengths(scene: Data, edition: Data) -> list[float]:
    """Return the strength of each seat's position; minus infinity if by the rules it cannot win any more.

    The formula cannot see that a late arrival is decided (K-81, K-83) or that the last round is over for a seat (K-80).
    """
    able = contenders(scene, edition)
    fitted = {seat: sum(map(float.__mul__, WEIGHTS, features(scene, seat))) for seat in able}
    top = max(fitted.values())
    least = top + log(LEAST * sum(exp(each - top) for each in fitted.values()))
    return [max(fitted[seat], least) if seat in fitted else -inf for seat in range(len(scene["at"]))]


def begins(event: Mapping[str, Any]) -> bool:
    """Return whether an event begins a journey that the next one ends."""
    return event["event"] in _BEGIN or (event["event"] == "gold" and bool(event["why"] == "reroll"))


def follows(event: Mapping[str, Any]) -> bool:
    """Return whether an event completes the one before without a decision."""
    return event["event"] in _FOLLOW or _is_due(event)


def bookkeeping(event: Mapping[str, Any]) -> bool:
    """Return whether an event is of no interest by itself."""
    return event["event"] in _BOOKKEEPING or _is_due(event)


def _is_due(event: Mapping[str, Any]) -> bool:
    """Return whether an event moves gold or the marker by itself: what is bought was decided (K-24, K-70)."""
    name, why = event["event"], event.get("why")
    return (name == "marker" and why == "passed") or (name == "gold" and why != "buy")


def cause(scene: Data, event: Mapping[str, Any]) -> int | str:
    """Return the seat that decided an event, or that a draw, a die or the rules did."""
    name, why = event["event"], event.get("why")
    if name in _CHANCE or (name == "lose" and why in _BY_CHANCE):
        return CHANCE
    if name == "lose" and why == "chit":
        return RULES if scene["turn"] is None else int(scene["turn"])
    if "seat" not in event or (name == "lose" and why == "late") or bookkeeping(event):
        return RULES
    return int(event["seat"])


def outcome(scene: Data, seat: int, edition: Data) -> str:
    """Return the days of a seat that is home, and if it was late its place, which counts then; else how far it came."""
    if scene["at"][seat] == LONDON:
        days, place = _days(scene, seat), scene["seats"][seat]["home as"]
        return f"{days} days" if days <= DAYS else f"{days} days, home {_ORDINALS[place - 1]}"
    cities = scene["at"][seat]
    return f"{cities} of {LONDON} cities"


def reasons(scene: Data, ranks: list[int], edition: Data, events: Sequence[Data]) -> list[str]:
    """Return for each seat why it has its rank (K-80 to K-83)."""
    home = [seat for seat, place in enumerate(scene["at"]) if place == LONDON]
    in_time = [seat for seat in home if _days(scene, seat) <= DAYS]
    of_two = len(ranks) == 2
    give = _of_two if of_two else _of_many
    best = ranks.index(min(ranks))
    found = []
    for seat in range(len(ranks)):
        too_many = 0
        if seat != best and seat in home:
            too_many = _days(scene, seat) - (_days(scene, best) if seat in in_time and best in home else DAYS)
        found.append(give(scene, seat, ranks, home, in_time, edition) + decisive_losses(seat, too_many, events))
    return found


def _days(scene: Data, seat: int) -> int:
    days: int = scene["seats"][seat]["days"]
    return days


def _of_many(scene: Data, seat: int, ranks: list[int], home: list[int], in_time: list[int], edition: Data) -> str:
    days = _days(scene, seat)
    best = ranks.index(min(ranks))
    if seat not in home:
        return f"{_not_home(scene, seat, edition)}; those on the way rank by cities reached"
    if seat not in in_time:
        place = scene["seats"][seat]["home as"]
        first = "the first to come home, and nobody was in time"
        by = first if ranks[seat] == 1 else "late ones rank by arrival"
        return f"was home after {days} days, more than {DAYS}, as number {place}; {by}"
    if seat == best:
        rivals = [other for other in in_time if other != seat]
        if not rivals:
            return f"was home after {days} days, the only one within {DAYS}"
        same = [other for other in rivals if _days(scene, other) == days]
        return f"was home after {days} days, " + ("before others with as many" if same else f"the fewest within {DAYS}")
    more = days - _days(scene, best)
    if not more:
        return f"was home after {days} days, as many as seat {best}, who came home before"
    return f"was home after {days} days, {more} more than seat {best}"


def _of_two(scene: Data, seat: int, ranks: list[int], home: list[int], in_time: list[int], edition: Data) -> str:
    days = _days(scene, seat)
    other = 1 - seat
    if not home:
        return f"{_not_home(scene, seat, edition)}; those on the way rank by cities reached"
    if seat not in home:
        if ranks[seat] == 1:
            return f"wins on the way: seat {other} came home first, but after more than {DAYS} days"
        return f"{_not_home(scene, seat, edition)}; who comes home first wins"
    if len(home) == 1:
        if ranks[seat] == 1:
            return f"came home first, after {days} days"
        return f"came home first, but after {days} days, more than {DAYS}, and so loses"
    rival = _days(scene, other)
    if days != rival:
        less = "fewer" if days < rival else "more"
        return f"was home after {days} days, {abs(days - rival)} {less} than seat {other}"
    gold = scene["seats"][seat]["gold"]
    return f"was home after {days} days, as seat {other} was, with {gold} coins, which decide"


def _not_home(scene: Data, seat: int, edition: Data) -> str:
    place = edition["board"]["cities"][scene["at"][seat]]
    return f"was not home when the last round ended, but in {place}"
