"""What is made from a starter: its source under a new name, without what was built, and a README of one screen."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import msgspec
import pytest

from arena import shipped
from arena.entrants import expand
from arena.entrants.fingerprint import sources
from arena.entrants.manifest import read_manifest
from arena.starters import StarterError, make, readme, starter, starters

SCREEN = 45
"""Lines."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of starters with one in it that has everything."""
    home = tmp_path / "bots" / "cpp"
    files = {
        "bot.toml": 'name = "cpp-bot"\ncommand = "./bin/bot"\nbuild = "make"\noutputs = ["bin"]\n',
        "starter.toml": 'language = "C++"\nedit = "src/bot.cpp"\ndebug = "gdb bin/bot"\n'
        'needs = ["no-such-tool", "sh"]\ngames = ["chess"]\nvectors = true\n',
        "src/bot.cpp": '// cpp-bot\nauto name = "cpp-bot"; auto other = "my-cpp-bot cpp-bot2 cpp-bot.";\n',
        "src/.clang-format": "BasedOnStyle: Google\n",
        ".gitignore": "/bin/\n",
        ".DS_Store": "x",
        "bin/bot": "built",
        "target/x": "built",
        "node_modules/y/z.js": "fetched",
        ".venv/z": "made",
        "README.md": "about the starter",
    }
    for name, text in files.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text)
    (home / "picture.bin").write_bytes(b"\xff\xfecpp-bot\x00")
    (tmp_path / "bots" / "greedy.py").write_text("pass")
    return tmp_path / "bots"


def test_a_folder_with_a_starter_toml_is_a_starter(folder):
    found = starters(folder)
    assert list(found) == ["cpp"]
    assert starter("C++", folder) == starter("cpp", folder) == found["cpp"]
    assert found["cpp"].missing() == ["no-such-tool"]


def test_a_library_that_is_not_there_is_missing_too(folder):
    file = folder / "cpp" / "starter.toml"
    libraries = '[libraries]\nthere = "true"\n"gone 2.0" = "echo no >&2; exit 1"\n'
    file.write_text(file.read_text().replace("no-such-tool", "sh") + libraries)
    assert starter("cpp", folder).missing() == ["gone 2.0"]


def test_only_source_is_copied(folder, tmp_path):
    made = make(starter("cpp", folder), tmp_path / "made" / "fogg")
    vectors = {f"vectors/{path.name}" for path in shipped.find("docs/vectors").glob("*.json")}
    assert {path.as_posix() for path in made} == vectors | {
        ".bot.schema.json",
        ".gitignore",
        "README.md",
        "bot.toml",
        "picture.bin",
        "src/.clang-format",
        "src/bot.cpp",
    }
    assert json.loads((tmp_path / "made" / "fogg" / "vectors" / "messages.json").read_text("utf-8"))


def test_its_name_stands_wherever_the_starters_stood(folder, tmp_path):
    make(starter("cpp", folder), tmp_path / "fogg")
    source = (tmp_path / "fogg" / "src" / "bot.cpp").read_text("utf-8")
    assert source == '// fogg\nauto name = "fogg"; auto other = "my-cpp-bot cpp-bot2 fogg.";\n'
    assert (tmp_path / "fogg" / "picture.bin").read_bytes() == b"\xff\xfecpp-bot\x00"
    assert [each.name for each in expand([tmp_path / "fogg"]).found] == ["fogg"]


@pytest.mark.parametrize("name", ["", "Fogg", "9fogg", "fögg", "a b", "x" * 41, "-x"])
def test_a_name_has_to_do_in_every_language(folder, tmp_path, name):
    with pytest.raises(StarterError):
        make(starter("cpp", folder), Path(f"{tmp_path}/{name or '..'}"))


def test_nothing_is_overwritten(folder, tmp_path):
    (tmp_path / "file").write_text("mine")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").write_text("mine")
    for name in ("file", "full"):
        with pytest.raises(StarterError):
            make(starter("cpp", folder), tmp_path / name)
    (tmp_path / "empty").mkdir()
    assert make(starter("cpp", folder), tmp_path / "empty")


def test_a_game_that_the_starter_does_not_play_is_refused(folder, tmp_path):
    with pytest.raises(StarterError, match=r"chess.*halma"):
        make(starter("cpp", folder), tmp_path / "fogg", "halma")
    make(starter("cpp", folder), tmp_path / "fogg", "chess")
    assert "arena check . --game chess" in (tmp_path / "fogg" / "README.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        ("starter.toml", "language = 3", "starter.toml"),
        ("starter.toml", "no toml", "starter.toml"),
        ("starter.toml", 'language = "C"\nedit = "x"\ndebug = "x"\nmore = 1', "more"),
        ("bot.toml", "command = 3", "bot.toml"),
    ],
)
def test_a_starter_that_cannot_be_read_is_named(folder, file, text, told):
    (folder / "cpp" / file).write_text(text)
    with pytest.raises(StarterError, match=told):
        starters(folder)


# The starters that there are


@pytest.mark.parametrize("key", starters())
def test_every_starter_says_what_is_there(key):
    each = starters()[key]
    assert (each.folder / each.about.edit).is_file()
    assert each.name is not None
    assert not (each.folder / "README.md").exists(), "the README is written by arena new"
    assert each.manifest.language == each.about.language


@pytest.mark.parametrize("key", starters())
def test_the_readme_is_one_screen_and_its_commands_can_be_read(key):
    page = readme(starters()[key], "fogg", "some-game")
    assert len(page.splitlines()) <= SCREEN
    assert "{" not in page
    shell = [line for block in page.split("```sh\n")[1:] for line in block.partition("```")[0].splitlines()]
    assert [shlex.split(line, comments=True)[:2] for line in shell[:2]] == [["arena", "check"], ["arena", "match"]]
    for word in ("`decide`", "`act`", "`fault`", "ARENA_TOKEN", "arena show --faults fogg"):
        assert word in page


@pytest.mark.parametrize("key", starters())
def test_what_is_made_is_the_starter_under_another_name(key, tmp_path):
    """So tests/starters, which builds and plays what is made, has built and played the bots in bots/ too."""
    each = starters()[key]
    made = {path.as_posix() for path in make(each, tmp_path / "fogg-of-wexford")}
    for file in made - {".bot.schema.json", "README.md", "bot.toml"}:
        source = each.folder / file
        if file.startswith("vectors/"):
            source = shipped.find("docs/vectors") / Path(file).name
        text = (tmp_path / "fogg-of-wexford" / file).read_text("utf-8")
        assert text.replace("fogg-of-wexford", each.name) == source.read_text("utf-8"), file
    made_manifest = read_manifest(tmp_path / "fogg-of-wexford")
    assert msgspec.structs.replace(made_manifest, name=each.name) == each.manifest
    tracked = {path.as_posix() for path in sources(each.folder, each.manifest.outputs)}
    assert tracked - {"starter.toml"} <= made
