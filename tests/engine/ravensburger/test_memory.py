"""R-90: a world drawn from a view could be the real one for a player who remembers all that has happened.

Games are played at random and everything public is written down, nothing struck out. Whether the hands of such a
world agree with that is then a question of its own: a world of the whole history that ends with those hands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from unittest.mock import patch

import pytest

from engine.chance import Chance, Seeded, fractions
from engine.deck_knowledge import DeckKnowledge, counted
from engine.draws import Slots
from engine.first_world import FirstWorld
from engine.hidden_deck import HiddenDeck
from engine.ravensburger import RULES
from engine.ravensburger.cards import ACTION, KINDS
from engine.ravensburger.decision import RavensburgerState
from engine.rules import Event
from tests.engine.determinized import determinized
from tests.engine.ravensburger.checks import start
from tests.noninterference.ravensburger import choose


class Memory:
    """Who drew which action card from which shuffle, and who showed and lacked what after how many draws."""

    def __init__(self, state: RavensburgerState) -> None:
        self.watched = state.decks[ACTION].record
        self.record = DeckKnowledge(state.players, KINDS, 0, state.edition.action_cards)
        self.cards: list[list[int]] = [[] for _ in range(state.players)]
        self.top = -1

    @contextmanager
    def watching(self) -> Iterator[None]:
        take, show = HiddenDeck.take_top_card, HiddenDeck.show
        drew, renew, lack = DeckKnowledge.drew, DeckKnowledge.renew, DeckKnowledge.lack

        def _take(deck: HiddenDeck, chance: Chance, log: list[Event]) -> int:
            self.top = take(deck, chance, log)
            return self.top

        def _show(deck: HiddenDeck, seat: int, card: int) -> None:
            if deck.record is self.watched:
                self.record.shown[seat].append((card, len(self.record.drawn[seat])))
            show(deck, seat, card)

        def _drew(record: DeckKnowledge, seat: int) -> None:
            if record is self.watched:
                self.record.drawn[seat].append(self.record.shuffle)
                self.cards[seat].append(self.top)
            drew(record, seat)

        def _renew(record: DeckKnowledge, counts: list[int]) -> None:
            if record is self.watched:
                self.record.shuffle += 1
                self.record.pools[self.record.shuffle] = counts[:]
            renew(record, counts)

        def _lack(record: DeckKnowledge, seat: int, kinds: tuple[int, ...]) -> None:
            if record is self.watched:
                self.record.lacked[seat].append((kinds, len(self.cards[seat]), len(self.record.shown[seat])))
            lack(record, seat, kinds)

        with (
            patch.multiple(HiddenDeck, take_top_card=_take, show=_show),
            patch.multiple(DeckKnowledge, drew=_drew, renew=_renew, lack=_lack),
        ):
            yield

    def allows(self, world: RavensburgerState, seat: int | None) -> bool:
        """Whether some world of the whole history ends with these hands and this deck, in the eyes of `seat`."""
        record = self.record.copy()
        for other, hand in enumerate(world.hands):
            if other != seat:  # as if it showed its hand now, and then had nothing left
                number = len(record.drawn[other])
                record.shown[other] += [(card, number) for card in hand.cards]
                record.lacked[other].append((tuple(range(KINDS)), number, number))
        own = [] if seat is None else self.cards[seat]
        try:
            slots = Slots(record, seat, own, ())
            laid = FirstWorld(slots).lay(fractions(Seeded(bytes(16)), "witness"))
        except ValueError:
            return False
        self.check(slots, laid, record, seat, own)
        return True

    def check(self, slots: Slots, laid: list[int], record: DeckKnowledge, seat: int | None, own: list[int]) -> None:
        """The witness, by a plain count."""
        draws = [[-1] * len(drawn) for drawn in record.drawn]
        for slot, kind in enumerate(laid):
            rival = slots.base[slot] // slots.kinds
            others = slots.others[slots.shuffle[slot]]
            if rival != slots.deck:
                draws[rival][slots.place[slot]] = others.pop() if kind == slots.kinds - 1 else kind
        if seat is not None:
            draws[seat] = own
        from_each = {shuffle: Counter[int]() for shuffle in record.pools}
        for rival, drawn in enumerate(draws):
            for shuffle, kind in zip(record.drawn[rival], drawn, strict=True):
                from_each[shuffle][kind] += 1
            gone: Counter[int] = Counter()
            for place, (kind, before) in enumerate([*record.shown[rival], (-1, 0)]):
                for kinds, limit, earlier in record.lacked[rival]:
                    if earlier == place and rival != seat:
                        assert not any((Counter(drawn[:limit]) - gone)[lacked] for lacked in kinds)
                gone[kind] += 1
                assert kind < 0 or drawn[:before].count(kind) >= gone[kind]
        for shuffle, pool in record.pools.items():
            assert from_each[shuffle] <= Counter(dict(enumerate(pool)))
            assert shuffle == record.shuffle or from_each[shuffle] == +Counter(dict(enumerate(pool)))


@pytest.mark.slow
@pytest.mark.parametrize(("players", "edition"), [(3, "standard"), (4, "expert"), (5, "standard"), (6, "expert")])
def test_what_history_rules_out_is_never_drawn(players: int, edition: str) -> None:
    data = RULES.edition(edition)
    late = 0
    for number in range(2):
        state = start(data, players, "memory", edition, players, number)
        random = Random(f"memory {edition} {players} {number}")
        memory = Memory(state)
        with memory.watching():
            for step in range(260):
                if state.to_act is None:
                    break
                state.play(choose(state, random) if number else random.randrange(len(state.actions())))
                if step > 40 and random.random() < 0.12:
                    seat = random.choice([None, *range(players)])
                    assert memory.allows(state, seat), "the truth"
                    world = determinized(RULES, state.view(seat), data, "memory", players, number, step)
                    assert isinstance(world, RavensburgerState)
                    assert memory.allows(world, seat)
                    late += state.decks[ACTION].record.shuffle > 1
    assert late > 12


def test_the_memory_would_notice_a_card_that_cannot_be_there() -> None:
    """A card that lies on the pile since before its holder drew last: no history puts it into that hand."""
    data = RULES.edition("standard")
    state = start(data, 3, "noticed")
    memory = Memory(state)
    random = Random("noticed")
    with memory.watching():
        while state.decks[ACTION].record.shuffle < 2:
            state.play(random.randrange(len(state.actions())))
    assert memory.allows(state, 0)
    everywhere = counted(state.decks[ACTION].order + state.decks[ACTION].discards, KINDS, 0)
    noticed = 0
    for card in range(KINDS):
        if everywhere[card] and card not in state.hands[1].cards:
            clone = state.copy()
            clone.hands[1].cards[0] = card
            noticed += not memory.allows(clone, 0)
    assert noticed
