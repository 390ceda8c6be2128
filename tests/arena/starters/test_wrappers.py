"""Wrappers: what they tell a program, and what they make of its answers."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from arena import shipped
from arena.entrants.manifest import read_manifest
from arena.starters import WRAPPERS, StarterError, make, readme, starter, wrappers
from engine import catalog
from engine.chance import Seeded
from engine.rules import Rules, State
from tests.shell import Shell

pytest.importorskip("pyspiel")
PATH = f"{os.environ['PATH']}:/usr/games"
needs_stockfish = pytest.mark.skipif(shutil.which("stockfish", path=PATH) is None, reason="there is no stockfish")
needs_gnugo = pytest.mark.skipif(shutil.which("gnugo", path=PATH) is None, reason="there is no gnugo")
CHESS, GO, GNUGO = "openspiel:chess", "openspiel:go(board_size=9)", "gnugo --mode gtp"


def wrapper(key: str, **options: Any) -> ModuleType:
    """The program of a wrapper, started with these options and with a program of the test's."""
    spec = importlib.util.spec_from_file_location(f"{key}_wrapper", shipped.find(WRAPPERS) / key / "bot.py")
    found: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    found.OPTIONS, found.ENGINE = SimpleNamespace(**options), Scripted()
    return found


class Scripted:
    """A program that says what the test lets it say, and notes what it was told."""

    line, commands = "scripted", ("set_random_seed",)

    def __init__(self) -> None:
        self.told: list[str] = []
        self.answers: list[str] = []

    def new_game(self) -> None:
        self.told.append("new game")

    def best(self, begin: str, moves: list[str], go: str) -> str:
        self.told.append(f"{begin} {' '.join(moves)} go {go}")
        return self.answers.pop(0)

    def ask(self, command: str) -> str:
        self.told.append(command)
        return self.answers.pop(0) if command.startswith("genmove") else ""


def bridged(game: str) -> Rules:
    """The rules of a game of OpenSpiel, without which the test is left out."""
    try:
        return catalog.rules(game)
    except catalog.UnknownRules as error:
        pytest.skip(str(error))


class Table:
    """A game at which a wrapper sits, and actions are played by their words."""

    def __init__(self, game: str, bot: Any, clock: dict[str, int] | None = None) -> None:
        self.rules = bridged(game)
        self.players = self.rules.players[0]
        self.edition = self.rules.edition(self.rules.editions()[0])
        self.state: State = self.rules.start(self.players, self.edition, Seeded(b"sixteen bytes at"))
        self.clock, self.bot = clock, bot
        bot.random = Random(1)
        start = {"game": game, "edition": self.edition, "seat": 0, "players": self.players, "bot_seed": 7}
        bot.start(SimpleNamespace(**start, clock=clock))

    def play(self, *words: str) -> None:
        for each in words:
            self.state.play([self.rules.words(action) for action in self.state.actions()].index(each))

    def answer(self) -> str:
        """What the bot does at the decision that is open, in words."""
        seat, actions = self.state.to_act, self.state.actions()
        asked = {"game": self.rules.name, "edition": self.edition, "seat": seat, "players": self.players}
        asked |= {"view": self.state.view(seat), "actions": actions, "clock": self.clock, "random": self.bot.random}
        return self.rules.words(actions[self.bot.decide(SimpleNamespace(**asked))])


# Folders


@pytest.mark.parametrize("key", ["gtp", "pyspiel", "uci"])
def test_a_folder_names_the_program_and_says_how_to_go_on(tmp_path, key):
    made = make(wrappers()[key], tmp_path / "fish")
    assert {str(path) for path in made} == {".bot.schema.json", "README.md", "bot.py", "bot.toml"}
    manifest = read_manifest(tmp_path / "fish")
    assert manifest.name == "fish"
    assert 'name="fish"' in (tmp_path / "fish" / "bot.py").read_text("utf-8")
    text = (tmp_path / "fish" / "README.md").read_text("utf-8")
    assert 'path = "fish", args = ["--' in text
    assert "{" not in text.replace("{ name", "")


def test_its_commands_name_the_game_that_it_plays():
    assert "arena check . --game openspiel:chess " in readme(wrappers()["uci"], "fish")
    assert f"arena check . --game '{GO}' " in readme(wrappers()["gtp"], "fish", GO)


def test_a_game_with_parameters_is_played_and_another_game_is_not(tmp_path):
    make(wrappers()["gtp"], tmp_path / "go", GO)
    with pytest.raises(StarterError, match=r"GTP plays openspiel:go, not openspiel:chess"):
        make(wrappers()["gtp"], tmp_path / "chess", CHESS)


def test_what_is_no_wrapper_is_named():
    with pytest.raises(StarterError, match=r"gtp, openai, pyspiel, uci.*"):
        starter("xboard", shipped.find(WRAPPERS))


