"""`arena compare`: tell whether a new bot is better than an old one."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
import typer

from arena.cli import log
from arena.cli.live import LiveProgress, LookupView
from arena.cli.options import AsJson, bot_words, warn_of_isolation, with_settings
from arena.cli.terminal import ExitCode, print_json, say, table, warn
from arena.common.labels import spelled_out
from arena.common.printable import as_typed, counted, printable
from arena.formats.base import ERROR, MARGIN, SCORE_MARGIN
from arena.isolation.probe import choose
from arena.ledger import FINISHES, Ledger, LedgerError
from arena.rating import half
from arena.tournament.comparison.question import Question, make_question, play
from arena.tournament.comparison.sides import Side, Sides, find_sides
from arena.tournament.comparison.verdict import Comparison, comparison
from arena.tournament.observer import RunOutcome
from arena.tournament.plan import read_plan
from arena.tournament.schedule.history import IN_A_ROW

_LEGEND: Final = "Of mean finishes, from 0 (always first) to 1 (always last), less is better: below 0 it is worse."
_ERRORS: Final = "A ± is half of an interval of 95 %."


EXAMPLES: Final = (
    "arena compare mine.py    (as it is now, with its last commit)",
    "arena compare mine.py@HEAD~3 mine.py --better-by 0.1",
    "arena compare mine@1 mine@3    (versions of the tournament last run)",
    "arena compare @greedy mine.py --against @pairs --players 2",
)


def _share(text: str) -> float:
    """Read a number such as 0.05 or 5%. Raises `typer.BadParameter`."""
    try:
        value = float(text.rstrip("% ")) / (100 if text.rstrip().endswith("%") else 1)
    except ValueError:
        value = 0
    if not 0 < value < 0.5:
        raise typer.BadParameter(f"{text!r} is not a number above 0 and below 0.5, such as 0.05 or 5%")
    return value


Old = Annotated[
    str,
    typer.Argument(help="A bot's path, mine.py@HEAD~1, or mine@1.", metavar="OLD", autocompletion=bot_words),
]
New = Annotated[
    str | None,
    typer.Argument(help="Likewise. Without it, OLD as it is now is NEW.", metavar="NEW", autocompletion=bot_words),
]
Against = Annotated[
    list[str] | None,
    typer.Option(
        help="An opponent or a pattern; may be repeated. Default: see above.", metavar="BOT", autocompletion=bot_words
    ),
]
Tournament = Annotated[
    Path | None,
    typer.Option("--in", help="The tournament of mine@1. Default: the one last run here.", metavar="DIR"),
]


@with_settings("compare")
def command(
    old: Old,
    new: New = None,
    against: Against = None,
    *,
    better_by: Annotated[
        float | None,
        typer.Option(
            help=f"The difference of mean finish that matters. Default: {MARGIN}; "
            f"of a score {SCORE_MARGIN} of its span.",
            parser=_share,
            metavar="D",
        ),
    ] = None,
    error: Annotated[
        float | None,
        typer.Option(help=f"How often the answer may be wrong. Default: {ERROR}.", parser=_share, metavar="SHARE"),
    ] = None,
    folder: Tournament = None,
    verbose: log.Verbose = False,
    as_json: AsJson = False,
    **settings: Any,
) -> None:
    """Tell whether the bot NEW is better than the bot OLD.

    Both play the same opponents in the same seats, and it ends as soon as the answer is known: better, worse, or within
    D of each other. Run it again to continue where it stopped. The opponents are the other bots of the tournament if
    OLD or NEW is a version of one, else @all. If NEW is not named, OLD is compared as it is now with its last commit,
    or if it is a revision or a version, with what there is now. Exits with 0 if NEW is better and with 1 if it is not.
    """
    sides = find_sides(old, new, against or [], folder, settings["game"])
    for line in sides.lines:
        warn(line)
    if sides.is_same:
        _say_same(sides, new is None, as_json)
        raise typer.Exit(ExitCode.NO)
    plan = read_plan(None, settings)
    warn_of_isolation(choose(plan.isolation))
    question = make_question(plan, sides, better_by, error or ERROR)
    warn(_opening(question))
    with LiveProgress(_view(question), most=question.most) as progress:
        outcome = play(question, plan, progress, log.workers())
    with Ledger.open(outcome.folder) as ledger:
        found = comparison(ledger)
    _print(found, question, outcome, as_json)
    if outcome.interrupted:
        raise typer.Exit(ExitCode.INTERRUPTED)
    if found.verdict != "better":
        raise typer.Exit(ExitCode.NO)


def _print(found: Comparison, question: Question, outcome: RunOutcome, as_json: bool) -> None:
    """Print the answer, and how it ended."""
    if as_json:
        print_json(_data(found, question.sides, outcome))
        _conclude(found, question, outcome, warn)
        return
    say()
    say(_answer(found, question.sides))
    if found.players:
        say()
        say(_table(found, question.sides))
    _conclude(found, question, outcome, say)


def _opening(question: Question) -> str:
    sides = question.sides
    bots = " with ".join(map(_named, (sides.new, sides.old)))
    opponents = ", ".join(each.name for each in sides.opponents)
    counts = ", ".join(map(str, question.counts))
    return f"comparing {bots} against {opponents}, in {question.most} games of {counts} players at most"


def _named(side: Side) -> str:
    """Return what the user calls a bot, and in brackets what tables call it."""
    label = side.entrant.name
    return side.typed if side.typed in (label, spelled_out(label)) else f"{side.typed} ({label})"


def _say_same(sides: Sides, is_committed: bool, as_json: bool) -> None:
    if as_json:
        print_json({"verdict": "same", "old": _side(sides.old), "new": _side(sides.new)})
        return
    say(f"{sides.old.typed} and {sides.new.typed} have the same content: there is nothing to compare.")
    if is_committed:
        say(f"An earlier revision is named as in  arena compare {sides.new.typed}@HEAD~1")


def _answer(found: Comparison, sides: Sides) -> str:
    """Return what is known, in one sentence."""
    old, new = sides.old.typed, sides.new.typed
    if len(found.suspended) == 1:
        failed = new if found.suspended == [found.new] else old
        how = "better" if failed == old else "worse"
        return f"{new} is {how} than {old}: {failed} retired in {IN_A_ROW} games in a row and was suspended."
    if found.suspended:
        return f"Nothing is known: {new} and {old} retired in {IN_A_ROW} games in a row and were suspended."
    if found.difference is None:
        return "Nothing is known yet: no round was played to its end."
    sure = f"with {100 * (1 - found.error):g} % confidence"
    after = f"after {counted(found.games, 'game')}"
    if found.verdict in ("better", "worse"):
        low, high = sorted((abs(found.low), abs(found.high)))  # both are above 0, or both below
        what = "in mean finish" if not found.unit else f"{printable(found.unit)} a game"
        by = f"by {abs(found.difference):.3f} {what} ({low:.3f} to {high:.3f} {sure})"
        return f"{new} is {found.verdict} than {old} {by}, {after}."
    by = f"{_signed(found.difference)} ({_signed(found.low)} to {_signed(found.high)} {sure})"
    if found.verdict == "within":
        return f"{new} and {old} are within {found.margin:g} of each other: {new} is better by {by}, {after}."
    return f"It is not known which is better, {after}: {new} is better by {by}."


def _table(found: Comparison, sides: Sides) -> str:
    rows = [
        (
            each.players,
            each.pairs,
            f"{each.old:.3f}",
            f"{each.new:.3f}",
            _signed(each.difference) + half(each.error, 3),
        )
        for each in found.players
    ]
    headers = ("players", "pairs", printable(sides.old.typed), printable(sides.new.typed), "better by")
    legend = f"All in {printable(found.unit)} a game." if found.unit else _LEGEND
    return f"{table(headers, rows)}\n{legend}\n{_ERRORS}"


def _conclude(found: Comparison, question: Question, outcome: RunOutcome, say: Callable[[str], None]) -> None:
    if outcome.interrupted:
        say(f"Interrupted after {counted(outcome.played, 'game')}, kept in {outcome.folder}. To go on, type:")
        say(f"  {_again()}")
        return
    say(f"{counted(outcome.played, 'game')} played. Results: {outcome.folder}")
    for name in found.suspended:
        say(f"  {as_typed('arena', 'show', outcome.folder, '--faults', name)}")
    if outcome.set_aside:
        say(f"Set aside after failing twice: {', '.join(outcome.set_aside)}")
    if found.verdict == "unknown" and not found.suspended:
        say(f"To go on, add  --games {2 * question.most}")


def _again() -> str:
    """Return the command that was typed, without `--fresh`, which would start over."""
    return as_typed("arena", *(word for word in sys.argv[1:] if word != "--fresh"))


def _data(found: Comparison, sides: Sides, outcome: RunOutcome) -> dict[str, Any]:
    return {
        "verdict": found.verdict,
        "old": _side(sides.old),
        "new": _side(sides.new),
        "opponents": [each.name for each in sides.opponents],
        "better_by": found.margin,
        "error": found.error,
        "difference": found.difference,
        "interval": [found.low, found.high],
        "pairs": found.pairs,
        "games": found.games,
        "players": {str(data.pop("players")): data for data in map(msgspec.structs.asdict, found.players)},
        **({} if not found.unit else {"unit": found.unit}),
        "suspended": found.suspended,
        "folder": str(outcome.folder),
    }


def _side(side: Side) -> dict[str, str]:
    entrant = side.entrant
    return {"typed": side.typed, "bot": entrant.name, "path": str(entrant.path), "fingerprint": entrant.fingerprint}


def _signed(value: float | None) -> str:
    return "-" if value is None else f"{round(value, 3) + 0.0:+.3f}"  # 0 has no minus


def _lookup(question: Question) -> str:
    """Return by how much the new bot is better so far; nothing if that is not known."""
    try:
        with Ledger.open(question.folder) as ledger:
            found = comparison(ledger)
    except (LedgerError, OSError):
        return ""  # the process that plays will say what is wrong with it
    return "" if found.difference is None else f"{question.sides.new.typed} is better by {difference_in_words(found)}"


def _view(question: Question) -> LookupView:
    options = question.identity.options
    margin = (options.margin or MARGIN) * (options.score or FINISHES).scale
    return LookupView(lambda: _lookup(question), f"it ends when the range is above 0, below 0 or within ±{margin:g}")


def difference_in_words(found: Comparison) -> str:
    """Return by how much the new bot is better, with the range of the true difference."""
    if found.difference is None:
        return "-"
    difference, low, high = map(_signed, (found.difference, found.low, found.high))
    return f"{difference} ({low} to {high})"
