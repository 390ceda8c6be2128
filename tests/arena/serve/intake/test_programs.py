"""The programs of a submission's steps say what they found, or nothing if that is not known."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from arena.entrants import expand
from arena.serve.intake.programs import Verdict
from tests.arena.serve.intake.test_archives import BOT, zipped

pytestmark = pytest.mark.process


def run(*words: object) -> tuple[int, Verdict | None, str]:
    command = [sys.executable, "-m", "arena.serve.intake.programs", *map(str, words)]
    done = subprocess.run(command, capture_output=True, check=False)
    found = msgspec.json.decode(done.stdout, type=Verdict) if done.stdout else None
    return done.returncode, found, done.stderr.decode()


def test_what_is_unpacked_has_a_fingerprint_and_what_is_no_bot_has_a_reason(tmp_path: Path) -> None:
    bounds = "1000000", "50"
    good = run("unpack", zipped(tmp_path / "z", BOT), tmp_path / "a", *bounds)
    assert good == run("unpack", tmp_path / "z", tmp_path / "a", *bounds)
    assert good == (0, Verdict(fingerprint=expand([tmp_path / "a"]).found[0].fingerprint), "")
    wrong = zipped(tmp_path / "w", {"bot.toml": b"commando = 'x'\n"})
    code, found, _ = run("unpack", wrong, tmp_path / "b", *bounds)
    assert (code, found.fingerprint) == (0, None)
    assert found.refused.startswith("bot.toml: ")
    assert not (tmp_path / "b").exists()


def test_a_bot_is_checked_within_the_limits_of_the_plan(tmp_path: Path) -> None:
    bot = tmp_path / "bot"
    bot.mkdir()
    (bot / "bot.toml").write_text("command = ['{python}', 'x.py']\n[limits]\nmemory_mb = 9999\n")
    (bot / "x.py").write_text("raise SystemExit\n")
    plan = tmp_path / "plan.toml"
    plan.write_text(f"game = 'kosmos'\nbots = ['ada={bot}']\n[limits]\nmemory_mb = 4321\n")
    code, found, said = run("check", plan, "3")
    assert code == 0
    assert found.refused is not None
    assert "memory_mb 9999 (it gets 4321)" in said


def test_what_the_system_lacks_is_no_verdict(tmp_path: Path) -> None:
    code, found, said = run("unpack", tmp_path / "nothing", tmp_path / "missing" / "place", "1", "1")
    assert (code, found) == (75, None)
    assert "No such file" in said
