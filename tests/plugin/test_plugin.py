"""A game in a package of its own, installed beside the arena into an environment that knows neither."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from engine.testing import check
from tests.fresh import ROOT, Fresh, environment, once

pytestmark = pytest.mark.slow

EXAMPLE = ROOT / "docs" / "number_race"
PAGE = (ROOT / "docs" / "add-a-game.md").read_text("utf-8")
FILES = ("number_race.py", "pyproject.toml", "test_number_race.py", "thrifty.py")
LINES = 155


def blocks(*languages: str) -> list[str]:
    return re.findall(rf"```(?:{'|'.join(languages)})\n(.*?)```", PAGE, re.DOTALL)


def commands() -> list[str]:
    return [line for block in blocks("sh") for line in block.splitlines()]


class OnPage(Fresh):
    """What the page's commands said in an environment with the arena and the example in it."""

    @property
    def said(self) -> dict[str, subprocess.CompletedProcess[str]]:
        """By command."""
        notes = json.loads((self.folder / "said.json").read_text("utf-8"))
        return {line: subprocess.CompletedProcess(line, 0, *said) for line, said in notes.items()}

    def page(self, beginning: str) -> subprocess.CompletedProcess[str]:
        """What the page's command said that begins like this."""
        [found] = [done for line, done in self.said.items() if line.startswith(beginning)]
        return found


def prepared(factory: pytest.TempPathFactory) -> OnPage:
    """An environment in which the page's commands were typed, once: whoever uses it has the example installed."""
    programs = environment(factory, "[league]")

    def prepare(folder: Path) -> None:
        shutil.copytree(EXAMPLE, folder / "number_race", ignore=shutil.ignore_patterns("__pycache__"))
        (folder / "bots").symlink_to(ROOT / "bots")
        said = {}
        for line in commands():
            done = OnPage(programs, folder).run(line)
            said[line] = [done.stdout, done.stderr]
        (folder / "said.json").write_text(json.dumps(said), "utf-8")

    return OnPage(programs, once(factory, "plugin", prepare))


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> OnPage:
    return prepared(tmp_path_factory)


def test_the_environment_is_its_own(fresh):
    where = fresh.run("python", "-c", "import arena, engine; print(arena.__file__, engine.__file__)").stdout.split()
    assert all(Path(file).is_relative_to(fresh.environment) for file in where)


def test_it_is_listed_behind_our_games(fresh):
    games = json.loads(fresh.run("arena games --json").stdout)
    assert games["number-race"] == {"players": [2, 6], "editions": ["standard", "sprint"]}
    assert list(games)[-1] == "number-race"
    assert fresh.said["arena games number-race"].stdout.startswith("number-race")


def test_a_game_is_described_in_its_words(fresh):
    told = fresh.page("arena match").stdout
    assert re.search(r"^shown: \d, \d; one step for (thrifty|random_bot)", told, re.MULTILINE)
    assert re.search(r"^ +1\. (thrifty|random_bot) \(steps \d\)", told, re.MULTILINE)


def test_a_tournament_is_played_by_those_who_can_and_the_others_are_left_out(fresh):
    assert fresh.page("arena tournament").stdout
    board = json.loads(fresh.run("arena leaderboard race --json").stdout)
    assert [row["bot"] for row in board["players"]["2"]] == ["thrifty", "random_bot"]
    assert [each["bot"] for each in board["left_out"]] == ["greedy"]
    assert [row["scores"].keys() for row in board["overall"]] == [{"steps"}] * 2
    assert [row["games"] for row in board["overall"]] == [20, 20]
    assert not any(row["retired"] for row in board["overall"])


def test_without_another_word_its_smallest_to_largest_number_of_players_is_played(fresh):
    bots = []
    for number in range(3):
        bots.append(fresh.folder / f"thrifty{number}.py")
        shutil.copy(EXAMPLE / "thrifty.py", bots[-1])
    asked = ["--game", "number-race", "--rounds", "1", "--out", "all-counts", "--json"]
    assert json.loads(fresh.run("arena", "tournament", *bots, *asked).stdout)["players"].keys() == {"2", "3"}


def test_a_replay_through_one_seat_shows_nothing_hidden(fresh):
    told = fresh.page("arena replay").stdout
    names = re.search(r"0 (\S+), 1 (\S+)", told)
    other, own = names[1], names[2]
    assert f"{own} draws " in told
    assert f"{other} draws " not in told
    assert re.search(r"^> (keeps the number|draws again) ", told, re.MULTILINE)
    everything = fresh.run("arena replay race p2-b0000-r0").stdout
    assert f"{other} draws " in everything


def test_its_games_can_be_verified_and_name_the_version_of_the_package(fresh):
    assert fresh.page("arena verify").stdout
    found = json.loads(fresh.run("arena verify race --json").stdout)
    assert (found["games"], found["different"]) == (20, {})
    code = (
        "from arena.ledger import Ledger; from pathlib import Path; "
        "print({game.engine for game in Ledger.open(Path('race')).games()})"
    )
    version, build = fresh.run("arena --version").stdout.split(" (")
    assert build == "pure Python engine)\n", "compiled only on request"
    assert fresh.run("python", "-c", code).stdout.strip() == repr({f"number-race 0.1.0, {version}"})


def test_a_bot_that_does_not_play_it_is_mute_in_a_game(fresh):
    words = "number_race/thrifty.py bots/greedy.py --game number-race --json"
    [fault] = json.loads(fresh.run(f"arena match {words}", code=1).stdout)["faults"]
    assert (fault["seat"], fault["code"]) == (1, "mute")


def test_the_default_is_still_ours(fresh):
    assert "London" in fresh.run("arena match bots/greedy.py bots/pairs.py --seed 1 --edition en").stdout
    fresh.run("arena games --edition sprint", code=2)


def test_editions_are_completed_for_the_game_that_is_typed(fresh):
    for words, expected in (
        ("arena match --game number-race --edition ", {"standard", "sprint"}),
        ("arena games number-race --edition sp", {"sprint"}),
        ("arena tournament --game n", {"number-race"}),
    ):
        place = len(words.split()) - (not words.endswith(" "))
        done = fresh.run(
            f"_ARENA_COMPLETE=complete_bash COMP_WORDS={shlex.quote(words)} COMP_CWORD={place} arena",
        )
        assert set(done.stdout.split()) == expected, words


def test_the_example_keeps_the_contract(monkeypatch):
    monkeypatch.syspath_prepend(EXAMPLE)
    import number_race

    check(number_race.RULES)


def test_the_example_is_short():
    assert sorted(path.name for path in EXAMPLE.iterdir() if path.is_file()) == sorted(FILES)
    assert sum(len((EXAMPLE / name).read_text("utf-8").splitlines()) for name in FILES) < LINES


def test_the_page_shows_the_example_as_it_is():
    files = [(EXAMPLE / name).read_text("utf-8") for name in FILES]
    shown = blocks("python", "toml")
    assert len(shown) >= 5
    for block in shown:
        assert any(block in text for text in files), block


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)#]+)\)", PAGE))
def test_links_of_the_page_lead_somewhere(link):
    assert (ROOT / "docs" / link).exists()
