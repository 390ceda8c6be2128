"""`arena replay`: a recorded game in words."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from arena.cli.story import Story
from arena.cli.terminal import examples, print_json, say
from arena.ledger import GameRecord, Ledger
from arena.referee.replay import replay
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
    folder: Annotated[Path, typer.Argument(help="The tournament's folder.", metavar="DIR")],
    game_id: Annotated[str, typer.Argument(help="The game, as `arena show` names it.", metavar="GAME")],
    seat: Annotated[int | None, typer.Option(min=0, help="Through the eyes of this seat.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print steps and events as JSON.")] = False,
) -> None:
    """Tell a recorded game in words: all of it, or what one seat saw."""
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
        if moment.step.kind == "play" and moment.step.seat == seat:
            say(story.choice(moment))
        for line in story.step(moment.step, moment.events):
            say(line)
    for fault in record.faults:
        if seat is None or fault.seat == seat:
            say(story.fault(fault))
    for line in story.result(record):
        say(line)


def _as_json(record: GameRecord, rules: Game, edition: Data, seat: int | None) -> None:
    steps = []
    for moment in replay(record, rules, edition):
        line = msgspec.to_builtins(moment.step)
        line["events"] = [event.what for event in moment.events if seat is None or visible(event, seat)]
        if seat is not None and moment.step.seat != seat:
            # Of others' choices a seat knows what the events tell it.
            line = {key: line[key] for key in ("kind", "seat", "by", "events")}
        elif moment.step.kind == "play" and moment.step.seat == seat:
            line["offered"] = moment.offered
        steps.append(line)
    head = {"id": record.id, "game": rules.name, "bots": record.bots, "ending": record.ending}
    print_json({**head, "ranks": record.ranks, "scores": record.scores, "steps": steps})
