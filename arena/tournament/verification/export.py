"""Verify an exported tournament without its ledger: every game, and that it is the one that the chain recorded."""

from __future__ import annotations

import json
from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from arena.common.progress import SILENT, Progress
from arena.common.regular_files import read_regular, why_unread
from arena.ledger import (
    Beacon,
    BlockRecord,
    ChainContents,
    Dealing,
    GameRecord,
    LedgerError,
    PlannedGame,
    heads,
    mixed_seed,
    read_entry,
    record_hash,
    seed_hash,
    text_hash,
)
from arena.replays.export import (
    AVATARS,
    BOT_TABLE,
    BOTS,
    CHAIN,
    GAMES,
    WRITERS,
    avatar_differences,
    bot_rows,
    columns,
    csv_lines,
    rows,
)
from arena.replays.game_file import GameFile, GameFileError, read_game
from arena.tournament.schedule.deals import game_seed
from arena.tournament.schedule.rounds import game_ids
from arena.tournament.verification.audit import beacon_in_words, circumstances
from arena.tournament.verification.ledger import Verification, compare_heads, verify_game

_LARGEST: Final = 256 << 20
"""Bytes of a chain's file. A game takes about a hundred."""
_LARGEST_TABLE: Final = 1 << 30
"""Bytes of a table. A row takes about two hundred."""
TABLE: Final = f"{GAMES}.csv"
"""The table of games that is compared."""
BOTS_TABLE: Final = f"{BOTS}.csv"
"""The table of bots that is compared."""
NO_LEDGER: Final = (
    "an export alone does not prove that rounds were drawn, bots suspended and games rated as they had to be: for that "
    "verify the ledger; nor who made these moves, how long that took, which faults there were beyond those that cost a "
    "strike, nor that it was not written anew as a whole: compare a published --head, and ask your --bot again"
)


class ExportedGame(NamedTuple):
    """A game of an export that was verified."""

    file: Path
    bots: list[str]
    place: int
    """In the schedule."""


class ExportCheck(NamedTuple):
    """What was found."""

    verification: Verification
    games: list[ExportedGame]
    """Those that could be read, in the order of recording."""
    fingerprints: dict[str, str]
    """Of the bots, by label."""


def is_export(folder: Path) -> bool:
    """Whether a tournament was exported into this folder."""
    return (folder / CHAIN).is_file()


def verify_export(folder: Path, published: Sequence[str] = (), progress: Progress = SILENT) -> ExportCheck:
    """Play every game of an export again, and compare its record with the chain.

    Args:
        folder: The export.
        published: Heads that were published.
        progress: Gets to know which games were verified.

    Raises:
        LedgerError: The chain cannot be read, or there are no games.
    """
    texts = _texts(folder / CHAIN)
    chain = ChainContents(read_entry(text, folder / CHAIN) for text in texts)
    all_heads = list(heads(texts))
    found: dict[str, list[str]] = defaultdict(list, {"tournament": list(chain.strange)})
    notes: list[str] = []
    if published:
        compare_heads(published, all_heads, found, notes)
    began = _Beginning(chain, all_heads)
    found["tournament"] += began.differences
    notes += began.notes
    files = {file.stem: file for file in sorted((folder / GAMES).glob("*.json")) if not file.name.startswith(".")}
    if chain.games and not files:
        raise LedgerError(
            f"{folder} has the chain of a tournament, but no files of games: a published site has none. Verify an "
            "export or the ledger"
        )
    order = [*chain.games, *sorted(files.keys() - chain.games.keys())]
    progress.stage("verifying", len(order))
    games = []
    schedule: list[PlannedGame] = []
    by_game: dict[str, list[str]] = {}
    for name in order:
        if name not in files:
            by_game[name] = ["it was recorded, and is not there"]
            continue
        try:
            game = read_game(files[name])
            games.append(ExportedGame(files[name], game.record.bots, game.record.index))
            by_game[name] = _differences(name, game, chain, began)
            if game.record.id == name:
                schedule.append(PlannedGame(**game.record.planned()))
        except (GameFileError, OSError) as error:
            by_game[name] = [str(error)]
        progress.advance(name)
    for name, differences in began.later_differences():
        by_game[name] += differences
    for name, difference in _schedule_differences(schedule, began.dealing):
        by_game[name].append(difference)
    for name, differences in by_game.items():
        found[name] += differences  # beside what is there: a forger may call a game `head`
    notes += began.not_compared()
    games_differ = any(by_game.values())
    notes += _not_compared(folder, games_differ=games_differ)
    found[BOTS_TABLE] += _bots_differences(folder, chain.bots)
    found[AVATARS] += avatar_differences(folder / AVATARS, chain.bots)
    if not games_differ:
        in_order = sorted(games, key=lambda game: game.place)
        found[TABLE] += _table_differences(folder, lambda: records(in_order))
    different = {name: differences for name, differences in found.items() if differences}
    notes += [*circumstances(chain), NO_LEDGER]
    verification = Verification(len(games), all_heads[-1] if all_heads else "", len(texts), different, notes)
    fingerprints = {bot: said["fingerprint"] for bot, said in chain.bots.items() if "fingerprint" in said}
    return ExportCheck(verification, games, fingerprints)


