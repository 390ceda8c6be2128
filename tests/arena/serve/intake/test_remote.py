"""What comes in from authors who are connected to the gateway, and who of them a round waits for."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from arena.common.removal import remove
from arena.gateway.gateway import RateBudget
from arena.gateway.keys import allow, allowed, key_hash, new_key
from arena.isolation.settings import RemoteBots
from arena.serve import LeagueError
from arena.serve.intake import remote
from arena.serve.intake.intake import Intake
from arena.serve.intake.remote import GatewayProcess, RemoteSource
from arena.serve.league import read_league
from arena.serve.rounds import Season
from arena.tournament.plan import read_plan

ALLOWED = "[remote]\nallowed = true\nport = 0\n"


class Standing:
    """A gateway that stands still, and says what it is told to."""

    trouble: str | None = None

    def __init__(self, folder: Path, *_: object) -> None:
        (folder / "latency").mkdir(parents=True, exist_ok=True)

    def check(self) -> str | None:
        return self.trouble

    def close(self) -> None:
        pass


def connect(folder: Path, name: str, session: str, ago: float = 0.0) -> None:
    file = folder / "gateway" / "latency" / name
    [key] = [key for key, whose in allowed(folder / "gateway").items() if whose == name]
    file.write_text(f"12.5 {key_hash(key)}-{session}")
    os.utime(file, (time.time() - ago,) * 2)


@pytest.fixture
def gateway(made, monkeypatch):
    monkeypatch.setattr(remote, "GatewayProcess", Standing)
    allow(made.folder / "gateway", "ada", new_key("ada", None).public)
    return made.folder / "gateway"


def test_each_join_is_a_submission_unless_its_key_plays(made, gateway) -> None:
    league, store = made.league(ALLOWED), made.store("ada")
    intake = Intake(league, store)
    assert intake.look() == 0  # has a key, and is not connected
    connect(made.folder, "ada", "first")
    assert [intake.look(), intake.look()] == [1, 0]
    [one] = store.submissions()
    assert one.via == "remote"
    store.move(one.id, "refused", reason="no hello")
    assert intake.look() == 0  # the same `arena join` goes on
    connect(made.folder, "ada", "second")
    assert intake.look() == 1
    store.move(2, "joined")
    connect(made.folder, "ada", "third")
    assert intake.look() == 0  # the key plays
    allow(gateway, "ada", new_key("ada", None).public)
    assert intake.look() == 0  # nobody is connected with the new one
    connect(made.folder, "ada", "third")
    assert intake.look() == 1
    assert len({each.digest for each in store.submissions()}) == 3


def test_what_is_uploaded_plays_until_the_next_join(made, gateway) -> None:
    league, store = made.league(ALLOWED), made.store("ada")
    intake = Intake(league, store)
    connect(made.folder, "ada", "first")
    intake.look()
    store.move(1, "joined")
    (made.folder / "mine.py").write_text("")
    store.move(intake.upload("ada", "mine.py", made.folder / "mine.py"), "joined")
    assert intake.look() == 0
    assert Season(league, store).field(2e9) == {"ada": 2}
    connect(made.folder, "ada", "second")
    assert intake.look() == 1


def test_a_key_that_arena_key_did_not_let_in_holds_up_nobody(made, gateway) -> None:
    said: list[str] = []
    intake = Intake(made.league(ALLOWED), made.store("ada"), said.append)
    remove(str(gateway / "forwarders"))
    connect(made.folder, "ada", "first")
    assert [intake.look(), intake.look()] == [0, 0]
    [line] = said
    assert line.startswith("ada, who is elsewhere, cannot be received")


def test_a_version_is_a_key(made, gateway) -> None:
    intake = Intake(made.league(ALLOWED), made.store("ada"))
    said = set()
    for session in ("first", "second"):
        connect(made.folder, "ada", session)
        intake.look()
        made.stores[0].move(len(said) + 1, "refused")
        [file] = (made.folder / "submissions" / f"{len(said) + 1:06}" / "received").glob("*/bot.toml")
        said.add((len(said) + 1, file.read_bytes()))
    assert len({content for _, content in said}) == 1


def test_who_is_away_is_not_in_a_round_that_begins(made, gateway) -> None:
    league, store = made.league(ALLOWED), made.store("ada", "bob")
    season = Season(league, store)
    for name, via in (("ada", "remote"), ("bob", "upload")):
        store.move(store.receive(name, via, "0").id, "joined")
    (gateway / "latency").mkdir()
    connect(made.folder, "ada", "first")
    assert (season.next_round(2e9).field, season.away(season.field(2e9))) == ({"ada": 1, "bob": 2}, [])
    connect(made.folder, "ada", "first", ago=31)
    assert (season.next_round(2e9).field, season.away(season.field(2e9))) == ({"bob": 2}, ["ada"])
    assert Season(made.league(), store).field(2e9) == {"bob": 2}  # forbidden again


def test_a_plan_names_who_plays_from_elsewhere(made, gateway) -> None:
    league, store = made.league(ALLOWED), made.store("ada", "bob")
    for name, via in (("ada", "remote"), ("bob", "upload")):
        store.move(store.receive(name, via, "0").id, "joined")
    (gateway / "latency").mkdir()
    connect(made.folder, "ada", "first")
    season = Season(league, store)
    found = read_plan(season.write_plan(season.next_round(2e9), is_again=False), {}).remote
    assert found == RemoteBots(str(gateway), ["ada"], 100, 30)
    rounds = 'tables = "apart"\n[rounds]\nevery = "1 day"\n'
    file = league.file
    file.write_text(file.read_text().replace("[rounds]\nwithout_end = true\n", "") + rounds)
    season = Season(read_league(file), store)
    found = read_plan(season.write_plan(season.next_round(2e9), is_again=False), {}).remote
    assert found == RemoteBots(str(gateway), ["ada"], 100, 30, "apart", ["greedy", "random_bot"])


@pytest.mark.parametrize("more", ['[season]\nfinal = "knockout"\n', ""])
def test_tables_apart_go_with_no_final_and_no_known_order(made, more) -> None:
    with pytest.raises(LeagueError, match="goes neither with"):
        made.league(f'{ALLOWED}tables = "apart"\n{more}')


def test_trouble_is_said_once(made, gateway) -> None:
    said: list[str] = []
    source = RemoteSource(made.league(ALLOWED), said.append)
    connect(made.folder, "ada", "first")
    Standing.trouble = "the address is in use"
    for _ in range(2):
        source.look(made.store("bob"), ["bob"])
    Standing.trouble = None
    assert said == [
        "the gateway to bots elsewhere has ended, and is begun anew: the address is in use",
        "ada has a key, and is no submitter of this league",
    ]


@pytest.mark.process
def test_a_gateway_that_cannot_listen_is_begun_anew_with_pauses(tmp_path) -> None:
    gateway = GatewayProcess(tmp_path, "203.0.113.1", 1, 30.0)
    gateway._budget = RateBudget(2, 1e9)
    try:
        found = []
        while len(found) < 2:
            if (said := gateway.check()) is not None:
                found.append(said)
        gateway._child.wait(60)
        assert gateway.check() is None
        assert (gateway.starts, "203.0.113.1" in found[0]) == (3, True)
    finally:
        gateway.close()
