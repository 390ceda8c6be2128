"""Many games at once are the same games as one after the other."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from arena.features import Form
from arena.features.choices import ActionChoice, Actions
from engine import catalog
from engine.batch import Batch, Result
from engine.chance import Seeded, derive

SEED = b"batch"


def begun(form: Form, rows: int, players: list[int], **settings: int) -> Batch:
    rules = catalog.rules(form.game)
    steps = form.actions.count or 64
    return Batch(rules, rules.edition(form.edition), form, rows, players, SEED, steps, **settings)


@pytest.fixture(scope="module", params=["kosmos", pytest.param("ravensburger", marks=pytest.mark.slow)])
def form(request: pytest.FixtureRequest) -> Form:
    return Form.of(request.param, catalog.rules(request.param).editions()[0], history=3)


def steps(batch: Batch, random: Random) -> list[int]:
    return [random.choice(np.flatnonzero(mask).tolist()) for mask in batch.masks]


def test_rows_are_single_games_stepped_by_hand(form):
    rules, batch = catalog.rules(form.game), begun(form, 3, [2, 4])
    games = []
    for number in range(3):
        chance = Seeded(derive(SEED, "game of a batch", number))
        games.append(rules.start([2, 4][number % 2], rules.edition(form.edition), chance))
    choices = [form.choice(state.actions()) for state in games]
    heard: list[list] = [[] for _ in games]
    random = Random(1)
    assert batch.players.tolist() == [2, 4, 2]
    for _ in range(60):
        taken = steps(batch, random)
        for row, state in enumerate(games):
            seat = state.to_act
            assert batch.seats[row] == seat
            events = [what for to, what in heard[row] if to in (None, seat)]
            assert batch.observations[row].tolist() == form.observe(state.view(seat), choices[row], events).tolist()
            assert batch.masks[row].tolist() == choices[row].mask.tolist()
            assert batch.actions(row) == state.actions()
            if (index := choices[row].take(taken[row])) is not None:
                heard[row] += state.play(index)
                choices[row] = form.choice(state.actions())
        assert batch.step(taken) == []


def played(batch: Batch, count: int) -> tuple[list[Result], bytes]:
    random, results = Random(2), []
    while len(results) < count:
        results += batch.step(np.array(steps(batch, random)))
    return results, batch.observations.tobytes() + batch.masks.tobytes()


def test_all_follows_from_the_seed(form):
    one, two = (played(begun(form, 4, [2, 3]), 6) for _ in range(2))
    assert one == two
    results, _ = one
    assert {len(result.ranks) for result in results} == {2, 3}
    assert all(min(result.ranks) == 1 and not result.is_truncated for result in results)


def test_a_game_that_takes_long_ends_with_its_ranks(form):
    batch = begun(form, 2, [3], max_decisions=5)
    results, _ = played(batch, 2)
    assert {(result.row, len(result.ranks), result.is_truncated) for result in results} >= {(0, 3, True)}
    assert all(result.is_truncated for result in results)


def test_a_step_that_is_not_allowed_is_refused(form):
    batch = begun(form, 2, [2])
    illegal = np.flatnonzero(~batch.masks[1])[0]
    with pytest.raises(ValueError, match="mask"):
        batch.step([int(np.flatnonzero(batch.masks[0])[0]), int(illegal)])
    with pytest.raises(ValueError, match="3 steps for 2 games"):
        batch.step([0, 0, 0])


def test_games_of_a_library_are_stepped_by_their_ids():
    pytest.importorskip("pyspiel")
    results, _ = played(begun(Form.of("openspiel:leduc_poker", "standard"), 4, [2]), 20)
    assert {tuple(sorted(result.ranks)) for result in results} <= {(1, 1), (1, 2)}


class Listed(Form):
    """A form for which an action is its place in the list offered."""

    observation_width = property(lambda self: self.width)

    def choice(self, actions):
        return ActionChoice(Actions("features", None), actions)


def test_where_actions_have_no_ids_each_has_a_place_in_the_list(form):
    listed, rules = Listed(form.file), catalog.rules(form.game)
    batch = Batch(rules, rules.edition(form.edition), listed, 2, [2], SEED, 64)
    random = Random(3)
    for _ in range(50):
        offered = [len(batch.actions(row)) for row in range(2)]
        assert batch.masks.sum(axis=1).tolist() == offered
        assert all(mask[:count].all() for mask, count in zip(batch.masks, offered, strict=True))
        batch.step([random.randrange(count) for count in offered])
    with pytest.raises(ValueError, match="room for 1"):
        Batch(rules, rules.edition(form.edition), listed, 2, [2], SEED, 1)


def test_what_a_seat_cannot_tell_apart_is_equal_in_the_batch(form):
    """In a world drawn from what a seat knows, its row has the same numbers and the same mask."""
    rules = catalog.rules(form.game)
    edition = rules.edition(form.edition)
    batch, random = begun(form, 1, [3]), Random(5)
    differ = 0
    for number in range(120):
        state, seat = batch._states[0], int(batch.seats[0])
        world = rules.determinize(state.view(seat), 3, edition, Seeded(derive(SEED, number)))
        if world is not None and not batch._choices[0].steps:
            differ += any(world.view(other) != state.view(other) for other in range(3))
            numbers, mask = batch.observations.copy(), batch.masks.copy()
            batch._states[0] = world
            batch._decide(0)
            assert (batch.observations == numbers).all()
            assert (batch.masks == mask).all()
            batch._states[0] = state
            batch._decide(0)
        batch.step(steps(batch, random))
    assert differ > 20
