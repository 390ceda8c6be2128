"""The pages of a league: the published site for everybody, a page for each submitter, and one for organisers.

No ledger and no state is opened for a request: pages are made of `LeagueFacts`. Files are sent of published sites, and
a submitter's own logs.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import shutil
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from http import HTTPStatus
from importlib.resources import files
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

import msgspec
from markupsafe import Markup
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

import arena
from arena.common.regular_files import read_end
from arena.ledger.errors import LedgerError
from arena.serve import LeagueError
from arena.serve.intake.incoming import submission_folder
from arena.serve.intake.submissions import LOG
from arena.serve.league import League, WebRules
from arena.serve.marks import marks_csv
from arena.serve.pages.actions import Number, OrganiserWish, StoreActions
from arena.serve.pages.api import ROOT, api_answers, metrics
from arena.serve.pages.facts import LeagueFacts, LeagueGame, MemberFacts, is_shown
from arena.serve.pages.limits import RateLimit
from arena.serve.pages.uploads import Uploads
from arena.serve.rounds import FINAL
from arena.serve.store import ENDS, Kind
from arena.site.pages import environment
from arena.web import WebError
from arena.web.events import Events, asked_for
from arena.web.feed import Feed, Wants
from arena.web.files import Files, within
from arena.web.guard import Guard, names_of
from arena.web.news import TournamentNews
from arena.web.posts import FORM_TYPE, ServedAt, check_post, decoded, onward, question, set_cookie
from arena.web.server import HOST, Certificate, Server

CONNECTIONS: Final = 512
_STREAMS: Final = (250, 150)
"""Of them, pages of members and of others that wait for news."""
_STREAMS_FOR_EACH: Final = (10, 50)
"""Of one member, and of one address, which a class may have in common. More pages look again now and then instead."""
_FOR_ALL: Final = frozenset({"league", "standings", "marks", "rounds", "pages"})
"""What everybody is told besides how games go that may be watched."""
_A_MINUTE: Final = 3000
"""Requests of one address: a class can have one in common."""
_WISHES_A_MINUTE: Final = 60
_UPLOADS_FOR_EACH: Final = 4
"""Times as many uploads in an hour as may be tried in one."""
_MOST_ASKED: Final = 4096
_MOST_LOG: Final = 256 << 10
"""Bytes of a log: its end is sent."""
_MOST_REPORT: Final = 8 << 20
_OWN_GAMES: Final = 50
_FILE_NAME: Final = re.compile(r"[\w][\w. ()+-]{0,99}")
_COMING: Final = "uploads"
"""The folder of uploads that are under way."""
_BINARY: Final = "application/octet-stream"
_WHILE_HIDDEN: Final = re.compile(r"assets/[\w.-]+|games/(rules\.html|replay\.html|board\.js)")
"""What there is of the site while standings are hidden, besides one's own games: nothing that says who won."""
_EARLY: Final = re.compile(r"games\.csv|games/best.*")
"""What shows how games went, or, as their seeds do, which hands there were."""
_REPORT_POLICY: Final = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"


class LeaguePages:
    """Holds the facts that pages are made of, and sends pages that are open what is new."""

    def __init__(self, league: League, facts: LeagueFacts) -> None:
        """Take the league, which may be replaced when its file has changed, and what holds at the beginning."""
        self.league = league
        self.feed = Feed()
        self._keys: set[str] = set()
        self._followed: tuple[Path, TournamentNews] | None = None
        self.facts = facts
        self.games: dict[str, LeagueGame] = {}
        """The games of the season by id."""
        self.show(facts)

    def show(self, facts: LeagueFacts) -> None:
        """Replace the facts. Call this from one thread. Raises `ValueError` if what is to be hidden is public."""
        public = facts.public
        if public.league.is_hidden and (public.standings or public.marks):
            raise ValueError("hidden standings or marks are among what everybody may know")
        if len(public.games) != len(self.games) or public.games is not self.facts.public.games:
            self.games = {each.id: each for each in public.games}
        self.facts = facts
        values: dict[str, Any] = {
            "league": public.league,
            "standings": public.standings,
            "marks": public.marks,
            "rounds": public.rounds[-1:],
            "organiser": facts.organiser,
            "pages": 0 if facts.site is None else facts.site.stat().st_mtime_ns,
        }
        for name, own in facts.members.items():
            values[f"member/{name}"] = [own.submissions, own.steps, own.trial, own.waits_for]
        gone = dict.fromkeys(self._keys - values.keys())
        self._keys = set(values)
        self.feed.update({**{key: msgspec.to_builtins(value) for key, value in values.items()}, **gone})

    def follow(self, folder: Path) -> None:
        """Look at the tournament in a folder, for those who watch it being played, if everybody may."""
        if self._followed is not None and (not self.may_watch or self._followed[0] != folder):
            self._followed[1].end()
            self._followed = None
        if self.may_watch:
            self._followed = self._followed or (folder, TournamentNews(folder, self.feed))
            with suppress(Exception):  # nothing has been played yet, perhaps, or a plug-in's game raises something
                self._followed[1].step()

    @property
    def may_watch(self) -> bool:
        """Whether everybody may see games while they are played."""
        return self.facts.public.league.replays == "at once" and not self.facts.public.league.is_hidden


