"""What `bots/*` expands to."""

from __future__ import annotations

import os
import pickle
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.common.authors import Author, avatar_name
from arena.entrants import EntrantError, alike, expand, shared_names
from arena.entrants.expand import placed
from tests.arena.common.test_authors import png

AUTHOR = """command = "x"
[author]
name = "Ada"
team = "Engines"
link = "https://example.org/ada"
avatar = "ada.png"
licence = "MIT"
"""


def _file(path: Path, text: str = "", mode: int = 0o644) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)
    return path


def test_a_python_file_an_executable_and_a_folder_are_bots(tmp_path: Path) -> None:
    _file(tmp_path / "one.py")
    _file(tmp_path / "two.sh", "#!/bin/sh\n", 0o755)
    _file(tmp_path / "three" / "bot.toml", "command = ['{python}', '-u', 'main.py']\nlanguage = 'Python'")
    one, three, two = expand([tmp_path / "*"]).found
    assert (one.name, one.kind, one.command) == ("one", "python", (sys.executable, "one.py"))
    assert (two.name, two.kind, two.command) == ("two", "executable", ("./two.sh",))
    assert (three.name, three.kind, three.command) == ("three", "folder", (sys.executable, "-u", "main.py"))
    assert pickle.loads(pickle.dumps(three)) == three


def test_the_author_of_a_bot_is_named_with_the_hash_of_the_picture(tmp_path: Path) -> None:
    folder = _file(tmp_path / "bot" / "bot.toml", AUTHOR).parent
    (folder / "ada.png").write_bytes(png())
    [bot] = expand([folder]).found
    assert bot.author == Author("Ada", "Engines", "https://example.org/ada", "MIT", avatar_name(png()))
    (folder / "ada.png").write_bytes(png(3))
    [other] = expand([folder]).found
    assert other.fingerprint != bot.fingerprint, "author and picture are part of what is hashed"


@pytest.mark.parametrize(
    ("file", "make", "why"),
    [
        ("ada.png", lambda file: None, "no source file"),
        ("../ada.png", lambda file: file.write_bytes(png()), "no source file"),
        (".ada.png", lambda file: file.write_bytes(png()), "no source file"),
        ("build/ada.png", lambda file: file.write_bytes(png()), "no source file"),
        ("ada.png", lambda file: file.mkdir(), "no source file"),
        ("ada.png", lambda file: file.symlink_to("/dev/zero"), "leaves the bot's folder"),
        ("ada.png", os.mkfifo, "named pipe"),
        ("ada.png", lambda file: file.write_text("<svg/>"), "neither PNG"),
    ],
)
def test_an_avatar_is_a_picture_among_the_source_files(tmp_path: Path, file: str, make: Any, why: str) -> None:
    folder = _file(tmp_path / "bot" / "bot.toml", AUTHOR.replace("ada.png", file)).parent
    (folder / "build").mkdir()
    make(folder / file)
    with pytest.raises(EntrantError, match=why):
        expand([folder])


def test_what_is_no_bot_is_named_and_skipped(tmp_path: Path) -> None:
    _file(tmp_path / "README.md", "read me", 0o755)
    _file(tmp_path / "notes.txt")
    _file(tmp_path / "__init__.py")
    _file(tmp_path / "__pycache__" / "one.cpython.pyc")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "lost.py").symlink_to(tmp_path / "nowhere")
    _file(tmp_path / "closed", "#!/bin/sh\n")
    _file(tmp_path / "one.py")
    expansion = expand([str(tmp_path / "*")])
    assert [entrant.name for entrant in expansion.found] == ["one"]
    skipped = {path.name: reason for path, reason in expansion.skipped}
    assert set(skipped) == {"README.md", "notes.txt", "__init__.py", "__pycache__", "pipe", "lost.py", "closed"}
    assert all(skipped.values())
    assert skipped["lost.py"] == f"a link to {tmp_path / 'nowhere'}, which is not there"
    assert skipped["closed"] == f"it may not be executed: chmod +x {tmp_path / 'closed'}"


