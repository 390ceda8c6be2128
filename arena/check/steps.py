"""The steps of `arena check`, in order: what each is called, where the protocol speaks of it, and what it needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from arena.check import answering, endurance, playing, starting
from arena.check.context import Trial
from arena.check.report import Rule
from arena.check.rules import ANEW, CROSSING, FAULT_ANSWERED, LATE, LATER, NO_LIMIT, PARALLEL, SESSION, STOPPED


@dataclass(frozen=True)
class Step:
    """One step. `run` returns what it found, in words, and raises `Failed` or `Skipped`."""

    name: str
    title: str
    section: str
    run: Callable[[Trial], str]
    needs: str | None = None
    """The step that must have passed before."""
    conduct: Rule | None = None
    """What the bot got wrong when it fails silently or ends here."""


STEPS: Final = (
    Step("build", "It can be built", "2.1", starting.built),
    Step("names", "No file of it hides a module of Python", "2.1", starting.names),
    Step("start", "It starts and says something in time", "5.1", starting.started, "build"),
    Step("hello", "Its first message is a sound hello", "3.1", starting.said_hello, "start"),
    Step("version", "It speaks this version of the protocol", "9", starting.same_version, "hello"),
    Step("games", "It plays a game that is installed", "3.1", starting.known_game, "version"),
    Step("answer", "It answers a decision", "3.2", answering.answers, "games"),
    Step("turns", "It answers each decision once, by its game and turn", "3.2", answering.turns, "answer"),
    Step("messages", "It takes every message, and answers only decisions", "4", answering.messages, "turns", NO_LIMIT),
    Step("faults", "It bears faults and answers none", "4.4", answering.faults, "turns", FAULT_ANSWERED),
    Step("crossing", "It bears the end of a game that asks it", "2.3", answering.crossing, "turns", CROSSING),
    Step("anew", "It plays a game anew that was given up", "2.3", answering.anew, "turns", ANEW),
    Step("vectors", "It takes the golden vectors", "1.4", answering.golden, "turns", SESSION),
    Step("whole", "It plays whole games with any number of players", "2.3", playing.whole_games, "turns"),
    Step("parallel", "It keeps several games apart", "2.5", playing.parallel, "turns", PARALLEL),
    Step("afresh", "It begins every game afresh", "7", playing.afresh, "turns"),
    Step("same", "It plays the same when asked the same", "7", playing.deterministic, "turns"),
    Step("later", "It bears what a later minor version may add", "9", playing.later_version, "turns", LATER),
    Step("bank", "It answers in time when the bank runs low", "5.2", endurance.low_bank, "turns", LATE),
    Step("stopped", "It goes on after it was stopped", "2.4", endurance.stopped, "turns", STOPPED),
    Step("output", "It does not flood its output", "2.1", endurance.output, "turns"),
    Step("memory", "Its memory does not grow from game to game", "8", endurance.memory, "turns"),
    Step("token", "It speaks under its own token", "1.2", endurance.own_token, "turns"),
    Step("bye", "It ends at bye", "2.7", endurance.goodbye, "turns"),
    Step("folder", "It leaves its folder as it is", "2.1", endurance.folder, "turns"),
)
NUMBERS: Final = {step.name: number for number, step in enumerate(STEPS, start=1)}


def with_needs(names: set[str]) -> set[str]:
    """These steps and all that they need."""
    by_name = {step.name: step for step in STEPS}
    found: set[str] = set()
    for name in names:
        needed: str | None = name
        while needed is not None:
            found.add(needed)
            needed = by_name[needed].needs
    return found