def served_at(web: WebRules) -> ServedAt:
    """Return by which names the pages are reached, and whether by TLS."""
    if web.address is None:
        return ServedAt(names_of(web.host), web.tls_cert is not None)
    before = urlsplit(web.address)
    return ServedAt(lambda hosts: [each.lower() for each in hosts] == [before.netloc.lower()], before.scheme == "https")


def league_server(pages: LeaguePages, actions: StoreActions) -> Server:
    """Return a server of the pages, to be started. Raises `WebError` if it cannot be where it is to be."""
    web, folder = pages.league.settings.web, pages.league.folder
    certificate = None
    if web.tls_cert is not None and web.tls_key is not None:
        certificate = Certificate(folder / web.tls_cert, folder / web.tls_key)
    app = create_league_app(pages, actions)
    shutil.rmtree(folder / _COMING, ignore_errors=True)  # of a process that was killed
    try:
        return Server(app, pages.feed, web.port, web.host or HOST, certificate, CONNECTIONS)
    except OSError as error:
        where = f"port {web.port} of {web.host or HOST}"
        raise WebError(f"{where} cannot be used: {error.strerror or error}. Say another in [web]") from None


def create_league_app(pages: LeaguePages, actions: StoreActions, clock: Callable[[], float] = time.time) -> ASGIApp:
    """Make the application.

    Args:
        pages: The league, and what is shown.
        actions: Takes what submitters and organisers ask for.
        clock: Says how late it is, in seconds since 1970.
    """
    made = _LeagueApp(pages, actions, clock)
    assets = Files(Path(str(files("arena.site"))) / "assets", "/assets")
    gets: Mapping[str, Callable[[Request], Any]] = {
        "/enter/{secret}": made.enter,
        "/me": made.submitter_page,
        "/me/logs/{number}": made.log,
        "/me/report": made.report,
        "/organiser": made.organiser_page,
        "/organiser/logs/{number}": made.any_log,
        "/marks.csv": made.marks,
        "/metrics": made.metrics,
        "/assets/{path:path}": assets.answer,
        "/events": made.events,
        f"{ROOT}/events": made.events,
        **api_answers(lambda: pages.facts),
        "/seasons/{name}/{path:path}": made.earlier_site,
        "/{path:path}": made.site,
    }
    posts = {
        "/enter/{secret}": made.enter,
        "/me/submissions": made.submit,
        "/me/withdraw": made.withdraw,
        "/organiser": made.organise,
        "/leave": made.leave,
    }
    routes = [Route(path, made.limited(answer), methods=["POST"]) for path, answer in posts.items()]
    routes += [Route(path, made.limited(answer), methods=["GET"]) for path, answer in gets.items()]
    app = Starlette(routes=routes, exception_handlers={HTTPException: made.refused})
    app.router.redirect_slashes = False
    return Guard(app, made.served.is_host)


class _Withdrawn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    submission: Number


