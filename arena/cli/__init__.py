"""The command line.

Each command is one file that parses its arguments, calls one function below and prints the result.
"""

import os

from arena.cli import interrupts
from arena.common.garbage import collected_seldom
from arena.common.protection import hide_values


def _is_number(value: str) -> bool:
    """Return whether it is no file with a number, and no wish to be asked for one."""
    return not value.startswith(("@", "-"))


def main() -> None:
    """Run the command line; user errors become one line on stderr and exit code 2."""
    # Before numpy is loaded: on matrices as small as ours, threads cost many times what they save.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    hide_values("--seed", _is_number)  # it gives away every deck
    interrupts.listen()  # before the program is loaded, which takes a second
    from arena.cli.app import run

    with collected_seldom():
        interrupts.guard(run)
