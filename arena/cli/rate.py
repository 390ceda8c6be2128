"""`arena rate`: rate bots by games with anchors, whose ratings are known."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, count
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
import typer

from arena.cli import log
from arena.cli.live import LiveProgress, LookupView
from arena.cli.new import policy_bot
from arena.cli.options import AsJson, bot_words, reader, warn_of_isolation, with_settings
from arena.cli.terminal import ExitCode, print_json, say, terminal_width, warn
from arena.common.printable import as_typed
from arena.entrants import Entrant
from arena.entrants.expand import only_bots, split_name
from arena.isolation.probe import choose
from arena.isolation.settings import check_named
from arena.reports.bot_rating import BotRating, as_text, curve_as_text, in_words, shown_rating
from arena.starters.policies import SUFFIXES
from arena.tournament.anchors import AnchorField, find_anchors
from arena.tournament.bounds import NumberBounds
from arena.tournament.folders import keyed_name
from arena.tournament.plan import Plan, read_plan
from arena.tournament.rate import HOME, MOST_GAMES, Rated, completed, folder_for, look, rate, usual_error
from arena.tournament.schedule.history import IN_A_ROW
from engine import catalog

EXAMPLES: Final = (
    "arena rate mine.py",
    "arena rate mine.py --players 2,4 --error 0.5",
    "arena rate run/*.onnx --to curve.html    (checkpoints: the learning curve)",
    "arena rate mine.py --game openspiel:leduc_poker --games 400",
)

_MOST: Final = 40
"""Letters of the name of a bot's folder."""
Bots = Annotated[
    list[str],
    typer.Argument(
        help="Bots, or saved policies such as the checkpoints of one, in any order.",
        metavar="BOT...",
        autocompletion=bot_words,
    ),
]


@with_settings("rate")
def command(
    bots: Bots,
    *,
    error: Annotated[
        float | None,
        typer.Option(
            help="Play until the rating is known to ± this (95 %). Default: 1.0; of a score 0.01 of its span.",
            parser=reader(NumberBounds(0, unit="points", above=True)),
            metavar="D",
        ),
    ] = None,
    to: Annotated[Path | None, typer.Option("--to", help="Write a page with the ratings.", metavar="FILE")] = None,
    verbose: log.Verbose = False,
    as_json: AsJson = False,
    **settings: Any,
) -> None:
    """Rate bots by games with anchors, whose ratings are known and stay as they are.

    Each bot plays the anchors of its game until its rating is known well enough, with the same seeds as every other.
    Type the same again to go on where it stopped. With several bots, such as the checkpoints of a training run, it
    draws the learning curve. Exits with 0 if all are known as well as was asked for, and with 4 if not.
    """
    plan = read_plan(None, settings)
    warn_of_isolation(choose(plan.isolation))
    words, plan = _made(bots, plan)
    plan = completed(plan)
    rules = catalog.rules(plan.game)
    entrants = sorted(only_bots(words, rules.name), key=lambda each: _in_order(each.name))
    check_named(plan.network, [each.name for each in entrants])
    with LiveProgress(LookupView(lambda: "", "the anchors play each other")) as progress:
        field = find_anchors(plan, progress, log.workers())
    wanted = error or usual_error(plan)
    columns = field.anchors.system.columns
    found: list[tuple[BotRating, Rated]] = []
    for entrant in (_apart(each, field) for each in entrants):
        folder = folder_for(entrant, field, plan)

        def known(folder: Path = folder, name: str = entrant.name) -> str:
            now = look(folder, name, field)[0]
            return "" if now is None else f"{name} {shown_rating(now.overall, columns)}"

        with LiveProgress(LookupView(known, f"it ends at ± {wanted:g}"), most=plan.games or MOST_GAMES) as progress:
            rated = rate(entrant, field, plan, wanted, progress, log.workers())
        if rated.outcome.interrupted:
            warn(f"Interrupted; what was played is kept in {folder}. Type the same again to go on.")
            raise typer.Exit(ExitCode.INTERRUPTED)
        if rated.rating is None:
            warn(f"{entrant.name} is not rated: no game of it counts. {as_typed('arena', 'show', folder)}")
            raise typer.Exit(ExitCode.SHORT)
        found.append((rated.rating, rated))
        if not as_json and len(entrants) > 1:
            say(in_words(rated.rating, columns))
    _print(found, field, as_json)
    if to is not None:
        from arena.site.report_pages import ratings_page  # few runs make one

        to.write_bytes(ratings_page([rating for rating, _ in found], columns, rules.name, field.source))
        warn(f"written: {to}")
    if not all(rated.is_known for _, rated in found):
        raise typer.Exit(ExitCode.SHORT)


def _made(bots: Sequence[str], plan: Plan) -> tuple[list[str], Plan]:
    """Make a bot of each saved policy, and return what to enter, and a plan of the game that they play."""
    words = []
    for word in bots:
        name, path = split_name(word)
        if Path(path).suffix not in SUFFIXES:
            words.append(word)
            continue
        name = name or Path(path).stem
        place = Path(plan.out or HOME) / "policies" / keyed_name(name, str(Path(path).resolve()))
        folder = place / (re.sub(r"[^a-z]", "", name.lower())[:_MOST] or "policy")
        shutil.rmtree(place, ignore_errors=True)
        game, _, _ = policy_bot(folder, str(path), None, plan.game)
        plan = msgspec.structs.replace(plan, game=plan.game or game)
        words.append(f"{name}={folder}")
    return words, plan


def _in_order(name: str) -> list[tuple[int, str]]:
    """Return by what names are sorted: numbers in them by their value, so that step-20 comes before step-100."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", name)]


def _apart(entrant: Entrant, field: AnchorField) -> Entrant:
    """Give a bot another name if an anchor has its own."""
    names = (f"{entrant.name}-{number}" for number in count(2))
    return replace(entrant, name=next(name for name in chain([entrant.name], names) if name not in field.anchors.bots))


def _print(found: Sequence[tuple[BotRating, Rated]], field: AnchorField, as_json: bool) -> None:
    columns, ratings = field.anchors.system.columns, [rating for rating, _ in found]
    if as_json:
        more = [{"is_known": rated.is_known, "folder": str(rated.outcome.folder)} for _, rated in found]
        rows = [msgspec.to_builtins(rating) | other for rating, other in zip(ratings, more, strict=True)]
        print_json({"unit": columns.middle.title, "anchors": field.source, "bots": rows})
        return
    say()
    say(as_text(ratings[0], columns) if len(ratings) == 1 else curve_as_text(ratings, columns, terminal_width()))
    say()
    say(f"The anchors are rated by {field.source}.")
    for rating, rated in found:
        is_out = rating.bot in rated.outcome.suspended
        why = f"it retired in {IN_A_ROW} games in a row and is suspended" if is_out else "add --games"
        known = "" if rated.is_known else f", not known as well as was asked for: {why}"
        say(f"{rating.bot}: {rating.overall.games} games in {rated.outcome.folder}{known}")
