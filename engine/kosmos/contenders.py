"""Which seats can still win by the rules, from what lies open: what hidden cards and dice cannot change any more.

It errs on one side only: a seat that is left out cannot win, and a seat that is named may be as good as lost. Before
anybody is home nothing is decided. `outcome` takes its estimate of who is ahead from here.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from engine.kosmos.cards import DAYS, LONDON
from engine.kosmos.edition import max_rounds
from engine.rules import Data

_ELEPHANT_LEG: Final = 7
"""The fewest days from Bombay to Calcutta: 6 and a die (K-43)."""
_LATEST: Final = 10**6
"""More days than any game takes."""


def contenders(scene: Data, edition: Data) -> list[int]:
    """Return the seats that can still win or share the win, as far as a simple count of turns and days shows."""
    cities = scene["at"]
    seats = range(len(cities))
    arrived = [seat for seat in seats if cities[seat] == LONDON]
    home = sorted(arrived, key=lambda seat: scene["seats"][seat]["home as"] or len(cities))  # none yet: the last
    if not home:
        return list(seats)
    if len(cities) == 2:
        return _of_two(scene, home, edition)
    days = [own["days"] for own in scene["seats"]]
    # K-81, K-83: the fewest days in time, then the earlier arrival; if nobody was in time, the first to come home.
    best = min(home, key=lambda seat: (days[seat] > DAYS, days[seat] if days[seat] <= DAYS else 0))
    before = days[best] if days[best] <= DAYS else DAYS + 1  # who comes home later must take fewer days than this
    return [seat for seat in seats if seat == best or earliest_days(scene, seat, home, edition) < before]


def _of_two(scene: Data, home: list[int], edition: Data) -> list[int]:
    """Return the seats of two that can still win when at least one is home (K-82)."""
    first, other = home[0], 1 - home[0]
    days = [own["days"] for own in scene["seats"]]
    if edition["parameters"]["late_first_loses"] and days[first] > DAYS:
        return [other]
    if len(home) == 1:
        earliest = earliest_days(scene, other, home, edition)
        return [seat for seat in (0, 1) if seat == first or earliest <= days[first]]  # as many days: gold decides
    merits = [(own["days"], -own["gold"]) for own in scene["seats"]]
    return [seat for seat in (0, 1) if merits[seat] == min(merits)]


def earliest_days(scene: Data, seat: int, home: list[int], edition: Data) -> int:
    """Return a number of days below which a seat cannot come home; a huge one if it cannot in this game.

    Args:
        scene: What lies open.
        seat: The seat.
        home: The seats that are home, at least one.
        edition: The resolved edition.
    """
    own = scene["seats"][seat]
    if seat in home or own.get("retired"):
        return _LATEST  # K-85: a seat that is not played any more never travels
    days: int = own["days"] + sum(map(_fewest_days, edition["board"]["legs"][scene["at"][seat] :]))
    if _has_turn(scene, seat):
        return days
    if _is_last_round(scene, home, edition):
        return _LATEST
    return days + 1  # K-20: the next round costs a day, as somebody is home


def _fewest_days(leg: str | list[list[str]]) -> int:
    """Return a number of days below which nothing brings a leg (K-40, K-41, K-56 to K-60)."""
    if isinstance(leg, str):
        return _ELEPHANT_LEG
    # A card counts a day at least, as by `propeller` or a die of 1. A pair, or `opportunity`, counts once, and then 2.
    return min(sum(min(number, 2) for number in Counter(option).values()) for option in leg)


def _has_turn(scene: Data, seat: int) -> bool:
    """Return whether a seat may be on turn or still to come in this round (K-23); a scene's turn can lag behind."""
    turn: int | None = scene["turn"]
    if turn is None:
        return True
    players = len(scene["at"])
    first = int(scene["table"]["first player"].removeprefix("seat "))
    return (seat - first) % players >= (turn - first) % players


def _is_last_round(scene: Data, home: list[int], edition: Data) -> bool:
    """Return whether the game ends with this round (K-80, K-84, K-85), given who is home by now."""
    players = len(scene["at"])
    number: int = scene["table"]["round"]
    enough = {2: 1, 6: 4}.get(players, players - 1)
    still_played = [seat for seat in range(players) if not scene["seats"][seat].get("retired")]
    return len(home) >= enough or number >= max_rounds(edition, players) or all(seat in home for seat in still_played)
