"""Tournaments that somebody has forged, who knows how the arena works and makes the chain fit what he altered.

Each forgery is named by `arena verify`, or what it says shows that it cannot be proved; and a head that was published
before finds all of them.
"""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from arena.game.clock import TimeControl
from arena.game.game import Game
from arena.game.spec import GameSpec
from arena.ledger import GameRecord, Ledger, Seeds, heads, seed_hash
from arena.ledger.page_data_cache import CACHE
from arena.protocol.messages import Act
from arena.tournament.schedule.rounds import specs
from arena.tournament.verification.ledger import Verification, verify_ledger
from engine import catalog
from tests.arena.forging import alter, rechain, unpacked

ONE = "p3-b0000-r1"
LAST = "p2-b0001-r1"
TABLES = ("faults", "steps", "seats")
Forge = Callable[[Path], None]


def verified(folder: Path, head: str | None = None) -> Verification:
    with Ledger.open(folder) as ledger:
        return verify_ledger(ledger, [head] if head else [])


def sql(*statements: str) -> Forge:
    return lambda folder: alter(folder, *(each.replace("ONE", f"'{ONE}'") for each in statements))


def rated(path: str, value: str) -> str:
    return f"UPDATE meta SET value = json_set(value, '$.{path}', json('{value}')) WHERE key = 'rated'"


def setting(key: str, value: object) -> str:
    return f"UPDATE meta SET value = '{json.dumps(value)}' WHERE key = '{key}'"


def asked_for(folder: Path, **budget: float | None) -> None:
    """Make it look as if so much had been asked for."""
    entry = json.dumps(["run", {"games": None, "rounds": None, "minutes": None, **budget}])
    alter(folder, f"UPDATE chain SET entry = '{entry}' WHERE entry LIKE '[\"run\"%'")


def delete(folder: Path, *games: str) -> None:
    for game in games:
        with unpacked(folder) as ledger:
            for table in TABLES:
                ledger.execute(f"DELETE FROM {table} WHERE game = ?", (game,))
            assert ledger.execute("DELETE FROM games WHERE id = ?", (game,)).rowcount == 1
            ledger.execute("UPDATE days SET games = games - 1 WHERE day = (SELECT MAX(day) FROM days WHERE games > 0)")


def lost_by_random_bot(folder: Path) -> list[str]:
    with Ledger.open(folder) as ledger:
        return [
            each.id
            for each in ledger.results()
            if "random_bot" in each.bots and each.ranks[each.bots.index("random_bot")] > 1
        ]


def without_lost_games(folder: Path) -> None:
    lost = lost_by_random_bot(folder)
    assert lost
    delete(folder, *lost)


def said_to_be_void(folder: Path, game: str) -> None:
    with Ledger.open(folder) as ledger:
        drawn = next(spec for block in ledger.blocks() for spec in specs(block, Seeds(bytes(16))) if spec.id == game)
    columns = "game, attempt, bots, error, lost"
    for attempt in (1, 2):
        values = f"'{game}', {attempt}, '{json.dumps(drawn.bots)}', 'the worker failed', 0"
        alter(folder, f"INSERT INTO voids ({columns}) VALUES ({values})")


def lost_games_as_void(folder: Path) -> None:
    lost = lost_by_random_bot(folder)
    delete(folder, *lost)
    for game in lost:
        said_to_be_void(folder, game)


def one_game_as_void(folder: Path) -> None:
    delete(folder, LAST)
    said_to_be_void(folder, LAST)


def void_and_there(folder: Path) -> None:
    said_to_be_void(folder, LAST)


def less_rated(folder: Path) -> None:
    alter(folder, rated("games", "5"), rated("asked", "5"))


def less_asked_for(folder: Path) -> None:
    less_rated(folder)
    asked_for(folder, games=5)


def cut_off(folder: Path) -> None:
    delete(folder, "p2-b0001-r0", LAST)
    less_asked_for(folder)


def stopped_by_the_clock(folder: Path) -> None:
    delete(folder, "p2-b0001-r0", LAST)
    alter(folder, rated("games", "5"), rated("asked", "null"))
    asked_for(folder, minutes=1)


def unfinished(folder: Path) -> None:
    delete(folder, ONE)
    alter(folder, setting("finished", False), rated("games", "null"))


def invented(folder: Path) -> None:
    """A game with the right seed and seats that no bot played."""
    with Ledger.open(folder) as ledger:
        settings, old = ledger.settings, ledger.game(ONE)
    spec = GameSpec(old.id, old.index, old.players, old.block, old.rotation, old.seed, old.bots)
    time = msgspec.convert(settings.time, TimeControl)
    game = Game(catalog.rules(settings.game), settings.edition, spec, time)
    while not game.over:
        question = game.decide()
        assert game.awaited is not None
        game.answer(game.awaited, Act(spec.id, question.turn, 0), 0.001)
    record: GameRecord = game.record()
    assert record.steps != old.steps
    delete(folder, ONE)
    with Ledger.open(folder, writing=True) as ledger:
        alter(folder, f"DELETE FROM chain WHERE entry LIKE '%{ONE}%'")
        ledger.record(record)


