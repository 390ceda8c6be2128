import csv
import io
import json
import re
from html.parser import HTMLParser
from typing import Any

import msgspec
import pytest

from arena.game.faults import FAULTS
from arena.rating import SequentialTrueSkill
from arena.standings import TEXT_FORMATS
from arena.standings.game_counts import UncontestedGames
from arena.standings.lead import lead
from arena.standings.leaderboard_text import plain
from arena.standings.rows import Leaderboard, LeaderboardRow, LeftOut

COLUMNS = SequentialTrueSkill().columns


def row(bot: str, **other: Any) -> LeaderboardRow:
    fields: dict[str, Any] = {
        "bot": bot,
        "mu": 27.125,
        "sigma": 1.5,
        "rating": 22.625,
        "games": 60,
        "mean_finish": 0.412345,
        "mean_finish_error": 0.0311,
        "wins": 0.254,
        "scores": {"arrived": 1.0, "days": 31.4567},
        "faults": dict.fromkeys(FAULTS, 0),
        "retired": 0,
        "suspended": False,
        "times": {"median_ms": 0.812, "p99_ms": 12.75},
    }
    fields |= other
    values = {name: fields.pop(name) for name in COLUMNS.names}
    return msgspec.convert({**fields, "values": values}, LeaderboardRow)


UNPLAYED: dict[str, Any] = {
    "games": 0,
    "mean_finish": None,
    "mean_finish_error": None,
    "wins": None,
    "scores": {},
    "times": {"median_ms": None, "p99_ms": None},
}


def some_faults(**counts: int) -> dict[str, int]:
    return {**dict.fromkeys(FAULTS, 0), **counts}


def board(*rows: LeaderboardRow, left_out: tuple[tuple[str, str], ...] = ()) -> Leaderboard:
    return Leaderboard(
        columns=COLUMNS,
        overall=list(rows),
        players={"2": list(rows)},
        overall_lead=lead(rows, COLUMNS),
        players_lead={"2": lead(rows, COLUMNS)},
        suspended_games=0,
        uncontested=UncontestedGames(0, 0, {}),
        left_out=[LeftOut(bot, reason) for bot, reason in left_out],
    )


SMALL = board(
    row("planner"),
    row("idle", **UNPLAYED),
    row("greedy", faults=some_faults(late=3, crash=1), retired=1, suspended=True),
    left_out=(("dud", "cannot be built: make: exit code 2\nmaking it\n  no compiler\n"),),
)

PLAIN = """\
overall
  #  bot                   rating    mu ± 95 %    games  mean finish      wins  faults                        ms/p99
---  ------------------  --------  -----------  -------  -------------  ------  --------------------------  --------
  1  planner                22.62   27.1 ± 2.9       60  0.412 ± 0.061    25 %  -                             0.8/13
  2  idle                   22.62   27.1 ± 2.9        0  -                   -  -                                -/-
---  ------------------  --------  -----------  -------  -------------  ------  --------------------------  --------
  –  greedy (suspended)     22.62   27.1 ± 2.9       60  0.412 ± 0.061    25 %  late 3, crash 1, retired 1    0.8/13
planner leads
"""

GITHUB = """\
### overall

|   # | bot                |   rating |    mu ± 95 % |   games | mean finish   |   wins | scores               | faults                     |   ms (p99) |
|-----|--------------------|----------|--------------|---------|---------------|--------|----------------------|----------------------------|------------|
|   1 | planner            |    22.62 | 27.12 ± 2.94 |      60 | 0.412 ± 0.061 |   25 % | arrived 1, days 31.5 | -                          | 0.8 (12.8) |
|   2 | idle               |    22.62 | 27.12 ± 2.94 |       0 | -             |      - |                      | -                          |          - |
|   – | greedy (suspended) |    22.62 | 27.12 ± 2.94 |      60 | 0.412 ± 0.061 |   25 % | arrived 1, days 31.5 | late 3, crash 1, retired 1 | 0.8 (12.8) |

planner leads
"""  # noqa: E501


