"""The snapshot files: what each command prints, scenario by scenario, as text to be read and reviewed."""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from typer.testing import Result

from arena import distribution
from arena.cli.terminal import ExitCode
from tests.arena.cli import reference
from tests.arena.cli.conftest import ROOT
from tests.arena.cli.wording.scenario import Scenario

FOLDER = Path(__file__).parent
ANY = "arena"
"""The snapshot of what belongs to no command."""
COMMANDS = [name for name in (ANY, *reference.COMMANDS) if (FOLDER / f"{name}.py").exists()]
_TITLE = re.compile(r"^## (.+)\n\n", re.MULTILINE)
_HEAD = re.compile(r"([Hh]ead(?: so far)?:? )[0-9a-f]{64}")
_USAGE = re.compile(r"Usage: arena .*\nTry 'arena .*' for help\.\n\n")


class Writer:
    """A plugin of pytest to which the test gives what the scenarios print, in place of comparing it."""

    def __init__(self, commands: Sequence[str]) -> None:
        self.sections: dict[str, dict[str, str]] = {command: {} for command in commands}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep the scenarios of these commands alone."""
        items[:] = [item for item in items if item.callspec.params["command"] in self.sections]  # type: ignore[attr-defined]

    def add(self, command: str, name: str, text: str) -> None:
        """Take what one scenario prints."""
        self.sections[command][name] = text


def writer(config: pytest.Config) -> Writer | None:
    """The writer of this run of pytest, if snapshots are being written."""
    return next((plugin for plugin in config.pluginmanager.get_plugins() if isinstance(plugin, Writer)), None)


def file_of(command: str) -> Path:
    """The snapshot of a command."""
    return FOLDER / f"{command}.txt"


def scenarios_of(command: str) -> list[Scenario]:
    """The scenarios of a command, which stand in the module of its name."""
    found: list[Scenario] = importlib.import_module(f"tests.arena.cli.wording.{command}").SCENARIOS
    return found


def again(command: str) -> str:
    """How a snapshot is written."""
    return f"python -m tests.arena.cli.wording write {command}"


def read(command: str) -> dict[str, str]:
    """The sections of a snapshot by their scenarios' names."""
    if not file_of(command).exists():
        return {}
    _, *parts = _TITLE.split(file_of(command).read_text("utf-8"))
    return {name: text.strip() for name, text in zip(parts[::2], parts[1::2], strict=True)}


def write(command: str, sections: Mapping[str, str]) -> None:
    """Write a snapshot anew."""
    what = "arena" if command == ANY else f"arena {command}"
    head = f"# What `{what}` prints. Written by: {again(command)}\n"
    file_of(command).write_text(
        "\n".join([head, *(f"## {name}\n\n{text}\n" for name, text in sections.items())]), "utf-8"
    )


def section(scenario: Scenario, entries: Sequence[str]) -> str:
    """Join what the commands of a scenario printed, without what the scenario hides."""
    text = "\n\n".join(entries)
    for pattern in scenario.hidden:
        text, number = re.subn(pattern, "...", text)
        assert number, f"{pattern!r} hides nothing of\n{text}"
    if scenario.in_order:
        return text
    *lines, end = text.splitlines()
    return "\n".join([*sorted(lines, key=lambda line: line if line.startswith("err|") else ""), end])


def entry(command: str, done: Result, here: Path, scenario: Scenario) -> str:
    """Render what one command printed in the folder `here`, as much of it as the scenario keeps, and its exit code."""
    lines = [f"$ arena {command}".rstrip()]
    for stream, text in (("out", _cut(done.stdout, scenario.first, scenario.last)), ("err", done.stderr)):
        for path, name in ((here, "HERE"), (ROOT, "PROJECT"), (distribution.version(), distribution.RELEASE)):
            text = text.replace(str(path), name)
        text = _HEAD.sub(r"\1HEAD", _USAGE.sub("[usage]\n", text))
        lines += [f"{stream}| {line}".rstrip() for line in text.splitlines()]
    return "\n".join([*lines, f"exit {done.exit_code} ({ExitCode(done.exit_code).name})"])


def _cut(text: str, first: int | None, last: int) -> str:
    """Return the first and last lines of a text, with a mark for what was between them."""
    lines = text.splitlines()
    if first is None or len(lines) <= first + last:
        return text
    return "\n".join([*lines[:first], "...", *lines[len(lines) - last :]])
