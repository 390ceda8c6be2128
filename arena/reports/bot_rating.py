"""A bot's rating by its games with anchors, as data and in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Final

import msgspec
from wcwidth import ljust
from wcwidth import width as text_width

from arena.common.printable import counted, percent, printable
from arena.common.text_table import text_table
from arena.ledger import GameResult
from arena.rating import REACH, RatingColumns
from arena.rating.anchored import Anchors, RatingRow
from arena.rating.base import Bound, Values
from arena.reports.paragraphs import probability
from arena.standings.head_to_head import HeadToHead, rating_inputs, records

_LEAST_ROOM, _MOST_ROOM, _USUAL_WIDTH = 20, 70, 100
"""Columns of a chart, and of what is no terminal."""
_MARKS: Final[Mapping[Bound | None, str]] = {"at least": ">", "at most": "<", None: "o"}
"""How a rating is drawn, by the side on which it is known."""
Table = tuple[Sequence[str], Sequence[Sequence[object]]]
SURE: Final = 0.95
"""With such a probability a bot is called better than another."""


class AnchorRow(msgspec.Struct, frozen=True):
    """A bot beside one of its anchors."""

    bot: str
    rating: float
    error: float
    bound: Bound | None
    games: int
    """Of both."""
    ahead: int
    """In how many of these the rated bot finished ahead."""
    ties: int
    better: float
    """The probability that the rated bot is better, with the errors of both."""


class BotRating(msgspec.Struct, frozen=True):
    """What is known of a bot by its games with anchors."""

    bot: str
    rows: list[RatingRow]
    """The one of all numbers of players first."""
    anchors: list[AnchorRow]
    """Best first."""

    @property
    def overall(self) -> RatingRow:
        """The rating over all numbers of players."""
        return self.rows[0]

    @property
    def half(self) -> float:
        """Half of the interval of 95 %."""
        return REACH * self.overall.error


def bot_rating(bot: str, anchors: Anchors, results: Sequence[GameResult]) -> BotRating | None:
    """Rate a bot by the games that count. None: there is none yet."""
    own = [each for each in results if bot in each.bots]
    if not own:
        return None
    columns = anchors.system.columns
    (rows, differences), met = anchors.rate(bot, rating_inputs(own)), HeadToHead(records(own), None)
    found = []
    for anchor in sorted(anchors.bots, key=lambda each: -columns.merit(anchors.ratings.values[each])):
        values, pair = anchors.ratings.values[anchor], met.pairing(bot, anchor)
        better = differences.difference(bot, anchor).above(0.0)
        value, error = values[columns.ranking], values["error"]
        bound = anchors.ratings.bounds.get(anchor)
        found.append(AnchorRow(anchor, value, error, bound, pair.games, pair.ahead, pair.ties, better))
    return BotRating(bot, rows, found)


def in_words(found: BotRating, columns: RatingColumns) -> str:
    """Return what is known, in one sentence."""
    overall, name = found.overall, columns.ranking
    merits = {each.bot: columns.merit({name: each.rating}) for each in found.anchors}
    own = columns.merit({name: overall.rating})
    unit = f" {columns.middle.title}" if columns.is_amount else ""
    parts = [_surely(found), f"{shown_rating(overall, columns)}{unit} (95 %)"]
    behind, before = ([each for each in merits if (merits[each] < own) is is_less] for is_less in (True, False))
    if overall.bound is None:
        between = f"between {printable(behind[0])} and {printable(before[-1])}" if behind and before else ""
        parts.append(between or ("above all anchors" if behind else "below all anchors"))
    sentence = f"{printable(found.bot)}: {', '.join(parts)}"
    weakest = min(found.rows, key=lambda row: columns.merit({name: row.rating}))
    reach = REACH * (weakest.error**2 + overall.error**2) ** 0.5
    if weakest is not overall and columns.merit({name: weakest.rating}) + reach < own:
        sentence += f"; weakest with {weakest.players} players"
    return sentence


def _surely(found: BotRating) -> str:
    """Return the best anchor that the bot is better than for certain, or else the worst that it is worse than."""
    if better := [each for each in found.anchors if each.better >= SURE]:
        return f"better than {printable(better[0].bot)} with {probability(better[0].better)}"
    if worse := [each for each in found.anchors if each.better <= 1 - SURE]:
        return f"worse than {printable(worse[-1].bot)} with {probability(1 - worse[-1].better)}"
    return "not told from any anchor"


def shown_rating(row: RatingRow | AnchorRow, columns: RatingColumns) -> str:
    """Return a rating with half of its interval, or the end that is known if it is one alone."""
    return columns.in_words(_values(row, columns), row.bound, few=True)


def _values(row: RatingRow | AnchorRow, columns: RatingColumns) -> Values:
    return {columns.ranking: row.rating, "error": row.error}


def tables(found: BotRating, columns: RatingColumns) -> list[Table]:
    """Return the ratings by number of players, unless it is one alone, and the anchors: headings and rows."""
    heading = columns.heading(columns.middle, few=True)
    rows = [(each.players or "all", shown_rating(each, columns), each.games) for each in found.rows]
    anchors = [
        (
            *(printable(each.bot), shown_rating(each, columns), each.games),
            percent((each.ahead + each.ties / 2) / each.games if each.games else None),
            probability(each.better),
        )
        for each in found.anchors
    ]
    by_count: list[Table] = [(("players", heading, "games"), rows)] if len(rows) > 2 else []
    return [*by_count, (("anchor", heading, "games", "ahead of it", "better with"), anchors)]


def as_text(found: BotRating, columns: RatingColumns) -> str:
    """Return the sentence, and below it the ratings by number of players and the anchors."""
    shown = (text_table(*each, align=["left", *["right"] * (len(each[0]) - 1)]) for each in tables(found, columns))
    return "\n\n".join([in_words(found, columns) + f", after {counted(found.overall.games, 'game')}", *shown])


def curve_as_text(ratings: Sequence[BotRating], columns: RatingColumns, width: int | None) -> str:
    """Return the ratings of bots drawn, and below them where the anchors stand."""
    rated = [(each.bot, _values(each.overall, columns), each.overall.bound) for each in ratings]
    return drawn_intervals(rated, columns, width, {each.bot: each.rating for each in ratings[0].anchors})


def drawn_intervals(
    rated: Sequence[tuple[str, Values, Bound | None]],
    columns: RatingColumns,
    width: int | None,
    anchors: Mapping[str, float] = {},
) -> str:
    """Return a line for each bot with its rating and its interval drawn, then one for each anchor with its place.

    Args:
        rated: By bot: its values, and on which side it is known if on one side alone.
        columns: Of the rating system.
        width: Of the terminal; None: there is none.
        anchors: Their ratings.
    """
    rows = []
    for bot, values, bound in rated:
        low, at, high = columns.ends(values, bound)
        ends = at if low == -inf else low, at, at if high == inf else high
        rows.append((printable(bot), columns.in_words(values, bound, few=True), ends, _MARKS[bound]))
    places = columns.middle.few_places
    rows += [(printable(bot), f"{at:.{places}f}", (at, at, at), "|") for bot, at in anchors.items()]
    least, most = min(ends[0] for _, _, ends, _ in rows), max(ends[2] for _, _, ends, _ in rows)
    names, numbers = (max(text_width(str(row[part])) for row in rows) for part in (0, 1))
    room = max(_LEAST_ROOM, min(_MOST_ROOM, (width or _USUAL_WIDTH) - names - numbers - 4))
    lines = []
    for name, shown, ends, mark in rows:
        first, middle, last = (round((room - 1) * (end - least) / ((most - least) or 1)) for end in ends)
        drawn = f"{'':{first}}{'-' * (middle - first)}{mark}{'-' * (last - middle)}"
        lines.append(f"{ljust(name, names)}  {shown:>{numbers}}  {drawn}")
    if anchors:
        lines.insert(len(rated), "anchors")
    return "\n".join(lines)
