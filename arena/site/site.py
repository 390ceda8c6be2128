"""Publish a whole site: read the ledger, hand work to processes, and write the files."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from arena.analysis.run import AnalysisCache
from arena.common.authors import Author
from arena.common.processes import cores
from arena.common.progress import Progress
from arena.ledger import GameResult, Ledger, is_locked, set_aside
from arena.rating import RatingSystem
from arena.rating.rated_table import Point
from arena.replays.cache import source_hash
from arena.replays.export import CHAIN, Columns, chain_file, columns
from arena.replays.page_data import encode
from arena.reports.statement import TOO_FEW, UNFINISHED, Statement, make_statement
from arena.site import Published, feeds
from arena.site.folder import GAMES, Manifest, PublishedTournament, SiteFolder, script
from arena.site.game_facts import featured, worth_a_look
from arena.site.names import is_file_name, shown
from arena.site.pages import LIST, Pages, Source
from arena.site.pool import CHUNK, PagePool, PublishedGame, make_games
from arena.site.report_pages import statement_values
from arena.site.rules_page import rules_page
from arena.site.seatings import seatings
from arena.site.share_pages import BEST, IMAGE, PICTURED, STILL, Share, board_film, board_image, board_of
from arena.standings.compute import (
    Sheet,
    StandingsTable,
    calibration,
    leaderboard,
    make_table,
    make_tables,
    rated_results,
)
from arena.standings.head_to_head import HeadToHead, records
from arena.standings.leaderboard_text import TEXT_FORMATS, json_text
from arena.standings.versions import make_history
from engine import catalog
from engine.rules import Rules

if TYPE_CHECKING:
    from arena.rating.held_out import HeldOutCalibration

_LIVE = "live"
"""What the names of the scripts and styles begin with that only a live server sends."""
_FIRST = 40 * CHUNK
"""Games that are begun first, so that the workers have something to do while the rest is read."""
_LAST = 20 * CHUNK
"""Games that are begun last, after who beats whom, so that nothing waits for that at the end."""
LATEST: Final = 10
"""The most faults on a bot's page."""


class PublishOptions(NamedTuple):
    """The options of `publish`."""

    jobs: int | None
    title: str | None
    url: str | None
    live: bool
    replace: bool
    now: str | None
    system: RatingSystem
    league: str
    later: bool


def make(folder: Path, root: Path, options: PublishOptions, progress: Progress) -> Published:
    """Publish the tournament in `folder` into `root`. See `publish`."""
    with Ledger.open(folder) as ledger:
        site = SiteFolder(root)
        rules = catalog.rules(ledger.settings.game)
        with site.locked():
            site.claim(_of(ledger), options.replace)
            with PagePool(cores() if options.jobs is None else options.jobs) as pool:
                return _Publishing(folder, ledger, site, rules, pool, options, progress).run()


def _of(ledger: Ledger) -> PublishedTournament:
    settings = ledger.settings
    return PublishedTournament(ledger.identity, settings.game, ledger.folder.resolve().name, settings.seed_hash[:8])


