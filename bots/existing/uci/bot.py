"""Lets a chess program play that speaks UCI. `bot.toml` says which one, how long it thinks, and its options.

OpenSpiel's rules translate between actions and moves, so any program that knows plain UCI will do.
"""

import argparse
import os
import shlex
import shutil
import subprocess
import sys

import pyspiel

from arena.client import Bot, run

GAME = "openspiel:chess"
PATH = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/games", "/usr/local/games"])
UNTIMED = "movetime 1000"  # where there is neither a clock nor another `--go`


class Engine:
    """The program."""

    def __init__(self, line, options):
        self.line = line
        name, *arguments = shlex.split(line)
        program = shutil.which(name, path=PATH)
        if program is None:
            sys.exit(f"there is no program {name!r} here: install it, or name another after --program in bot.toml")
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([program, *arguments], stdin=pipe, stdout=pipe, text=True)
        self.send("uci")
        known = [said.split(" name ")[1].split(" type ")[0] for said in self.read("uciok") if " name " in said[6:]]
        for option in options:
            name, _, value = option.partition("=")
            if name.lower() not in (each.lower() for each in known):
                sys.exit(f"{line} has no option {name!r}: it has {', '.join(known)}")
            self.send(f"setoption name {name} value {value}" if value else f"setoption name {name}")

    def send(self, line):
        try:
            print(line, file=self.process.stdin, flush=True)
        except OSError:
            sys.exit(f"{self.line} has ended")

    def read(self, last):
        """Return what it says, up to the line that begins with `last`."""
        said = []
        for line in self.process.stdout:
            said.append(line.rstrip("\n"))
            if line.startswith(last):
                return said
        sys.exit(f"{self.line} has ended without saying {last}: {' / '.join(said[-3:]) or 'nothing at all'}")

    def new_game(self):
        self.send("ucinewgame")
        self.send("isready")
        self.read("readyok")

    def best(self, begin, moves, go):
        """Return the move that it chooses."""
        self.send(" ".join([f"position fen {begin}", *(["moves", *moves] if moves else [])]))
        self.send(f"go {go}")
        return self.read("bestmove")[-1].split()[1]


class UciBot(Bot):
    """Follows a game and asks the program for a move."""

    def start(self, start):
        self.state = pyspiel.load_game("chess", {"chess960": start.edition["chess960"]}).new_initial_state()
        self.begin, self.moves = None, []
        ENGINE.new_game()

    def decide(self, game):
        for action in game.view["history"][len(self.state.history()) :]:
            if not self.state.is_chance_node():
                self.begin = self.begin or str(self.state)
                self.moves.append(self.move(action))
            self.state.apply_action(action)
        best = ENGINE.best(self.begin or str(self.state), self.moves, thinking(game.clock))
        offered = [self.move(action["id"]) if "id" in action else None for action in game.actions]
        if best not in offered:
            sys.exit(f"{ENGINE.line} plays {best}, and {self.state} allows {' '.join(map(str, offered))}")
        return offered.index(best)

    def move(self, action):
        """Return what UCI calls an action in this position."""
        return pyspiel.chess.action_to_move(action, self.state.board()).to_lan()


def thinking(clock):
    """Return what to say after `go`: with a clock, the bank is the time left, and the free time is added to it."""
    if OPTIONS.go != "clock":
        return OPTIONS.go
    if clock is None:
        return UNTIMED
    free, bank = clock["move"], clock["bank"]
    if bank < free:  # time that is not used is lost: leave some for the way to and from the referee
        return f"movetime {max(1, bank + free * 8 // 10 - 10)}"
    return f"wtime {bank} btime {bank} winc {free} binc {free}"


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--go", default="clock")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    return parser.parse_args()


if __name__ == "__main__":
    OPTIONS = options()
    ENGINE = Engine(OPTIONS.program, OPTIONS.set)
    asked = os.environ.get("ARENA_GAME", "")
    run(UciBot, name="uci-bot", games=[asked if asked.startswith(f"{GAME}(") else GAME], deterministic=False)
