"""No public random thing depends on another one, or on anything hidden: chi-square over many deals of one tournament.

Each deal is described by things with a few values: what a bot sees or will see (who begins, chits, bot seeds, ids,
seat orders, the referee's pauses), and what it must not know (cards in the decks, rolls to come). Each comes from a
stream of random numbers. All pairs from different streams are compared, and all pairs with the deal before, which was
public when this one began. The deals follow from a fixed seed, so that the tests give the same result each time.

The power: if in one deal of `SHARE`, for any pair, one thing followed from the other, it would be found. Two things
from one stream are not compared, as cards of one deck depend on each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, islice
from random import Random
from typing import Any

import pytest

from arena.formats.balanced import Balanced
from arena.formats.base import Field
from arena.game import bot_messages
from arena.game.clock import TimeControl
from arena.game.game import Game
from arena.game.spec import GameSpec
from arena.ledger.commitment import Seeds
from arena.ledger.records import BlockRecord
from arena.referee.time.pause_lengths import pause_source
from arena.tournament.schedule.rounds import specs
from engine import catalog
from engine.chance import Seeded, derive
from engine.kosmos.cards import CHITS
from tests.engine.fairness import chi_square, critical

pytestmark = pytest.mark.slow

DEALS = 4000
SHARE = 6
PLAYERS = 4
BOTS = tuple(f"bot{number}" for number in range(6))
DEVIATIONS = 5.0
"""Standard deviations of the normal distribution: some thousand pairs stay below by chance."""
EDITIONS = (("kosmos", "standard"), ("kosmos", "ru"), ("ravensburger", "expert"))
Thing = tuple[str, str]
"""The stream that it comes from, and what it is."""
Deal = dict[Thing, int]
WHO_BEGINS: Thing = ("first player", "who begins")


def schedule(number: int) -> Iterator[GameSpec]:
    """The games of a tournament, with their seats and seeds."""
    seeds = Seeds(number.to_bytes(16))
    format = Balanced(seeds.schedule)
    field = Field(BOTS, (PLAYERS,))
    place = count = round = 0
    while True:
        blocks = format.draw(round, field)
        format.on_round(round, field, blocks)
        for block in blocks:
            yield from specs(BlockRecord(place, round, count, list(block.bots)), seeds)
            place += len(block.bots)
            count += 1
        round += 1


def described(name: str, edition: Any, spec: GameSpec) -> Deal:
    """What there is in a deal, each as a small number."""
    game = Game(catalog.rules(name), edition, spec, TimeControl())
    state: Any = game._state
    chance = state.chance.copy()
    found: Deal = {
        WHO_BEGINS: state.table.first,
        ("schedule", "who sits first"): BOTS.index(spec.bots[0]),
        ("id", "first digit"): int(game.game_id[0], 16),
        ("id", "last digit"): int(game.game_id[-1], 16),
        ("die", "roll"): chance.roll("die"),
        ("blind pick", "card"): chance.below("blind pick from seat 0", 6),
        ("pauses", "first"): int(pause_source(spec.seed).random() * 8),
    }
    for seat in (0, 1):
        seed = game.start(seat).bot_seed
        found[f"bot seed {seat}", "low bits"] = seed % 8
        found[f"bot seed {seat}", "high bits"] = seed >> 61
        found[f"bot seed {seat}", "in tens"] = seed % 10
    for deck in state.decks:
        for what, card in (("top card", deck.order[-1]), ("next card", deck.order[-2]), ("last card", deck.order[0])):
            found[f"{deck.name} deck", what] = card
    if name == "kosmos":
        found["travel deck", "card of seat 0"] = state.hands[0].travel[0]
        for colour, beside in enumerate((state.table.red, state.table.blue)):
            laid = state.chits[colour] if edition["parameters"]["chits_face_down"] else beside
            for city in (1, 9):
                found[f"chits {colour}", f"city {city}"] = CHITS.index(laid[city])
    return found


@cache
def deals(name: str, edition: str) -> list[Deal]:
    data = catalog.rules(name).edition(edition)
    return [described(name, data, spec) for spec in islice(schedule(7), DEALS)]


def pairs(found: Sequence[Deal]) -> Iterator[tuple[str, list[int], list[int]]]:
    """All pairs that must be independent, with their values deal by deal."""
    columns = {thing: [deal[thing] for deal in found] for thing in found[0]}
    for one, other in combinations(columns, 2):
        if one[0] != other[0]:
            yield f"{one} and {other}", columns[one], columns[other]
    for before in columns:
        for thing in columns:
            if "schedule" in (before[0], thing[0]):
                continue  # the games of a block have the same bots in turn
            if before != thing or thing != WHO_BEGINS:  # which is dealt evenly over a block, and public from the start
                yield f"{before} of the deal before and {thing}", columns[before][:-1], columns[thing][1:]


def excess(one: Sequence[int], other: Sequence[int]) -> float:
    """How far chi-square is above what chance explains; below 0: it is not."""
    values, others = Counter(one), Counter(other)
    expected = Counter({(a, b): values[a] * others[b] for a in values for b in others})
    statistic, rows = chi_square(Counter(zip(one, other, strict=True)), expected)
    freedom = min(rows, (len(values) - 1) * (len(others) - 1))
    return statistic - critical(freedom, DEVIATIONS) if freedom else -1.0


@pytest.mark.parametrize(("name", "edition"), EDITIONS)
def test_no_random_thing_depends_on_another(name: str, edition: str) -> None:
    compared = 0
    for which, one, other in pairs(deals(name, edition)):
        assert excess(one, other) < 0, which
        compared += 1
    assert compared > 400


def test_a_dependency_of_that_size_is_found_in_any_pair() -> None:
    """Now and then the one thing follows from the other: as its rest, so that nothing shows in either alone."""
    random = Random(1)
    found = 0
    for which, one, other in islice(pairs(deals("kosmos", "standard")), 0, None, 7):
        values = sorted(set(one))
        follows = [
            values[b % len(values)] if random.randrange(SHARE) == 0 else a for a, b in zip(one, other, strict=True)
        ]
        assert excess(follows, other) > 0, which
        found += 1
    assert found > 100


def found_in(number: int) -> bool:
    """Whether any pair of that many deals depends on each other."""
    data = catalog.rules("kosmos").edition("standard")
    found = [described("kosmos", data, spec) for spec in islice(schedule(7), number)]
    return any(excess(one, other) > 0 for _, one, other in pairs(found))


def test_streams_with_the_same_numbers_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Seeded, "below", lambda self, stream, bound: numbers_of(self, stream).randrange(bound))
    assert found_in(400)


def test_a_bot_seed_from_the_stream_of_a_deck_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the number by which the deck's top card was drawn."""
    monkeypatch.setattr(
        bot_messages, "bot_seed", lambda seed, seat: Seeded(derive(seed, "chance")).below("travel deck", 2**64)
    )
    assert found_in(1500)


def numbers_of(chance: Seeded, stream: str) -> Random:
    """The same numbers for every stream of a seed."""
    streams = chance._drawn  # type: ignore[assignment]
    return streams.setdefault(stream, Random(chance._seed))  # type: ignore[arg-type, call-overload, return-value]
