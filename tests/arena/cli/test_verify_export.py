"""`arena verify` of what was exported: who has no ledger checks games, their records, their seeds, and an own bot."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from arena.common.authors import Author, avatar_name
from arena.game.clock import TimeControl
from arena.game.game import Game
from arena.game.spec import GameSpec
from arena.ledger import Ledger, LedgerError
from arena.protocol.messages import Act
from arena.replays.export import export_folder
from arena.replays.game_file import GameFile
from arena.tournament.schedule.deals import first_seat, game_seed
from arena.tournament.verification.export import NO_LEDGER, verify_export
from arena.tournament.verification.ledger import Verification
from engine import catalog
from tests.arena.cli.conftest import ROOT, parsed
from tests.arena.cli.test_forged_tournaments import ONE, another_seed, cases, later_seed, sql
from tests.arena.common.test_authors import png
from tests.arena.forging import alter, rechain, rewrite_games

Forge = Callable[[Path], object]


def exported(ledger_folder: Path, folder: Path) -> Path:
    with Ledger.open(ledger_folder) as ledger:
        export_folder(ledger, folder, "csv")
    return folder


def verified(folder: Path, head: str | None = None) -> Verification:
    return verify_export(folder, [head] if head else []).verification


@pytest.mark.process
@pytest.mark.slow
def test_who_has_no_ledger_verifies_the_games_and_asks_an_own_bot(cli, played, tmp_path):
    with Ledger.open(played) as ledger:
        head = ledger.chain.head()
    cli("export", played, "--to", "export")
    shutil.copy(ROOT / "bots" / "greedy.py", tmp_path / "greedy.py")
    found = parsed(cli("verify", "export", "--head", head, "--bot", "greedy.py", "--sample", 2, "--json"))
    assert (found["games"], found["head"], found["different"]) == (7, head, {})
    notes = "\n".join(found["notes"])
    assert re.search("greedy was asked again: [0-9]+ decisions in 2 games", notes)
    assert "nothing was recorded since" in notes
    assert NO_LEDGER in notes
    cli("verify", "export", "--bots", code=2)
    cli("verify", "export", "--bot", ROOT / "bots" / "pairs.py", code=2)


IN_THE_LEDGER: list[tuple[str, bool, Forge, str]] = [
    (
        "a note",
        False,
        sql("UPDATE steps SET note = 'I resign' WHERE game = ONE AND by = 'bot'"),
        "not the one that was",
    ),
    (
        "a time",
        False,
        sql("UPDATE seats SET times = replace(times, '[', '[1') WHERE game = ONE"),
        "not the one that was",
    ),
    ("ranks", True, sql("UPDATE seats SET rank = 4 - rank WHERE game = ONE"), "recorded ranks are"),
    ("a fault", True, sql("INSERT INTO faults VALUES (ONE, 9, 1, 1, 'late', 'slow', '')"), "seat 1: .*penalties"),
    ("a game's seed", True, sql(f"UPDATE games SET seed = '{'0' * 32}' WHERE id = ONE"), f"{ONE}: its seed does not"),
    ("the tournament's seed", True, another_seed, "its seed does not follow from the tournament's"),
    ("a later seed", True, later_seed, "p2-b0001-r0: its seed does not follow from the tournament's"),
    (
        "the time control",
        False,
        sql("UPDATE meta SET value = json_set(value, '$.move', 9) WHERE key = 'time'"),
        "the tournament did not begin with its time",
    ),
    (
        "the edition",
        False,
        sql("UPDATE meta SET value = json_set(value, '$.events.offer', 3) WHERE key = 'edition'"),
        "the tournament did not begin with its edition",
    ),
]
"""What was altered in the ledger before it was exported, whether its chain was made to fit, and what names it."""


@pytest.mark.parametrize(("fits", "how", "words"), cases(IN_THE_LEDGER))
def test_what_was_forged_before_the_export_is_named(played, tmp_path, fits, how, words):
    folder = tmp_path / "t"
    shutil.copytree(played, folder)
    with Ledger.open(folder) as ledger:
        head = ledger.chain.head()
    how(folder)
    if fits:
        rechain(folder)
    found = verified(exported(folder, tmp_path / "export"), head)
    assert ("head" in found.different) == fits, "who saw the head before sees that the chain was written anew"
    lines = [f"{name}: {line}" for name, lines in found.different.items() if name != "head" for line in lines]
    assert any(re.search(words, line) for line in lines), lines


def lines_of_chain(change: Callable[[list[str]], list[str]]) -> Forge:
    def forge(folder: Path) -> None:
        file = folder / "chain.jsonl"
        file.write_text("".join(change(file.read_text().splitlines(keepends=True))))

    return forge


def renamed(folder: Path) -> None:
    shutil.copy(folder / "games" / f"{ONE}.json", folder / "games" / "p3-b0009-r0.json")


def games(change: Callable[[GameFile], GameFile]) -> Forge:
    return lambda folder: rewrite_games(folder, change)


def with_values(game: GameFile, **values: object) -> GameFile:
    """Return a game with other values of its file and of its record."""
    ours = {key: value for key, value in values.items() if key in game.record.__struct_fields__ and key != "seed"}
    record = msgspec.structs.replace(game.record, **ours)
    others = {key: value for key, value in values.items() if key not in ours}
    return msgspec.structs.replace(game, record=record, **others)


def another_seed_unnamed(folder: Path) -> None:
    """One game was dealt from a seed that somebody chose, and does not name the tournament's."""

    def change(game: GameFile) -> GameFile:
        if game.record.id != ONE:
            return game
        return msgspec.structs.replace(game, seed=None, record=msgspec.structs.replace(game.record, seed="0" * 32))

    rewrite_games(folder, change)


