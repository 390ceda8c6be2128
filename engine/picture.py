"""What a game shows to people: its board, what lies open on it, and a hand. A game need not have pictures.

A picture is plain data, so the code that draws it needs to know no game. It changes from one public event to the next
and in no other way. The number of decisions between two events would give away cards in a hand, because a seat with
only one choice is not asked.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, Final, Protocol, runtime_checkable

from engine.rules import Data

CHANCE: Final = "chance"
RULES: Final = "rules"
"""What causes an event that no seat decided."""


@runtime_checkable
class Illustrated(Protocol):
    """A `Rules` that can also be drawn; checked with `isinstance`.

    A board is `{"title": str, "width": int, "height": int, "land": str or None, "places": [...], "routes": [...]}`:
    `land` is SVG path data; a place is `{"name": str, "x": number, "y": number, "kind": str or None}`, with `short`
    if the name is long; a route is a polyline, given as a list of indices of places.

    A board may also say how it is drawn, by any of these keys; without them it is drawn plainly:

    - `layout`: `map`, a journey over land, stretched where places are dense, or `track`, squares in rows;
    - `tickets`: by route, the options of signs that it asks for, as `[["ship", "train"]]`;
    - `chits`: by label of the scene's cards, the first place at which they lie, one at a place;
    - `pieces`: by label of the scene's table that names a place, the sign that stands there;
    - `tokens`: by chit, by first word of a label of chits and by piece, what it means, as `{"symbol": sign, "name":
      str, "text": str}`: the legend has sign and name, a tip the text;
    - `dials`: by label of the scene's table, the signs of which it names one;
    - `slots`: by label of the scene's cards, what is above each, as `{"name": str, "symbol": sign, "text": str}`;
    - `cards`: by card, `{"title": str, "symbol": sign, "value": int or None, "text": str, "rule": id or None}`, with
      `short` if the title is long; `goal`: the aim of the game in a few sentences; `goals`: by number of
      players, as `{"2": str}`, the aim where their number makes it another; `terms`: the meaning of each term.

    Signs are those of the page, such as `train` and `coin`; an unknown one is drawn as a disc.

    A scene is `{"at": [index of a place or None, by seat], "turn": seat or None, "seats": [{label: value}, by seat],
    "table": {label: value}, "cards": {label: [card or None, ...]}}`. Labels are short English words, values are str,
    int or None, and cards have the names that they have in a view. If the table has a `round`, turns are counted by it.
    """

    def board(self, edition: Data) -> Data:
        """Return the board of a resolved edition, which may be a user's own."""

    def scene(self, view: Data) -> Data:
        """Return what lies open in a view; it is the same for every reader's view."""

    def scene_changes(self, scene: Data, event: Mapping[str, Any], edition: Data) -> Data:
        """Return how an event that everyone may read changes the scene, as nested dicts of only the keys that change.

        A dict stands for changes to a dict or, with numbers from 0 as keys, to a list. Anything else is the new value:
        after `{"seats": {"2": {"days": 12}}, "at": {"2": 3}}` everything else is as before. Starting from the first
        scene, these changes produce at every decision the `scene` of a spectator's view. Only `turn` may lag behind,
        until the seat on turn has done something openly.
        """

    def hand(self, view: Data) -> list[str]:
        """Return the cards that the seat of this view holds; none for a spectator."""

    def hand_after(self, hand: list[str], seat: int, event: Mapping[str, Any]) -> list[str]:
        """Return the hand of `seat` after an event; the same list object if it does not change.

        An event about another seat (the event's `seat`) changes nothing in this hand.
        """


@runtime_checkable
class Explained(Illustrated, Protocol):
    """An `Illustrated` game that can also say who is ahead, and in the end why each seat has its rank."""

    def strengths(self, scene: Data, edition: Data) -> list[float]:
        """Return how strong each seat's position is by what lies open, at least two seats.

        The chance of a seat to win is the exponential of its strength over the sum of those of all seats. A seat that
        by the rules cannot win any more has minus infinity; at least one seat has a number.
        """

    def begins(self, event: Mapping[str, Any]) -> bool:
        """Return whether an open event only begins what the next one ends, so that people are shown both at once."""

    def follows(self, event: Mapping[str, Any]) -> bool:
        """Return whether an open event only completes the one before, so that people are shown both at once."""

    def bookkeeping(self, event: Mapping[str, Any]) -> bool:
        """Return whether an open event says nothing of what was decided. It `begins` another one or `follows` one."""

    def cause(self, scene: Data, event: Mapping[str, Any]) -> int | str:
        """Return the seat whose decision an open event carries out, which need not be the event's own.

        Return `CHANCE` if a draw or a die decided it, and `RULES` if nothing did. `scene`: before the event.
        """

    def remark(self, scene: Data, event: Mapping[str, Any]) -> str:
        """Return what is to be added to an open event's words to make out that it did nothing; mostly an empty text.

        `scene`: before the event. It is a clause about whom the words named last, as `which stays at the start`.
        """

    def account(self, events: Sequence[Mapping[str, Any]]) -> str:
        """Say in one short sentence what open events of a turn did, in order, and where they ended.

        It begins with the seat that acted, without a full stop. Seats are `seat 2`. Events between may be missing.
        """

    def outcome(self, scene: Data, seat: int, edition: Data) -> str:
        """Return in a few words how far a seat has come at the end, as `86 days`."""

    def reasons(self, scene: Data, ranks: list[int], edition: Data, events: Sequence[Data]) -> list[str]:
        """Return for each seat a sentence without its subject that says why it has its rank at the end.

        It names what another seat did if that decided it. Seats are named `seat 2`. `events`: all open ones, in order.
        """


Reason = tuple[str, str]
"""Why a card cannot be used, and the id of the rule that says so."""


@runtime_checkable
class Guided(Illustrated, Protocol):
    """An `Illustrated` game that can also tell a person who plays what is asked.

    No method tells more than the view of the seat that decides.
    """

    def question(self, view: Data, actions: Sequence[Data], edition: Data) -> str:
        """Return what the seat of a view is asked, in a sentence or two of plain words that fit the legal actions."""

    def order(self, actions: Sequence[Data]) -> list[int]:
        """Return the indices of the legal actions in the order in which people are to read them."""

    def barred(self, view: Data, actions: Sequence[Data], edition: Data) -> dict[str, Reason]:
        """Return for each card in hand that none of the legal `actions` uses why it cannot be used now."""


@cache
def data_of(package: str | None, name: str) -> Mapping[str, Any]:
    """Return what stands in `data/NAME.toml` of a package."""
    return tomllib.loads(resources.files(package or "").joinpath(f"data/{name}.toml").read_text("utf-8"))


def follow(scene: Any, changes: Data) -> Data:
    """Apply `changes` to a scene, or to a part of one, and return those that really changed something."""
    found: dict[str, Any] = {}
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


def places_in_words(ranks: Sequence[int]) -> str:
    """List the seats by their places, such as "1. seat 2, 2. seat 0 and seat 1"."""
    shared = [(rank, [seat for seat, own in enumerate(ranks) if own == rank]) for rank in sorted(set(ranks))]
    return ", ".join(f"{rank}. {' and '.join(f'seat {seat}' for seat in seats)}" for rank, seats in shared)


def clauses_in_words(clauses: Sequence[str]) -> str:
    """Join clauses that each begin with a seat, and name a seat once as long as it goes on."""
    found, doer = list[str](), ""
    for clause in clauses:
        who = " ".join(clause.split(" ", 2)[:2])
        found.append(clause.removeprefix(f"{who} ") if who == doer and who.startswith("seat ") else clause)
        doer = who
    return "; ".join(found)
