"""Hold the code to its architecture: import contracts, small files and functions, each game in its folder.

The contracts stand in pyproject.toml, and import-linter checks them. That they can fail is tried on a copy of the
packages in which each of them is broken on purpose.
"""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from arena import client
from arena.protocol import messages
from engine import catalog

ROOT = Path(__file__).parent.parent
PACKAGES = ("arena", "engine")
with (ROOT / "pyproject.toml").open("rb") as _file:
    CONTRACTS = tomllib.load(_file)["tool"]["importlinter"]["contracts"]
LINT = "from importlinter.cli import lint_imports_command; lint_imports_command()"
PLANTED = {
    "layers": {
        "arena/ledger/late.py": "def late():\n    from arena.tournament import run\n",
        "arena/game/sideways.py": "from arena import entrants",
        "arena/web/person_at_table.py": "from arena.play import person",
        "arena/unplaced/__init__.py": "",
    },
    "engine-layers": {
        "engine/kosmos/rival.py": "from engine.ravensburger import board",
        "engine/catalog.py": "from engine.kosmos import RULES",
        "engine/homeless.py": "",
    },
    "acyclic": {
        "arena/rating/planted.py": "import arena.rating.again",
        "arena/rating/again.py": "import arena.rating.planted",
    },
    "rules": {
        "engine/kosmos/clock.py": "from time import monotonic",
        "engine/ravensburger/codec.py": "from arena.protocol import codec",
        "engine/chance.py": "import random",
    },
    "client": {"arena/client.py": "from arena.protocol.messages import PROTOCOL"},
    "person": {"arena/cli/bot.py": "from arena.client import run"},
    "supervisor": {"arena/supervisor/wide.py": "import psutil"},
    "game": {"arena/game/pause.py": "import time"},
    "records": {"arena/site/live.py": "from arena.entrants import launch"},
    "schedule": {"arena/tournament/schedule/workers.py": "from arena.tournament import plan"},
    "sql": {"arena/site/query.py": "import sqlite3"},
    "sockets": {"arena/tournament/socket.py": "import zmq"},
    "ratings": {"arena/standings/refit.py": "from trueskill import Rating"},
    "http": {"arena/site/serve.py": "import starlette.applications"},
    "dask": {"arena/tournament/far.py": "import distributed"},
    "commands": {"arena/tournament/flags.py": "import typer"},
}
"""By contract, the files that break it, each with the line that is appended to it."""
MODULE_LINES = 500
FUNCTION_LINES = 70
BRANCHES = 6
GAMES = {name: ROOT / "engine" / name for name in ("kosmos", "ravensburger")}
"""Our games and their folders: nowhere else is one of them named."""
MODULES = sorted(path for part in PACKAGES for path in (ROOT / part).rglob("*.py"))
OTHER_MODULES = sorted(
    path for part in ("bots", "benchmarks", "generators", "tests") for path in (ROOT / part).rglob("*.py")
)


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def read(path: Path) -> str:
    return path.read_text("utf-8")


