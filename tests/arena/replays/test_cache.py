"""Cached page data is what would be built now, or it is not used."""

from __future__ import annotations

import importlib
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import msgspec
import pytest

from arena.game.clock import TimeControl
from arena.game.game import Game
from arena.game.replay import replay
from arena.game.spec import GameSpec
from arena.game.transcript import GameStep
from arena.ledger import EntrantRecord, GameRecord, Ledger, PageDataRecord
from arena.protocol.messages import Act
from arena.replays import cache
from arena.replays.cache import load_page_data, pack_page_data, verify_page_data
from arena.replays.page_data import build_page_data, encode
from engine import catalog
from engine.rules import Data, Rules
from tests.arena.ledgers import SETTINGS
from tests.arena.replays.test_page_data import CASES, edition_of, game_of

Case = tuple[GameRecord, Rules, Data]


def built(case: Case) -> list[bytes]:
    public, seats = build_page_data(*case)
    return [encode(part) for part in (public, *seats)]


def other_than(cached: PageDataRecord | None, data: bytes) -> PageDataRecord:
    assert cached is not None
    return PageDataRecord(cached.key, zlib.compress(data))


def unpacked(cached: PageDataRecord | None) -> bytes:
    assert cached is not None
    return zlib.decompress(cached.data)


def key_of(case: Case) -> str:
    cached = pack_page_data(*case)
    assert cached is not None
    return cached.key


@pytest.fixture
def case() -> Case:
    return game_of("ravensburger", "standard", 2)


@CASES
def test_cached_page_data_is_what_would_be_built(name: str, edition: str, players: int) -> None:
    case = game_of(name, edition, players, moves=200)
    cached = pack_page_data(*case)
    assert load_page_data(*case, cached) == load_page_data(*case, None) == built(case)
    game_steps = list(replay(*case))
    assert verify_page_data(*case, cached, game_steps) == verify_page_data(*case, None, game_steps) == []


@CASES
def test_page_data_is_built_from_the_steps_without_replaying_the_game(name: str, edition: str, players: int) -> None:
    """With faults, moves of the substitute and a seat that retires."""
    rules = catalog.rules(name)
    data = edition_of(rules, edition)
    chance = Random(f"{name} {players}")
    spec = GameSpec("game", 0, players, 0, 0, chance.randbytes(16).hex(), [f"bot{seat}" for seat in range(players)])
    game_steps: list[GameStep] = []
    game = Game(rules, data, spec, TimeControl(strikes=4), on_step=lambda _, game_step: game_steps.append(game_step))
    while (seat := game.awaited) is not None:
        asked = game.decide()
        if seat == 0 and chance.random() < 0.4:
            game.late(0.1, "")
        else:
            game.answer(seat, Act(spec.id, asked.turn, chance.randrange(len(asked.actions)), "well"), 0.001)
    record = game.record()
    assert record.retired == [0]
    assert {step.by for step in record.steps} == {"bot", "substitute", "referee"}
    assert pack_page_data(record, rules, data, game_steps) == pack_page_data(record, rules, data)


