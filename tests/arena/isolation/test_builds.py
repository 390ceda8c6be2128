"""What a hostile build can do at each level of isolation, with and without the network: one table."""

from __future__ import annotations

import json
import socket
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from arena.entrants import BuildFailed, build, expand
from arena.isolation import landlock
from arena.isolation.settings import LEVELS, Isolation
from tests.isolation_demand import need

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(sys.platform != "linux", reason="what Linux alone can do"),
]

BUILD: Final = """
import errno, json, os, signal, socket, subprocess, sys
given = json.load(open("given.json"))

def write(path):
    open(path, "w").write("#!/bin/sh\\n")

def own_program():
    write("./program")
    os.chmod("./program", 0o755)
    subprocess.run(["./program"], check=True)

def own_home():
    for name in ("HOME", "TMPDIR"):
        write(os.environ[name] + "/file")

def empty_home():
    assert os.listdir(os.environ["HOME"]) == []

def own_session():
    subprocess.run([sys.executable, "-c", "import os; os.setsid()"], check=True, stderr=subprocess.DEVNULL)

tries = {
    "own_program": own_program,
    "empty_home": empty_home,
    "own_home": own_home,
    "own_session": own_session,
    "read_secret": lambda: open(given["secret"]).read(),
    "write_outside": lambda: write(given["outside"]),
    "rivals_copy": lambda: write(given["rival"]),
    "signal_victim": lambda: os.kill(given["victim"], 0),
    "victims_environment": lambda: open(f"/proc/{given['victim']}/environ").read(),
    "tcp": lambda: socket.create_connection(("127.0.0.1", given["tcp"])).close(),
}
said = {}
for name, attempt in tries.items():
    try:
        attempt()
        said[name] = "done"
    except OSError as error:
        said[name] = errno.errorcode[error.errno]
    except Exception as error:
        said[name] = type(error).__name__
json.dump(said, open("said.json", "w"))
"""
DONE: Final = "done"
TABLE: Final[dict[str, tuple[str, str, str]]] = {
    # what a build tries: how that ends without isolation, by Landlock, and in a box
    "own_program": (DONE, DONE, DONE),
    "empty_home": ("AssertionError", DONE, DONE),
    "own_home": (DONE, DONE, DONE),
    "own_session": (DONE, DONE, DONE),
    "read_secret": (DONE, "EACCES", "ENOENT"),
    "rivals_copy": (DONE, "EACCES", "ENOENT"),
    "signal_victim": (DONE, "EPERM", "ESRCH"),
    "victims_environment": (DONE, "EACCES", "ENOENT"),
    "tcp": (DONE, "EAFNOSUPPORT", "ECONNREFUSED"),
}


@pytest.mark.parametrize("network", [False, True], ids=["alone", "with network"])
@pytest.mark.parametrize("level", LEVELS)
def test_a_build_can_do_what_the_table_says(
    victim: Any, tmp_path: Path, level: Any, network: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    need(level)
    if level == "landlock" and landlock.version() < landlock.SCOPES:
        pytest.skip("an older Landlock, which can do less")
    home, cache, bot = (tmp_path / name for name in ("home", "cache", "bot"))
    for folder in (home, cache / "rival", bot):
        folder.mkdir(parents=True)
    (home / "secret").write_text("4711")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("TMPDIR", str(home))
    with socket.create_server(("127.0.0.1", 0)) as tcp:
        given = {"victim": victim.pid, "secret": str(home / "secret"), "tcp": tcp.getsockname()[1]}
        given |= {"outside": str(tmp_path / "written"), "rival": str(cache / "rival" / "bot.py")}
        (bot / "given.json").write_text(json.dumps(given))
        (bot / "make.py").write_text(BUILD)
        env = f"env = {{ LD_DEBUG = 'statistics', LD_DEBUG_OUTPUT = '{tmp_path}/loader' }}\n"
        (bot / "bot.toml").write_text("command = './bot'\nbuild = ['{python}', 'make.py']\n" + env)
        built = build(expand([bot]).found[0], cache, isolation=Isolation(level, build_network=network))
    found = json.loads((built.folder / "said.json").read_text("utf-8"))
    expected = {attempt: outcomes[LEVELS[::-1].index(level)] for attempt, outcomes in TABLE.items()}
    if network:
        expected["tcp"] = DONE
    del found["write_outside"]  # in a box it may end in the build's own `/tmp`
    assert found == expected
    assert (tmp_path / "written").exists() is (level == "none")
    led = "the loader obeys the manifest's variables in a program outside of the box, and would load a library there"
    assert bool(list(tmp_path.glob("loader.*"))) is (level == "none"), led
    assert {path.name for path in home.iterdir()} == ({"secret", "file"} if level == "none" else {"secret"})
    assert not list(cache.glob("*.build-*")), "its home is left"


@pytest.mark.parametrize("level", ["box", "landlock"])
def test_a_build_that_misses_the_network_is_told_how_to_get_it(tmp_path: Path, level: Any) -> None:
    need(level)
    bot = tmp_path / "bot"
    bot.mkdir()
    (bot / "make.py").write_text("import socket\nsocket.create_connection(('example.org', 80))\n")
    (bot / "bot.toml").write_text("command = './bot'\nbuild = ['{python}', 'make.py']\n")
    with pytest.raises(BuildFailed, match=r"builds have no network: --build-network .*build_network = true in a plan"):
        build(expand([bot]).found[0], tmp_path / "cache", isolation=Isolation(level))


@pytest.mark.parametrize("level", ["box", "landlock"])
def test_a_plan_can_show_settings_to_a_build(tmp_path: Path, level: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    need(level)
    home, bot = tmp_path / "home", tmp_path / "bot"
    for folder in (home, bot):
        folder.mkdir()
    (home / ".settings").write_text("registry = here\n")
    monkeypatch.setenv("HOME", str(home))
    # In a box it is where tools look for it.
    place = "~/.settings" if level == "box" else str(home / ".settings")
    (bot / "bot.toml").write_text(f"command = './bot'\nbuild = ['sh', '-c', 'cat {place} > made']\n")
    isolation = Isolation(level, readable=(str(home / ".settings"),))
    built = build(expand([bot]).found[0], tmp_path / "cache", isolation=isolation)
    assert (built.folder / "made").read_text("utf-8") == "registry = here\n"
