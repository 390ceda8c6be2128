"""Tournaments to publish, and their pages read as a browser reads them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest

from arena.common.authors import Author, avatar_name
from arena.game.clock import TimeControl
from arena.game.game import Game as RefereeTable
from arena.game.spec import GameSpec
from arena.ledger import EntrantRecord, FaultRecord, GameRecord, Ledger, seed_hash
from arena.protocol.messages import Act
from arena.replays.cache import pack_page_data
from arena.site import Published, publish
from engine import catalog
from tests.arena.common.test_authors import png

NOW = "2026-01-02T03:04:05Z"
LATER = "2026-01-03T03:04:05Z"
SCRIPT = "<script>alert(1)</script>"
LONG = "longname" * 625
BOTS = ("ant", "Bee", SCRIPT, LONG)
COUNTS = (2, 3)
ROUNDS = 20
ADA = Author("Ada", "Engines", "https://example.org/ada", "MIT", avatar_name(png()))
EVE = Author(
    f"Eve {SCRIPT}\n\x1b", f"\u202e{SCRIPT}", f"javascript:alert(1){SCRIPT}", f"<b>{SCRIPT}", avatar_name(png(3))
)
"""As `arena tournament` would never record her, with a picture whose bytes are other ones."""
AUTHORS = {"ant": ADA, SCRIPT: EVE, "out": EVE}
VOID = frozenset({"meta", "link", "br", "input", "hr", "img", "source"})

Play = Callable[..., GameRecord]


def short_edition(game: str) -> dict[str, Any]:
    """An edition whose games end soon: pages are made of all that happens in them."""
    rules = catalog.rules(game)
    edition = dict(rules.edition(rules.editions()[0]))
    edition["parameters"]["max_rounds"] = ROUNDS
    return edition


@cache
def played(game: str, order: int, bots: tuple[str, ...] = BOTS) -> GameRecord:
    """A game of random moves, with notes; not to be changed."""
    rules = catalog.rules(game)
    chance = Random(order)
    players = COUNTS[order % len(COUNTS)]
    block = order // 4
    seated = chance.sample(bots, players)
    name = f"p{players}-b{block:04}-r{order % 4}"
    asked = GameSpec(name, order, players, block, order % 4, chance.randbytes(16).hex(), seated)
    table = RefereeTable(rules, short_edition(game), asked, TimeControl())
    while (seat := table.awaited) is not None:
        decision = table.decide()
        index = chance.randrange(len(decision.actions))
        table.answer(seat, Act(name, decision.turn, index, f"{SCRIPT} {seat}"), chance.random() / 1000)
    return table.record()


class Cup:
    """A tournament that can be published."""

    def __init__(self, root: Path, game: str, bots: tuple[str, ...] = BOTS) -> None:
        self.bots = bots
        self.folder = root / "cup"
        self.site = root / "site"
        self.game = game
        self._next = 0
        meta: dict[str, Any] = {
            "game": game,
            "edition": short_edition(game),
            "players": [2, 3, 6],
            "seed_hash": seed_hash(b"cup"),
            "seed_given": False,
            "time": {"start": 10.0, "move": 0.05, "bank": 5.0, "strikes": 3, "on_crash": "loss", "ponder": False},
            "rated": {"games": None, "suspended": {}},
        }
        with Ledger.create(self.folder, meta) as ledger:
            out = EntrantRecord("out", "out.py", "00", left_out=f"no hello: {SCRIPT}\n{LONG}", author=EVE)
            entrants = [
                EntrantRecord(bot, "bot.py", "00ff", f"Lang {SCRIPT}", f"1 {SCRIPT}", author=AUTHORS.get(bot))
                for bot in bots
            ]
            avatars = {ADA.avatar: png(), EVE.avatar: f"<svg>{SCRIPT}</svg>".encode()}
            ledger.set_entrants([*entrants, out], avatars=avatars)

    def play(self, games: int, cached: bool = False, **other: Any) -> None:
        """Record so many more games, with cached page data as a worker does or without."""
        rules = catalog.rules(self.game)
        with Ledger.open(self.folder, writing=True) as ledger:
            for order in range(self._next, self._next + games):
                record = msgspec.structs.replace(played(self.game, order, self.bots), **other)
                ledger.record(record, pack_page_data(record, rules, ledger.meta["edition"]) if cached else None)
        self._next += games

    def fault(self, **other: Any) -> None:
        """Record one more game, with a fault of its first seat."""
        fault = FaultRecord(0, 3, "crash", f"ended {SCRIPT}", f"last words {SCRIPT}\n{LONG}")
        self.play(1, faults=[fault], **other)

    def publish(self, site: Path | None = None, now: str = NOW, **options: Any) -> Published:
        """Make the site."""
        return publish(self.folder, self.site if site is None else site, **{"jobs": 1, "now": now, **options})


@pytest.fixture
def cup(tmp_path: Path) -> Cup:
    """Nine games, one of them with a fault."""
    cup = Cup(tmp_path, "ravensburger")
    cup.play(8)
    cup.fault()
    return cup


class TableCell(NamedTuple):
    text: str
    value: str | None
    key: str | None


class Page(HTMLParser):
    """A page taken apart; that every element is closed in its order is checked on the way."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tables: dict[str, list[list[TableCell]]] = {}
        """By id: the rows, that of the headings first."""
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self._open: list[str] = []
        self._rows: list[list[TableCell]] | None = None
        self.feed(text)
        self.close()
        assert not self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags.append((tag, found))
        if tag not in VOID:
            self._open.append(tag)
        if tag == "table":
            self._rows = self.tables.setdefault(found.get("id") or f"table {len(self.tables)}", [])
        elif tag == "tr" and self._rows is not None:
            self._rows.append([])
        elif tag in ("td", "th") and self._rows is not None:
            self._rows[-1].append(TableCell("", found.get("data-value"), found.get("data-key")))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag
        if tag == "table":
            self._rows = None

    def handle_data(self, data: str) -> None:
        self.text += data
        if self._rows and self._rows[-1] and {"td", "th"} & set(self._open):
            last = self._rows[-1].pop()
            self._rows[-1].append(last._replace(text=last.text + data))


def pages(site: Path) -> dict[str, str]:
    """Every page by its path."""
    return {file.relative_to(site).as_posix(): file.read_text("utf-8") for file in sorted(site.rglob("*.html"))}


def contents(site: Path) -> dict[str, bytes]:
    """Every file by its path."""
    return {file.relative_to(site).as_posix(): file.read_bytes() for file in sorted(site.rglob("*")) if file.is_file()}
