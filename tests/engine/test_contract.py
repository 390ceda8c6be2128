"""What every game of the catalog has to fulfil, ours and plug-ins alike: the contract of `engine.game`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random

import msgspec
import pytest

from engine.catalog import UnknownGame, game, games
from engine.chance import Seeded, derive
from engine.game import Action, Data, EditionError, Event, Game, Knob, State

CASES = [
    pytest.param(rules, edition, players, id=f"{name}-{edition}-{players}")
    for name, rules in games().items()
    for edition in rules.editions()
    for players in range(rules.players[0], rules.players[1] + 1)
]
every_case = pytest.mark.parametrize(("rules", "edition", "players"), CASES)
every_game = pytest.mark.parametrize("rules", [pytest.param(rules, id=name) for name, rules in games().items()])


def begin(rules: Game, edition: str, players: int, label: str = "contract") -> State:
    return rules.start(players, rules.edition(edition), Seeded(derive(b"contract in test", label, edition, players)))


def play(state: State, random: Random, limit: int = 20_000) -> list[tuple[int, list[Event]]]:
    """Play at random to the end."""
    history: list[tuple[int, list[Event]]] = []
    while state.to_act is not None:
        assert len(history) < limit, "the game does not end"
        index = random.randrange(len(state.actions()))
        history.append((index, state.play(index)))
    return history


def plain(value: object) -> bool:
    """Whether this is plain data, and the same after a journey through JSON and msgpack."""
    journeys = (json.loads(json.dumps(value, allow_nan=False)), msgspec.msgpack.decode(msgspec.msgpack.encode(value)))
    return journeys == (value, value)


def readers(players: int) -> Sequence[int | None]:
    return (*range(players), None)


@every_case
def test_a_game_ends_and_each_decision_is_one(rules: Game, edition: str, players: int) -> None:
    state = begin(rules, edition, players)
    random = Random(1)
    for _ in range(20_000):
        seat = state.to_act
        actions = state.actions()
        if seat is None:
            break
        assert 0 <= seat < players
        assert len(actions) >= 2, "a decision with a single action is not asked"
        assert len({json.dumps(action) for action in actions}) == len(actions), "an action is offered twice"
        assert 0 <= state.caretaker() < len(actions)
        state.play(random.randrange(len(actions)))
    assert state.to_act is None
    assert list(state.actions()) == []
    with pytest.raises(IndexError):
        state.play(0)


@every_case
def test_everything_that_leaves_a_game_is_plain_data(rules: Game, edition: str, players: int) -> None:
    data = rules.edition(edition)
    assert plain(data)
    state = begin(rules, edition, players)
    random = Random(2)
    while state.to_act is not None:
        actions: Sequence[Action] = state.actions()
        assert plain(list(actions))
        index = random.randrange(len(actions))
        if random.random() < 0.1:
            assert all(plain(state.view(seat)) for seat in readers(players))
        for action in actions:
            assert_line(rules.words(action))
        for to, what in state.play(index):
            assert to is None or 0 <= to < players
            assert plain(what)
            assert_line(rules.words(what))
    assert plain(state.scores())


def assert_line(text: str) -> None:
    assert text
    assert text.isprintable(), text


@every_case
def test_equal_chance_and_equal_moves_make_equal_games(rules: Game, edition: str, players: int) -> None:
    one, same = begin(rules, edition, players), begin(rules, edition, players)
    history = play(one, Random(3))
    for index, events in history:
        assert same.play(index) == events
    for seat in readers(players):
        assert same.view(seat) == one.view(seat)
    other = begin(rules, edition, players, "another deal")
    assert [other.view(seat) for seat in readers(players)] != [
        begin(rules, edition, players).view(seat) for seat in readers(players)
    ]


@every_case
def test_looking_changes_nothing(rules: Game, edition: str, players: int) -> None:
    """Nor does writing into what was handed out as one's own: a view, ranks, scores."""
    state, untouched = begin(rules, edition, players), begin(rules, edition, players)
    random = Random(4)
    while state.to_act is not None:
        index = random.randrange(len(state.actions()))
        for seat in readers(players):
            spoil(state.view(seat))
        state.ranks().clear()
        state.scores().clear()
        state.copy().play(index)
        assert state.play(index) == untouched.play(index)
    assert [state.view(seat) for seat in readers(players)] == [untouched.view(seat) for seat in readers(players)]


