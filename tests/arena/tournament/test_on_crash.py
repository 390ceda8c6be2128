"""Games in which a bot crashed, if the first of each bot do not count: which these are, and that nobody gains by it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from arena.game.game import final_ranks
from arena.ledger import FaultRecord, GameRecord, Ledger, RatedGames
from arena.standings import leaderboard, rated_results
from arena.tournament.plan import PlanError
from arena.tournament.schedule.history import MOST_VOID
from arena.tournament.verification.audit import audit
from tests.arena.forging import alter, rechain

if TYPE_CHECKING:
    from tests.arena.tournament.conftest import Lab


@pytest.fixture
def crashing(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> Lab:
    """A laboratory in which b crashes whenever it would come last from the first seat: never three times in a row."""
    play = lab.game

    def with_crashes(spec: Any) -> GameRecord:
        record = play(spec)
        if record.bots[0] != "b" or record.ranks[0] != len(record.bots):
            return record
        faults, retired = [FaultRecord(0, 1, "late", "too late"), FaultRecord(1, 1, "illegal", "no")], [0]
        return msgspec.structs.replace(record, faults=faults, retired=retired, ranks=final_ranks(record.ranks, retired))

    monkeypatch.setattr(lab, "game", with_crashes)
    return lab


def crashes(folder: Path) -> list[int]:
    with Ledger.open(folder) as ledger:
        return [result.index for result in ledger.results() if result.retired]


def rated(folder: Path) -> RatedGames:
    with Ledger.open(folder) as ledger:
        found = audit(ledger)
        assert found.differences == []
        settings = ledger.settings
        board = leaderboard(ledger)
        assert board.void_by_crash == {bot: len(places) for bot, places in settings.rated.void.items()}
        assert (board.data().get("void_by_crash") is not None) == bool(settings.rated.void)
        assert any("because bots crashed there" in note for note in found.notes) == bool(settings.rated.void)
    return settings.rated


def test_the_first_games_that_a_bot_crashes_in_do_not_count_and_all_later_ones_do(crashing: Lab) -> None:
    outcome = crashing.run(games=120, out="t", on_crash="void")
    found = rated(outcome.folder)
    places = crashes(outcome.folder)
    assert len(places) > MOST_VOID, "it crashed more often"
    assert found.void == {"b": places[:MOST_VOID]}
    with Ledger.open(outcome.folder) as ledger:
        counting = {result.index for result in rated_results(ledger)}
        assert leaderboard(ledger).suspended_games == 0
    assert counting.isdisjoint(places[:MOST_VOID])
    assert counting.issuperset(place for place in places[MOST_VOID:] if place < found.games)
    assert outcome.counting >= 120, "others are played in their stead"


@pytest.mark.parametrize("policy", ["substitute", "loss", None])
def test_otherwise_they_all_count(crashing: Lab, policy: str | None) -> None:
    outcome = crashing.run(games=60, out="t", on_crash=policy)
    assert rated(outcome.folder).void == {}
    with Ledger.open(outcome.folder) as ledger:
        assert ledger.settings.time["on_crash"] == (policy or "substitute")


def test_which_do_not_count_depends_neither_on_workers_nor_on_stops(crashing: Lab) -> None:
    one = rated(crashing.run(games=80, out="one", on_crash="void").folder)
    crashing.interrupt_after = crashing.played.total() + 31
    assert crashing.run(games=80, out="two", jobs=3, on_crash="void").interrupted
    crashing.interrupt_after = None
    assert rated(crashing.run(games=80, out="two", jobs=3, on_crash="void").folder) == one


def test_a_new_version_has_no_new_excuses(crashing: Lab) -> None:
    first = crashing.run(games=80, out="t", on_crash="void")
    before = rated(first.folder).void
    assert len(before["b"]) == MOST_VOID
    (crashing.folder / "entries" / "b.py").write_text("# another b")
    game = crashing.game

    def with_old_name(spec: Any) -> GameRecord:
        bots = ["b" if bot == "b@2" else bot for bot in spec.bots]
        return msgspec.structs.replace(game(msgspec.structs.replace(spec, bots=bots)), bots=spec.bots)

    crashing.game = with_old_name  # type: ignore[method-assign]
    crashing.run(games=80, out="t", on_crash="void")
    assert rated(first.folder).void == before


def test_the_policy_is_fixed_and_what_is_void_can_be_computed_again(crashing: Lab) -> None:
    folder = crashing.run(games=80, out="t", on_crash="void").folder
    with pytest.raises(PlanError, match="its on_crash is void, not substitute"):
        crashing.run(games=80, out="t")
    with Ledger.open(folder) as ledger:
        lost = next(result.index for result in ledger.results() if "a" in result.bots and not result.retired)
    alter(folder, f"UPDATE meta SET value = json_set(value, '$.void.a', json('[{lost}]')) WHERE key = 'rated'")
    rechain(folder)
    with Ledger.open(folder) as ledger:
        assert "games of a are left out otherwise than follows from the games" in audit(ledger).differences
