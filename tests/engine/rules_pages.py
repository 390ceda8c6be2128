"""Every rule id of a game's rules page is named by a test of its folder, and no test names an id that is not there.

A test names the ids that it covers in its docstring; so does a class of the game's `suite`, for the tests of all games.
"""

from __future__ import annotations

import ast
import re
from importlib import resources
from pathlib import Path


class RulesPage:
    """The rules page of a game that comes with the arena, and the game's own tests."""

    def __init__(self, game: str) -> None:
        """`game`: its name, which is that of its folders too."""
        self.package = Path(str(resources.files(f"engine.{game}")))
        self.text = self.package.joinpath("rules.md").read_text("utf-8")
        first = re.search(r"^- \*\*([A-Z]+)-\d\d\*\* \S", self.text, re.MULTILINE)
        assert first is not None, f"the rules page of {game} has no ids"
        self.id = re.compile(rf"\b{first[1]}-\d\d\b")
        self.rules: list[str] = re.findall(rf"^- \*\*({first[1]}-\d\d)\*\* \S", self.text, re.MULTILINE)
        self.tests = Path(__file__).parent / game

    def named(self) -> dict[str, list[str]]:
        """By id: the tests that name it in their docstring."""
        found: dict[str, list[str]] = {}
        for path in sorted([*self.tests.glob("test_*.py"), *self.tests.glob("suite.py")]):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                is_test = isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
                if is_test or (isinstance(node, ast.ClassDef) and path.name == "suite.py"):
                    for rule in self.id.findall(ast.get_docstring(node) or ""):  # type: ignore[arg-type]
                        found.setdefault(rule, []).append(f"{path.name}::{node.name}")  # type: ignore[attr-defined]
        return found

    def check_that_every_rule_has_a_test(self) -> None:
        named = self.named()
        assert [rule for rule in self.rules if rule not in named] == []

    def check_that_no_test_names_another(self) -> None:
        known = set(self.rules)
        assert {rule: tests for rule, tests in self.named().items() if rule not in known} == {}

    def check_the_page(self, rules: int) -> None:
        """So many rules, each once and in order; and the text refers to no other."""
        assert len(self.rules) == len(set(self.rules)) == rules
        assert self.rules == sorted(self.rules)
        assert set(self.id.findall(self.text)) == set(self.rules)

    def check_the_code(self) -> None:
        """The game's code and data refer to rules of the page."""
        for path in self.package.rglob("*"):
            if path.suffix in (".py", ".toml"):
                assert set(self.id.findall(path.read_text("utf-8"))) <= set(self.rules), path.name
