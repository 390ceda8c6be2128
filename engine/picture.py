"""What a game shows to people: its board, what lies open on it, and a hand. A game may do without.

A picture is plain data; whoever draws it knows no game. It changes from one public event to the next, and by nothing
else: how many decisions lay between two events would tell of cards in a hand, as who has one choice is not asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

from engine.game import Data


@runtime_checkable
class Illustrated(Protocol):
    """A `Game` that can be drawn too; found by `isinstance`.

    A board is `{"title": str, "width": int, "height": int, "land": str or None, "places": [...], "routes": [...]}`:
    `land` is SVG path data; a place is `{"name": str, "x": number, "y": number, "kind": str or None}`; a route is a
    polyline by place index.

    A scene is `{"at": [place index or None, by seat], "turn": seat or None, "seats": [{label: value}, by seat],
    "table": {label: value}, "cards": {label: [card or None, ...]}}`. Labels are short English words, values are str,
    int or None, cards have the names they have in a view. If the table has a `round`, turns are counted by it.
    """

    def board(self, edition: Data) -> Data:
        """The board of a resolved edition, also of a user's own."""

    def scene(self, view: Data) -> Data:
        """What lies open in a view, the same whoever's view it is."""

    def scene_changes(self, scene: Data, event: Mapping[str, Any], edition: Data) -> Data:
        """What an event that all may read says of the scene after it: a nested object of the keys it is about.

        An object stands for what changes in an object, or, its keys being numbers from 0, in a list; anything else is
        the new value: after `{"seats": {"2": {"days": 12}}, "at": {"2": 3}}` all else is as it was. Followed from the
        start this leads at every decision to `scene` of a spectator's view; only `turn` may be behind, until the seat
        on turn has done something openly.
        """

    def hand(self, view: Data) -> list[str]:
        """The cards that the seat of this view holds; none for a spectator."""

    def hand_after(self, hand: list[str], seat: int, event: Mapping[str, Any]) -> list[str]:
        """The hand of `seat` after an event about it (the event's `seat`); the same list when it is no other.

        An event that is about another seat changes no hand of this one.
        """


def follow(scene: Any, changes: Data) -> Data:
    """Make those changes in a scene, or a part of one, that are none yet; they are returned."""
    found: Data = {}
    for key, value in changes.items():
        place: Any = int(key) if type(scene) is list else key
        before = scene[place]
        if type(value) is dict:
            if inner := follow(before, value):
                found[key] = inner
        elif before != value:
            found[key] = value
            scene[place] = value[:] if type(value) is list else value  # it may be changed place by place later
    return found
