"""The house: who may import whom, how long things may get, and what no room may know.

Rooms are the folders of `arena` (and `arena/client.py`); `engine` is one more. Imports run downwards only:

    cli > web > tournament, check, site > referee, replays, standings, client, starters
        > match, entrants > engine, protocol, ledger, rating, shipped
        > common

and the rooms of one floor do not know each other.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena import client
from arena.protocol import messages
from engine import catalog

ROOT = Path(__file__).parent.parent
ROOMS = {
    "cli": {
        "common",
        "tournament",
        "check",
        "starters",
        "referee",
        "match",
        "replays",
        "standings",
        "site",
        "web",
        "entrants",
        "ledger",
        "shipped",
        "engine",
    },
    "web": {"common", "site", "ledger", "engine"},
    "site": {"common", "match", "replays", "standings", "ledger", "rating", "engine"},
    "check": {"referee", "match", "entrants", "protocol", "ledger", "shipped", "engine"},
    "tournament": {"common", "replays", "referee", "match", "entrants", "protocol", "ledger", "engine"},
    "replays": {"common", "match", "rating", "ledger", "engine"},
    "standings": {"common", "match", "ledger", "rating", "engine"},
    "referee": {"match", "entrants", "protocol", "ledger", "engine"},
    "match": {"common", "protocol", "ledger", "engine"},
    "starters": {"common", "entrants", "shipped"},
    "client": set(),
    "shipped": set(),
    "common": set(),
    "engine": set(),
    "entrants": {"common", "shipped"},
    "protocol": {"common"},
    "ledger": {"common"},
    "rating": set(),
}
"""By room: the rooms below that it uses. A room more is a decision, to be taken here."""
FLOORS = (
    {"common"},
    {"engine", "protocol", "ledger", "rating", "shipped"},
    {"entrants", "match"},
    {"referee", "replays", "standings", "client", "starters"},
    {"tournament", "check", "site"},
    {"web"},
    {"cli"},
)
MODULE_LINES = 500
FUNCTION_LINES = 70
BRANCHES = 6
GAMES = {name: ROOT / "engine" / name for name in ("kosmos", "ravensburger")}
"""Our games and their folders: nowhere else is one of them named."""
NOT_FOR_RULES = {"arena", "random", "time", "datetime", "threading", "asyncio", "socket", "zmq"}
"""A game that reads a clock, a socket or the global random source cannot be played again."""
MODULES = sorted(path for part in ("arena", "engine") for path in (ROOT / part).rglob("*.py"))
ALL_MODULES = sorted(
    {*MODULES, *(path for part in ("bots", "benchmarks", "tests") for path in (ROOT / part).rglob("*.py"))}
)


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def read(path: Path) -> str:
    return path.read_text("utf-8")


def packages(source: str) -> set[str]:
    return {module.partition(".")[0] for module in imports(ast.parse(source))}


def imports(tree: ast.AST) -> Iterator[str]:
    """The modules that are imported, also inside functions: `from a import b` may mean `a.b`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "imports are written in full"
            yield from (f"{node.module}.{each.name}" for each in node.names)


def room_of(module: str) -> str | None:
    """The room that a module belongs to; None for `arena` itself and for what is not ours."""
    first, _, rest = module.partition(".")
    room = rest.partition(".")[0] if first == "arena" else first
    return room if room in ROOMS else None


def misplaced(path: str, source: str) -> list[str]:
    """The imports that a module must not have."""
    here = room_of(path.removesuffix(".py").replace("/", "."))
    if here is None:
        return []
    allowed = ROOMS[here] | {here, None}
    return [module for module in imports(ast.parse(source)) if room_of(module) not in allowed]


def too_long(source: str) -> list[str]:
    """Functions of more than so many lines, decorators apart."""
    return [
        f"{node.name} has {node.end_lineno - node.lineno + 1} lines"
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno >= FUNCTION_LINES
    ]


def long_chains(source: str) -> list[str]:
    """Chains of if and elif that should be a table."""
    return [
        f"{length} branches at line {node.lineno}"
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.If) and (length := chain_length(node)) > BRANCHES
    ]


def chain_length(node: ast.If) -> int:
    """How many conditions follow each other, the first one counted."""
    rest = node.orelse
    return 1 + (chain_length(rest[0]) if len(rest) == 1 and isinstance(rest[0], ast.If) else 0)


def named_games(text: str, games: set[str]) -> list[str]:
    """The lines in which a game is named: in code, texts, identifiers and comments alike."""
    return [line for line in text.splitlines() if any(game in line.lower() for game in games)]


def test_the_floors_are_what_the_rooms_keep_to() -> None:
    below: set[str] = set()
    for floor in FLOORS:
        for room in floor:
            assert ROOMS[room] <= below, f"{room} may only use what lies below it"
        below |= floor
    assert below == set(ROOMS)
    assert {path.name for path in (ROOT / "arena").iterdir() if (path / "__init__.py").is_file()} <= below


def test_imports_run_downwards() -> None:
    assert not {name_of(path): found for path in MODULES if (found := misplaced(name_of(path), read(path)))}


def test_rules_know_no_clock_no_socket_and_no_chance_but_ours() -> None:
    rules = [path for path in MODULES if path.is_relative_to(ROOT / "engine")]
    assert not {name_of(path): found for path in rules if (found := packages(read(path)) & NOT_FOR_RULES)}


def test_only_the_ledger_knows_sql() -> None:
    assert {path.parent.name for path in MODULES if "sqlite3" in packages(read(path))} == {"ledger"}


def test_modules_stay_small() -> None:
    lengths = {name_of(path): len(read(path).splitlines()) for path in ALL_MODULES}
    assert not {name: length for name, length in lengths.items() if length > MODULE_LINES}


def test_functions_stay_small() -> None:
    assert not {name_of(path): found for path in ALL_MODULES if (found := too_long(read(path)))}


def test_long_choices_are_tables() -> None:
    assert not {name_of(path): found for path in ALL_MODULES if (found := long_chains(read(path)))}


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
    built = {path.parent.name for path in (ROOT / "engine").glob("*/game.py")}
    assert built <= set(GAMES)
    assert built <= set(catalog.games())


def test_what_is_written_twice_so_that_rooms_need_not_know_each_other_agrees() -> None:
    assert client.PROTOCOL == messages.PROTOCOL


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("arena/ledger/a.py", "from arena.tournament.run import run"),
        ("arena/ledger/a.py", "from arena import rating"),
        ("arena/rating/a.py", "import arena.ledger.records"),
        ("arena/site/a.py", "def f():\n    from arena.tournament import run"),
        ("engine/kosmos/a.py", "from arena.protocol import codec"),
        ("arena/client.py", "from arena.protocol.messages import PROTOCOL"),
    ],
)
def test_an_import_upwards_or_sideways_is_found(path: str, source: str) -> None:
    assert misplaced(path, source)


def test_what_is_too_long_or_names_a_game_is_found() -> None:
    assert too_long("def f():\n" + "    pass\n" * FUNCTION_LINES)
    assert not too_long("def f():\n" + "    pass\n" * (FUNCTION_LINES - 1))
    chain = "if x == 0:\n    pass\n" + "".join(f"elif x == {n}:\n    pass\n" for n in range(1, BRANCHES))
    assert not long_chains(chain)
    assert long_chains(chain + "elif y:\n    pass\n")
    for line in ("default = 'chess'", "x = 1  # as in Chess", "from engine import chess", "class ChessBoard:"):
        assert named_games(f"first\n{line}\nlast", {"chess"}) == [line]