def test_what_was_meant_as_a_bot_is_left_out_and_what_was_not_is_skipped(tmp_path: Path) -> None:
    _file(tmp_path / "README.md", "read me", 0o755)
    _file(tmp_path / "notes.txt")
    (tmp_path / "lost.py").symlink_to(tmp_path / "nowhere")
    _file(tmp_path / "closed.sh", "#!/bin/sh\n")
    expansion = expand([str(tmp_path / "*")], keep_faulty=True)
    assert {each.name: each.fault for each in expansion.found} == {
        "closed": f"it may not be executed: chmod +x {tmp_path / 'closed.sh'}",
        "lost": f"a link to {tmp_path / 'nowhere'}, which is not there",
    }
    assert {path.name for path, _ in expansion.skipped} == {"README.md", "notes.txt"}


def test_a_path_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(EntrantError, match=r"mine\.py"):
        expand([tmp_path / "mine.py"])
    with pytest.raises(EntrantError, match="bots"):
        expand([tmp_path / "bots" / "*"])


def test_names_are_unique_in_the_order_given(tmp_path: Path) -> None:
    _file(tmp_path / "a" / "greedy.py")
    _file(tmp_path / "b" / "greedy.py")
    _file(tmp_path / "c" / "bot.toml", "command = 'x'\nname = 'greedy-2'")
    found = expand([tmp_path / "a" / "greedy.py", tmp_path / "b" / "greedy.py", tmp_path / "c"]).found
    assert [entrant.name for entrant in found] == ["greedy", "greedy-2", "greedy-2-2"]
    assert [entrant.path.parent.name for entrant in found[:2]] == ["a", "b"]


def test_a_name_is_safe_to_print(tmp_path: Path) -> None:
    _file(tmp_path / "c" / "bot.toml", 'command = "x"\nname = " \\u001b[31mred\\n"')
    assert expand([tmp_path / "c"]).found[0].name == "?[31mred"


def test_a_link_is_called_by_its_own_name(tmp_path: Path) -> None:
    _file(tmp_path / "shelf" / "first.py")
    (tmp_path / "mine.py").symlink_to(tmp_path / "shelf" / "first.py")
    assert expand([tmp_path / "mine.py"]).found[0].name == "mine"


def test_the_current_folder_can_be_a_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _file(tmp_path / "mine" / "bot.toml", "command = './run me'")
    monkeypatch.chdir(tmp_path / "mine")
    entrant = expand(["."]).found[0]
    assert (entrant.name, entrant.command) == ("mine", ("./run", "me"))


@pytest.mark.parametrize("command", ['"./run \'me"', "[]", "''", "[' '] # no\nbuild = ''"])
def test_a_command_without_a_program_is_an_error(tmp_path: Path, command: str) -> None:
    _file(tmp_path / "mine" / "bot.toml", f"command = {command}")
    with pytest.raises(EntrantError, match=r"bot.toml: (command|build): "):
        expand([tmp_path / "mine"])


def test_a_command_that_nobody_builds_is_an_error(tmp_path: Path) -> None:
    _file(tmp_path / "mine" / "bot.toml", "command = './build/bot'")
    _file(tmp_path / "mine" / "build" / "bot", "#!/bin/sh\n", 0o755)
    with pytest.raises(EntrantError, match="build/bot"):
        expand([tmp_path / "mine"])
    _file(tmp_path / "mine" / "bot.toml", "command = './build/bot'\nbuild = 'make'")
    assert expand([tmp_path / "mine"]).found[0].build == ("make",)


def test_a_bot_started_by_hand_is_for_a_game() -> None:
    with pytest.raises(EntrantError, match="wait:me"):
        expand(["wait:me"])


