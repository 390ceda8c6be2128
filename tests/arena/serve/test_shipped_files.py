"""The files of docs/league/ are what their programs read, and start `arena serve` as the page says."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from configparser import ConfigParser
from pathlib import Path
from typing import Any

import pytest
import yaml

from arena.cli.terminal import ExitCode

ROOT = Path(__file__).parents[3]
FILES = ROOT / "docs" / "league"
UNIT = FILES / "arena.service"
COMPOSE: dict[str, Any] = yaml.safe_load((FILES / "compose.yaml").read_text("utf-8"))
NO_BOX = ("RestrictNamespaces", "ProtectProc", "ProcSubset", "ProtectKernelTunables", "ProtectKernelLogs")
"""With these bubblewrap cannot make namespaces, or mount their /proc."""


def unit() -> ConfigParser:
    parsed = ConfigParser(comment_prefixes="#", interpolation=None)
    parsed.optionxform = str  # type: ignore[assignment,method-assign]
    parsed.read(UNIT, "utf-8")
    return parsed


def test_the_service_starts_the_league_again_whatever_ends_it_and_leaves_bots_their_boxes() -> None:
    service = unit()["Service"]
    program, *words = shlex.split(service["ExecStart"])
    assert (Path(program).name, words) == ("arena", ["serve", "league.toml"])
    assert service["Restart"] == "always"
    assert int(service["SuccessExitStatus"]) == ExitCode.INTERRUPTED
    assert service["WorkingDirectory"] == service["ReadWritePaths"]
    assert not {*NO_BOX} & {*service}
    said = UNIT.read_text("utf-8")
    assert all(name in said for name in NO_BOX)


@pytest.mark.process
def test_systemd_reads_the_service(tmp_path: Path) -> None:
    if (program := shutil.which("systemd-analyze")) is None:
        pytest.skip("systemd is not installed")
    copy = tmp_path / UNIT.name
    copy.write_text(UNIT.read_text("utf-8").replace("/opt/arena/bin/arena", shutil.which("true") or "/bin/true"))
    done = subprocess.run([program, "verify", str(copy)], capture_output=True, text=True, check=False)
    assert [line for line in done.stderr.splitlines() if UNIT.name in line] == []


def test_the_containers_run_the_same_command_behind_a_web_server() -> None:
    league, web = COMPOSE["services"]["league"], COMPOSE["services"]["web"]
    assert league["command"] == shlex.split(unit()["Service"]["ExecStart"])[1:]
    assert "ports" not in league  # only what stands before it is reached
    assert web["command"][-1] == "league:8780"
    mounted = {volume.split(":")[1] for volume in league["volumes"]}
    assert mounted == {league["working_dir"]}
    named = {volume.split(":")[0] for each in COMPOSE["services"].values() for volume in each["volumes"]}
    assert {name for name in named if not name.startswith(".")} == set(COMPOSE["volumes"])
    assert "league" in (ROOT / "Containerfile").read_text("utf-8").partition("pip install")[2].partition("]")[0]
