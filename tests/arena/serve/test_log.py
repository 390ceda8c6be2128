"""What a league says is kept in a file of bounded size, and no secret is in it."""

from __future__ import annotations

import logging.handlers
import re
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from arena.serve import service
from arena.serve.service import LOG, served

WEB = "[web]\nport = 0\n"


@pytest.mark.process
def test_what_is_said_is_logged_without_secrets(made) -> None:
    url = "https://127.0.0.1:1/ada.git"
    league, said = made.league(f"{WEB}[[repository]]\nsubmitter = 'ada'\nurl = '{url}'\n"), list[str]()
    store = made.store("ada")
    secrets = [store.add_member("ada"), store.add_member("you", "organiser")]
    with served(league.file, said.append) as (running, address):
        running.tick()
        for secret in secrets:
            with urlopen(f"{address}enter/{secret}") as answer:
                assert answer.status == HTTPStatus.OK
            with suppress(HTTPError):
                urlopen(f"{address}enter/{secret}/{secret}")
        while not any("could not be read" in line for line in said):
            running.tick()
            running.wait(0.1)
    log = (league.folder / LOG).read_text()
    assert url in log
    for line in said:
        assert line.splitlines()[0] in log
    files = [file for file in league.folder.rglob("*") if file.is_file() and "sqlite" not in file.name]
    assert league.file in files
    for file in files:
        assert not any(secret.encode() in file.read_bytes() for secret in secrets), file
    assert (league.folder / LOG).stat().st_mode & 0o077 == 0


def test_the_log_is_bounded_and_a_full_disk_is_no_reason_to_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "_LOG_BYTES", 1000)
    said = list[str]()
    with service._logged(tmp_path / LOG, said.append) as say:
        for number in range(200):
            say(f"line {number}\nof \x1b[31m two\x00")
        monkeypatch.setattr(logging.handlers.RotatingFileHandler, "shouldRollover", _full)
        say("on a full disk")
    assert len(said) == 201
    files = sorted(tmp_path.iterdir())
    assert len(files) == 1 + service._LOGS
    assert all(file.stat().st_size <= 1000 for file in files)
    assert re.search(r"\d  line 199\n    of \S*\[31m two\S*\n$", (tmp_path / LOG).read_text())


def _full(*_: object) -> bool:
    raise OSError(28, "No space left on device")