def another_seed(folder: Path) -> None:
    alter(folder, setting("seed", "ab" * 16), setting("seed_hash", seed_hash(bytes.fromhex("ab" * 16))))


def later_seed(folder: Path) -> None:
    seed = bytes.fromhex("cd" * 16)
    later = json.dumps([{"place": 5, "hash": seed_hash(seed), "seed": seed.hex()}])
    alter(
        folder,
        "DELETE FROM meta WHERE key = 'later_seeds'",
        f"INSERT INTO meta VALUES ('later_seeds', '{later}')",
    )


def exchanged_names(folder: Path) -> None:
    for one, other in (("greedy", "?"), ("random_bot", "greedy"), ("?", "random_bot")):
        alter(folder, f"UPDATE seats SET bot = '{other}' WHERE bot = '{one}'")


def renamed_version(folder: Path) -> None:
    for table, column in (("seats", "bot"), ("field_events", "bot"), ("entrants", "name")):
        alter(folder, f"UPDATE {table} SET {column} = 'greedy@2' WHERE {column} = 'greedy'")
    alter(folder, "UPDATE blocks SET bots = replace(bots, '\"greedy\"', '\"greedy@2\"')")


def called_like_a_line(folder: Path) -> None:
    """A game too many, called as what does not belong to a game is."""
    for table, column in (("games", "id"), *((table, "game") for table in ("seats", "steps"))):
        alter(folder, f"UPDATE {table} SET {column} = 'tournament' WHERE {column} = '{LAST}'")


def fewer_faults(folder: Path) -> None:
    alter(folder, "DELETE FROM faults WHERE code = 'crash'")


def forged_page(folder: Path) -> None:
    with Ledger.open(folder) as ledger:
        page = ledger.page_data(ONE)
    assert page is not None
    data = zlib.compress(zlib.decompress(page.data).replace(b"greedy", b"gready"))
    with closing(sqlite3.connect(folder / CACHE)) as database, database:
        database.execute("UPDATE page_data SET data = ? WHERE game = ?", (data, ONE))


