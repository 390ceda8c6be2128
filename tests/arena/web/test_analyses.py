"""Analysis of a game that a page of the local server asks for."""

from __future__ import annotations

import threading

import pytest
from starlette.testclient import TestClient

from arena.analysis.run import AnalysisCache
from arena.ledger import Ledger
from arena.web.analyses import HEADER, Analyses
from arena.web.feed import Feed
from arena.web.live import create_app
from engine import catalog
from tests.arena.site.conftest import Cup

ASKED = {HEADER: "page"}


@pytest.fixture
def made(tmp_path, monkeypatch):
    from arena.analysis.playouts import Budget
    from arena.web import analyses

    monkeypatch.setattr(analyses, "Budget", lambda: Budget(8))
    cup = Cup(tmp_path, "ravensburger")
    cup.play(1)
    done = threading.Event()
    found = Analyses(cup.folder, done.set)
    yield cup, TestClient(create_app(tmp_path, Feed(), found.routes), "http://localhost"), done
    found.close()


@pytest.mark.slow
@pytest.mark.process
def test_what_it_costs_is_said_before_and_then_it_is_done(made):
    cup, client, done = made
    [game] = Ledger.open(cup.folder).ids()
    assert "decisions, " in client.get(f"/analyse/{game}").json()["cost"]
    assert client.post(f"/analyse/{game}").status_code == 403, "a page of another site cannot send the header"
    assert "text" in client.post(f"/analyse/{game}", headers=ASKED).json()
    assert done.wait(60)
    assert client.get(f"/analyse/{game}").json() == {"done": True}
    with Ledger.open(cup.folder) as ledger:
        record, edition = ledger.game(game), ledger.settings.edition
    assert AnalysisCache(cup.folder).get(record, catalog.rules(cup.game), edition).seats == list(range(record.players))


def test_a_game_that_there_is_not_is_refused_with_the_reason(made):
    _, client, _ = made
    assert "no game" in client.get("/analyse/nothing").json()["error"]
