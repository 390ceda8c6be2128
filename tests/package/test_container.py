"""The container image: what it copies is there and enough, and its tools are new enough for all starters.

No image is built here: that would need the images that it begins with.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "Containerfile").read_text("utf-8")
LINTERS = {"clang-format", "clang-tidy"}


def instructions() -> list[tuple[str, list[str]]]:
    """The instructions with their words, continued lines joined and comments left out."""
    lines = [line for line in TEXT.splitlines() if not line.startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ").splitlines()
    return [(words[0], words[1:]) for line in joined if (words := shlex.split(line))]


def words(name: str) -> list[list[str]]:
    return [found for instruction, found in instructions() if instruction == name]


def from_sources() -> dict[str, str]:
    """What is copied from the sources, with where it goes."""
    return {
        source: target
        for *sources, target in words("COPY")
        if not sources[0].startswith("--from=")
        for source in sources
    }


def version(text: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", text)))


def arguments() -> dict[str, str]:
    return dict(word.split("=") for [word] in words("ARG"))


def test_only_known_instructions_in_an_order_that_works() -> None:
    names = [name for name, _ in instructions()]
    assert set(names) <= {"ARG", "FROM", "RUN", "COPY", "USER", "WORKDIR", "ENTRYPOINT", "CMD"}
    stages = {found[2] for found in words("FROM") if found[1:2] == ["AS"]}
    assert {source[0] for *source, _ in words("COPY") if source[0].startswith("--from=")} == {
        f"--from={stage}" for stage in stages
    }
    for found in words("FROM"):
        assert set(re.findall(r"\$\{(\w+)\}", found[0])) <= set(arguments())


def test_all_that_the_package_is_made_of_is_copied_and_nothing_of_it_is_ignored() -> None:
    sources = from_sources()
    for source, target in sources.items():
        assert (ROOT / source).exists(), source
        assert target == ("/src/" if (ROOT / source).is_file() else f"/src/{source}")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = [
        *wheel["only-include"],
        *wheel["force-include"],
        project["project"]["readme"],
        "pyproject.toml",
        "hatch_build.py",
    ]
    needed += project["project"]["license-files"]
    assert set(needed) == set(sources)
    rules = [rule for rule in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if not rule.startswith("#")]
    tracked = subprocess.run(["git", "ls-files", *sources], cwd=ROOT, capture_output=True, text=True, check=False)
    for path in tracked.stdout.splitlines():
        for part in Path(path).parts:
            assert not any(fnmatch(part, rule.removeprefix("**/")) for rule in rules), path


def test_the_tools_are_new_enough_for_the_starters() -> None:
    given = {name: version(value) for name, value in arguments().items() if value[0].isdigit()}
    bots = ROOT / "bots"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    rust = tomllib.loads((bots / "rust/Cargo.toml").read_text("utf-8"))["package"]["rust-version"]
    node = json.loads((bots / "typescript/package.json").read_text("utf-8"))["devEngines"]["runtime"]["version"]
    java = re.findall(r"<maven.compiler.release>(\d+)<", (bots / "java/pom.xml").read_text("utf-8"))
    go = re.findall(r"^go ([\d.]+)$", (bots / "go/go.mod").read_text("utf-8"), re.MULTILINE)
    needed = {"PYTHON": project["requires-python"], "RUST": rust, "NODE": node, "JAVA": java[0], "GO": go[0]}
    assert set(given) == set(needed)
    for name, least in needed.items():
        assert given[name] >= version(least)[: len(given[name])], name


def test_the_packages_that_the_starters_need_are_installed() -> None:
    installed = {word for found in words("RUN") if found[0] == "apt-get" for word in found}
    starters = (ROOT / ".ci" / "starters").read_text("utf-8")
    wanted = set(re.findall(r'packages="([^"]+)"', starters)[0].split()) - LINTERS
    assert wanted | {"bubblewrap", "maven"} <= installed
    assert {"libmsgpack-dev", "libmsgpack-c-dev"} & installed


@pytest.mark.process
def test_the_entry_point_is_the_command() -> None:
    [[entry]] = [json.loads(line) for line in re.findall(r"^ENTRYPOINT (.*)$", TEXT, re.MULTILINE)]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    module, _, function = project["scripts"][entry].partition(":")
    [arguments] = [json.loads(line) for line in re.findall(r"^CMD (.*)$", TEXT, re.MULTILINE)]
    code = f"import sys; sys.argv[0] = {entry!r}; from {module} import {function}; {function}()"
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr
    assert "tournament" in done.stdout
    assert words("USER")[-1] != ["root"]
