"""The rules of `ravensburger` as `engine.rules.Rules` has them."""

from __future__ import annotations

from engine.base import BaseRulesInFiles
from engine.chance import FIRST_PLAYER, Chance
from engine.ravensburger import edition as editions
from engine.ravensburger import guide, outcome, picture, vocabulary, words
from engine.ravensburger.cards import ACTION, EVENT
from engine.ravensburger.decision import RavensburgerState
from engine.ravensburger.determinize import determinize
from engine.ravensburger.types.actions import RavensburgerAction
from engine.ravensburger.types.events import RavensburgerEvent
from engine.ravensburger.types.view import RavensburgerView
from engine.rules import Capabilities, Data, DataTypes


class Ravensburger(BaseRulesInFiles):
    """Wolfgang Kramer's race around the world, in all its editions."""

    name = "ravensburger"
    players = (2, 6)
    capabilities = Capabilities(worlds=True)
    data_types = DataTypes(RavensburgerView, RavensburgerAction, RavensburgerEvent)

    files = editions.EDITIONS

    def start(self, players: int, edition: Data, chance: Chance) -> RavensburgerState:
        """Shuffle, and draw at random the start player, who places the rose before any card is dealt (R-10)."""
        self.check_players(players)
        rules = editions.verified(edition)
        state = RavensburgerState(players, rules, chance)
        state.decks[ACTION].set_up(rules.action_cards[:], chance)
        state.decks[EVENT].set_up(rules.event_cards[:], chance)
        table = state.table
        table.first = table.on_turn = chance.below(FIRST_PLAYER, players)
        table.pending.append(("setup",))
        state.stand_here()
        return state

    def determinize(self, view: Data, players: int, edition: Data, chance: Chance) -> RavensburgerState:
        """Return a state that `view` allows, with the hidden cards and all future draws taken from `chance`."""
        state = RavensburgerState(players, editions.typed(edition), chance)
        determinize(state, view)
        state.stand_here()
        return state

    # The interface `engine.rules.Spelled`.
    spelling = vocabulary.SPELLING
    vocabulary = staticmethod(vocabulary.vocabulary)

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
    account = staticmethod(words.account)
    reasons = staticmethod(outcome.reasons)
    question = staticmethod(guide.question)
    order = staticmethod(guide.order)
    barred = staticmethod(guide.barred)
    # The last ones: from here on the names stand for these.
    outcome = staticmethod(outcome.outcome)
    words = staticmethod(words.words)
