"""Write the files of a site that programs read: lists of games, a feed, a badge."""

from __future__ import annotations

import csv
import io
import json
import uuid
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Final, NamedTuple
from xml.etree import ElementTree

from arena.common.authors import Author
from arena.common.text_table import csv_row, no_formula
from arena.ledger import GameResult
from arena.rating import RatingColumns
from arena.replays.page_data import encode
from arena.site.folder import script
from arena.site.game_facts import GameFacts
from arena.site.leaderboard_tables import rating_in_words
from arena.site.names import short, shown
from arena.standings.lead import lead_in_words
from arena.standings.rows import LeaderboardRow

LATEST: Final = 20
"""The number of games in the feed."""
_ATOM: Final = "http://www.w3.org/2005/Atom"
NO_REPLAY, NOT_RATED = 1, 2


class KnownOfGames(NamedTuple):
    """What is known of all games."""

    rated: set[str]
    problems: Mapping[str, str]
    facts: Mapping[str, GameFacts]
    looks: Mapping[str, str]
    """By game why to look at it."""


def game_list(number: int, results: Sequence[GameResult], bots: Mapping[str, int], known: KnownOfGames) -> bytes:
    """Return a list of games.

    It has `[id, bots by seat (numbers), ranks by seat, NO_REPLAY + NOT_RATED]` of each, and behind that what it was won
    with and why to look at it if one of them is known.
    """
    games = []
    for result in results:
        notes = NO_REPLAY * (result.id in known.problems) + NOT_RATED * (result.id not in known.rated)
        facts = known.facts.get(result.id)
        more = [shown("" if facts is None else facts.won, 80), known.looks.get(result.id, "")]
        game = [result.id, [bots[bot] for bot in result.bots], result.ranks, notes]
        games.append([*game, *(more if any(more) else [])])
    return script("list", encode({"number": number, "games": games}))


def bot_list(
    bots: Sequence[str], slugs: Mapping[str, str], authors: Mapping[str, Author], avatars: Mapping[str, str]
) -> bytes:
    """Return the list of bots that the lists of games refer to by number.

    It has `[name, page]` of each, and behind that its author and the author's picture if it has one of them.
    """
    found = []
    for bot in bots:
        author = shown(authors[bot].words) if bot in authors else ""
        more = [author, avatars.get(bot, "")]
        found.append([short(bot), slugs[bot], *(more if any(more) else [])])
    return script("bots", encode({"bots": found}))


def games_csv(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> bytes:
    """Return the table of games as `arena export` writes it."""
    head = [no_formula(column) for column in columns]
    return "".join(map(csv_row, [head, *rows])).encode("utf-8", "backslashreplace")


def read_games_csv(data: str, columns: Sequence[str]) -> dict[str, list[list[str]]]:
    """Return the rows of an earlier games.csv by game. Return nothing if it has other columns."""
    found: dict[str, list[list[str]]] = {}
    try:
        rows = list(csv.reader(io.StringIO(data, newline=""), strict=True))
    except csv.Error:
        return {}
    if not rows or rows[0] != [no_formula(column) for column in columns]:
        return {}
    for row in rows[1:]:
        if len(row) == len(columns):
            found.setdefault(row[0], []).append(row)
    return found


def badge(title: str, rows: Sequence[LeaderboardRow], rating: RatingColumns) -> bytes:
    """Return who leads, in the format that badge services read from an endpoint."""
    message = lead_in_words(rows, rating, lambda bot: shown(bot, 20))
    color = "blue" if message else "lightgrey"
    nobody = "no bot is left" if any(row.games for row in rows) else "no games yet"
    data = {"schemaVersion": 1, "label": shown(title, 30), "message": message or nobody, "color": color}
    return json.dumps(data, indent=2).encode("ascii") + b"\n"


class AtomFeed:
    """An Atom feed of the standings and the latest games.

    An entry is dated when a site first published it with this content.
    """

    def __init__(self, title: str, seed_hash: str, url: str | None, before: Mapping[str, list[str]], now: str) -> None:
        """Take `before`, the `entries` of the previous publishing, and the time `now` as RFC 3339."""
        self.entries: dict[str, list[str]] = {}
        self._title = title
        self._seed_hash = seed_hash
        self._url = None if url is None else url.rstrip("/") + "/"
        self._before = before
        self._now = now

    def make(
        self,
        rows: Sequence[LeaderboardRow],
        rating: RatingColumns,
        results: Sequence[GameResult],
        problems: Mapping[str, str],
    ) -> bytes:
        """Return the contents of the feed's file."""
        entries = []
        played = [row for row in rows if row.games and row.in_field]
        if played:
            places = [
                f"{row.place(place)}. {shown(row.bot)} {rating_in_words(row, rating)}"
                for place, row in enumerate(played[:10], 1)
            ]
            title = f"Standings: {lead_in_words(rows, rating, shown)}"
            entries.append(self._entry("standings", title, "\n".join(places), "index.html"))
        for result in reversed(results[-LATEST:]):
            order = sorted(zip(result.ranks, result.bots, strict=True))
            places = [f"{rank}. {shown(bot)}" for rank, bot in order]
            replay = f"games/replay.html#{result.id}" if self._url is None else f"games/{result.id}/"
            page = "games/index.html" if result.id in problems else replay
            entries.append(self._entry(result.id, f"Game {shown(result.id)}: {places[0]}", "\n".join(places), page))
        root = ElementTree.Element("feed", {"xmlns": _ATOM})
        _add(root, "id", self._id("feed"))
        _add(root, "title", shown(self._title, 200))
        _add(root, "updated", max((date for _, date in self.entries.values()), default=self._now))
        _add(_add(root, "author"), "name", "arena")
        _add(root, "link", href=self._link("feed.xml"), rel="self", type="application/atom+xml")
        _add(root, "link", href=self._link("index.html"), rel="alternate", type="text/html")
        root.extend(entries)
        ElementTree.indent(root)
        text = ElementTree.tostring(root, encoding="unicode")
        return f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n'.encode()

    def _entry(self, key: str, title: str, text: str, page: str) -> ElementTree.Element:
        mark = blake2b(f"{title}\n{text}".encode(), digest_size=12).hexdigest()
        before = self._before.get(key, [])
        date = before[1] if len(before) == 2 and before[0] == mark else self._now
        self.entries[key] = [mark, date]
        entry = ElementTree.Element("entry")
        _add(entry, "id", self._id(f"entry {key}"))
        _add(entry, "title", title)
        _add(entry, "updated", date)
        _add(entry, "link", href=self._link(page), rel="alternate", type="text/html")
        _add(entry, "content", text, type="text")
        return entry

    def _id(self, what: str) -> str:
        return uuid.uuid5(uuid.NAMESPACE_OID, f"arena {self._seed_hash} {what}").urn

    def _link(self, page: str) -> str:
        return page if self._url is None else self._url + page


def _add(parent: ElementTree.Element, tag: str, text: str | None = None, /, **attributes: str) -> ElementTree.Element:
    child = ElementTree.SubElement(parent, tag, attributes)
    child.text = text
    return child
