"""`arena report`: the statement of what a tournament shows, and a report on one bot for its author."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

import msgspec
import typer

from arena.cli.fair_report import asked_and_found
from arena.cli.options import (
    AsJson,
    Folder,
    IsolationOptions,
    bots_of_tournament,
    folder_to_read,
    reader,
    text,
    with_isolation,
)
from arena.cli.terminal import print_json, say, terminal_width
from arena.common.regular_files import write_atomic
from arena.ledger import Ledger
from arena.reports.bot_analysis import BotAnalysis, bot_analysis, spread
from arena.reports.bot_report import MOST, BotReport, bot_report
from arena.reports.bot_report_text import bot_report_text
from arena.reports.statement import make_statement
from arena.reports.statement_text import statement_text
from arena.site import check_libraries
from arena.standings import leaderboard, rated_results
from arena.standings.compute import calibration
from arena.tournament.bounds import NumberBounds

_MOST: Final = 1000
ANALYSED: Final = 20
"""So many games of each version of a bot, spread evenly over the schedule."""


EXAMPLES: Final = (
    "arena report",
    "arena report tournaments/default --html statement.html",
    "arena report --bot mine",
    "arena report --bot mine@1 --most 30",
    "arena report --bot mine --analyse",
    "arena report tournaments/default --bot mine --html mine.html --site site",
    "arena report --fair --ask answers.json",
)


Fair = Annotated[
    bool,
    typer.Option("--fair", help="Say which bots have the same files, play alike, or do better beside another one."),
]
Ask = Annotated[
    Path | None,
    typer.Option(
        help="With --fair: ask each bot of the field once what it does in decisions of recorded games, and keep the "
        "answers in this file.",
        metavar="FILE",
    ),
]


@with_isolation
def command(
    folder: Folder = None,
    bot: Annotated[
        str | None,
        typer.Option(
            help="Report on this bot, for its author: its newest version, or one such as mine@1.",
            metavar="BOT",
            callback=text,
            autocompletion=bots_of_tournament,
        ),
    ] = None,
    most: Annotated[
        int | None,
        typer.Option(
            help=f"With --bot: list so many losses, slow decisions and kinds of faults. Default: {MOST}.",
            parser=reader(NumberBounds(1, _MOST)),
            metavar="N",
        ),
    ] = None,
    analyse: Annotated[
        bool,
        typer.Option(
            "--analyse",
            help=f"With --bot: weigh its choices in {ANALYSED} games of each version (see `arena analyse`).",
        ),
    ] = False,
    html: Annotated[Path | None, typer.Option("--html", help="Write it as a page of one file.", metavar="FILE")] = None,
    site: Annotated[
        str | None,
        typer.Option(help="With --bot and --html: games lead to this site, a folder or an address.", callback=text),
    ] = None,
    fair: Fair = False,
    ask: Ask = None,
    *,
    apart: IsolationOptions,
    as_json: AsJson = False,
) -> None:
    """State what a tournament shows, or with --bot report to a bot's author how it fared."""
    if fair and (bot is not None or html is not None):
        raise typer.BadParameter("not together with --bot or --html", param_hint="--fair")
    if html is not None and as_json:
        raise typer.BadParameter("--html and --json: choose one", param_hint="--json")
    if html is not None and not html.parent.is_dir():
        raise typer.BadParameter(f"there is no folder {html.parent}", param_hint="--html")
    _only_with("--bot", bot, {"--most": most, "--analyse": analyse, "--site": site})
    _only_with("--html", html, {"--site": site})
    _only_with("--fair", fair, {"--ask": ask})
    _only_with("--ask", ask, {f"--{name.replace('_', '-')}": value for name, value in apart._asdict().items()})
    if html is not None:
        check_libraries("jinja2")
    with Ledger.open(folder_to_read(folder)) as ledger:
        most = MOST if most is None else most
        if fair:
            found = asked_and_found(ledger, ask, apart)
            made = _Made(msgspec.to_builtins(found), lambda _: found.in_words(), bytes)
        else:
            made = _statement(ledger) if bot is None else _for_author(ledger, bot, most, site, analyse)
    if as_json:
        print_json(made.data)
    elif html is None:
        say(made.text(terminal_width()).removesuffix("\n"))
    else:
        write_atomic(html, made.page())
        say(str(html))


def _only_with(needed: str, is_there: object, given: Mapping[str, object]) -> None:
    for name, value in given.items():
        if value and not is_there:
            raise typer.BadParameter(f"only together with {needed}", param_hint=name)


class _Made(NamedTuple):
    """A report in each of its forms."""

    data: dict[str, Any]
    text: Callable[[int | None], str]
    page: Callable[[], bytes]


def _statement(ledger: Ledger) -> _Made:
    with ledger.snapshot():
        results = ledger.results()
        rated = rated_results(ledger, results)
        board = leaderboard(ledger, results=rated)
        found = None if board.columns.is_amount else calibration(rated)
        statement = make_statement(ledger, board, results, rated, found)

    def page() -> bytes:
        from arena.site.report_pages import statement_page

        return statement_page(statement)

    return _Made(statement.data(), partial(statement_text, statement), page)


def _for_author(ledger: Ledger, bot: str, most: int, site: str | None, analyse: bool) -> _Made:
    address = _address(site)
    with ledger.snapshot():
        report = bot_report(ledger, bot, most)
    if analyse and report.games:
        report = msgspec.structs.replace(report, analysis=_analysed(ledger, report, most))

    def page() -> bytes:
        from arena.site.report_pages import bot_report_page

        return bot_report_page(report, address)

    return _Made(msgspec.to_builtins(report), partial(bot_report_text, report), page)


def _analysed(ledger: Ledger, report: BotReport, most: int) -> BotAnalysis:
    """Analyse some games of each version of a bot, with the decisions of its own seat."""
    from arena.cli.analyse import analysed_games

    results = ledger.results()
    chosen = {label: spread([each for each in results if label in each.bots], ANALYSED) for label in report.versions}
    games = [(each.id, [each.bots.index(label)]) for label, some in chosen.items() for each in some]
    found = iter(analysed_games(ledger, games))
    return bot_analysis(report.bot, {label: [next(found) for _ in some] for label, some in chosen.items()}, most)


def _address(site: str | None) -> str:
    """Return the address of a published site, which ends with a slash. Empty: there is none."""
    if site is None:
        return ""
    if site.startswith(("http://", "https://")):
        return f"{site.removesuffix('/')}/"
    folder = Path(site)
    if not (folder / "index.html").is_file():
        raise typer.BadParameter(f"{site} is neither an address nor a published site", param_hint="--site")
    return f"{folder.resolve().as_uri()}/"
