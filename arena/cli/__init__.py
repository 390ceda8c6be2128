"""The command line.

Each command is one file that parses its arguments, calls one function below and prints the result.
"""

import os

from arena.cli import interrupts
from arena.common.garbage import collected_seldom


def main() -> None:
    """Run the command line; user errors become one line on stderr and exit code 2."""
    # Before numpy is loaded: on matrices as small as ours, threads cost many times what they save.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    interrupts.listen()  # before the program is loaded, which takes a second
    from arena.cli.app import run

    with collected_seldom():
        interrupts.guard(run)
