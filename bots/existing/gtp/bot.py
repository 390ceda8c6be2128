"""Lets a Go program play that speaks GTP. `bot.toml` says which one, and what it is told before every game."""

import argparse
import os
import shlex
import shutil
import subprocess
import sys

from arena.client import Bot, run

GAME = "openspiel:go"
PATH = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/games", "/usr/local/games"])
COLUMNS = "ABCDEFGHJKLMNOPQRST"  # without I
COLOURS = "bw"


class Engine:
    """The program."""

    def __init__(self, line):
        self.line = line
        name, *arguments = shlex.split(line)
        program = shutil.which(name, path=PATH)
        if program is None:
            sys.exit(f"there is no program {name!r} here: install it, or name another after --program in bot.toml")
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([program, *arguments], stdin=pipe, stdout=pipe, text=True)
        self.commands = self.ask("list_commands").split()

    def ask(self, command):
        """Return the answer to a command."""
        answer = ""
        try:
            print(command, file=self.process.stdin, flush=True)
            while not answer.endswith("\n\n"):
                line = self.process.stdout.readline()
                if not line:
                    raise EOFError
                answer = (answer + line).lstrip()
        except (OSError, EOFError):
            sys.exit(f"{self.line} has ended at {command!r}")
        if not answer.startswith("="):
            sys.exit(f"{self.line} refuses {command!r}: {answer[1:].strip()}")
        return answer[1:].strip()


class GtpBot(Bot):
    """Follows a game and asks the program for a move."""

    def start(self, start):
        self.size, self.clock = start.edition["board_size"], start.clock
        ENGINE.ask(f"boardsize {self.size}")
        ENGINE.ask(f"komi {start.edition['komi']}")
        if "set_random_seed" in ENGINE.commands:
            ENGINE.ask(f"set_random_seed {start.bot_seed % 2**31}")
        for command in OPTIONS.say:
            ENGINE.ask(command)
        if self.clock is not None and self.clock["bank"] + self.clock["move"] >= 1000:  # GTP knows whole seconds only
            bank, free = self.clock["bank"] // 1000, self.clock["move"] // 1000
            ENGINE.ask(f"time_settings {bank} {free} {1 if free else 0}")
        self.clear()

    def clear(self):
        ENGINE.ask("clear_board")
        self.moves = []  # that the program knows

    def decide(self, game):
        history = game.view["history"]
        if self.moves != history[: len(self.moves)]:  # it chose what is not allowed, or too late
            self.clear()
        for number in range(len(self.moves), len(history)):
            ENGINE.ask(f"play {COLOURS[number % 2]} {self.vertex(history[number])}")
        colour = COLOURS[len(history) % 2]
        self.tell_time(colour, game.clock)
        chosen = ENGINE.ask(f"genmove {colour}").upper()
        offered = [self.vertex(action["id"]) if "id" in action else None for action in game.actions]
        index = offered.index(chosen if chosen in offered else "PASS")  # nobody resigns here
        self.moves = [*history, game.actions[index]["id"] if chosen in offered else None]
        return index

    def tell_time(self, colour, clock):
        """Pass on the bank as the main time; once it is spent, the free time is that for one stone."""
        if self.clock is None or self.clock["bank"] + self.clock["move"] < 1000:
            return
        left, stones = (clock["bank"], 0) if clock["bank"] >= 1000 else (clock["move"], 1)
        ENGINE.ask(f"time_left {colour} {left // 1000} {stones}")

    def vertex(self, action):
        """Return what GTP calls an action."""
        row, column = divmod(action, self.size)
        return "PASS" if row == self.size else f"{COLUMNS[column]}{row + 1}"


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--say", action="append", default=[], metavar="COMMAND")
    return parser.parse_args()


if __name__ == "__main__":
    OPTIONS = options()
    asked = os.environ.get("ARENA_GAME", "")
    if "handicap=" in asked:
        sys.exit("a handicap cannot be passed on by GTP as OpenSpiel places it: leave it out")
    ENGINE = Engine(OPTIONS.program)
    run(GtpBot, name="gtp-bot", games=[asked if asked.startswith(f"{GAME}(") else GAME], deterministic=False)
