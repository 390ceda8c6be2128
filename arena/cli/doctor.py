"""`arena doctor`: show how bots can be kept apart on this machine, and how to get the rest."""

from __future__ import annotations

import os
from typing import Final

import typer

from arena.cli.options import AsJson
from arena.cli.terminal import ExitCode, print_json, say
from arena.isolation.control_groups import probe_groups
from arena.isolation.probe import REQUIRED, Probed, probe
from arena.isolation.settings import LEVELS, Level

_WHAT = {
    "box": "namespaces of its own: no other process, no network, no file but its own",
    "landlock": "rules of the kernel: no other file, no network but the way to the referee, no signals to others",
    "none": "nothing between bots and you",
}


EXAMPLES: Final = (
    "arena doctor",
    "arena doctor --json",
)


def command(as_json: AsJson = False) -> None:
    """Show how bots can be kept apart on this machine, and how to get the rest.

    Exits with 1 if the environment demands a level (ARENA_REQUIRE_ISOLATION) that cannot be had.
    """
    levels = [probe(level) for level in LEVELS]
    auto = next(each.level for each in levels if each.works)
    required = os.environ.get(REQUIRED) or None
    groups = probe_groups()
    exact_limits = f"{'no' if groups.groups is None else 'yes'}: {groups.why}"
    if as_json:
        found = [each._asdict() for each in levels]
        print_json({"levels": found, "auto": auto, "required": required, "exact_limits": exact_limits})
    else:
        for each in levels:
            _print(each)
        say(f"--isolation auto takes: {auto}")
        if required is not None:
            say(f"{REQUIRED}={required}: {'met' if _is_met(required, auto) else 'NOT MET'}")
        say(f"exact limits of memory, processes and processor time: {exact_limits}")
    if required is not None and not _is_met(required, auto):
        raise typer.Exit(ExitCode.NO)


def _is_met(required: str, auto: Level) -> bool:
    return required in LEVELS and LEVELS.index(auto) <= LEVELS.index(required)


def _print(each: Probed) -> None:
    say(f"{each.level:<9} {'works' if each.works else 'does not work'}: {each.why}")
    say(f"{'':<9} {_WHAT[each.level]}")
    if each.remedy:
        say(f"{'':<9} to get it: {each.remedy}")