def test_plain_for_a_terminal() -> None:
    tables = TEXT_FORMATS["plain"](SMALL).split("\n\n")
    assert [line.rstrip() for line in tables[0].splitlines()] == [line.rstrip() for line in PLAIN.splitlines()]
    assert tables[1].startswith("2 players\n")
    note, left_out = "\n\n".join(tables[2:]).split("left out: ")
    assert " ".join(note.split()) == COLUMNS.note
    assert left_out == "dud: cannot be built: make: exit code 2\n"


def test_plain_says_who_was_left_out_in_one_block() -> None:
    two = msgspec.structs.replace(SMALL, left_out=[LeftOut(name, "does not play this") for name in ("one", "other")])
    assert TEXT_FORMATS["plain"](two).endswith(
        "\nleft out: one: does not play this\nleft out: other: does not play this\n"
    )


def test_github_for_markdown() -> None:
    text = TEXT_FORMATS["github"](SMALL)
    assert text.startswith(GITHUB + "\n### 2 players\n")
    assert text.endswith("\n\nleft out: dud: cannot be built: make: exit code 2\n")


WIDE = board(
    row(
        "a_name_of_sixty_letters_" * 2 + "and_then_some",
        mu=-0.25,
        sigma=8.3,
        rating=-25.15,
        games=100_000,
        faults=dict.fromkeys(FAULTS, 1000),
        retired=1000,
        wins=1.0,
        times={"median_ms": 5050.0, "p99_ms": 5055.0},
    ),
    row("a name of words that go on and on and on"),
)


def columns_of(text: str) -> dict[str, str]:
    """By heading what stands below it, lines joined."""
    lines = text.splitlines()
    rule = next(number for number, line in enumerate(lines) if line.startswith("---"))
    body = [line for line in lines[rule + 1 :] if line.startswith(" ")]
    spans = [game.span() for game in re.finditer("-+", lines[rule])]
    return {lines[rule - 1][a:b].strip(): "".join(line[a:b].strip() for line in body) for a, b in spans}


@pytest.mark.parametrize("width", [60, 80, 100, 132])
def test_plain_fits_a_terminal_and_cuts_no_name_and_no_fault(width: int) -> None:
    text = plain(WIDE, width)
    assert max(map(len, text.splitlines())) <= width
    columns = columns_of(text)
    assert WIDE.tables()[0][1][0].bot in columns["bot"]
    faults = columns["faults"].replace(" ", "")  # where it is narrow, a line ends within "oversize 1000"
    assert all(f"{code}1000" in faults for code in FAULTS)


def test_plain_has_a_line_a_bot_off_a_terminal() -> None:
    lines = plain(WIDE).splitlines()
    for name in (WIDE.tables()[0][1][0].bot, WIDE.tables()[0][1][1].bot):
        found = [line for line in lines if name in line and re.match(r" *\d  ", line)]
        assert len(found) == 2, "once overall, once among games of two"


def test_a_plain_name_has_the_room_that_there_is() -> None:
    for width in (80, 100):
        text = plain(board(row("a_name_of_13_")), width)
        assert "  1  a_name_of_13_     22.62" in text
        assert max(map(len, text.splitlines())) <= width
        assert ("mu ± 95 %" in text, "ms/p99" in text) == (width == 100, True)