@dataclass
class _Publishing:
    """One publishing of a site."""

    _folder: Path
    _ledger: Ledger
    _site: SiteFolder
    _rules: Rules
    _pool: PagePool
    _options: PublishOptions
    _progress: Progress
    _history: dict[str, list[Point]] = field(default_factory=dict)
    _waiting: list[Callable[[], list[PublishedGame]]] = field(default_factory=list)
    _statement: Statement | None = None
    _calibration: HeldOutCalibration | None = None
    """None: there are too few blocks, or it is not computed yet."""
    _number: int = 0
    """The number of new games."""
    _late: list[str] = field(default_factory=list)
    """New games that are begun after who beats whom."""
    _marks: dict[str, str] = field(default_factory=dict)
    _share: Share | None = None
    _rows: dict[str, list[list[str]]] = field(default_factory=dict)
    """The rows of games.csv, by game."""

    def __post_init__(self) -> None:
        settings = self._ledger.settings
        self._manifest = Manifest(tournament=_of(self._ledger))
        self._board = board_of(self._rules, settings.edition)
        self._title = self._options.title or f"{shown(settings.game)} tournament"

    def run(self) -> Published:
        with self._ledger.snapshot():
            source, table = self._read()
        met = self._pool.ask(records, source.rated)
        self._begin(self._late, table)
        made = self._collect()
        days, facts = source.versions.days, self._manifest.facts
        best = featured(source.rated[days[-1][1] if days else 0 :], facts) or featured(source.results, facts)
        best = None if self._options.later else best  # shown later than its result
        film = None if best is None else self._film(best.game)
        source = source._replace(problems=self._manifest.problems, featured=best, has_film=film is not None)
        against = HeadToHead(met(), source.board.differences)
        asked = self._options
        pages = Pages(source, against, self._title, asked.live, self._url, asked.league, asked.later)
        self._write(source, table, pages, film)
        self._site.finish(self._manifest)
        return Published(
            len(source.results), made, self._site.written, self._site.removed, dict(self._manifest.problems)
        )

    @property
    def _url(self) -> str | None:
        """Return where the site is published, with a slash at the end."""
        url = self._options.url
        return None if url is None else url.rstrip("/") + "/"

    # What is read

    def _read(self) -> tuple[Source, Columns]:
        """Read everything except the courses of the games, and begin the new games meanwhile."""
        ledger = self._ledger
        settings = ledger.settings.without_seeds() if self._options.later else ledger.settings
        results = ledger.results()
        if (url := self._url) is not None:
            latest = frozenset(result.id for result in results[-PICTURED:])
            self._share = Share(url, self._title, latest)
        table = columns(ledger.score_names())
        courses = ledger.marks()
        missing = self._missing(results, courses, table)
        self._site.plan(self._manifest, [], missing)
        self._begin(missing[:_FIRST], table)
        self._late = missing[_FIRST:][-_LAST:]
        rated = rated_results(ledger, results)

        def tables(sheets: Sequence[Sheet]) -> list[StandingsTable]:
            # Before most games: a table takes one worker for as long as hundreds of them do.
            course = self._pool.ask(make_table, sheets[0], True)
            several = {sheet.players: sheet for sheet in sheets[1:] if sheet.players is not None}
            others = self._pool.ask(make_tables, list(several.values()))
            found = (
                self._pool.ask(calibration, rated)
                if is_final and not self._options.system.columns.is_amount
                else lambda: None
            )
            self._begin(missing[_FIRST : -len(self._late) or None], table)
            whole = course()
            self._calibration = found()
            self._history = whole.courses
            made = {None: whole} | dict(zip(several, others(), strict=True))
            return [made[sheet.players] for sheet in sheets]

        is_live = self._options.live and not self._options.league  # a league publishes when a round has ended
        is_final = settings.finished and not is_live and not is_locked(self._folder)
        self._progress.stage("tables", None)
        board = leaderboard(ledger, made=tables, results=rated, system=self._options.system)
        rows = [*(board.overall or []), *board.former]
        whole = StandingsTable(rows, board.differences, self._history)
        source = Source(
            settings=settings,
            state="playing" if is_locked(self._folder) else "finished" if settings.finished else "stopped",
            entrants=ledger.entrants(),
            in_field=len(ledger.field()),
            board=board,
            versions=make_history(ledger, results, rated, whole, board.columns),
            history=self._history,
            results=results,
            rated=rated,
            seatings=seatings(rated),
            faults=ledger.latest_faults(LATEST),
            set_aside=len(set_aside(ledger.voids()) - courses.keys()),
            problems={},
            folder=self._folder.resolve().name,
            is_drawn=self._board is not None,
            head=ledger.chain.head(),
            chain=ledger.chain.texts(),
            note=next((note.note for note in ledger.field_notes()), ""),
            avatars=self._avatars(board.authors),
        )
        why = TOO_FEW if is_final else UNFINISHED
        self._statement = make_statement(ledger, board, results, rated, self._calibration, why, settings)
        return source, table

    def _avatars(self, authors: Mapping[str, Author]) -> dict[str, str]:
        """Return by bot the name of its author's picture, without those that are not as they were recorded."""
        there = {author: self._ledger.avatar(author) is not None for author in set(authors.values())}
        return {bot: author.avatar for bot, author in authors.items() if there[author]}

    def _missing(self, results: Sequence[GameResult], courses: dict[str, str], table: Columns) -> list[str]:
        """Return the games to publish, and take over those that are published and unchanged."""
        before, now, seed_hash = self._site.before, self._manifest, self._ledger.settings.seed_hash
        now.made_by, now.feed, now.best = source_hash(self._rules), before.feed, before.best
        try:
            rows = feeds.read_games_csv((self._site.root / "games.csv").read_bytes().decode(), list(table.types))
        except (OSError, ValueError):
            rows = {}
        missing, analyses = [], AnalysisCache(self._folder)
        for result in results:
            game = result.id
            mark = self._marks[game] = _mark(seed_hash, courses[game], result, self._share, analyses.mark(game))
            there = before.made_by == now.made_by and before.games.get(game) == mark
            there = there and len(rows.get(game, ())) == result.players
            if there and game not in before.problems:
                there = (
                    game in before.facts
                    and is_file_name(game)
                    and (self._site.root / GAMES / game / "public.js").is_file()
                )
            if not there:
                missing.append(game)
                continue
            now.games[game] = mark
            self._rows[game] = rows[game]
            if game in before.problems:
                now.problems[game] = before.problems[game]
            else:
                now.facts[game] = before.facts[game]
        return missing

    # Games

    def _begin(self, missing: Sequence[str], table: Columns) -> None:
        self._number += len(missing)
        shared = self._folder, self._site.root, table, self._share, self._board
        self._waiting += [
            self._pool.ask(make_games, *shared, missing[first : first + CHUNK])
            for first in range(0, len(missing), CHUNK)
        ]

    def _collect(self) -> int:
        self._progress.stage("games", self._number)
        for each in self._waiting:
            for made in each():
                self._manifest.games[made.id] = self._marks[made.id]
                self._rows[made.id] = made.rows
                self._site.written += made.written
                if made.problem:
                    self._manifest.problems[made.id] = made.problem
                else:
                    self._manifest.facts[made.id] = made.facts
                self._progress.advance(made.id)
        return self._number

    # Files

    def _film(self, game: str) -> tuple[bytes, bytes] | None:
        """Return a game as it plays itself, and a still. None: there is no Pillow, or nothing to see in it."""
        if importlib.util.find_spec("PIL") is None:
            return None
        mark = self._manifest.best = f"{self._manifest.made_by} {self._manifest.games[game]}"
        with suppress(OSError):
            if self._site.before.best == mark:
                return (self._site.root / GAMES / BEST).read_bytes(), (self._site.root / GAMES / STILL).read_bytes()
        written = (self._site.root / GAMES / game / "public.js").read_bytes()
        public = msgspec.json.decode(written[written.index(b",") + 1 : written.rindex(b")")])
        drawn = public["start"] is not None or public.get("seen", {}).get("rows")
        return board_film(self._board, public) if drawn else None

    def _write(self, source: Source, table: Columns, pages: Pages, film: tuple[bytes, bytes] | None) -> None:
        found = list(self._files(source, table, pages))
        if film is not None:
            found += [(f"{GAMES}/{name}", partial(bytes, data)) for name, data in zip((BEST, STILL), film, strict=True)]
        self._site.plan(self._manifest, [path for path, _ in found], [])
        self._progress.stage("pages", len(found))
        for path, make in found:
            data = make()
            if data is not None:
                self._site.write(path, data)
            self._progress.advance(path)

    def _files(self, source: Source, table: Columns, pages: Pages) -> Iterator[tuple[str, Callable[[], bytes | None]]]:
        """Yield every file except those of single games: its path, and a function that returns its contents."""
        board, results, problems = source.board, source.results, source.problems
        for name in _assets(self._options.live):
            yield f"assets/{name}", (files("arena.site") / "assets" / name).read_bytes
        rated = {result.id for result in source.rated}
        numbers = {bot: number for number, bot in enumerate(pages.bots)}
        known = feeds.KnownOfGames(rated, problems, self._manifest.facts, worth_a_look(self._manifest.facts))
        for number, first in enumerate(range(0, len(results), LIST)):
            some = results[first : first + LIST]
            yield f"{GAMES}/list-{number}.js", partial(feeds.game_list, number, some, numbers, known)
        yield f"{GAMES}/bots.js", partial(feeds.bot_list, pages.bots, pages.slugs, board.authors, source.avatars)
        for bot, name in sorted(source.avatars.items(), key=lambda each: each[1]):
            yield f"avatars/{name}", partial(self._ledger.avatar, board.authors[bot])
        yield f"{GAMES}/board.js", partial(script, "board", encode(self._board))
        if self._share is not None:
            yield IMAGE, partial(board_image, self._board, self._title)
        yield f"{GAMES}/replay.html", pages.replay
        yield f"{GAMES}/index.html", pages.games
        if self._options.live:
            yield f"{GAMES}/live.html", pages.live
        yield f"{GAMES}/rules.html", partial(pages.rules, *rules_page(self._rules), self._board or {})
        for bot, slug in pages.slugs.items():
            yield f"bots/{slug}.html", partial(pages.bot, bot)
        for count in pages.tables if pages.splits else ():
            yield f"players/{count}.html", partial(pages.players, count)
        yield "index.html", pages.index
        if self._statement is not None:
            values = statement_values(self._statement)
            yield "statement.html", partial(pages.render, "statement.html.j2", "", layout="base.html.j2", **values)
            yield "statement.json", json_text(self._statement.data()).encode
        yield "leaderboard.json", TEXT_FORMATS["json"](board).encode
        yield "leaderboard.md", TEXT_FORMATS["github"](board).encode
        rows = [row for result in results for row in self._rows[result.id]]
        yield "games.csv", partial(feeds.games_csv, list(table.types), rows)
        yield CHAIN, partial(chain_file, source.chain)
        yield "badge.json", partial(feeds.badge, self._title, source.overall, board.columns)
        yield "feed.xml", partial(self._feed, source)

    def _feed(self, source: Source) -> bytes:
        now = self._options.now or _now()
        seed_hash = source.settings.seed_hash
        feed = feeds.AtomFeed(self._title, seed_hash, self._options.url, self._site.before.feed, now)
        data = feed.make(source.overall, source.board.columns, source.results, source.problems)
        self._manifest.feed = feed.entries
        return data


def _assets(live: bool) -> list[str]:
    found = (file.name for file in (files("arena.site") / "assets").iterdir() if file.is_file())
    names = sorted(name for name in found if not name.startswith(("play", "league")))  # of pages that a server makes
    return [name for name in names if name.endswith((".css", ".js")) and (live or not name.startswith(_LIVE))]


def _mark(seed_hash: str, course: str, result: GameResult, share: Share | None, analysis: str) -> str:
    """Return a hash that changes with anything published of a game, even if the same game was played again."""
    page = None if share is None else share.mark(result.id)
    return blake2b(repr((seed_hash, course, result, page, analysis)).encode(), digest_size=8).hexdigest()


def _now() -> str:
    """Return the time in seconds, from SOURCE_DATE_EPOCH for reproducible builds or from the clock."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    moment = datetime.fromtimestamp(int(given), UTC) if given.isdecimal() else datetime.now(UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
