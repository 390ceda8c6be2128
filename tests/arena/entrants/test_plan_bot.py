"""A bot of a plan with arguments and variables of its own is a bot like any other, with a fingerprint of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.entrants import EntrantError, expand
from arena.entrants.manifest import read_manifest
from arena.entrants.plan_bot import PlanBot, entered

BOT = "from arena.client import run\n\nrun(lambda game: 0)\n"


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    file = tmp_path / "mine.py"
    file.write_text(BOT)
    return file


def test_settings_make_bots_of_one_file_different_and_the_same_again(tmp_path: Path, mine: Path) -> None:
    cache = tmp_path / "cache"
    words = [entered(PlanBot(name, str(mine), [arg]), cache) for name, arg in (("a", "1"), ("b", "2"), ("c", "1"))]
    found = expand(words).found
    assert [each.name for each in found] == ["a", "b", "c"]
    assert found[0].fingerprint == found[2].fingerprint != found[1].fingerprint
    assert found[1].command[1:] == ("./mine.py", "2")
    assert entered(PlanBot("a", str(mine), ["1"]), cache) == words[0]
    assert len(list((cache / "entered").iterdir())) == 2, "nothing is left lying about"
    mine.write_text(f"{BOT}# changed\n")
    assert entered(PlanBot("a", str(mine), ["1"]), cache) != words[0]


def test_without_options_it_is_the_file_itself(tmp_path: Path, mine: Path) -> None:
    assert entered(PlanBot("a", str(mine)), tmp_path / "cache") == f"a={mine}"
    assert not (tmp_path / "cache").exists()


def test_what_a_folder_says_stays_and_options_are_added(tmp_path: Path) -> None:
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "bot.toml").write_text(
        'command = "{python} main.py --fast"\nlanguage = "Python"\nenv = { A = "1", B = "2" }\n'
        'limits = { memory_mb = 512 }\noutputs = ["made"]\n[author]\nname = "Ada \\"A\\""\n'
    )
    (folder / "main.py").write_text("")
    word = entered(PlanBot("x", str(folder), ['tab\t"quoted"'], {"B": "3"}), tmp_path / "cache")
    made, before = read_manifest(Path(word.partition("=")[2])), read_manifest(folder)
    assert made.command == ["{python}", "main.py", "--fast", 'tab\t"quoted"']
    assert made.env == {"A": "1", "B": "3"}
    for key in ("language", "limits", "outputs", "author"):
        assert getattr(made, key) == getattr(before, key)


@pytest.mark.parametrize(
    ("bot", "why"),
    [
        (PlanBot("a/b", "@greedy", ["1"]), "a name has no / or ="),
        (PlanBot("a", "lost.py", ["1"]), r"there is no lost\.py"),
        (PlanBot("a", "@greedy", env={"A B": "1"}), "bots: a: env: 'A B' is no name of a variable"),
        (PlanBot("a", "@greedy", ["\0"]), "bots: a: command: a character of code 0"),
    ],
)
def test_what_cannot_be_entered_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bot: PlanBot, why: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(EntrantError, match=why):
        entered(bot, tmp_path / "cache")
