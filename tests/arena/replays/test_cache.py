"""A story that is kept is the one that would be told now, or it is not used."""

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

from arena.ledger import EntrantRecord, Ledger, MatchRecord, PageDataRecord
from arena.match.clock import TimeControl
from arena.match.match import Match
from arena.match.replay import replay
from arena.match.spec import MatchSpec
from arena.match.transcript import MatchStep
from arena.protocol.messages import Act
from arena.replays import cache
from arena.replays.cache import parts, tell, verify_story
from arena.replays.page_data import encode, stories
from engine import catalog
from engine.game import Data, Game
from tests.arena.replays.test_page_data import CASES, edition_of, game_of

Told = tuple[MatchRecord, Game, Data]


def told_anew(told: Told) -> list[bytes]:
    public, seats = stories(*told)
    return [encode(part) for part in (public, *seats)]


def other_than(kept: PageDataRecord | None, data: bytes) -> PageDataRecord:
    assert kept is not None
    return PageDataRecord(kept.made_of, zlib.compress(data))


def unpacked(kept: PageDataRecord | None) -> bytes:
    assert kept is not None
    return zlib.decompress(kept.data)


def made_of(told: Told) -> str:
    kept = tell(*told)
    assert kept is not None
    return kept.made_of


@pytest.fixture
def told() -> Told:
    return game_of("ravensburger", "standard", 2)


@CASES
def test_what_is_kept_is_what_would_be_told(name: str, edition: str, players: int) -> None:
    told = game_of(name, edition, players, moves=200)
    kept = tell(*told)
    assert parts(*told, kept) == parts(*told, None) == told_anew(told)
    moments = list(replay(*told))
    assert verify_story(*told, kept, moments) == verify_story(*told, None, moments) == []


@CASES
def test_a_game_is_told_as_it_went_without_playing_it_again(name: str, edition: str, players: int) -> None:
    """With faults, moves of the substitute and a seat that retires."""
    rules = catalog.game(name)
    data = edition_of(rules, edition)
    chance = Random(f"{name} {players}")
    spec = MatchSpec("game", 0, players, 0, 0, chance.randbytes(16).hex(), [f"bot{seat}" for seat in range(players)])
    moments: list[MatchStep] = []
    match = Match(rules, data, spec, TimeControl(strikes=4), on_step=lambda _, moment: moments.append(moment))
    while (seat := match.awaited) is not None:
        asked = match.decide()
        if seat == 0 and chance.random() < 0.4:
            match.late(0.1, "")
        else:
            match.answer(seat, Act(spec.id, asked.turn, chance.randrange(len(asked.actions)), "well"), 0.001)
    record = match.record()
    assert record.retired == [0]
    assert {step.by for step in record.steps} == {"bot", "substitute", "referee"}
    assert tell(record, rules, data, moments) == tell(record, rules, data)


