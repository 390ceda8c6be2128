"""What a league costs as it goes on: no more after many rounds than after one."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from arena.ledger import Ledger
from arena.reports.bot_report import games_to_analyse
from arena.serve import season_pages
from arena.serve.season_table import season_table
from arena.serve.store import LeagueRound, LeagueStore
from arena.standings import leaderboard
from tests.arena.serve.running_league import BEGIN, Running
from tests.arena.serve.test_stands import PlayedSeason


def test_a_look_reads_no_more_rounds_however_many_there_were(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read, rows = list[int](), LeagueStore._rows

    def counted_rows(self: LeagueStore, query: str, *values: Any) -> list[Any]:
        found = rows(self, query, *values)
        read.extend([len(found)] if "FROM rounds" in query else [])
        return found

    monkeypatch.setattr(LeagueStore, "_rows", counted_rows)
    league, counts = Running(tmp_path / "league"), []
    with league.runs() as service, league.store() as store:
        store.put("paused", True)
        for number in range(1, 21):
            store.begin_round(LeagueRound("season-1", number, BEGIN, {"ada": 1}))
            store.end_round("season-1", number, "complete" if number != 7 else "not complete: no", 0, {})
            service.tick()
            read.clear()
            service.tick()
            counts.append(sum(read))
        assert counts == [counts[0]] * 20
        assert service.pages.facts.organiser.faults == ("round 7: not complete: no",)
        store.reopen_round("season-1", 20, "olga")
        service.tick()
        rounds = service.pages.facts.public.rounds
        assert [each.number for each in rounds] == [*range(1, 21)]
        assert [each.number for each in rounds if each.state == "playing"] == [20]


@pytest.mark.process
def test_organisers_and_submitters_do_not_wait_while_bots_are_rated(tmp_path: Path, monkeypatch) -> None:
    league, waited, table = Running(tmp_path / "league"), list[bool](), season_table
    league.joined("ada", 0)
    with league.runs() as service, ThreadPoolExecutor(1) as other:

        def watched_table(*given: Any) -> Any:
            free = other.submit(service.lock.acquire, blocking=False).result()
            waited.append(not free)
            if free:
                other.submit(service.lock.release).result()
            return table(*given)

        monkeypatch.setattr("arena.serve.stands.season_table", watched_table)
        service.tick()
        league.until_shown(1)
        assert service.pages.facts.public.standings
    assert waited == [False]


def test_games_are_read_and_rated_once_for_the_reports_on_all_bots(made, monkeypatch) -> None:
    calls, results, rate = list[str](), Ledger.results, leaderboard

    def counted_results(self: Ledger) -> Any:
        calls.append("read")
        return results(self)

    def counted_leaderboard(*given: Any, **more: Any) -> Any:
        calls.append("rate")
        return rate(*given, **more)

    monkeypatch.setattr(Ledger, "results", counted_results)
    monkeypatch.setattr("arena.reports.bot_report.leaderboard", counted_leaderboard)
    monkeypatch.setattr(season_pages, "publish", lambda *_, **__: None)
    season = PlayedSeason(made)
    with season.ledger as ledger:
        for other in ("bob", "eve", "greedy"):
            season.play("ada", other, blocks=1)
        season_pages.write_pages(ledger.folder, ledger.folder / "site", "test", "live")
        assert calls == ["read", "rate"]
        reports = {each.stem: each.read_text() for each in (ledger.folder / "reports").iterdir()}
        assert {*reports} == {"ada", "bob", "eve", "greedy"}
        assert all(f"<title>{name}" in text for name, text in reports.items())
        calls.clear()
        games_to_analyse(ledger, 9)
        assert calls == ["read", "rate"]
