"""Makes docs/commands.md out of the commands' own help. To write it anew: python -m tests.arena.cli.reference"""

from __future__ import annotations

from pathlib import Path

from arena.cli.commands import SUMMARIES
from tests.arena.cli import runner

FILE = Path(__file__).parents[3] / "docs" / "commands.md"
COMMANDS = list(SUMMARIES)

_HEAD = """# Commands

What `arena COMMAND --help` prints. This page is made by `python -m tests.arena.cli.reference`; a test compares.
"""


def help_of(*words: str) -> str:
    """The help of a command as it is off a terminal."""
    done = runner.run(*words, "--help")
    assert done.exit_code == 0, done.output
    return done.stdout


def page() -> str:
    """The whole page."""
    parts = [_HEAD, f"```text\n{help_of().rstrip()}\n```\n"]
    parts += [f"## {name}\n\n```text\n{help_of(name).rstrip()}\n```\n" for name in COMMANDS]
    return "\n".join(parts)


if __name__ == "__main__":
    FILE.write_text(page(), "utf-8")
