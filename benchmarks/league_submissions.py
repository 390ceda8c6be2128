"""What is sent to a league in an accelerated term: good bots, broken ones, and what would do harm."""

from __future__ import annotations

import io
import random
import subprocess
import tarfile
import zipfile
from collections.abc import Mapping, Sequence
from itertools import cycle
from pathlib import Path
from typing import Final, NamedTuple

FLOOD: Final = 10
"""Submissions that come at once from one who floods."""
HONEST: Final = """# {note}
from arena.client import run

def decide(game):
    if game.random.random() < {skill:.2f}:
        return min(1, len(game.actions) - 1)
    return game.random.choice(range(len(game.actions)))

run(decide)
"""
BROKEN: Final[Mapping[str, str]] = {
    "syntax": "def broken(:\n    {note}\n",
    "crash": "raise SystemExit('{note}')\n",
    "illegal": "from arena.client import run\nrun(lambda game: 10**6)  # {note}\n",
    "hangs": "import time\nfrom arena.client import run\nrun(lambda game: time.sleep(10**6))  # {note}\n",
    "no manifest": "",
}
HOSTILE: Final = ("bomb", "link", "name", "forks", "build", "flood")
FORKS: Final = "import os\nwhile True:\n    os.fork()  # {note}\n"
BUILD: Final = 'name = "x"\ncommand = "{{python}} ./bot.py"\nbuild = "sleep 1000000"\n# {note}\n'
WAYS: Final = ("drop", "git", "upload")


class Sent(NamedTuple):
    """Something that is sent."""

    submitter: str
    via: str
    kind: str
    note: str
    """It is in its text, so that no two are the same."""
    skill: float


Plan = Sequence[Sequence[Sequence[Sent]]]
"""By window, and by moment in it, what is sent."""


def drawn(submitters: int, submissions: int, windows: int, seed: int) -> Plan:
    """Return by window, and by moment in it, what is sent. Nobody sends twice at a moment, but in a flood."""
    chance = random.Random(seed)
    moments = -(-submissions // (windows * submitters))
    found: list[list[list[Sent]]] = []
    left, broken, hostile = submissions, cycle(BROKEN), cycle(HOSTILE)
    for window in range(windows):
        found.append([[] for _ in range(moments)])
        kinds = [chance.choices(["honest", "broken", "hostile"], [7, 2, 1])[0] for _ in range(submitters * moments)]
        for number, kind in enumerate(kinds):
            who, moment = number % submitters, number // submitters
            if left <= 0:
                break
            via = WAYS[who % len(WAYS)]
            if kind == "broken":
                kind = next(broken)
            elif kind == "hostile":
                kind = next(hostile)
            if (kind == "flood" and (moment or left < FLOOD)) or (kind in ("bomb", "flood") and via == "git"):
                kind = "link"
            sent = Sent(f"s{who:02}", via, kind, f"window {window} number {number}", chance.random())
            found[-1][moment].append(sent)
            left -= FLOOD if kind == "flood" else 1
    return found


def files_of(sent: Sent) -> Mapping[str, str | bytes | None]:
    """Return the files of a submission. None: it is a link. The one of a flood are those of a bot that is no use."""
    if sent.kind == "honest":
        return {"bot.py": HONEST.format(note=sent.note, skill=sent.skill)}
    if sent.kind == "no manifest":
        return {"one.py": sent.note, "two.py": sent.note}
    if sent.kind in BROKEN or sent.kind == "flood":
        return {"bot.py": BROKEN["crash" if sent.kind == "flood" else sent.kind].format(note=sent.note)}
    good = HONEST.format(note=sent.note, skill=0.5)
    made: dict[str, Mapping[str, str | bytes | None]] = {
        "bomb": {"bot.py": good, "zeros": bytes(400 << 20)},
        "link": {"bot.py": good, "passwords": None},
        "name": {"bot.py": good, "odd\x1b[2J\nname.py": "pass"},
        "forks": {"bot.py": FORKS.format(note=sent.note)},
        "build": {"bot.py": good, "bot.toml": BUILD.format(note=sent.note)},
    }
    return made[sent.kind]


def archive_of(files: Mapping[str, str | bytes | None], *, is_zip: bool) -> bytes:
    """Return an archive."""
    data = io.BytesIO()
    if is_zip:
        with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as out:
            for name, content in files.items():
                out.writestr(name, content or b"")
        return data.getvalue()
    with tarfile.open(fileobj=data, mode="w:gz") as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            if content is None:
                info.type, info.linkname = tarfile.SYMTYPE, "/etc/passwd"
            body = content.encode() if isinstance(content, str) else content or b""
            info.size = len(body)
            archive.addfile(info, io.BytesIO(body))
    return data.getvalue()


def git(folder: Path, *words: str) -> str:
    """Run git in a folder, as somebody."""
    who = ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "init.defaultBranch=main"]
    return subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()
