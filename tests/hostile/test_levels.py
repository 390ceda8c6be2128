"""Each attack at each level of isolation, in tournaments: what it comes to and who is charged, as the table says."""

from __future__ import annotations

import ctypes
import json
import os
import zlib
from pathlib import Path
from typing import Final

import pytest

from arena.isolation import landlock
from arena.isolation.settings import LEVELS, Level
from arena.ledger import GameRecord, Ledger
from arena.tournament import identity
from tests.hostile.levels import ALONE, FAILS, HAND, PAGE, TOGETHER, WORKS, costs, page, victim_pays
from tests.hostile.yard import Yard, charged, linux, said
from tests.isolation_demand import need

ELSEWHERE: Final = {
    "none": ("kill_worker", "lay_module", "steal_time"),
    "landlock": ("steal_time",),
    "box": ("steal_time",),
}
"""By level: attacks that take a tournament of their own, in test_same_user.py and test_stolen_time.py."""
LOADED: Final = ("load_library", "load_library_for_build")
"""Attacks by variables that the loader of programs obeys. It leaves a file for each program that it so leads."""
APART: Final = ("ask_for_more", "change_ranks", "guess_seed", "lead_arena", "open_by_plan", *LOADED)
"""Attacks by a bot of their own, or by no bot."""
TIMES: Final = ("--move", 3, "--bank", 0, "--strikes", 1)
"""Seconds for a decision: no honest bot needs one of them, and the watch looks several times meanwhile."""

SCRYPT: Final = json.dumps(
    {"salt": identity._SALT.hex(), "n": identity._COST, "r": identity._BLOCKS, "p": 1, "maxmem": identity._MEMORY}
)


def come_to(game: GameRecord, bot: str, attack: str) -> str:
    """Return what an attack of this bot came to in a game with the victim."""
    rivals, own, how = charged(game, "victim"), charged(game, bot), said(game, bot).get(attack, "")
    if rivals:
        return victim_pays(" ".join(rivals))
    if own:
        return costs(" ".join(own))
    assert how, f"{bot} did not come to {attack}"
    return WORKS if how.startswith("done") else FAILS


@linux
@pytest.mark.process
@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_attacks_come_to_what_the_table_says(yard: Yard, level: Level) -> None:
    need(level)
    if level == "landlock" and landlock.version() < landlock.SCOPES:
        pytest.skip("an older Landlock, which can do less")
    own = yard.folder / "own"
    own.mkdir()
    for name in ("chmod", "rm", "ps", "sh", "bwrap"):
        (own / name).write_text(f"#!/bin/sh\ntouch {yard.folder}/led\n")
        (own / name).chmod(0o755)
    (yard.folder / "plan.toml").write_text("limits = { processes = 8 }")
    expected = {attack: row.at(level) for attack, row in ALONE.items() if attack not in ELSEWHERE[level]}
    # What somebody is charged for ends a bot, so that it has one to itself. The others are tried by one bot.
    single = [attack for attack, how in expected.items() if how.endswith("`") and attack != "ask_for_more"]
    quiet = [attack for attack in expected if attack not in (*single, *APART)]
    limits = "limits = { memory_mb = 64, file_mb = 1 }"
    traced = [{"LD_DEBUG": "statistics", "LD_DEBUG_OUTPUT": f"{yard.folder}/{name}"} for name in LOADED]
    built = "build = ['{python}', '-c', 'pass']"
    bots = [
        yard.naming("quiet", *quiet, manifest=limits),
        yard.hostile("guess_seed", "guess_seed", manifest=built, SCRYPT=SCRYPT, **traced[1]),
    ]
    # In the first game of all there are no ranks yet.
    bots.append(yard.hostile("change_ranks", "change_ranks", **(traced[0] | {"SEATS": "01"})))
    bots += [yard.hostile(attack, attack, manifest="limits = { processes = 4, memory_mb = 64 }") for attack in single]
    limits = "limits = { memory_mb = 16777216, processes = 65536 }"
    bots.append(yard.hostile("ask_for_more", "burst", manifest=limits, PATH=f"{own}:{os.environ['PATH']}"))
    words = (yard.victim, *bots, "--challenger", "victim", "--games", 2 * len(bots), "--seed", 1)
    yard.tournament(*words, *TIMES, "--plan", yard.folder / "plan.toml", level=level)
    assert "memory_mb 16777216 (it gets 4096), processes 65536 (it gets 8)" in yard.last.stderr
    games = yard.games()
    assert len(games) == 2 * len(bots), "nobody was suspended"
    found = {"open_by_plan": opened_by_plan(yard, level)}
    found |= {"lead_arena": WORKS if (yard.folder / "led").exists() else FAILS}
    found |= {name: WORKS if list(yard.folder.glob(f"{name}.*")) else FAILS for name in LOADED}
    for game in games:
        [bot] = set(game.bots) - {"victim"}
        if game.bots.index(bot):
            assert game.retired == [], f"{bot} attacks from the other seat: {game.faults}"
        if said(game, bot) or game.bots[0] == bot:
            came = {attack: come_to(game, bot, attack) for attack in (quiet if bot == "quiet" else [bot])}
            found |= {attack: how for attack, how in came.items() if found.get(attack) != WORKS}
    assert found == {attack: how.removesuffix(remarks(how)) for attack, how in expected.items()}
    if level == "none":
        secret = next(said(game, "quiet")["read_seed"] for game in games if game.bots[0] == "quiet")
        with Ledger.open(yard.folder / "t") as ledger:
            assert secret == f"done {ledger.settings.seed}"
        assert "ranks" in yard.shell.run("verify", "t", code=1).stdout


