"""Who leads a leaderboard, and who is within error of that: a first row alone names no winner."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import hypot
from typing import Any

Row = Mapping[str, Any]


def lead(rows: Sequence[Row]) -> dict[str, list[str]] | None:
    """`bots` that lead (several if their ratings are equal) and those that are `within_error_of` them, best first.

    `rows`: a table's, best first. None: no game was rated.
    """
    played = [row for row in rows if row["games"]]
    if not played:
        return None
    leaders = [row for row in played if row["rating"] == played[0]["rating"]]
    near = [row for row in played[len(leaders) :] if not all(_is_apart(leader, row) for leader in leaders)]
    return {"bots": [row["bot"] for row in leaders], "within_error_of": [row["bot"] for row in near]}


def _is_apart(leader: Row, other: Row) -> bool:
    """Whether the numbers of the table tell that a leader is better than another bot. Both must.

    mu must be higher by more than two standard deviations of the difference; and the ranges of mean finish +- 2
    standard errors must not touch. The sum of both errors is taken there because two bots of one game do not finish
    independently: of two players one is last when the other is first.
    """
    if leader["mean_finish_error"] is None or other["mean_finish_error"] is None:
        return False
    errors: float = leader["mean_finish_error"] + other["mean_finish_error"]
    by_skill = leader["mu"] - other["mu"] > 2 * hypot(leader["sigma"], other["sigma"])
    by_finish = other["mean_finish"] - leader["mean_finish"] > 2 * errors
    return bool(by_skill and by_finish)


def lead_in_words(rows: Sequence[Row], name: Callable[[str], str], most: int = 3) -> str:
    """Such as "a leads, within error of b and c"; nothing without a game. At most so many of either are named."""
    found = lead(rows)
    if found is None:
        return ""
    leaders, near = found["bots"], found["within_error_of"]
    text = f"{_listed(leaders, name, most)} {'leads' if len(leaders) == 1 else 'share the lead'}"
    return f"{text}, within error of {_listed(near, name, most)}" if near else text


def _listed(bots: Sequence[str], name: Callable[[str], str], most: int) -> str:
    few = bots if len(bots) <= most else bots[: most - 1]
    parts = [name(bot) for bot in few]
    if len(few) < len(bots):
        parts.append(f"{len(bots) - len(few)} more")
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
