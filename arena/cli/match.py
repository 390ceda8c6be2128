"""`arena match`: play one game and print it turn by turn.

Nothing is recorded. Only with `--trace` a file is written, by `arena.referee.trace`.
"""

from __future__ import annotations

import secrets
import shlex
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
import typer

from arena.cli import log
from arena.cli.narration import Narrator, last_words
from arena.cli.options import (
    Bank,
    Edition,
    IsolationOptions,
    Move,
    Start,
    Strikes,
    bot_words,
    chosen_edition,
    option,
    with_isolation,
)
from arena.cli.terminal import ExitCode, print_json, say, warn
from arena.common.printable import as_typed, printable
from arena.entrants import (
    Built,
    Entrant,
    EntrantError,
    LimitCeilings,
    alike,
    expand,
    kept_within,
    must_build,
    only_bots,
)
from arena.game.clock import TimeControl
from arena.game.game import begin
from arena.game.spec import GameSpec
from arena.game.transcript import GameStep
from arena.isolation.settings import Isolation
from arena.ledger import FaultRecord, GameRecord
from arena.referee.config import RefereeConfig
from arena.referee.referee import Referee
from arena.referee.source import BY_HAND_SECONDS
from arena.replays.replayed import reasons
from arena.tournament.identity import tournament_seed
from arena.tournament.plan import Plan, PlanError
from engine import catalog
from engine.rules import Data, EditionError, Rules

WAIT: Final = "wait:"
_SEEDS: Final = 2**32
"""If no seed is given, one of the numbers below: short enough to be typed."""


EXAMPLES: Final = (
    "arena match bots/greedy.py bots/planner.py",
    "arena match mine.py bots/planner.py bots/pairs.py --seed 7",
    "arena match mine.py bots/greedy.py --trace traces",
    "arena match mine @random_bot --network mine=OPENAI_API_KEY --move 60",
    "arena match wait:me bots/greedy.py    (start 'me' yourself, in a debugger)",
)


Bots = Annotated[
    list[str],
    typer.Argument(
        help="One bot per seat. @greedy comes with the arena, wait:NAME you start yourself.",
        metavar="BOTS",
        autocompletion=bot_words,
    ),
]


@with_isolation
def command(
    bots: Bots,
    game: Annotated[str | None, option("game", "Default: the first that all bots play.")] = None,
    edition: Edition = None,
    seed: Annotated[int | None, option("seed", "The same seed and bots play the same game.")] = None,
    start: Start = None,
    move: Move = None,
    bank: Bank = None,
    strikes: Strikes = None,
    trace: Annotated[
        Path | None, typer.Option(help="Print every message, and write it to a file in this folder.")
    ] = None,
    *,
    apart: IsolationOptions,
    verbose: log.Verbose = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print only the result, as JSON.")] = False,
) -> None:
    """Play one game and print it turn by turn. The first bot has seat 1.

    Exits with 1 if a bot was retired because it was mute, crashed, flooded the referee or ran out of strikes.
    """
    time = Plan(start=start, move=move, bank=bank, strikes=strikes).time()
    entrants = _entrants(bots, game)
    choices = _playable(game, edition, len(entrants))
    if trace is not None:
        trace.mkdir(parents=True, exist_ok=True)  # where that fails, let it be before the game
    isolation = apart.chosen(list(entrants))
    built = {name: _built(entrant, isolation) for name, entrant in entrants.items() if entrant is not None}
    names = list(entrants)
    by_hand = frozenset(names) - frozenset(built)
    rules, rules_edition = choices[0] if len(choices) == 1 else _played_by_all(choices, built, time)
    config = RefereeConfig(
        game=rules.name,
        edition=rules_edition,
        time=time,
        bots=built,
        manual=by_hand,
        manual_seconds=BY_HAND_SECONDS if start is None else start,
        unlimited=by_hand,  # a person who tries something out may take any time
        trace=trace,
    )
    number = secrets.randbelow(_SEEDS) if seed is None else seed
    spec = GameSpec("game", 0, len(names), 0, 0, tournament_seed(number).hex(), names)
    given: dict[str, object] = {"--game": game, "--edition": edition, "--start": start, "--move": move, "--bank": bank}
    given |= {"--strikes": strikes, "--trace": trace, "--isolation": apart.isolation, "--seed": number}
    again = _command(
        [*bots, *(["--build-network"] if apart.build_network else [])], given | {"--network": apart.network}
    )
    try:
        record = _play(config, spec, rules, as_json)
    except KeyboardInterrupt:
        warn(f"again: {again}")
        raise
    if as_json:
        why = [] if record.ending == "void" else reasons(record, rules, rules_edition)
        more = {"reasons": why, "isolation": isolation.level, "seed": number, "again": again}
        print_json({**_summary(record), **more})
    else:
        say()
        for seat in record.retired if len(bots) == len(names) and record.ending != "void" else []:
            if names[seat] in built:
                say(f"step by step: {as_typed('arena', 'check', bots[seat])}")
        say(f"again: {again}")
    if record.ending == "void":
        warn(record.error)
        raise typer.Exit(ExitCode.SET_ASIDE)
    if record.retired:
        raise typer.Exit(ExitCode.NO)


