"""Which files are made, and what stands in each."""

from __future__ import annotations

from pathlib import Path

from generators.structs.c import c_file, c_name
from generators.structs.cpp import CppFile
from generators.structs.go import GoFile
from generators.structs.java import JavaFile
from generators.structs.model import GAMES, ROOT, game, messages
from generators.structs.rust import rust_file
from generators.structs.typescript import typescript_file

BOTS = ROOT / "bots"


def files() -> dict[Path, str]:
    """Return the text of each file."""
    found = {}
    for module in (messages(), *map(game, GAMES)):
        name = module.game or "messages"
        found[BOTS / "go" / f"{name}.go"] = GoFile(module).text()
        found[BOTS / "c" / f"{c_name(module)}.h"] = c_file(module)
        found[BOTS / "cpp" / f"{name}.hpp"] = CppFile(module).text()
        java = JavaFile(module)
        found[BOTS / "java" / "src" / "main" / "java" / "bot" / f"{java.name}.java"] = java.text()
        found[BOTS / "rust" / "src" / f"{name}.rs"] = rust_file(module)
        found[BOTS / "typescript" / "src" / f"{name}.ts"] = typescript_file(module)
    return found
