"""Every rule id of the rules page is named by a test of this folder, and no test names an id that is not there.

A test names the ids that it covers in its docstring.
"""

from __future__ import annotations

import ast
import re
from importlib import resources
from pathlib import Path

ID = re.compile(r"K-\d\d\b")
RULE = re.compile(r"^- \*\*(K-\d\d)\*\* \S", re.MULTILINE)
PAGE = resources.files("engine.kosmos").joinpath("rules.md").read_text("utf-8")


def rules() -> list[str]:
    """The ids of the page, in its order."""
    return RULE.findall(PAGE)


def named() -> dict[str, list[str]]:
    """By id: the tests of this folder that name it in their docstring."""
    found: dict[str, list[str]] = {}
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for rule in ID.findall(ast.get_docstring(node) or ""):
                    found.setdefault(rule, []).append(f"{path.name}::{node.name}")
    return found


def test_every_rule_has_a_test() -> None:
    tests = named()
    assert [rule for rule in rules() if rule not in tests] == []


def test_no_test_names_a_rule_that_is_not_there() -> None:
    known = set(rules())
    assert {rule: tests for rule, tests in named().items() if rule not in known} == {}


def test_the_page_has_every_rule_once_and_in_order() -> None:
    found = rules()
    assert len(found) == len(set(found)) == 62
    assert found == sorted(found)
    assert set(ID.findall(PAGE)) == set(found), "the text refers to a rule that is not there"


def test_the_code_refers_to_rules_of_the_page() -> None:
    for path in Path(str(resources.files("engine.kosmos"))).rglob("*"):
        if path.suffix in (".py", ".toml"):
            assert set(ID.findall(path.read_text("utf-8"))) <= set(rules()), path.name
