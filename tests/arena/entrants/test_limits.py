"""The arena may open as many files as the system allows; what it starts gets what it would have had without that."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from arena.entrants import Entrant, LimitCeilings, ResourceLimits, kept_within

pytestmark = pytest.mark.process

PROGRAM = """
import resource, sys
from pathlib import Path
from arena.entrants import BotProcess, ResourceLimits
from arena.entrants.bot_process import new_scratch
from arena.entrants.shortage import raise_limits

resource.setrlimit(resource.RLIMIT_NOFILE, (200, 700))
for _ in range(2):
    raise_limits()
print(*resource.getrlimit(resource.RLIMIT_NOFILE), flush=True)
scratch = new_scratch(Path(sys.argv[1]), "x")
ask = [sys.executable, "-c", "import resource; print(*resource.getrlimit(resource.RLIMIT_NOFILE))"]
process = BotProcess(ask, Path(sys.argv[1]), {}, scratch, limits=eval(sys.argv[2]), merge=True)
process.wait(60)
process.end()
print(process.stderr_tail())
"""


@pytest.mark.parametrize(
    ("limits", "had"), [("None", "200 700"), ("ResourceLimits()", "512 512")], ids=["build", "bot"]
)
def test_limits_are_raised_for_the_arena_alone(tmp_path: Path, limits: str, had: str) -> None:
    command = [sys.executable, "-c", PROGRAM, str(tmp_path), limits]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert told.splitlines() == ["700 700", had]


def test_of_limit_and_ceiling_the_smaller_counts() -> None:
    ceilings = LimitCeilings(memory_mb=100, processes=10)
    asked = ResourceLimits(memory_mb=1 << 24, processes=5, open_files=4096, file_mb=2000)
    assert ceilings.over(asked) == ResourceLimits(memory_mb=100, processes=5, open_files=4096, file_mb=1024)
    assert ceilings.refused(asked) == "memory_mb 16777216 (it gets 100), file_mb 2000 (it gets 1024)"
    assert LimitCeilings().refused(ResourceLimits()) == ""


def test_who_asks_for_more_is_named() -> None:
    said: list[str] = []
    greedy = Entrant("greedy", Path("greedy"), "folder", (), "", limits=ResourceLimits(memory_mb=1 << 20))
    modest = Entrant("modest", Path("modest"), "folder", (), "")
    found = kept_within([greedy, modest], LimitCeilings(), said.append)
    assert [each.limits.memory_mb for each in found] == [4096, 2048]
    assert len(said) == 1
    assert said[0].startswith("greedy asks for more")