def opened_by_plan(yard: Yard, level: Level) -> str:
    """Return what comes of a plan that opens a folder and runs programs where nobody can be asked."""
    plan, ran = yard.folder / "stranger.toml", yard.folder / "ran"
    build = yard.bot("built", ("hostile_bot.py",), {}, f"build = ['touch', '{ran}']")
    readable = f"[isolation]\nlevel = '{level}'\nreadable = ['{yard.folder}/secrets']\n"
    plan.write_text(f"bots = ['{build}', '{yard.victim}']\n{readable}[hooks]\nround = ['touch', '{ran}']\n")
    done = yard.shell.run("tournament", "--plan", plan, "--out", "strangers", code=2)
    assert "secrets" in done.stderr
    assert str(ran) in done.stderr
    return WORKS if ran.exists() or (yard.folder / "strangers").exists() else FAILS


@linux
@pytest.mark.process
@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_partners_can_tell_each_other_what_the_table_says(yard: Yard, level: Level) -> None:
    need(level)
    if level == "landlock" and landlock.version() < landlock.SCOPES:
        pytest.skip("an older Landlock, which can do less")
    sources = ("colluding_bot.py", "collusion.py")
    partners = [yard.bot(role.lower(), sources, {"ROLE": role}) for role in ("Sender", "Receiver")]
    try:
        yard.tournament(yard.victim, *partners, "--games", 1, "--seed", 1, level=level, players=3)
    finally:
        remove_channels(yard.mark)
    games = yard.games()
    assert [game.faults for game in games] == [[], [], []]
    notes = [step.note for game in games for step in game.steps if step.note and "{" in step.note]
    found = {channel for note in notes for channel, hand in json.loads(note).items() if hand == HAND}
    assert {channel: WORKS if channel in found else FAILS for channel in TOGETHER} == {
        channel: row.at(level) for channel, row in TOGETHER.items()
    }


def remove_channels(mark: str) -> None:
    """Remove what partners have left outside of their folders."""
    for folder in ("/tmp", "/var/tmp", "/dev/shm"):
        Path(folder, mark).unlink(missing_ok=True)
    libc, number = ctypes.CDLL(None), zlib.crc32(mark.encode()) & 0x3FFFFFFF
    if (semaphore := libc.semget(number, 1, 0)) >= 0:
        libc.semctl(semaphore, 0, 0)
    if (queue := libc.msgget(number, 0)) >= 0:
        libc.msgctl(queue, 0, None)


def remarks(how: str) -> str:
    """Return what an outcome says besides `fails` or `works`, which is shown elsewhere."""
    return "" if how.endswith("`") else how[len(FAILS) :]


def test_the_page_has_the_table() -> None:
    assert PAGE.read_text("utf-8") == page(), "write it anew: python -m tests.hostile.levels"


def test_every_attack_of_a_bot_is_in_the_table() -> None:
    text = Path(__file__).with_name("attacks.py").read_text("utf-8")
    assert [attack for attack in ALONE if f"def {attack}(" not in text] == [
        *("steal_time", "ask_for_more", "open_by_plan", "lead_arena"),
        *LOADED,
    ]
