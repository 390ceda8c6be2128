"""Plant leaks: the tests of non-interference find each of them, and nothing without one."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
import pytest

from arena.game import transcript
from arena.game.game import Game
from arena.protocol.messages import Decide, Start
from engine.chance import Seeded, derive
from engine.kosmos.state import KosmosPosition
from engine.rules import Action, Data, Event
from tests.engine.determinized import check_indistinguishable
from tests.engine.plays import random_play
from tests.noninterference.test_two_worlds import GAMES, PLAYED, plan_of
from tests.noninterference.witness import Watched
from tests.noninterference.worlds import two_worlds

Plant = Callable[[pytest.MonkeyPatch, Watched], None]


def nothing(monkeypatch: pytest.MonkeyPatch, game: Watched) -> None:
    """No leak."""


def _in_views(monkeypatch: pytest.MonkeyPatch, game: Watched, more: Callable[[Any, int | None], Data]) -> None:
    state = type(game.rules.start(2, game.rules.edition("standard"), Seeded(bytes(16))))
    view = state.view
    monkeypatch.setattr(state, "view", lambda self, seat: view(self, seat) | more(self, seat))  # type: ignore[operator]


def a_rivals_hand(monkeypatch: pytest.MonkeyPatch, game: Watched) -> None:
    _in_views(monkeypatch, game, lambda self, seat: {"hands": game.hands(self)})


def a_single_hidden_card(monkeypatch: pytest.MonkeyPatch, game: Watched) -> None:
    """Whether anybody else holds a certain card: one bit."""
    _in_views(
        monkeypatch,
        game,
        lambda self, seat: {
            "hint": any(game.leak_card in hand for other, hand in enumerate(game.hands(self)) if other != seat)
        },
    )


def the_order_of_a_deck(monkeypatch: pytest.MonkeyPatch, game: Watched) -> None:
    _in_views(monkeypatch, game, lambda self, seat: {"next": self.decks[0].order[-1] if self.decks[0].order else None})


def the_seed(monkeypatch: pytest.MonkeyPatch, game: Watched) -> None:
    plain = Game.start

    def start(self: Game, seat: int) -> Start:
        message = plain(self, seat)
        return msgspec.structs.replace(message, edition={**message.edition, "chance": self.spec.seed})

    monkeypatch.setattr(Game, "start", start)


def actions_that_depend_on_hidden_cards(monkeypatch: pytest.MonkeyPatch, game: Watched) -> None:
    """The same actions, in an order that tells of the rivals' hands."""
    for name in ("options", "advance"):
        plain = getattr(game.turn, name)

        def told(position: Any, *log: list[Event], plain: Callable[..., list[Action]] = plain) -> list[Action]:
            found = plain(position, *log)
            rivals = [hand for seat, hand in enumerate(game.hands(position)) if seat != position.to_act]
            return sorted(found, key=repr, reverse=sum(map(sum, rivals)) % 2 == 1)

        monkeypatch.setattr(game.turn, name, told)


def _in_decisions(monkeypatch: pytest.MonkeyPatch, change: Callable[[Game, Decide], Decide]) -> None:
    plain = Game.decide
    monkeypatch.setattr(Game, "decide", lambda self: change(self, plain(self)))


def a_counter_of_rivals_decisions(monkeypatch: pytest.MonkeyPatch, game: Watched) -> None:
    """How often a rival was asked tells whether it had a choice."""
    _in_decisions(
        monkeypatch,
        lambda game, message: msgspec.structs.replace(message, view={**message.view, "asked": sum(game._turns)}),
    )


def events_for_one_seat_sent_to_all(monkeypatch: pytest.MonkeyPatch, game: Watched) -> None:
    monkeypatch.setattr(transcript, "visible", lambda event, reader: True)


LEAKS: list[Plant] = [
    a_rivals_hand,
    a_single_hidden_card,
    the_order_of_a_deck,
    the_seed,
    actions_that_depend_on_hidden_cards,
    a_counter_of_rivals_decisions,
    events_for_one_seat_sent_to_all,
]


# that somebody else could have played a purse


