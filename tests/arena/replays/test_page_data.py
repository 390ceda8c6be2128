"""A game's data for a page: put together again as a page does, they are what the views say."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from arena.game.replay import ReplayError, begun, replay
from arena.ledger import GameRecord, Step
from arena.replays.page_data import BOT, REFEREE, SUBSTITUTE, build_page_data, encode
from engine import catalog
from engine.picture import Illustrated
from engine.rules import Data, Rules

EXAMPLE = Path(__file__).parents[3] / "docs" / "number_race"
CASES = pytest.mark.parametrize(
    ("name", "edition", "players"),
    [(name, game.editions()[-1], players) for name, game in catalog.installed().items() for players in (2, 3, 5)],
)


def recorded(rules: Rules, edition: Data, players: int, bots: list[str] | None = None, moves: int = 1500) -> GameRecord:
    """A game played at random, with notes, a penalty, a move by the substitute now and then, and a retirement."""
    random = Random(f"{edition} {players}")
    empty = GameRecord(
        "a-game", 0, players, 0, 0, random.randbytes(16).hex(), bots or [f"bot{seat}" for seat in range(players)],
        "finished", [], [], [], [], [], [[] for _ in range(players)], "", "",
    )  # fmt: skip
    state = begun(empty, rules, edition)
    steps: list[Step] = []
    retired: list[int] = []
    while (seat := state.to_act) is not None and len(steps) < moves:
        if len(steps) % 50 == 49:
            steps.append(Step("penalty", seat, "referee"))
            state.penalize(seat)
        if len(steps) > 100 and not retired and players > 2:
            steps.append(Step("retire", seat, "referee"))
            retired.append(seat)
            state.retire(seat)
            continue
        lost = seat in retired or random.random() < 0.05
        index = state.substitute_action() if lost else random.randrange(len(state.actions()))
        by, note = ("substitute", None) if lost else ("bot", random.choice([None, f"note of {seat}"]))
        steps.append(Step("play", seat, by, index, dict(state.actions()[index]), note))  # type: ignore[arg-type]
        state.play(index)
    return msgspec.structs.replace(empty, steps=steps, retired=retired, ranks=state.ranks(), scores=state.scores())


def edition_of(rules: Rules, name: str) -> Data:
    data = deepcopy(rules.edition(name))
    data["parameters"]["max_rounds"] = 30
    return data


def game_of(name: str, edition: str, players: int, moves: int = 1500) -> tuple[GameRecord, Rules, Data]:
    rules = catalog.rules(name)
    data = edition_of(rules, edition)
    return recorded(rules, data, players, moves=moves), rules, data


def applied(value: Any, changes: Data) -> Any:
    """What a page does with changes."""
    if isinstance(value, list):
        return [
            (applied(each, changes[str(place)]) if isinstance(changes[str(place)], dict) else changes[str(place)])
            if str(place) in changes
            else each
            for place, each in enumerate(value)
        ]
    return value | {key: applied(value[key], new) if isinstance(new, dict) else new for key, new in changes.items()}


def loaded(record: GameRecord, rules: Rules, edition: Data) -> tuple[Data, list[Data]]:
    """The parts as a page gets them."""
    public, seats = build_page_data(record, rules, edition)
    loaded: tuple[Data, list[Data]] = json.loads(json.dumps([public, seats]))
    return loaded


@CASES
def test_scenes_and_hands_are_those_of_the_views(name: str, edition: str, players: int) -> None:
    record, rules, data = game_of(name, edition, players)
    assert isinstance(rules, Illustrated)
    public, seats = loaded(record, rules, data)
    state = begun(record, rules, data)
    scene = public["start"]
    assert scene == rules.scene(state.view(None))
    hands = [part["hand"] for part in seats]
    assert hands == [rules.hand(state.view(seat)) for seat in range(players)]
    done = 0
    for game_step in replay(record, rules, data):
        for _ in (event for event in game_step.events if event.to is None):
            scene = applied(scene, public["steps"][done][3])
            for seat, part in enumerate(seats):
                hands[seat] = part["steps"].get(str(done), {}).get("hand", hands[seat])
            done += 1
        assert {**scene, "turn": 0} == {**rules.scene(game_step.state.view(None)), "turn": 0}
        assert hands == [rules.hand(game_step.state.view(seat)) for seat in range(players)]
    assert done == len(public["steps"])
    assert (public["ending"], public["ranks"], public["scores"]) == ("finished", record.ranks, record.scores)
    ends = [steps for steps, *_ in public["chances"]]
    assert ends == sorted(ends)
    assert (ends[0], ends[-1]) == (0, done)
    assert all(abs(sum(chances) - 1000) < players for _, *chances in public["chances"])
    assert [chance > 0 for chance in public["chances"][-1][1:]] == [rank == min(record.ranks) for rank in record.ranks]
    assert len(public["reasons"]) == players
    assert public["begins"]
    assert not set(public["begins"]) & set(public["follows"])
    assert all(public["steps"][step][4] is None for step in public["follows"]), "none begins a turn"
    for point in public["turning_points"]:
        assert all(step < point["step"] for step in point["why"])
        assert not set(point["why"]) & set(public["bookkeeping"])
        assert bool(point["account"]) == bool(point["why"])
        assert point["at"] <= point["step"]
        assert point["at"] not in {*(step + 1 for step in public["begins"]), *public["follows"]}, "it is shown"


@CASES
def test_choices_and_notes_are_shown_to_their_seat_alone(name: str, edition: str, players: int) -> None:
    record, rules, data = game_of(name, edition, players)
    public, seats = loaded(record, rules, data)
    for seat, part in enumerate(seats):
        told = [
            ([part["texts"][text] for text in choice["offered"]], choice["chosen"], choice.get("note"))
            for step in part["steps"].values()
            for choice in step.get("choices", [])
        ]
        made = [
            (
                [_named(rules.words(action), record.bots) for action in game_step.offered],
                game_step.step.index,
                game_step.step.note,
            )
            for game_step in replay(record, rules, data)
            if game_step.step.seat == seat and game_step.step.by == "bot"
        ]
        assert told == made
        assert any(note for _, _, note in told)
        others = json.dumps([each for each in seats if each is not part] + [public])
        assert f"note of {seat}" not in others
    assert record.seed not in json.dumps([public, seats])


def _named(text: str, bots: list[str]) -> str:
    for seat, name in enumerate(bots):
        text = text.replace(f"seat {seat}", name)
    return text


@CASES
def test_every_event_is_shown_once_and_to_its_audience(name: str, edition: str, players: int) -> None:
    record, rules, data = game_of(name, edition, players)
    public, seats = loaded(record, rules, data)
    events = [event for game_step in replay(record, rules, data) for event in game_step.events]
    told = [public["texts"][text] for step in public["steps"] for text in step[2]]
    said = [_named(rules.words(event.what), record.bots) for event in events if event.to is None]
    # That handcuffs do nothing is added.
    assert [text.partition(", whose pawn is still")[0] for text in told] == said
    for seat, part in enumerate(seats):
        told = [part["texts"][text] for step in part["steps"].values() for text in step.get("events", [])]
        own = [_named(rules.words(event.what), record.bots) for event in events if event.to == seat]
        assert [text for text in told if not text.startswith("the substitute plays: ")] == own
        lost = [step for step in record.steps if step.seat == seat and step.by == "substitute"]
        assert len(told) - len(own) == len(lost)


@CASES
def test_a_step_says_whom_it_is_about_and_who_plays_that_seat(name: str, edition: str, players: int) -> None:
    record, rules, data = game_of(name, edition, players)
    public, _ = loaded(record, rules, data)
    assert public["retired"] == record.retired
    found = {(seat in record.retired, by) for seat, by, *_ in public["steps"]}
    assert {(False, BOT), (False, REFEREE)} <= found
    assert ((True, SUBSTITUTE) in found) == bool(record.retired)
    assert not [seat for seat, by, *_ in public["steps"] if by == SUBSTITUTE and seat not in record.retired]
    turns = [label for *_, label in public["steps"] if label]
    assert turns[0].endswith(tuple(record.bots))
    assert any(label.startswith("round 1, bot") for label in turns)
    assert len(turns) > 2 * players


@CASES
def test_an_unfinished_game_is_shown_as_far_as_it_went(name: str, edition: str, players: int) -> None:
    record, rules, data = game_of(name, edition, players)
    whole, _ = loaded(record, rules, data)
    for cut in (0, 1, 17, len(record.steps) - 1):
        part, seats = loaded(msgspec.structs.replace(record, steps=record.steps[:cut]), rules, data)
        assert (part["ending"], part["ranks"], part["scores"]) == (None, None, None)
        assert part["steps"] == whole["steps"][: len(part["steps"])]
        assert part["texts"] == whole["texts"][: len(part["texts"])]
        last = max(len(part["steps"]) - 1, 0)
        assert all(int(step) <= last for seat in seats for step in seat["steps"])


def test_a_walkover_is_over() -> None:
    rules = catalog.rules()
    data = edition_of(rules, "standard")
    record = recorded(rules, data, 2, moves=20)
    steps = [*record.steps, Step("retire", 1, "referee")]
    record = msgspec.structs.replace(record, steps=steps, retired=[1], ending="walkover", ranks=[1, 2])
    public, _ = loaded(record, rules, data)
    assert (public["ending"], public["ranks"], public["retired"]) == ("walkover", [1, 2], [1])
    assert public["steps"][-1][:2] == [1, REFEREE]


def test_a_game_without_pictures_is_shown_in_words_and_by_its_views(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(EXAMPLE)
    import number_race

    rules: Rules = number_race.RULES
    data = rules.edition("standard")
    record = recorded(rules, data, 2)
    public, seats = loaded(record, rules, data)
    assert public["start"] is None
    assert len(public["steps"]) > 3
    assert all(step[0] is None and step[4] is None for step in public["steps"])
    assert public["seen"] == {"rows": {"turn": "0"}, "scores": {"steps": [0, 0]}}
    assert all(step[3].keys() == {"scores"} for step in public["steps"])
    assert public["steps"][-1][3]["scores"]["steps"] == [score["steps"] for score in public["scores"]]
    assert all(text.startswith("shown: ") and " for bot" in text for text in public["texts"])
    assert [seat["hand"] for seat in seats] == [[], []]
    for seat, part in enumerate(seats):
        assert any(text.startswith(f"bot{seat} draws ") for text in part["texts"])
        assert not any(text.startswith(f"bot{1 - seat} draws ") for text in part["texts"])
        assert {"keeps the number", "draws again"} <= set(part["texts"])
        views = [choice["view"] for step in part["steps"].values() for choice in step["choices"]]
        assert len(views) > 3
        assert all(view.keys() == {"number", *(["turn"] if seat else [])} for view in views)


def test_names_are_put_in_once_and_as_they_are() -> None:
    rules = catalog.rules()
    data = edition_of(rules, "standard")
    bots = ["seat 1", "<script>alert(1)</script>\u2028\\1\ud800"]
    public, seats = build_page_data(recorded(rules, data, 2, bots, moves=60), rules, data)
    about = {step[0]: public["texts"][step[2][0]] for step in public["steps"] if step[0] is not None}
    assert about[0].startswith("seat 1 ")
    assert about[1].startswith(bots[1])
    for part in (public, seats[0]):
        text = encode(part).decode("ascii")
        assert "\n" not in text
        assert json.loads(text) == json.loads(json.dumps(part))


def test_a_very_long_name_does_not_make_every_text_long() -> None:
    rules = catalog.rules()
    data = edition_of(rules, "standard")
    bots = ["x" * 5000, "short"]
    public, seats = build_page_data(recorded(rules, data, 2, bots, moves=60), rules, data)
    assert public["bots"] == bots
    texts = [text for part in (public, *seats) for text in part["texts"]]
    assert any("x" * 39 + "… " in text for text in texts)
    assert not any("x" * 40 in text for text in texts)


def test_a_record_that_cannot_be_played_again_is_refused() -> None:
    rules = catalog.rules()
    data = edition_of(rules, "standard")
    record = recorded(rules, data, 2, moves=5)
    broken = [*record.steps[:3], msgspec.structs.replace(record.steps[3], index=999)]
    with pytest.raises(ReplayError, match="step 4"):
        build_page_data(msgspec.structs.replace(record, steps=broken), rules, data)
