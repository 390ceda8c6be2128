"""Bots elsewhere and bots here that never share a table, while others meet both."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec
import pytest

from arena.formats import Balanced, Field, GameOutcome, PlayedBlock
from arena.isolation.settings import RemoteBots
from arena.ledger import Ledger
from arena.tournament.plan import PlanError
from arena.tournament.verification.audit import audit

SEED = bytes(range(16))
ELSEWHERE, HERE, BOTH = ("e1", "e2", "e3"), ("h1", "h2", "h3", "h4", "h5"), ("r1", "r2")


def field(elsewhere=ELSEWHERE, here=HERE, counts=(2, 3, 4)) -> Field:
    places = {"elsewhere": frozenset(elsewhere), "here": frozenset(here)}
    bots = tuple(sorted((*elsewhere, *here, *BOTH)))
    return Field(bots, counts, tuple((place, own) for place, own in places.items() if own))


def play(format: Balanced, number: int, there: Field, lost: int = -1) -> list[list[str]]:
    """Draw a round and let it be played; a game of block `lost` does not count."""
    blocks = format.draw(number, there)
    assert blocks == format.draw(number, there)
    format.on_round(number, there, blocks)
    games = [GameOutcome([], [], [], [])]
    played = [
        PlayedBlock(block.bots, games * (len(block.bots) - (place == lost))) for place, block in enumerate(blocks)
    ]
    format.on_results(number, played)
    return [block.bots for block in blocks]


def is_mixed(bots) -> bool:
    return not (set(ELSEWHERE).isdisjoint(bots) or set(HERE).isdisjoint(bots))


def test_all_have_equally_many_blocks_at_tables_of_their_own() -> None:
    format, had = Balanced(SEED), Counter()
    for number in range(12):
        for bots in play(format, number, field()):
            assert not is_mixed(bots)
            had.update((bot, len(bots)) for bot in bots)
    for count in (2, 3, 4):
        for own in (ELSEWHERE, HERE):
            blocks = [had[bot, count] for bot in own]
            assert min(blocks) >= 12
            assert max(blocks) - min(blocks) <= 2
    assert all(had[bot, count] >= 18 for count in (2, 3, 4) for bot in BOTH)  # who play at both tables


@pytest.mark.parametrize("lost", [0, 1])
def test_a_field_that_changes_and_loses_games_stays_apart(lost) -> None:
    format = Balanced(SEED)
    fields = [field(), field(elsewhere=()), field(here=HERE[:2]), field(), field(here=())]
    for number in range(20):
        for bots in play(format, number, fields[number // 4], lost):
            assert not is_mixed(bots)
            assert set(bots) <= set(fields[number // 4].bots)


def test_where_too_few_may_meet_fewer_play_at_a_table() -> None:
    format = Balanced(SEED)
    blocks = [bots for number in range(4) for bots in play(format, number, field(elsewhere=("e1",)))]
    assert {len(bots) for bots in blocks if "e1" in bots} == {2, 3}
    assert {len(bots) for bots in blocks if "h1" in bots} == {2, 3, 4}


def test_a_field_that_is_not_apart_is_drawn_as_it_always_was() -> None:
    whole = field()._replace(apart=())
    assert Balanced(SEED).draw(3, whole) == Balanced(SEED).draw(3, Field(*whole[:2]))
    assert any(is_mixed(block.bots) for block in Balanced(SEED).draw(3, whole))


APART = RemoteBots("gateway", ["a", "b"], tables="apart", both=["d"])


def mixed(folder: Path) -> list[list[str]]:
    with Ledger.open(folder) as ledger:
        assert audit(ledger).differences == []
        places = ledger.settings.tables
        return [
            block.bots for block in ledger.blocks() if len({places[bot] for bot in block.bots if bot in places}) > 1
        ]


def test_a_tournament_keeps_them_apart_whatever_joins_and_wherever_it_is_interrupted(lab) -> None:
    lab.interrupt_after = 5
    lab.run("a b c d e", rounds=2, remote=APART)
    lab.interrupt_after = None
    out = lab.run("a b c d e", rounds=2, remote=APART)
    assert mixed(out.folder) == []
    Path(lab.bots("c")[0]).write_text("# another one\n")
    lab.run("a b c d e f", rounds=2, remote=msgspec.structs.replace(APART, bots=["a", "b", "f"]))
    assert mixed(out.folder) == []
    with Ledger.open(out.folder) as ledger:
        assert ledger.settings.tables == {
            "a": "elsewhere", "b": "elsewhere", "c": "here", "e": "here", "c@2": "here", "f": "elsewhere"
        }  # fmt: skip


def test_what_was_recorded_of_it_cannot_be_changed(lab) -> None:
    out = lab.run("a b c d e", rounds=1, remote=APART)
    with Ledger.open(out.folder, writing=True) as ledger:
        ledger.set_meta("tables", {**ledger.settings.tables, "a": "here"})
        assert "where bots run that never meet is not what was recorded" in audit(ledger).differences


def test_from_then_on_they_are_apart_whom_no_game_has_seen(lab) -> None:
    lab.run("a c d", rounds=1, remote=msgspec.structs.replace(APART, tables="mixed", bots=["a"]))
    out = lab.run("a b c d e", rounds=1, remote=APART)
    with Ledger.open(out.folder) as ledger:
        assert ledger.settings.tables == {"b": "elsewhere", "e": "here"}
    assert mixed(out.folder) == []


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"format": "swiss", "rounds": 1}, "only in the format balanced"),
        ({"until": "resolved"}, "only in the format balanced"),
        ({"games": 30}, "ask for rounds or minutes"),
    ],
)
def test_what_cannot_be_kept_apart_is_refused(lab, options, why) -> None:
    with pytest.raises(PlanError, match=why):
        lab.run("a b c d e", remote=APART, **options)
