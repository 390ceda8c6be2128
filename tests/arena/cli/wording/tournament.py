"""`arena tournament`: with made-up games, as in `tests/arena/tournament/`, but where bots are started on purpose."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from functools import partial

import pytest

from arena.cli import log
from arena.cli import tournament as command
from arena.ledger import locked
from arena.tournament import admission, capacity
from tests.arena.cli.wording.match import LOG
from tests.arena.cli.wording.scenario import Given, Place, scenario
from tests.arena.tournament.conftest import Lab, make_lab

HASTE = "--games 4 --players 2 --jobs 1"
BELOW = r"\d+ games played|\d+ bots are called|a@2 and|left out:|suspended:|Interrupted"
TABLES = rf"(?s)(?<=out\| )overall\n.*?(?=\nout\|\nout\| (?:{BELOW}))"
"""What stands in `leaderboard.txt`."""
AHEAD = r"too early to say: any of the 3 may be the best|\w+ leads(; \w+ is not ruled out)?"
"""Who that is depends on a seed that is drawn."""
OTHERS = ("--seed 2", "--move 0.5", "--strikes 4", "--edition nim", "entries/c.py")
VALUES = (
    *("--game chess", "--edition nosuch", "--edition none.toml", "--edition mine.toml", "--edition ''"),
    *("--players 2-7", "--players two", "--rounds 0", "--games 1.5", f"--games {'9' * 30}"),
    *("--minutes 0", "--minutes nan", "--seed -1", "--jobs 0", "--out ''", "--out file", "--out file/t"),
    *("--until resolvd", "--format swis", "--format league", "--on-crash los", "--isolation boxes"),
    *("--start 0", "--move -1", "--bank inf", "--bank soon", f"--strikes {'9' * 30}"),
)
TWO, THREE = "entries/a.py entries/b.py", "entries/a.py entries/b.py entries/c.py"


def lab(prepare: Callable[[Place, Lab], object] = lambda *_: None) -> Given:
    """Three bots, `entries/a.py` to `c.py`, whose games are decided by their seeds."""

    def given(place: Place) -> None:
        made = make_lab(place.folder, place.monkeypatch)
        place.monkeypatch.setattr(log, "workers", lambda: made.make)
        place.monkeypatch.setattr(secrets, "token_bytes", bytes)  # a seed that is drawn is the same each time
        made.bots("a", "b", "c")
        place.write("entries/notes.txt", "no bot")
        prepare(place, made)

    return given


def played(lab: Lab, **options: object) -> None:
    """Play a tournament of two bots, and say nothing."""
    lab.run("a b", games=4, players="2", **options)


def changed(place: Place, lab: Lab) -> None:
    """Two tournaments were played, with and without `--out`; then a bot was edited."""
    played(lab, seed=None)
    played(lab, seed=None, out="t")
    place.write("entries/a.py", "# better")


def among_bots(place: Place, lab: Lab) -> None:
    """A bot that is a folder, and one that was written into the folder of a tournament later."""
    place.write("folder/bot.toml", 'command = "x"')
    place.write("folder/x")
    played(lab, seed=None, out="t")
    place.write("t/a.py", "# mine")


def left_out(place: Place, lab: Lab) -> None:
    lab.left_out = {"c": "exit code 1 before it said hello: no such luck\nhm\nno such luck"}


def trouble(place: Place, lab: Lab) -> None:
    """One game fails once through our own fault, and another one again and again."""
    lab.void = {"p2-b0000-r1": 1, "p2-b0001-r0": 2}


def interrupted(place: Place, lab: Lab) -> None:
    lab.interrupt_after = 2
    place.write("p.toml", "fresh = true")


def many_jobs(known: bool) -> Given:
    """This machine has two cores, and its system reports how long a process waits for one, or does not."""

    def prepare(place: Place, _: Lab) -> None:
        place.monkeypatch.setattr(command, "cores", lambda: 2)
        place.monkeypatch.setattr(command, "credits_waiting", lambda: known)

    return lab(prepare)


def being_played(place: Place, lab: Lab) -> None:
    played(lab, seed=None, out="t")
    place.stack.enter_context(locked(place.folder / "t"))
    place.write("t/lock", "4711")


def little_room(files: int) -> Given:
    """So many files may be open at once."""

    def prepare(place: Place, _: Lab) -> None:
        place.monkeypatch.setattr(command, "cores", lambda: 99)
        place.monkeypatch.setattr(capacity, "_open_files", lambda: files)

    return lab(prepare)


def odd_files(place: Place, _: Lab) -> None:
    for name in ("README.md", "__init__.py", "__pycache__/one.pyc"):
        place.write(f"odd/{name}")
    os.mkfifo(place.folder / "odd" / "pipe")
    (place.folder / "odd" / "lost.py").symlink_to("nowhere")


PLANS = {
    "key": "gams = 3",
    "text": 'games = "3"',
    "zero": "strikes = 0",
    "huge": "strikes = 9223372036854775807",
    "nan": "move = nan",
    "jobs": "jobs = 1001",
    "out": 'out = ""',
    "edition": 'edition = " "',
    "two": "games = 3\nminutes = 2.0",
    "until": 'until = "resolvd"',
    "level": 'isolation = "boxes"',
    "latin": b'note = "caf\xe9"',
}


def plans(place: Place, _: Lab) -> None:
    for name, text in PLANS.items():
        place.write(f"{name}.toml", text)  # type: ignore[arg-type]


def editions(place: Place, _: Lab) -> None:
    place.write("mine.toml", 'base = "en"\nknob = 3\n')
    place.write("file")


def real(place: Place) -> None:
    """Bots of all kinds, built and started one after the other; most of them cannot take part."""
    one_by_one = partial(admission.side_by_side, at_once=1)  # type: ignore[attr-defined]
    place.monkeypatch.setattr(admission, "side_by_side", lambda bots, one, _: one_by_one(bots, one))
    place.bots("greedy", "random_bot", "strider")
    place.write("built/bot.toml", 'command = "{python} bot.py"\nbuild = "true"\n')
    place.write("built/bot.py", (place.folder / "greedy.py").read_bytes())
    place.write("broken/bot.toml", 'command = "true"\nbuild = "sh -c \'echo no such header; exit 3\'"\n')
    place.write("wrong/bot.toml", 'comand = "true"\n')
    place.write("killed.py", "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n")
    place.write("silent.py", "import sys\nprint('hm', file=sys.stderr)\nsys.exit('no such luck')\n")


SCENARIOS = [
    scenario("a tournament, and what it skips", "tournament entries/* --games 6 --seed 1 --jobs 1", given=lab()),
    scenario("its tables as JSON", f"tournament {TWO} {HASTE} --seed 1 --json", given=lab(left_out), first=1),
    scenario(
        "how bots are built and started, and the log of it",
        "tournament *.py built broken wrong --games 2 --players 2 --jobs 1 --start 60 --bank 60 --verbose",
        given=real,
        hide=[TABLES, AHEAD, *LOG],
        marks=[pytest.mark.slow],
    ),
    scenario(
        "what next, if nothing but bots was named",
        f"tournament {TWO} --players 2 --jobs 1",
        f"tournament {TWO} --players 2 --jobs 1 --out 'a folder'",
        f"tournament {TWO} --players 2 --jobs 1 --quiet",
        given=lab(),
        hide=[TABLES],
    ),
    scenario(
        "it was played before",
        f"tournament {TWO} {HASTE}",
        given=lab(lambda _, lab: played(lab, seed=None)),
        hide=[TABLES],
    ),
    scenario(
        "a bot was changed since",
        f"tournament {TWO} {HASTE}",
        f"tournament {TWO} {HASTE}",
        given=lab(changed),
        hide=[TABLES],
    ),
    scenario(
        "in a folder of ones own something has changed since",
        *(f"tournament {TWO} {HASTE} --out t {option}" for option in ("", *OTHERS)),
        f"tournament {TWO} --players 2,3 --out t",
        f"tournament entries/b.py entries/c.py {HASTE} --out t",
        f"tournament entries/b.py entries/c.py {HASTE} --out t --leave",
        f"tournament entries/b.py {HASTE} --out t --fixed",
        f"tournament {TWO} {HASTE} --out t --fresh",
        given=lab(changed),
        hide=[TABLES],
    ),
    scenario(
        "a bot that cannot be started",
        f"tournament {THREE} {HASTE} --out t",
        f"tournament {THREE} {HASTE} --out t",
        f"tournament {THREE} {HASTE} --out t --strict",
        f"tournament {THREE} {HASTE} --out s --strict",
        given=lab(left_out),
        hide=[TABLES],
    ),
    scenario(
        "without progress",
        f"tournament {TWO} odd/README.md --games 2 --players 2 --jobs 1 --quiet",
        f"-q tournament {TWO} odd/README.md --games 4 --players 2 --jobs 1",
        given=lab(odd_files),
        hide=[TABLES],
    ),
    scenario(
        "two files of one name",
        f"tournament {TWO} mine/a.py {HASTE}",
        f"tournament mine/a.py {TWO} {HASTE}",
        "show",
        given=lab(lambda place, _: place.write("mine/a.py", "# mine")),
        hide=[TABLES],
    ),
    scenario(
        "results among the bots",
        f"tournament {TWO} {HASTE} --out entries",
        f"tournament {TWO} folder {HASTE} --out folder/results",
        f"tournament t/a.py {TWO} {HASTE} --out t --fresh",
        given=lab(among_bots),
    ),
    scenario("too few bots", "tournament entries/a.py", f"tournament {TWO} --players 3", given=lab()),
    scenario("games that fail through our own fault", f"tournament {TWO} {HASTE}", given=lab(trouble), hide=[TABLES]),
    scenario(
        "a bot that retires again and again",
        f"tournament {TWO} --players 2 --games 10 --jobs 1",
        f"tournament {THREE} --players 2 --format knockout --seed 1 --jobs 1 --out cup",
        given=lab(lambda _, lab: lab.retires.add("b")),
        hide=[TABLES],
    ),
    scenario(
        "Ctrl-C",
        f"tournament {TWO} {HASTE} --fresh --out 'a folder'",
        f"tournament {TWO} {HASTE} --plan p.toml",
        given=lab(interrupted),
        hide=[TABLES],
    ),
    scenario("it is being played", f"tournament {TWO} --players 2 --out t", given=lab(being_played)),
    scenario(
        "more jobs than cores",
        *(f"tournament {TWO} --games 1 --players 2 --jobs {jobs}" for jobs in (2, 3)),
        given=many_jobs(True),
        first=0,
    ),
    scenario(
        "more jobs than cores, where waiting is not reported",
        f"tournament {TWO} --games 1 --players 2 --jobs 3",
        given=many_jobs(False),
        first=0,
    ),
    scenario("more than this machine can do", f"tournament {TWO} --players 2 --jobs 99", given=little_room(128)),
    scenario("less than one game needs", f"tournament {TWO} --players 2 --jobs 1", given=little_room(60)),
    scenario(
        "versions and challengers that there are not",
        f"tournament {TWO} {HASTE} --pin a@2",
        f"tournament {TWO} {HASTE} --pin nobody@1",
        f"tournament entries/a.py entries/b.py mine/gredy.py {HASTE} --challenger greedy --seed 1",
        given=lab(lambda place, _: place.write("mine/gredy.py")),
        first=0,
    ),
    scenario("what is no bot", f"tournament {TWO} odd/* {HASTE} --seed 1", given=lab(odd_files), hide=[TABLES]),
    scenario(
        "no bots",
        "tournament",
        "tournament none.py",
        "tournament none/*",
        "tournament wait:me",
        "tournament @nobody",
        "tournament --strict entries/*",
        given=lab(),
    ),
    scenario(
        "plans that are wrong",
        *(f"tournament --plan {name}.toml" for name in ("none", *PLANS)),
        "tournament --plan entries",
        "tournament --plan entries/a.py/plan.toml",
        "tournament --games 2 --rounds 1",
        given=lab(plans),
    ),
    scenario("values that are not allowed", *(f"tournament {TWO} {option}" for option in VALUES), given=lab(editions)),
]
