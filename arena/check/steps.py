"""The steps of `arena check` in order: their names, their sections in the protocol, and the steps that they need."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from arena.check import answering, endurance, playing, starting
from arena.check.context import CheckContext
from arena.check.report import Requirement
from arena.check.requirements import ANEW, CROSSING, FAULT_ANSWERED, LATE, LATER, NO_LIMIT, PARALLEL, SESSION, STOPPED


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
    CheckStep("build", "It can be built", "2.1", starting.built),
    CheckStep("names", "None of its files hides a Python module", "2.1", starting.names),
    CheckStep("start", "It starts and says something in time", "5.1", starting.started, "build"),
    CheckStep("hello", "Its first message is a valid hello", "3.1", starting.said_hello, "start"),
    CheckStep("version", "It speaks this version of the protocol", "9", starting.same_version, "hello"),
    CheckStep("games", "It plays a game that is installed", "3.1", starting.known_game, "version"),
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
    CheckStep("bank", "It answers in time when the bank runs low", "5.2", endurance.low_bank, "turns", LATE),
    CheckStep("stopped", "It goes on after a stop", "2.4", endurance.stopped, "turns", STOPPED),
    CheckStep("output", "It does not flood its output", "2.1", endurance.output, "turns"),
    CheckStep("memory", "Its memory does not grow from game to game", "8", endurance.memory, "turns"),
    CheckStep("token", "It speaks under its own token", "1.2", endurance.own_token, "turns"),
    CheckStep("bye", "It ends at bye", "2.7", endurance.goodbye, "turns"),
    CheckStep("folder", "It leaves its folder as it is", "2.1", endurance.folder, "turns"),
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
