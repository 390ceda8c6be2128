"""`--until resolved`: a tournament ends when its order is known, says so everywhere, and that can be verified."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import pytest

from arena.formats import Balanced, Decisive, Field, PlayedBlock, UntilResolved
from arena.formats.base import GameOutcome
from arena.formats.decisive import OrderKnowledge
from arena.ledger import Contradiction, Ledger, Measure, NeighbourVerdict, Resolution
from arena.standings import leaderboard
from arena.standings.lead import resolution_in_words
from arena.standings.leaderboard_text import plain
from arena.tournament.plan import Plan, PlanError
from arena.tournament.verification.audit import audit
from tests.arena.formats.simulated import SimulatedTournament

if TYPE_CHECKING:
    from tests.arena.tournament.conftest import Lab

SEED = bytes(16)
SOON = {"players": "2", "margin": 0.4, "error": 0.4}
"""Few games resolve the order."""


def evenly(margin: float = 0.3) -> UntilResolved:
    return UntilResolved(Balanced(SEED), OrderKnowledge(0.05, margin))


def test_an_even_tournament_ends_when_its_order_is_known() -> None:
    tournament = SimulatedTournament(evenly, {"a": 3.0, "b": 0.0, "c": 0.0, "d": -3.0}, [2, 3])
    tournament.finish()
    assert isinstance(tournament.format, UntilResolved)
    found = tournament.format.resolution(tournament.field)
    assert [verdict.kind for verdict in found.verdicts] == ["apart", "tied", "apart"]
    assert tournament.draws_the_same_when_resumed()
    games = [sum(bot in block.bots for each in tournament.rounds for block in each.blocks) for bot in "abcd"]
    assert max(games) - min(games) <= 2, "who plays is as even as without"


def test_without_a_format_games_go_where_the_order_is_least_certain() -> None:
    plan = Plan(until="resolved", margin=0.2)
    assert plan.format_name() == "decisive"
    assert plan.format_options() == Plan(format="decisive", margin=0.2).format_options()
    assert Plan(until="resolved", format="swiss").format_options().until == "resolved"
    with pytest.raises(PlanError, match="until: 'soon' is not allowed, only resolved is"):
        Plan(until="soon")  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize("format", [None, "balanced"])
def test_the_order_is_kept_shown_and_verified_and_is_the_same_after_an_interruption(
    lab: Lab, format: str | None
) -> None:
    options: dict[str, Any] = {**SOON, "until": "resolved", "format": format}
    whole = lab.run(out="whole", **options)
    lab.played.clear()
    lab.interrupt_after = 9
    assert lab.run(out="pieces", **options).interrupted
    with Ledger.open(whole.folder.parent / "pieces") as ledger:
        assert ledger.settings.resolution is None, "nothing is said before the end"
    lab.interrupt_after = None
    pieces = lab.run(out="pieces", jobs=3, **options)
    with Ledger.open(whole.folder) as one, Ledger.open(pieces.folder) as other:
        found = one.settings.resolution
        assert found is not None
        assert found == other.settings.resolution
        assert found.is_resolved
        assert audit(one).differences == audit(other).differences == []
        board = leaderboard(one)
    data = json.loads(json.dumps(board.data()))["resolution"]
    assert (data["resolved"], data["margin"], data["error"]) == (True, 0.4, 0.4)
    assert len(data["verdicts"]) == len(board.overall or []) - 1
    text = plain(board)
    assert all(line in text for line in resolution_in_words(found))
    assert any(line.startswith(f"order: 1 of {len(found.verdicts)} neighbours") for line in lab.said)


def test_a_tournament_that_ends_before_says_what_is_open(lab: Lab) -> None:
    outcome = lab.run(games=20, players="2", until="resolved")
    with Ledger.open(outcome.folder) as ledger:
        found = ledger.settings.resolution
        assert found is not None
        assert not found.is_resolved
        assert audit(ledger).differences == []
        with Ledger.open(ledger.folder, writing=True) as forging:
            said = found.data()
            said["verdicts"][0]["kind"] = "apart"
            forging.set_meta("resolution", said)
    with Ledger.open(outcome.folder) as ledger:
        assert audit(ledger).differences == ["what is said to be known of the order does not follow from the games"]


def test_words_say_what_is_known_how_surely_and_what_is_not() -> None:
    verdicts = [
        NeighbourVerdict("a", "b", "apart", 40, 0.25),
        NeighbourVerdict("b", "c", "tied", 90, -0.01),
        NeighbourVerdict("c", "d", "undecided", 0, None),
    ]
    assert resolution_in_words(Resolution(0.01, 0.1, verdicts)) == [
        "the order is not resolved: 1 of 3 neighbours cannot be told apart yet",
        "known with 99 % confidence all at once, however often one looked:",
        "a is better than b (mean finish 0.250 less, in 40 games of both)",
        "b and c are within 0.1 of each other (mean finish 0.010 more, in 90 games of both)",
        "not known: whether c is better than d, or within 0.1 of it (they have not met)",
        "of bots that are not neighbours no test says that the lower one is better; whether they are apart or tied "
        "is not said",
    ]
    resolved = resolution_in_words(Resolution(0.05, 0.1, verdicts[:2]))
    assert resolved[0] == "the order is resolved: all neighbours are told apart, or within the margin"
    assert resolution_in_words(Resolution(0.05, 0.1, [])) == []
    late = resolution_in_words(Resolution(0.05, 0.1, verdicts[:2], joined=1))
    assert late[1].endswith("however often one looked, unless bots joined because of results:")
    circle = resolution_in_words(Resolution(0.05, 0.1, verdicts[:2], [Contradiction("a", "c", 50, -0.2)]))
    assert circle[0].startswith("the order is not resolved: no order agrees with all that is known")
    assert "undecided: c stands below a, and is better than it (mean finish 0.200 less, in 50 games of both)" in circle


def knowledge(wins: dict[tuple[str, str], tuple[float, int]]) -> OrderKnowledge:
    """Return what is known after games of two: by pair, how often the first one wins, and how many blocks they play."""
    chance = random.Random(1)
    known = OrderKnowledge(0.05, 0.1)
    blocks = []
    for pair, (share, number) in wins.items():
        for _ in range(number):
            games = []
            for seats in (pair, pair[::-1]):
                winner = pair[0] if chance.random() < share else pair[1]
                games.append(GameOutcome(list(seats), [1 if bot == winner else 2 for bot in seats], [{}, {}], []))
            blocks.append(PlayedBlock(list(pair), games))
    chance.shuffle(blocks)
    known.add(blocks)
    return known


@pytest.mark.slow
def test_an_order_agrees_with_what_is_known_of_bots_that_are_not_neighbours() -> None:
    """By skill a stands before b and c, since it beats d most often; but c is known to be better than a."""
    known = knowledge({
        ("a", "c"): (0.42, 700), ("a", "d"): (0.90, 1500), ("c", "d"): (0.60, 1500),
        ("a", "b"): (0.50, 1500), ("b", "c"): (0.50, 1500), ("b", "d"): (0.78, 1500),
    })  # fmt: skip
    by_skill = sorted("abcd", key=lambda bot: -known.estimate.skill(bot))
    order = known.of("abcd")
    assert by_skill.index("a") < by_skill.index("c"), "else there is nothing to show"
    assert order.bots.index("c") < order.bots.index("a")
    assert order.resolution().contradictions == []
    assert order.resolution().is_resolved


def test_where_a_score_is_played_for_the_order_is_that_of_scores() -> None:
    """`tight` loses one chip in nine games of ten, and wins thirty in the tenth."""
    chance = random.Random(1)
    known = OrderKnowledge(0.05, 0.01, Measure("chips", "chips", -30, 30))
    by_rank = OrderKnowledge(0.05, 0.01)
    while known.of(["loose", "tight"]).resolution().verdicts[0].kind == "undecided":
        games = []
        for seats in (["loose", "tight"], ["tight", "loose"]):
            won = {"tight": 30 if chance.random() < 0.1 else -1}
            won["loose"] = -won["tight"]
            ranks = [1 if won[bot] > 0 else 2 for bot in seats]
            games.append(GameOutcome(seats, ranks, [{"chips": won[bot]} for bot in seats], []))
        for each in (known, by_rank):
            each.add([PlayedBlock(["loose", "tight"], games)])
    found = known.of(["loose", "tight"]).resolution()
    [verdict] = found.verdicts
    assert (verdict.upper, verdict.kind) == ("tight", "apart")
    assert (found.margin, found.unit) == (0.6, "chips")
    assert verdict.difference == pytest.approx(2 * (30 * 0.1 - 0.9), abs=1.5)
    assert known.estimate.skill("tight") > known.estimate.skill("loose")
    assert by_rank.of(["loose", "tight"]).bots == ["loose", "tight"]
    assert f"(by {verdict.difference:+.3f} chips a game, in " in resolution_in_words(found)[2]
    tied = resolution_in_words(Resolution(0.05, 0.6, [NeighbourVerdict("a", "b", "tied", 8, 0.1)], unit="chips"))
    assert tied[2] == "a and b are within 0.6 chips a game of each other (by +0.100 chips a game, in 8 games of both)"


def test_bots_that_beat_each_other_in_a_circle_have_no_order_and_the_tournament_still_ends() -> None:
    known = knowledge({
        ("a", "b"): (0.9, 100), ("b", "c"): (0.9, 100), ("c", "a"): (0.9, 100),
        ("top", "a"): (0.9, 100), ("top", "b"): (0.9, 100), ("top", "c"): (0.9, 100),
    })  # fmt: skip
    found = known.of(["a", "b", "c", "top"]).resolution()
    assert found.verdicts[0].upper == "top", "the circle does not draw in whoever is above all of it"
    assert {verdict.kind for verdict in found.verdicts} == {"apart"}
    assert [(each.upper, each.lower) for each in found.contradictions] == [
        (found.verdicts[1].upper, found.verdicts[2].lower)
    ]
    assert not found.is_resolved
    field = Field(("a", "b", "c", "top"), (2,))
    assert UntilResolved(Balanced(SEED), known).draw(0, field) == []
    assert Decisive(SEED, known).draw(0, field) == []
