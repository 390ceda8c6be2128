"""A comparison as a tournament: where it lies, when it ends, and that it goes on and is verified like any other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from arena.entrants import EntrantError, build, expand
from arena.ledger import Dealing, Ledger, LedgerError, Measure
from arena.tournament.comparison.question import Question, make_question, play
from arena.tournament.comparison.sides import find_sides
from arena.tournament.comparison.verdict import Comparison, comparison
from arena.tournament.identity import measure_of
from arena.tournament.observer import RunOutcome
from arena.tournament.plan import Plan, PlanError
from arena.tournament.run import run
from arena.tournament.verification.audit import audit
from engine import catalog
from engine.rules import Capabilities, Score
from tests.arena.tournament.conftest import Lab

OPPONENTS = ("a", "b", "c", "d")
Ask = Callable[..., Question]


@pytest.fixture
def ask(lab: Lab) -> Ask:
    """Return a function that asks which of two bots is better."""

    def asked(old: str = "old", new: str = "new", **options: Any) -> Question:
        margin = options.pop("margin", 0.2)
        first, second = lab.bots(old, new)
        sides = find_sides(first, second, lab.bots(*OPPONENTS))
        return make_question(plan(**options), sides, margin)

    return asked


def plan(**options: Any) -> Plan:
    return Plan(**{"seed": 1, "jobs": 1, "players": "2-3", **options})


def played(lab: Lab, question: Question, **options: Any) -> tuple[RunOutcome, Comparison]:
    outcome = play(question, plan(**options), lab, make=lab.make)
    with Ledger.open(outcome.folder) as ledger:
        return outcome, comparison(ledger)


def content(folder: Path) -> list[Any]:
    """What the ledger has of rounds and games."""
    with Ledger.open(folder) as ledger:
        return [ledger.blocks(), sorted(ledger.outcomes(), key=lambda game: game.index)]


def test_equal_bots_are_found_to_be_within_the_margin(lab: Lab, ask: Ask) -> None:
    question = ask()
    outcome, found = played(lab, question)
    assert (found.verdict, found.old, found.new) == ("within", "old", "new")
    assert -0.2 <= found.low < found.high <= 0.2
    assert found.games <= outcome.played < question.most
    assert {each.players for each in found.players} == {2, 3}
    assert sum(each.pairs for each in found.players) == found.pairs
    with Ledger.open(outcome.folder) as ledger:
        assert audit(ledger).differences == []


def test_a_better_bot_and_a_worse_one_are_found_soon(lab: Lab, ask: Ask) -> None:
    lab.leads = {"new"}
    outcome, found = played(lab, ask())
    assert (found.verdict, found.low > 0) == ("better", True)
    assert outcome.played < 200
    assert played(lab, ask("new", "old"))[1].verdict == "worse"


def test_where_a_score_is_played_for_it_is_what_is_compared(
    lab: Lab, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    lab.leads = {"new"}
    by_rank = played(lab, ask())[1]
    assert (by_rank.unit, by_rank.margin) == ("", 0.2)
    score, span = Score("gold", "pieces", best="least"), {2: (0, 4), 3: (-2, 10)}
    with_score(monkeypatch, Capabilities(score=score, span=span))
    question = ask(margin=None)
    outcome, found = played(lab, question)
    assert (found.unit, found.verdict, found.margin) == ("pieces", "better", pytest.approx(0.12))
    assert found.difference is not None
    for each in found.players:
        assert 1 <= each.new < each.old <= each.players, "its rank is its gold here"
        assert each.old - each.new == pytest.approx(each.difference)
    assert found.low < found.difference < found.high <= 12
    with Ledger.open(outcome.folder) as ledger:
        assert audit(ledger).differences == []


@pytest.mark.parametrize(
    ("capabilities", "said"),
    [
        (Capabilities(score=Score("gold", "pieces")), "played for pieces, and the rules do not say how far that goes"),
        (Capabilities(score=Score("gold"), span={2: (0, 9)}), "played for points, and the rules do not say how far"),
    ],
)
def test_a_score_without_ends_cannot_be_compared(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, capabilities: Capabilities, said: str
) -> None:
    with_score(monkeypatch, capabilities)
    with pytest.raises(PlanError, match=said):
        ask()


def test_an_order_of_those_who_win_together_is_never_known() -> None:
    rules: Any = SimpleNamespace(
        name="joint", capabilities=Capabilities(score=Score("gold", cooperative=True), span={2: (0, 5)})
    )
    assert measure_of(rules, [2], False) == Measure("gold", "points", 0, 5)
    with pytest.raises(PlanError, match="joint is played for points, and all who meet win the same: play a tournament"):
        measure_of(rules, [2], True)


def with_score(monkeypatch: pytest.MonkeyPatch, capabilities: Capabilities) -> None:
    monkeypatch.setattr(type(catalog.rules("kosmos")), "capabilities", capabilities)


def test_games_without_chance_begin_with_openings(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ask().identity.dealing == Dealing()
    monkeypatch.setattr(type(catalog.rules("kosmos")), "capabilities", Capabilities(chance=False))
    assert ask().identity.dealing == Dealing(is_shared=True, has_chance=False, openings=4)


def test_a_bot_that_keeps_failing_is_the_worse_one(lab: Lab, ask: Ask) -> None:
    lab.retires = {"new"}
    outcome, found = played(lab, ask())
    assert (found.verdict, found.suspended) == ("worse", ["new"])
    assert outcome.played < 100
    lab.retires = {"old"}
    assert played(lab, ask(margin=0.1))[1].verdict == "better"
    lab.retires = {"old", "new"}
    assert played(lab, ask(margin=0.15))[1].verdict == "unknown"


def test_an_opponent_that_keeps_failing_is_in_no_later_round(lab: Lab, ask: Ask) -> None:
    lab.retires = {"a"}
    outcome, found = played(lab, ask())
    assert found.verdict == "within"
    with Ledger.open(outcome.folder) as ledger:
        assert sum("a" in game.bots for game in ledger.outcomes()) < 60
        assert audit(ledger).differences == []


def test_it_ends_after_the_games_that_were_asked_for_and_goes_on_with_more(lab: Lab, ask: Ask) -> None:
    few = ask(games=40)
    outcome, found = played(lab, few)
    assert found.verdict == "unknown"
    assert 40 <= outcome.played == few.most < 60
    more = ask()
    assert more.folder == few.folder
    again, found = played(lab, more)
    assert found.verdict == "within"
    assert outcome.folder == again.folder
    assert set(lab.played.values()) == {1}
    assert played(lab, more)[0].played == 0


@pytest.mark.slow
def test_an_interrupted_comparison_ends_as_the_undisturbed_one(lab: Lab, ask: Ask, tmp_path: Path) -> None:
    undisturbed, expected = played(lab, ask(out="undisturbed"))
    lab.played.clear()
    for games in (30, 75, 150):
        lab.interrupt_after = games
        assert played(lab, ask(out="disturbed"))[0].interrupted
    lab.interrupt_after = None
    outcome, found = played(lab, ask(out="disturbed"), jobs=3)
    assert found == expected
    assert content(outcome.folder) == content(undisturbed.folder)


@pytest.mark.slow
def test_another_question_lies_in_another_folder(lab: Lab, ask: Ask) -> None:
    first = ask()
    assert first.folder.parent == Path("tournaments/compare")
    others = [ask(margin=0.1), ask(players="2"), ask(move=0.1), ask(seed=2), ask("new", "old")]
    assert len({question.folder for question in (first, *others)}) == 6
    assert ask(games=7, jobs=2).folder == first.folder
    Path(lab.bots("new")[0]).write_text("# changed\n")
    assert ask().folder != first.folder


@pytest.mark.slow
def test_a_folder_that_holds_something_else_is_left_alone(lab: Lab, ask: Ask) -> None:
    played(lab, ask(out="here", games=20))
    with pytest.raises(PlanError, match=r"its margin is 0\.2, not 0\.1"):
        played(lab, ask(out="here", margin=0.1))
    Path(lab.bots("b")[0]).write_text("# changed\n")
    with pytest.raises(PlanError, match="another comparison"):
        played(lab, ask(out="here"))
    lab.run(out="there", games=10)
    with pytest.raises(PlanError, match="its format is balanced, not paired"):
        played(lab, ask(out="there"))
    with Ledger.open(Path("there")) as ledger, pytest.raises(LedgerError, match="no comparison"):
        comparison(ledger)
    assert played(lab, ask(out="here"), fresh=True)[1].verdict == "within"


@pytest.mark.slow
def test_both_bots_must_be_able_to_play_and_opponents_need_not(lab: Lab, ask: Ask) -> None:
    lab.left_out = {"new": "it does not start"}
    with pytest.raises(EntrantError, match=r"new\.py cannot take part: it does not start"):
        played(lab, ask())
    lab.left_out = {"a": "it does not start"}
    found = played(lab, ask())[1]
    assert found.verdict == "within"
    assert "left out: a: it does not start" in lab.said
    assert played(lab, ask())[0].played == 0
    lab.left_out = dict.fromkeys(OPPONENTS, "none starts")
    with pytest.raises(PlanError, match="too few opponents can take part"):
        played(lab, ask(out="alone"))


def test_games_for_which_there_are_too_few_opponents_are_not_asked_for(lab: Lab, ask: Ask) -> None:
    assert ask(players="2-6").counts == [2, 3, 4, 5]
    with pytest.raises(PlanError, match="4 opponents: games of 6 need 5"):
        ask(players="6")


def test_a_finer_margin_and_a_smaller_error_take_more_games_at_most(lab: Lab, ask: Ask) -> None:
    assert ask(margin=0.05).most > 3 * ask(margin=0.1).most


def test_versions_are_compared_as_their_tournament_plays(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_CACHE", str(lab.folder / "cache"))
    build(expand(lab.bots("mine")).found[0])  # its source is kept
    lab.run("a b c mine", players="2-4", move=0.25, games=10)
    Path(lab.bots("mine")[0]).write_text("# changed\n")
    lab.run("a b c mine", players="2-4", move=0.25, games=20)
    sides = find_sides("mine@1", "mine@2")
    question = make_question(Plan(), sides)
    assert question.identity.time.move == 0.25
    assert question.identity.players == [2, 3, 4]
    assert [each.name for each in question.entrants] == ["mine", "mine@2", "a", "b", "c"]
    other = make_question(Plan(players="2", move=0.5), sides)
    assert (other.identity.time.move, other.identity.players) == (0.5, [2])


def test_no_other_tournament_is_played_in_its_folder(lab: Lab, ask: Ask) -> None:
    outcome, _ = played(lab, ask(games=20))
    with pytest.raises(PlanError, match="its format is paired, not balanced"):
        run(Plan(bots=lab.bots(*OPPONENTS), seed=1, players="2-3", out=str(outcome.folder)), lab, make=lab.make)
