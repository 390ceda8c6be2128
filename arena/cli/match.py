"""`arena match`: one game, followed turn by turn in words."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from arena.cli.story import Story
from arena.cli.terminal import ExitCode, examples, print_json, say, warn
from arena.entrants import BuildFailed, Built, EntrantError, build, expand
from arena.ledger import GameRecord, Step
from arena.referee.host import Host
from arena.referee.orders import GameOrder, Setup
from arena.tournament.identity import tournament_seed
from arena.tournament.plan import Plan, PlanError
from engine import catalog
from engine.game import Event, Game, State

WAIT = "wait:"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "match",
        epilog=examples(
            "arena match bots/greedy.py bots/planner.py",
            "arena match mine.py bots/planner.py bots/pairs.py --seed 7",
            "arena match wait:me bots/greedy.py    (start 'me' yourself, in a debugger)",
        ),
    )(command)


def command(
    bots: Annotated[list[str], typer.Argument(help="A bot a seat; wait:NAME for one that you start by hand.")],
    game: Annotated[str | None, typer.Option(help="See `arena games`.")] = None,
    edition: Annotated[str | None, typer.Option(help="A name or a TOML file.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="The same seed and bots play the same game.")] = None,
    start: Annotated[float | None, typer.Option(help="Seconds to say hello. Default: 10.")] = None,
    move: Annotated[float | None, typer.Option(help="Seconds free for a decision. Default: 0.05.")] = None,
    bank: Annotated[float | None, typer.Option(help="Seconds a game beyond that. Default: 5.")] = None,
    strikes: Annotated[int | None, typer.Option(min=1, help="Faults until the seat retires. Default: 3.")] = None,
    trace: Annotated[Path | None, typer.Option(help="Write every message to a file in this folder.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print only the result, as JSON.")] = False,
) -> None:
    """Play one game between bots, first bot in seat 0, and tell it turn by turn."""
    rules = catalog.game(game) if game is not None else next(iter(catalog.games().values()))
    low, high = rules.players
    if not low <= len(bots) <= high:
        raise PlanError(f"{len(bots)} bots, {rules.name} is for {low} to {high}")
    built, names = _bots(bots)
    name = edition if edition is not None else rules.editions()[0]
    setup = Setup(
        game=rules.name,
        edition=rules.edition(Path(name) if name.endswith(".toml") or "/" in name else name),
        time=Plan(start=start, move=move, bank=bank, strikes=strikes).time(),
        bots=built,
        manual=frozenset(names) - frozenset(built),
        trace=trace,
    )
    game_seed = secrets.token_bytes(16) if seed is None else tournament_seed(seed)
    order = GameOrder("match", 0, len(names), 0, 0, game_seed.hex(), names)
    record = _play(setup, order, rules, as_json)
    if as_json:
        print_json(_summary(record))
    if record.ending == "void":
        warn(record.error)
        raise typer.Exit(ExitCode.SET_ASIDE)


def _bots(words: Sequence[str]) -> tuple[dict[str, Built], list[str]]:
    """The built bots, and all names by seat."""
    found = iter(expand([word for word in words if not word.startswith(WAIT)]).found)
    built: dict[str, Built] = {}
    names: list[str] = []
    for word in words:
        if word.startswith(WAIT):
            names.append(word.removeprefix(WAIT) or "me")
            continue
        entrant = next(found, None)
        if entrant is None:
            raise EntrantError(f"{word} is no bot: name a .py file, an executable or a folder with bot.toml")
        try:
            built[entrant.name] = build(entrant)
        except BuildFailed as error:
            raise EntrantError(f"{entrant.name}: {error}") from None
        names.append(entrant.name)
    if len(set(names)) < len(names):
        raise EntrantError(f"two seats have the same name: {', '.join(names)}")
    return built, names


def _play(setup: Setup, order: GameOrder, rules: Game, quiet: bool) -> GameRecord:
    story = Story(rules, order.bots)

    def watch(_order: GameOrder, step: Step, events: Sequence[Event], _state: State) -> None:
        for line in story.step(step, events):
            say(line)

    if not quiet:
        say(", ".join(f"seat {seat}: {bot}" for seat, bot in enumerate(order.bots)))
    with Host(setup, announce=_announce) as host:
        [record] = host.play([order], None if quiet else watch)
    if not quiet and record.ending != "void":
        for fault in record.faults:
            say(story.fault(fault))
            for line in fault.stderr.splitlines():
                say(f"    | {line}")
        for line in story.result(record):
            say(line)
    return record


def _announce(name: str, endpoint: str, token: str) -> None:
    warn(f"start {name} yourself; it has no clock:")
    warn(f"    ARENA_ENDPOINT={endpoint} ARENA_TOKEN={token} python your_bot.py")


def _summary(record: GameRecord) -> dict[str, Any]:
    faults = [{"seat": each.seat, "turn": each.turn, "code": each.code, "text": each.text} for each in record.faults]
    return {
        "bots": record.bots,
        "ending": record.ending,
        "ranks": record.ranks,
        "scores": record.scores,
        "retired": record.retired,
        "faults": faults,
    }
