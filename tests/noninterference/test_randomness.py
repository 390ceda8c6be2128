"""What a bot is told that is random (its `bot_seed`, the game's id) decides nothing, and nothing else follows from it.

Some games of a tournament are played again with one thing altered: what is derived for the `bot_seed` of a seat. Every
use of randomness (see `randomness`), every message and every pause has to be the same but for that seed itself. So no
seat can compute a deck, a roll, a seating or the length of a pause from what it knows. `test_independence` looks at
numbers alone, and does not see that one follows from another if a generator lies between.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice, zip_longest
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from arena.game import bot_messages
from arena.game import game as game_module
from arena.game.clock import TimeControl
from arena.game.game import Game
from arena.game.spec import GameSpec
from arena.protocol.codec import encode
from arena.protocol.messages import Act
from arena.referee.time import pause_queue as pause_queue_module
from arena.referee.time.pause_lengths import AnswerTimes
from arena.referee.time.pause_queue import PauseQueue
from engine import catalog
from engine.chance import Seeded, derive
from engine.rules import State
from tests.noninterference.randomness import Use, recording
from tests.noninterference.test_independence import PLAYERS, schedule

ROOT = Path(__file__).parents[2]
TOURNAMENT = 7
GAMES = (("kosmos", "ru"), ("ravensburger", "expert"))
ID = "public id/"
TOLD = (ID, *(f"bot/{seat}" for seat in range(PLAYERS)))
"""What the start of a game tells that is random, by the purpose for which it is derived."""
GAMES_PLAYED = 3
MOVES = 300
"""Played in each game, if there are as many."""
PLAYED = pytest.mark.parametrize(("name", "edition"), GAMES)


@dataclass
class Course:
    """Some games of a tournament, as they went."""

    uses: list[Use]
    starts: list[tuple[str, list[int]]] = field(default_factory=list)
    """The random part of what bots are told at the start of a game: its id, and by seat the `bot_seed`."""
    messages: list[bytes] = field(default_factory=list)
    pauses: list[float] = field(default_factory=list)


def played(name: str, edition: str, altered: str | None = None) -> Course:
    """Play some games, each up to some move. `altered`: for what something else is derived."""
    with recording(lambda what: altered is not None and what.decode().startswith(altered)) as uses:
        course = Course(uses)
        for spec in islice(schedule(TOURNAMENT), GAMES_PLAYED):
            _play(Game(catalog.rules(name), catalog.rules(name).edition(edition), spec, TimeControl()), course)
    return course


def _play(game: Game, course: Course) -> None:
    """What the host does, with bots that take other times for other answers, so that it matters which one is drawn."""
    pauses = PauseQueue(game, [False] * PLAYERS)
    course.starts.append((game.game_id, [game.start(seat).bot_seed for seat in range(PLAYERS)]))
    times, choices, now = AnswerTimes(), Random(game.spec.id), 0.0
    for number, bot in enumerate(game.spec.bots * 5):
        times.add(bot, "", 0.0017 * number)
    for _ in range(MOVES):
        while pauses.pause(times, now, 1.0):
            assert pauses.resume_at is not None
            course.pauses.append(pauses.resume_at - now)
            now = pauses.resume_at
        if game.awaited is None:
            return
        asked = game.decide()
        course.messages.append(encode(msgspec.structs.replace(asked, game_id="")))
        game.answer(game.awaited, Act(game.game_id, asked.turn, choices.randrange(len(asked.actions))), 0.0)


def problems(name: str, edition: str) -> Iterator[str]:
    """What is wrong with where random numbers come from."""
    plain = played(name, edition)
    assert len(plain.messages) > 300
    assert len(set(plain.pauses)) > 5
    derived = {use.given for use in plain.uses if use.kind == "derived"} | {TOURNAMENT.to_bytes(16)}
    for use in plain.uses:
        if use.key not in derived:
            yield f"{use} is not of a seed that was derived for something"
    for told in TOLD:
        other = played(name, edition, told)
        changed = [
            (what, one != same)
            for (one_id, one_seeds), (same_id, same_seeds) in zip(plain.starts, other.starts, strict=True)
            for what, one, same in [
                (ID, one_id, same_id),
                *((f"bot/{seat}", one_seeds[seat], same_seeds[seat]) for seat in range(PLAYERS)),
            ]
        ]
        if any(changes != (what == told) for what, changes in changed):
            yield f"{told} is not all that a start has of what is derived for it"
        if plain.messages != other.messages or plain.pauses != other.pauses:
            yield f"messages or pauses depend on {told}"
        for one, same in zip_longest(plain.uses, other.uses):
            if one != same and not (one.what == same.what and one.what.decode().startswith(told)):
                yield f"{one} depends on {told}"
                break


@PLAYED
def test_nothing_random_follows_from_what_a_bot_is_told(name: str, edition: str) -> None:
    assert list(problems(name, edition)) == []


def test_streams_of_all_kinds_are_recorded() -> None:
    uses = played(*GAMES[0]).uses
    drawn = {use.what.decode().rpartition("/")[0] for use in uses if use.kind == "drawn"}
    assert {"first player", "travel deck", "event deck", "red chits", "blue chits", "order"} <= drawn
    assert {use.what.decode().partition("/")[0] for use in uses if use.kind == "derived"} >= {
        *("game", "chance", "pauses", "bot", "public id", "round"),
    }
    assert [use.what for use in uses if use.kind == "seeded"] == [b"arena.referee.time.pause_lengths"] * GAMES_PLAYED


# Planted


def in_the_arena(source: str, **names: Any) -> Any:
    """A function as if it were written in a module of the arena."""
    return eval(source, {"__name__": "arena.planted", "Random": Random, "derive": derive, **names})


def pauses_from_a_bot_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    source = "lambda seed: Random(bot_seed(bytes.fromhex(seed), 2))"
    monkeypatch.setattr(pause_queue_module, "pause_source", in_the_arena(source, bot_seed=bot_messages.bot_seed))


def pauses_from_what_a_bot_seed_is_derived_from(monkeypatch: pytest.MonkeyPatch) -> None:
    source = "lambda seed: Random(derive(bytes.fromhex(seed), 'bot', 1)[:8])"
    monkeypatch.setattr(pause_queue_module, "pause_source", in_the_arena(source))


def pauses_picked_by_a_bot_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a generator."""
    plain = PauseQueue.__init__

    def init(self: PauseQueue, game: Game, *given: Any) -> None:
        plain(self, game, *given)
        seed = game.start(3).bot_seed
        self._source.choice = lambda times: times[seed % len(times)]  # type: ignore[method-assign, assignment]

    monkeypatch.setattr(PauseQueue, "__init__", init)


