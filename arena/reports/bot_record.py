"""How a bot fared: by number of players, and against each rival."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import msgspec

from arena.ledger import GameResult
from arena.rating.rated_table import finish, win_share


class CountRecord(msgspec.Struct, frozen=True):
    """A bot's rated games of one number of players."""

    players: int
    games: int
    wins: float
    """Games won; tied firsts share a win."""
    mean_finish: float
    """0: always first, 1: always last."""
    places: list[int]
    """How often it had each place, from the first; ties share the better one."""


class RivalRecord(msgspec.Struct, frozen=True):
    """A bot's rated games with one rival."""

    rival: str
    games: int
    before: int
    """In so many of them it finished before the rival."""
    behind: int
    tied: int
    better: float | None
    """The probability that it is truly better, by the ratings; None if these know no errors."""

    @property
    def expected(self) -> float:
        """Return the probability to finish before the rival, by the other games: a tie is half, and one of each more.

        The added games (Laplace's rule) keep it away from 0 and 1, which no number of games shows.
        """
        return (self.before + self.tied / 2 + 1) / (self.games + 2)


def count_records(results: Sequence[GameResult], bot: str) -> list[CountRecord]:
    """Return a bot's record at each number of players, the smallest first."""
    games: dict[int, list[tuple[Sequence[int], int]]] = defaultdict(list)
    for result in results:
        games[result.players].append((result.ranks, result.bots.index(bot)))
    found = []
    for players, played in sorted(games.items()):
        places = Counter(ranks[seat] for ranks, seat in played)
        found.append(
            CountRecord(
                players=players,
                games=len(played),
                wins=round(sum(win_share(ranks, seat) for ranks, seat in played), 3),
                mean_finish=round(sum(finish(ranks, seat) for ranks, seat in played) / len(played), 6),
                places=[places[place] for place in range(1, players + 1)],
            )
        )
    return found


def rival_records(results: Sequence[GameResult], bot: str, better: Mapping[str, float]) -> dict[str, RivalRecord]:
    """Return a bot's record against each rival, those first that it met most.

    Args:
        results: The rated games of the bot.
        bot: Its label.
        better: By rival: the probability that the bot is truly better.
    """
    before: Counter[str] = Counter()
    behind: Counter[str] = Counter()
    games: Counter[str] = Counter()
    for result in results:
        own = result.ranks[result.bots.index(bot)]
        for rival, rank in zip(result.bots, result.ranks, strict=True):
            if rival != bot:
                games[rival] += 1
                before[rival] += own < rank
                behind[rival] += own > rank
    return {
        rival: RivalRecord(
            rival, number, before[rival], behind[rival], number - before[rival] - behind[rival], better.get(rival)
        )
        for rival, number in sorted(games.items(), key=lambda each: (-each[1], each[0]))
    }
