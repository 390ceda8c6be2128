"""A league as a process of its own, whose clock stands still until it is set, and what can be done to it.

`python -m benchmarks.league_process FOLDER` is that process.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, cast
from urllib.parse import urlsplit

import psutil

from arena.serve.intake import INCOMING
from arena.serve.service import served
from arena.serve.store import LeagueStore
from benchmarks.league_submissions import FLOOD, WAYS, Sent, archive_of, files_of, git

DISK_BYTES: Final = 3 << 30
LEAGUE: Final = """
name = "Term"
references = ["@random_bot", "other=@random_bot"]
[plan]
game = "openspiel:leduc_poker"
players = "2"
seed = 7
start = 60
move = 3
bank = 30
[submissions]
trial_games = {trial_games}
build_minutes = 0.5
per_hour = 6
[rounds]
every = "1 day"
blocks = {blocks}
[season]
begins = 2027-01-15T08:00:00+00:00
[web]
port = 0
[disk]
free_gb = 0.05
{more}
"""


def serve(file: Path, clock: Path, status: Path) -> None:
    """Run the league as `arena serve` does, by a clock that is read from a file, and say whether it has nothing to do.

    Args:
        file: The league's.
        clock: The file with the moment.
        status: The file that says the address, and the moment at which there was nothing to do for some looks.
    """

    def moment() -> float:
        return float(clock.read_text())

    print(f"{time.time():.1f} the process begins", flush=True)
    quiet, before, said = 0, 0.0, ""
    with served(file, lambda text: print(f"{time.time():.1f} {text}", flush=True), moment) as (service, address):
        while True:
            now = moment()
            service.tick()
            lanes = (service._trials, service._rounds)
            is_busy = any(lane.child is not None for lane in lanes) or bool(service._trouble) or now != before
            quiet, before = 0 if is_busy else quiet + 1, now
            text = json.dumps({"address": address, "quiet": now if quiet > 3 else 0.0})
            if text != said:
                write(status, said := text)
            service.wait(0.2)


def write(file: Path, text: str) -> None:
    """Write a file of which no half is ever read."""
    fresh = file.with_name(f"{file.name}.new")
    fresh.write_text(text)
    fresh.rename(file)


class LeagueProcess:
    """A league that runs in a process, with what is done to it."""

    def __init__(self, folder: Path, submitters: int, begins: float, *, on_own_disk: bool) -> None:
        """Make a league in a new folder, on a disk of its own if asked for, and if this is root's process."""
        self.folder, self.league = folder, folder / "league"
        self.league.mkdir(parents=True)
        self.is_mounted = on_own_disk and self._mount()
        self.names = [f"s{number:02}" for number in range(submitters)]
        self.done: Counter[str] = Counter()
        """How often what was done."""
        self.samples: list[dict[str, float]] = []
        self.process: subprocess.Popen[bytes] | None = None
        self.address = ""
        self.expected = 0
        """How many submissions were sent."""
        self.set_clock(begins)
        self.settings: dict[str, Any] = {"trial_games": 2, "blocks": 3, "more": ""}
        for number, name in enumerate(self.names):
            if WAYS[number % 3] == "git":
                (folder / "git" / name).mkdir(parents=True)
                git(folder / "git" / name, "init", "-q")
                url = f"file://{folder}/git/{name}"
                self.settings["more"] += f'[[repository]]\nsubmitter = "{name}"\nurl = "{url}"\nevery = "10 s"\n'
        write(self.league / "league.toml", LEAGUE.format(**self.settings))
        with self.store() as store:
            self.secrets = {name: store.add_member(name) for name in self.names}

    def store(self) -> LeagueStore:
        """Open the league's state."""
        return LeagueStore(self.league, lambda: self.clock)

    def _mount(self) -> bool:
        words = ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "none", str(self.league)]
        return os.getuid() == 0 and subprocess.run(words, check=False, capture_output=True).returncode == 0

    def set_clock(self, moment: float) -> None:
        """Set the league's clock."""
        self.clock = moment
        write(self.folder / "clock", repr(moment))

    # The process

    def start(self) -> None:
        """Start the league as a process."""
        (self.folder / "status").unlink(missing_ok=True)
        words = [sys.executable, "-m", "benchmarks.league_process", str(self.folder)]
        with (self.folder / "serve.log").open("ab") as log:
            self.process = subprocess.Popen(words, stdout=log, stderr=log)
        while not (self.folder / "status").exists():
            if self.process.poll() is not None:
                raise RuntimeError(f"the league could not be started: see {self.folder / 'serve.log'}")
            time.sleep(0.05)
        self.address = json.loads((self.folder / "status").read_text())["address"]

    def look(self) -> None:
        """Start the league again if it has ended by itself."""
        if self.process is None or self.process.poll() is not None:
            self.done["ended by itself"] += 1
            self.start()

    def kill(self) -> None:
        """Kill the league and see that everything that it started ends, too; then start it again."""
        assert self.process is not None
        process = psutil.Process(self.process.pid)
        below = process.children(recursive=True)
        self.process.kill()
        self.process.wait()
        self.done["kills"] += 1
        self.done["kills with something under way"] += bool(below)
        self.gone(below)
        self.start()

    def gone(self, processes: list[psutil.Process]) -> None:
        """Note the processes that are there still after some seconds."""
        _, alive = psutil.wait_procs(processes, 20)
        lost = [each for each in alive if each.is_running() and each.status() != psutil.STATUS_ZOMBIE]
        self.done["processes left"] += len(lost)
        for each in lost:
            print("left:", each.pid, each.cmdline(), file=sys.stderr)

    def stop(self) -> None:
        """End the league by Ctrl-C."""
        assert self.process is not None
        below = psutil.Process(self.process.pid).children(recursive=True)
        self.process.send_signal(signal.SIGINT)
        self.process.wait(60)
        self.gone(below)

    def sample(self) -> None:
        """Note the memory and the descriptors of the process."""
        assert self.process is not None
        process = psutil.Process(self.process.pid)
        self.samples.append(
            {
                "submissions": self.expected,
                "memory_mb": round(process.memory_info().rss / 1e6, 1),
                "descriptors": process.num_fds(),
                "age_s": round(time.time() - process.create_time()),
            }
        )

    def fill(self) -> None:
        """Fill the disk for some seconds."""
        ballast = self.league / "ballast"
        with contextlib.suppress(OSError), ballast.open("wb", 0) as out:
            while True:
                out.write(bytes(1 << 20))
        with contextlib.suppress(OSError), ballast.open("ab", 0) as out:
            while True:
                out.write(bytes(1 << 10))
        self.done["full disks"] += 1
        time.sleep(20)
        ballast.unlink()

    def rewrite(self, text: str, said: str) -> None:
        """Replace the league's file, and wait until the league says something of it."""
        log = self.folder / "serve.log"
        before = log.read_text().count(said)
        write(self.league / "league.toml", text)
        while log.read_text().count(said) == before:
            self.look()
            time.sleep(0.05)

    # What is sent

    def submissions(self, submitter: str | None = None) -> int:
        """Return how many were received."""
        with self.store() as store:
            return len(store.submissions(submitter))

    def send(self, each: Sent) -> None:
        """Send something by its submitter's way."""
        for number in range(FLOOD if each.kind == "flood" else 1):
            self.expected += 1
            files = files_of(each._replace(note=f"{each.note}-{number}"))
            getattr(self, f"_{each.via}")(each, files, number)

    def _drop(self, sent: Sent, files: Mapping[str, str | bytes | None], number: int) -> None:
        folder = self.league / "drop" / sent.submitter
        folder.mkdir(parents=True, exist_ok=True)
        name = sent.note.replace(" ", "-") + f"-{number}"
        made = folder / f".{name}"
        if sent.kind in ("honest", "name"):
            made.mkdir()
            for path, content in files.items():
                (made / path).write_text(cast(str, content))
        else:
            is_zip = sent.kind == "bomb"
            made.write_bytes(archive_of(files, is_zip=is_zip))
            name += ".zip" if is_zip else ".tar.gz"
        made.rename(folder / name)

    def _git(self, sent: Sent, files: Mapping[str, str | bytes | None], number: int) -> None:
        folder = self.folder / "git" / sent.submitter
        for old in folder.iterdir():
            if old.name != ".git":
                old.unlink()
        for path, content in files.items():
            if content is None:
                (folder / path).symlink_to("/etc/passwd")
            else:
                (folder / path).write_text(cast(str, content))
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "-m", sent.note)

    def _upload(self, sent: Sent, files: Mapping[str, str | bytes | None], number: int) -> None:
        before = self.submissions(sent.submitter)
        is_zip = sent.kind == "bomb"
        name, body = "bot.zip" if is_zip else "bot.tar.gz", archive_of(files, is_zip=is_zip)
        if list(files) == ["bot.py"]:
            name, body = "bot.py", cast(str, files["bot.py"]).encode()
        for _ in range(100):
            self.look()
            with contextlib.suppress(OSError, http.client.HTTPException):
                where = urlsplit(self.address).netloc
                asked = http.client.HTTPConnection(where, timeout=60)
                asked.request("GET", f"/enter/{self.secrets[sent.submitter]}", headers={"Sec-Fetch-Site": "none"})
                answer = asked.getresponse()
                answer.read()
                cookie = (answer.getheader("Set-Cookie") or "").partition(";")[0]
                headers = {"Cookie": cookie, "Origin": f"http://{where}", "X-File-Name": name}
                headers["Content-Type"] = "application/octet-stream"
                asked.request("POST", "/me/submissions", body, headers)
                answer = asked.getresponse()
                said = answer.read()
                asked.close()
                if answer.status == 200:
                    return
                print(f"an upload got {answer.status}: {said!r}", file=sys.stderr)
            time.sleep(1)
            if self.submissions(sent.submitter) > before:  # it was received, and the answer got lost
                return
        raise RuntimeError("an upload was never received")

    def close(self) -> None:
        """End what runs, and give the memory back; the folder stays otherwise."""
        if self.process is not None and self.process.poll() is None:
            self.stop()
        if self.is_mounted:
            subprocess.run(["umount", "-l", str(self.league)], check=False)

    # What is left

    def left(self) -> list[str]:
        """Return what lies in the folder that should not."""
        found = [
            path
            for path in self.league.rglob("*")
            if path.name.endswith((".new", ".running"))
            or path.parent.name in (INCOMING, "uploads", "repositories")
            or ".build-" in path.name
        ]
        return sorted(str(path.relative_to(self.league)) for path in found)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # it is ignored in what `nohup` has started
    place = Path(sys.argv[1])
    with contextlib.suppress(KeyboardInterrupt):
        serve(place / "league" / "league.toml", place / "clock", place / "status")
