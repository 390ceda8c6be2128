"""Games of OpenSpiel by `openspiel:NAME`."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from arena.replays.views import rows
from engine import catalog
from engine.bridges.plain import line, plain
from engine.catalog import UnknownRules
from engine.chance import Seeded, derive
from engine.rules import Redealt, Rules, State
from engine.testing import CHECKS, cases, check_rules

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is an extra")

SEED = derive(bytes(16), "bridges")
CHECKED = [
    "tic_tac_toe",  # nothing hidden, no chance, observations as data
    "matrix_coordination",  # one decision at the same time, together
    "goofspiel(num_cards=4)",  # at the same time, with chance
    "maedn",  # chance, forced moves that all see
    "kuhn_poker",  # hidden cards, worlds by search, unequal chance
    "tiny_bridge_4p",  # teams
    "hearts",  # forced moves that nobody else knows of
]


def game(name: str) -> Rules:
    return catalog.rules(f"openspiel:{name}")


def begin(name: str, players: int = 2, seed: bytes = SEED) -> State:
    rules = game(name)
    return rules.start(players, rules.edition("standard"), Seeded(seed))


@pytest.mark.parametrize("name", CHECKED)
def test_the_contract_is_kept(name: str) -> None:
    rules = game(name)
    check_rules(rules)
    case = next(cases(rules))
    for check in CHECKS:
        check(case)


def test_names_are_one_whatever_the_order_of_parameters() -> None:
    rules = game("leduc_poker(suit_isomorphism=True,players=3)")
    assert rules is game("leduc_poker(players=3,suit_isomorphism=True)")
    assert rules.name == "openspiel:leduc_poker(players=3,suit_isomorphism=True)"
    assert rules.players == (3, 3)
    assert game("leduc_poker").players == (2, 10)
    assert game("chinese_checkers").players == (2, 4), "five cannot play it"
    assert catalog.version(rules.name) == catalog.version("openspiel:chess") is not None


def test_poker_for_six_has_a_long_name() -> None:
    asked = "blind=1 2 0 0 0 0,stack=20 20 20 20 20 20,firstPlayer=3 1 1 1,numRounds=4,numBoardCards=0 3 1 1"
    rules = game(f"universal_poker(numPlayers=6,{asked},betting=nolimit)")
    assert (rules.players, len(rules.name) > 128) == ((6, 6), True)
    check_rules(rules)


def test_an_edition_has_the_parameters_as_plain_data() -> None:
    edition = game("go(board_size=9)").edition("standard")
    assert edition == {
        "name": "standard", "openspiel": "go", "board_size": 9, "handicap": 0, "komi": "7.5", "max_game_length": 162
    }  # fmt: skip
    with pytest.raises(ValueError, match="this is another"):
        game("go(board_size=9)").start(2, {**edition, "board_size": 19}, Seeded(SEED))


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("tarok", "draws its chance inside OpenSpiel"),
        ("mfg_garnet", "mean-field game"),
        ("solitaire", "for one player"),
        ("pathfinding", "for one player"),
        ("efg_game", "needs parameters: filename"),
        ("chess(colour=1)", "Unknown parameter 'colour'. Available parameters are: chess960$"),
        ("chess(", "Missing closing bracket"),
        ("leduc_poker(players=99)", "openspiel:leduc_poker.players=99.: num_players_ <= "),
        ("universal_poker(numPlayers=3)", "blind must have 3 numbers"),
        (f"go(komi={'1' * 200})", "at most 190 letters"),
        ("hex(board_size=100000)", "more than 1,000,000 actions"),
        ("go(board_size=0)", "unsupported board size"),
        ("python_arena_kosmos", "--game kosmos"),
        ("halma", "there is no game 'openspiel:halma': see arena games openspiel"),
    ],
)
def test_what_cannot_be_played_is_refused_with_the_reason(name: str, why: str, capfd: pytest.CaptureFixture) -> None:
    with pytest.raises(UnknownRules, match=why):
        game(name)
    assert capfd.readouterr() == ("", ""), "the library in C++ prints its errors too"


def test_a_name_that_is_nearly_right_is_told_from_those_that_can_be_played() -> None:
    with pytest.raises(UnknownRules) as caught:
        game("ches")
    assert "openspiel:chess" in caught.value.known
    assert "openspiel:tarok" not in caught.value.known


def test_offers_say_of_every_game_whether_it_can_be_played() -> None:
    provider = catalog.provider("openspiel")
    assert provider is not None
    offers = {offer.name.partition(":")[2]: offer.refused for offer in provider.offers()}
    ours = {name for name in pyspiel.registered_names() if name.startswith("python_arena_")}
    assert offers.keys() == {*pyspiel.registered_names()} - ours
    assert sum(not why for why in offers.values()) >= 93


@pytest.mark.process
def test_our_own_games_do_not_come_back() -> None:
    """The adapters register our games at OpenSpiel, whose games the bridge has: each leaves out what is the other's."""
    code = (
        "import arena.environments.open_spiel as a; from engine import catalog; "
        "print(a.register(), [o.name for o in catalog.provider('openspiel').offers() if 'arena' in o.name])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "['python_arena_kosmos', 'python_arena_ravensburger'] []"


@pytest.mark.process
def test_without_openspiel_the_way_to_get_it_is_said() -> None:
    code = (
        "import sys; sys.modules['pyspiel'] = None\nfrom engine import catalog\n"
        "try: catalog.rules('openspiel:chess')\nexcept catalog.UnknownRules as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert "pip install 'bot-arena[openspiel]'" in done.stdout


def test_what_is_played_for_follows_from_the_utility() -> None:
    assert game("chess").capabilities.score is None, "to win is all"
    leduc, hanabi, hearts = (game(name).capabilities.score for name in ("leduc_poker", "hanabi", "hearts"))
    assert (leduc.zero_sum, leduc.cooperative) == (True, False)
    assert (hanabi.zero_sum, hanabi.cooperative) == (False, True)
    assert (hearts.zero_sum, hearts.cooperative) == (False, False)
    assert game("bridge").capabilities.teams == {4: ((0, 2), (1, 3))}


def test_nothing_hidden_means_that_all_are_told_all() -> None:
    state = begin("backgammon")
    view = state.view(None)
    assert view["to_act"] == state.to_act
    rebuilt = pyspiel.load_game("backgammon").new_initial_state()
    for action in view["history"]:
        rebuilt.apply_action(action)
    assert str(rebuilt).split() == view["text"].split(), "from the history anybody can go on with OpenSpiel itself"
    events = state.play(0)
    assert {event.to for event in events} == {None}
    assert [event.what["event"] for event in events] == ["played", "chance"]


def test_a_choice_at_the_same_time_is_known_to_its_seat_alone_until_all_have_chosen() -> None:
    state = begin("matrix_pd")
    before = state.view(1)
    [chose] = state.play(1)
    assert (chose.to, chose.what["event"], state.to_act) == (0, "chose", 1)
    assert state.view(0)["chosen"] == {"do": "Defect", "id": 1}
    assert state.view(1) == {**before, "to_act": 1}
    assert [(event.to, event.what.get("action")) for event in state.play(0)] == [
        (1, "Cooperate"), (None, "Defect"), (None, "Cooperate"), (None, None),
    ]  # fmt: skip
    assert state.ranks() == [1, 2]


@pytest.mark.parametrize(("name", "players"), [("leduc_poker", 3), ("hearts", 4), ("liars_dice", 2)])
def test_where_something_is_hidden_nothing_is_public_before_the_end(name: str, players: int) -> None:
    state, lots = begin(name, players), Seeded(SEED)
    while (seat := state.to_act) is not None:
        told = {other: state.view(other)["text"] for other in range(players)}
        assert state.ranks() == [1] * players, "no score before the end"
        for to, what in state.play(lots.below("lots", len(state.actions()))):
            if what["event"] == "ended":
                assert (to, state.to_act) == (None, None)
                continue
            assert to == what["seat"]
            if what["event"] == "sees":
                kept = told[to].split("\n")[: what["line"]]
                told[to] = "\n".join([*kept, *([what["text"]] if what["text"] or not kept else [])])
        for other in range(players):
            assert state.view(other)["text"] == told[other], "who keeps what it is told knows its whole view"
        assert seat is not None


def test_a_spectator_sees_what_openspiel_calls_public() -> None:
    state = begin("leduc_poker")
    text = state.view(None)["text"]
    assert "Pot: 2" in text
    assert "Private" not in text
    assert begin("hearts", 4).view(None).keys() == {"seat"}


def test_hearts_does_not_show_the_cards_that_come_before_others_were_passed() -> None:
    """Its observation as data does, so views have none where something is hidden."""
    views = []
    for others in (0, -1):
        state: Any = begin("hearts", 4)
        while state.to_act != 3:
            state.play(others % len(state.actions()))
        assert "Pass Direction" in state.view(3)["text"]
        views.append(state.view(3))
    assert views[0] == views[1]
    assert views[0].keys() == {"seat", "to_act", "text", "tensor"}
    assert "observation" in begin("connect_four").view(0)


@pytest.mark.parametrize(
    ("name", "method", "unit"),
    [
        ("leduc_poker", "information_state_tensor", 1),
        ("gin_rummy", "observation_tensor", 1),
        ("connect_four", "observation_tensor", 1),
        ("yacht", "observation_tensor", 1000),
    ],
)
def test_a_seat_gets_openspiels_numbers_which_people_are_not_shown(name: str, method: str, unit: int) -> None:
    state: Any = begin(name)
    for _ in range(3):
        for seat in (0, 1):
            view = state.view(seat)
            numbers = getattr(state.spiel, method)(seat)
            assert view["tensor"] == [round(unit * number) for number in numbers]
            assert "tensor" not in rows({**view, "text": ""})
        state.play(0)
    assert "tensor" not in state.view(None)
    if unit > 1:
        assert {*map(float.is_integer, numbers)} == {True, False}


@pytest.mark.parametrize(
    "name", ["kriegspiel", "misere(game=kriegspiel())", "hanabi", "dark_chess", "dou_dizhu", "cribbage"]
)
def test_numbers_are_left_out_if_they_say_more_than_the_text_or_there_are_none(name: str) -> None:
    rules = game(name)
    assert "tensor" not in begin(name, rules.players[0]).view(0)


def test_outcomes_of_chance_have_their_probabilities() -> None:
    """In this game a coin falls on one side in one of two games, and in a game of dice each number comes up."""
    rolls = [begin("pig", seed=derive(SEED, number)).play(0)[1].what["action"] for number in range(60)]
    assert len(set(rolls)) == 6


@pytest.mark.parametrize("name", ["leduc_poker", "liars_dice", "tiny_bridge_2p"])
def test_worlds_that_are_searched_differ_in_what_is_hidden(name: str) -> None:
    rules, state = game(name), begin(name)
    if state.to_act == 0:
        state.play(0)
    seat = state.to_act
    assert seat == 1
    worlds = [
        rules.determinize(state.view(seat), 2, rules.edition("standard"), Seeded(derive(SEED, number)))
        for number in range(12)
    ]
    assert all(world is not None and world.view(seat) == state.view(seat) for world in worlds)
    assert len({world.view(0)["text"] for world in worlds if world is not None}) > 1


def test_no_world_is_drawn_where_the_search_may_fail() -> None:
    rules, state = game("hearts"), begin("hearts", 4)
    assert not rules.capabilities.worlds
    assert rules.determinize(state.view(state.to_act), 4, rules.edition("standard"), Seeded(SEED)) is None


@pytest.mark.parametrize(("name", "players"), [("gin_rummy", 2), ("hearts", 4), ("phantom_ttt", 2), ("sheriff", 2)])
def test_a_world_that_is_redealt_differs_for_others_alone(name: str, players: int) -> None:
    rules, state, lots = game(name), begin(name, players), Seeded(SEED)
    assert isinstance(rules, Redealt)
    worlds, others = 0, 0
    for number in range(24):
        seat = state.to_act
        if seat is None:
            break
        before = [state.view(each) for each in range(players)]
        world = rules.redeal(state, seat, Seeded(derive(SEED, number)))
        assert [state.view(each) for each in range(players)] == before, "the state itself is as it was"
        if world is not None:
            worlds += 1
            assert (world.view(seat), world.to_act) == (before[seat], seat)
            others += [world.view(each) for each in range(players)] != before
            while world.to_act is not None:
                world.play(lots.below("world", len(world.actions())))
        state.play(lots.below("lots", len(state.actions())))
    assert worlds >= others > 1


def test_nothing_is_redealt_where_nothing_is_hidden() -> None:
    rules = game("chess")
    assert isinstance(rules, Redealt)
    assert rules.redeal(begin("chess"), 0, Seeded(SEED)) is None


def test_a_move_without_choice_is_forced_only_where_others_cannot_know() -> None:
    forced = {}
    for name, players in (("hearts", 4), ("maedn", 2)):
        state, lots, found = begin(name, players), Seeded(SEED), 0
        while state.to_act is not None:
            found += len(state.forced_moves())
            state.play(lots.below("lots", len(state.actions())))
        forced[name] = found
    assert forced["hearts"] > 4
    assert forced["maedn"] == 0


def test_values_become_plain_and_words_one_line() -> None:
    assert plain({"a": (1.0, 2.5, True, None), 3: "x  \n"}) == {"a": [1, "2.5", True, None], "3": "x"}
    assert json.dumps(plain({"a": [1.0]})) == '{"a": [1]}'
    assert line("\x1b[31mred\x1b[0m \n board\x07") == "red board?"
    assert line(" ") == "nothing"
