"""What the package is called, and that every text which tells how to install it says so."""

from __future__ import annotations

import os
import re
import subprocess
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from importlib import metadata
from pathlib import Path

import pytest

import arena
from arena import distribution

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
OURS = re.compile(r"([\w.-]*\barena|(?<=['\"])\.)\[([\w,]+)\]")
"""This package, or the folder that it is in, with extras."""
FOLDERS = ("arena", "engine", "docs", "tests", "benchmarks", ".ci", ".github")
ENDINGS = {".md", ".py", ".toml", ".yml", ".html", ""}


def texts() -> Iterator[tuple[str, str]]:
    """Every file of the project that may tell how to install it, without this one."""
    found = [*ROOT.iterdir(), *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*"))]
    for path in found:
        if path.suffix in ENDINGS and path.is_file() and path not in (Path(__file__), ROOT / ".git"):
            yield path.relative_to(ROOT).as_posix(), path.read_text("utf-8")


def test_it_has_the_name_that_is_ours_and_one_place_says_so() -> None:
    assert PROJECT["name"] == distribution.NAME == "bot-arena"
    assert PROJECT["scripts"] == {"arena": "arena.cli:main"}


@pytest.mark.slow
def test_every_text_on_installing_it_names_it_and_extras_that_exist() -> None:
    found = 0
    for name, text in texts():
        for game in OURS.finditer(text):
            assert game[1] in (distribution.NAME, "."), f"{name}: {game[0]}"
            assert set(game[2].split(",")) <= set(PROJECT["optional-dependencies"]), f"{name}: {game[0]}"
            found += 1
        assert not re.search(r"pip install '?arena\b|^dependencies = .*\"arena\b", text, re.MULTILINE), name
    assert found >= 10


@pytest.mark.parametrize("extra", ["site", "parquet"])
def test_a_message_can_be_typed_as_it_stands(extra: str) -> None:
    said = distribution.how_to_install(extra)
    assert said == f"pip install 'bot-arena[{extra}]', from a checkout pip install -e '.[{extra}]'"


def test_the_version_is_that_of_git_or_of_the_package() -> None:
    assert PROJECT["dynamic"] == ["version"]
    assert arena.__version__ == distribution.version()
    assert re.fullmatch(r"\d+\.\d+\.\d+(\.dev\d+\+(g[0-9a-f]{10,}(\.dirty)?|unknown))?", arena.__version__)
    with pytest.raises(AttributeError, match="no attribute"):
        _ = arena.version_of_nothing  # type: ignore[attr-defined]


@pytest.mark.process
def test_a_checkout_has_the_version_of_its_tag_or_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def git(*words: str) -> str:
        names = ["-c", "user.name=somebody", "-c", "user.email=somebody@example.org"]
        return subprocess.run(["git", *names, *words], cwd=tmp_path, check=True, capture_output=True, text=True).stdout

    assert distribution.version_from_git(tmp_path) == f"{distribution.RELEASE}.dev0+unknown"
    git("init", "-q")
    file = tmp_path / "file"
    file.write_text("1")
    git("add", "file")
    git("commit", "-q", "-m", "Begin")
    monkeypatch.setenv("GIT_DIR", "/nowhere")  # as in a hook
    with monkeypatch.context() as patch:
        patch.delenv("GIT_DIR")
        commit = git("rev-parse", "--short=10", "HEAD").strip()
        assert distribution.version_from_git(tmp_path) == f"{distribution.RELEASE}.dev1+g{commit}"
        file.write_text("2")
    assert distribution.version_from_git(tmp_path) == f"{distribution.RELEASE}.dev1+g{commit}.dirty"
    monkeypatch.delenv("GIT_DIR")
    git("tag", "v2.3.4")
    git("commit", "-q", "-a", "-m", "Go on")
    assert distribution.version_from_git(tmp_path).startswith(f"{distribution.RELEASE}.dev2+g")
    git("tag", "v2.4.0")
    assert distribution.version_from_git(tmp_path) == "2.4.0"


def test_it_says_for_which_pythons_it_is_and_who_made_it() -> None:
    prefix = "Programming Language :: Python :: 3."
    pythons = [line.removeprefix(prefix) for line in PROJECT["classifiers"] if line.startswith(prefix)]
    assert pythons == ["11", "12", "13"]
    assert PROJECT["requires-python"] == ">=3.11"
    [author] = PROJECT["authors"]
    assert author["name"] in (ROOT / "LICENSE").read_text("utf-8")


def test_every_dependency_has_a_lower_bound_which_is_fulfilled_here_and_tried_by_the_check() -> None:
    extras = PROJECT["optional-dependencies"]
    lines = [*PROJECT["dependencies"], *(line for extra in extras.values() for line in extra)]
    outside = [line for line in lines if not line.startswith(f"{distribution.NAME}[")]
    assert len(outside) >= 20
    for line in outside:
        found = re.fullmatch(r"([\w-]+)>=(\d+(?:\.\d+)*)(?:,<[\d.]+)?", line)
        assert found, f"{line}: write it as name>=1.2 or name>=1.2,<2, as .ci/lowest reads it"
        with suppress(metadata.PackageNotFoundError):  # an extra that is not installed
            assert numbers(metadata.version(found[1])) >= numbers(found[2]), line
    check = (ROOT / ".ci" / "run").read_text("utf-8")
    assert "\npart lowest .ci/lowest &\nlowest=$!\n" in check
    assert "\nwait $lowest &&" in check
    assert os.access(ROOT / ".ci" / "lowest", os.X_OK)


def numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]
