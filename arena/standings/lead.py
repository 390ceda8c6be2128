"""Who leads a leaderboard, and what is known of the order: how surely, and what is not.

All bots may lead that may be the best, as the first row alone does not name a winner. Only bots of the field can lead.
If each of them may be the best, nobody leads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import hypot
from typing import Final

from arena.common.printable import listed, percent, printable, shorten
from arena.ledger import Contradiction, NeighbourVerdict, Resolution
from arena.rating import RatingColumns
from arena.standings.rows import Lead, Leaderboard, LeaderboardRow
from arena.standings.running import RunningRow

TOO_EARLY: Final = "too early to say"
"""What is said while each bot may be the best."""


def lead(rows: Sequence[LeaderboardRow], columns: RatingColumns) -> Lead | None:
    """Find who leads a table, whose rows are best first. None: no game of a bot of the field was rated.

    Those are the bots whose rank band begins with the first place. If the rating system knows no bands, they are the
    bot with the best rating, and all that two figures do not both tell apart from it.
    """
    field = [row for row in rows if row.in_field]
    played = [row for row in field if row.games]
    if not played:
        return None
    if played[0].band is not None:
        return _lead(_first_by_band(played), played, field)
    best = played[0].values[columns.ranking]
    leaders = [row for row in played if row.values[columns.ranking] == best]
    near = [row for row in played[len(leaders) :] if not all(_is_apart(leader, row, columns) for leader in leaders)]
    return _lead([row.bot for row in (*leaders, *near)], played, field)


def running_lead(rows: Sequence[RunningRow]) -> Lead | None:
    """Find who leads a running table, as `lead` does; where no bands are known, the bot with the best rating so far."""
    field = [row for row in rows if row.in_field]
    played = [row for row in field if row.games]
    if not played:
        return None
    if played[0].band is None:
        return Lead([played[0].bot], len(field))
    return _lead(_first_by_band(played), played, field)


_Rows = Sequence[LeaderboardRow] | Sequence[RunningRow]


def _lead(leaders: list[str], played: _Rows, field: _Rows) -> Lead:
    """Return who leads: nobody, if that are all that have played, as those that have not may be as good."""
    return Lead([row.bot for row in field] if len(leaders) == len(played) > 1 else leaders, len(field))


def _first_by_band(rows: _Rows) -> list[str]:
    return [row.bot for row in rows if row.band is not None and row.band.best == 1]


def _is_apart(leader: LeaderboardRow, other: LeaderboardRow, columns: RatingColumns) -> bool:
    """Return whether both the rating and the finishes show that a leader is better than another bot.

    The ratings must differ by more than two standard deviations of their difference, or at all if the system knows no
    errors. The ranges of mean finish ± 2 standard errors must not touch. There the errors are added, because two bots
    of one game do not finish independently: with two players one is last when the other is first.
    """
    if leader.mean_finish is None or other.mean_finish is None:
        return False
    if leader.mean_finish_error is None or other.mean_finish_error is None:
        return False
    errors = leader.mean_finish_error + other.mean_finish_error
    return _is_rated_apart(leader, other, columns) and other.mean_finish - leader.mean_finish > 2 * errors


def _is_rated_apart(leader: LeaderboardRow, other: LeaderboardRow, columns: RatingColumns) -> bool:
    interval = columns.interval
    if interval is None:
        return columns.merit(leader.values) > columns.merit(other.values)
    deviation = hypot(leader.values[interval.error], other.values[interval.error])
    apart = leader.values[interval.middle] - other.values[interval.middle]
    return (-apart if columns.is_least_best else apart) > 2 * deviation


def running_lead_in_words(rows: Sequence[RunningRow], name: Callable[[str], str]) -> str:
    """Say who leads so far; empty if no game of a bot of the field was rated. `name`: formats a bot's name."""
    found = running_lead(rows)
    if found is None:
        return ""
    if all(row.band is None for row in rows):
        return f"{name(found.bots[0])} has the best rating so far"
    return leaders_in_words(found, name)


def lead_in_words(rows: Sequence[LeaderboardRow], columns: RatingColumns, name: Callable[[str], str]) -> str:
    """Say who leads, such as "a leads; 2 others are not ruled out"; empty if no game of a bot of the field was rated.

    Args:
        rows: The table, best first.
        columns: The columns of its rating system.
        name: Formats a bot's name.
    """
    found = lead(rows, columns)
    return "" if found is None else leaders_in_words(found, name)


