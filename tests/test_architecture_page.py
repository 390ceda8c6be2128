"""Hold docs/architecture.md to the code: its layers are those of the contracts, and all that it names exists."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from tests.test_glossary import resolve

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
PACKAGES = ("arena", "engine")
WAYS = ("A decide", "An act", "A bot from disk to process", "A game from ledger to page")
with (ROOT / "pyproject.toml").open("rb") as _file:
    CONTRACTS = tomllib.load(_file)["tool"]["importlinter"]["contracts"]


def contracted() -> dict[str, list[list[str]]]:
    """Return each package's layers from the top, as the contracts have them."""
    return {
        contract["containers"][0]: [sorted(layer.split(" | ")) for layer in contract["layers"]]
        for contract in CONTRACTS
        if contract["type"] == "layers"
    }


def drawn(page: str) -> dict[str, list[list[str]]]:
    """Return each package's layers from the top, as the page draws them."""
    drawing = page.partition("```text\n")[2].partition("```")[0]
    blocks = [block.splitlines() for block in drawing.split("\n\n")]
    return {package: [sorted(line.split()) for line in layers] for package, *layers in blocks}


def listed(page: str) -> list[str]:
    """Return the paths in the table of packages."""
    return re.findall(r"^\| `((?:arena|engine)/[\w/.]+)` \|", page, re.MULTILINE)


def way(title: str) -> str:
    return PAGE.partition(f"## {title}\n")[2].partition("\n## ")[0]


def missing(page: str) -> list[str]:
    """Return the paths and dotted names in backquotes that lead nowhere."""
    found = [
        path for path in re.findall(r"`((?:arena|engine|tests|docs)/[\w/.]*)`", page) if not (ROOT / path).exists()
    ]
    for name in re.findall(r"`((?:arena|engine)(?:\.\w+)+)`", page):
        try:
            resolve(name)
        except (AttributeError, ImportError):
            found.append(name)
    return found


def test_the_layers_drawn_are_those_of_the_contracts() -> None:
    assert list(contracted()) == list(PACKAGES)
    assert drawn(PAGE) == contracted()


def test_every_package_is_listed_and_nothing_else() -> None:
    modules = {
        f"{package}/{name}{'/' if (ROOT / package / name).is_dir() else '.py'}"
        for package, layers in contracted().items()
        for layer in layers
        for name in layer
    }
    assert sorted(listed(PAGE)) == sorted(modules)


@pytest.mark.parametrize("title", WAYS)
def test_a_way_names_its_modules_in_order(title: str) -> None:
    steps = re.findall(r"^(\d)\. ", way(title), re.MULTILINE)
    assert steps == [str(number) for number in range(1, len(steps) + 1)]
    assert len(steps) >= 5
    assert len(set(re.findall(r"`(arena\.\w+\.\w+)", way(title)))) >= 5


def test_everything_it_names_is_there() -> None:
    assert len(re.findall(r"`(?:arena|engine)\.\w+\.", PAGE)) >= 50
    assert missing(PAGE) == []


def test_every_module_that_another_points_to_is_there() -> None:
    """Docstrings say who calls a function and where a thing is decided: such names must follow when code moves."""
    sources = {path: path.read_text("utf-8") for package in PACKAGES for path in (ROOT / package).rglob("*.py")}
    assert sum(len(re.findall(r"`(?:arena|engine)\.\w+", source)) for source in sources.values()) >= 60
    lost = {path.name: missing(source) for path, source in sources.items()}
    points = ["arena.rules", "arena.providers"]
    assert {name: names for name, names in lost.items() if names} == {"catalog.py": points}


def test_a_page_that_is_behind_is_found() -> None:
    assert drawn(PAGE.replace("    api    cli\n", "    api\n    cli\n")) != contracted()
    assert drawn(PAGE.replace("    web\n", "\n")) != contracted()
    assert "arena/check/" not in listed(PAGE.replace("| `arena/check/` |", "| check |"))
    lost = [
        "arena/bench/",
        "arena/game/table.py",
        "arena.game.game.Table",
        "arena.referee.host",
        "engine.rules.State.slip",
    ]
    assert missing(PAGE + "".join(f" `{name}`" for name in lost)) == lost
