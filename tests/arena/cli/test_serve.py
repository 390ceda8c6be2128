"""`arena serve` as a process: run once, ended by Ctrl-C, backed up while it runs. Its texts are in wording."""

from __future__ import annotations

import csv
import signal
import time

import psutil
import pytest

from arena.serve.store import LeagueStore
from tests.arena.cli.conftest import read_until

pytestmark = [pytest.mark.slow, pytest.mark.process]
TEXT = """
name = "Course"
references = ["@random_bot"]
[plan]
game = "openspiel:leduc_poker"
players = "2"
[rounds]
every = "1 day"
[web]
port = 0
"""
HANGS = "import time\ntime.sleep(1000)\n"


@pytest.fixture
def folder(shell):
    (shell.folder / "league.toml").write_text(TEXT)
    return shell.folder


def test_ctrl_c_ends_it_with_all_that_it_started_and_the_same_command_goes_on(shell, folder):
    shell.run("serve", "--add", "ada")
    (folder / "drop" / "ada").mkdir(parents=True)
    (folder / "drop" / "ada" / "bot.py").write_text(HANGS)
    with shell.start("serve") as process:
        read_until(process.stdout, "ada: submission 1 built")
        while not psutil.Process(process.pid).children():
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate()
        assert (process.returncode, err) == (130, "ended: the same command goes on\n")
    shell.assert_nothing_lives()
    with shell.start("serve") as process:
        assert "http://127.0.0.1:" in read_until(process.stdout, "Ctrl-C ends it")
        refused = shell.run("serve", code=2)
        assert refused.stderr == "arena: league.toml: another process runs this league: end it first\n"
        shell.run("serve", "--backup", "copy")
        assert process.poll() is None
    with LeagueStore(folder / "copy", lambda: 0.0) as store:
        assert [(each.submitter, each.state) for each in store.submissions()] == [("ada", "built")]


def test_a_name_that_is_known_gets_a_new_address_and_the_old_one_is_nobodys(shell, folder):
    def address() -> str:
        shell.run("serve", "--add", "ada,bob")
        assert (folder / "submitters.csv").stat().st_mode & 0o777 == 0o600
        with (folder / "submitters.csv").open() as lines:
            return [row["address"] for row in csv.DictReader(lines) if row["submitter"] == "ada"][-1]

    old, new = (address().rpartition("/")[2] for _ in range(2))
    with LeagueStore(folder, lambda: 0.0) as store:
        assert store.member_of(old) is None
        found = store.member_of(new)
        assert found is not None
        assert (found.name, len(store.members())) == ("ada", 2)
