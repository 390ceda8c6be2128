"""Read the outcomes of very many games: what is as usual is taken as it is, and equal texts are read once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from typing import Final, NamedTuple

import msgspec

from arena.ledger.records import Outcome
from arena.ledger.rows import Row

_SCORES: Final = msgspec.json.Decoder(dict[str, int])
_RETIRED: Final = msgspec.json.Decoder(list[int])


class Seats(NamedTuple):
    """Of one game, as lists by seat."""

    bots: list[str]
    ranks: list[int]
    scores: list[dict[str, int]]


def gather_seats(rows: Iterable[Row]) -> dict[str, Seats | None]:
    """Return the seats of all games by id. None: there is something in them that is to be looked at.

    `rows`: game, bot, rank and scores, by game and seat.
    """
    found: defaultdict[str, Seats | None] = defaultdict(lambda: Seats([], [], []))
    names: dict[str, str] = {}
    read: dict[str, dict[str, int]] = {}
    for game, bot, rank, scores in rows:
        seats = found[game]
        if seats is None:
            continue
        if scores not in read:
            with suppress(msgspec.DecodeError, TypeError):
                read[scores] = _SCORES.decode(scores)
        if type(bot) is str and type(rank) is int and scores in read:
            seats.bots.append(names.setdefault(bot, bot))
            seats.ranks.append(rank)
            seats.scores.append(read[scores])
        else:
            found[game] = None
    return found


def quick_outcome(head: Row, seats: Seats | None) -> Outcome | None:
    """Return the outcome of a game that is as usual. None: it is to be looked at.

    `head`: id, place, number of players, seed and retired seats.
    """
    game, index, players, seed, retired = head
    if seats is None or len(seats.bots) != players or type(index) is not int or type(seed) is not str:
        return None
    try:
        return Outcome(game, index, seed, *seats, [] if retired == "[]" else _RETIRED.decode(retired))
    except (msgspec.DecodeError, TypeError):
        return None
