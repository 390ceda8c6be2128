"""`arena check`: test one bot against the protocol, step by step."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Final

import msgspec
import typer

from arena.check import STEPS, Problem, ShownFrame, StepResult, check
from arena.cli.options import (
    AsJson,
    Bank,
    GameName,
    IsolationOptions,
    Move,
    Start,
    bot_words,
    reader,
    with_isolation,
)
from arena.cli.terminal import ExitCode, print_json, say, set_apart, warn
from arena.common.printable import as_typed, printable
from arena.entrants import (
    Built,
    Entrant,
    EntrantError,
    LimitCeilings,
    expand,
    is_built,
    kept_within,
    must_build,
)
from arena.entrants.manifest import FILE
from arena.isolation.settings import NONE
from arena.tournament.bounds import NumberBounds
from arena.tournament.plan import Plan
from engine import catalog

_HEX_SHOWN = 48
_VALUE_SHOWN = 100
_TEXT_SHOWN = 600
_MARGIN = " " * 6


EXAMPLES: Final = ("arena check mine.py", "arena check bots/greedy.py --step 14", "arena check mybot --json")


@with_isolation
def command(
    bot: Annotated[
        str,
        typer.Argument(help="A .py file, an executable, a folder, or @NAME.", metavar="BOT", autocompletion=bot_words),
    ],
    game: GameName = None,
    steps: Annotated[
        list[int] | None,
        typer.Option(
            "--step",
            help="Only this step and those that it needs.",
            parser=reader(NumberBounds(1, len(STEPS))),
            metavar="N",
        ),
    ] = None,
    start: Start = None,
    move: Move = None,
    bank: Bank = None,
    *,
    apart: IsolationOptions,
    as_json: AsJson = False,
) -> None:
    """Check a bot against the protocol. Shows what was sent, what came back, what is wrong and how to fix it."""
    entrant = one_bot(bot)
    time = Plan(start=start, move=move, bank=bank).time()
    only = [STEPS[number - 1].name for number in steps or []]
    if game is not None:
        catalog.rules(game)
    isolation = apart.chosen([entrant.name])
    _say_if_it_takes_long(entrant)
    results = []
    for result in check(entrant, time, only=only, game=game, isolation=isolation):
        results.append(result)
        if not as_json:
            _print_result(result)
    outcomes = [result.outcome for result in results]
    counts = {outcome: outcomes.count(outcome) for outcome in ("passed", "failed", "skipped")}
    if as_json:
        print_json({"bot": entrant.name, "isolation": isolation.level, **counts, "steps": msgspec.to_builtins(results)})
    else:
        summary = ", ".join(f"{number} {outcome}" for outcome, number in counts.items())
        say(f"{entrant.name}: {summary}; isolation: {isolation.level}")
        say(_next(bot, game, isolation.network, counts["failed"], bool(only)))
    if counts["failed"]:
        raise typer.Exit(ExitCode.NO)


def _next(bot: str, game: str | None, network: Sequence[str], failed: int, is_part: bool) -> str:
    """Return the command to type next, with why."""
    chosen = [*([] if game is None else ["--game", game]), *(word for each in network for word in ("--network", each))]
    again = as_typed("arena", "check", bot, *chosen)
    if failed:
        return f"Mend that, then type:  {again}"
    if is_part:
        return f"All steps:  {again}"
    return f"Play with it:  {as_typed('arena', 'match', bot, '@random_bot', *chosen)}"


def one_bot(path: str) -> Entrant:
    """Return the one bot that `path` names. Raises `EntrantError` if it is none, or several."""
    found = expand([path])
    for _, reason in found.skipped:
        raise EntrantError(f"{path} is no bot ({reason}): name a .py file, an executable or a folder with {FILE}")
    if len(found.found) != 1:
        raise EntrantError(f"{path} names {len(found.found)} bots: name one")
    return kept_within(found.found, LimitCeilings(), warn)[0]


def built_bots(paths: Sequence[str], apart: IsolationOptions) -> list[Built]:
    """Return the bots that these paths name, built. Raises `EntrantError`."""
    entrants = [one_bot(path) for path in paths]
    for entrant in entrants:
        _say_if_it_takes_long(entrant)
    isolation = apart.chosen([each.name for each in entrants]) if entrants else NONE
    return [must_build(entrant, isolation) for entrant in entrants]


def _say_if_it_takes_long(entrant: Entrant) -> None:
    if entrant.build is not None and not is_built(entrant):
        warn(f"building {entrant.name}: {' '.join(entrant.build)}")


def _print_result(result: StepResult) -> None:
    mark = result.outcome.upper() if result.outcome == "failed" else result.outcome
    detail = f": {result.detail}" if result.detail and result.problem is None else ""
    say(f"{result.number:>3}  {mark:<7}  {result.title} ({result.section}){printable(detail)}")
    if result.problem is not None:
        for line in problem_lines(result.problem):
            say(_MARGIN + line)


def problem_lines(problem: Problem) -> list[str]:
    """Return the lines that explain a failed step."""
    requirement = problem.requirement
    first, *more = problem.what.splitlines() or [""]
    lines = [f"wrong:     {first}", *(f"           {line}" for line in more)]
    for word, frames in (("sent:", problem.sent), ("came:", problem.came)):
        for frame in frames:
            lines += [
                f"{word:<11}{part}" if not number else f"{'':<11}{part}" for number, part in enumerate(_parts(frame))
            ]
    lines += [f'protocol:  section {requirement.section}: "{requirement.says}"', f"to do:     {requirement.advice}"]
    said = [f"stderr:    {line}" for line in set_apart(problem.stderr)]
    said = said or [f"stdout:    {line}" for line in set_apart(problem.stdout)]
    return [printable(line) for line in lines] + said


def _parts(frame: ShownFrame) -> list[str]:
    """Return a frame as its message and as a hex dump, both shortened."""
    text = _brief(frame.text)
    if not frame.size:
        return [text]
    dump = bytes.fromhex(frame.hex[: 2 * _HEX_SHOWN]).hex(" ", -4)
    return [text, dump + (f" … ({frame.size} bytes)" if frame.size > _HEX_SHOWN else f" ({frame.size} bytes)")]


def _brief(text: str) -> str:
    """Return a message with its long values shortened, so that all its fields stay visible."""
    try:
        message = json.loads(text)
    except ValueError:
        message = None
    if isinstance(message, dict):
        values = {key: _cut(json.dumps(value, ensure_ascii=False), _VALUE_SHOWN) for key, value in message.items()}
        text = "{" + ", ".join(f"{json.dumps(key)}: {value}" for key, value in values.items()) + "}"
    return _cut(text, _TEXT_SHOWN)


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[:length]}…"