def _command(words: Sequence[str], options: Mapping[str, object]) -> str:
    """Return the command that plays the game again, as it is typed. Options that are None are left out."""
    every = [
        (name, each) for name, value in options.items() for each in (value if isinstance(value, list) else [value])
    ]
    given = [(name, str(value).removesuffix(".0")) for name, value in every if value is not None]
    return as_typed("arena", "match", *words, *(word for option in given for word in option))


def _playable(game: str | None, edition: str | None, players: int) -> list[tuple[Rules, Data]]:
    """Return the games that could be meant, with their editions.

    That is the game named `game`, or else every game that has this number of players and this edition. Raises the first
    reason if there is none.
    """
    found: list[tuple[Rules, Data]] = []
    refused: list[Exception] = []
    for rules in catalog.installed().values() if game is None else [catalog.rules(game)]:
        low, high = rules.players
        try:
            if not low <= players <= high:
                bots = "1 bot" if players == 1 else f"{players} bots"
                more = ". Add an opponent, such as @random_bot" if players < low else ""
                raise PlanError(f"{bots}: {rules.name} is for {low} to {high}{more}")
            found.append((rules, chosen_edition(rules, edition)))
        except (PlanError, EditionError) as error:
            refused.append(error)
    if not found:
        raise refused[0]
    return found


def _played_by_all(
    choices: Sequence[tuple[Rules, Data]], bots: Mapping[str, Built], time: TimeControl
) -> tuple[Rules, Data]:
    """Start all bots, and return the first of these games that all of them say they play.

    Raises `PlanError` if none is.
    """
    rules, edition = choices[0]
    plays: dict[str, list[str]] = {}
    with Referee(RefereeConfig(rules.name, edition, time, dict(bots)), pin=False) as referee:
        for name in bots:
            hello = referee.check(name).hello
            if hello is None:
                return choices[0]  # the game will show what is wrong with this bot
            if hello.games:
                plays[name] = hello.games
    for rules, edition in choices:
        if all(rules.name in games for games in plays.values()):
            return rules, edition
    each = "; ".join(f"{name} plays {', '.join(games)}" for name, games in plays.items())
    raise PlanError(f"there is no game that all of these bots play: {each}")


def _entrants(words: Sequence[str], game: str | None) -> dict[str, Entrant | None]:
    """Return the bots by name, in the order of seats. One that is started by hand is None. Raises `EntrantError`."""
    paths = [word for word in words if not word.startswith(WAIT)]
    expanded = only_bots(paths, game)
    for line in alike(expanded):
        warn(line)
    found = iter(expanded)
    named: dict[str, Entrant | None] = {}
    for word in words:
        # A pattern may stand for several.
        entrants = [None] if word.startswith(WAIT) else list(islice(found, len(expand([word], game).found)))
        for entrant in entrants:
            name = entrant.name if entrant is not None else word.removeprefix(WAIT)
            if not name.strip():
                raise EntrantError(f"{word} has no name: type it as in  {WAIT}me")
            if name in named:
                raise EntrantError(f"two seats have the name {name}: call the one that you start yourself otherwise")
            named[name] = entrant
    return named


def _built(entrant: Entrant, isolation: Isolation) -> Built:
    [entrant] = kept_within([entrant], LimitCeilings(), warn)
    if entrant.build is not None:
        warn(f"building {entrant.name}, unless that has been done before")
    return must_build(entrant, isolation)


def _play(config: RefereeConfig, spec: GameSpec, rules: Rules, quiet: bool) -> GameRecord:
    narrator = Narrator(rules, spec.bots)

    last: dict[int | None, FaultRecord] = {}
    retired_by: dict[int, FaultRecord] = {}

    def on_step(_: GameSpec, game_step: GameStep) -> None:
        if game_step.step.kind == "retire":
            retired_by[game_step.step.seat] = last[game_step.step.seat]
        for line in narrator.step(game_step.step, game_step.events):
            say(line)

    def on_fault(_: GameSpec, fault: FaultRecord) -> None:
        last[fault.seat] = fault
        for line in (narrator.fault(fault), *last_words(fault)):
            say(line)

    if not quiet:
        say(", ".join(f"seat {seat}: {bot}" for seat, bot in enumerate(spec.bots, start=1)))
        for line in narrator.opening(begin(rules, config.edition, spec.players, bytes.fromhex(spec.seed))):
            say(line)
    traffic = Traffic(rules, spec.bots)

    def on_message(line: Mapping[str, Any]) -> None:
        for words in traffic.lines(line):
            say(words)

    def announce(name: str, endpoint: str, token: str, has_left: bool) -> None:
        minutes, seconds = divmod(config.manual_seconds, 60)
        limit = f"{config.manual_seconds:g} s" if seconds else f"{minutes:g} minutes"
        if has_left:
            warn(f"{name} has gone. It goes on if you start it again within {limit} (Ctrl-C ends the game):")
        else:
            warn(f"start {name} yourself within {limit}; it has no clock:")
        warn(f"    ARENA_ENDPOINT={shlex.quote(endpoint)} ARENA_TOKEN={shlex.quote(token)} python your_bot.py")

    with Referee(config, announce=announce, on_message=None if quiet else on_message) as referee:
        [record] = referee.play([spec]) if quiet else referee.play([spec], on_step, on_fault)
    if not quiet and record.ending != "void":
        for line in narrator.result(record, reasons(record, rules, config.edition)):
            say(line)
        # Once more, except for the one that ended the game: much was printed since.
        for seat in record.retired[: None if record.ending == "finished" else -1]:
            for line in ("", narrator.fault(retired_by[seat]), *last_words(retired_by[seat])):
                say(line)
    return record