NAMED: list[tuple[str, Forge, str]] = [
    ("a game is deleted", lambda folder: delete(folder, ONE), f"{ONE} is missing"),
    ("all that a bot lost is deleted", without_lost_games, "is missing|cannot be drawn"),
    ("what a bot lost is said to be void", lost_games_as_void, "ended without a reason when"),
    ("one game is said to be void", one_game_as_void, "ended without a reason when"),
    ("a game is void and there", void_and_there, f"{LAST} is said to be void 2 times and is there"),
    ("an invented suspension", sql(rated("suspended", '{"random_bot": 0}')), "games of random_bot are left out other"),
    ("invented games left out", sql(rated("absent", '{"greedy": [[0, null]]}')), "games of greedy are left out other"),
    ("less is rated", less_rated, "the first 5 games of the schedule are rated, of 6 games"),
    (
        "a winner is made up",
        sql(setting("placings", [{"bot": "greedy", "place": 1, "stage": 0, "withdrew": False}])),
        "the placing does not follow from the games",
    ),
    ("more is said to be asked for", sql(rated("asked", "900")), "900 games are said to have been asked for"),
    ("a fault of a rival", sql("INSERT INTO faults VALUES (ONE, 9, 1, 1, 'late', 'slow', '')"), "seat 1: .*penalties"),
    (
        "a crash of a rival",
        sql("INSERT INTO faults VALUES (ONE, 9, 1, 1, 'crash', '', '')"),
        "seat 1: it did not retire",
    ),
    ("a fault that there is not", sql("INSERT INTO faults VALUES (ONE, 9, 1, 1, 'ugly', '', '')"), "ugly"),
    ("a game is called `tournament`", called_like_a_line, "tournament: tournament is not in the schedule"),
    ("own faults are removed", fewer_faults, "it retired after 0 strikes of 3 and 0 faults"),
    ("times are removed", sql("UPDATE seats SET times = '[]' WHERE game = ONE"), "0 times of"),
    (
        "a substitute passes for a bot",
        sql("UPDATE steps SET by = 'bot' WHERE by = 'substitute'"),
        "p[23]-b.*(digest|times)",
    ),
    (
        "other strikes",
        sql("UPDATE meta SET value = json_set(value, '$.strikes', 0) WHERE key = 'time'"),
        "time control",
    ),
    (
        "a bot leaves",
        sql("INSERT INTO field_events (round, place, kind, bot) VALUES (1, 3, 'leave', 'greedy')"),
        "greedy",
    ),
    ("a bot never joined", sql("DELETE FROM field_events WHERE bot = 'random_bot'"), "drawn otherwise|cannot be drawn"),
    ("blocks are exchanged", sql('UPDATE blocks SET bots = \'["greedy", "crasher"]\' WHERE place = 0'), "drawn other"),
    (
        "a block is deleted",
        sql("DELETE FROM blocks WHERE place = (SELECT MAX(place) FROM blocks)"),
        "not in the schedule",
    ),
    ("the tournament's seed", another_seed, "another place, seed or seating|drawn otherwise"),
    ("a later seed", later_seed, "another place, seed or seating|drawn otherwise"),
    ("a game's seed", sql(f"UPDATE games SET seed = '{'0' * 32}' WHERE id = ONE"), f"{ONE} has another place, seed"),
    ("a game's place", sql("UPDATE games SET ord = 77 WHERE id = ONE"), f"{ONE} has another place"),
    ("names are exchanged", exchanged_names, "another place, seed or seating"),
    ("a version that had none before it", renamed_version, "greedy@2 is among the entrants, but no version before it"),
    (
        "the edition",
        sql("UPDATE meta SET value = json_set(value, '$.events.offer', 3) WHERE key = 'edition'"),
        "p2-b0000",
    ),
    ("a digest", sql("UPDATE games SET digest = 'ab' WHERE id = ONE"), "digest"),
    ("ranks", sql("UPDATE seats SET rank = 4 - rank WHERE game = ONE"), "recorded ranks are"),
    ("scores", sql("UPDATE seats SET scores = '{}' WHERE game = ONE AND seat = 0"), "recorded scores are"),
    ("who retired", sql("UPDATE games SET retired = '[2]' WHERE id = ONE"), "retired seats are recorded"),
    ("an action", sql("UPDATE steps SET idx = idx + 1 WHERE game = ONE AND n = 1"), "step 1"),
    ("a page", forged_page, "its cached page data is not what happened"),
    ("more games on a day", sql("UPDATE days SET games = games + 1"), "games are said to have been played on"),
    (
        "a day without games",
        sql("INSERT INTO days VALUES ('2031-12-24', 3)"),
        "3 games .* on 2031-12-24, recorded were 0",
    ),
    ("no days", sql("DELETE FROM days"), "entry [0-9]+ of the chain is none that an arena writes"),
    ("no budget", sql("DELETE FROM chain WHERE entry LIKE '[\"run\"%'"), "how many games were asked for"),
]
"""Forgeries, and what names them although the chain fits."""

NOT_PROVED: list[tuple[str, Forge, str]] = [
    ("a game that no bot played", invented, "does not prove who made these moves"),
    ("another time", sql("UPDATE seats SET times = replace(times, '[', '[1') WHERE game = ONE"), "how long that took"),
    (
        "a fault that cost nothing",
        sql("INSERT INTO faults VALUES (ONE, 9, 1, 1, 'stale', '', '')"),
        "which faults there were",
    ),
    ("a note", sql("UPDATE steps SET note = 'I resign' WHERE game = ONE AND by = 'bot'"), "written anew as a whole"),
    ("what was said of the bots", sql("UPDATE field_notes SET note = 'all honest'"), "written anew as a whole"),
    ("when bots joined", sql("UPDATE field_notes SET moment = '2001' || substr(moment, 5)"), "written anew as a whole"),
    ("on which day games were played", sql("UPDATE days SET day = '2031-12-24'"), "written anew as a whole"),
    (
        "when bots joined, after the games",
        sql("UPDATE days SET day = '2001-01-01'"),
        "a date goes back from .* to 2001",
    ),
    (
        "how bots were kept apart",
        sql("INSERT OR REPLACE INTO meta VALUES ('isolation', '[\"landlock\"]')"),
        "written anew",
    ),
    (
        "what was opened to bots",
        sql("UPDATE meta SET value = json_set(value, '$[0]', 'box; reads ~/hands') WHERE key = 'isolation'"),
        "written anew",
    ),
    (
        "the machine",
        sql("UPDATE meta SET value = json_set(value, '$[0].processor', 'a better one') WHERE key = 'machines'"),
        "written anew",
    ),
    (
        "the organizer's limits",
        sql("UPDATE meta SET value = json_set(value, '$.memory_mb', 9) WHERE key = 'limits'"),
        "written anew as a whole",
    ),
    ("the engine", sql("UPDATE games SET engine = 'kosmos 0.1' WHERE id = ONE"), "played by kosmos 0.1"),
    ("a fingerprint", sql("UPDATE entrants SET fingerprint = 'ab' WHERE name = 'greedy'"), "written anew"),
    ("a declared version", sql("UPDATE entrants SET declared_version = '9' WHERE name = 'greedy'"), "written anew"),
    (
        "who was left out, and why",
        sql("INSERT INTO entrants VALUES ('rival', 'rival.py', 'ab', '', '', 0, 1, 'no hello', '[]', NULL)"),
        "written anew as a whole",
    ),
    (
        "the time control",
        sql("UPDATE meta SET value = json_set(value, '$.move', 9) WHERE key = 'time'"),
        "written anew",
    ),
    ("whether the seed was given", sql(setting("seed_given", False)), "no other was tried before is not proved"),
    ("less was asked for", less_asked_for, "2 games were played beyond what is rated"),
    ("the end is cut off", cut_off, "written anew as a whole"),
    ("the end is cut off as if by the clock", stopped_by_the_clock, "ended by the clock, after 1 minutes"),
    ("a game is deleted before the end", unfinished, rf"it is not finished.*{ONE}.*before the last"),
]
"""Forgeries that a ledger alone cannot show, and what is said about them."""


