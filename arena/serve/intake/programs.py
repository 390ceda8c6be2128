"""The steps that read or run what strangers sent, as programs of their own: one that never ends holds up nobody.

Each prints a `Verdict` as JSON. If the system lacks something, such as room on a disk, it prints none.
"""

from __future__ import annotations

import resource
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from arena.check import STEPS, check
from arena.common.errors import ArenaError
from arena.common.removal import remove
from arena.entrants import EntrantError, expand, kept_within
from arena.entrants.shortage import raise_limits
from arena.isolation.probe import choose
from arena.serve.intake import UnpackError
from arena.serve.intake.archives import UnpackBounds, unpack
from arena.tournament.plan import read_plan

_MEMORY: Final = 1 << 30
"""Of the process that unpacks: some ways to compress ask for as much as an archive says."""
_LINE: Final = 300
"""Characters of what a bot said last."""
_TRY_AGAIN: Final = 75
"""The exit code if there is no verdict."""


class Verdict(msgspec.Struct, frozen=True):
    """What a step has found."""

    refused: str | None = None
    """Why it takes no part."""
    fingerprint: str | None = None
    """Of the source, when it is unpacked."""


def unpacked(received: str, place: str, most: str, files: str) -> Verdict:
    """Unpack what was received to a place, within so many bytes and files."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    try:
        unpack(Path(received), Path(place), UnpackBounds(int(most), int(files)))
        found = expand([place])
        if [each.fault for each in found.found] != [""]:
            raise UnpackError("; ".join(reason for _, reason in found.skipped) or f"there is no one bot in {place}")
    except (UnpackError, EntrantError) as error:
        remove(place)
        return Verdict(str(error).replace(f"{place}/", ""))
    return Verdict(fingerprint=found.found[0].fingerprint)


def checked(plan: str, step: str = "") -> Verdict:
    """Check the first bot of a plan as its tournament would have it play. `step`: the last step that is taken."""
    raise_limits()
    asked = read_plan(Path(plan), {})
    found = expand([str(asked.bots[0])]).found
    [entrant] = kept_within(found, asked.limits, lambda text: print(text, file=sys.stderr))
    network = [each for each in asked.network if each.partition("=")[0] == entrant.name]
    isolation = choose(asked.isolation, asked.build_network, network, asked.remote)
    only = [STEPS[int(step) - 1].name] if step else []
    for result in check(entrant, asked.time(), only=only, game=asked.game, isolation=isolation):
        print(f"{result.title}: {result.outcome}", file=sys.stderr)
        if (problem := result.problem) is not None:
            said = (problem.stderr or problem.stdout).strip()
            print(said, file=sys.stderr)  # all of it is in the submitter's log
            last = f"\nits last line: {said.splitlines()[-1][:_LINE]}" if said else ""
            wanted = f"to do: {problem.requirement.advice} (protocol, section {problem.requirement.section})"
            return Verdict(f"{result.title}: {problem.what}{last}\n{wanted}")
    return Verdict()


_PROGRAMS: Final[Mapping[str, Any]] = {"unpack": unpacked, "check": checked}


def main(words: Sequence[str]) -> int:
    """Run the program that is named first with the words that follow."""
    try:
        print(msgspec.json.encode(_PROGRAMS[words[0]](*words[1:])).decode())
    except (ArenaError, OSError) as error:
        print(error, file=sys.stderr)
        return _TRY_AGAIN
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
