"""`arena games`: list the games, their editions, and the source of every setting."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from arena.cli.options import AsJson, Edition, edition_source
from arena.cli.terminal import print_json, say, table, warn
from arena.common.printable import as_typed
from engine import catalog
from engine.catalog import Provider, UnknownRules
from engine.rules import Parameter, Rules

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
        from arena.cli.games_check import check_game  # only now: it is for authors

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
