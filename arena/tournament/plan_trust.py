"""Say what a plan opens, before anything of it runs, and refuse what no plan may open.

A plan may come from a stranger. What it can ask for beyond playing bots in their boxes is named here, all of it.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from arena.common.printable import printable
from arena.entrants import LimitCeilings
from arena.isolation.settings import expanded, network_words, remote_words
from arena.ledger.database import FILE as LEDGER_FILE
from arena.tournament.hooks.commands import EVENTS
from arena.tournament.plan import DEFAULT_OUT, Plan, PlanError

_LEVELS: Final = {
    "none": "bots run without isolation: they can read and change all that you can",
    "landlock": "bots run without a box, even where there is one",
}
_MOST_FOLDERS: Final = 10_000
"""Folders that are looked through for ledgers."""


def opened(plan: Plan, typed: Mapping[str, Any]) -> list[str]:
    """Say in a line each what a plan's file opens, apart from what was typed besides. Empty: nothing.

    Args:
        plan: The plan with what was typed.
        typed: The options that were typed, by key; None: not typed.
    """
    lines = []
    if typed.get("isolation") is None and plan.isolation.level in _LEVELS:
        lines.append(_LEVELS[plan.isolation.level])
    if plan.isolation.readable:
        lines.append(f"bots can read {', '.join(plan.isolation.readable)}")
    if plan.build_network and typed.get("build_network") is None:
        lines.append("builds use the network of this machine")
    if typed.get("network") is None:
        lines += map(network_words, plan.network)
    lines += remote_words(plan.remote)
    if plan.cluster is not None and typed.get("cluster") is None:
        lines.append(f"bots are sent to {plan.cluster}, and its workers say how games went")
    usual = LimitCeilings()
    more = [key for key in usual.__struct_fields__ if getattr(plan.limits, key) > getattr(usual, key)]
    if more:
        lines.append(f"bots may ask for more: {', '.join(f'{key} {getattr(plan.limits, key)}' for key in more)}")
    if plan.heads is not None and typed.get("heads") is None:
        lines.append(f"lines are added to the file {plan.heads}")
    if plan.hooks is not None:
        for event in EVENTS:
            if words := plan.hooks.words(event):
                lines.append(f"a program runs as you, with your rights, at each event `{event}`: {shlex.join(words)}")
    return [printable(line) for line in lines]


def check_readable(plan: Plan) -> None:
    """Raise `PlanError` if bots could read a ledger: beside it lies the seed, which gives away every deck."""
    for each in plan.isolation.readable:
        path = expanded(each).resolve()
        out = Path(DEFAULT_OUT if plan.out is None else plan.out).resolve()
        if found := [out] if out.is_relative_to(path) or path.is_relative_to(out) else _ledgers(path):
            raise PlanError(
                f"isolation: readable: {each} would show bots the tournament in {found[0]}, its seed too: name "
                "a folder without tournaments",
                "isolation",
            )


def _ledgers(path: Path) -> list[Path]:
    """Return a folder with a ledger that holds a path, or that the path holds, if there is one."""
    for above in (path, *path.parents):
        if (above / LEDGER_FILE).is_file():
            return [above]
    for number, (folder, _, files) in enumerate(os.walk(path)):
        if LEDGER_FILE in files:
            return [Path(folder)]
        if number >= _MOST_FOLDERS:
            break
    return []
