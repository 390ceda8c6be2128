"""What a site says of bots that changed: versions, why they changed, and the way to the pages of old ones."""

from __future__ import annotations

import json

import pytest

from arena.ledger import EntrantRecord, FieldEvent, Ledger
from arena.standings.versions import field_history
from tests.arena.site.conftest import SCRIPT, Cup, Page, pages


def change(cup: Cup, note: str) -> None:
    """`ant` leaves, and `ant@2` plays on in its place."""
    with Ledger.open(cup.folder, writing=True) as ledger:
        place = len(ledger.ids())
        events = [FieldEvent("leave", "ant", 1, place), FieldEvent("join", "ant@2", 1, place)]
        ledger.change_field([EntrantRecord("ant@2", "ant.py", "ff")], events, place, note)
    for order in range(place, place + 8):
        bots = ["ant@2" if bot == "ant" else bot for bot in _bots(cup, order)]
        cup.play(1, bots=bots)


def _bots(cup: Cup, order: int) -> list[str]:
    from tests.arena.site.conftest import played

    return played(cup.game, order).bots


@pytest.mark.slow
def test_every_version_has_a_page_with_all_versions_and_their_figures(cup: Cup) -> None:
    change(cup, f"turns back {SCRIPT}")
    cup.publish()
    found = pages(cup.site)
    with Ledger.open(cup.folder) as ledger:
        history = field_history(ledger)
    bot = history.bot("ant")
    assert bot is not None
    of_ant = {path: text for path, text in found.items() if path.startswith("bots/ant")}
    assert len(of_ant) == 2
    for path, text in of_ant.items():
        page = Page(text)
        head, *rows = page.tables["versions-table"]
        assert [row[0].text for row in rows] == ["ant@1", "ant@2"]
        assert [cell.text for cell in head][4:6] == ["rating", "± 95 %"]
        for row, version in zip(rows, bot.versions, strict=True):
            assert version.row is not None
            assert [json.loads(cell.value or "") for cell in row[3:6]] == [
                version.row.games,
                *(version.row.values[name] for name in ("rating", "error")),
            ]
            assert version.joined is not None
            assert row[1].text.startswith(f"game {version.joined.games + 1}, 20")
        step = bot.versions[1].against_before
        assert step is not None
        assert json.loads(rows[1][6].value or "") == step.difference
        assert f"turns back {SCRIPT}" in page.text
        assert SCRIPT not in text
        assert text.count('aria-describedby="versions-') == 2
        links = {tag[1]["href"] for tag in page.tags if tag[0] == "a" and "href" in tag[1]}
        [other] = [each.removeprefix("bots/") for each in of_ant if each != path]
        assert other in links


@pytest.mark.slow
def test_from_the_first_page_old_versions_are_reached(cup: Cup) -> None:
    cup.publish()
    assert "of bots left" not in pages(cup.site)["index.html"]
    assert "versions-table" not in pages(cup.site)["bots/ant.html"], "nothing has changed"
    change(cup, "")
    cup.publish()
    index = Page(pages(cup.site)["index.html"])
    assert ("a", {"href": "bots/ant.html"}) in index.tags
    assert "ant@1" in index.text
    old = Page(pages(cup.site)["bots/ant.html"])
    rivals = old.tables["pairings-table"][1:]
    assert any(int(row[1].value or 0) > 0 for row in rivals), "an old version keeps its games against the others"
