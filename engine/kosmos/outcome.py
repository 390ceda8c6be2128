"""Who is ahead in a game of `kosmos`, and in the end why, for people (see `engine.picture.Explained`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, inf, log, sqrt
from typing import Any, Final

from engine.kosmos.cards import DAYS, LONDON
from engine.kosmos.contenders import contenders
from engine.kosmos.course import course_of, decisive_losses, what_brought_it_on, what_cost_days, what_held_it_up
from engine.picture import CHANCE, RULES
from engine.rules import Data

WEIGHTS: Final = (1.49, -0.89, 0.67, -0.273, -0.133, 0.143, -0.469, 1.092, -1.315)
"""Of the features below, with three to six players. `benchmarks/fit_chances.py` fits them to finished games of the bots
in `bots/`: here 480 games; loss 0.80 nats on games kept apart, 1.54 with equal chances."""
WEIGHTS_OF_TWO: Final = (0.008, -0.085, -0.221, 1.359, -0.462, 0.0, -0.123, 0.302, -1.549)
"""With two, where it is bad to be late and home first (K-82): 357 games; 0.63 nats, 0.69 with equal ones."""
_WHOLE_WAY: Final = 90
"""About the days that the whole way takes; with others from 75 to 130 the fit was hardly worse."""
_SPREAD: Final = 4
"""The days by which that is wrong; for a part of the way, times the square root of that part."""
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


def features(scene: Data, seat: int, edition: Data) -> tuple[float, ...]:
    """Return what says how strong a seat's position is: its way, its days, what it holds, and if it gets late."""
    own = scene["seats"][seat]
    way = scene["at"][seat] / LONDON
    days = own["days"] / 10
    home = float(way == 1)
    cards = own["travel cards"] + own["event cards"]
    late = max(0.0, days - DAYS / 10)
    rest = 1 - home
    held = rest * own["gold"] / 2, rest * cards / 3
    return (
        10 * way,
        days,
        days * way,
        home,
        late,
        home * late,
        *held,
        rest * _late_arrival(scene, way, own["days"], edition),
    )


def _late_first_loses(scene: Data, edition: Data) -> bool:
    return len(scene["at"]) == 2 and bool(edition["parameters"]["late_first_loses"])


def _late_arrival(scene: Data, way: float, days: int, edition: Data) -> float:
    """Return about how likely it is that a seat on the way comes home late; zero if that does not matter (K-82)."""
    if len(scene["at"]) == 2 and not _late_first_loses(scene, edition):
        return 0.0
    too_many = days + _WHOLE_WAY * (1 - way) - (DAYS + 0.5)
    return 1 / (1 + exp(-max(-30.0, min(30.0, too_many / (_SPREAD * sqrt(1 - way) + 0.5)))))


def strengths(scene: Data, edition: Data) -> list[float]:
    """Return the strength of each seat's position; minus infinity if by the rules it cannot win any more.

    The formula cannot see that a late arrival is decided (K-81, K-83) or that the last round is over for a seat (K-80).
    """
    able = contenders(scene, edition)
    weights = WEIGHTS_OF_TWO if _late_first_loses(scene, edition) else WEIGHTS
    fitted = {seat: sum(map(float.__mul__, weights, features(scene, seat, edition))) for seat in able}
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


def remark(scene: Data, event: Mapping[str, Any]) -> str:
    """Return nothing: every event does what its words say."""
    return ""


def outcome(scene: Data, seat: int, edition: Data) -> str:
    """Return the days of a seat that is home, and if it was late its place, which counts then; else how far it came.

    Of two, the first to come home may lose by being late (K-82): then that is said instead of the place.
    """
    loser = _late_loser(scene, edition)
    if loser == seat:
        return f"{_days(scene, seat)} days, too late"
    why = "" if loser is None else f", as seat {loser} came home first, but too late"
    if scene["at"][seat] == LONDON:
        days, place = _days(scene, seat), scene["seats"][seat]["home as"]
        return f"{days} days" + (why or f", home {_ORDINALS[place - 1]}" if days > DAYS else why)
    taken = f" in {_days(scene, seat)} days" if _level(scene) else ""
    return f"{scene['at'][seat]} of {LONDON} cities{taken}{why}"


def _late_loser(scene: Data, edition: Data) -> int | None:
    """Return the seat of two that loses because it was the first one home and late. Return None if there is none."""
    if len(scene["at"]) > 2 or not edition["parameters"]["late_first_loses"]:
        return None
    late = [seat for seat in range(len(scene["at"])) if _days(scene, seat) > DAYS]
    return next((seat for seat in late if scene["seats"][seat]["home as"] == 1), None)


def _level(scene: Data) -> bool:
    """Return whether days decide between two who are not home (K-83)."""
    return len(scene["at"]) == 2 and scene["at"][0] == scene["at"][1] < LONDON


def reasons(scene: Data, ranks: list[int], edition: Data, events: Sequence[Data]) -> list[str]:
    """Return for each seat why it has its rank (K-80 to K-84)."""
    home = [seat for seat, place in enumerate(scene["at"]) if place == LONDON]
    in_time = [seat for seat in home if _days(scene, seat) <= DAYS]
    of_two = len(ranks) == 2
    give = _of_two if of_two else _of_many
    best = ranks.index(min(ranks))
    found = []
    for seat in range(len(ranks)):
        too_many = 0
        if seat != best and _level(scene):
            too_many = _days(scene, seat) - _days(scene, best)
        elif seat != best and seat in home:
            too_many = _days(scene, seat) - (_days(scene, best) if seat in in_time and best in home else DAYS)
        because = decisive_losses(seat, too_many, events)
        if not because:
            course = course_of(seat, events)
            if seat == best:
                because = what_brought_it_on(course)
            else:
                by_days = what_cost_days(course) if seat in home else ""
                because = by_days or ("" if seat in in_time else what_held_it_up(course))
        found.append(give(scene, seat, ranks, home, in_time, edition) + because)
    return found


def _days(scene: Data, seat: int) -> int:
    days: int = scene["seats"][seat]["days"]
    return days


def _of_many(scene: Data, seat: int, ranks: list[int], home: list[int], in_time: list[int], edition: Data) -> str:
    days = _days(scene, seat)
    best = ranks.index(min(ranks))
    if seat not in home:
        return f"{_not_home(scene, seat, edition)}; who is still on the way is placed by the cities reached"
    if seat not in in_time:
        place = scene["seats"][seat]["home as"]
        if ranks[seat] == 1:
            return f"was the first home, after {days} days; nobody was home within {DAYS}"
        return f"was {_ORDINALS[place - 1]} home, after {days} days; those with more than {DAYS} rank by arrival"
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
        place = _not_home(scene, seat, edition)
        if _level(scene):
            return f"{place}, as seat {other} was, after {days} days; then fewer days decide"
        return f"{place}; who is still on the way is placed by the cities reached"
    if seat not in home:
        if ranks[seat] == 1:
            return f"wins without coming home: seat {other} came home first, but after more than {DAYS} days"
        return f"{_not_home(scene, seat, edition)}; the first to come home wins"
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
    return f"was still in {place} when the last round ended"