def an_event_that_a_purse_was_asked_for(monkeypatch: pytest.MonkeyPatch, game: Watched) -> None:
    plain = game.turn.advance

    def advance(position: Any, log: list[Event]) -> list[Action]:
        found: list[Action] = plain(position, log)
        if position.table.phase == "defend":
            log.append(Event(None, {"event": "asked", "seat": position.to_act}))
        return found

    monkeypatch.setattr(game.turn, "advance", advance)


def a_counter_of_purses_asked_for(monkeypatch: pytest.MonkeyPatch, game: Watched) -> None:
    """In the views of all others, at their next decision."""

    def change(game: Game, message: Decide) -> Decide:
        asked = game.__dict__.setdefault("asked for purses", [])
        if message.view["phase"] == "defend":
            asked.append(message.view["seat"])
        own = asked.count(message.view["seat"])
        return msgspec.structs.replace(message, view={**message.view, "purses": len(asked) - own})

    _in_decisions(monkeypatch, change)


def the_phase_of_somebody_elses_decision(monkeypatch: pytest.MonkeyPatch, game: Watched) -> None:
    _in_views(monkeypatch, game, lambda self, seat: {"defends": self.table.phase == "defend"})


PURSE_LEAKS: list[Plant] = [an_event_that_a_purse_was_asked_for, a_counter_of_purses_asked_for]


# K-10: what the chits are that lie face down


def a_chit_of_a_city_that_nobody_reached(monkeypatch: pytest.MonkeyPatch, game: Watched) -> None:
    _in_views(monkeypatch, game, lambda self, seat: {"next": self.chits[0][max(self.table.city) + 1 : -1][:1]})


def whether_two_chits_of_a_city_are_alike(monkeypatch: pytest.MonkeyPatch, game: Watched) -> None:
    """One bit of the last city: as if its blue chit could be seen through the red one."""
    _in_views(monkeypatch, game, lambda self, seat: {"pair": self.chits[0][9] == self.chits[1][9]})


def a_chit_turned_over_for_whoever_stands_a_city_before(monkeypatch: pytest.MonkeyPatch, game: Watched) -> None:
    """In an event, one city too early."""
    plain = KosmosPosition.turn_over

    def turn_over(self: Any, city: int, log: list[Event]) -> None:
        plain(self, city, log)
        log.append(Event(None, {"event": "hint", "chit": self.chits[1][city + 1]}))

    monkeypatch.setattr(KosmosPosition, "turn_over", turn_over)


def actions_in_an_order_that_depends_on_a_chit(monkeypatch: pytest.MonkeyPatch, game: Watched) -> None:
    plain = game.turn.options

    def options(position: Any) -> list[Action]:
        return sorted(plain(position), key=repr, reverse=position.chits[0][8] == "gold")

    monkeypatch.setattr(game.turn, "options", options)


CHIT_LEAKS: list[Plant] = [
    a_chit_of_a_city_that_nobody_reached,
    whether_two_chits_of_a_city_are_alike,
    a_chit_turned_over_for_whoever_stands_a_city_before,
    actions_in_an_order_that_depends_on_a_chit,
]


def told_apart(game: str, edition: str, players: int) -> bool:
    """Whether in any of some pairs of worlds different bytes are sent."""
    for number in range(24):
        cut = 5 + 2 * number
        plan = plan_of(game, edition, players, number % players, f"leak {edition} {number}", decisions=cut)
        first, other = two_worlds(plan, Random(number))
        if first.differs(other):
            return True
    return False


FORCED = (("kosmos", "travel"), ("kosmos", "escape"), ("ravensburger", "defend"), ("ravensburger", "further"))
"""Phases in which hidden cards often leave one action."""