# UCI


@pytest.fixture
def uci() -> ModuleType:
    return wrapper("uci", go="depth 1", set=[])


def test_a_chess_program_is_told_all_moves_and_its_answer_is_an_action(uci):
    table = Table(CHESS, uci.UciBot())
    table.play("e4", "e5", "Nf3", "Nc6", "Bb5", "a6")
    uci.ENGINE.answers = ["e1g1", "b7b6"]
    assert table.answer() == "O-O"
    table.play("O-O")
    assert table.answer() == "b6"
    begin = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    moves = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6"
    assert uci.ENGINE.told == ["new game", f"{begin} {moves} go depth 1", f"{begin} {moves} e1g1 go depth 1"]


def test_a_move_that_is_not_allowed_ends_the_bot_with_the_position(uci):
    table = Table(CHESS, uci.UciBot())
    uci.ENGINE.answers = ["e2e5"]
    with pytest.raises(SystemExit, match=r"scripted plays e2e5, and rnbqkbnr.* allows a2a3 "):
        table.answer()


@pytest.mark.parametrize(
    ("go", "clock", "told"),
    [
        ("nodes 5", {"move": 50, "bank": 5000}, "nodes 5"),
        ("clock", None, "movetime 1000"),
        ("clock", {"move": 50, "bank": 5000}, "wtime 5000 btime 5000 winc 50 binc 50"),
        ("clock", {"move": 1000, "bank": 0}, "movetime 790"),
        ("clock", {"move": 10, "bank": 0}, "movetime 1"),
    ],
)
def test_it_thinks_by_the_clock_or_as_it_is_told(go, clock, told):
    assert (found := wrapper("uci", go=go)).thinking(clock) == told, found


