"""`arena check`: try one bot against the protocol, step by step, and report exactly what is wrong with it."""

from __future__ import annotations

import time as clock
from collections.abc import Collection, Iterator
from pathlib import Path

from arena.check.context import CheckContext
from arena.check.reask import Answer, AskedAgain, ask_again, ask_games_again
from arena.check.report import Failed, Outcome, Problem, ShownFrame, Skipped, StepResult
from arena.check.steps import NUMBERS, STEPS, CheckStep, with_needs
from arena.entrants import Entrant
from arena.game.clock import TimeControl
from arena.isolation.settings import NONE, Isolation


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
