"""`arena doctor`: show how bots can be kept apart on this machine, what that costs, and how to get the rest."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
import typer

from arena.cli.options import AsJson
from arena.cli.terminal import ExitCode, print_json, say
from arena.isolation.doctor import Cost, LevelReport, Report, examine
from arena.isolation.settings import LEVELS

_WHAT = {
    "box": "namespaces of its own: no other process, no network, no file but its own",
    "landlock": "rules of the kernel: no other file, no network but the way to the referee, no signals to others",
    "none": "nothing between bots and you",
}


EXAMPLES: Final = (
    "arena doctor",
    "arena doctor --no-measure --json",
)


def command(
    measure: Annotated[bool, typer.Option(help="Measure what each level costs.")] = True,
    as_json: AsJson = False,
) -> None:
    """Show how bots can be kept apart on this machine, what that costs, and how to get the rest.

    Exits with 1 if the environment demands a level (ARENA_REQUIRE_ISOLATION) that cannot be had.
    """
    report = examine(measure)
    if as_json:
        print_json(msgspec.to_builtins(report))
    else:
        _print(report)
    if report.required is not None and not _is_met(report):
        raise typer.Exit(ExitCode.NO)


def _is_met(report: Report) -> bool:
    return report.required in LEVELS and LEVELS.index(report.auto) <= LEVELS.index(report.required)


def _print(report: Report) -> None:
    for each in report.levels:
        for line in _lines(each):
            say(line)
    say(f"--isolation auto takes: {report.auto}")
    if report.required is not None:
        met = "met" if _is_met(report) else "NOT MET"
        say(f"ARENA_REQUIRE_ISOLATION={report.required}: {met}")
    say(f"exact limits of memory, processes and processor time: {report.exact_limits}")


def _lines(each: LevelReport) -> list[str]:
    lines = [
        f"{each.level:<9} {'works' if each.works else 'does not work'}: {each.why}",
        f"{'':<9} {_WHAT[each.level]}",
    ]
    if each.remedy:
        lines.append(f"{'':<9} to get it: {each.remedy}")
    if each.cost is not None:
        lines.append(f"{'':<9} costs {_cost(each.cost)}")
    return lines


def _cost(cost: Cost) -> str:
    start = f"{cost.start - cost.plain_start:+.1f} ms a start ({cost.plain_start:.1f} without)"
    microseconds = 1000 * (cost.round_trip - cost.plain_round_trip)
    return f"{start}, {microseconds:+.0f} µs a message and back ({1000 * cost.plain_round_trip:.0f} without)"
