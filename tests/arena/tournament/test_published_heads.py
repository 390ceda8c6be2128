"""Heads that are published while a tournament is played, and what `verify` says of them."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from arena.ledger import Ledger, heads
from arena.tournament.head_publisher import heads_in
from arena.tournament.hooks.commands import Hooks
from arena.tournament.plan import PlanError
from arena.tournament.verification.audit import audit
from arena.tournament.verification.ledger import compare_heads

if TYPE_CHECKING:
    from tests.arena.tournament.conftest import Lab


def notes(folder: Path) -> list[str]:
    with Ledger.open(folder) as ledger:
        found = audit(ledger)
    assert found.differences == []
    return [note for note in found.notes if "published while it was" in note or "no head was published" in note]


def of_ledger(folder: Path) -> list[str]:
    with Ledger.open(folder) as ledger:
        return list(heads(ledger.chain.texts()))


def test_heads_are_added_to_a_file_at_begin_and_end_and_from_time_to_time(lab: Lab) -> None:
    file = lab.folder / "elsewhere" / "heads"
    file.parent.mkdir()
    outcome = lab.run(games=40, out="t", heads=str(file), heads_minutes=0.2)  # a game takes a second
    found = heads_in(file)
    assert 4 <= len(found) == len(set(found)), "games come in batches"
    assert found[-1] == outcome.head == of_ledger(outcome.folder)[-1]
    assert set(found) <= set(of_ledger(outcome.folder))
    with Ledger.open(outcome.folder) as ledger:
        dates = [entry[1] for entry in ledger.chain.entries() if entry[0] == "head"]
    assert dates == [line.split()[0] for line in file.read_text().splitlines()][:-1]
    [note] = notes(outcome.folder)
    assert f"{len(dates)} heads were published while it was played, from {dates[0]} to {dates[-1]}, with " in note
    lab.run(games=40, out="t", heads=str(file), heads_minutes=0.2)
    assert of_ledger(outcome.folder)[-1] == outcome.head, "nothing was played, so that nothing was published"
    assert heads_in(file) == found


def test_a_head_that_only_the_begin_had_leaves_all_games_free(lab: Lab) -> None:
    for options in ({}, {"heads": "heads"}):
        outcome = lab.run(games=10, out=f"t{len(options)}", **options)
        assert "no head was published between its first game and its last" in notes(outcome.folder)[0]


def test_runs_are_counted_as_a_copy_can_be_put_back_between_them(lab: Lab) -> None:
    lab.interrupt_after = 7
    assert lab.run(games=20, out="t", heads="heads").interrupted
    assert heads_in(Path("heads"))[-1] == of_ledger(Path("t"))[-1], "also where it stopped"
    lab.interrupt_after = None
    lab.run(games=20, out="t", heads="heads")
    assert "in 2 runs" in notes(Path("t"))[0]


def test_a_run_that_was_put_aside_is_found_by_the_heads_that_it_published(lab: Lab) -> None:
    lab.run(games=20, out="t", commit="a lottery", heads="heads")
    [committed] = heads_in(Path("heads"))
    for copy in ("one", "two"):
        shutil.copytree("t", copy)
        lab.run(games=20 if copy == "one" else 30, out=copy, beacon="17", heads="heads", heads_minutes=0.1)
    found: dict[str, list[str]] = {}
    said: list[str] = []
    compare_heads(heads_in(Path("heads")), of_ledger(Path("two")), found, said)
    assert committed in of_ledger(Path("two"))
    with Ledger.open(Path("two")) as ledger:
        assert ledger.settings.beacon is not None
        assert ledger.settings.beacon.head == committed, "its date is in no entry, on which the seed would depend"
    other = set(of_ledger(Path("one"))) - set(of_ledger(Path("two")))
    assert {line.split()[0] for line in found["head"]} == set(heads_in(Path("heads"))) & other
    assert re.search(r"\d+ of the \d+ heads that were given are this tournament's", said[0])


@pytest.mark.process
def test_heads_are_sent_to_a_hook(lab: Lab) -> None:
    lab.run(games=20, out="t", hooks=Hooks(head="sh -c 'cat >> got'"), heads_minutes=0.1)
    got = re.findall(r'"head":"(\w+)"', (lab.folder / "got").read_text())
    assert len(got) > 3
    assert set(got) <= set(of_ledger(Path("t")))


def test_a_file_that_cannot_be_written_is_said_before_and_while_it_is_played(lab: Lab) -> None:
    with pytest.raises(PlanError, match="nowhere/heads cannot be written: there is no such file"):
        lab.run(games=10, out="t", heads="nowhere/heads")
    place = lab.folder / "place"
    place.mkdir()
    make = lab.make

    def without_the_folder():  # type: ignore[no-untyped-def]
        shutil.rmtree(place, ignore_errors=True)
        return make()

    lab.make = without_the_folder  # type: ignore[method-assign]
    lab.run(games=10, out="t", heads="place/heads", heads_minutes=0.05)
    assert "a head could not be added to place/heads: No such file or directory" in lab.said
    with Ledger.open(Path("t")) as ledger:
        assert [entry[0] for entry in ledger.chain.entries()].count("head") == 1, "the one before that"


@pytest.mark.parametrize("text", ["\n\nabc\n", "\xff", None])
def test_what_is_no_file_with_heads_is_refused(tmp_path: Path, text: str | None) -> None:
    file = tmp_path / "heads"
    if text is not None:
        file.write_bytes(text.encode("latin-1"))
    with pytest.raises(PlanError, match="cannot be read" if text is None else "no file that --heads wrote"):
        heads_in(file)


@pytest.mark.parametrize("text", ["import sys\nprint(sys.path)\n", "2026-01-01 abc\n", "\xff"])
def test_heads_are_not_added_to_what_is_something_else(lab: Lab, text: str) -> None:
    file = lab.folder / "mine.py"
    file.write_bytes(text.encode("latin-1"))
    with pytest.raises(PlanError, match=r"mine\.py holds something else") as said:
        lab.run(games=10, out="t", heads="mine.py")
    assert said.value.key == "heads"
    assert file.read_bytes() == text.encode("latin-1")
    file.write_text("")
    lab.run(games=10, out="t", heads="mine.py")
    lab.run(games=20, out="t", heads="mine.py")  # where there are heads, others are added
    assert len(heads_in(file)) > 2