class _LeagueApp:
    """The answers."""

    def __init__(self, pages: LeaguePages, actions: StoreActions, clock: Callable[[], float]) -> None:
        self._pages, self._actions, self._clock = pages, actions, clock
        self.web = pages.league.settings.web  # as it was when the server began
        self.served = served_at(self.web)
        self._templates = environment()
        self._templates.filters["moment"] = _moment
        self._by_address, self._wishes, self._uploads = (RateLimit(seconds, clock) for seconds in (60, 60, 3600))
        self._coming = Uploads(pages.league.folder / _COMING)
        self._members, self._visitors = (
            Events(pages.feed, self.wanted, most, each, lambda request: self._who(request)[0] or self._address(request))
            for most, each in zip(_STREAMS, _STREAMS_FOR_EACH, strict=True)
        )

    # Who asks

    def limited(self, answer: Callable[[Request], Any]) -> Callable[[Request], Any]:
        """Return the same answers, of which one address gets so many."""

        async def answer_some(request: Request) -> Response:
            self._by_address.check(self._address(request), _A_MINUTE)
            found: Response = await answer(request)
            return found

        return answer_some

    def _address(self, request: Request) -> str:
        """Return where a request comes from: the last that was added is by what stands before this server."""
        found = "" if request.client is None else request.client.host
        if self.web.address is not None and (said := request.headers.getlist("X-Forwarded-For")):
            found = said[-1].rpartition(",")[2].strip()[:45]
        with suppress(ValueError):  # of IPv6, a household has 64 bits to itself
            address = ipaddress.IPv6Address(found)
            return str(address.ipv4_mapped or int(address) >> 64)
        return found

    def _cookie(self, request: Request) -> str:
        """Return the name of the cookie: browsers send a machine's cookies to all its ports."""
        return "__Host-arena-league" if self.served.is_secure else f"arena-league-{request.url.port or 0}"

    def _who(self, request: Request) -> tuple[str, str]:
        return self._pages.facts.known(request.cookies.get(self._cookie(request), ""))

    def _member(self, request: Request, kind: Kind = "submitter") -> str:
        """Return whose request this is. Raises `HTTPException` if it is nobody's of this kind."""
        name, known_as = self._who(request)
        if known_as != kind:
            why = f"this page is for {kind}s: open the address that you were given for it"
            raise HTTPException(HTTPStatus.FORBIDDEN, why)
        return name

    def wanted(self, request: Request) -> Wants:
        """Return which keys the one who asks may know, for as long as the secret holds."""
        facts, who, watched = self._pages.facts, self._who(request), asked_for(request)

        def wants(key: str) -> bool:
            nonlocal facts, who
            if facts is not self._pages.facts:
                facts, who = self._pages.facts, self._who(request)
            topic, _, name = key.partition("/")
            if topic == "member":
                return who == (name, "submitter")
            if topic == "organiser":
                return who[1] == topic
            return topic in _FOR_ALL or (self._pages.may_watch and watched(key))

        return wants

    async def events(self, request: Request) -> Response:
        """Send news. Visitors, however many, leave room for members. Raises `HTTPException`."""
        return await (self._members if self._who(request)[0] else self._visitors).answer(request)

    async def enter(self, request: Request) -> Response:
        """Exchange a secret address for a cookie: at once if it was typed, else after a click. Raises `HTTPException`.

        Another site's link may be to somebody else's page, for which one would then send one's bot. By http, browsers
        say from where they come to their own machine alone.
        """
        secret = request.path_params["secret"]
        name, known_as = self._pages.facts.known(secret)
        if not name:
            raise HTTPException(HTTPStatus.FORBIDDEN, "nobody has this address: ask an organiser for a new one")
        if request.method == "POST":
            check_post(request, self.served, FORM_TYPE)
        elif request.headers.get("Sec-Fetch-Site") not in ("none", "same-origin"):
            return question(f"Enter as {name}")
        answer = onward("/me" if known_as == "submitter" else "/organiser", "To your page")
        set_cookie(answer, self._cookie(request), secret, self.served)
        return answer

    async def leave(self, request: Request) -> Response:
        """Forget who uses this browser. Raises `HTTPException`."""
        check_post(request, self.served)
        answer = JSONResponse({})
        answer.delete_cookie(self._cookie(request), secure=self.served.is_secure, httponly=True, samesite="strict")
        return answer

    # What is sent

    @property
    def _most(self) -> int:
        return int(self._pages.league.settings.submissions.size_mb * 1e6)

    def _page(self, request: Request, template: str, **values: Any) -> HTMLResponse:
        facts, league = self._pages.facts, self._pages.facts.public.league
        values |= {"site": {"title": league.name, "version": arena.__version__}, "who": self._who(request)}
        page = self._templates.get_template(template)
        values |= {"settings": self._pages.league.settings, "page_of_bot": facts.page_of}
        return HTMLResponse(page.render(root="/", facts=facts, public=facts.public, league=league, **values))

    def _own(self, request: Request) -> MemberFacts:
        return self._pages.facts.members.get(self._member(request), MemberFacts())

    async def refused(self, request: Request, error: Exception) -> Response:
        """Send the reason of a refusal: a page to a browser, else a line."""
        assert isinstance(error, HTTPException)
        if "text/html" not in request.headers.get("Accept", ""):
            return PlainTextResponse(error.detail, error.status_code, error.headers)
        found = self._page(
            request, "league-refused.html.j2", heading=HTTPStatus(error.status_code).phrase, why=error.detail
        )
        found.status_code = error.status_code
        found.headers.update(error.headers or {})
        return found

    async def submitter_page(self, request: Request) -> Response:
        """Send a submitter's own page."""
        own, name, facts = self._own(request), self._member(request), self._pages.facts
        games = [each for each in facts.public.games if each.is_of(name)][: -_OWN_GAMES - 1 : -1]
        more = {
            "own": own,
            "games": [(each, facts.place(each, name)) for each in games],
            "ends": ENDS,
            "most": self._most,
        }
        return self._page(request, "league-submitter.html.j2", name=name, **more)

    async def organiser_page(self, request: Request) -> Response:
        """Send the page of organisers."""
        name = self._member(request, "organiser")
        return self._page(request, "league-organiser.html.j2", name=name, organiser=self._pages.facts.organiser)

    async def log(self, request: Request) -> Response:
        """Send the end of one of the logs of the asker's own bot. Raises `HTTPException`."""
        logs = {str(number): file for number, file in enumerate(self._own(request).logs.values())}
        return PlainTextResponse(_end_of(logs.get(request.path_params["number"]), _MOST_LOG))

    async def any_log(self, request: Request) -> Response:
        """Send the end of the log of any submission to an organiser. Raises `HTTPException`."""
        self._member(request, "organiser")
        numbers = {str(each.id): each.id for each in self._pages.facts.public.submissions}
        number = numbers.get(request.path_params["number"])
        file = None if number is None else submission_folder(self._pages.league.folder, number) / LOG
        return PlainTextResponse(_end_of(file, _MOST_LOG))

    async def report(self, request: Request) -> Response:
        """Send the report on the asker's own bot. Raises `HTTPException`."""
        own, is_hidden = self._own(request), self._pages.facts.public.league.is_hidden
        body = _end_of(None if is_hidden else own.report, _MOST_REPORT)
        return HTMLResponse(body, headers={"Content-Security-Policy": _REPORT_POLICY})

    async def marks(self, request: Request) -> Response:
        """Send who has which marks as a table. Raises `HTTPException`."""
        facts, is_organiser = self._pages.facts, self._who(request)[1] == "organiser"
        if facts.public.league.is_hidden and not is_organiser:
            raise HTTPException(HTTPStatus.FORBIDDEN, "marks are hidden until the end of the season")
        found = facts.organiser.marks if is_organiser else facts.public.marks
        return PlainTextResponse(marks_csv(self._pages.league.settings.marks, found), media_type="text/csv")

    async def metrics(self, request: Request) -> Response:
        """Send figures to this machine, if nothing stands before it, and to organisers."""
        token = request.headers.get("Authorization", "").removeprefix("Bearer ").strip()
        asks = {self._who(request)[1], self._pages.facts.known(token)[1]}
        is_here = request.client is not None and request.client.host in ("127.0.0.1", "::1")
        if "organiser" not in asks and (self.web.address is not None or not is_here):
            raise HTTPException(HTTPStatus.FORBIDDEN, "figures are for organisers")
        return PlainTextResponse(metrics(self._pages.facts), media_type="text/plain; version=0.0.4")

    async def site(self, request: Request) -> Response:
        """Send the league's first page, or what the asker may see of the season's site. Raises `HTTPException`."""
        facts, who = self._pages.facts, self._who(request)
        path = request.scope["raw_path"].decode("ascii")
        folder = None if facts.site is None else facts.site.resolve()
        found = None if folder is None else within(folder, path)
        is_hidden = facts.public.league.is_hidden and who[1] != "organiser"
        if path == "/" or (path == "/index.html" and (found is None or is_hidden)):
            return self._page(request, "league-start.html.j2")
        if folder is None or found is None or not self._may_see(found.relative_to(folder).as_posix(), who, is_hidden):
            raise HTTPException(HTTPStatus.NOT_FOUND, "there is no such page, or not yet")
        return await Files(folder).answer(request)

    def _may_see(self, path: str, who: tuple[str, str], is_hidden: bool) -> bool:
        if who[1] == "organiser":
            return True
        league = self._pages.facts.public.league
        is_open = league.replays == "at once" or league.is_season_over
        parts = path.split("/")
        if parts[0] == FINAL:
            return is_open and not is_hidden
        if parts[0] == "games" and len(parts) > 2:
            game = self._pages.games.get(parts[1])
            if game is None or game.is_of(who[0]):
                return game is not None
            return not is_hidden and is_shown(game, league, self._clock())
        return _WHILE_HIDDEN.fullmatch(path) is not None if is_hidden else is_open or _EARLY.fullmatch(path) is None

    async def earlier_site(self, request: Request) -> Response:
        """Send a file of an earlier season. Raises `HTTPException`."""
        name = request.path_params["name"]
        if (folder := self._pages.facts.archive.get(name)) is None:
            raise HTTPException(HTTPStatus.NOT_FOUND, "there was no such season")
        return await Files(folder, f"/seasons/{name}").answer(request)

    # What is taken

    async def submit(self, request: Request) -> Response:
        """Take a submission. Raises `HTTPException`."""
        member = self._member(request)
        check_post(request, self.served, _BINARY)
        name = unquote(request.headers.get("X-File-Name", ""))
        if not _FILE_NAME.fullmatch(name):
            raise HTTPException(HTTPStatus.BAD_REQUEST, "X-File-Name: a name such as bot.zip or bot.py")
        if not self._pages.facts.public.league.takes_uploads:
            raise HTTPException(HTTPStatus.FORBIDDEN, "this league takes no uploads now")
        if self._pages.facts.organiser.lacks:
            why = "there is no room now: try again later, or ask an organiser"
            raise HTTPException(HTTPStatus.INSUFFICIENT_STORAGE, why)
        self._coming.check(member)
        self._uploads.check(member, _UPLOADS_FOR_EACH * self._pages.league.settings.submissions.per_hour)
        async with self._coming.file(request, member, self._most) as path:
            return await self._done(partial(self._actions.submit, member, name, path))

    async def withdraw(self, request: Request) -> Response:
        """Take back a submission of the asker. Raises `HTTPException`."""
        member = self._member(request)
        number = (await self._asked(request, member, _Withdrawn)).submission
        return await self._done(partial(self._actions.withdraw, member, number))

    async def organise(self, request: Request) -> Response:
        """Do what an organiser asks for. Raises `HTTPException`."""
        who = self._member(request, "organiser")
        asked = await self._asked(request, who, OrganiserWish)
        return await self._done(partial(self._actions.organise, who, asked))

    async def _asked(self, request: Request, who: str, kind: type[Any]) -> Any:
        check_post(request, self.served)
        self._wishes.check(who, _WISHES_A_MINUTE)
        return await decoded(request, kind, _MOST_ASKED)

    async def _done(self, act: Callable[[], int | str | None]) -> Response:
        try:
            found = await asyncio.to_thread(act)
        except LeagueError as error:
            return JSONResponse({"error": str(error)}, HTTPStatus.CONFLICT)
        except LedgerError:  # which names a file of ours
            raise HTTPException(HTTPStatus.INSUFFICIENT_STORAGE, "it could not be kept: try again") from None
        return JSONResponse({} if found is None else {"submission" if isinstance(found, int) else "secret": found})


def _moment(seconds: float) -> Markup:
    """Return a moment as league.js has it by the reader's clock."""
    moment = datetime.fromtimestamp(seconds, UTC)
    return Markup('<time datetime="{:%Y-%m-%dT%H:%MZ}">{:%Y-%m-%d %H:%M} UTC</time>').format(moment, moment)


def _end_of(file: Path | None, most: int) -> bytes:
    """Return the end of a file. Raises `HTTPException` if there is none."""
    with suppress(OSError):
        if file is not None:
            return read_end(file, most)
    raise HTTPException(HTTPStatus.NOT_FOUND, "there is none yet")
