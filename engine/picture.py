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

        Lists are given whole; what it is not about stays. Followed from the start it leads at every decision to
        `scene` of a spectator's view; only `turn` may be behind, until the seat on turn has done something openly.
        """

    def hand(self, view: Data) -> list[str]:
        """The cards that the seat of this view holds; none for a spectator."""

    def hand_after(self, hand: list[str], seat: int, event: Mapping[str, Any]) -> list[str]:
        """The hand of `seat` after an event that it may read; the same list when it is no other."""


def changed(scene: Data, changes: Data) -> Data:
    """The scene after those changes. Shares what is the same: change neither."""
    after = dict(scene)
    for key, value in changes.items():
        after[key] = changed(after[key], value) if isinstance(value, dict) and key in after else value
    return after


def differing(scene: Data, changes: Data) -> Data:
    """What of the changes is not so already."""
    found: Data = {}
    for key, value in changes.items():
        if isinstance(value, dict) and key in scene:
            value = differing(scene[key], value)
            if value:
                found[key] = value
        elif key not in scene or scene[key] != value:
            found[key] = value
    return found
