"""Write snapshots anew: python -m tests.arena.cli.wording write [COMMAND ...]"""

from __future__ import annotations

import sys

import pytest

from tests.arena.cli.wording.snapshot import COMMANDS, FOLDER, Writer, write


def main(words: list[str]) -> int:
    """Play the scenarios of the named commands, or of all, and write their snapshots if no scenario fails."""
    asked = words[1:] or COMMANDS
    if words[:1] != ["write"] or not set(asked) <= set(COMMANDS):
        print(f"{__doc__}\nCommands: {', '.join(COMMANDS)}", file=sys.stderr)
        return 2
    writer = Writer(asked)
    test = f"{FOLDER / 'test_wording.py'}::test_the_snapshot_has_what_is_printed"
    if code := pytest.main([test, "-q", "-n", "0", "-p", "no:cacheprovider"], plugins=[writer]):
        return int(code)
    for command, sections in writer.sections.items():
        write(command, sections)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
