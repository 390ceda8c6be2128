"""`arena games`: list the games, their editions and every setting, or check whether rules keep the contract."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Final

import typer

from arena.cli.options import AsJson, Edition, edition_source
from arena.cli.progress import ProgressLines, drawn_bar
from arena.cli.terminal import ExitCode, print_json, say, table, warn
from arena.common.printable import as_typed, printable
from engine import catalog
from engine.catalog import Provider, UnknownRules
from engine.rules import Parameter, Rules
from engine.testing import CHECKS, Case, LeakReport, RulesCheckError, cases, check_rules, find_leaks

EXAMPLES: Final = (
    "arena games",
    "arena games GAME",
    "arena games openspiel",
    "arena games GAME --edition my-rules.toml --json",
    "arena games GAME --check",
)


def command(
    name: Annotated[
        str | None,
        typer.Argument(
            help="Show the editions of this game side by side; of a library such as openspiel, list the games.",
            metavar="GAME",
        ),
    ] = None,
    edition: Edition = None,
    check: Annotated[
        bool, typer.Option("--check", help="Check this game: does it do what rules must, and does a view leak?")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List the games, or the settings of one game: each with its values, its editions and its source."""
    if check:
        check_game(catalog.rules(name), edition, as_json)
        return
    if name is None and edition is None:
        _list(as_json)
        return
    if name is not None and edition is None and (provider := catalog.provider(name)) is not None:
        _list_offers(provider, as_json)
        return
    rules = catalog.rules(name)
    editions = [edition] if edition is not None else rules.editions()
    parameters = {each: rules.parameters(edition_source(each)) for each in editions}
    if as_json:
        settings = {
            each: {k.name: {"value": k.value, "source": k.source} for k in parameters[each]} for each in editions
        }
        print_json({"game": rules.name, "players": list(rules.players), "editions": settings})
    else:
        _show(rules, parameters)


def _list(as_json: bool) -> None:
    found = catalog.installed()
    for plugin, reason in catalog.left_out().items():
        warn(f"left out: {plugin}: {reason}")
    if as_json:
        print_json(
            {name: {"players": list(rules.players), "editions": rules.editions()} for name, rules in found.items()}
        )
        return
    rows = [(name, "{}-{}".format(*rules.players), ", ".join(rules.editions())) for name, rules in found.items()]
    say(table(("game", "players", "editions"), rows))
    say("The first game is played when none is named, and the first edition of a game.")
    for prefix in catalog.providers():
        say(f"{prefix}:NAME is a game of a library: {as_typed('arena', 'games', prefix)} lists them.")


def _list_offers(provider: Provider, as_json: bool) -> None:
    """List the games of a library: what each has, or why it cannot be played."""
    found: dict[str, Rules | str] = {}
    for offer in provider.offers():
        try:
            found[offer.name] = offer.refused or catalog.rules(offer.name)
        except UnknownRules as error:
            found[offer.name] = str(error)
    if as_json:
        print_json({name: {"refused": it} if isinstance(it, str) else _about(it) for name, it in found.items()})
        return
    rows = []
    for name, it in found.items():
        if isinstance(it, str):
            rows.append((name, "", "", "", f"refused: {it}"))
            continue
        low, high = it.players
        has = it.capabilities
        words = "rank" if has.score is None else f"{has.score.best} {has.score.name}"
        players = str(low) if low == high else f"{low}-{high}"
        rows.append((name, players, "yes" if has.chance else "", "yes" if has.worlds else "", words))
    say(table(("game", "players", "chance", "worlds", "played for"), rows))


def _about(rules: Rules) -> dict[str, object]:
    has = rules.capabilities
    score = None if has.score is None else has.score._asdict()
    return {"players": list(rules.players), "chance": has.chance, "worlds": has.worlds, "score": score, "refused": ""}


def _show(rules: Rules, parameters: dict[str, list[Parameter]]) -> None:
    """Print every setting once. If editions differ, print each value with its editions."""
    say(f"{rules.name}: {rules.players[0]} to {rules.players[1]} players")
    values: dict[str, dict[tuple[str, str], list[str]]] = {}
    for edition, settings in parameters.items():
        for parameter in settings:
            values.setdefault(parameter.name, {}).setdefault((parameter.value, parameter.source), []).append(edition)
    rows = []
    for name, found in values.items():
        for place, ((value, source), editions) in enumerate(found.items()):
            everywhere = len(editions) == len(parameters) > 1
            rows.append(("" if place else name, value, "all" if everywhere else ", ".join(editions), source))
    say(table(("setting", "value", "editions", "where it comes from"), rows))


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
        _show_check(found, reports, len(examined))
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


def _show_check(found: dict[str, list[str]], reports: list[LeakReport], examined: int) -> None:
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
