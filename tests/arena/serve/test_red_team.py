"""What hostile submitters try against a league that runs: docs/league.md has the list.

What is sent to the pages alone is tried in pages/, and what lies in archives, folders and repositories in intake/.
"""

from __future__ import annotations

import io
import socket
import tarfile
import time
from contextlib import closing

import psutil
import pytest

from arena.isolation.probe import probe
from arena.isolation.settings import Isolation
from arena.serve import LeagueError, service
from arena.serve.backup import back_up
from arena.serve.intake.incoming import coming
from arena.serve.league import read_league
from arena.serve.service import served

BOMB = """
import os, time
for _ in range(200):
    if os.fork() == 0:
        break
while True:
    time.sleep(60)
"""
WEB = "[web]\nport = 0\n"
BOXED = '[submissions]\ntrial_games = 1\nbuild_minutes = {minutes}\n[plan.isolation]\nlevel = "box"\n' + WEB
SECRET = "a-secret-of-grace"
TRY = """
import contextlib, os, socket, sys

def tried(what, do):
    try:
        do()
    except OSError:
        return
    print("OPEN:", what, file=sys.stderr)

for path in {paths!r}:
    tried(path, lambda: open(path, "rb").read(1))
for folder, own in (({league!r}, "cache"), ({league!r} + "/cache", "eve-")):  # where its own copy lies
    for name in os.listdir(folder):
        if not name.startswith(own):
            print("OPEN:", name, file=sys.stderr)
with contextlib.suppress(OSError):
    open({league!r} + "/planted", "w")
tried("network", lambda: socket.create_connection(("127.0.0.1", {port}), 5))
tried("other processes", lambda: os.kill({pid}, 0))
if {secret!r} in str(os.environ):
    print("OPEN: environment", file=sys.stderr)
print("tried all", file=sys.stderr)
sys.exit(1)
"""


def packed(**files: str) -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name.replace("_", "."))
            info.size = len(content.encode())
            archive.addfile(info, io.BytesIO(content.encode()))
    return data.getvalue()


def bot_toml(build: str = "") -> str:
    more = f'build = ["python3", "{build}"]\n' if build else ""
    return f'name = "eve"\ncommand = ["{{python}}", "./bot.py"]\nlanguage = "Python"\n{more}'


def until_ended(running: service.Service, store, number: int) -> str:
    """Return what became of a submission, with its log."""
    while True:
        running.tick()
        [found] = [each for each in store.submissions() if each.id == number] or [None]
        if found is not None and found.state in ("refused", "joined"):
            return (store.folder / "submissions" / f"{number:06}" / "steps.log").read_text()
        running.wait(0.2)


@pytest.fixture
def boxes():
    found = probe("box")
    if not found.works:
        pytest.skip(found.why)


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.usefixtures("boxes")
@pytest.mark.parametrize("where", ["build.py", "bot.py"])
def test_neither_a_build_nor_a_bot_reaches_the_league_or_others(made, monkeypatch, where) -> None:
    monkeypatch.setenv("LEAGUE_SECRET", SECRET)
    made.league(BOXED.format(minutes=1))
    store = made.store("ada", "eve")
    kept = ["league.sqlite", "submitters.csv", "league.toml", "seasons/season-1/seed", "gateway/keys/ada.key"]
    kept += [
        "cache/ada-0/bot.py",
        "submissions/000009/source/bot.py",
        "submissions/000009/received/bot.py",
        "drop/ada/bot.py",
    ]
    for name in kept[1:2] + kept[3:]:
        (made.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (made.folder / name).write_text("secret")
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        paths = [str(made.folder / name) for name in kept]
        port, pid = listener.getsockname()[1], psutil.Process().pid
        text = TRY.format(league=str(made.folder), paths=paths, port=port, pid=pid, secret=SECRET)
        with coming(made.folder, "eve", "upload") as folder:
            bot = {
                "bot_toml": bot_toml("build.py" if where == "build.py" else ""),
                "bot_py": "1",
                where.replace(".", "_"): text,
            }
            (folder / "eve.tar.gz").write_bytes(packed(**bot))
        with served(made.folder / "league.toml", print) as (running, _):
            log = until_ended(running, store, 1)
        listener.settimeout(0)
        with pytest.raises(BlockingIOError):
            listener.accept()
    assert "tried all" in log
    assert "OPEN" not in log
    assert not (made.folder / "planted").exists()


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.usefixtures("boxes")
def test_a_build_that_forks_and_never_ends_holds_up_nobody_for_long_and_leaves_nothing(made) -> None:
    made.league(BOXED.format(minutes=0.1))
    store = made.store("eve")
    with coming(made.folder, "eve", "upload") as folder:
        (folder / "eve.tar.gz").write_bytes(packed(bot_toml=bot_toml("bomb.py"), bot_py="1", bomb_py=BOMB))
    with served(made.folder / "league.toml", print) as (running, _):
        assert "more than 0.1 minutes" in until_ended(running, store, 1)
        assert not [each for each in psutil.Process().children(recursive=True) if "bomb.py" in each.cmdline()]
        running.tick()
    assert not list((made.folder / "cache").glob("eve-*.build-*"))


def test_submissions_do_not_run_with_nothing_between_unless_the_league_says_so(made, monkeypatch) -> None:
    monkeypatch.setattr(service, "choose", lambda plan: Isolation("none"))
    said: list[str] = []
    level = WEB + '[plan.isolation]\nlevel = "{}"'
    made.league(level.format("auto"))
    with pytest.raises(LeagueError, match="nothing keeps bots apart"), served(made.folder / "league.toml", said.append):
        pass
    made.league(level.format("none"))
    with served(made.folder / "league.toml", said.append):
        pass
    assert said == ["isolation: none. Submissions can read and change all that you can, secrets of the league included"]


def test_other_users_of_the_machine_cannot_read_submissions_or_hands(made) -> None:
    made.league(WEB)
    with served(made.folder / "league.toml", print, time.time):
        for name in ("submissions", "seasons", "repositories", "cache"):
            assert (made.folder / name).stat().st_mode & 0o777 == 0o700
        assert (made.folder / "league.sqlite").stat().st_mode & 0o777 == 0o600
    copy = back_up(read_league(made.folder / "league.toml"), made.folder.parent / "copy")
    assert copy.stat().st_mode & 0o777 == 0o700
