"""The rules of `ravensburger` as `engine.rules.Rules` has them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from engine.chance import FIRST_PLAYER, Chance
from engine.ravensburger import edition as editions
from engine.ravensburger import guide, outcome, picture, words
from engine.ravensburger.account import account
from engine.ravensburger.cards import ACTION, EVENT
from engine.ravensburger.decision import RavensburgerState
from engine.ravensburger.determinize import determinize
from engine.rules import Data, Parameter


class Ravensburger:
    """Wolfgang Kramer's race around the world, in all its editions."""

    name: Final = "ravensburger"
    players: Final = (2, 6)

    def editions(self) -> list[str]:
        """Return the names of the editions, the default one first."""
        return list(editions.NAMED)

    def edition(self, name: str | Path) -> dict[str, Any]:
        """Return the whole resolved edition of that name or in that TOML file. Raises `EditionError`."""
        return editions.resolve(name)[0]

    def parameters(self, name: str | Path) -> list[Parameter]:
        """Return the settings of that edition, for people. Raises `EditionError`."""
        return editions.parameters(*editions.resolve(name))

    def strip_unknown(self, edition: Data) -> Data:
        """Copy a resolved edition without the fields that this version of the game does not know."""
        return editions.EDITIONS.strip_unknown(edition)

    def start(self, players: int, edition: Data, chance: Chance) -> RavensburgerState:
        """Shuffle, and draw at random the start player, who places the rose before any card is dealt (R-10)."""
        if not self.players[0] <= players <= self.players[1]:
            raise ValueError(f"ravensburger is for 2 to 6 players, not {players}")
        rules = editions.verified(edition)
        state = RavensburgerState(players, rules, chance)
        state.decks[ACTION].set_up(rules.action_cards[:], chance)
        state.decks[EVENT].set_up(rules.event_cards[:], chance)
        table = state.table
        table.first = table.on_turn = chance.below(FIRST_PLAYER, players)
        table.pending.append(("setup",))
        state.stand_here()
        return state

    def determinize(self, view: Data, edition: Data, chance: Chance) -> RavensburgerState:
        """Return a state that `view` allows, with the hidden cards and all future draws taken from `chance`."""
        state = RavensburgerState(len(view["square"]), editions.typed(edition), chance)
        determinize(state, view)
        state.stand_here()
        return state

    def opening(self, view: Data) -> Sequence[Data]:
        """Return nothing: before the first move nothing happens that a spectator may see."""
        return []

    words = staticmethod(words.words)

    # The interface of `engine.picture`.
    board = staticmethod(picture.board)
    scene = staticmethod(picture.scene)
    scene_changes = staticmethod(picture.scene_changes)
    hand = staticmethod(picture.hand)
    hand_after = staticmethod(picture.hand_after)
    strengths = staticmethod(outcome.strengths)
    begins = staticmethod(outcome.begins)
    follows = staticmethod(outcome.follows)
    bookkeeping = staticmethod(outcome.bookkeeping)
    cause = staticmethod(outcome.cause)
    remark = staticmethod(outcome.remark)
    account = staticmethod(account)
    reasons = staticmethod(outcome.reasons)
    question = staticmethod(guide.question)
    barred = staticmethod(guide.barred)
    outcome = staticmethod(outcome.outcome)  # the last one: from here on the name stands for this
