"""The command line.

Each command is one file that parses its arguments, calls one function below and prints the result.
"""

from arena.cli import interrupts


def main() -> None:
    """Run the command line; user errors become one line on stderr and exit code 2."""
    interrupts.listen()  # before the program is loaded, which takes a second
    from arena.cli.app import run

    interrupts.guard(run)
