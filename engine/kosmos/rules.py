"""The rules of `kosmos` as `engine.rules.Rules` has them."""

from __future__ import annotations

from collections.abc import Sequence

from engine.base import BaseRulesInFiles
from engine.chance import FIRST_PLAYER, Chance
from engine.kosmos import edition as editions
from engine.kosmos import guide, outcome, picture, vocabulary, words
from engine.kosmos.cards import EVENT, TRAVEL, TRAVEL_COUNTS
from engine.kosmos.decision import KosmosState
from engine.kosmos.determinize import determinize
from engine.kosmos.round import round_event, start_round
from engine.kosmos.state import START_CARDS
from engine.kosmos.types.actions import KosmosAction
from engine.kosmos.types.events import KosmosEvent
from engine.kosmos.types.view import KosmosView
from engine.rules import Capabilities, Data, DataTypes, Event


class Kosmos(BaseRulesInFiles):
    """Michael Rieneck's race around the world, in all its editions."""

    name = "kosmos"
    players = (2, 6)
    capabilities = Capabilities(worlds=True)
    data_types = DataTypes(KosmosView, KosmosAction, KosmosEvent)

    files = editions.EDITIONS

    def start(self, players: int, edition: Data, chance: Chance) -> KosmosState:
        """Shuffle, deal, draw the first player at random, and begin the first round (K-10 to K-12)."""
        self.check_players(players)
        rules = editions.verified(edition)
        state = KosmosState(players, rules, chance)
        table = state.table
        cards = ([card for card, count in enumerate(TRAVEL_COUNTS) for _ in range(count)], rules.event_cards(players))
        for deck in (TRAVEL, EVENT):
            state.decks[deck].set_up(cards[deck], chance)
        for colour, stream in enumerate(("red chits", "blue chits")):
            mixed = rules.chits[colour][:]
            chance.shuffle(stream, mixed)
            state.lay_chits(colour, mixed)
        dealt: list[Event] = []  # dropped: the first view shows all of it
        for seat in range(players):
            for _ in range(START_CARDS):
                state.draw(seat, TRAVEL, dealt)
        table.marker = chance.below(FIRST_PLAYER, players)  # K-11
        start_round(state, dealt)
        state.stand(dealt)
        return state

    def determinize(self, view: Data, players: int, edition: Data, chance: Chance) -> KosmosState:
        """Return a state that `view` allows, with the hidden cards and all future draws taken from `chance`."""
        state = KosmosState(players, editions.typed(edition), chance)
        determinize(state, view)
        state.stand_here()
        return state

    def opening(self, view: Data) -> Sequence[Data]:
        """Return the first round and its display (K-21)."""
        return [round_event(view["round"], view["first"], view["display"])]

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
