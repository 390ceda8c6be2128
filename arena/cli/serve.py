"""`arena serve`: run a competition that goes on by itself."""

from __future__ import annotations

import csv
import io
import sys
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from arena.cli.terminal import ExitCode, say, warn
from arena.common.printable import as_typed

if TYPE_CHECKING:
    from arena.serve.league import League

FILE: Final = "league.toml"
CSV: Final = "submitters.csv"


EXAMPLES: Final = (
    "arena serve --init",
    "arena serve league.toml --add ada,grace",
    "arena serve league.toml --add class.csv",
    "arena serve league.toml",
    "arena serve league.toml --check",
    "arena serve league.toml --backup backup",
)


def command(
    file: Annotated[Path, typer.Argument(help=f"What the league is. Default: {FILE}.", metavar="FILE")] = Path(FILE),
    init: Annotated[bool, typer.Option("--init", help="Write a first file, by a few questions, and end.")] = False,
    add: Annotated[
        str | None,
        typer.Option(
            help="Let these take part, or all in the first column of a file such as class.csv: their secret addresses "
            f"are printed and added to {CSV}. A name that is known gets a new address, and the old one counts no more.",
            metavar="NAMES|FILE",
        ),
    ] = None,
    organiser: Annotated[
        str | None, typer.Option(help="Make a secret address for an organiser, and print it.", metavar="NAME")
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Say what the file asks for, and end.")] = False,
    backup: Annotated[
        Path | None,
        typer.Option(help="Write a copy of all that cannot be made again, also while the league runs.", metavar="DIR"),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(help="Play rounds on the workers of the Dask scheduler at this address.", metavar="ADDRESS"),
    ] = None,
) -> None:
    """Run a league until Ctrl-C: take in bots, try them, play rounds by schedule, and serve its pages.

    The same command goes on where it stopped, whatever ended it.
    """
    if init:
        _write_first(file)
        return
    from arena.serve import check_libraries

    check_libraries()
    from arena.serve.league import read_league  # needs the extra

    league = read_league(file, cluster)
    if check:
        league.check()
        _say_what(league)
    elif add is not None or organiser is not None:
        _add(league, _names(add or ""), organiser)
    elif backup is not None:
        from arena.serve.backup import back_up

        say(f"Wrote {back_up(league, backup)}, from which a league goes on.")
    else:
        _run(file, cluster)


def _write_first(file: Path) -> None:
    from arena.serve import LeagueError
    from arena.serve.first import Answers, first_league
    from engine import catalog

    if file.exists():
        raise LeagueError(f"{file} is there already: change it, or name another file")
    answers = Answers(catalog.names()[0])
    if sys.stdin.isatty():
        asked = {key: typer.prompt(text, default=getattr(answers, key)) for key, text in _QUESTIONS.items()}
        answers = answers._replace(**asked)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(first_league(str(file), answers), "utf-8")
    say(f"Wrote {file}. Next:")
    words = ["arena", "serve", *([] if file == Path(FILE) else [file])]
    say(f"  {as_typed(*words, '--organiser', 'you')}   prints the address of your page")
    say(f"  {as_typed(*words, '--add', 'ada,grace')}   who may submit")
    say(f"  {as_typed(*words)}")


_QUESTIONS: Final = {
    "name": "What is the league called?",
    "game": "Which game is played? (`arena games` lists them)",
    "every": "How often is a round played? (10 min, 1 h, 1 day, or: without end)",
    "season": "What is the first season called?",
}


def _names(text: str) -> list[str]:
    """Return the names in `ada,grace`, or in the first column of a file, whose heading may be `submitter`."""
    if not text.endswith((".csv", ".txt")):
        return [name for part in text.split(",") if (name := part.strip())]
    from arena.common.regular_files import why_unread
    from arena.serve import LeagueError

    try:
        rows = csv.reader(Path(text).read_text("utf-8-sig").splitlines())
    except (OSError, ValueError) as error:
        raise LeagueError(f"--add: {text}: {why_unread(error)}") from None
    return [row[0].strip() for row in rows if row and row[0].strip() not in ("", "submitter")]


def _add(league: League, names: list[str], organiser: str | None) -> None:
    import time

    from arena.common.labels import NAMED, SUBMITTER
    from arena.common.regular_files import write_private
    from arena.serve import LeagueError
    from arena.serve.league import name_of
    from arena.serve.store import LeagueStore

    names = list(dict.fromkeys(names))  # a second address would make the first one nobody's
    added = [(name, "submitter") for name in names] + [(name, "organiser") for name in [organiser] if name]
    for name, _ in added:
        if not SUBMITTER.fullmatch(name):
            raise LeagueError(f"{name!r} cannot be the name of a submitter: {NAMED}")
        if name in {name_of(word) for word in league.settings.references}:
            raise LeagueError(f"{name} is the name of a reference bot: choose another one")
    web = league.settings.web
    base = web.address or f"http{'s' if web.tls_cert else ''}://{web.host or '127.0.0.1'}:{web.port}"
    with LeagueStore(league.folder, time.time) as store:
        members = store.members()
        there = {each.name.casefold(): (each.name, str(each.kind)) for each in members}
        for name, kind in added:  # a file system may not tell Ada from ada
            if (other := there.setdefault(name.casefold(), (name, kind))) != (name, kind):
                a = {"submitter": "a submitter", "organiser": "an organiser"}
                raise LeagueError(f"{name} cannot be added as {a[kind]}: {other[0]} is {a[other[1]]} already")
            if any(each.name == name and each.is_removed for each in members):
                raise LeagueError(f"{name} was removed from the league: restore {name} on an organiser's page first")
        rows = [(name, f"{base.rstrip('/')}/enter/{store.add_member(name)}") for name in names]
        if organiser is not None:
            say(f"{organiser}, organiser: {base.rstrip('/')}/enter/{store.add_member(organiser, 'organiser')}")
    if not rows:
        return
    table = league.folder / CSV
    kept = [row for row in (csv.reader(table.read_text("utf-8").splitlines()) if table.exists() else ()) if row]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows(
        [*(kept[:1] or [["submitter", "address"]]), *(row for row in kept[1:] if row[0] not in names), *rows]
    )
    write_private(table, text.getvalue().encode())
    for name, address in rows:
        say(f"{name}: {address}")
    say(f"Added to {table}, which nobody else can read. An address lets its holder submit as that name.")


def _say_what(league: League) -> None:
    from arena.serve.schedule import next_due

    settings, now = league.settings, datetime.now().timestamp()
    rules, season, moments = settings.rounds, settings.season, list[str]()
    begins = now if season.begins is None else season.begins.timestamp()
    last: float | None = max(now, begins - 1)  # the first round may be due as it begins
    for _ in range(3):
        last = next_due(rules, begins, last)
        if last is None or (season.ends is not None and last > season.ends.timestamp()):
            break
        moments.append(_date(last))
    say(f"{settings.name}, season {season.name}, in {league.folder}")
    say(f"reference bots: {', '.join(settings.references)}")
    sources = [f"folder {settings.submissions.drop}/NAME"] if settings.submissions.drop else []
    sources += ["uploads"] if settings.submissions.upload else []
    sources += [f"{each.url} of {each.submitter}" for each in settings.repositories]
    sources += [f"arena join at port {settings.remote.port}"] if settings.remote.allowed else []
    say(f"bots come by: {', '.join(sources) or 'nothing'}")
    said = ", ".join(moments) or "none any more"
    if rules.without_end:
        said = "one after the other" + (f" from {_date(begins)}" if season.begins else "")
    say(f"rounds: {said}")
    if league.plan.cluster is not None:
        say(f"played by the cluster at {league.plan.cluster}")
    for mark in settings.marks:
        what = f"better than {mark.beats}" if mark.beats else f"among the first {mark.top:.0%}"
        say(f"mark {mark.name}: {what}, {mark.sure:.0%} sure")


def _date(moment: float) -> str:
    return datetime.fromtimestamp(moment).astimezone().strftime("%Y-%m-%d %H:%M %Z")


def _run(file: Path, cluster: str | None) -> None:
    from arena.serve.service import served

    with suppress(KeyboardInterrupt), served(file, _say_with_time, cluster=cluster) as (service, address):
        say(f"{service.league.settings.name}: {address}")
        say("Ctrl-C ends it; the same command goes on.")
        while True:
            service.tick()
            service.wait()
    warn("ended: the same command goes on")
    raise typer.Exit(ExitCode.INTERRUPTED)


def _say_with_time(text: str) -> None:
    say(f"{datetime.now().strftime('%H:%M:%S')}  {text}")
