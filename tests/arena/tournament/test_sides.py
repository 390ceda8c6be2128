"""What a user may call the two bots of a comparison, and whom they play if nobody is named."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from arena.entrants import EntrantError, build, expand
from arena.ledger import Ledger, LedgerError
from arena.tournament.comparison.sides import Sides, find_sides
from engine import catalog
from tests.arena.tournament.conftest import Lab


@pytest.fixture(autouse=True)
def cache(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_CACHE", str(lab.folder / "cache"))


def write(path: str, text: str) -> str:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text)
    return path


def versions(lab: Lab, name: str, *texts: str) -> None:
    """Play a tournament in which a bot has these contents, one after the other."""
    for number, text in enumerate(texts, 1):
        path = write(lab.bots(name)[0], text)
        build(expand([path]).found[0])  # its source is kept
        lab.run(f"a b {name}", games=6 * number)


def commit(path: str, text: str) -> None:
    write(path, text)
    git = ("git", "-c", "user.name=a", "-c", "user.email=a@b.example", "-c", "commit.gpgsign=false")
    for words in (("init", "-q"), ("add", path), ("commit", "-qm", "work")):
        subprocess.run([*git, *words], check=True, stdout=subprocess.DEVNULL)


def labels(sides: Sides) -> list[str]:
    return [sides.old.entrant.name, sides.new.entrant.name]


def texts(sides: Sides) -> list[str]:
    return [side.entrant.path.read_text() for side in (sides.old, sides.new)]


def test_two_paths(lab: Lab) -> None:
    sides = find_sides(write("one.py", "1"), write("two.py", "2"), [write("three.py", "3")])
    assert labels(sides) == ["one", "two"]
    assert [each.name for each in sides.opponents] == ["three"]
    assert (sides.old.typed, sides.settings, sides.is_same) == ("one.py", None, False)


def test_two_bots_of_one_name_are_versions_of_it(lab: Lab) -> None:
    sides = find_sides(write("before/mine.py", "1"), write("now/mine.py", "2"))
    assert labels(sides) == ["mine", "mine@2"]


def test_the_same_content_is_noticed(lab: Lab) -> None:
    assert find_sides(write("before/mine.py", "1"), write("now/mine.py", "1")).is_same


@pytest.mark.slow
def test_without_a_tournament_the_packaged_bots_are_the_opponents(lab: Lab) -> None:
    for game in catalog.installed():
        packaged = {each.name for each in expand(["@all"], game).found}
        assert {each.name for each in find_sides(write("mine.py", "1"), "@greedy", game=game).opponents} == (
            packaged - {"greedy"}
        )


def test_an_opponent_of_a_side_s_name_gets_another_and_a_copy_of_a_side_is_left_out(lab: Lab) -> None:
    mine, other = write("greedy.py", "my own"), write("other.py", "2")
    names = [each.name for each in find_sides(mine, other).opponents]
    assert "greedy-2" in names
    assert "greedy" not in names
    named = find_sides(mine, other, [write("elsewhere/copy.py", "2")])
    assert [each.name for each in named.opponents] == ["copy"]


def test_two_versions_of_a_tournament_play_its_other_bots(lab: Lab) -> None:
    versions(lab, "mine", "1", "2", "3")
    sides = find_sides("mine@1", "mine@3")
    assert (labels(sides), texts(sides)) == (["mine", "mine@3"], ["1", "3"])
    assert [each.name for each in sides.opponents] == ["a", "b"]
    assert sides.settings is not None
    assert sides.settings.players == [2, 3]


def test_a_version_may_be_named_by_the_bot_s_path_and_compared_with_what_is_there_now(lab: Lab) -> None:
    versions(lab, "mine", "1", "2")
    path = lab.bots("mine")[0]
    assert labels(find_sides(f"{path}@1", path)) == ["mine", "mine@2"]
    write(path, "3")
    assert labels(find_sides(f"{path}@1", path)) == ["mine", "mine@3"]
    assert labels(find_sides(path, "mine@2")) == ["mine@3", "mine@2"]


def test_a_version_alone_is_compared_with_what_lies_there_now(lab: Lab) -> None:
    versions(lab, "mine", "1", "2")
    path = Path(lab.bots("mine")[0])
    assert labels(find_sides("mine@1")) == ["mine", "mine@2"]
    assert find_sides("mine@1").new.typed == "entries/mine.py"
    path.write_text("3")
    assert (labels(find_sides("mine@2")), texts(find_sides("mine@2"))) == (["mine@2", "mine@3"], ["2", "3"])
    path.unlink()
    assert labels(find_sides("mine@1")) == ["mine", "mine@2"]
    assert find_sides("mine@1").new.typed == "mine@2"


def test_the_tournament_may_be_named(lab: Lab) -> None:
    versions(lab, "mine", "1", "2")
    with Ledger.open(Path("tournaments/default")) as ledger:
        folder = ledger.folder
    elsewhere = lab.folder / "one" / "two" / "elsewhere"  # out of sight from here
    elsewhere.parent.mkdir(parents=True)
    folder.rename(elsewhere)
    assert labels(find_sides("mine@1", "mine@2", folder=elsewhere)) == ["mine", "mine@2"]
    assert labels(find_sides("mine@1", "mine", folder=elsewhere)) == ["mine", "mine@2"]
    with pytest.raises(LedgerError, match="there is no tournament"):
        find_sides("mine@1", "mine@2")


def test_an_opponent_whose_source_is_lost_is_left_out(lab: Lab) -> None:
    versions(lab, "mine", "1", "2")
    Path(lab.bots("a")[0]).write_text("another")
    sides = find_sides("mine@1", "mine@2")
    assert [each.name for each in sides.opponents] == ["b"]
    assert len(sides.lines) == 1
    assert sides.lines[0].startswith("without a: ")


@pytest.mark.slow
@pytest.mark.process
def test_a_revision_in_git(lab: Lab) -> None:
    commit("bots/mine.py", "1")
    commit("bots/mine.py", "2")
    write("bots/mine.py", "3")
    for words, expected in {
        ("bots/mine.py@HEAD~1", "bots/mine.py"): ["1", "3"],
        ("bots/mine.py@HEAD~1", "bots/mine.py@HEAD"): ["1", "2"],
        ("bots/mine.py",): ["2", "3"],
        ("bots/mine.py@HEAD~1",): ["1", "3"],
        ("bots/mine.py@HEAD@{0}",): ["2", "3"],
    }.items():
        sides = find_sides(*words)  # type: ignore[arg-type]
        assert texts(sides) == expected
        assert labels(sides) == ["mine", "mine@2"]
    assert find_sides("bots/mine.py").old.typed == "bots/mine.py@HEAD"


def test_a_path_with_the_sign_in_it_is_a_path(lab: Lab) -> None:
    assert texts(find_sides(write("a@b.py", "1"), write("c@d/mine.py", "2"))) == ["1", "2"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("mine@7", "mine@1"), r"mine@7: the tournament in .* has mine@1, mine@2"),
        (("other@1", "mine@1"), r"other@1: the tournament in .* has no bot other, but a, b, mine"),
        (("@greedy",), "compare @greedy with what?"),
        (("nothing.py",), r"there is no nothing\.py: name a \.py file"),
        (("nothing.py", "mine@1"), r"there is no nothing\.py: name a \.py file"),
        (("entries/*.py", "mine@1"), "are 3 bots: name one"),
        (("@all", "mine@1"), "bots: name one"),
        (("empty", "mine@1"), r"empty is no bot: a folder without bot\.toml"),
    ],
)
def test_what_is_wrong_is_said(lab: Lab, words: tuple[str, ...], message: str) -> None:
    versions(lab, "mine", "1", "2")
    Path("empty").mkdir()
    with pytest.raises(EntrantError, match=message):
        find_sides(*words)  # type: ignore[arg-type]
