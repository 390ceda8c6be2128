"""Makes docs/commands.md out of the commands' own help. To write it anew: python -m tests.arena.cli.reference"""

from __future__ import annotations

from pathlib import Path

from arena.cli.app import SUMMARIES
from tests.arena.cli import runner

FILE = Path(__file__).parents[3] / "docs" / "commands.md"
COMMANDS = list(SUMMARIES)

_HEAD = """# Commands

What `arena COMMAND --help` prints. This page is made by `python -m tests.arena.cli.reference`; a test compares.
"""
_EXIT_CODES = """## Exit codes

| code | meaning |
|---|---|
| 0 | success; bots that were left out are named at the end |
| 1 | the answer is no: `verify` found a difference, `check` or `games --check` a fault, `match` retired a bot, `replay --bot` a different answer, `doctor` no such isolation as was required, or for `compare` the new bot is not better |
| 2 | bad input; the message says what is wrong, where, and what to do |
| 3 | games were set aside after failing twice, or the one game of `match` failed |
| 4 | most of the games that were asked for could not be played, or had no two bots that answered; or a bot of `rate` is not known as well as was asked for |
| 130 | interrupted by Ctrl-C, SIGTERM or SIGHUP |
"""  # noqa: E501


def help_of(*words: str) -> str:
    """The help of a command as it is off a terminal."""
    done = runner.run(*words, "--help")
    assert done.exit_code == 0, done.output
    return done.stdout


def page() -> str:
    """The whole page."""
    parts = [_HEAD, f"```text\n{help_of().rstrip()}\n```\n", _EXIT_CODES]
    parts += [f"## {name}\n\n```text\n{help_of(name).rstrip()}\n```\n" for name in COMMANDS]
    return "\n".join(parts)


if __name__ == "__main__":
    FILE.write_text(page(), "utf-8")
