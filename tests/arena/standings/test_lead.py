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
from arena.standings.lead import lead, lead_in_words, running_lead, running_lead_in_words, why_in_words
from arena.standings.rows import Lead, LeaderboardRow
from arena.standings.running import RunningRow
from tests.arena.standings.test_leaderboard_text import COLUMNS, UNPLAYED, board, row

Play = Callable[..., GameRecord]


def bot(name: str, mu: float, finish: float, error: float | None = 0.01, sigma: float = 0.3) -> LeaderboardRow:
    rating = mu - 3 * sigma
    return row(name, mu=mu, sigma=sigma, rating=rating, mean_finish=finish, mean_finish_error=error)


THREE = [
    bot("planner", 30.8, 0.172, 0.012),
    bot("explorer", 30.5, 0.198, 0.015),
    bot("sprinter", 30.3, 0.190, 0.019),
    bot("greedy", 24.2, 0.544, 0.019),
    row("idle", **UNPLAYED),
]
LAST = bot("last", 5.0, 1.0)
TOLD = "planner leads; 2 others are not ruled out"


def test_bots_that_the_numbers_do_not_tell_apart_from_the_first_are_within_error_of_it() -> None:
    assert lead(THREE, COLUMNS) == Lead(["planner", "explorer", "sprinter"], 5)
    assert lead_in_words(THREE, COLUMNS, str) == TOLD


@pytest.mark.parametrize(
    ("other", "near"),
    [
        (bot("b", 28.0, 0.30), False),
        (bot("b", 29.2, 0.30), True),  # 0.8 of mu, less than two deviations of the difference (0.85)
        (bot("b", 28.0, 0.24), True),  # 0.18 to 0.22 and 0.22 to 0.26 touch
        (bot("b", 28.0, 0.241), False),
        (bot("b", 28.0, 0.10), True),  # finishes better, whatever the model says
        (bot("b", 28.0, 0.90, error=None), True),
        (bot("b", 5.0, 1.0, error=0.0, sigma=6.0), False),
        (bot("b", 20.0, 1.0, error=0.0, sigma=6.0), True),  # two blocks alike: the model knows how few they are
    ],
)
def test_both_the_rating_and_the_finishes_must_tell_a_leader_apart(other: LeaderboardRow, near: bool) -> None:
    found = lead([bot("a", 30.0, 0.2), other], COLUMNS)
    assert found == Lead(["a", "b"] if near else ["a"], 2)


def test_all_whose_band_begins_with_the_first_place_lead() -> None:
    banded = [row("a", band=(1, 2)), row("b", band=(1, 3)), row("c", band=(2, 3)), row("d", band=(1, 4), **UNPLAYED)]
    assert lead(banded, COLUMNS) == Lead(["a", "b"], 4)
    assert [each.place(order) for order, each in enumerate(banded, start=1)] == ["1–2", "1–3", "2–3", "1–4"]
    assert lead([row("a", band=(1, 1)), *banded[2:]], COLUMNS) == Lead(["a"], 3)
    text = TEXT_FORMATS["plain"](board(*banded))
    assert "\n1–3  b " in text
    assert "a leads; b is not ruled out\n" in text


def test_equal_bots_share_the_lead() -> None:
    rows = [bot("a", 25.0, 0.5, 0.0), bot("b", 25.0, 0.5, 0.0), bot("c", 24.9, 0.5), LAST]
    assert lead(rows, COLUMNS) == Lead(["a", "b", "c"], 4)
    assert lead_in_words(rows, COLUMNS, str) == "a leads; 2 others are not ruled out"


def test_few_are_named_and_the_others_counted() -> None:
    rows = [bot("a", 25.1, 0.5), *(bot(name, 25.0, 0.5) for name in "bcdef"), LAST]
    assert lead_in_words([*rows[:3], LAST], COLUMNS, str) == "a leads; 2 others are not ruled out"
    assert lead_in_words(rows, COLUMNS, str) == "a leads; 5 others are not ruled out"
    assert lead_in_words(rows, COLUMNS, str.upper) == "A leads; 5 others are not ruled out"
    assert lead_in_words([rows[0], LAST], COLUMNS, str) == "a leads"