@pytest.fixture
def forged(played, tmp_path):
    """Copies the tournament, forges the copy, and makes its chain fit. The folder, and the head before."""

    def forge(how: Forge) -> tuple[Path, str]:
        folder = tmp_path / "t"
        shutil.copytree(played, folder)
        head = verified(folder).head
        how(folder)
        return folder, head

    return forge


def test_an_honest_tournament_passes_and_has_its_head(played):
    found = verified(played)
    assert found.different == {}
    again = verified(played, found.head)
    assert again.different == {}
    assert any("nothing was recorded since" in note for note in again.notes)


def cases(rows):
    """Each with its name; some of them are quick tests."""
    return [pytest.param(*row[1:], id=row[0], marks=[pytest.mark.slow] * (at % 10 > 0)) for at, row in enumerate(rows)]


@pytest.mark.parametrize(("how", "words"), cases(NAMED))
def test_a_forgery_is_named(forged, how, words):
    folder, head = forged(how)
    assert verified(folder).different, "the chain alone names it"
    rechain(folder)
    found = verified(folder, head)
    assert "head" in found.different, "and so does a head that was published before"
    lines = [f"{name}: {line}" for name, lines in found.different.items() if name != "head" for line in lines]
    assert any(re.search(words, line) for line in lines), lines


@pytest.mark.parametrize(("how", "words"), cases(NOT_PROVED))
def test_what_a_ledger_alone_cannot_show_is_said_and_the_published_head_shows_it(forged, how, words):
    folder, head = forged(how)
    rechain(folder)
    found = verified(folder)
    assert found.different == {}
    assert any(re.search(words, note) for note in found.notes), found.notes
    assert set(verified(folder, head).different) == {"head"}


@pytest.mark.parametrize("what", ["how bots were kept apart", "what was opened to bots", "the machine"])
def test_the_head_of_the_beginning_shows_under_which_conditions_games_were_played(forged, what):
    folder, _ = forged({name: how for name, how, _ in NOT_PROVED}[what])
    with Ledger.open(folder) as ledger:
        kinds = [entry[0] for entry in ledger.chain.entries()]
        beginning = list(heads(ledger.chain.texts()))[kinds.index("run")]
    with Ledger.open(folder) as ledger:
        settings = ledger.settings
    [level], [machine] = settings.isolation, settings.machines
    for entry in (["isolation", level], ["machine", machine]):  # all others stay as and where they are
        text = json.dumps(entry, sort_keys=True)
        alter(folder, f"UPDATE chain SET entry = '{text}' WHERE entry LIKE '[\"{entry[0]}\"%'")
    assert verified(folder).different == {}
    assert set(verified(folder, beginning).different) == {"head"}


def test_all_that_only_the_chain_holds_is_named_if_it_does_not_fit(forged):
    altered = ["what was said of the bots", "when bots joined", "on which day games were played"]
    altered += ("how bots were kept apart", "the organizer's limits", "a fingerprint", "the time control")
    hows = {name: how for name, how, _ in NOT_PROVED}
    folder, _ = forged(lambda folder: [hows[name](folder) for name in altered])
    assert [re.sub(r"[\d-]{10}", "DAY", line) for line in verified(folder).different["tournament"]] == [
        "it did not begin with these settings: limits, time changed",
        "greedy was recorded otherwise: fingerprint changed",
        "what was said about changes of the field is not what was recorded",
        "the dates of changes of the field are not those that were recorded",
        "0 games are said to have been played on DAY, recorded were 7",
        "7 games are said to have been played on DAY, recorded were 0",
        "its bots are said to have been kept apart by landlock, recorded was none",
    ]