def records(games: list[ExportedGame]) -> Iterator[GameRecord]:
    """Yield the records of these games."""
    for game in games:
        yield read_game(game.file).record


def _texts(file: Path) -> list[str]:
    try:
        return read_regular(file, _LARGEST).decode("utf-8").split("\n")[:-1]
    except (OSError, ValueError) as error:
        raise LedgerError(f"{file} cannot be read: {why_unread(error)}") from None


class _Dealt(NamedTuple):
    """Where a game got its seed from."""

    game: PlannedGame
    number: int
    """Of the tournament's seed, from 0."""
    block_number: int
    """Of the tournament's seed at the begin of the game's block."""
    attempts: int
    """At the game that were void."""


class _Beginning:
    """What the chain says of the settings and the seeds."""

    def __init__(self, chain: ChainContents, all_heads: list[str]) -> None:
        self.differences: list[str] = []
        self.notes: list[str] = []
        self.fixed: dict[str, Any] = {}
        if len(chain.tournament) == 1:
            self.fixed = chain.tournament[0][1]
        else:
            self.differences.append("the chain does not say once with which settings the tournament began")
        self.dealing = Dealing()
        try:
            self.dealing = msgspec.convert(self.fixed.get("dealing") or {}, Dealing)
        except msgspec.ValidationError:
            self.differences.append("what the chain says of deals and partners cannot be read")
        later = [(int(place), str(hash_)) for _, place, hash_ in chain.seeds]
        self._places = [0, *(place for place, _ in later)]
        self._hashes = [str(self.fixed.get("seed_hash", "")), *(hash_ for _, hash_ in later)]
        if self.fixed and not self._hashes[0]:
            self.differences.append("the chain does not say with the hash of which seed the tournament began")
        self._seeds: dict[int, bytes] = {}
        """Those that games name, which match their hash."""
        self._dealt: list[_Dealt] = []
        self._beacon: Beacon | None = None
        for before, said in chain.beacons[-1:]:
            try:
                self._beacon = msgspec.convert(said, Beacon)
            except msgspec.ValidationError:
                self.differences.append("what the chain says of a public value cannot be read")
                continue
            if len(chain.beacons) > 1 or [self._beacon.head] != all_heads[before - 1 : before]:
                self.differences.append("the public value in its seed was not added to the head that it names")
            self.notes.append(beacon_in_words(self.fixed.get("beacon_source"), self._beacon))

    def seed_differences(self, game: GameFile, attempts: int) -> list[str]:
        """Say whether a game names another seed of the tournament than was recorded. `attempts` at it were void.

        Whether its own follows from that is said once all games are known, because not all of them need to name it.
        """
        record = game.record
        if record.index < 0:
            return [f"it is said to be at place {record.index} of the schedule"]
        number = bisect(self._places, record.index) - 1
        if game.seed_hash != self._hashes[number]:
            return ["it names another hash of the tournament's seed than was recorded"]
        waited = number == 0 and self.fixed.get("beacon_source") is not None
        if waited and self._beacon is None:
            return ["it was played before the public value was known that goes into its seed"]
        if game.seed is not None:
            try:
                seed = bytes.fromhex(game.seed)
            except ValueError:
                seed = b""
            if seed_hash(seed) != game.seed_hash:
                return ["it names a seed of the tournament that does not match its hash"]
            if waited and self._beacon is not None:
                seed = mixed_seed(seed, self._beacon)
            self._seeds[number] = seed
        if record.players != len(record.bots) or not 0 <= record.rotation < record.players:
            return [f"it is said to be rotation {record.rotation} of {record.players} players"]
        begin = bisect(self._places, record.index - record.rotation) - 1
        self._dealt.append(_Dealt(PlannedGame(**record.planned()), number, max(0, begin), attempts))
        return []

    def later_differences(self) -> Iterator[tuple[str, list[str]]]:
        """Yield the games with a seed that does not follow from the tournament's, if any game names that."""
        for dealt in self._dealt:
            seed, of_block = self._seeds.get(dealt.number), self._seeds.get(dealt.block_number)
            if seed is None or of_block is None:
                continue
            if game_seed(dealt.game, seed, of_block, dealt.attempts, self.dealing).hex() != dealt.game.seed:
                yield dealt.game.id, ["its seed does not follow from the tournament's"]

    def not_compared(self) -> list[str]:
        """Say how many games have a seed that could not be compared with the tournament's."""
        number = sum(not self._seeds.keys() >= {dealt.number, dealt.block_number} for dealt in self._dealt)
        return [f"the seeds of {number} games were not compared with the tournament's, which none names"] * bool(number)


