"""`arena replay`: a recorded game in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

import msgspec
import typer

from arena.cli.options import Folder, Number
from arena.cli.story import Story
from arena.cli.terminal import examples, print_json, say
from arena.ledger import GameRecord, Ledger
from arena.referee.replay import Moment, replay
from arena.referee.transcript import visible
from engine import catalog
from engine.game import Data, Game


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "replay",
        epilog=examples(
            "arena replay tournaments/default p4-b0000-r0",
            "arena replay tournaments/default p4-b0000-r0 --seat 2",
            "arena replay tournaments/default p4-b0000-r0 --json",
        ),
    )(command)


def command(
    folder: Folder,
    game_id: Annotated[str, typer.Argument(help="The game, as `arena show` names it.", metavar="GAME")],
    seat: Annotated[
        int | None, typer.Option(help="Through the eyes of this seat.", parser=Number(0).read, metavar="N")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print steps and events as JSON.")] = False,
) -> None:
    """Tell a recorded game in words. All of it, or what one seat saw."""
    with Ledger.open(folder) as ledger:
        record = ledger.game(game_id)
        meta = ledger.meta
    if seat is not None and seat >= record.players:
        raise typer.BadParameter(f"{seat}: {game_id} has the seats 0 to {record.players - 1}", param_hint="--seat")
    rules = catalog.game(meta["game"])
    if as_json:
        _as_json(record, rules, meta["edition"], seat)
    else:
        _as_words(record, rules, meta["edition"], seat)


def _as_words(record: GameRecord, rules: Game, edition: Data, seat: int | None) -> None:
    story = Story(rules, record.bots, seat)
    say(f"{record.id}: {', '.join(f'{place} {bot}' for place, bot in enumerate(record.bots))}")
    for moment in replay(record, rules, edition):
        if moment.step.by == "bot" and moment.step.seat == seat:
            say(story.choice(moment))
        for line in story.step(moment.step, moment.events):
            say(line)
    for fault in record.faults:
        if seat is None or fault.seat == seat:
            say(story.fault(fault))
    for line in story.result(record):
        say(line)


def _as_json(record: GameRecord, rules: Game, edition: Data, seat: int | None) -> None:
    moments = replay(record, rules, edition)
    steps = [_step(moment) for moment in moments] if seat is None else _seen(moments, seat)
    head = {"id": record.id, "game": rules.name, "bots": record.bots, "ending": record.ending}
    print_json({**head, "ranks": record.ranks, "scores": record.scores, "steps": steps})


def _step(moment: Moment) -> dict[str, Any]:
    return {**msgspec.to_builtins(moment.step), "events": [event.what for event in moment.events]}


def _seen(moments: Iterable[Moment], seat: int) -> list[dict[str, Any]]:
    """This seat's own steps, and between them only events: how often and who of the others decided it is not told."""
    steps: list[dict[str, Any]] = []
    for moment in moments:
        events = [event.what for event in moment.events if visible(event, seat)]
        if moment.step.seat == seat:
            offered = {"offered": moment.offered} if moment.step.by == "bot" else {}
            steps.append({**msgspec.to_builtins(moment.step), **offered, "events": events})
        elif steps and "kind" not in steps[-1]:
            steps[-1]["events"] += events
        elif events:
            steps.append({"events": events})
    return steps