def spoil(value: object) -> None:
    """Overwrite all that can be overwritten."""
    if isinstance(value, dict):
        for part in value.values():
            spoil(part)
        value.clear()
    elif isinstance(value, list):
        for part in value:
            spoil(part)
        value.append("spoilt")


@every_case
def test_ranks_and_scores_at_any_time(rules: Game, edition: str, players: int) -> None:
    """Rank 1 is best; whoever ties shares a rank and the next ranks are left out."""
    state = begin(rules, edition, players)
    random = Random(5)
    names = set(state.scores()[0])
    while True:
        ranks = state.ranks()
        assert len(ranks) == players
        assert all(rank == 1 + sum(other < rank for other in ranks) for rank in ranks)
        assert [set(row) for row in state.scores()] == [names] * players
        if state.to_act is None:
            break
        state.play(random.randrange(len(state.actions())))


@every_case
def test_an_imagined_world_is_the_same_to_its_seat(rules: Game, edition: str, players: int) -> None:
    data = rules.edition(edition)
    state = begin(rules, edition, players)
    random = Random(6)
    number = 0
    while (seat := state.to_act) is not None:
        number += 1
        if random.random() < 0.1:
            view = state.view(seat)
            world = rules.imagine(view, data, Seeded(derive(b"contract in test", "imagined", number)))
            assert world.view(seat) == view
            assert list(world.actions()) == list(state.actions())
            assert world.to_act == seat
            play(world, random)
        state.play(random.randrange(len(state.actions())))


@every_case
def test_the_caretaker_brings_a_deserted_game_to_its_end(rules: Game, edition: str, players: int) -> None:
    """Whether all seats are deserted or but one; retiring twice tells nothing new."""
    for deserted in (range(players), range(1, players)):
        state = begin(rules, edition, players)
        random = Random(7)
        for seat in deserted:
            state.retire(seat)
            assert state.retire(seat) == []
        for _ in range(20_000):
            if (seat_now := state.to_act) is None:
                break
            retired = seat_now in deserted
            state.play(state.caretaker() if retired else random.randrange(len(state.actions())))
        assert state.to_act is None


@every_case
def test_a_slip_costs_what_the_edition_says_and_changes_no_decision(rules: Game, edition: str, players: int) -> None:
    state = begin(rules, edition, players)
    seat, actions = state.to_act, list(state.actions())
    for other in range(players):
        assert all(plain(event.what) for event in state.slip(other))
    assert (state.to_act, list(state.actions())) == (seat, actions)


@every_game
def test_indexes_that_are_no_action(rules: Game) -> None:
    state = begin(rules, rules.editions()[0], rules.players[0])
    before = state.view(None)
    for index in (-1, len(state.actions()), 10**9):
        with pytest.raises(IndexError):
            state.play(index)
    assert state.view(None) == before


@every_game
def test_numbers_of_players_that_the_game_is_not_for(rules: Game) -> None:
    data = rules.edition(rules.editions()[0])
    for players in (rules.players[0] - 1, rules.players[1] + 1, 0, -1):
        with pytest.raises(ValueError, match=rules.name):
            rules.start(players, data, Seeded(bytes(16)))


@every_game
def test_editions_and_their_knobs(rules: Game, tmp_path: Path) -> None:
    assert len(set(rules.editions())) == len(rules.editions()) >= 1
    for name in rules.editions():
        first: Data = rules.edition(name)
        spoil(rules.edition(name))
        assert rules.edition(name) == first, "an edition handed out is nobody else's"
        knobs: list[Knob] = rules.knobs(name)
        assert all(knob.name and knob.value for knob in knobs)
    for missing in ("no such edition", tmp_path / "missing.toml"):
        with pytest.raises(EditionError):
            rules.edition(missing)
        with pytest.raises(EditionError):
            rules.knobs(missing)


def test_the_catalog_finds_games_by_name() -> None:
    assert "kosmos" in games()
    assert all(game(name) is rules and rules.name == name for name, rules in games().items())
    with pytest.raises(UnknownGame, match=r"no game 'chess'.*kosmos"):
        game("chess")
