"""Compare what the referee sends in two worlds: a reader's bytes say nothing of the cards that it has not seen."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from arena.game.bot_messages import bot_seed, public_id
from engine.chance import derive
from engine.ravensburger.cards import PURSE
from tests.engine.plays import spread_pairs
from tests.noninterference.kosmos import KOSMOS
from tests.noninterference.ravensburger import RAVENSBURGER
from tests.noninterference.worlds import Plan, Told, drawn_in_another_order, played, two_worlds

pytestmark = pytest.mark.slow

TURN = ("setup", "turn", "further", "rose", "exchange", "lay_off", "leap", "defend")
PHASES = {
    ("kosmos", "standard"): ("take", "action", "travel", "reroll", "chit", "escape", "limit"),
    # The hand limit is nobody's choice there.
    ("kosmos", "ru"): ("take", "action", "travel", "reroll", "chit", "escape"),
    ("ravensburger", "standard"): TURN,
    ("ravensburger", "expert"): (*TURN, "event"),
}
EVERYTHING = 10**9
ENOUGH = 3
"""Pairs that differ in the rivals' hands, wanted for each phase that ends one; as many that differ in the decks."""
GAMES = {"kosmos": KOSMOS, "ravensburger": RAVENSBURGER}
PLAYED = pytest.mark.parametrize(("game", "edition"), PHASES)
COUNTS = (2, 3, 4, 5, 6)
SPREAD = pytest.mark.parametrize(("game", "edition", "players"), spread_pairs([*PHASES], COUNTS))


def plan_of(
    game: str,
    edition: str,
    players: int,
    reader: int | None,
    label: str,
    decisions: int = EVERYTHING,
    faults: bool = False,
) -> Plan:
    data = GAMES[game].rules.edition(edition)
    if game == "kosmos":
        data["parameters"]["inattention_days"] = 2
    else:  # games that are not as long, with more of what leads to rare questions
        data["parameters"]["max_rounds"] = 40
        data["cards"] |= {"rose": 15, "handcuffs": 15, "purse": 15}
        for row in data["events"]:
            row["count"] *= 5 if row["effect"] == "lay_off" else 1
    return Plan(GAMES[game], data, players, reader, decisions, label, faults)


def edition_hides_chits(game: str, edition: str) -> bool:
    return bool(GAMES[game].rules.edition(edition)["parameters"].get("chits_face_down"))


@SPREAD
def test_a_seat_is_sent_equal_bytes(game: str, edition: str, players: int) -> None:
    """K-90 to K-92, R-90, R-91, for every seat, up to a decision in every phase and up to the end of the game.

    The referee asks for as many decisions, or pauses as if it did, so the times are equal too.
    """
    phases = PHASES[game, edition]
    missing = Counter({(phase, what): ENOUGH for phase in phases for what in ("hands", "decks")})
    del missing["setup", "hands"]  # before any card is dealt
    missing["seat asked otherwise", "rivals"] = 1
    missing["any", "chits"] = ENOUGH * edition_hides_chits(game, edition)
    seats = Counter[int]()
    for number in range(300):
        if not +missing and len(seats) == players:
            break
        label = f"{edition} {players} {number}"
        random = Random(label)
        reader = number % players
        plan = plan_of(game, edition, players, reader, label, faults=number % 3 == 0)
        reached = played(plan).phases
        for phase in phases:
            cuts = [cut for cut, then in enumerate(reached, start=1) if then == phase]
            wanted = missing[phase, "hands"] > 0 or missing[phase, "decks"] > 0 or reader not in seats
            if not cuts or not wanted:
                continue
            first, other = two_worlds(replace(plan, decisions=random.choice(cuts)), random)
            assert first.phases[-1] == phase
            assert first.frames == other.frames
            assert first.questions == other.questions
            missing[phase, "hands"] -= first.hands != other.hands
            missing[phase, "decks"] -= first.decks != other.decks
            missing["any", "chits"] -= first.chits != other.chits
            missing["seat asked otherwise", "rivals"] -= first.asked != other.asked
            seats[reader] += 1
    assert not +missing, f"not reached, or no pair differed: {+missing}"
    assert len(seats) == players