def _differences(name: str, game: GameFile, chain: ChainContents, began: _Beginning) -> list[str]:
    """Play one game again, and return where it differs from its record, or that from the chain."""
    record = game.record
    if record.id != name:
        return [f"its file holds {record.id}"]
    if name not in chain.games:
        return ["it is there, but was never recorded"]
    if record_hash(record) != chain.games[name]:
        return ["its record is not the one that was recorded"]
    said = {"game": game.game, "edition": text_hash(json.dumps(game.edition, sort_keys=True)), "time": game.time}
    if changed := [key for key, value in said.items() if began.fixed and began.fixed.get(key) != value]:
        return [f"the tournament did not begin with its {' and '.join(changed)}"]
    return began.seed_differences(game, chain.attempts(name)) or verify_game(game)


class _Block(NamedTuple):
    game: str
    """The id of the first of its games that there is."""
    begin: int
    bots: list[str]
    """As they sit in its first game."""


def _schedule_differences(games: Iterable[PlannedGame], dealing: Dealing) -> Iterator[tuple[str, str]]:
    """Yield the id of each game that fits into no schedule with the others, and why.

    The seed of a game follows from its id, its block and its rotation (`arena.tournament.schedule.deals`): if the
    number of a block could be chosen freely, so could who begins.
    """
    blocks: dict[tuple[int, int], _Block] = {}
    for game in sorted(games, key=lambda game: (game.index, game.id)):
        players, begin = len(game.bots), game.index - game.rotation
        entrants = dealing.entrants_of(game.bots)
        ids = game_ids(BlockRecord(begin, 0, game.block, entrants), dealing)
        if not 0 <= game.rotation < len(entrants) or ids[game.rotation] != game.id:
            yield game.id, f"it is said to be game {game.rotation} of block {game.block} of {players}, with another id"
            continue
        if dealing.seated(entrants) != game.bots:
            yield game.id, "the seats of a team are not held by one entrant"
        moved = len(entrants) - game.rotation
        block = _Block(game.id, begin, entrants[moved:] + entrants[:moved])
        first = blocks.setdefault((players, game.block), block)
        if first.begin != begin:
            yield game.id, f"its block begins at place {begin}, and that of {first.game} at {first.begin}"
        if first.bots != block.bots:
            yield game.id, f"its bots do not sit as those of {first.game} do after moving on by a seat each game"
    yield from _block_differences(blocks)


