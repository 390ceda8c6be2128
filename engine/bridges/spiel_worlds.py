"""Worlds of games of OpenSpiel: states that a view allows.

Where nothing is hidden, the view's history is played again. Elsewhere a course is searched in which the seat would
have been told exactly what it was told. That is sure to succeed only in some games. For the leak kit, which has the
state itself, its course is changed step by step.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from engine.bridges.spiel_state import SpielState
from engine.rules import Data

SEARCHED: Final = frozenset(
    {"coordinated_mp", "dark_hex", "first_sealed_auction", "kuhn_poker", "latent_ttt", "leduc_poker"}
    | {"lewis_signaling", "liars_dice", "liars_dice_ir", "sheriff", "tiny_bridge_2p", "tiny_bridge_4p"}
    | {"tiny_hanabi", "trade_comm", "universal_poker"}
)
"""Games with hidden information in which every view's search ends: `python -m generators.bridged --worlds` tries it."""
STEPS: Final = 4_000
"""Steps after which a search gives up."""
_EXCHANGES: Final = 40
"""Steps of a course that are exchanged, or tried to be, for the leak kit."""


def rebuilt(state: SpielState, view: Data) -> SpielState | None:
    """Play a view's history from the beginning, and draw what others have chosen already but not revealed."""
    spiel, taken = state.spiel, []
    for action in view["history"]:
        taken.append(action)
        if not spiel.is_simultaneous_node():
            spiel.apply_action(taken.pop())
        elif len(taken) == state.setup.players:
            spiel.apply_actions(taken)
            taken = []
    if view["to_act"] is not None and state.spiel.is_simultaneous_node():
        own = view["chosen"]
        while len(state.chosen) < view["to_act"]:
            if len(state.chosen) == view["seat"] and own is not None:
                state.step(own["id"])
            else:
                state.step(state.legal[state.chance.below("imagined", len(state.legal))] if state.legal else 0)
    return state


def searched(state: SpielState, view: Data) -> SpielState | None:
    """Search a course in which the view's seat was told the same, depth first and in random order."""
    seat, wanted = view["seat"], view["heard"]
    path: list[tuple[SpielState, Iterator[int]]] = [(state, _ways(state, seat, wanted))]
    for _ in range(STEPS):
        if not path:
            break
        state, ways = path[-1]
        if state.heard[seat] == wanted and state.to_act == seat and len(state.legal) > 1:
            return state
        action = next(ways, None)
        if action is None:
            path.pop()
            continue
        after = state.copy()
        after.step(action)
        if after.heard[seat] == wanted[: len(after.heard[seat])]:
            path.append((after, _ways(after, seat, wanted)))
    return None


def redealt(state: SpielState, start: SpielState, seat: int) -> SpielState | None:
    """Exchange steps of a state's course that the seat did not take, while it would have been shown the same.

    What takes the place of a card that was dealt was dealt later, or never: so the two are often exchanged in all that
    follows. None: nothing could be exchanged.
    """
    course = [(step.player, step.action) for step in state.spiel.full_history()] + [*enumerate(state.chosen)]
    path, chance, changed = [start], start.chance.copy(), False
    for _, action in course:
        path.append(path[-1].copy())
        path[-1].step(action)
    places = [place for place, (who, _) in enumerate(course) if who != seat]
    for _ in range(_EXCHANGES if places else 0):
        place = places[chance.below("imagined", len(places))]
        ways, old = _offered(path[place]), course[place][1]
        new = ways[chance.below("imagined", len(ways))]
        pair = {old: new, new: old} if chance.below("imagined", 2) else {}
        later = [(who, action if who == seat else pair.get(action, action)) for who, action in course[place + 1 :]]
        tail = [(course[place][0], new), *later]
        if new != old and (changed_path := _replayed(path[place:], [action for _, action in tail], seat)):
            path[place:], course[place:], changed = changed_path, tail, True
    path[-1].chance = start.chance
    return path[-1] if changed else None


def _replayed(path: list[SpielState], actions: list[int], seat: int) -> list[SpielState]:
    """Play other actions from the first state of a path; return the new path, or nothing if the seat could tell."""
    found = path[:1]
    for action, (before, after) in zip(actions, pairwise(path), strict=True):
        is_own, state = before.to_act == seat, found[-1]
        if action not in _offered(state) or (is_own and _offered(before) != _offered(state)):
            return []
        found.append(state.copy())
        found[-1].step(action)
        if (found[-1].to_act, found[-1].texts[seat]) != (after.to_act, after.texts[seat]):
            return []
    return found if len(found[-1].legal) > 1 else []


def _offered(state: SpielState) -> list[int]:
    if state.spiel.is_chance_node():
        return [outcome for outcome, _ in state.spiel.chance_outcomes()]
    return state.legal or [0]


def _ways(state: SpielState, seat: int, wanted: list[int | str]) -> Iterator[int]:
    """Generate the steps that may come next: for the seat itself the one that it took, else all, in random order."""
    if state.spiel.is_terminal():
        return
    if state.spiel.is_chance_node():
        left = dict(state.spiel.chance_outcomes())
        while left:
            yield (drawn := state.draw([*left.items()], "imagined"))
            del left[drawn]
    elif state.to_act == seat:
        own = wanted[len(state.heard[seat]) :][:1]
        yield from [action for action in state.legal or [0] if [action] == own]
    else:
        ways = state.legal[:] or [0]
        state.chance.shuffle("imagined", ways)
        yield from ways