def _summary(record: GameRecord) -> dict[str, Any]:
    shown = ("bots", "ending", "ranks", "scores", "retired", "faults")
    return {key: msgspec.to_builtins(getattr(record, key)) for key in shown}


_MARGIN = " " * 14


class Traffic:
    """Renders the messages of one game. It remembers what each seat was asked, to say what an answer means."""

    def __init__(self, rules: Rules, bots: Sequence[str]) -> None:
        """Take the bots' names, by seat."""
        self._rules = rules
        self._bots = bots
        self._asked: dict[int, Mapping[str, Any]] = {}
        self._words: dict[str, Callable[[int, Mapping[str, Any]], list[str]]] = {
            "hello": self._hello,
            "welcome": lambda _, message: ["welcome"],
            "start": self._start,
            "decide": self._decide,
            "act": self._act,
            "fault": self._fault,
            "end": lambda _, message: [f"end: {message['ending']}, ranks {message['ranks']}"],
            "bye": lambda _, message: ["bye"],
        }

    def lines(self, line: Mapping[str, Any]) -> list[str]:
        """Return one entry of a trace as lines."""
        way = "to" if "to" in line else "from"
        seat: int = line[way]
        first, *more = self._message(seat, line)
        head = f"{line['ms']:>9.1f} ms  {way} {self._bots[seat]}: {first}"
        return [printable(each) for each in (head, *(_MARGIN + each for each in more))]

    def _message(self, seat: int, line: Mapping[str, Any]) -> list[str]:
        if "hex" in line:
            return [f"no message: {line['hex'][:80]}"]
        message = line["message"]
        kind = str(message.get("type")) if isinstance(message, dict) else ""
        try:
            return self._words[kind](seat, message)
        except (KeyError, TypeError, ValueError, IndexError):  # of a bot whatever may come
            return [f"no message: {message!r}"[:200]]

    def _hello(self, _seat: int, message: Mapping[str, Any]) -> list[str]:
        major, minor = message["protocol"]
        return [f"hello: {message['name']} {message.get('version', '')}".rstrip() + f", protocol {major}.{minor}"]

    def _start(self, _seat: int, message: Mapping[str, Any]) -> list[str]:
        where = f"seat {message['seat']} of {message['players']}, {_time(message['clock'])}"
        return [f"start of {message['game']} ({message['edition'].get('name', '')}), {where}"]

    def _decide(self, seat: int, message: Mapping[str, Any]) -> list[str]:
        self._asked[seat] = message
        head = f"decide {message['turn']}: {len(message['actions'])} actions, {_time(message['clock'])}; news:"
        news = [self._rules.words(event) for event in message["events"]] or ["nothing"]
        actions = [f"{index}: {self._rules.words(action)}" for index, action in enumerate(message["actions"])]
        return [f"{head} {'; '.join(news)}", *actions]

    def _act(self, seat: int, message: Mapping[str, Any]) -> list[str]:
        index, asked = message["index"], self._asked.get(seat)
        words = f"act for turn {message['turn']}: {index!r}"
        if asked is not None and asked["turn"] == message["turn"] and index in range(len(asked["actions"])):
            words += f", {self._rules.words(asked['actions'][index])}"
        more = {key: message[key] for key in ("note", "metrics") if message.get(key)}
        return [words, *(f"{key}: {value}" for key, value in more.items())]

    def _fault(self, _seat: int, message: Mapping[str, Any]) -> list[str]:
        return [
            f"fault {message['code']} at turn {message['turn']}: {message['text']}",
            f"strikes left: {message['strikes_left']}",
        ]


def _time(clock: Mapping[str, int] | None) -> str:
    return "no clock" if clock is None else f"{clock['move']} ms and {clock['bank']} ms in the bank"