def pauses_that_all_can_compute(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pause_queue_module, "pause_source", in_the_arena("lambda seed: Random(len(seed))"))


def pauses_from_the_games_id(monkeypatch: pytest.MonkeyPatch) -> None:
    source = "lambda seed: Random(public_id(bytes.fromhex(seed), 'p4-b0000-r0'))"
    monkeypatch.setattr(pause_queue_module, "pause_source", in_the_arena(source, public_id=bot_messages.public_id))


def a_bot_seed_from_the_seed_of_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_messages, "bot_seed", lambda seed, seat: int.from_bytes(derive(seed, "pauses")[:8]) + seat)


def a_new_stream_of_the_rules_from_a_bot_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = game_module.begin

    def begin(rules: Any, edition: Any, players: int, seed: bytes) -> State:
        Seeded(derive(derive(seed, "bot", 0), "weather")).below("weather", 6)
        return plain(rules, edition, players, seed)

    monkeypatch.setattr(game_module, "begin", begin)


def a_seating_from_a_bot_seed_of_the_game_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next game's seed, by which the tournament deals it."""
    plain, last = Game.__init__, list[bytes]()

    def init(self: Game, rules: Any, edition: Any, spec: GameSpec, *given: Any) -> None:
        seed = derive(last[-1], "next").hex() if last and len(last) % 2 else spec.seed
        plain(self, rules, edition, msgspec.structs.replace(spec, seed=seed), *given)
        last.append(derive(self._seed, "bot", 1))

    monkeypatch.setattr(Game, "__init__", init)


PLANTED = [
    pauses_from_a_bot_seed,
    pauses_from_what_a_bot_seed_is_derived_from,
    pauses_picked_by_a_bot_seed,
    pauses_that_all_can_compute,
    pauses_from_the_games_id,
    a_bot_seed_from_the_seed_of_pauses,
    a_new_stream_of_the_rules_from_a_bot_seed,
    a_seating_from_a_bot_seed_of_the_game_before,
]


@pytest.mark.parametrize("plant", PLANTED, ids=lambda plant: plant.__name__)
def test_a_number_that_follows_from_what_a_bot_is_told_is_found(
    plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    assert next(problems(*GAMES[0]), None) is not None


ALLOWED = {
    "arena/game/transcript.py": "hashlib: the digest of a game that is over",
    "arena/referee/time/pause_lengths.py": "random: the lengths of pauses, seeded by `derive`",
    "arena/referee/session.py": "secrets: a token for each start of a bot",
    "arena/tournament/folders.py": "hashlib: names of folders, by the bots and options in question",
    "arena/tournament/identity.py": "hashlib: the tournament's seed from a number that was typed",
    "arena/tournament/open_ledger.py": "secrets: the tournament's seed",
    "engine/bridges/spiel_state.py": "hashlib: marks of what a seat was told, which its own view carries",
    "engine/chance.py": "hashlib: the source of all that is random in a game",
}
"""What a game in a tournament may take numbers from that look random, and for what."""


def test_no_other_source_of_random_numbers_is_used() -> None:
    """What comes new here is not recorded: let it come from `engine.chance`, or say here why it may be."""
    folders = ("arena/game", "arena/referee", "arena/tournament", "arena/protocol", "engine")
    found = {
        path.relative_to(ROOT).as_posix()
        for folder in folders
        for path in (ROOT / folder).rglob("*.py")
        if SOURCES & set(_imported(path))
    }
    assert found == ALLOWED.keys()


SOURCES = {"hashlib", "numpy.random", "random", "secrets", "uuid", "os.urandom", "zlib"}


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (node.module or "", *(f"{node.module}.{each.name}" for each in node.names))
        elif isinstance(node, ast.Attribute) and node.attr == "urandom":
            yield "os.urandom"