@pytest.mark.parametrize(("game", "phase"), FORCED)
def test_two_worlds_find_that_a_forced_move_took_no_time(
    game: str, phase: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is sent is equal, but the referee asks in one of the worlds, and in the other it goes on at once."""
    turn = GAMES[game].turn
    may_have_choice = turn._may_have_choice  # type: ignore[attr-defined]
    monkeypatch.setattr(
        turn, "_may_have_choice", lambda position: position.table.phase != phase and may_have_choice(position)
    )
    for number in range(40):
        plan = plan_of(game, "standard", 3, number % 3, f"forced {number}", decisions=15 + number)
        first, other = two_worlds(plan, Random(number))
        assert first.frames == other.frames
        if first.questions != other.questions:
            return
    raise AssertionError("not found")


def name_of(plant: object) -> str:
    return getattr(plant, "__name__", str(plant))


@PLAYED
@pytest.mark.parametrize("plant", LEAKS, ids=name_of)
def test_transcripts_of_two_worlds_find_the_leak(
    plant: Plant, game: str, edition: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch, GAMES[game])
    assert told_apart(game, edition, 4)


@pytest.mark.parametrize("edition", ["standard", "expert"])
@pytest.mark.parametrize("plant", PURSE_LEAKS, ids=name_of)
def test_transcripts_of_two_worlds_find_that_a_purse_was_asked_for(
    plant: Plant, edition: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch, GAMES["ravensburger"])
    assert told_apart("ravensburger", edition, 4)


@pytest.mark.parametrize("plant", CHIT_LEAKS, ids=name_of)
def test_transcripts_of_two_worlds_find_a_chit_that_nobody_has_seen(
    plant: Plant, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch, GAMES["kosmos"])
    assert told_apart("kosmos", "ru", 4)


@pytest.mark.parametrize(
    ("plant", "found"), [(nothing, False), *((plant, True) for plant in CHIT_LEAKS if "turned" not in name_of(plant))]
)
def test_determinized_states_find_a_chit_that_nobody_has_seen(
    plant: Plant, found: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those leaks that lie in a view or in the list of actions."""
    plant(monkeypatch, GAMES["kosmos"])
    compared, failed = compare_states("kosmos", lambda state: [state.to_act], "ru")
    assert compared > 20
    assert (failed > 0) == found


@pytest.mark.slow
@PLAYED
def test_without_a_leak_they_find_none(game: str, edition: str) -> None:
    assert not told_apart(game, edition, 4)


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=[] if game == "kosmos" else pytest.mark.slow) for game in GAMES]
)
@pytest.mark.parametrize(
    ("plant", "found"),
    [
        (nothing, False),
        (a_rivals_hand, True),
        (a_single_hidden_card, True),
        (the_order_of_a_deck, True),
        (actions_that_depend_on_hidden_cards, True),
    ],
    ids=name_of,
)
def test_determinized_states_find_the_leak(
    plant: Plant, found: bool, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The leaks that lie in the engine."""
    plant(monkeypatch, GAMES[game])
    compared, failed = compare_states(game, lambda state: [state.to_act])
    assert compared > 20
    assert (failed > 0) == found


@pytest.mark.slow
@pytest.mark.parametrize(("plant", "found"), [(nothing, False), (the_phase_of_somebody_elses_decision, True)])
def test_determinized_states_find_that_a_purse_is_being_asked_for(
    plant: Plant, found: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the eyes of those who are neither asked nor on turn."""
    plant(monkeypatch, GAMES["ravensburger"])
    compared, failed = compare_states(
        "ravensburger", lambda state: {*range(3), None} - {state.to_act, state.table.on_turn}
    )
    assert compared > 20
    assert (failed > 0) == found


def compare_states(game: str, readers: Callable[[Any], Any], edition: str = "standard") -> tuple[int, int]:
    """How many pairs of a state and a determinized one were compared, and how many differ."""
    rules = GAMES[game].rules
    data = plan_of(game, edition, 3, 0, "").edition
    compared = failed = 0
    for number in range(3):
        state: Any = rules.start(3, data, Seeded(derive(b"twins with leaks", game, number)))
        for step, _ in enumerate(random_play(state, Random(number))):
            if state.to_act is not None and (step % 5 == 0 or state.table.phase == "defend"):
                for reader in readers(state):
                    compared += 1
                    try:
                        check_indistinguishable(rules, state, reader, data, "leak", step)
                    except AssertionError:
                        failed += 1
    return compared, failed