def without_places(folder: Path) -> None:
    rewrite_games(folder, lambda game: with_values(game, index=-1, seed=None, seed_hash=""))
    lines_of_chain(lambda lines: [re.sub(r', "seed_hash": "[0-9a-f]+"', "", line) for line in lines])(folder)


def called_like_a_line(folder: Path) -> None:
    """Games are called as what does not belong to a game is, and nothing is wrong with them."""
    names = dict(zip([ONE, "p2-b0000-r0"], ["tournament", "head"], strict=True))
    rewrite_games(folder, lambda game: with_values(game, id=names.get(game.record.id, game.record.id), seed=None))
    lines_of_chain(lambda lines: [*lines, "[7]\n"])(folder)


def dealt_as_another_block(folder: Path) -> None:
    """Games were dealt as those of a block by whose number random_bot begins, and played so, under their own ids."""

    def change(game: GameFile) -> GameFile:
        record = game.record
        if record.players != 3:
            return game
        seed, wanted = bytes.fromhex(game.seed or ""), record.bots.index("random_bot")
        spec = GameSpec(record.id, record.index, 3, 0, record.rotation, "", record.bots)
        spec = next(
            each for each in (replace(spec, block=block) for block in range(99)) if first_seat(each, seed) == wanted
        )
        spec = replace(spec, seed=game_seed(spec, seed, seed).hex())
        played = Game(catalog.rules(game.game), game.edition, spec, TimeControl(), frozenset(range(3)))
        for seat in range(3):
            played.start(seat)
        while played.awaited is not None:
            seat = played.awaited
            played.answer(seat, Act("", played.decide().turn, 0), 0.0)
        again = msgspec.json.decode(msgspec.json.encode(played.record()), type=type(record))
        return msgspec.structs.replace(game, record=again)

    rewrite_games(folder, change)
    (folder / "games.csv").unlink()


def one_game(**values: object) -> Forge:
    return games(lambda game: with_values(game, **values) if game.record.id == ONE else game)


def other_seats(folder: Path) -> None:
    rewrite_games(
        folder, lambda game: with_values(game, bots=game.record.bots[::-1]) if game.record.id == ONE else game
    )


def edited_table(old: str, new: str) -> Forge:
    def forge(folder: Path) -> None:
        text = (folder / "games.csv").read_text()
        assert old in text
        (folder / "games.csv").write_text(text.replace(old, new, 1))

    return forge


IN_THE_EXPORT: list[tuple[str, Forge, str]] = [
    ("a file is deleted", lambda folder: (folder / "games" / f"{ONE}.json").unlink(), f"{ONE}: it was recorded, and"),
    ("a file is named otherwise", renamed, f"p3-b0009-r0: its file holds {ONE}"),
    (
        "a file is edited",
        lambda folder: (folder / "games" / f"{ONE}.json").write_text(
            (folder / "games" / f"{ONE}.json").read_text().replace('"greedy"', '"gready"')
        ),
        "its checksum is not that of its contents",
    ),
    (
        "an entry is left out",
        lines_of_chain(lambda lines: [line for line in lines if ONE not in line]),
        f"{ONE}: it is there, but was never recorded",
    ),
    ("the beginning is left out", lines_of_chain(lambda lines: lines[1:]), "with which settings the tournament began"),
    ("a row of the table", edited_table(",greedy,1,", ",greedy,2,"), "games.csv: the row of seat . in p.* is not what"),
    ("the table's heading", edited_table("late", "early"), "games.csv: the heading is not what the games give"),
    (
        "a row is added",
        lambda folder: (folder / "games.csv").write_text((folder / "games.csv").read_text() + "p9,1\n"),
        "games.csv: it goes on behind the last game",
    ),
    ("a game's seed, and no tournament's", another_seed_unnamed, f"{ONE}: its seed does not follow from the"),
    ("who begins is chosen", dealt_as_another_block, "p3-b0000-r.: it is said to be|p3-b....-r.: its block has number"),
    ("bots have changed seats", other_seats, "p3-b0000-r.: its bots do not sit as those of p3-b0000-r. do"),
    ("a game has a place of others", one_game(index=1), "p3-b0000-r.: its block begins at place"),
    ("games are at no place", without_places, f"{ONE}: it is said to be at place -1 of the schedule"),
    ("the hash of the seed is left out", without_places, "tournament: .* with the hash of which seed"),
    ("a game is called `tournament`", called_like_a_line, "tournament: entry [0-9]+ of the chain"),
    (
        "a day that is none",
        lines_of_chain(lambda lines: [re.sub(r'^\["day".*', r'["day", "\\n\\nall fine"]', line) for line in lines]),
        "tournament: entry [0-9]+ of the chain is none that an arena writes",
    ),
    ("an entry of no kind", lines_of_chain(lambda lines: [*lines, "[7]\n"]), "none that an arena writes"),
]