def lint_imports(folder: Path) -> tuple[int, str]:
    """Check the contracts of a folder's pyproject.toml; return the exit code and what is printed.

    In a process of its own: a module that was imported is not looked for in another folder.
    """
    command = [sys.executable, "-c", LINT, "--no-cache", "--no-logo"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout + done.stderr


def module_of(path: str) -> str:
    """Return the last part of a module's name."""
    return path.removesuffix(".py").removesuffix("/__init__").rpartition("/")[2]


def too_long(tree: ast.AST) -> list[str]:
    """Functions of more than so many lines, decorators apart."""
    return [
        f"{node.name} has {node.end_lineno - node.lineno + 1} lines"
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno >= FUNCTION_LINES
    ]


def long_chains(tree: ast.AST) -> list[str]:
    """Chains of if and elif that should be a table."""
    return [
        f"{length} branches at line {node.lineno}"
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and (length := chain_length(node)) > BRANCHES
    ]


def chain_length(node: ast.If) -> int:
    """How many conditions follow each other, the first one counted."""
    rest = node.orelse
    return 1 + (chain_length(rest[0]) if len(rest) == 1 and isinstance(rest[0], ast.If) else 0)


def named_games(text: str, games: set[str]) -> list[str]:
    """The lines in which a game is named: in code, texts, identifiers and comments alike."""
    return [line for line in text.splitlines() if any(game in line.lower() for game in games)]


@pytest.mark.process
def test_the_import_contracts_are_kept() -> None:
    code, printed = lint_imports(ROOT)
    assert code == 0, printed
    assert f"Contracts: {len(CONTRACTS)} kept, 0 broken." in printed


def test_every_contract_is_broken_on_purpose() -> None:
    assert [contract["id"] for contract in CONTRACTS] == list(PLANTED)


@pytest.mark.slow
@pytest.mark.process
def test_planted_imports_break_each_contract_and_are_named(tmp_path: Path) -> None:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    for path, source in [planted for files in PLANTED.values() for planted in files.items()]:
        (tmp_path / path).parent.mkdir(exist_ok=True)
        with (tmp_path / path).open("a") as file:
            file.write(f"\n{source}\n")
    code, output = lint_imports(tmp_path)
    assert code == 1, output
    assert f"Contracts: 0 kept, {len(CONTRACTS)} broken." in output
    _, *sections = re.split(r"^(.+)\n-+$", output.partition("Broken contracts")[2], flags=re.MULTILINE)
    printed = dict(zip(sections[::2], sections[1::2], strict=True))
    for contract in CONTRACTS:
        for path in PLANTED[contract["id"]]:
            assert re.search(rf"\.{module_of(path)}\b", printed[contract["name"]]), (contract["id"], path)


def test_modules_stay_small() -> None:
    lengths = {name_of(path): len(read(path).splitlines()) for path in [*MODULES, *OTHER_MODULES]}
    assert not {name: length for name, length in lengths.items() if length > MODULE_LINES}


@pytest.mark.parametrize(
    "modules", [pytest.param(MODULES, id="code"), pytest.param(OTHER_MODULES, id="others", marks=pytest.mark.slow)]
)
def test_functions_stay_small_and_long_choices_are_tables(modules: list[Path]) -> None:
    found = {}
    for path in modules:
        tree = ast.parse(read(path))
        found[name_of(path)] = [*too_long(tree), *long_chains(tree)]
    assert not {name: faults for name, faults in found.items() if faults}


def test_no_game_is_named_outside_its_own_folder() -> None:
    """In no file that is packed, also where it is no module."""
    files = [
        path
        for part in ("arena", "engine")
        for path in (ROOT / part).rglob("*")
        if path.is_file() and path.suffix in {".py", ".sql", ".toml", ".md", ".html", ".css", ".js", ".typed"}
    ]
    assert len(files) > len(MODULES)
    found = {}
    for path in files:
        foreign = {name for name, folder in GAMES.items() if not path.is_relative_to(folder)}
        if lines := named_games(f"{name_of(path)}\n{read(path)}", foreign):
            found[name_of(path)] = lines
    assert not found


def test_every_game_in_our_folders_is_looked_for_and_installed() -> None:
    built = {path.parent.name for path in (ROOT / "engine").glob("*/rules.py")}
    assert built <= set(GAMES)
    assert built <= set(catalog.installed())


def test_the_client_and_the_referee_speak_the_same_version() -> None:
    assert client.PROTOCOL == messages.PROTOCOL


def test_what_is_too_long_or_names_a_game_is_found() -> None:
    assert too_long(ast.parse("def f():\n" + "    pass\n" * FUNCTION_LINES))
    assert not too_long(ast.parse("def f():\n" + "    pass\n" * (FUNCTION_LINES - 1)))
    chain = "if x == 0:\n    pass\n" + "".join(f"elif x == {n}:\n    pass\n" for n in range(1, BRANCHES))
    assert not long_chains(ast.parse(chain))
    assert long_chains(ast.parse(chain + "elif y:\n    pass\n"))
    for line in ("default = 'chess'", "x = 1  # as in Chess", "from engine import chess", "class ChessBoard:"):
        assert named_games(f"first\n{line}\nlast", {"chess"}) == [line]
