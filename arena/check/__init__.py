"""`arena check`: try one bot against the protocol, step by step, and report exactly what is wrong with it."""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.check import answering, playing
from arena.check.context import CheckContext
from arena.check.reask import Answer, AskedAgain, answers, ask_again, ask_games_again
from arena.check.report import Failed, Outcome, Problem, Requirement, ShownFrame, Skipped, StepResult
from arena.check.requirements import ANEW, CROSSING, FAULT_ANSWERED, LATE, LATER, NO_LIMIT, PARALLEL, SESSION, STOPPED
from arena.entrants import Entrant
from arena.game.clock import TimeControl
from arena.isolation.settings import NONE, Isolation


@dataclass(frozen=True)
class CheckStep:
    """One step. `run` returns what it found, in words, and raises `Failed` or `Skipped`."""

    name: str
    title: str
    section: str
    run: Callable[[CheckContext], str]
    needs: str | None = None
    """The step that must have passed before."""
    conduct: Requirement | None = None
    """The likely mistake if the bot fails silently or ends in this step."""


STEPS: Final = (
    CheckStep("build", "It can be built", "2.1", answering.built),
    CheckStep("names", "None of its files hides a Python module", "2.1", answering.names),
    CheckStep("start", "It starts and says something in time", "5.1", answering.started, "build"),
    CheckStep("hello", "Its first message is a valid hello", "3.1", answering.said_hello, "start"),
    CheckStep("version", "It speaks this version of the protocol", "9", answering.same_version, "hello"),
    CheckStep("games", "It plays a game that is installed", "3.1", answering.known_game, "version"),
    CheckStep("answer", "It answers a decision", "3.2", answering.answers, "games"),
    CheckStep("turns", "It answers each decision once, by its game and turn", "3.2", answering.turns, "answer"),
    CheckStep(
        "messages", "It accepts every message, and answers only decisions", "4", answering.messages, "turns", NO_LIMIT
    ),
    CheckStep(
        "faults", "It copes with faults and does not answer them", "4.4", answering.faults, "turns", FAULT_ANSWERED
    ),
    CheckStep(
        "crossing", "It copes with the end of a game that waits for it", "2.3", answering.crossing, "turns", CROSSING
    ),
    CheckStep("anew", "It plays an abandoned game again", "2.3", answering.begin_again, "turns", ANEW),
    CheckStep("vectors", "It accepts the golden vectors", "1.4", answering.golden, "turns", SESSION),
    CheckStep("whole", "It plays whole games with any number of players", "2.3", playing.whole_games, "turns"),
    CheckStep("parallel", "It keeps several games apart", "2.5", playing.parallel, "turns", PARALLEL),
    CheckStep("afresh", "It begins every game afresh", "7", playing.afresh, "turns"),
    CheckStep("same", "It plays the same when asked the same", "7", playing.deterministic, "turns"),
    CheckStep("later", "It copes with what a later minor version may add", "9", playing.later_version, "turns", LATER),
    CheckStep("bank", "It answers in time when the bank runs low", "5.2", playing.low_bank, "turns", LATE),
    CheckStep("stopped", "It goes on after a stop", "2.4", playing.stopped, "turns", STOPPED),
    CheckStep("output", "It does not flood its output", "2.1", playing.output, "turns"),
    CheckStep("memory", "Its memory does not grow from game to game", "8", playing.memory, "turns"),
    CheckStep("token", "It speaks under its own token", "1.2", playing.own_token, "turns"),
    CheckStep("bye", "It ends at bye", "2.7", playing.goodbye, "turns"),
    CheckStep("folder", "It leaves its folder as it is", "2.1", playing.folder, "turns"),
)
NUMBERS: Final = {step.name: number for number, step in enumerate(STEPS, start=1)}


def with_needs(names: set[str]) -> set[str]:
    """Return these steps and all that they need."""
    by_name = {step.name: step for step in STEPS}
    found: set[str] = set()
    for name in names:
        needed: str | None = name
        while needed is not None:
            found.add(needed)
            needed = by_name[needed].needs
    return found


def check(
    entrant: Entrant,
    time: TimeControl,
    *,
    only: Collection[str] = (),
    game: str | None = None,
    cache: Path | None = None,
    isolation: Isolation = NONE,
) -> Iterator[StepResult]:
    """Try the bot, and yield the result of each step as soon as it is known.

    The bot is ended after the last result, or when the iterator is closed.

    Args:
        entrant: The bot.
        time: The time limits.
        only: Names of steps; only these and the steps that they need are run. Empty: all steps.
        game: The only game to try it with; None: all that it plays.
        cache: The folder for built bots; None: the user's cache.
        isolation: How the bot is kept apart.
    """
    context = CheckContext(entrant, time, game, cache, isolation)
    wanted = with_needs(set(only)) if only else set(NUMBERS)
    passed: set[str] = set()
    try:
        for step in STEPS:
            if step.name in wanted:
                result = _take(step, context, passed)
                if result.outcome == "passed":
                    passed.add(step.name)
                yield result
    finally:
        if context.made is not None:
            context.made.close()


def _take(step: CheckStep, context: CheckContext, passed: Collection[str]) -> StepResult:
    began = clock.monotonic()
    number = NUMBERS[step.name]
    problem: Problem | None = None
    outcome: Outcome = "passed"
    try:
        if step.needs is not None and step.needs not in passed:
            raise Skipped(f"needs step {NUMBERS[step.needs]}")
        if context.built is not None:
            context.session.conduct = step.conduct
        detail = step.run(context)
    except Skipped as reason:
        outcome, detail = "skipped", str(reason)
    except Failed as failed:
        outcome, detail, problem = "failed", failed.problem.what, failed.problem
    if outcome != "passed" and context.made is not None and (problem is not None or step.needs in passed):
        context.made.end()  # the next step begins with a fresh process
    seconds = round(clock.monotonic() - began, 3)
    return StepResult(number, step.name, step.title, step.section, outcome, seconds, detail, problem)
