"""Worlds of games of OpenSpiel: states that a view allows.

Where nothing is hidden, the view's history is played again. Elsewhere a course is searched in which the seat would
have been told exactly what it was told. That is sure to succeed only in some games.
"""

from __future__ import annotations

from collections.abc import Iterator
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


def _ways(state: SpielState, seat: int, wanted: list[int | str]) -> Iterator[int]:
    """Generate the steps that may come next: for the seat itself the one that it took, else all, in random order."""
    if state.spiel.is_terminal():
        return
    if state.spiel.is_chance_node():
        left = dict(state.spiel.chance_outcomes())
        while left:
            yield (drawn := _drawn(state, left))
            del left[drawn]
    elif state.to_act == seat:
        own = wanted[len(state.heard[seat])] if len(state.heard[seat]) < len(wanted) else None
        yield from [action for action in state.legal or [0] if action == own]
    else:
        ways = state.legal[:] or [0]
        state.chance.shuffle("imagined", ways)
        yield from ways


def _drawn(state: SpielState, weights: dict[int, float]) -> int:
    rest = state.chance.below("imagined", 1 << 32) / (1 << 32) * sum(weights.values())
    for outcome, weight in weights.items():
        rest -= weight
        if rest < 0:
            return outcome
    return next(iter(weights))