def test_of_files_of_one_name_is_said_which_is_which(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _file(tmp_path / "a" / "greedy.py")
    _file(tmp_path / "b" / "greedy.py")
    _file(tmp_path / "one.py")
    monkeypatch.chdir(tmp_path)
    found = expand(["one.py", "a/greedy.py", "b/greedy.py", "@greedy"]).found
    [line] = shared_names(found)
    assert line == "3 bots are called greedy: greedy is a/greedy.py, greedy-2 is b/greedy.py, greedy-3 is @greedy"
    assert shared_names(expand(["one.py", "one.py"]).found) == []  # which is which does not matter


def test_of_equal_bots_and_of_names_that_look_alike_is_said_that_they_are(tmp_path: Path) -> None:
    for name in ("one.py", "two.py", "caf\u00e9.py", "cafe\u0301.py"):
        _file(tmp_path / name, "1" if "caf" not in name else name)
    for name in ("here", "there"):
        _file(tmp_path / name / "bot.toml", "command = 'x'")
    _file(tmp_path / "run", "#!/bin/sh\n", 0o755)
    (tmp_path / "lost").symlink_to("nowhere")
    (tmp_path / "gone").symlink_to("nowhere")
    assert sorted(alike(expand([str(tmp_path / "*")], keep_faulty=True).found)) == [
        "here and there have the same content: only luck is between them",
        "one and two have the same content: only luck is between them",
        "the names cafe\u0301 (cafe\\u0301) and caf\u00e9 (caf\\xe9) differ in Unicode form only: "
        "give one of them another name",
    ]
    assert alike(expand([tmp_path / "one.py", tmp_path / "one.py"]).found) == []


def test_a_bot_may_be_given_a_name_with_its_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("one.py", "a=b.py", "closed", "plans/one.py"):
        _file(tmp_path / name)
    words = ["one.py", "deep=one.py", "one=one.py", "x=@greedy", "a=b.py", "c=a=b.py"]
    found = expand(words).found
    assert [each.name for each in found] == ["one-2", "deep", "one", "x", "a=b", "c"]
    assert [each.is_named for each in found] == [False, True, True, True, False, True]
    assert expand(["x=plans/*.py"]).found[0].name == "x"
    assert placed("deep=one.py", Path("plans")) == "deep=plans/one.py"
    assert placed("a=b.py", Path()) == "a=b.py"
    assert placed("x=@greedy", Path("plans")) == "x=@greedy"
    _file(tmp_path / "lost", "#!/bin/sh\n")
    assert expand(["bash=lost"], keep_faulty=True).found[0].name == "bash"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["a=one.py", "a=two.py"], "two bots are named a: give one of them another name"),
        (["a=*.py"], r"a=\*\.py: \*\.py are 2 bots, and a name is for one"),
        (["a=@all"], "a=@all: @all are"),
        (["a=three.py"], r"there is no three\.py"),
        (["greedy"], r"there is no greedy.*Did you mean @greedy\?"),
        (
            ["a@2=one.py"],
            r"a@2=one\.py: type NAME=PATH, with a name of 1 to 60 characters that can be printed, without @",
        ),
        (["=one.py"], "type NAME=PATH"),
        (["a="], "type NAME=PATH"),
        ([f"{'a' * 61}=one.py"], "1 to 60 characters"),
        (["a=wait:me"], "only `arena match` waits"),
    ],
)
def test_a_name_that_cannot_be_given_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], why: str
) -> None:
    monkeypatch.chdir(tmp_path)
    _file(tmp_path / "one.py")
    _file(tmp_path / "two.py")
    with pytest.raises(EntrantError, match=why):
        expand(words)


def test_python_takes_no_file_for_an_option(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("./-dash.py").write_text("print(1)")
    Path("-run").write_text("#!/bin/sh\n")
    [bot] = expand(["./-dash.py"]).found
    assert (bot.name, bot.command[1:]) == ("-dash", ("./-dash.py",))
    assert expand(["./-run"]).skipped == [(Path("-run"), "it may not be executed: chmod +x ./-run")]
