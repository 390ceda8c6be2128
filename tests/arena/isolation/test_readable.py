"""What a bot brings lets nothing of the machine be read: its command, its files, its variables in the manifest."""

from __future__ import annotations

import os
import shlex
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from arena.isolation import seccomp
from arena.isolation.confine import confine_bot, confine_build
from arena.isolation.settings import Isolation

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="Linux alone has isolation"),
    pytest.mark.skipif(not seccomp.is_known(), reason="no filter for this processor"),
]
LANDLOCK = Isolation("landlock")


class Machine:
    """A machine with a secret, with a tool that the user installed, and with a bot's folder."""

    def __init__(self, folder: Path) -> None:
        self.bot, self.secret, self.tool = (folder / name for name in ("cache/bot", "secret", "tools/node/bin/node"))
        for each in (self.bot, self.secret / "bin", self.tool.parent):
            each.mkdir(parents=True)
        for program in (self.secret / "key", self.secret / "bin" / "program"):
            write(program, "#!/bin/sh\n")
        write(self.tool, "#!/bin/sh\n")

    def shown(self, read: Sequence[str]) -> set[str]:
        """Return what of the machine is readable: `secret`, `tool`."""
        paths = [Path(path) for path in read]
        whose = {"secret": self.secret / "bin" / "program", "key": self.secret / "key", "tool": self.tool}
        return {name for name, file in whose.items() if any(file.is_relative_to(path) for path in paths)}

    def to_bot(self, command: str, **env: str) -> set[str]:
        return self.shown(self.read_by(command, **env))

    def read_by(self, command: str, **env: str) -> Sequence[str]:
        """Return what a bot with this command may read."""
        variables = {"ARENA_ENDPOINT": "ipc:///nowhere", "PATH": os.environ["PATH"], **env}
        confined = confine_bot(LANDLOCK, shlex.split(command), self.bot, variables, self.bot, 1, 1)
        assert confined.confinement is not None
        found: Sequence[str] = confined.confinement["read"]
        return found

    def to_build(self, ours: dict[str, str], theirs: dict[str, str]) -> set[str]:
        confined = confine_build(LANDLOCK, ["make"], self.bot, ours, theirs, self.bot, 1)
        assert confined.confinement is not None
        assert confined.environment.items() >= {**ours, **theirs, "HOME": f"{self.bot}/home"}.items()
        return self.shown(confined.confinement["read"])


def write(file: Path, text: str) -> None:
    file.write_text(text)
    file.chmod(0o755)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    machine = Machine(tmp_path)
    monkeypatch.setenv("PATH", f"{machine.tool.parent}:{os.environ['PATH']}")
    return machine


FIRST_LINES = ("./env {secret}", "/usr/bin/env {secret}", "/usr/bin/env -S {secret}/key", "{secret}/key", "./link")


@pytest.mark.parametrize("line", FIRST_LINES)
def test_no_first_line_of_its_program_shows_a_bot_the_machine(machine: Machine, line: str) -> None:
    write(machine.bot / "env", f"#!{sys.executable}\n")
    (machine.bot / "link").symlink_to(machine.secret / "bin" / "program")
    write(machine.bot / "run", f"#!{line.format(secret=machine.secret)}\n")
    assert machine.to_bot("./run") == set()


@pytest.mark.parametrize("command", ["{secret}/key", "{secret}/bin/program", "../../secret/key", "./link", "program"])
def test_no_command_shows_a_bot_the_machine(machine: Machine, command: str) -> None:
    (machine.bot / "link").symlink_to(machine.secret / "bin" / "program")
    assert machine.to_bot(command.format(secret=machine.secret), PATH=f"{machine.secret}/bin") == set()


@pytest.mark.parametrize("line", ["node", "{tool}", "./link", "./run", "./env-run"])
def test_a_bot_finds_what_the_users_path_leads_to(machine: Machine, line: str) -> None:
    (machine.bot / "link").symlink_to(machine.tool)
    write(machine.bot / "run", f"#!{machine.tool} --fast\n")
    write(machine.bot / "env-run", "#!/usr/bin/env -S node --fast\n")
    assert machine.to_bot(line.format(tool=machine.tool), PATH="/usr/bin") == {"tool"}


def test_a_virtual_environment_of_a_bot_leads_to_this_python(machine: Machine) -> None:
    (machine.bot / "python").symlink_to(sys.executable)
    confined = confine_bot(LANDLOCK, ["./python"], machine.bot, {"ARENA_ENDPOINT": "ipc:///nowhere"}, machine.bot, 1, 1)
    assert confined.confinement is not None
    read = [Path(path) for path in confined.confinement["read"]]
    assert any(Path(sys.executable).resolve().is_relative_to(path) for path in read)


@pytest.mark.parametrize("line", ["{python}", "{other}/bin/python", "./python"])
def test_a_script_may_name_the_python_of_an_environment_over_the_systems(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    ours = machine.secret.parent / "environment"
    (ours / "bin").mkdir(parents=True)
    (ours / "bin" / "python").symlink_to("/bin/sh")  # as the system's Python, which every bot may read
    (machine.bot / "other").symlink_to(ours)
    (machine.bot / "python").symlink_to(ours / "bin" / "python")
    monkeypatch.setattr(sys, "prefix", str(ours))
    first = line.format(python=ours / "bin" / "python", other=machine.bot / "other")
    write(machine.bot / "run", f"#!{first}\n")
    assert str(ours) in machine.read_by("./run")
    assert str(ours) in machine.read_by(first)


def test_a_script_may_name_the_python_of_an_environment_in_the_users_path(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = machine.secret.parent / "tools" / "environment"
    (theirs / "bin").mkdir(parents=True)
    (theirs / "pyvenv.cfg").touch()
    (theirs / "bin" / "python").symlink_to("/bin/sh")
    write(machine.bot / "run", f"#!{theirs}/bin/python\n")
    assert str(theirs) not in machine.read_by("./run")
    monkeypatch.setenv("PATH", f"{theirs}/bin")
    assert str(theirs) in machine.read_by("./run")


def test_no_program_of_a_bot_makes_the_arena_wait(machine: Machine) -> None:
    os.mkfifo(machine.bot / "pipe")
    found: list[set[str]] = []

    def look() -> None:
        for number, line in enumerate(("./pipe", "/dev/stdin", "/dev/tty", "/usr/bin/env /dev/stdin")):
            write(machine.bot / f"run{number}", f"#!{line}\n")
            found.append(machine.to_bot(f"./run{number}"))

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    thread.join(60)
    assert found == [set()] * 4


def test_our_variables_alone_show_toolchains_to_a_build(machine: Machine) -> None:
    secret, tool = str(machine.secret), str(machine.tool.parents[1])
    ours = {"PATH": os.environ["PATH"], "HOME": "/home/nobody", "JAVA_HOME": tool}
    (machine.secret / ".rustup").mkdir()
    theirs = dict.fromkeys(("JAVA_HOME", "RUSTUP_HOME", "PKG_CONFIG_PATH"), secret)
    assert machine.to_build(ours, {**theirs, "PATH": f"{secret}/bin"}) == {"tool"}
    assert machine.to_build({"HOME": "/home/nobody", "JAVA_HOME": secret}, {}) >= {"secret", "key"}, "the user may"
