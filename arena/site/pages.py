"""Render the pages: collect what each template needs, and fill it in. Every value is escaped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from typing import Any, Final, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined, TemplateNotFound
from markupsafe import Markup

import arena
from arena.analysis.run import refusal
from arena.common.labels import spelled_out
from arena.common.printable import counted
from arena.ledger import EntrantRecord, FaultRecord, GameResult, TournamentSettings
from arena.rating.rated_table import Point
from arena.site import charts
from arena.site.chart_layout import MOST_LINES, px, text
from arena.site.game_facts import Featured
from arena.site.leaderboard_tables import (
    MOST_SQUARED,
    Cell,
    Square,
    Table,
    column_title,
    difference_cells,
    filled_columns,
    leaderboard_table,
    square,
    squares,
    standing_in_words,
)
from arena.site.names import SHORT, lines, short, shown, slugs
from arena.site.rules_page import rules_page
from arena.site.seatings import Seating
from arena.site.version_tables import latest_day, version_table
from arena.standings.head_to_head import HeadToHead, Pairing
from arena.standings.lead import resolution_in_words, why_in_words
from arena.standings.leaderboard_text import won_in_words
from arena.standings.rows import Leaderboard, LeaderboardRow
from arena.standings.versions import FieldHistory
from engine import catalog
from engine.picture import Illustrated
from engine.rules import Data, Rules

MOST_ROWS: Final = 160
"""The most rows of all leaderboards on one page. With more, each number of players gets a page of its own."""
MOST_SHOWN: Final = 300
"""The most characters of a name that is shown as a whole."""
_LATER: Final = Markup(
    "<span>Authors see the games of their bots at once, and everybody when "
    '<a href="{}">the league\'s page</a> says.</span>'
)
LIST: Final = 500
"""Games per file of a list."""


class Source(NamedTuple):
    """All that the pages show, at one moment."""

    settings: TournamentSettings
    state: str
    """`playing`, `finished` or `stopped`."""
    entrants: list[EntrantRecord]
    in_field: int
    """How many are in the field."""
    board: Leaderboard
    versions: FieldHistory
    history: Mapping[str, Sequence[Point]]
    results: list[GameResult]
    """The results of all games."""
    rated: list[GameResult]
    seatings: Mapping[str, Sequence[Seating]]
    faults: Mapping[str, tuple[int, Sequence[tuple[str, FaultRecord]]]]
    """The number of each bot's faults, and the latest ones with their games' ids."""
    set_aside: int
    problems: Mapping[str, str]
    """Why a game has no replay, by id."""
    folder: str
    """The name of the tournament's folder, without its path."""
    head: str = ""
    """Of the ledger's chain."""
    chain: Sequence[str] = ()
    """The entries of the ledger's chain."""
    note: str = ""
    """What was said when the tournament began."""
    avatars: Mapping[str, str] = {}
    """By bot: the name of its author's picture, if that is as it was recorded."""
    featured: Featured | None = None
    """The game to watch first. None: none can be played back."""
    is_drawn: bool = False
    """Whether the game has pictures of its own."""
    has_film: bool = False
    """Whether it plays itself on the first page."""

    @property
    def overall(self) -> list[LeaderboardRow]:
        """Return the rows of the leaderboard of all games."""
        return self.board.overall or []

    @property
    def bots(self) -> set[str]:
        """Return all bots, with those that were left out."""
        return {each.name for each in self.entrants} | {bot for result in self.results for bot in result.bots}


