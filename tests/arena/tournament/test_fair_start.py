"""A tournament that is committed to before its seed can be known: two steps, and what is found if one is altered."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from arena.ledger import Ledger, heads
from arena.replays.export import export_folder
from arena.tournament.plan import PlanError
from arena.tournament.verification.audit import audit
from arena.tournament.verification.export import verify_export
from tests.arena.forging import alter, rechain

if TYPE_CHECKING:
    from tests.arena.tournament.conftest import Lab

SOURCE = "the lottery of 2026-12-01"


def seeds(folder: Path) -> list[str]:
    with Ledger.open(folder) as ledger:
        return [outcome.seed for outcome in ledger.outcomes()]


def fair(lab: Lab, out: str, value: str = "17 4 8", **options: Any) -> Path:
    committed = lab.run(games=10, out=out, commit=SOURCE)
    assert not lab.played, "nothing is played before the value is known"
    (head,) = re.findall("head ([0-9a-f]{64})$", committed.commitment)
    outcome = lab.run(games=10, out=out, beacon=value, **options)
    lab.played.clear()
    with Ledger.open(outcome.folder) as ledger:
        found = audit(ledger)
        assert found.differences == []
        assert head in list(heads(ledger.chain.texts())), "who has seen the head finds it in the ledger"
        assert any(value in note and SOURCE in note and head in note for note in found.notes)
    return outcome.folder


def test_the_seed_follows_from_the_secret_the_value_and_what_others_add(lab: Lab) -> None:
    one = seeds(fair(lab, "one"))
    assert seeds(fair(lab, "again")) == one, "the same plan, seed and value give the same games"
    assert not set(seeds(fair(lab, "other", "17 4 9"))) & set(one)
    assert not set(seeds(fair(lab, "more", contributions=["by ant"]))) & set(one)
    assert not set(seeds(lab.run(games=10, out="plain").folder)) & set(one)


def test_while_it_waits_nothing_is_played_and_the_line_stays_the_same(lab: Lab) -> None:
    first = lab.run(games=10, out="t", commit=SOURCE)
    assert lab.run(games=10, out="t", commit=SOURCE).commitment == first.commitment
    with pytest.raises(PlanError, match="waits for a public value"):
        lab.run(games=10, out="t")
    with pytest.raises(PlanError, match="began with --commit"):
        lab.run(games=10, out="t", commit="another source")
    with Ledger.open(first.folder) as ledger:
        assert audit(ledger).differences == []
    assert not lab.played


def test_a_value_without_a_commitment_is_refused_before_a_bot_is_built(lab: Lab) -> None:
    for options in ({"beacon": "17"}, {"contributions": ["x"]}, {"beacon": "17", "commit": SOURCE}):
        with pytest.raises(PlanError, match="begin with --commit"):
            lab.run(games=10, out="t", **options)
    lab.run(games=10, out="t")
    with pytest.raises(PlanError, match="began without --commit"):
        lab.run(games=10, out="t", beacon="17")


def test_the_value_can_be_given_once(lab: Lab) -> None:
    folder = fair(lab, "t")
    lab.run(games=20, out="t")
    lab.run(games=20, out="t", beacon="17 4 8")
    with pytest.raises(PlanError, match="has another public value: '17 4 8'"):
        lab.run(games=20, out="t", beacon="17 4 9")
    with Ledger.open(folder) as ledger:
        assert audit(ledger).differences == []


@pytest.mark.parametrize("path", ["value", "contributions[0]", "head"])
def test_another_value_is_found(lab: Lab, path: str) -> None:
    folder = fair(lab, "t", contributions=["by ant"])
    alter(folder, f"UPDATE meta SET value = json_set(value, '$.{path}', '18') WHERE key = 'beacon'")
    with Ledger.open(folder) as ledger:
        assert audit(ledger).differences
    rechain(folder)
    with Ledger.open(folder) as ledger:
        found = audit(ledger).differences
    assert any("drawn otherwise" in each or "another place, seed or seating" in each for each in found)


def test_an_export_shows_that_the_seeds_of_its_games_follow_from_the_value(lab: Lab, tmp_path: Path) -> None:
    lab.void["p2-b0000-r0"] = 1  # it is played again with another deal
    folder = fair(lab, "t")

    def seeds_that_do_not_follow(name: str) -> int:
        with Ledger.open(folder) as ledger:
            export_folder(ledger, tmp_path / name, "csv")
        found = verify_export(tmp_path / name).verification
        assert any("17 4 8" in note and SOURCE in note for note in found.notes)
        # The lab's games were never played, so that each differs in something.
        return sum("its seed does not follow from the tournament's" in lines for lines in found.different.values())

    assert seeds_that_do_not_follow("honest") == 0
    alter(folder, "UPDATE meta SET value = json_set(value, '$.contributions', json('[\"x\"]')) WHERE key = 'beacon'")
    rechain(folder)
    assert seeds_that_do_not_follow("forged") >= 10
