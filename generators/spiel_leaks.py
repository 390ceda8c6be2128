"""Look for leaks in all that OpenSpiel tells a seat: python -m generators.spiel_leaks [GAME ...]

Bots are sent OpenSpiel's text of a game with hidden information, and numbers that say no more. Here views have the rest
too: the observation as text, as data and as numbers, and what `resample_from_infostate` always says of the others. That
must be the same in worlds between which the text does not distinguish. Prints a line of JSON for each game, each of
which is looked at with its fewest players, in this process; no name: all games with hidden information.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from time import process_time
from typing import Any, Final

import pyspiel

from engine import catalog
from engine.bridges.plain import plain
from engine.bridges.quiet import quiet
from engine.bridges.spiel_rules import SpielRules
from engine.bridges.spiel_state import SpielState
from engine.chance import Chance, Seeded
from engine.rules import Data
from engine.testing import cases, find_leaks

_DRAWS: Final = 12
"""Worlds that OpenSpiel draws, of which not all may be the same."""


class _AllShown(SpielState):
    """A state of which a seat is shown all that OpenSpiel has for it."""

    def view(self, seat: int | None) -> Data:
        """Return what bots are sent, and the rest."""
        view = super().view(seat)
        if seat is None or self.spiel.is_terminal():
            return view
        if (game := str(self.setup.game)) not in _HAD:
            _HAD[game] = _had(self, seat)
        return {**view, **{name: PARTS[name](self, seat) for name in _HAD[game]}}


class _AllShownRules(SpielRules):
    def _begin(self, players: int, edition: Data, chance: Chance) -> SpielState:
        setup = super()._begin(players, edition, chance).setup
        return _AllShown(setup, setup.game.new_initial_state(), chance)


def _resampled(state: SpielState, seat: int) -> Any:
    """Return what the others are shown in worlds drawn by OpenSpiel, if it is the same in all of them."""
    lots, found = Seeded(bytes(16)), list[list[str]]()
    for _ in range(_DRAWS):
        world = state.spiel.resample_from_infostate(seat, lambda: lots.below("resampled", 1 << 53) / (1 << 53))
        found.append([state.setup.shown(world, other) for other in range(state.setup.players) if other != seat])
        if found[-1] != found[0]:
            return None
    return found[0]


def _digest(numbers: Any) -> str:
    return blake2b(json.dumps([*numbers]).encode(), digest_size=6).hexdigest()


PARTS: Final[dict[str, Callable[[SpielState, int], Any]]] = {
    "observation_string": lambda state, seat: state.spiel.observation_string(seat),
    "observation_struct": lambda state, seat: plain(state.spiel.to_observation_struct(seat).to_dict()),
    "observation_tensor": lambda state, seat: _digest(state.spiel.observation_tensor(seat)),
    "information_state_tensor": lambda state, seat: _digest(state.spiel.information_state_tensor(seat)),
    "resample_from_infostate": _resampled,
}
_HAD: dict[str, list[str]] = {}
"""By game, which of the parts OpenSpiel has, as far as they were asked for."""


def _had(state: SpielState, seat: int) -> list[str]:
    found = []
    for name, show in PARTS.items():
        with quiet(), suppress(pyspiel.SpielError, RuntimeError, TypeError, AttributeError):
            show(state, seat)
            found.append(name)
    return found


def leaks(short: str) -> dict[str, Any]:
    """Return what the kit found: by the part that leaks, and in how many comparisons worlds differed."""
    rules = _AllShownRules(f"openspiel:{short}", {"name": short})
    began = process_time()
    report = find_leaks(next(cases(rules)))
    found = {}
    for leak in report.leaks:
        found[leak.detail.split('"')[1] if leak.what == "view" else leak.what] = leak.detail
    [compared, differing] = [sum(each[at] for each in report.phases.values()) for at in (1, 2)]
    return {"game": short, "compared": compared, "differing": differing, "leaks": found,
            "seconds": round(process_time() - began)}  # fmt: skip


def is_hidden(short: str) -> bool:
    """Return whether a game has hidden information."""
    [kind] = [kind for kind in pyspiel.registered_games() if kind.short_name == short]
    return bool(kind.information == pyspiel.GameType.Information.IMPERFECT_INFORMATION)


def main() -> None:
    """Look at the games that are named."""
    provider = catalog.provider("openspiel")
    assert provider is not None
    hosted = [offer.name.partition(":")[2] for offer in provider.offers() if not offer.refused]
    for name in sys.argv[1:] or filter(is_hidden, hosted):
        print(json.dumps(leaks(name)), flush=True)


if __name__ == "__main__":
    main()
