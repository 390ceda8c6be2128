"""`arena games GAME --check`: whether rules keep the contract, and whether a seat can see what it should not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import typer

from arena.cli.progress import ProgressLines, drawn_bar
from arena.cli.terminal import ExitCode, print_json, say, table
from arena.common.printable import printable
from engine.rules import Rules
from engine.testing import CHECKS, Case, LeakReport, RulesCheckError, cases, check_rules, find_leaks


def check_game(rules: Rules, edition: str | None, as_json: bool) -> None:
    """Run all checks in every edition with every number of players, and print what each found."""
    if edition is not None and edition not in rules.editions():
        raise typer.BadParameter(f"to be checked: one of {', '.join(rules.editions())}", param_hint="--edition")
    found = {"rules": _faults(check_rules, rules)}
    reports: list[LeakReport] = []

    def look_for_leaks(case: Case) -> None:
        reports.append(find_leaks(case))
        for leak in reports[-1].leaks:
            raise RulesCheckError(f"{rules.name}, edition {case.edition}, {case.players} players: {leak}")

    examined = [case for case in cases(rules) if edition in (None, case.edition)]
    with drawn_bar() or ProgressLines() as progress:
        progress.stage(f"checking {rules.name}", len(examined))
        for case in examined:
            progress.begin(part := f"{case.edition}, {case.players} players")
            for check in (*CHECKS, look_for_leaks):
                name = "leaks" if check is look_for_leaks else check.__name__.removeprefix("check_").replace("_", " ")
                found.setdefault(name, []).extend(_faults(check, case))
            progress.advance(part)
    if as_json:
        leaks = [{**each._asdict(), "untested": each.untested()} for each in reports]
        print_json({"game": rules.name, "cases": len(examined), "faults": found, "leaks": leaks})
    else:
        _show(found, reports, len(examined))
    if any(found.values()):
        raise typer.Exit(ExitCode.NO)


def _faults(check: Callable[[Any], object], examined: Rules | Case) -> list[str]:
    try:
        check(examined)
    except RulesCheckError as error:
        return [str(error)]
    except Exception as error:  # whatever a stranger's rules do
        return [f"{type(error).__name__}: {error}"]
    return []


def _show(found: dict[str, list[str]], reports: list[LeakReport], examined: int) -> None:
    rows = [(name, 1 if name == "rules" else examined, len(faults)) for name, faults in found.items()]
    say(table(("check", "cases", "failed"), rows))
    for name, faults in found.items():
        if faults:
            say(printable(f"{name}: {faults[0]}"))
    phases = sorted({phase for report in reports for phase in report.phases})
    of = {phase: [report.phases[phase] for report in reports if phase in report.phases] for phase in phases}
    sums = [(phase, *(sum(column) for column in zip(*of[phase], strict=True))) for phase in phases]
    say("\nTwo worlds that a seat cannot tell apart:")
    say(table(("phase", "decisions played", "worlds compared", "that differed"), sums))
    for report in reports:
        for phase, why in report.untested().items():
            say(f"not tested: phase {phase} in {report.edition} with {report.players} players: {why}")
    shown = sorted({what for report in reports for what in report.revealed})
    if shown:
        say("What came to light (judge whether the rules of the game say so):")
        say(printable("; ".join(shown)))
