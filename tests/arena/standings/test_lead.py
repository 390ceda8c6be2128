"""Who leads a table: a first row is no winner while others are within error of it."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable

import pytest

from arena.ledger import GameRecord, Ledger
from arena.rating import RankBand
from arena.site.feeds import AtomFeed, badge
from arena.site.leaderboard_tables import leaderboard_table
from arena.standings import TEXT_FORMATS, leaderboard
from arena.standings.lead import lead, lead_in_words, why_in_words
from arena.standings.rows import Lead
from arena.standings.running import RunningRow
from tests.arena.standings.test_leaderboard_text import COLUMNS, UNPLAYED, board, row

Play = Callable[..., GameRecord]


THREE = [
    row("planner", band=(1, 3)),
    row("explorer", band=(1, 3)),
    row("sprinter", band=(1, 3)),
    row("greedy", band=(4, 5)),
    row("idle", band=(1, 5), **UNPLAYED),
]
LAST = row("last", band=(7, 7))
TOLD = "planner leads; 2 others are not ruled out"


def test_who_leads_where_no_bands_are_known_is_the_best_so_far() -> None:
    rows = [row("a", band=None), row("b", band=None)]
    assert lead(rows) == Lead(["a"], 2)
    assert lead_in_words(rows, str) == "a stands first so far"


def test_all_whose_band_begins_with_the_first_place_lead() -> None:
    banded = [row("a", band=(1, 2)), row("b", band=(1, 3)), row("c", band=(2, 3)), row("d", band=(1, 4), **UNPLAYED)]
    assert lead(banded) == Lead(["a", "b"], 4)
    assert [each.place(order) for order, each in enumerate(banded, start=1)] == ["1–2", "1–3", "2–3", "1–4"]
    assert lead([row("a", band=(1, 1)), *banded[2:]]) == Lead(["a"], 3)
    text = TEXT_FORMATS["plain"](board(*banded))
    assert "\n1–3  b " in text
    assert "a leads; b is not ruled out\n" in text


def test_others_that_may_be_the_best_are_counted() -> None:
    rows = [*(row(name, band=(1, 6)) for name in "abcdef"), LAST]
    assert lead_in_words([*rows[:3], LAST], str) == "a leads; 2 others are not ruled out"
    assert lead_in_words(rows, str.upper) == "A leads; 5 others are not ruled out"
    assert lead_in_words([rows[0], LAST], str) == "a leads"


def test_nobody_leads_if_each_bot_may_be_the_best() -> None:
    rows = [row(name, band=(1, 12)) for name in "abcdefghijkl"]
    said = "too early to say: any of the 12 may be the best"
    one_idle = [*rows[:-1], row("idle", band=(1, 12), **UNPLAYED)]
    assert lead_in_words(one_idle, str) == said, "a bot that has not played may be as good"
    assert lead_in_words([row("a", band=(1, 1)), one_idle[-1]], str) == "a leads"
    assert lead_in_words(rows[:1], str) == "a is the only bot in the field"
    assert lead_in_words(rows[:2], str) == "too early to say: either of the 2 may be the best"
    assert lead_in_words([*rows[:2], row("c", band=(2, 3))], str) == "a leads; b is not ruled out"
    for format_ in ("plain", "github", "html"):
        assert TEXT_FORMATS[format_](board(*rows)).count(said) == 2
    assert json.loads(badge("cup", rows))["message"] == said
    assert f"<title>Standings: {said}</title>" in AtomFeed("", "", None, {}, "now").make(rows, COLUMNS, [], {}).decode()
    assert leaderboard_table(rows, COLUMNS).lead == said
    assert {each["lead"] for each in csv.DictReader(io.StringIO(TEXT_FORMATS["csv"](board(*rows))))} == {""}
    running = [RunningRow(each.bot, each.values, 9, 0.5, 0.5, {}, RankBand(1, 12)) for each in rows]
    assert lead_in_words(running, str) == said
    assert lead_in_words([each._replace(band=None) for each in running], str) == "a stands first so far"


def test_a_suspended_bot_has_no_place_and_is_in_no_lead() -> None:
    rows = [row("a", band=(1, 2)), row("b", band=(1, 2)), row("cheat", suspended=True, mu=40.0, rating=40.0)]
    assert lead(rows) == Lead(["a", "b"], 2)
    assert lead(rows[2:]) is None
    assert [each.place(order) for order, each in enumerate(rows, start=1)] == ["1–2", "1–2", "–"]
    texts = [TEXT_FORMATS[format_](board(*rows)) for format_ in ("plain", "github", "html")]
    texts += [badge("cup", rows).decode(), str(leaderboard_table(rows, COLUMNS).lead)]
    assert all("too early to say: either of the 2 may be the best" in text for text in texts)
    assert "cheat" not in AtomFeed("", "", None, {}, "now").make(rows, COLUMNS, [], {}).decode()
    assert json.loads(badge("cup", rows[2:]))["message"] == "no bot is left"
    running = [RunningRow(each.bot, each.values, 9, 0.5, 0.5, {}, None, each.suspended) for each in rows]
    assert lead_in_words(running[2:], str) == ""
    assert lead(running) == Lead(["a"], 2)


def test_without_a_game_nobody_leads() -> None:
    assert lead([]) is None
    assert lead([row("idle", **UNPLAYED)]) is None
    assert lead_in_words([row("idle", **UNPLAYED)], str) == ""
    assert "lead" not in TEXT_FORMATS["plain"](board(row("idle", **UNPLAYED)))


@pytest.mark.parametrize("format_", ["plain", "github", "html"])
def test_every_text_says_it_below_the_table(format_: str) -> None:
    assert TEXT_FORMATS[format_](board(*THREE)).count(TOLD) == 2


def test_csv_says_it_of_every_bot() -> None:
    rows = list(csv.DictReader(io.StringIO(TEXT_FORMATS["csv"](board(*THREE)))))
    assert [row["lead"] for row in rows[:5]] == ["within error", "within error", "within error", "", ""]


def test_the_badge_the_feed_and_the_pages_say_it_too() -> None:
    assert json.loads(badge("cup", THREE))["message"] == "planner leads; 2 others are not ruled out"
    assert (
        f"<title>Standings: {TOLD}</title>"
        in AtomFeed("cup", "", None, {}, "now").make(THREE, COLUMNS, [], {}).decode()
    )
    assert leaderboard_table(THREE, COLUMNS).lead == ("<bdi>planner</bdi> leads; 2 others are not ruled out")
    assert leaderboard_table(THREE[:1], COLUMNS, [1]).lead == ""
    assert leaderboard_table([row("<b>", band=(1, 1)), LAST], COLUMNS).lead == "<bdi>&lt;b&gt;</bdi> leads"


@pytest.mark.slow
def test_the_json_says_it_of_every_table(ledger: Ledger, play: Play) -> None:
    for block in range(40):
        play("ant", "bee", block=block)
        play("ant", "cat", block=200 + block)
        play("ant", "bee", "cat", block=block)
        play("ant", "cat", "bee", block=100 + block)
    found = leaderboard(ledger).data()["lead"]
    assert found == {
        "overall": {"bots": ["ant"], "of": 3},
        "players": {"2": {"bots": ["ant"], "of": 3}, "3": {"bots": ["ant"], "of": 3}},
    }
    assert leaderboard(ledger, players=2).data()["lead"] == {"players": {"2": found["players"]["2"]}}


def test_equal_bots_have_no_winner(ledger: Ledger, play: Play) -> None:
    for block in range(20):
        play("ant", "bee", block=block)
        play("bee", "ant", block=block)
    found = leaderboard(ledger).data()["lead"]["overall"]
    assert (sorted(found["bots"]), found["of"]) == (["ant", "bee", "cat"], 3), "nor is cat known to be worse"


def test_one_sentence_says_how_well_the_first_does_and_how_sure_that_is() -> None:
    first, second, last = (row(bot, band=band) for bot, band in (("a", (1, 2)), ("b", (1, 2)), ("c", (3, 3))))
    assert why_in_words(board(first, second, last)) == (
        "a wins 25 % of its games; with 95 % confidence 1 of the 2 others is ruled out."
    )
    assert why_in_words(board(row("a", band=(1, 1)), last)).endswith("with 95 % confidence no other bot is better.")
    assert why_in_words(board(first, second)) == "The games so far do not tell them apart with 95 % confidence."
    assert why_in_words(board(first)) == ""
