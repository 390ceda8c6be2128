"""`arena check`: one bot is tried step by step against the protocol, and told exactly what is wrong with it."""

from __future__ import annotations

import time as clock
from collections.abc import Collection, Iterator
from pathlib import Path

from arena.check.context import Trial
from arena.check.reask import Answer, ask_again
from arena.check.report import Failed, Outcome, Problem, Result, Shown, Skipped
from arena.check.steps import NUMBERS, STEPS, Step, with_needs
from arena.entrants import Entrant
from arena.match.clock import TimeControl

__all__ = ["STEPS", "Answer", "Failed", "Problem", "Result", "Shown", "Step", "ask_again", "check"]


def check(
    entrant: Entrant,
    time: TimeControl,
    *,
    only: Collection[str] = (),
    game: str | None = None,
    cache: Path | None = None,
) -> Iterator[Result]:
    """Try the bot; a result for each step as soon as it is known.

    `only`: these steps and those that they need (none named: all). `game`: the one game to try it with. The bot is
    ended when the last result was taken or the iterator is closed.
    """
    trial = Trial(entrant, time, game, cache)
    wanted = with_needs(set(only)) if only else set(NUMBERS)
    passed: set[str] = set()
    try:
        for step in STEPS:
            if step.name in wanted:
                result = _take(step, trial, passed)
                if result.outcome == "passed":
                    passed.add(step.name)
                yield result
    finally:
        if trial.made is not None:
            trial.made.close()


def _take(step: Step, trial: Trial, passed: Collection[str]) -> Result:
    began = clock.monotonic()
    number = NUMBERS[step.name]
    problem: Problem | None = None
    outcome: Outcome = "passed"
    try:
        if step.needs is not None and step.needs not in passed:
            raise Skipped(f"needs step {NUMBERS[step.needs]}")
        if trial.built is not None:
            trial.bench.conduct = step.conduct
        detail = step.run(trial)
    except Skipped as reason:
        outcome, detail = "skipped", str(reason)
    except Failed as failed:
        outcome, detail, problem = "failed", failed.problem.what, failed.problem
    if outcome != "passed" and trial.made is not None and (problem is not None or step.needs in passed):
        trial.made.end()  # the next step begins with a fresh process
    seconds = round(clock.monotonic() - began, 3)
    return Result(number, step.name, step.title, step.section, outcome, seconds, detail, problem)