@pytest.mark.process
@pytest.mark.parametrize(
    ("key", "words", "told"),
    [
        ("uci", "--program no-fish", "there is no program 'no-fish' here: install it, or name another after --program"),
        ("gtp", "--program no-fish", "there is no program 'no-fish' here: install it, or name another after --program"),
        ("uci", "--program true", "true has ended"),
        ("gtp", "--program true", "true has ended"),
        pytest.param(
            *("uci", "--program stockfish --set Skil=3", "stockfish has no option 'Skil': it has Debug Log File, "),
            marks=needs_stockfish,
        ),
        ("pyspiel", "--bot fred", "OpenSpiel has no bot 'fred': it has mcts, ismcts, search, fixed_action_"),
        ("pyspiel", "--bot mcts --set speed=3", "--set speed=3: write NAME=VALUE; the names of mcts, ismcts, search "),
    ],
)
def test_what_cannot_be_started_is_named_before_anybody_is_asked(key, words, told):
    program = shipped.find(WRAPPERS) / key / "bot.py"
    done = subprocess.run([sys.executable, program, *words.split()], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(told)
    assert done.stdout == ""


@needs_stockfish
@pytest.mark.process
def test_stockfish_finds_a_mate_and_its_options_are_known(uci):
    bridged(CHESS)
    uci.ENGINE = uci.Engine("stockfish", ["Threads=1", "skill level=20", "Clear Hash"])
    table = Table(CHESS, uci.UciBot())
    table.play("f3", "e5", "g4")
    assert table.answer() == "Qh4#"
    _end(uci.ENGINE)


# GTP


@pytest.fixture
def gtp() -> ModuleType:
    return wrapper("gtp", say=["level 1"])


def test_a_go_program_is_told_the_board_and_each_move_once(gtp):
    table = Table(GO, gtp.GtpBot())
    gtp.ENGINE.answers = ["J9", "PASS"]
    assert table.answer() == "B j9"
    table.play("B j9", "W a2")
    assert table.answer() == "B PASS"
    begun = ["boardsize 9", "komi 7.5", "set_random_seed 7", "level 1", "clear_board"]
    assert gtp.ENGINE.told == [*begun, "genmove b", "play w A2", "genmove b"]


def test_after_a_move_that_did_not_count_the_board_is_set_up_again(gtp):
    table = Table(GO, gtp.GtpBot())
    table.play("B a1", "W b1")
    gtp.ENGINE.answers = ["RESIGN", "E5", "F5"]
    assert table.answer() == "B PASS"
    table.play("B PASS", "W c1")
    assert table.answer() == "B e5"
    table.play("B d1", "W h1")  # the substitute's: it came too late
    gtp.ENGINE.told.clear()
    assert table.answer() == "B f5"
    moves = ["b A1", "w B1", "b PASS", "w C1", "b D1", "w H1"]
    assert gtp.ENGINE.told == ["clear_board", *(f"play {move}" for move in moves), "genmove b"]


@pytest.mark.parametrize(
    ("clock", "told"),
    [
        ({"move": 2000, "bank": 60000}, ["time_settings 60 2 1", "time_left b 60 0"]),
        ({"move": 2000, "bank": 300}, ["time_settings 0 2 1", "time_left b 2 1"]),
        ({"move": 50, "bank": 100}, []),
    ],
)
def test_it_is_told_the_time_in_whole_seconds(gtp, clock, told):
    table = Table(GO, gtp.GtpBot(), clock)
    gtp.ENGINE.answers = ["E5"]
    table.answer()
    assert [each for each in gtp.ENGINE.told if each.startswith("time")] == told


@needs_gnugo
@pytest.mark.process
def test_gnu_go_takes_what_can_be_taken_and_a_command_that_it_refuses_is_named(gtp):
    bridged(GO)
    gtp.ENGINE = gtp.Engine(GNUGO)
    table = Table(GO, gtp.GtpBot())
    table.play("B e5", "W e4", "B d4", "W a9", "B f4", "W j9")
    assert table.answer() == "B e3"
    with pytest.raises(SystemExit, match=r"gnugo --mode gtp refuses 'level high': "):
        gtp.ENGINE.ask("level high")
    _end(gtp.ENGINE)


def _end(engine: Any) -> None:
    with engine.process as process:
        process.stdin.close()


# OpenSpiel


def test_mcts_takes_a_row_of_three_and_plays_in_a_world_where_cards_are_hidden():
    pyspiel = wrapper("pyspiel", bot="mcts", set=["max_simulations=200"])
    table = Table("openspiel:tic_tac_toe", pyspiel.SpielBot())
    table.play("x(0,0)", "o(1,0)", "x(0,1)", "o(1,1)")
    assert table.answer() == "x(0,2)"
    poker = Table("openspiel:leduc_poker", pyspiel.SpielBot())
    assert poker.answer() in ("Call", "Raise")


def test_search_is_mcts_where_nothing_is_hidden_and_ismcts_elsewhere():
    pyspiel = wrapper("pyspiel", bot="search", set=["max_simulations=200"])
    table = Table("openspiel:tic_tac_toe", pyspiel.SpielBot())
    table.play("x(0,0)", "o(1,0)", "x(0,1)", "o(1,1)")
    assert table.answer() == "x(0,2)"
    assert type(table.bot.bot).__name__ == "MCTSBot"
    poker = Table("openspiel:leduc_poker", pyspiel.SpielBot())
    assert poker.answer() in ("Call", "Raise")
    assert type(poker.bot.bot).__name__ == "ISMCTSBot"


@pytest.mark.parametrize(
    ("game", "why"),
    [
        ("openspiel:leduc_poker", ""),
        ("openspiel:connect_four", ""),
        ("openspiel:liars_dice", "OpenSpiel draws no other states with the same information"),
        ("openspiel:matrix_rps", "decisions are simultaneous"),
    ],
)
def test_search_says_what_it_cannot_search(game, why, monkeypatch):
    monkeypatch.setenv("ARENA_GAME", bridged(game).name)
    pyspiel = wrapper("pyspiel", bot="search")
    if not why:
        assert pyspiel.games() == [game]
        return
    with pytest.raises(SystemExit, match=f"search does not play {game}: {why}"):
        pyspiel.games()


def test_the_random_bot_needs_no_world():
    pyspiel = wrapper("pyspiel", bot="uniform_random", set=[])
    table = Table("openspiel:hearts", pyspiel.SpielBot())
    assert table.answer() in [table.rules.words(action) for action in table.state.actions()]


def test_a_bot_that_needs_a_world_says_that_it_cannot_play(monkeypatch):
    monkeypatch.setenv("ARENA_GAME", bridged("openspiel:hearts").name)
    assert wrapper("pyspiel", bot="uniform_random").games() == ["openspiel:hearts"]
    with pytest.raises(SystemExit, match=r"mcts needs a state, and no view of openspiel:hearts leads to one"):
        wrapper("pyspiel", bot="mcts").games()


# In a box


@needs_stockfish
@pytest.mark.process
@pytest.mark.slow
def test_two_levels_of_a_program_are_two_entrants_and_play(tmp_path: Path):
    bridged(CHESS)
    shell = Shell(tmp_path)
    shell.run("new", "fish", "--from", "uci")
    (tmp_path / "plan.toml").write_text(
        'game = "openspiel:chess"\ngames = 2\nseed = 1\nout = "out"\nbots = [\n'
        '    { name = "strong", path = "fish", args = ["--go", "depth 6"] },\n'
        '    { name = "weak", path = "fish", args = ["--go", "depth 1", "--set", "Skill Level=0"] },\n]\n'
    )
    board = shell.json("tournament", "--plan", "plan.toml", "--json")
    assert [row["bot"] for row in board["overall"]] == ["strong", "weak"]
    assert not any(row["retired"] for row in board["overall"])
    shell.close()