@pytest.mark.parametrize(
    ("game", "edition", "players"), spread_pairs([*PHASES, ("kosmos", "en"), ("kosmos", "nim")], COUNTS)
)
def test_a_whole_game_is_sent_in_equal_bytes(game: str, edition: str, players: int) -> None:
    """Up to `end`, with faults and retirements on the way; what was never shown still differs."""
    differing = 0
    for reader in range(players):
        plan = plan_of(game, edition, players, reader, f"whole {edition} {players}", faults=reader > 0)
        first, other = two_worlds(plan, Random(reader))
        assert first.over
        assert other.over
        assert first.frames == other.frames
        assert first.questions == other.questions
        differing += first.decks != other.decks
    assert differing


@SPREAD
def test_a_spectator_reads_equal_events_and_views(game: str, edition: str, players: int) -> None:
    differing = Counter[str]()
    compared = 0
    for number in range(12):
        label = f"nobody {edition} {players} {number}"
        random = Random(label)
        plan = plan_of(game, edition, players, None, label, random.randrange(10, 150), faults=number % 3 == 0)
        first, other = two_worlds(plan, random)
        assert not first.differs(other)
        compared += len(first.views.keys() & other.views.keys())
        differing["hands"] += first.hands != other.hands
        differing["decks"] += first.decks != other.decks
    assert compared > 100
    assert differing["hands"] >= 6
    assert differing["decks"] >= 6


@pytest.mark.parametrize("players", [2, 4, 6])
def test_event_decks_that_run_out_reveal_nothing_either(players: int) -> None:
    """Without a grey card the event deck is shuffled from its pile, so that hands hold cards of several shuffles."""
    data = KOSMOS.rules.edition("standard")
    data["events"] = dict.fromkeys(data["events"], 0) | {"swap": 1, "detective": 2, "elephant": 2, "princess": 2}
    shuffles = differing = 0
    for number in range(16):
        reader = None if number % 4 == 0 else number % players
        cut = 40 if reader is not None else 40 * players
        plan = Plan(KOSMOS, data, players, reader, cut, f"no grey {players} {number}")
        first, other = two_worlds(plan, Random(number))
        assert not first.differs(other)
        assert first.deal is not None
        shuffles += len(first.deal.specs["event deck"]) > 1
        differing += first.hands != other.hands
    assert shuffles
    assert differing >= 4


@pytest.mark.slow
@PLAYED
def test_which_of_two_cards_was_drawn_first_stays_hidden(game: str, edition: str) -> None:
    """K-91, R-90: also after all have seen both, one after the other or laid off at once."""
    compared = 0
    for number in range(8):
        reader = None if number % 4 == 3 else number % 4
        plan = plan_of(game, edition, 3, reader, f"order {edition} {number}", faults=number % 2 == 0)
        first = played(plan)
        exchanged = list(drawn_in_another_order(plan, first))
        for decks in Random(number).sample(exchanged, min(6, len(exchanged))):
            assert not first.differs(played(plan, first, decks))
            compared += 1
    assert compared > 30


def without_purses(plan: Plan, told: Told) -> dict[tuple[str, int], list[int]]:
    """The decks with the purses that rivals hold and have not played changed for other cards that nobody has seen."""
    assert told.deal is not None
    witness = told.witness
    decks = {("action", number): spec[:] for number, spec in enumerate(told.deal.specs["action deck"])}
    for place, (seat, card) in witness.held.items():
        deck, number, index = place
        if deck != "action" or card != PURSE or seat == plan.reader:
            continue
        spec = decks[deck, number]
        for other, instead in enumerate(spec):
            where = deck, number, other
            if where not in witness.open | witness.held.keys() and instead not in {PURSE, *witness.lacked_at(place)}:
                spec[index], spec[other] = instead, card
                break
    return decks


