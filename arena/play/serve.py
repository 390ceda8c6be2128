"""Serve the table to the persons' browsers, and print the addresses that let them in."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from html import escape
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from arena.common.regular_files import write_private
from arena.play.table import PlayTable
from arena.site import publish
from arena.site.pages import render_rules_page, render_table_page
from arena.web import WebError
from arena.web.guard import names_of
from arena.web.person_app import PersonPages, create_person_app
from arena.web.posts import ServedAt
from arena.web.server import HOST, Certificate, Server
from arena.web.visitors import Visitor, Visitors
from engine.rules import Data, Rules

PORT: Final = 8770
"""The default port, so that a page that stayed open finds the arena again; if it is taken, any other."""
GONE: Final = "the arena has ended: type the same command again to play on"


_ONWARD: Final = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="referrer" content="no-referrer">'
    '<meta http-equiv="refresh" content="0;url={0}"><title>To the table</title><p><a href="{0}">To the table</a>'
)


class Listening(NamedTuple):
    """Where the server is to be reached."""

    host: str | None = None
    """An address of this machine in a network; None: this machine alone can reach it."""
    port: int | None = None
    certificate: Certificate | None = None
    pages: Path | None = None
    """A private file with the port and what cookies are made with: pages come back after the arena was killed."""


def _kept(file: Path | None) -> tuple[int, bytes | None]:
    with suppress(OSError, msgspec.MsgspecError):
        if file is not None:
            return msgspec.json.decode(file.read_bytes(), type=tuple[int, bytes])
    return PORT, None


class Serving:
    """A server that runs."""

    def __init__(self, server: Server, visitors: Visitors, folder: Path, replays: Path, suffix: str) -> None:
        """Take what it consists of. `folder` is private; `suffix` is added to each address that lets somebody in."""
        self._server = server
        self._visitors = visitors
        self._folder = folder
        self._suffix = suffix
        self.replays = replays
        """The folder into which the ledger is to be published."""

    def invitation(self, visitor: Visitor) -> str:
        """Return a new address that lets this visitor in once."""
        return f"{self._server.address}enter/{self._visitors.invite(visitor)}{self._suffix}"

    def file_to(self, address: str) -> Path:
        """Return a file that only this user can read, and that leads a browser on to an address that lets somebody in.

        All users of a machine can read the words of a command, and so those with which a browser is started. The file
        is gone when the address has been used, or at the end of the serving.
        """
        handle, name = tempfile.mkstemp(suffix=".html", prefix="enter-", dir=self._folder)  # with mode 0600
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(_ONWARD.format(escape(address)))
        token = address.removeprefix(f"{self._server.address}enter/").removesuffix(self._suffix)
        self._visitors.when_entered(token, partial(Path(name).unlink, missing_ok=True))
        return Path(name)

    def check(self) -> None:
        """Raise `WebError` or `OSError` if the server has ended by itself."""
        self._server.wait(0)


@contextmanager
def served(
    table: PlayTable,
    rules: Rules,
    edition: Data,
    tutorial: Any | None,
    listening: Listening,
    say: Callable[[str], object],
    is_tutorial_first: bool = False,
) -> Iterator[Serving]:
    """Serve a table for as long as the context lasts.

    Args:
        table: The table.
        rules: Its game.
        edition: Its edition.
        tutorial: The data of the game's tutorial; None: there is none.
        listening: Where.
        say: Gets a line when a page was closed, with an address to open it again.
        is_tutorial_first: Whether the addresses lead to the tutorial.

    Raises:
        WebError: The server cannot be started.
    """
    port, key = _kept(listening.pages)
    visitors = Visitors(table.visitors, key)
    suffix = "?to=tutorial" if is_tutorial_first else ""
    with tempfile.TemporaryDirectory(prefix="arena-play-", ignore_cleanup_errors=True) as folder:
        replays = Path(folder) / "site"
        replays.mkdir()
        serving: list[Serving] = []
        data = None if tutorial is None else json.dumps(tutorial, separators=(",", ":")).encode("ascii")
        pages = PersonPages(render_table_page(rules), render_rules_page(rules, edition), data, replays)

        def closed(visitor: Visitor) -> None:
            whose = f"the page of {visitor.name}" if len(table.visitors) > 1 else "the page"
            say(f"{whose} was closed; the game waits. To open it again: {serving[0].invitation(visitor)}")

        secure = listening.certificate is not None
        app = create_person_app(visitors, table, pages, ServedAt(names_of(listening.host), secure), closed)
        with _bound(app, _Ending(table), listening, port) as server:
            if listening.pages is not None:
                write_private(listening.pages, msgspec.json.encode([server.port, visitors.key]))
            server.start()
            serving.append(Serving(server, visitors, Path(folder), replays, suffix))
            yield serving[0]


def write_replays(ledger: Path, serving: Serving, game_id: str) -> str | None:
    """Publish a ledger for the pages, and return the path of a game's replay on the server. None: that failed."""
    with suppress(Exception):  # whatever a plug-in raises: the game is recorded all the same
        publish(ledger, serving.replays, jobs=1, replace=True)
        return f"/replay/games/{_REPLAY_PAGE}#{game_id}"
    return None


_REPLAY_PAGE: Final = "replay.html"


class _Ending:
    """Says to all pages that the server ends."""

    def __init__(self, table: PlayTable) -> None:
        self._table = table

    def close(self) -> None:
        self._table.close(GONE)


def _bound(app: Any, ending: _Ending, listening: Listening, before: int) -> Server:
    """Listen where it was asked for, or as before: pages that stayed open find the arena again."""
    host = listening.host or HOST
    for port in [before, PORT] if listening.port is None else []:
        with suppress(OSError):
            return Server(app, ending, port, host, listening.certificate)
    try:
        return Server(app, ending, listening.port or 0, host, listening.certificate)
    except OSError as error:
        where = f"port {listening.port} of {host}" if listening.port else host
        why = error.strerror or str(error)
        raise WebError(f"{where} cannot be used: {why}. Choose another --host or --port") from None