def leaders_in_words(found: Lead, name: Callable[[str], str]) -> str:
    """Say who leads, and how many others may be the best too; if each bot may be, it is too early to say."""
    if found.is_open:
        return f"{TOO_EARLY}: {'either' if found.of == 2 else 'any'} of the {found.of} may be the best"
    first, *others = map(name, found.bots)
    if found.of == 1:
        return f"{first} is the only bot in the field"
    if len(others) == 1:
        return f"{first} leads; {others[0]} is not ruled out"
    return f"{first} leads" + (f"; {len(others)} others are not ruled out" if others else "")


def why_in_words(board: Leaderboard) -> str:
    """Say in a sentence how well the first bot of the overall table does, and how sure it is; empty without a game."""
    found, rows = board.overall_lead, board.overall
    if found is None or not rows or found.of < 2:
        return ""
    others = len(found.bots) - 1
    sure = " with 95 % confidence" if rows[0].band is not None else ""
    if found.is_open:
        return f"The games so far do not tell them apart{sure}."
    ahead = [count for count, table in board.players.items() if table and table[0].bot == rows[0].bot]
    first = (
        f" and stands first of all in games of {listed(ahead, 9)} players" if ahead and len(board.players) > 1 else ""
    )
    rest = found.of - 1 - others
    out = f"{rest} of the {found.of - 1} others {'is' if rest == 1 else 'are'} ruled out"
    ruled_out = out if others else "no other bot is better"
    name = printable(shorten(rows[0].bot, 40))
    return f"{name} wins {percent(rows[0].wins)} of its games{first};{sure or ' by both figures'} {ruled_out}."


def resolution_in_words(resolution: Resolution) -> list[str]:
    """Return what is known, in a line each."""
    verdicts, contradictions = resolution.verdicts, resolution.contradictions
    open_ones = sum(verdict.kind == "undecided" for verdict in verdicts)
    if not verdicts:
        return []
    sure = f"with {100 * (1 - resolution.error):g} % confidence all at once, however often one looked"
    if resolution.joined:
        sure += ", unless bots joined because of results"
    if open_ones:
        head = f"the order is not resolved: {open_ones} of {len(verdicts)} neighbours cannot be told apart yet"
    elif contradictions:
        head = (
            "the order is not resolved: no order agrees with all that is known, since bots beat each other in a circle"
        )
    else:
        head = "the order is resolved: all neighbours are told apart, or within the margin"
    known = [] if open_ones == len(verdicts) and not contradictions else [f"known {sure}:"]
    lines = [_words(verdict, resolution) for verdict in verdicts if verdict.kind != "undecided"]
    lines += [f"undecided: {_against(each, resolution.unit)}" for each in contradictions]
    not_yet = [_words(verdict, resolution) for verdict in verdicts if verdict.kind == "undecided"]
    others = "other bots that are not neighbours" if contradictions else "bots that are not neighbours"
    rest = f"of {others} no test says that the lower one is better; whether they are apart or tied is not said"
    return [head, *known, *lines, *not_yet, *([rest] if known and len(verdicts) > 1 else [])]


def _against(found: Contradiction, unit: str) -> str:
    upper, lower = printable(found.upper), printable(found.lower)
    how = "" if found.difference is None else _by(-found.difference, found.games, unit)
    return f"{lower} stands below {upper}, and is better than it{how}"


def _words(verdict: NeighbourVerdict, resolution: Resolution) -> str:
    margin = f"{resolution.margin:g}" + (f" {printable(resolution.unit)} a game" if resolution.unit else "")
    upper, lower = printable(verdict.upper), printable(verdict.lower)
    if verdict.kind == "apart":
        said = f"{upper} is better than {lower}"
    elif verdict.kind == "tied":
        said = f"{upper} and {lower} are within {margin} of each other"
    else:
        said = f"not known: whether {upper} is better than {lower}, or within {margin} of it"
    if verdict.difference is None:
        return f"{said} (they have not met)"
    return f"{said}{_by(verdict.difference, verdict.games, resolution.unit)}"


def _by(difference: float, games: int, unit: str) -> str:
    """Return by how much a bot is better than another one. `unit`: as in `Resolution`."""
    less = f"{abs(difference):.3f} {'less' if difference >= 0 else 'more'}"
    by = f"by {difference:+.3f} {printable(unit)} a game" if unit else f"mean finish {less}"
    return f" ({by}, in {games} games of both)"