class Game(HTMLParser):
    """The cells of the page, and whatever tags there are."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.cells: list[list[str]] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert not self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert not attrs
        self.tags.add(tag)
        self._open.append(tag)
        if tag == "tr":
            self.cells.append([])
        elif tag in ("td", "th"):
            self.cells[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] in ("td", "th"):
            self.cells[-1][-1] += data


HOSTILE = '<script>alert("x")</script> &amp; | `rm` [a](http://b) *b* @c'


def test_html_shows_the_same_cells_and_lets_no_name_be_a_tag() -> None:
    table = Game(TEXT_FORMATS["html"](board(row(HOSTILE), left_out=(("<b>", "<i>no</i>"),))))
    assert table.tags == {"h2", "table", "thead", "tbody", "tr", "th", "td", "p"}
    assert table.cells[1][:3] == ["1", HOSTILE, "22.62"]
    assert [len(cells) for cells in table.cells] == [10] * 4


def test_markdown_lets_no_name_be_markup() -> None:
    text = TEXT_FORMATS["github"](board(row(HOSTILE), left_out=(("<b>", "_no_"),)))
    line, told = dict.fromkeys(line for line in text.splitlines() if "alert" in line)
    assert told.startswith("&lt;script&gt;alert")
    assert line.replace("\\|", "").count("|") == 11  # ten cells, whatever is in a name
    assert "<" not in text
    assert "\\[a\\](http&#58;//b) \\*b\\* &#64;c" in line
    assert "&amp;amp;" in line
    assert text.endswith("left out: &lt;b&gt;: \\_no\\_\n")
    other = row("b", mean_finish=0.9, rating=2.0, mu=6.5)
    for name, line in (("1. a", "1\\. a leads"), ("- a", "\\- a leads"), ("# a", "\\# a leads"), ("1 a", "1 a leads")):
        assert TEXT_FORMATS["github"](board(row(name), other)).splitlines().count(line) == 2


@pytest.mark.parametrize("format_", ["plain", "github", "html"])
def test_nothing_that_a_bot_says_moves_the_cursor(format_: str) -> None:
    evil = "a\x1b[2Jb\r\x07\u202ec"
    text = TEXT_FORMATS[format_](board(row(evil), left_out=((evil, f"{evil}\n{evil}"), ("mute", ""))))
    assert all(char.isprintable() or char == "\n" for char in text)
    assert "mute: no reason is known" in text


def test_csv_has_a_row_for_every_bot_and_table() -> None:
    rows = list(csv.DictReader(io.StringIO(TEXT_FORMATS["csv"](SMALL))))
    assert [(each["table"], each["rank"], each["bot"]) for each in rows] == [
        (table, rank, bot)
        for table in ("overall", "2")
        for rank, bot in (("1", "planner"), ("2", "idle"), ("", "greedy"))
    ]
    greedy = rows[2]
    assert (greedy["late"], greedy["crash"], greedy["illegal"], greedy["retired"]) == ("3", "1", "0", "1")
    assert (greedy["suspended"], greedy["days"], greedy["p99_ms"]) == ("True", "31.4567", "12.75")
    assert (greedy["best_place"], greedy["worst_place"], greedy["lead"]) == ("", "", "")
    assert (rows[1]["mean_finish"], rows[1]["days"]) == ("", "")


def test_csv_has_the_same_columns_without_bots() -> None:
    header = TEXT_FORMATS["csv"](SMALL).splitlines()[0].replace("arrived,days,", "")
    assert TEXT_FORMATS["csv"](board()).splitlines() == [header]


def test_csv_separates_a_score_from_the_column_of_the_same_name() -> None:
    text = TEXT_FORMATS["csv"](board(row("a", wins=0.25, scores={"wins": 3.0, "late": 2.0, "steps": 5.0})))
    header = text.splitlines()[0].split(",")
    assert len(set(header)) == len(header)
    first = next(csv.DictReader(io.StringIO(text)))
    assert (first["wins"], first["score_wins"], first["late"], first["score_late"]) == ("0.25", "3.0", "0", "2.0")
    assert first["steps"] == "5.0"


def test_csv_keeps_a_name_from_being_a_formula() -> None:
    rows = list(csv.DictReader(io.StringIO(TEXT_FORMATS["csv"](board(row("=1+1"), row('a,"b"\nc'))))))
    assert [each["bot"] for each in rows[:2]] == ["'=1+1", 'a,"b"\nc']


def test_json_is_the_board_itself() -> None:
    text = TEXT_FORMATS["json"](SMALL)
    assert json.loads(text) == SMALL.data()
    assert text.endswith("}\n")


@pytest.mark.parametrize("format_", TEXT_FORMATS)
def test_one_count_alone_can_be_shown(format_: str) -> None:
    alone = msgspec.structs.replace(SMALL, overall=None, overall_lead=None)
    text = TEXT_FORMATS[format_](alone)
    assert "overall" not in text
    assert "planner" in text