def _block_differences(blocks: dict[tuple[int, int], _Block]) -> Iterator[tuple[str, str]]:
    """Compare the places and numbers of blocks.

    Blocks of as many players are numbered in the order of the schedule. A number is left out only if all games of that
    block are missing, and then their places are empty.
    """
    end = empty = 0
    before: str | None = None
    known: Counter[int] = Counter()
    following: Counter[int] = Counter()
    for (players, number), block in sorted(blocks.items(), key=lambda item: (item[1].begin, item[0])):
        if block.begin < end:
            owner = "the schedule begins" if before is None else f"the block of {before} has ended"
            yield block.game, f"its block begins at place {block.begin}, before {owner}"
        empty += max(0, block.begin - end)
        games = len(block.bots)
        if number < following[players] or (number - known[players]) * games > empty:
            yield block.game, f"its block has number {number}, which does not follow from those before it"
        known[players] += 1
        following[players] = max(following[players], number + 1)
        end, before = max(end, block.begin + games), block.game


def _tables(folder: Path) -> list[str]:
    """Return the names of the tables in an export."""
    names = (f"{name}.{ending}" for name in (GAMES, BOTS) for ending in WRITERS)
    return [name for name in names if (folder / name).exists()]


def _bots_differences(folder: Path, bots: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return where the table of bots in CSV is not what the chain says of them."""
    if BOTS_TABLE not in _tables(folder):
        return []
    try:
        data = read_regular(folder / BOTS_TABLE, _LARGEST_TABLE)
    except (OSError, ValueError) as error:
        return [f"it cannot be read: {why_unread(error)}"]
    lines = [line.encode() for line in csv_lines(BOT_TABLE, bot_rows(bots))]
    return [] if data == b"".join(lines) else ["it is not what was recorded of the bots"]


def _table_differences(folder: Path, records: Callable[[], Iterator[GameRecord]]) -> list[str]:
    """Return where the table in CSV is not what these games give, which are in the order of the schedule.

    Args:
        folder: The export.
        records: Begins to read the games. That is done twice, so that memory does not grow with their number.
    """
    if TABLE not in _tables(folder):
        return []
    try:
        data = read_regular(folder / TABLE, _LARGEST_TABLE)
    except (OSError, ValueError) as error:
        return [f"it cannot be read: {why_unread(error)}"]
    table = columns(sorted({name for record in records() for scores in record.scores for name in scores}))
    now = "the heading"

    def found() -> Iterator[dict[str, Any]]:
        nonlocal now
        for record in records():
            for row in rows(record, table):
                now = f"the row of seat {row['seat']} in {row['game']}"
                yield row

    at = 0
    for line in map(str.encode, csv_lines(table, found())):
        if not data.startswith(line, at):
            return [f"{now} is not what the games give, at byte {at}: it was altered, or is of an earlier export"]
        at += len(line)
    return [] if at == len(data) else [f"it goes on behind the last game, at byte {at}"]


def _not_compared(folder: Path, *, games_differ: bool) -> list[str]:
    """Say which tables were not compared with the games.

    The library that reads Parquet is not made for files of strangers: a small one may fill the memory.
    """
    of = {f"{GAMES}.parquet": "the games", f"{BOTS}.parquet": "the chain"}
    found = [f"{name} was not compared with {of[name]}" for name in _tables(folder) if name in of]
    if games_differ and TABLE in _tables(folder):
        found.append(f"{TABLE} was not compared with the games, since not all of these are as recorded")
    return found
