"""What each attack comes to at each level of isolation, and the same as a table in docs/isolation.md.

To write the table anew: python -m tests.hostile.levels
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

from arena.isolation.settings import LEVELS, Level
from arena.referee.time.run_queue import ALLOWANCE_SECONDS

PAGE: Final = Path(__file__).parents[2] / "docs" / "isolation.md"
HEAD: Final = "| attack | `none` | `landlock` | `box` |\n|---|---|---|---|\n"
FAILS: Final = "fails"
WORKS: Final = "works"
HAND: Final = 42
"""What partners pass on; collusion.py has the same."""


def costs(code: str) -> str:
    """The attack fails, and its author is charged with this."""
    return f"fails; `{code}`"


def victim_pays(code: str) -> str:
    """The attack works, and the rival is charged with this."""
    return f"works; the rival is charged with `{code}`"


class Row(NamedTuple):
    """What an attack comes to, by level."""

    what: str
    none: str
    landlock: str
    box: str

    def at(self, level: Level) -> str:
        return self[1 + LEVELS[::-1].index(level)]


def fails(what: str) -> Row:
    """At each level."""
    return Row(what, FAILS, FAILS, FAILS)


ALONE: Final = {
    "read_seed": Row("read the file with the tournament's secret seed", WORKS, FAILS, FAILS),
    "read_memory": fails("read seeds in the memory of worker or command"),
    "guess_seed": Row("guess a small number given as `--seed`", *[f"{WORKS}, at 0.2 s a guess"] * len(LEVELS)),
    "read_typed_seed": fails("read a number that was typed after `--seed`"),
    "find_place": fails("learn from `game_id` where in the schedule it plays"),
    "squat": Row("connect to a rival's endpoint with its token", costs("impostor"), costs("impostor"), FAILS),
    "speak_as_rival": Row(
        "speak under a rival's token over a connection of its own", *[costs("impostor")] * len(LEVELS)
    ),
    "speak_over_rivals_socket": Row(
        "copy the rival's socket, and send rubbish over it", victim_pays("malformed"), FAILS, FAILS
    ),
    "report_for_supervisor": fails("report in the name of its supervisor"),
    "kill_rival": Row("kill a rival", victim_pays("crash"), FAILS, FAILS),
    "stop_rival": Row("stop a rival", victim_pays("late"), FAILS, FAILS),
    "kill_worker": Row("kill the worker when a game looks lost", costs("crash"), FAILS, FAILS),
    "change_ranks": Row("change ranks in the ledger", f"{WORKS}; `verify` names the games", FAILS, FAILS),
    "date_ledger": Row("change the time of the ledger", WORKS, FAILS, FAILS),
    "watch_files": Row("be told when the ledger is written to", WORKS, FAILS, FAILS),
    "lay_module": Row("lay a module beside a rival's program", f"{FAILS}: copies are compared", FAILS, FAILS),
    "stop_supervisor": Row("stop its supervisor, to compute on", costs("crash"), FAILS, FAILS),
    "leave_group": Row("compute in others' time in another session", f"{WORKS} for half a second", FAILS, FAILS),
    "steal_time": Row(
        "let hidden children compute, and wait for the core that they use",
        *[f"{WORKS} for at most {ALLOWANCE_SECONDS} s a game"] * len(LEVELS),
    ),
    "outlive": Row("leave a process that outlives the tournament", costs("crash"), FAILS, FAILS),
    "hide_memory": Row("hide memory in files without a name", WORKS, FAILS, FAILS),
    "hide_shared": Row(
        "hide memory in maps that it shares with children, and lets go", WORKS, costs("crash"), costs("crash")
    ),
    "fill_disk": Row("fill the disk with many files", WORKS, WORKS, FAILS),
    "ask_for_more": Row("ask for more than the organizer's ceilings", *[costs("crash")] * len(LEVELS)),
    "burst": Row("start more processes than it may", *[costs("crash")] * len(LEVELS)),
    "slow_rival": Row("take priority, cores or limits from a rival", WORKS, FAILS, FAILS),
    "watch_rival": Row("see in `/proc` whether a rival was asked", WORKS, WORKS, FAILS),
    "watch_machine": Row("see in `/proc` how many files are open on the machine, and the like", WORKS, WORKS, FAILS),
    "list_software": Row("see what is installed in `/opt`", WORKS, FAILS, FAILS),
    "read_rivals_files": Row("read what rivals log and keep", WORKS, FAILS, FAILS),
    "read_arenas_environment": fails("read secrets in the environment of worker or command"),
    "read_named": Row("read a folder of yours that the first line of its program names", WORKS, FAILS, FAILS),
    "read_by_build": Row("read in its build a folder of yours that its variables name", WORKS, FAILS, FAILS),
    "open_by_plan": fails("have a plan that you did not write open your files or run its programs, before you agree"),
    "lead_arena": fails("have the arena run programs from its own `PATH`"),
    "load_library": Row(
        "load a library into bubblewrap, by `LD_PRELOAD` and the like for its command", WORKS, FAILS, FAILS
    ),
    "load_library_for_build": Row("load a library into bubblewrap, in the same way for its build", WORKS, FAILS, FAILS),
}
"""By the name of the attack in `attacks.py`, or of what else is tried."""
TOGETHER: Final = {
    "file": Row("by a file in a folder that both can see", WORKS, FAILS, FAILS),
    "copy": Row("by a file in its own folder, which is also there the next time", WORKS, FAILS, FAILS),
    "label": Row("by an extended attribute or the time of a folder that both can find", WORKS, FAILS, FAILS),
    "path_socket": Row("by a socket with a path", WORKS, FAILS, FAILS),
    "abstract_socket": Row("by a socket without a path", WORKS, FAILS, FAILS),
    "network": Row("by the machine's own network", WORKS, FAILS, FAILS),
    "semaphore": Row("by a semaphore in the kernel", WORKS, FAILS, FAILS),
    "queue": Row("by a queue of messages in the kernel", WORKS, FAILS, FAILS),
    "lock": Row("by locks on a file that both can read", WORKS, WORKS, WORKS),
}
"""By channel: how two bots of one author can pass on what they see."""


def table() -> str:
    """The table, in Markdown."""
    rows = [*ALONE.values(), *(row._replace(what=f"show a partner its hand {row.what}") for row in TOGETHER.values())]
    return HEAD + "".join(f"| {' | '.join(row)} |\n" for row in rows)


def page() -> str:
    """The page with the table as it should be."""
    text = PAGE.read_text("utf-8")
    before, _, rest = text.partition(HEAD)
    after = rest[rest.index("\n\n") + 1 :]
    return before + table() + after


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
