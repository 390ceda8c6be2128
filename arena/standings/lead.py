"""Who leads a leaderboard, and what is known of the order: how surely, and what is not.

All bots may lead that may be the best, as the first row alone does not name a winner. Only bots of the field can lead.
If each of them may be the best, nobody leads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from arena.common.printable import listed, percent, printable, shorten
from arena.ledger import Contradiction, NeighbourVerdict, Resolution
from arena.standings.rows import Lead, Leaderboard, LeaderboardRow
from arena.standings.running import RunningRow

TOO_EARLY: Final = "too early to say"
"""What is said while each bot may be the best."""


_Rows = Sequence[LeaderboardRow] | Sequence[RunningRow]


def lead(rows: _Rows) -> Lead | None:
    """Find who leads a table, whose rows are best first. None: no game of a bot of the field was rated.

    Those are the bots whose rank band begins with the first place; where no bands are known, the first bot.
    """
    field = [row for row in rows if row.in_field]
    played = [row for row in field if row.games]
    if not played:
        return None
    leaders = [row.bot for row in played if row.band is not None and row.band.best == 1] or [played[0].bot]
    # If all that have played may be the best, those that have not may be as good.
    return Lead([row.bot for row in field] if len(leaders) == len(played) > 1 else leaders, len(field))


def lead_in_words(rows: _Rows, name: Callable[[str], str]) -> str:
    """Say who leads, such as "a leads; 2 others are not ruled out"; empty if no game of a bot of the field was rated.

    Args:
        rows: The table, best first.
        name: Formats a bot's name.
    """
    found = lead(rows)
    if found is None:
        return ""
    if all(row.band is None for row in rows):
        return f"{name(found.bots[0])} stands first so far"
    return leaders_in_words(found, name)


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