def environment() -> Environment:
    """Return the environment of the templates, with their shared functions. It escapes every value."""
    found = Environment(
        loader=PackageLoader("arena.site", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    found.filters |= {
        "shown": shown, "titled": lambda title: shown(title.unescape(), 80), "lines": lines,
        "named": _named, "zip": partial(zip, strict=True), "px": px, "number": text, "spelled_out": spelled_out,
        "counted": counted,
    }  # fmt: skip
    return found


class Pages:
    """Renders the pages of one source."""

    def __init__(
        self,
        source: Source,
        against: HeadToHead,
        title: str,
        is_live: bool,
        url: str | None,
        league: str,
        is_later: bool,
    ) -> None:
        """Take what is shown.

        Args:
            source: All but who beats whom.
            against: Who beats whom.
            title: The title of the site.
            is_live: Whether a live server sends it.
            url: Where it will be published, with a slash at the end.
            league: The address of the league's own page, if it is a league's.
            is_later: Whether games are shown later than their results.
        """
        self._source = source
        self._against = against
        self.bots = sorted(source.bots)
        """The order of bots, to which lists of games refer by number."""
        self.slugs = slugs(self.bots)
        self._no_analysis = refusal(catalog.rules(source.settings.game)) or ""
        self._environment = environment()
        later = _LATER.format(league) if is_later else ""
        self._environment.globals |= {
            "site": {"title": title, "live": is_live, "url": url, "league": league, "later": later, **self._site()},
            "page_of": self.slugs,
            "author_of": source.board.authors,
            "avatar_of": source.avatars,
        }

    def render(self, template: str, root: str, **values: Any) -> bytes:
        """Render a page. `root` is the relative path from it to the site's top folder."""
        text = self._environment.get_template(template).render(root=root, **values)
        return text.encode("utf-8", "replace")

    @cached_property
    def ranking(self) -> list[str]:
        """Return the bots that take part, best first."""
        return [row.bot for row in self._source.overall]

    @cached_property
    def tables(self) -> dict[str, Table]:
        """Return the leaderboards by number of players."""
        tables = {}
        for count, rows in self._source.board.players.items():
            played = [row for row in rows if row.games]  # a rating without a game of this kind says little
            unplayed = [row.bot for row in rows if not row.games]
            tables[count] = self._table(played)._replace(unplayed=unplayed)
        return tables

    @property
    def splits(self) -> bool:
        """Return whether the tables by number of players have pages of their own."""
        rows = len(self.ranking) + sum(len(table.lines) for table in self.tables.values())
        return rows > MOST_ROWS

    def index(self) -> bytes:
        """Render the first page."""
        board = self._source.board
        best = [row.bot for row in self._source.overall if row.in_field][:MOST_SQUARED]
        leaders = board.overall_lead.bots if board.overall_lead else []
        uncounted = board.uncontested.words, board.suspended_words, board.void_words, board.machine_words
        return self.render(
            "index.html.j2",
            "",
            overall=self._table(self._source.overall)._replace(lead=""),
            leaders=leaders,
            is_open=board.overall_lead is not None and board.overall_lead.is_open,
            podium=self._podium(),
            why=why_in_words(board),
            latest=latest_day(self._source.versions),
            played=sum(1 for row in self._source.overall if row.games),
            bots=len(self.ranking),
            rating=board.columns,
            tables=self.tables,
            splits=self.splits,
            courses=charts.courses(self._source.history, self.ranking, board.columns),
            followed=[bot for bot in self.ranking if self._source.history.get(bot)][:MOST_LINES],
            squared=best,
            squares=squares(best, self._against),
            placings=board.placings,
            won="" if not board.placings else won_in_words(board),
            against=board.against,
            left_out=board.left_out,
            uncounted="; ".join(filter(None, uncounted)),
            former=[row.bot for row in board.former],
            isolation=board.isolation_words,
            featured=self._source.featured,
            has_film=self._source.has_film,
        )

    def players(self, count: str) -> bytes:
        """Render the page of one number of players."""
        isolation = self._source.board.isolation_words
        table, counts = self.tables[count], list(self.tables)
        return self.render("players.html.j2", "../", count=count, counts=counts, table=table, isolation=isolation)

    def bot(self, name: str) -> bytes:
        """Render a bot's page."""
        source = self._source
        entrant = next((each for each in source.entrants if each.name == name), EntrantRecord(name, "", ""))
        tables = [("all", source.overall)]
        tables += [(f"{count} players", rows) for count, rows in source.board.players.items()]
        found = [
            (title, rank, row)
            for title, rows in tables
            for rank, row in enumerate(rows, start=1)
            if row.bot == name and (row.games or title == "all")  # a rating without a game of this kind says little
        ]
        overall = next(((rank, row) for title, rank, row in found if title == "all"), None)
        summary = ""
        if overall is not None:
            rank, row = overall
            bots = sum(each.in_field for each in source.overall)
            summary = standing_in_words(row, rank, bots, source.board.columns)
        number_of_faults, faults = source.faults.get(name, (0, []))
        seatings = source.seatings.get(name, [])
        return self.render(
            "bot.html.j2",
            "../",
            entrant=entrant,
            figures=filled_columns(self._table([row for _, _, row in found], [rank for _, rank, _ in found])),
            rating=source.board.columns,
            headings=[column_title(each, source.board.columns) for each in source.board.columns.shown],
            titles=[title for title, _, _ in found],
            summary=summary,
            versions=version_table(source.versions, name),
            course=charts.course(source.history.get(name, []), source.board.columns, overall and overall[1].bound),
            finishes=charts.finishes(seatings),
            seatings=seatings,
            pairings=self._rivals(name),
            faults=[(game, fault, game not in source.problems) for game, fault in reversed(faults)],
            number_of_faults=number_of_faults,
            number=self.bots.index(name),
            lists=self._lists,
        )

    def _table(self, rows: Sequence[LeaderboardRow], ranks: Sequence[int] | None = None) -> Table:
        return leaderboard_table(rows, self._source.board.columns, ranks)

    def _podium(self) -> list[tuple[str, str, str]]:
        """Return bot, place and rating of the best three."""
        columns = self._source.board.columns
        played = [row for row in self._source.overall if row.games and row.in_field]
        return [
            (row.bot, row.place(order), columns.in_words(row.values, row.bound, few=True).replace("-", "−"))
            for order, row in enumerate(played[:3], start=1)
        ]

    def _rivals(self, name: str) -> list[tuple[str, Pairing, Cell, Cell, Square]]:
        """Return the results against each rival, the best rival first."""
        places = self._source.board.columns.ranked.places
        found = [(other, self._against.pairing(name, other)) for other in self.ranking if other != name]
        return [(other, each, *difference_cells(each, places), square(each.better)) for other, each in found]

    def games(self) -> bytes:
        """Render the page of all games."""
        return self.render(
            "games.html.j2",
            "../",
            lists=self._lists,
            counts=list(self.tables),
            without_replay=len(self._source.problems),
        )

    def live(self) -> bytes:
        """Render the page of the games that are being played."""
        return self.render("live.html.j2", "../")

    def replay(self) -> bytes | None:
        """Render the page of the viewer. Return None if there is no template for it."""
        try:
            return self.render("replay.html.j2", "../", lists=self._lists, no_analysis=self._no_analysis)
        except TemplateNotFound:
            return None

    def rules(self, headings: Sequence[tuple[str, str]], text: str, known: Mapping[str, Any]) -> bytes:
        """Render the page of the game's rules.

        Args:
            headings: The sections' ids and titles.
            text: The rules as safe HTML; empty if the game ships none.
            known: The game's `goal`, `goals`, `terms` and `cards`, each only if it says them.
        """
        return self.render("rules.html.j2", "../", headings=headings, text=text, **_said_of_rules(known))

    @property
    def _lists(self) -> int:
        return -(-len(self._source.results) // LIST)

    def _site(self) -> dict[str, Any]:
        source = self._source
        settings = source.settings
        expected = settings.rated.expected
        return {
            "state": source.state,
            "drawn": source.is_drawn,
            "version": arena.__version__,
            "game": shown(settings.game),
            "edition": shown(settings.edition_name or ""),
            "counts": _counts_in_words(counts := settings.counts(source.in_field)),
            "skipped": [count for count in settings.players if count not in counts],
            "time": settings.time,
            "format": shown(settings.format),
            "order": [] if settings.resolution is None else resolution_in_words(settings.resolution),
            "expected": expected,
            "unplayed": expected is not None and len(source.results) < expected,
            "played": len(source.results),
            "rated": len(source.rated),
            "set_aside": source.set_aside,
            "seed": settings.seed,
            "seed_given": settings.seed_given,
            "seed_hash": settings.seed_hash,
            "head": source.head,
            "entries": len(source.chain),
            "isolation": source.board.isolation_words,
            "note": source.note,
            "beacon_source": settings.beacon_source,
            "beacon": settings.beacon,
            "folder": source.folder,
        }


def _counts_in_words(counts: Sequence[int]) -> str:
    """Return numbers of players, as `2–6` if none between is left out."""
    whole = len(counts) > 2 and counts[-1] - counts[0] == len(counts) - 1
    return f"{counts[0]}–{counts[-1]}" if whole else ", ".join(map(str, counts))


def _named(name: str, limit: int = SHORT) -> Markup:
    """Return a name as markup: a long one is cut in the middle, as versions differ at the end, and whole on focus."""
    if len(name) <= limit:
        return Markup("<bdi>{}</bdi>").format(shown(name))
    return Markup('<bdi class="cut" data-whole="{}">{}</bdi>').format(shown(name, MOST_SHOWN), short(name, limit))


def render_table_page(rules: Rules) -> str:
    """Render the page with which a person plays. It holds nothing of a game: what it shows comes as messages."""
    drawn = isinstance(rules, Illustrated)
    return environment().get_template("play.html.j2").render(version=arena.__version__, drawn=drawn)


def render_rules_page(rules: Rules, edition: Data) -> str:
    """Render the rules of a game as a page that needs no site around it."""
    headings, text = rules_page(rules)
    known = rules.board(edition) if isinstance(rules, Illustrated) else {}
    site = {"title": rules.name, "game": rules.name, "version": arena.__version__}
    page = environment().get_template("rules.html.j2")
    said = _said_of_rules(known)
    return page.render(layout="alone.html.j2", root="", site=site, headings=headings, text=text, **said)


def _said_of_rules(board: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a board says of the rules, for their page."""
    return {
        "goal": board.get("goal", ""),
        "goals": board.get("goals", {}),
        "terms": board.get("terms", {}),
        "cards": sorted(board.get("cards", {}).values(), key=lambda card: card["title"]),
    }