def test_what_is_cached_is_not_built_again(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    cached, expected = pack_page_data(*case), built(case)
    monkeypatch.setattr(cache, "build_page_data", lambda *_: pytest.fail("built again"))
    assert load_page_data(*case, cached) == expected


def test_it_is_known_again_after_it_went_through_a_ledger(case: Case, tmp_path: Path) -> None:
    """Also with what bots may say: numbers that are none, any signs, a tuple where a ledger gives a list."""
    record, rules, edition = case
    action = {"tuple": (1, 2), **dict(record.steps[0].action or {})}
    first = msgspec.structs.replace(
        record.steps[0], note="\x00\u2028\U0001f600", metrics={"a": float("nan"), "b": 1e400, "c": 1.0}, action=action
    )
    record = msgspec.structs.replace(record, steps=[first, *record.steps[1:]], times=[[1], [2]])
    cached = PageDataRecord(cache._key(record, rules, edition), zlib.compress(b'[{"a":1},{},{}]'))
    with Ledger.create(tmp_path, {**SETTINGS.entries(), "edition": edition}) as ledger:
        ledger.set_entrants([EntrantRecord(bot, "bot.py", "00") for bot in record.bots])
        ledger.record(record, cached)
    with Ledger.open(tmp_path) as ledger:
        read, edition, found = ledger.game(record.id), ledger.meta["edition"], ledger.page_data(record.id)
    assert load_page_data(read, rules, edition, found) == [b'{"a":1}', b"{}", b"{}"]


def another_rank(case: Case) -> Case:
    return msgspec.structs.replace(case[0], ranks=[7, 8]), case[1], case[2]


def another_name(case: Case) -> Case:
    return msgspec.structs.replace(case[0], bots=["bot0", "other"]), case[1], case[2]


def another_edition(case: Case) -> Case:
    return case[0], case[1], {**case[2], "name": "mine"}


def another_note(case: Case) -> Case:
    record = case[0]
    steps = [msgspec.structs.replace(step, note="other") if step.by == "bot" else step for step in record.steps]
    return msgspec.structs.replace(record, steps=steps), case[1], case[2]


@pytest.mark.parametrize("other", [another_rank, another_name, another_edition, another_note])
def test_for_anything_else_it_is_built_again(case: Case, other: Callable[[Case], Case]) -> None:
    cached, now = pack_page_data(*case), other(case)
    assert load_page_data(*now, cached) == built(now) != built(case)
    assert verify_page_data(*now, cached, replay(*now)) == []  # no page will say what is cached


def test_for_another_version_it_is_built_again(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    cached = other_than(pack_page_data(*case), b"[1,2,3]")
    assert load_page_data(*case, cached) == [b"1", b"2", b"3"]
    monkeypatch.setattr(cache, "source_hash", lambda _: "a later one")
    assert load_page_data(*case, cached) == built(case)


def test_data_that_says_something_else_is_named(case: Case) -> None:
    cached = pack_page_data(*case)
    changed = other_than(cached, unpacked(cached).replace(b'"bot1 ', b'"bot0 '))
    assert verify_page_data(*case, changed, replay(*case)) == ["its cached page data is not what happened"]


def test_data_that_cannot_be_built_any_more_is_named(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    cached = pack_page_data(*case)
    monkeypatch.setattr(type(case[1]), "words", Mock(side_effect=KeyError("fly")))
    assert verify_page_data(*case, cached, replay(*case)) == ["its page data cannot be built any more: KeyError('fly')"]


def test_data_that_is_too_long_is_not_cached(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_LONGEST", sum(map(len, built(case))) + 1 + len(built(case)))
    assert pack_page_data(*case) is not None
    monkeypatch.setattr(cache, "_LONGEST", cache._LONGEST - 1)
    assert pack_page_data(*case) is None


HOSTILE: dict[str, Any] = {
    "no archive": b"[1,2,3]",
    "cut": zlib.compress(b"[1,2,3]" * 9)[:-9],
    "a program": zlib.compress(b"[alert(1),2,3]"),
    "a program behind": zlib.compress(b"[1,2,3]);alert(1"),
    "a line more": zlib.compress('[1,2,"\u2028"]'.encode()),
    "no text": zlib.compress(b'[1,2,"\xff"]'),
    "half a sign": zlib.compress(b'[1,2,"\\ud800"]'),
    "a seat too many": zlib.compress(b"[1,2,3,4]"),
    "a seat too few": zlib.compress(b"[1,2]"),
    "nothing": zlib.compress(b"[]"),
    "deep": zlib.compress(b"[" * 100_000 + b"]" * 100_000),
    "endless": zlib.compress(b"[1,2," + b" " * cache._LONGEST + b"3]", 1),
}


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE)
def test_of_what_somebody_put_in_its_place_nothing_gets_into_a_page(case: Case, data: bytes) -> None:
    assert load_page_data(*case, PageDataRecord(key_of(case), data)) == built(case)


PACKAGE = {
    "racing/__init__.py": "",
    "racing/rules/__init__.py": "",
    "racing/rules/race.py": "from racing_base import Base\nclass Race(Base):\n    name = 'race'\n",
    "racing/words.py": "GO = 'goes'",
    "racing/words.json": "{}",
    "racing_base.py": "class Base: pass",
}


@pytest.fixture
def race(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], str]]:
    """The hash over the sources of a game in a package of its own, computed anew."""
    for name, text in PACKAGE.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    game = importlib.import_module("racing.rules.race").Race()

    def asked() -> str:
        cache._digest.cache_clear()
        return cache.source_hash(game)

    yield asked
    for module in [name for name in sys.modules if name.partition(".")[0] in ("racing", "racing_base")]:
        del sys.modules[module]
    cache._digest.cache_clear()


@pytest.mark.parametrize("name", PACKAGE)
def test_whatever_file_of_its_package_changes_a_game_is_built_again(
    tmp_path: Path, race: Callable[[], str], name: str
) -> None:
    before = race()
    (tmp_path / "racing" / "__pycache__").mkdir(exist_ok=True)
    (tmp_path / "racing" / "__pycache__" / "words.pyc").write_bytes(b"compiled")
    assert race() == before
    (tmp_path / name).write_text(PACKAGE[name] + " ")
    assert race() != before


def test_another_version_of_a_package_invalidates_the_cache(
    race: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = race()
    monkeypatch.setattr("arena.replays.cache.catalog.version", {"race": "2.0"}.get)
    assert race() != before


def test_a_file_that_cannot_be_read_and_a_game_without_files_are_hashed_by_what_there_is(
    tmp_path: Path, race: Callable[[], str]
) -> None:
    (tmp_path / "racing" / "words.json").unlink()
    (tmp_path / "racing" / "words.json").symlink_to("words.json")
    (tmp_path / "racing_base.py").unlink()
    assert race()
    nowhere: Any = SimpleNamespace(name="nowhere")
    assert cache.source_hash(nowhere) != race()