@pytest.mark.parametrize(("edition", "players"), spread_pairs(["standard", "expert"], COUNTS))
def test_a_purse_that_was_not_played_reveals_nothing(edition: str, players: int) -> None:
    """R-91: the player sent back held one, was asked, and did not play it; or held none, and was not asked."""
    missing = Counter(dict.fromkeys((*range(players), None), 1))
    for number in range(400):
        if not +missing:
            break
        label = f"purses {edition} {players} {number}"
        reader = None if number % (players + 1) == players else number % (players + 1)
        plan = plan_of("ravensburger", edition, players, reader, label)
        plan.edition["parameters"]["max_rounds"] = 12  # while there are cards in the deck that nobody has held
        asked = played(plan).asked
        defends = [place for place, (seat, phase) in enumerate(asked) if phase == "defend" and seat != reader]
        if not defends:
            continue
        before = asked[: Random(label).choice(defends[:3]) + 1]
        plan = replace(plan, decisions=1 + sum(reader in (seat, None) for seat, _ in before))
        first = played(plan)
        other = played(plan, first, without_purses(plan, first))
        assert not first.differs(other)
        assert reader is None or first.questions == other.questions
        purses = [Counter(seat for seat, phase in told.asked if phase == "defend") for told in (first, other)]
        missing[reader] -= bool(purses[0] - purses[1])
    assert not +missing, f"purses were asked for as often in both worlds: {+missing}"


def test_faults_are_among_what_is_compared() -> None:
    """Their text is sent too: a rival's list of actions must not show in it."""
    told: list[Told] = []
    for number in range(9):
        plan = plan_of("kosmos", "ru", 3, number % 3, f"faults {number}", faults=True)
        told += two_worlds(plan, Random(number))
    assert all(first.frames == other.frames for first, other in zip(told[::2], told[1::2], strict=True))
    sent = b"".join(frame for one in told for frame in one.frames)
    assert {code for one in told for code in one.faults.values()} == {"illegal", "late", "stale", "malformed"}
    for code in (b"illegal", b"late", b"stale", b"malformed", b"retired"):
        assert code in sent


def test_a_bot_seed_is_its_own_stream() -> None:
    """It is not compared, as it has to follow from the game's seed; nothing of the deal is drawn from it."""
    seed = bytes(range(16))
    seeds = [bot_seed(seed, seat) for seat in range(6)]
    assert len(set(seeds)) == 6
    assert seeds == [bot_seed(seed, seat) for seat in range(6)]
    assert all(0 <= one < 2**64 for one in seeds)
    chance = derive(seed, "chance")
    assert all(one.to_bytes(8) not in (chance[:8], chance[8:], seed[:8], seed[8:]) for one in seeds)


def test_what_a_start_says_cannot_be_looked_up() -> None:
    """At one place of two schedules nothing is equal: else a list made in one tournament would serve in another."""
    seeds = [derive(bytes(16), number) for number in range(200)]
    told = [{public_id(seed, "p4-b0000-r0"), *(f"{bot_seed(seed, seat):016x}" for seat in range(6))} for seed in seeds]
    assert len(set().union(*told)) == sum(map(len, told)) == 200 * 7


def test_a_games_id_says_nothing_of_its_place_in_the_schedule() -> None:
    """Nor of its seed, and two games never share one."""
    seeds = [derive(bytes(16), number) for number in range(200)]
    ids = [public_id(seed, f"p4-b{number // 4:04d}-r{number % 4}") for number, seed in enumerate(seeds)]
    assert len(set(ids)) == len(ids)
    assert {len(each) for each in ids} == {16}
    assert set(Counter("".join(ids))) == set("0123456789abcdef")
    assert public_id(seeds[0], "p4-b0000-r0") == ids[0]
    for seed, each in zip(seeds, ids, strict=True):
        secrets = [seed.hex(), derive(seed, "chance").hex(), *(f"{bot_seed(seed, seat):016x}" for seat in range(6))]
        assert all(each not in secret for secret in secrets)
