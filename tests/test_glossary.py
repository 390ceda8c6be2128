"""Hold the code to docs/glossary.md: class names are unique, retired words name nothing, and what it names exists."""

from __future__ import annotations

import ast
import importlib
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "glossary.md").read_text("utf-8")
TERMS, _, RETIRED_WORDS = PAGE.partition("## Retired words")
NAMED = re.findall(r"\| `([\w.]+)` \|$", TERMS, re.MULTILINE)
RETIRED = [
    tuple(word.split("_"))
    for words in re.findall(r"^\| (`.+?`) \|", RETIRED_WORDS, re.MULTILINE)
    for word in re.findall(r"`(\w+)`", words)
]
"""Each as its parts: most are one word."""
ALLOWED = (
    ("host", "who serves HTTP", ("arena/web/*", "tests/arena/web/*", "tests/arena/cli/test_show_web.py")),
    ("host", "who serves HTTP", ("arena/play/serve.py", "arena/cli/play*.py", "tests/arena/play/*")),
    ("host", "who serves a site", ("arena/site/github_pages.py", "tests/arena/site/*")),
    (
        "host",
        "where a league is served",
        ("arena/serve/league.py", "arena/serve/pages/app.py", "arena/serve/intake/remote.py", "arena/cli/serve.py"),
    ),
    ("link", "of a page", ("arena/shipped/*", "arena/site/*", "tests/arena/site/*", "tests/arena/cli/*")),
    ("link", "of a page", ("tests/package/*", "tests/plugin/*", "tests/test_*.py")),
    ("link", "of an author", ("arena/common/authors.py", "arena/entrants/*", "tests/arena/common/*")),
    ("link", "of a file system", ("tests/arena/entrants/*",)),
    ("match", "the command", ("arena/cli/match.py", "tests/arena/cli/*")),
    ("match", "of a pattern", ("arena/c*/*", "arena/shipped/*", "arena/site/rules_page.py", "tests/*")),
    ("match", "of a query in a browser", ("arena/site/assets/*",)),
    ("tell", "a verb in a test's name", ("tests/*",)),
    ("told", "a verb in a test's name", ("tests/*",)),
    ("floor", "of a number", ("arena/site/chart_layout.py", "tests/arena/site/test_scale.py")),
)
"""Retired words that name something else: the word, what it names, and in which files."""
CODE = [path for part in ("arena", "engine") for path in sorted((ROOT / part).rglob("*.py"))]
OTHERS = [path for part in ("tests", "benchmarks", "generators") for path in sorted((ROOT / part).rglob("*.py"))]
OTHERS += sorted((ROOT / "bots").glob("*.py"))
SCRIPTS = sorted((ROOT / "arena" / "site" / "assets").glob("*.js"))
SCRIPT_TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|(?P<template>`(?:\\.|[^`\\])*`)|(?P<name>[A-Za-z_$][\w$]*)""",
    re.DOTALL,
)
"""A comment, a text, a template or a name of a script; what is in a regular expression counts as names."""


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def identifiers_in(path: Path) -> frozenset[str]:
    """Return the identifiers of a file. They are kept, and not its tree: the trees of all files take 500 MB."""
    text = path.read_text("utf-8")
    return identifiers(name_of(path), ast.parse(text)) if path.suffix == ".py" else frozenset(script_identifiers(text))


def public_classes(tree: ast.AST) -> list[str]:
    """Return the names of a module's public classes, also of those within others."""
    return [node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]


def classes_of_one_name(names: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """Return the public class names that occur more than once, with their modules."""
    found = defaultdict(list)
    for path, classes in names.items():
        for name in classes:
            found[name].append(path)
    return {name: paths for name, paths in found.items() if len(paths) > 1}


def identifiers(path: str, tree: ast.AST) -> frozenset[str]:
    """Return all names that a module defines or uses, and the parts of its own."""
    return frozenset(_identifiers(path, tree))


def _identifiers(path: str, tree: ast.AST) -> Iterator[str]:
    yield from path.removesuffix(".py").split("/")
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.arg(arg=name) | ast.keyword(arg=str(name)) | ast.Name(id=name) | ast.Attribute(attr=name):
                yield name
            case ast.alias(name=name, asname=other):
                yield other or name
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name


def script_identifiers(text: str) -> set[str]:
    """Return all names in a script, also in the expressions of its templates, but not in comments and texts."""
    found = set()
    for token in SCRIPT_TOKEN.finditer(text):
        if token["name"]:
            found.add(token["name"])
        for expression in re.findall(r"\$\{(.*?)\}", token["template"] or "", re.DOTALL):
            found |= script_identifiers(expression)
    return found


def retired_names_in_script(path: str, text: str) -> set[str]:
    return retired_names(path, script_identifiers(text))


def parts(name: str) -> list[str]:
    """Split a name into words at underscores, dots and capitals."""
    return [part.lower() for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]


@cache
def retired_in(name: str) -> tuple[str, ...]:
    """Return the retired words in a name, plurals included."""
    return tuple(_retired_in(parts(name)))


def _retired_in(words: list[str]) -> Iterator[str]:
    for retired in RETIRED:
        for at in range(len(words) - len(retired) + 1):
            *before, last = words[at : at + len(retired)]
            if tuple(before) == retired[:-1] and last in (retired[-1], f"{retired[-1]}s", f"{retired[-1]}es"):
                yield "_".join(retired)


def is_allowed(word: str, path: str) -> bool:
    return any(word == allowed and any(fnmatch(path, each) for each in paths) for allowed, _, paths in ALLOWED)


def retired_names(path: str, names: Iterable[str]) -> set[str]:
    return {name for name in names for word in retired_in(name) if not is_allowed(word, path)}


def resolve(name: str) -> Any:
    """Return what a dotted name stands for. Raises `AttributeError` or `ImportError`."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        owner, _, attribute = name.rpartition(".")
        if not owner:
            raise
        return getattr(resolve(owner), attribute)


def missing(names: Iterable[str]) -> list[str]:
    found = []
    for name in names:
        try:
            resolve(name)
        except (AttributeError, ImportError):
            found.append(name)
    return found


def test_every_public_class_has_a_name_of_its_own() -> None:
    names = {name_of(path): public_classes(ast.parse(path.read_text("utf-8"))) for path in CODE}
    assert sum(map(len, names.values())) > 150
    assert classes_of_one_name(names) == {}


@pytest.mark.parametrize(
    "files", [pytest.param(CODE, id="code"), pytest.param(OTHERS, id="others", marks=pytest.mark.slow)]
)
def test_no_retired_word_names_anything(files: list[Path]) -> None:
    assert len(RETIRED) >= 20
    found = {name_of(path): retired_names(name_of(path), identifiers_in(path)) for path in files}
    assert {path: names for path, names in found.items() if names} == {}


def test_no_retired_word_names_anything_in_the_pages_scripts() -> None:
    assert len(SCRIPTS) >= 9
    found = {name_of(path): retired_names_in_script(name_of(path), path.read_text("utf-8")) for path in SCRIPTS}
    assert {path: names for path, names in found.items() if names} == {}


def test_every_term_that_names_something_in_the_code_names_what_is_there() -> None:
    assert len(NAMED) >= 35
    assert missing(NAMED) == []


def test_terms_are_explained_once_and_no_retired_word_is_one() -> None:
    terms = re.findall(r"^\| ([a-z][\w -]+) \|", TERMS, re.MULTILINE)
    terms = [term for term in terms if term != "term"]
    assert len(terms) >= 45
    assert sorted(set(terms)) == sorted(terms)
    assert [term for term in terms if retired_in(term.replace(" ", "_"))] == []


@pytest.mark.slow
@pytest.mark.parametrize("allowed", ALLOWED, ids=lambda allowed: f"{allowed[0]} {allowed[1]}")
def test_every_exception_is_needed(allowed: tuple[str, str, tuple[str, ...]]) -> None:
    word, _, patterns = allowed
    for pattern in patterns:
        paths = [path for path in [*CODE, *OTHERS, *SCRIPTS] if fnmatch(name_of(path), pattern)]
        assert any(word in retired_in(name) for path in paths for name in identifiers_in(path)), pattern


def test_two_classes_of_one_name_are_found() -> None:
    sources = {"a.py": "class Table: ...", "b.py": "def f():\n    class Table: ..."}
    names = {path: public_classes(ast.parse(source)) for path, source in sources.items()}
    assert classes_of_one_name(names) == {"Table": ["a.py", "b.py"]}
    assert public_classes(ast.parse("class _Table: ...")) == []


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("arena/referee/a.py", "class BotLink: ..."),
        ("arena/referee/a.py", "def host_of(bot): ..."),
        ("arena/referee/a.py", "def f(knob): ..."),
        ("arena/referee/a.py", "crew = 1"),
        ("arena/referee/a.py", "self.house.floors = 1"),
        ("arena/referee/a.py", "f(told_by=1)"),
        ("arena/referee/a.py", "from arena import zoo"),
        ("arena/referee/a.py", "import arena.twins"),
        ("arena/referee/a.py", "x: Caretaker"),
        ("arena/referee/a.py", "async def seal(): ..."),
        ("arena/referee/a.py", "try: ...\nexcept ValueError as slips: ..."),
        ("arena/referee/bench.py", ""),
        ("arena/referee/a.py", "f'{the_story}'"),
    ],
)
def test_a_retired_word_is_found_as_any_kind_of_name(path: str, source: str) -> None:
    assert retired_names(path, identifiers(path, ast.parse(source)))


@pytest.mark.parametrize(
    "script",
    ["function sealIt() {}", "const knobs = 1;", "x.story.y()", "`a ${crew} b`", "f(`${g(host)}`)", 'f("x", twin)'],
)
def test_a_retired_word_is_found_in_a_script(script: str) -> None:
    assert retired_names_in_script("arena/referee/a.js", script)


@pytest.mark.parametrize(
    "script", ["// the house\nf();", "/* a knob */ f();", "f(\"a wire\", 'seal', `the host ${f(1)}`);", 'f("\\"knob");']
)
def test_comments_and_texts_of_a_script_are_left_alone(script: str) -> None:
    assert not retired_names_in_script("arena/referee/a.js", script)


@pytest.mark.parametrize("source", ["benchmark = linked = hostile = 1", "'a knob'  # of the house"])
def test_other_words_and_prose_are_left_alone(source: str) -> None:
    assert not retired_names("arena/referee/a.py", identifiers("arena/referee/a.py", ast.parse(source)))


def test_a_term_for_what_is_not_there_is_found() -> None:
    lost = ["arena.game.game.Caretaker", "arena.host.Host", "nowhere", "engine.rules.Rules.caretaker"]
    assert missing([*lost, "engine.rules.Rules.start"]) == lost


VAGUE = re.compile(r"\b(whoever|somebody who)\b", re.IGNORECASE)
"""Words that make a reader look for who is meant."""
PRONOUN = re.compile(r"(?!How|Wh)[A-Z]\w+ (it|them)\b")
"""A verb whose object is to be guessed."""
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def vague_docstrings(tree: ast.AST) -> list[str]:
    """Return the first lines of docstrings that do not say who does what: see CONTRIBUTING.md."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, *FUNCTIONS)) and (text := ast.get_docstring(node)):
            first = text.split("\n")[0]
            is_function = isinstance(node, FUNCTIONS)
            if VAGUE.search(text) or (is_function and (PRONOUN.match(first) or not first[0].isupper())):
                found.append(first)
    return found


def test_docstrings_begin_with_a_verb_and_its_object() -> None:
    """Whether the verb is imperative is checked by ruff (D401)."""
    found = {name_of(path): vague_docstrings(ast.parse(path.read_text("utf-8"))) for path in CODE}
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_vague_docstrings_are_found() -> None:
    vague = ['def f(): "Take it."', 'def f(): "`seed`: the game\'s."', 'class A: "For whoever asks."']
    fine = ['def f(): "Take a card. It goes into the hand."', 'class A: "It may be empty."']
    assert [len(vague_docstrings(ast.parse(text))) for text in [*vague, *fine]] == [1, 1, 1, 0, 0]
