"""How the start of a box hands over a bot's variables, which reach neither bubblewrap nor its arguments."""

from __future__ import annotations

import json
import os
import sys
from typing import Any, Final

import pytest

from arena.isolation import box_start
from tests.isolation_demand import need

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what Linux alone can do")

SAYS: Final = """
import json, os
for name, value in os.environ.items():
    print(json.dumps([name, len(value) if name in ("LONG", "PATH") else value]))
"""
"""It says how long the values are that may be longer than a line of a log."""
LONG: Final = 50_000
"""Characters: more than some pipes hold, less than a `bot.toml` may have."""


def test_bubblewrap_gets_the_variables_by_a_file_alone() -> None:
    token = "0123456789abcdef"
    words = ["/usr/bin/bwrap", "--args", "ENVIRONMENT", "--", "ENVIRONMENT"]
    variables = {"LD_PRELOAD": "./evil.so", "ARENA_TOKEN": token, "": "nameless", "A=B": "no name"}
    start = box_start.prepare(
        {"command": words, "env": variables, "confinement": {"filter": "", "tasks": 1, "helpers": 2}}
    )
    try:
        assert start.environment == {}
        place = start.command[2]
        assert start.command == [*words[:2], place, *words[3:]]
        given = os.read(int(place), 1 << 16).decode().split("\0")
    finally:
        for each in (*start.pass_fds, *start._ours):
            os.close(each)
    assert given == ["--clearenv", "--setenv", "LD_PRELOAD", "./evil.so", "--setenv", "ARENA_TOKEN", token, ""]


@pytest.mark.process
def test_a_bot_in_a_box_has_its_variables_and_no_others(cell: Any) -> None:
    need("box")
    env = {"LONG": "x" * LONG, "WORDS": "--setenv A B\n--", "NONE": "", "OPTION": "--clearenv"}
    table = ", ".join(f"{name} = {json.dumps(value)}" for name, value in env.items())
    built = cell.built({"bot.py": SAYS}, "box", f"env = {{ {table} }}\nlimits = {{ open_files = 16 }}")
    found = dict(map(json.loads, cell.said(built).splitlines()))
    assert found == found | env | {"LONG": LONG, "HOME": "/tmp/home", "ARENA_ENDPOINT": "ipc:///run/arena"}
    usual = {"PATH", "HOME", "TMPDIR", "LANG", "PYTHONHASHSEED", "PYTHONDONTWRITEBYTECODE", "OMP_NUM_THREADS"}
    assert set(found) == usual | {"ARENA_ENDPOINT", "ARENA_TOKEN", "PWD", *env}


@pytest.mark.process
def test_a_bot_with_more_variables_than_a_box_takes_is_charged_with_that(cell: Any) -> None:
    need("box")
    table = ", ".join(f"V{number} = ''" for number in range(3000))
    process = cell.launch(cell.built({"bot.py": SAYS}, "box", f"env = {{ {table} }}"))
    ended = process.wait(60)
    process.end()
    assert ended is not None
    assert (ended.code, ended.shortage) == (127, 0), ended.reason
    assert "Argument list too long" in process.stderr_tail()