def test_nobody_leads_if_each_bot_may_be_the_best() -> None:
    rows = [row(name, band=(1, 12)) for name in "abcdefghijkl"]
    said = "too early to say: any of the 12 may be the best"
    one_idle = [*rows[:-1], row("idle", band=(1, 12), **UNPLAYED)]
    assert lead_in_words(one_idle, COLUMNS, str) == said, "a bot that has not played may be as good"
    assert lead_in_words([row("a", band=(1, 1)), one_idle[-1]], COLUMNS, str) == "a leads"
    assert lead_in_words(rows[:1], COLUMNS, str) == "a is the only bot in the field"
    assert lead_in_words(rows[:2], COLUMNS, str) == "too early to say: either of the 2 may be the best"
    assert lead_in_words([*rows[:2], row("c", band=(2, 3))], COLUMNS, str) == "a leads; b is not ruled out"
    for format_ in ("plain", "github", "html"):
        assert TEXT_FORMATS[format_](board(*rows)).count(said) == 2
    assert json.loads(badge("cup", rows, COLUMNS))["message"] == said
    assert f"<title>Standings: {said}</title>" in AtomFeed("", "", None, {}, "now").make(rows, COLUMNS, [], {}).decode()
    assert leaderboard_table(rows, COLUMNS).lead == said
    assert {each["lead"] for each in csv.DictReader(io.StringIO(TEXT_FORMATS["csv"](board(*rows))))} == {""}
    running = [RunningRow(each.bot, each.values, 9, 0.5, 0.5, {}, RankBand(1, 12)) for each in rows]
    assert running_lead_in_words(running, str) == said
    assert running_lead_in_words([each._replace(band=None) for each in running], str) == "a has the best rating so far"


def test_a_suspended_bot_has_no_place_and_is_in_no_lead() -> None:
    rows = [row("a", band=(1, 2)), row("b", band=(1, 2)), row("cheat", suspended=True, mu=40.0, rating=40.0)]
    assert lead(rows, COLUMNS) == Lead(["a", "b"], 2)
    assert lead(rows[2:], COLUMNS) is None
    assert [each.place(order) for order, each in enumerate(rows, start=1)] == ["1–2", "1–2", "–"]
    texts = [TEXT_FORMATS[format_](board(*rows)) for format_ in ("plain", "github", "html")]
    texts += [badge("cup", rows, COLUMNS).decode(), str(leaderboard_table(rows, COLUMNS).lead)]
    assert all("too early to say: either of the 2 may be the best" in text for text in texts)
    assert "cheat" not in AtomFeed("", "", None, {}, "now").make(rows, COLUMNS, [], {}).decode()
    assert json.loads(badge("cup", rows[2:], COLUMNS))["message"] == "no bot is left"
    running = [RunningRow(each.bot, each.values, 9, 0.5, 0.5, {}, None, each.suspended) for each in rows]
    assert running_lead_in_words(running[2:], str) == ""
    assert running_lead(running) == Lead(["a"], 2)


def test_without_a_game_nobody_leads() -> None:
    assert lead([], COLUMNS) is None
    assert lead([row("idle", **UNPLAYED)], COLUMNS) is None
    assert lead_in_words([row("idle", **UNPLAYED)], COLUMNS, str) == ""
    assert "lead" not in TEXT_FORMATS["plain"](board(row("idle", **UNPLAYED)))


@pytest.mark.parametrize("format_", ["plain", "github", "html"])
def test_every_text_says_it_below_the_table(format_: str) -> None:
    assert TEXT_FORMATS[format_](board(*THREE)).count(TOLD) == 2


def test_csv_says_it_of_every_bot() -> None:
    rows = list(csv.DictReader(io.StringIO(TEXT_FORMATS["csv"](board(*THREE)))))
    assert [row["lead"] for row in rows[:5]] == ["within error", "within error", "within error", "", ""]


def test_the_badge_the_feed_and_the_pages_say_it_too() -> None:
    assert json.loads(badge("cup", THREE, COLUMNS))["message"] == "planner leads; 2 others are not ruled out"
    assert (
        f"<title>Standings: {TOLD}</title>"
        in AtomFeed("cup", "", None, {}, "now").make(THREE, COLUMNS, [], {}).decode()
    )
    assert leaderboard_table(THREE, COLUMNS).lead == ("<bdi>planner</bdi> leads; 2 others are not ruled out")
    assert leaderboard_table(THREE[:1], COLUMNS, [1]).lead == ""
    assert leaderboard_table([bot("<b>", 25, 0.5), LAST], COLUMNS).lead == "<bdi>&lt;b&gt;</bdi> leads"


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