def test_what_is_kept_is_not_told_again(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    kept, expected = tell(*told), told_anew(told)
    monkeypatch.setattr(cache, "stories", lambda *_: pytest.fail("told again"))
    assert parts(*told, kept) == expected


def test_it_is_known_again_after_it_went_through_a_ledger(told: Told, tmp_path: Path) -> None:
    """Also with what bots may say: numbers that are none, any signs, a tuple where a ledger gives a list."""
    record, rules, edition = told
    action = {"tuple": (1, 2), **dict(record.steps[0].action or {})}
    first = msgspec.structs.replace(
        record.steps[0], note="\x00\u2028\U0001f600", metrics={"a": float("nan"), "b": 1e400, "c": 1.0}, action=action
    )
    record = msgspec.structs.replace(record, steps=[first, *record.steps[1:]], times=[[1], [2]])
    kept = PageDataRecord(cache._made_of(record, rules, edition), zlib.compress(b'[{"a":1},{},{}]'))
    with Ledger.create(tmp_path, {"edition": edition}) as ledger:
        ledger.set_entrants([EntrantRecord(bot, "bot.py", "00") for bot in record.bots])
        ledger.record(record, kept)
    with Ledger.open(tmp_path) as ledger:
        read, edition, found = ledger.game(record.id), ledger.meta["edition"], ledger.story(record.id)
    assert parts(read, rules, edition, found) == [b'{"a":1}', b"{}", b"{}"]


def another_rank(told: Told) -> Told:
    return msgspec.structs.replace(told[0], ranks=[7, 8]), told[1], told[2]


def another_name(told: Told) -> Told:
    return msgspec.structs.replace(told[0], bots=["bot0", "other"]), told[1], told[2]


def another_edition(told: Told) -> Told:
    return told[0], told[1], {**told[2], "name": "mine"}


def another_note(told: Told) -> Told:
    record = told[0]
    steps = [msgspec.structs.replace(step, note="other") if step.by == "bot" else step for step in record.steps]
    return msgspec.structs.replace(record, steps=steps), told[1], told[2]


@pytest.mark.parametrize("other", [another_rank, another_name, another_edition, another_note])
def test_for_anything_else_it_is_told_anew(told: Told, other: Callable[[Told], Told]) -> None:
    kept, now = tell(*told), other(told)
    assert parts(*now, kept) == told_anew(now) != told_anew(told)
    assert verify_story(*now, kept, replay(*now)) == []  # no page will say what is kept


def test_for_another_version_it_is_told_anew(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = other_than(tell(*told), b"[1,2,3]")
    assert parts(*told, kept) == [b"1", b"2", b"3"]
    monkeypatch.setattr(cache, "told_by", lambda _: "a later one")
    assert parts(*told, kept) == told_anew(told)


def test_one_that_tells_something_else_is_named(told: Told) -> None:
    kept = tell(*told)
    changed = other_than(kept, unpacked(kept).replace(b'"bot1 ', b'"bot0 '))
    assert verify_story(*told, changed, replay(*told)) == ["what is kept for its page is not what happened"]


def test_one_that_cannot_be_told_any_more_is_named(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tell(*told)
    monkeypatch.setattr(type(told[1]), "words", Mock(side_effect=KeyError("fly")))
    assert verify_story(*told, kept, replay(*told)) == ["it cannot be told any more: KeyError('fly')"]


def test_one_that_is_too_long_is_not_kept(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_LONGEST", sum(map(len, told_anew(told))) + 1 + len(told_anew(told)))
    assert tell(*told) is not None
    monkeypatch.setattr(cache, "_LONGEST", cache._LONGEST - 1)
    assert tell(*told) is None


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
def test_of_what_somebody_put_in_its_place_nothing_gets_into_a_page(told: Told, data: bytes) -> None:
    assert parts(*told, PageDataRecord(made_of(told), data)) == told_anew(told)


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
    """What tells a game of a package of its own, asked anew."""
    for name, text in PACKAGE.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    game = importlib.import_module("racing.rules.race").Race()

    def asked() -> str:
        cache._digest.cache_clear()
        return cache.told_by(game)

    yield asked
    for module in [name for name in sys.modules if name.partition(".")[0] in ("racing", "racing_base")]:
        del sys.modules[module]
    cache._digest.cache_clear()


@pytest.mark.parametrize("name", PACKAGE)
def test_whatever_file_of_its_package_changes_a_game_is_told_anew(
    tmp_path: Path, race: Callable[[], str], name: str
) -> None:
    before = race()
    (tmp_path / "racing" / "__pycache__").mkdir(exist_ok=True)
    (tmp_path / "racing" / "__pycache__" / "words.pyc").write_bytes(b"compiled")
    assert race() == before
    (tmp_path / name).write_text(PACKAGE[name] + " ")
    assert race() != before


def test_another_version_of_a_package_tells_anew(race: Callable[[], str], monkeypatch: pytest.MonkeyPatch) -> None:
    before = race()
    monkeypatch.setattr(cache.catalog, "version", {"race": "2.0"}.get)
    assert race() != before


def test_a_file_that_cannot_be_read_and_a_game_without_files_are_told_by_what_there_is(
    tmp_path: Path, race: Callable[[], str]
) -> None:
    (tmp_path / "racing" / "words.json").unlink()
    (tmp_path / "racing" / "words.json").symlink_to("words.json")
    (tmp_path / "racing_base.py").unlink()
    assert race()
    nowhere: Any = SimpleNamespace(name="nowhere")
    assert cache.told_by(nowhere) != race()
