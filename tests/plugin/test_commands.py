"""Every command with a game that the arena does not know: the example plug-in, a module alone and without pictures.

`.ci/lowest` runs this on the oldest Python and with the oldest libraries.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from tests.fresh import ROOT, SECONDS, Fresh, once
from tests.plugin.installed import install
from tests.plugin.test_plugin import prepared

pytestmark = [pytest.mark.slow, pytest.mark.process]

EXAMPLE = ROOT / "docs" / "number_race"
RACE = "--game number-race"
TWO = "number_race/thrifty.py bots/random_bot.py"
HASTE = f"{RACE} --edition sprint --seed 1"
GAME = "p2-b0000-r0"
BEGIN = f"arena tournament {TWO} {HASTE} --players 2,3 --games 6 --out race --trace"
LEAGUE = (
    "mkdir league && cd league && arena serve --init && "
    """sed -i 's/kosmos/number-race/; s/"@greedy", //; s/"greedy"/"random_bot"/; s/port = .*/port = 0/' league.toml"""
)

TRIED = {
    "tournament": [
        f"arena tournament {TWO} bots/greedy.py {HASTE} --players 2 --games 4 --out again --json",
        f"arena tournament {TWO} {HASTE} --players 2 --format gauntlet --challenger thrifty --games 4 --out gauntlet",
        f"arena tournament {TWO} {HASTE} --players 2 --format knockout --blocks 1 --out knockout",
    ],
    "compare": [f"arena compare {TWO} {HASTE} --games 8 --players 2; test $? -lt 2"],
    # 4: the error asked for is not reached, which is no fault of so few games.
    "rate": [f"arena rate number_race/thrifty.py {HASTE} --players 2 --games 8; test $? -eq 4"],
    "match": [f"arena match {TWO} {HASTE}", f"arena match {TWO} {HASTE} --json"],
    "play": [
        f"(echo h; echo '?'; yes 1 | head -60) | arena play number_race/thrifty.py {HASTE} --text --ledger table",
        f"yes 1 | head -60 | arena play {HASTE} --players 3 --text --hints none --persons Ann,Bob --ledger table-2",
        "arena verify table",
    ],
    "show": [
        *("arena show race", "arena show race --games", "arena show race --history", "arena show race --json"),
        "arena show race --faults thrifty",
    ],
    "list": ["arena list", "arena list --json"],
    "leaderboard": [f"arena leaderboard race --format {each}" for each in ("plain", "github", "html", "csv", "json")],
    "report": ["arena report race", "arena report race --json", "arena report race --bot thrifty"],
    "replay": [
        f"arena replay race {GAME}",
        f"arena replay race {GAME} --seat 2 --json",
        f"arena replay race {GAME} --seat 1 --bot number_race/thrifty.py; test $? -lt 2",
    ],
    "analyse": [f"arena analyse race {GAME} --playouts 8 --jobs 1 --json"],
    "verify": ["arena verify race", "arena verify race --bots", "arena verify race --bot number_race/thrifty.py"],
    "publish": ["arena publish race --to site", "test -s site/index.html"],
    "export": ["arena export race --to games.csv", "arena export race --to exported", "arena verify exported"],
    "games": ["arena games", "arena games number-race", "arena games number-race --edition sprint --json"],
    "new": ["arena new fogg --lang python", f"arena match fogg bots/random_bot.py {HASTE}; test $? -lt 2"],
    "check": [f"arena check number_race/thrifty.py {RACE}", f"arena check bots/greedy.py {RACE}; test $? = 1"],
    "serve": ["arena serve league/league.toml --check", "arena serve league/league.toml --add ada"],
    "key": ["arena key bob --league league --address tcp://localhost:8790", "test -s bob.key"],
    "join": ["arena join tcp://localhost:8790 --key nobody.key -- python mine.py; test $? = 2"],  # there is no league
    "cluster": ["arena cluster up 1; test $? = 2"],  # it needs a library of its own
    "doctor": ["arena doctor"],
    "docs": ["arena docs", "arena docs add-a-game"],
}
"""What is typed, by command. Each line ends with 0."""
SERVED = {
    "play": f"arena play number_race/thrifty.py {HASTE} --no-browser --ledger page",
    "show": "arena show race --web",
    "serve": "arena serve league/league.toml",
}
"""Commands that serve pages until Ctrl-C."""


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Fresh:
    """A folder with a tournament of the game, in an environment with the arena and the example."""
    programs = prepared(tmp_path_factory).environment

    def prepare(folder: Path) -> None:
        made = Fresh(programs, folder)
        shutil.copytree(EXAMPLE, folder / "number_race", ignore=shutil.ignore_patterns("__pycache__"))
        (folder / "bots").symlink_to(ROOT / "bots")
        made.run(BEGIN)
        made.run(LEAGUE)

    return Fresh(programs, once(tmp_path_factory, "commands", prepare))


def test_every_command_is_tried(fresh):
    listed = fresh.run("arena --help").stdout.split("\nCommands:\n")[1].split("\n\n")[0]
    assert set(re.findall(r"^  (\w+)", listed, re.MULTILINE)) == TRIED.keys()


@pytest.mark.parametrize("name", TRIED)
def test_a_command_knows_what_to_do(fresh, name):
    for line in TRIED[name]:
        done = fresh.run(line)
        assert "Traceback" not in done.stdout + done.stderr, line


def test_a_person_is_told_what_they_may_know(fresh):
    told = fresh.run(f"(echo '?'; yes 1 | head -60) | arena play {HASTE} --text --ledger told").stdout
    assert re.search(r"^  steps   0, 0\n  turn    [01]\n  number  [1-6]$", told, re.MULTILINE)
    assert re.search(r"^\* (steps|number) ", told, re.MULTILINE), "what is new is marked"
    assert "hand" not in told


def test_a_package_without_worlds_is_played_and_shown_as_it_draws_itself(fresh):
    install(fresh.folder / "plugged")

    def run(line: str) -> str:
        return fresh.run(f"export PYTHONPATH=plugged; {line}").stdout

    game = "--game drawn-race --edition sprint --seed 1"
    run(f"arena tournament @random_bot other=@random_bot {game} --players 2 --games 2 --out drawn")
    assert "as recorded" in run("arena verify drawn")
    seen = re.findall(r"^(\w+) draws \d$", run(f"arena replay drawn {GAME} --seat 1"), re.MULTILINE)
    assert len(seen) > 1
    assert len(set(seen)) == 1, "its own draws alone"
    run("arena publish drawn --to drawn-site")
    seat = (fresh.folder / "drawn-site" / "games" / GAME / "seat-0.js").read_text("utf-8")
    assert "your number: " in seat
    assert "your number: " not in (fresh.folder / "drawn-site" / "games" / GAME / "public.js").read_text("utf-8")
    told = run(f"(echo h; echo '? D-1'; yes 1 | head -60) | arena play {game} --text --ledger drawn-table")
    assert "no hints: drawn-race draws no worlds" in told
    assert "no bot gives hints here" in told
    assert "its own secret" in told, "a rule of the package's own page"
    assert re.search(r"^  0 >\n  1 >\n  your number: [1-6]$", told, re.MULTILINE)
    told = run(f"yes 1 | head -60 | arena play {game} --text --hints @random_bot --ledger drawn-table-2")
    assert "where choices cost most is not said: drawn-race draws no worlds" in told


@pytest.mark.parametrize("name", SERVED)
def test_pages_are_served(fresh, name):
    path = f"{fresh.environment / 'bin'}{os.pathsep}{os.environ['PATH']}"
    surroundings = os.environ | {"PATH": path, "XDG_CACHE_HOME": str(fresh.folder / "cache"), "PYTHONUNBUFFERED": "1"}
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    with subprocess.Popen(SERVED[name].split(), cwd=fresh.folder, env=surroundings, **pipes) as served:
        said = []
        for line in served.stdout:
            said.append(line)
            if found := re.search(r"http://\S+", line):
                break
        else:
            pytest.fail("".join(said))
        with urlopen(found[0], timeout=SECONDS) as page:
            assert page.status == 200
        served.terminate()  # SIGINT is ignored by what a script starts in the background, as CI does
        said.append(served.communicate(timeout=SECONDS)[0])
    assert "Traceback" not in "".join(said)