@pytest.mark.parametrize(("how", "words"), cases(IN_THE_EXPORT))
def test_what_was_forged_in_an_export_is_named(played, tmp_path, how, words):
    folder = exported(played, tmp_path / "export")
    how(folder)
    lines = [f"{name}: {line}" for name, lines in verified(folder).different.items() for line in lines]
    assert any(re.search(words, line) for line in lines), lines


def test_what_an_export_says_of_itself_is_printed_in_one_line(cli, played, tmp_path):
    folder = exported(played, tmp_path / "export")
    lines_of_chain(lambda lines: [re.sub('(?<=isolation", ")[a-z]+', r"\\n\\nall fine", line) for line in lines])(
        folder
    )
    lines_of_chain(lambda lines: [*lines, '["isolation", "box"]\n', '["game", "p9", "00"]\n'])(folder)
    (folder / "games" / "\nall fine.json").write_text("{}")
    printed = cli("verify", folder, code=1).stdout.splitlines()
    assert not [line for line in printed if line.startswith("all fine")]
    assert sum("?all fine" in line for line in printed) == 3


def test_tables_and_seeds_that_could_not_be_compared_are_said(played, tmp_path):
    folder = exported(played, tmp_path / "export")
    assert not [note for note in verified(folder).notes if "not compared" in note]
    (folder / "games.csv").rename(folder / "games.parquet")
    rewrite_games(folder, lambda game: msgspec.structs.replace(game, seed=None))
    found = verified(folder)
    assert found.different == {}
    assert {
        "the seeds of 7 games were not compared with the tournament's, which none names",
        "games.parquet was not compared with the games",
    } <= set(found.notes)


def test_who_made_the_bots_is_exported_and_other_authors_and_pictures_are_noticed(played, tmp_path):
    author = Author("Ada", "Engines", "https://example.org", "MIT", avatar_name(png()))
    shutil.copytree(played, tmp_path / "t")
    said = msgspec.json.encode(author).decode()
    alter(tmp_path / "t", "UPDATE entrants SET author = ? WHERE name = 'greedy'", values=(said,))
    alter(tmp_path / "t", "INSERT INTO avatars VALUES (?, ?)", values=(author.avatar, png()))
    rechain(tmp_path / "t")
    folder = exported(tmp_path / "t", tmp_path / "export")
    picture = folder / "avatars" / author.avatar
    assert picture.read_bytes() == png()
    assert ",Ada,Engines,https://example.org,MIT," in (folder / "bots.csv").read_text()
    assert verified(folder).different == {}
    table = (folder / "bots.csv").read_text()
    (folder / "bots.csv").write_text(table.replace("Ada", "Eve"))
    picture.write_bytes(png(3))
    (folder / "avatars" / "other.png").write_bytes(png(3))
    assert verified(folder).different == {
        "bots.csv": ["it is not what was recorded of the bots"],
        "avatars": ["other.png was never recorded", f"{author.avatar} is not the picture that was recorded"],
    }
    (folder / "avatars" / "other.png").unlink()
    picture.unlink()
    assert verified(folder).different["avatars"] == [f"{author.avatar} is not there"]
    exported(played, folder)
    assert not (folder / "avatars").exists(), "an earlier export is replaced"


def test_a_folder_with_a_ledger_and_an_export_is_refused(cli, played, tmp_path):
    folder = tmp_path / "t"
    shutil.copytree(played, folder)
    alter(folder, "UPDATE seats SET rank = 3 - rank WHERE game LIKE 'p2-%'")
    shutil.copytree(exported(played, tmp_path / "export"), folder, dirs_exist_ok=True)
    assert "holds a ledger and an export" in cli("verify", folder, code=2).stderr


def test_a_chain_that_cannot_be_read_or_has_no_games_beside_it_is_an_error(played, tmp_path):
    folder = exported(played, tmp_path / "export")
    (folder / "games").rename(tmp_path / "games")
    with pytest.raises(LedgerError, match="a published site has none"):
        verified(folder)
    for data in (b"no JSON\n", b"\xff\n"):
        (folder / "chain.jsonl").write_bytes(data)
        with pytest.raises(LedgerError, match=r"chain\.jsonl"):
            verified(folder)
