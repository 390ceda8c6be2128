"""`arena check`."""

from __future__ import annotations

import pytest

from tests.arena.cli.conftest import ROOT, TEXT_BOT
from tests.arena.cli.wording.scenario import Place, scenario

CALM = "--start 60 --bank 60"
SECONDS = r"(?<=after )\d+\.\d+(?= s)"
FIGURES = (
    *(r"\d+(?= decisions)", r"\d+ to \d+(?= ms)", r"\d+(?= MiB)", r"\d+(?= times)", r"(?<=chose )\d+ of 0 to \d+"),
)


def bots(place: Place) -> None:
    place.bots("greedy", "random_bot")
    place.write("text.py", TEXT_BOT)
    for stream in ("stdout", "stderr"):
        place.write(f"{stream}.py", f"import sys; sys.{stream}.write('go.mod:3:\\tno such\\a module\\n')")
    place.write("built/bot.toml", "command = '{python} bot.py'\nbuild = 'true really'\n")
    place.write("built/bot.py", (ROOT / "bots" / "greedy.py").read_bytes())
    place.write("unbuildable/bot.toml", 'command = "./bot"\nbuild = "false"\n')
    place.write("notes.txt")


def beginners(place: Place) -> None:
    place.write("forgot.py", "from arena.client import run\n")
    place.write("empty.py")
    place.write("beside.py", "raise SystemExit('cannot open openings.txt')")
    place.write("openings.txt")
    place.write("later.py", "from arena.client import run\nrun(lambda game: exit('cannot open openings.txt'))")
    place.write("misspelt/bot.toml", "command = 'pyhton bot.py'")
    place.write("closed/bot.toml", "command = './bot'")
    place.write("closed/bot", "#!/bin/sh\n")
    place.write("windows", "#!/bin/sh\r\nexit\r\n")
    (place.folder / "windows").chmod(0o755)
    place.write("closed.sh", "#!/bin/sh\n")
    (place.folder / "lost.py").symlink_to("nowhere.py")


MANIFESTS = {
    "key": "comand = 'x'",
    "limit": "command = 'x'\n[limits]\nmemory = 3",
    "no-command": "name = 'x'",
    "number": "command = 7",
    "empty": "command = ''",
    "transport": "command = 'x'\ntransport = 'udp'",
    "memory": "command = 'x'\nlimits = { memory_mb = 1 }",
    "limits": "command = 'x'\nlimits = 3",
    "env": "command = 'x'\nenv = { A = 1 }",
    "zero": 'command = "x"\nenv = { A = "a\\u0000b" }',
    "name": "command = 'x'\nname = ''",
    "no-toml": "command = ",
    "not-built": "command = './build/bot'",
}


def manifests(place: Place) -> None:
    for name, text in MANIFESTS.items():
        place.write(f"{name}/bot.toml", text)
    place.write("not-built/build/bot")
    (place.folder / "not-built" / "build" / "bot").chmod(0o755)


SCENARIOS = [
    scenario("a sound bot", f"check greedy.py {CALM}", given=bots, hide=[SECONDS, *FIGURES], marks=[pytest.mark.slow]),
    scenario("a bot that speaks no msgpack", "check text.py", given=bots, hide=[SECONDS], marks=[pytest.mark.slow]),
    scenario("last words on standard error", "check stderr.py --step 3", given=bots),
    scenario("last words on standard output", "check stdout.py --step 3", given=bots, marks=[pytest.mark.slow]),
    scenario(
        "what beginners do",
        *(f"check {bot} --step 3" for bot in ("forgot.py", "empty.py", "beside.py", "misspelt", "closed", "windows")),
        *(f"check {bot}" for bot in ("closed.sh", "lost.py")),
        given=beginners,
        marks=[pytest.mark.slow],
    ),
    scenario(
        "a file that is opened later",
        "check later.py --step 7",
        given=beginners,
        hide=[SECONDS],
        marks=[pytest.mark.slow],
    ),
    scenario(
        "a bot that is built, and is built already",
        f"check built {CALM} --step 1",
        f"check built {CALM} --step 1",
        given=bots,
    ),
    scenario("a bot that cannot be built", "check unbuildable --step 1", given=bots),
    scenario(
        "a bot.toml that is wrong",
        *(f"check {name}" for name in MANIFESTS),
        given=manifests,
        hide=[r"(?<=no-toml/bot.toml: cannot be read as TOML: ).*"],
    ),
    scenario(
        "what cannot be checked",
        "check",
        "check nothing.py",
        "check *.py",
        "check notes.txt",
        "check greedy.py --game halma",
        "check greedy.py --step 0",
        "check greedy.py --move x",
        given=bots,
    ),
]
