"""Publish a whole site: read the ledger, hand work to processes, and write the files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, NamedTuple

from arena.common.cores import cores
from arena.common.progress import Progress
from arena.ledger import Ledger, MatchResult, is_locked, set_aside
from arena.rating import RatingSystem
from arena.rating.history import Point
from arena.replays.cache import source_hash
from arena.replays.export import CHAIN, Columns, chain_file, columns
from arena.replays.page_data import encode
from arena.site import feeds
from arena.site.facts import seatings
from arena.site.folder import GAMES, Manifest, SiteFolder, Tournament, script
from arena.site.names import is_file_name, shown
from arena.site.pages import LIST, Look, Pages, Source
from arena.site.pool import CHUNK, PagePool, PublishedGame, chunks, make_games
from arena.site.results import Published
from arena.site.rules_page import rules_page
from arena.standings.compute import Rows, Sheet, leaderboard, rated_results, table_and_history
from arena.standings.head_to_head import head_to_head
from arena.standings.leaderboard_text import TEXT_FORMATS
from arena.standings.versions import make_history
from engine import catalog
from engine.game import Game
from engine.picture import Illustrated

_LIVE = "live.js"
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


def make(folder: Path, root: Path, options: PublishOptions, progress: Progress) -> Published:
    """Publish the tournament in `folder` into `root`. See `publish`."""
    with Ledger.open(folder) as ledger:
        site = SiteFolder(root)
        rules = catalog.game(ledger.settings.game)
        with site.locked():
            site.claim(_of(ledger), options.replace)
            with PagePool(cores() if options.jobs is None else options.jobs) as pool:
                return _Publishing(folder, ledger, site, rules, pool, options, progress).run()


def _of(ledger: Ledger) -> Tournament:
    settings = ledger.settings
    return Tournament(ledger.identity, settings.game, ledger.folder.resolve().name, settings.seed_hash[:8])


class _Publishing:
    """One publishing of a site."""

    def __init__(
        self,
        folder: Path,
        ledger: Ledger,
        site: SiteFolder,
        rules: Game,
        pool: PagePool,
        options: PublishOptions,
        progress: Progress,
    ) -> None:
        self._folder = folder
        self._ledger = ledger
        self._site = site
        self._rules = rules
        self._pool = pool
        self._options = options
        self._progress = progress
        self._history: dict[str, list[Point]] = {}
        self._waiting: list[Callable[[], list[PublishedGame]]] = []
        self._number = 0
        """The number of new games."""
        self._late: list[str] = []
        """New games that are begun after who beats whom."""
        self._manifest = Manifest(tournament=_of(ledger))
        self._marks: dict[str, str] = {}
        self._rows: dict[str, list[list[str]]] = {}
        """The rows of games.csv, by game."""

    def run(self) -> Published:
        with self._ledger.snapshot():
            source, table = self._read()
        bots = [row.bot for row in (*source.overall, *source.board.former)]
        met = self._pool.ask(head_to_head, source.rated, bots)
        self._begin(self._late, table)
        made = self._collect()
        source = source._replace(problems=self._manifest.problems)
        look = Look(self._options.title or f"{shown(source.settings.game)} tournament", self._options.live)
        self._write(source, look, table, Pages(source, look, met()))
        self._site.finish(self._manifest)
        return Published(
            len(source.results), made, self._site.written, self._site.removed, dict(self._manifest.problems)
        )

    # What is read

    def _read(self) -> tuple[Source, Columns]:
        """Read everything except the courses of the games, and begin the new games meanwhile."""
        ledger = self._ledger
        settings = ledger.settings
        results = ledger.results()
        table = columns(ledger.score_names())
        courses = ledger.marks()
        missing = self._missing(results, courses, table)
        self._site.plan(self._manifest, [], missing)
        self._begin(missing[:_FIRST], table)
        self._late = missing[_FIRST:][-_LAST:]
        rated = rated_results(ledger, results)

        def tables(sheets: Sequence[Sheet]) -> list[Rows]:
            # Before most games: a table takes one worker for as long as hundreds of them do.
            asked: dict[int | None, Callable[[], tuple[Rows, dict[str, list[Point]]]]] = {}
            for sheet in sheets:
                if sheet.players not in asked:  # else it is the same table
                    asked[sheet.players] = self._pool.ask(table_and_history, sheet)
            self._begin(missing[_FIRST : -len(self._late) or None], table)
            made = {key: each() for key, each in asked.items()}
            self._history = made[sheets[0].players][1]
            return [made[sheet.players][0] for sheet in sheets]

        self._progress.stage("tables", None)
        board = leaderboard(ledger, made=tables, results=rated, system=self._options.system)
        rows = [*(board.overall or []), *board.former]
        source = Source(
            settings=settings,
            state="playing" if is_locked(self._folder) else "finished" if settings.finished else "stopped",
            entrants=ledger.entrants(),
            in_field=len(ledger.field()),
            board=board,
            versions=make_history(ledger, results, rated, rows, self._history, board.columns),
            history=self._history,
            results=results,
            rated=rated,
            seatings=seatings(rated),
            faults=ledger.latest_faults(LATEST),
            set_aside=len(set_aside(ledger.voids()) - courses.keys()),
            problems={},
            folder=self._folder.resolve().name,
            head=ledger.chain.head(),
            chain=ledger.chain.texts(),
            note=next((note.note for note in ledger.field_notes()), ""),
        )
        return source, table

    def _missing(self, results: Sequence[MatchResult], courses: dict[str, str], table: Columns) -> list[str]:
        """Return the games to publish, and take over those that are published and unchanged."""
        before, now, seed_hash = self._site.before, self._manifest, self._ledger.settings.seed_hash
        now.made_by, now.feed = source_hash(self._rules), before.feed
        try:
            rows = feeds.read_games_csv((self._site.root / "games.csv").read_bytes().decode(), list(table.types))
        except (OSError, ValueError):
            rows = {}
        missing = []
        for result in results:
            game = result.id
            mark = self._marks[game] = _mark(seed_hash, courses[game], result)
            there = before.made_by == now.made_by and before.games.get(game) == mark
            there = there and len(rows.get(game, ())) == result.players
            if there and game not in before.problems:
                there = is_file_name(game) and (self._site.root / GAMES / game / "public.js").is_file()
            if not there:
                missing.append(game)
                continue
            now.games[game] = mark
            self._rows[game] = rows[game]
            if game in before.problems:
                now.problems[game] = before.problems[game]
        return missing

    # Games

    def _begin(self, missing: Sequence[str], table: Columns) -> None:
        self._number += len(missing)
        self._waiting += [
            self._pool.ask(make_games, self._folder, self._site.root, table, some) for some in chunks(missing, CHUNK)
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
                self._progress.advance(made.id)
        return self._number

    # Files

    def _write(self, source: Source, look: Look, table: Columns, pages: Pages) -> None:
        found = list(self._files(source, look, table, pages))
        self._site.plan(self._manifest, [path for path, _ in found], [])
        self._progress.stage("pages", len(found))
        for path, make in found:
            data = make()
            if data is not None:
                self._site.write(path, data)
            self._progress.advance(path)

    def _files(
        self, source: Source, look: Look, table: Columns, pages: Pages
    ) -> Iterator[tuple[str, Callable[[], bytes | None]]]:
        """Yield every file except those of single games: its path, and a function that returns its contents."""
        board, results, problems = source.board, source.results, source.problems
        for name in _assets(look.live):
            yield f"assets/{name}", (files("arena.site") / "assets" / name).read_bytes
        rated = {result.id for result in source.rated}
        numbers = {bot: number for number, bot in enumerate(pages.bots)}
        for number, first in enumerate(range(0, len(results), LIST)):
            some = results[first : first + LIST]
            yield f"{GAMES}/list-{number}.js", partial(feeds.game_list, number, some, numbers, rated, problems)
        yield f"{GAMES}/bots.js", partial(feeds.bot_list, pages.bots, pages.slugs)
        yield f"{GAMES}/board.js", partial(_board, self._rules, source.settings.edition)
        yield f"{GAMES}/play.html", pages.play
        yield f"{GAMES}/index.html", pages.games
        yield f"{GAMES}/rules.html", partial(pages.rules, *rules_page(self._rules), _terms(self._rules, source))
        for bot, slug in pages.slugs.items():
            yield f"bots/{slug}.html", partial(pages.bot, bot)
        for count in pages.tables if pages.splits else ():
            yield f"players/{count}.html", partial(pages.players, count)
        yield "index.html", pages.index
        yield "leaderboard.json", TEXT_FORMATS["json"](board).encode
        yield "leaderboard.md", TEXT_FORMATS["github"](board).encode
        rows = [row for result in results for row in self._rows[result.id]]
        yield "games.csv", partial(feeds.games_csv, list(table.types), rows)
        yield CHAIN, partial(chain_file, source.chain)
        yield "badge.json", partial(feeds.badge, look.title, source.overall, board.columns)
        yield "feed.xml", partial(self._feed, source, look)

    def _feed(self, source: Source, look: Look) -> bytes:
        now = self._options.now or _now()
        seed_hash = source.settings.seed_hash
        feed = feeds.AtomFeed(look.title, seed_hash, self._options.url, self._site.before.feed, now)
        data = feed.make(source.overall, source.board.columns, source.results, source.problems)
        self._manifest.feed = feed.entries
        return data


def _board(rules: Game, edition: dict[str, Any]) -> bytes:
    # An altered edition has no board, nor has a plug-in's at fault.
    with suppress(Exception):
        return script("board", encode(rules.board(edition) if isinstance(rules, Illustrated) else None))
    return script("board", b"null")


def _terms(rules: Game, source: Source) -> dict[str, Any]:
    """Return the aim, the terms and the cards of a game, as far as its board says them."""
    with suppress(Exception):
        board = rules.board(source.settings.edition) if isinstance(rules, Illustrated) else {}
        return {key: board[key] for key in ("goal", "terms", "cards") if key in board}
    return {}


def _assets(live: bool) -> list[str]:
    names = sorted(file.name for file in (files("arena.site") / "assets").iterdir() if file.is_file())
    return [name for name in names if name.endswith((".css", ".js")) and (live or name != _LIVE)]


def _mark(seed_hash: str, course: str, result: MatchResult) -> str:
    """Return a hash that changes with anything published of a game, even if the same game was played again."""
    return blake2b(repr((seed_hash, course, result)).encode(), digest_size=8).hexdigest()


def _now() -> str:
    """Return the time in seconds, from SOURCE_DATE_EPOCH for reproducible builds or from the clock."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    moment = datetime.fromtimestamp(int(given), UTC) if given.isdecimal() else datetime.now(UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
