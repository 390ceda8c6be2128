"""Examples of what a game's seats are shown, from random games that are always the same."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Final, Literal, NamedTuple

from arena.features.shapes import AnyShape, ListShape, MapShape, MaybeShape
from arena.features.shaping import Example, Shaping
from arena.features.values import CategoryShape, NumberShape, OmittedShape
from engine import catalog
from engine.chance import Seeded, derive
from engine.rules import DataTypes, Rules, TypedRules

_GAMES: Final = 2
"""Games of each edition with each number of players, and more until there are so many decisions:"""
_DECISIONS: Final = 200
_MOST_GAMES: Final = 40
_STRIDE: Final = 7
"""Views are taken at one decision in so many."""
_LONGEST: Final = 1000
"""Decisions after which a game is left."""
_UNREAD: Final = ("heard", "history", "observation", "returns", "text", "to_act")
"""Parts of a bridged view for which its tensor stands."""


class FormError(ValueError):
    """No form can be made; the message says why and what to do."""


class Shapes(NamedTuple):
    """The shapes of a game."""

    view: AnyShape
    event: AnyShape | None
    action: AnyShape | None
    """None: actions have ids."""


def survey(
    rules: Rules, editions: Sequence[str], players: range, coding: Literal["one-hot", "index"], events: bool
) -> Shapes:
    """Return the shapes of a game's views, and if wanted of the events that seats see."""
    first = _examples(rules.name, editions[0], players[0])
    if any("tensor" in view.value for view in first.views):
        return Shapes(_of_tensors(rules, editions, players), None, None)
    if ":" in rules.name:
        raise FormError(
            f"the views of {rules.name} are texts for people, and its library gives no numbers in their place: "
            f"choose a game whose views have a tensor"
        )
    found = [_examples(rules.name, edition, count) for edition in editions for count in _counts(rules, players)]
    texts = {each for edition in editions for each in _texts(rules.edition(edition))}
    shaping = Shaping(players[-1], coding, texts)
    hints = rules.data_types if isinstance(rules, TypedRules) else DataTypes(Any)
    view = shaping.view([view for each in found for view in each.views], hints.view)
    event = shaping.shape("", [event for each in found for event in each.events], hints.event) if events else None
    if rules.capabilities.action_ids is not None:
        return Shapes(view, event, None)
    return Shapes(view, event, shaping.shape("", [action for each in found for action in each.actions], hints.action))


class _Examples(NamedTuple):
    views: list[Example]
    events: list[Example]
    actions: list[Example]
    """Each only once."""


def _counts(rules: Rules, players: range) -> range:
    """Return the numbers of players to look at: two or more, if there are, show which lists are by seat."""
    if len(players) > 1:
        return players
    fewest, most = rules.players
    return range(max(fewest, players[0] - 1), min(most, players[0] + 1) + 1)


@cache
def _examples(name: str, edition: str, players: int) -> _Examples:
    rules = catalog.rules(name)
    data = rules.edition(edition)
    views, events, actions = list[Example](), list[Example](), dict[str, Example]()
    decisions = 0
    for number in range(1 if ":" in name else _MOST_GAMES):
        if number >= _GAMES and decisions >= _DECISIONS:
            break
        chance = Seeded(derive(b"survey of a game", name, edition, players, number))
        state = rules.start(players, data, chance.copy())
        for decision in range(_LONGEST):
            if (seat := state.to_act) is None or (":" in name and views):
                break
            if decision % _STRIDE == number % _STRIDE:
                views += [Example(state.view(seat), players), Example(state.view((seat + 1) % players), players)]
            offered = state.actions()
            actions |= {json.dumps(action, sort_keys=True): Example(action, players) for action in offered}
            happened = state.play(chance.below("moves of the survey", len(offered)))
            events += [Example(what, players) for _, what in happened]
            decisions += 1
        views += [Example(state.view(seat), players) for seat in range(players)]
    return _Examples(views, events, [*actions.values()])


def _of_tensors(rules: Rules, editions: Sequence[str], players: range) -> AnyShape:
    views = [view.value for edition in editions for n in players for view in _examples(rules.name, edition, n).views]
    lengths = {len(view["tensor"]) for view in views if "tensor" in view}
    seats: list[Any] = [None, *range(players[-1])]
    chosen = MapShape({"id": NumberShape(), "do": OmittedShape()})
    fields: dict[str, AnyShape] = {
        "seat": CategoryShape(seats),
        "tensor": MaybeShape(ListShape(NumberShape(), max(lengths), fixed=len(lengths) == 1), absent=True),
        **{name: MaybeShape(OmittedShape(), absent=True) for name in _UNREAD},
    }
    if any("chosen" in view for view in views):
        fields["chosen"] = MaybeShape(MaybeShape(chosen), absent=True)
    return MapShape(fields)


def _texts(data: Any) -> Iterator[frozenset[str]]:
    """Generate all sets of texts in an edition: keys, lists, and what stands under one key in a list of maps."""
    inside: list[Any] = []
    if isinstance(data, dict):
        yield frozenset(data)
        inside = [*data.values()]
    elif isinstance(data, list):
        yield frozenset(each for each in data if isinstance(each, str))
        for key in {key for each in data if isinstance(each, dict) for key in each}:
            yield frozenset(text for each in data if isinstance(each, dict) and isinstance(text := each.get(key), str))
        inside = data
    for each in inside:
        yield from _texts(each)
