"""Whose submission is tried next: submitters in turn, of each the newest that came before the next round is due."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from arena.serve.league import SubmissionRules
from arena.serve.store import LeagueStore, Submission

_HOUR: Final = 3600.0
_DAY: Final = 86_400.0


def next_turn(
    store: LeagueStore,
    rules: SubmissionRules,
    now: float,
    last: str | None,
    is_parted: Callable[[float, float], bool] = lambda *_: False,
) -> Submission | None:
    """Return the submission whose turn it is. None: nobody's.

    Of several that came from one submitter before a round is due the newest is tried first: if it joins, the others are
    superseded, and if it is refused, they have their turn. So it does not matter how fast they are tried.

    Args:
        store: The state of the league.
        rules: How much is allowed.
        now: The moment.
        last: Whose turn it was last.
        is_parted: Whether a round is due between two moments.
    """
    chosen: dict[str, Submission] = {}
    for each in store.submissions(is_open=True):
        before = chosen.get(each.submitter)
        if before is None or (before.state == "received" and not is_parted(before.received, each.received)):
            chosen[each.submitter] = each
    left_out = {each.name for each in store.members() if each.is_paused or each.is_removed}
    held = waits(store, rules, chosen.values(), now)
    names = [name for name, each in chosen.items() if name not in left_out and each.id not in held]
    # One that has begun goes on first, whatever came meanwhile.
    names.sort(key=lambda name: (chosen[name].state == "received", last is not None and name <= last, name))
    return chosen[names[0]] if names else None


def waits(store: LeagueStore, rules: SubmissionRules, submissions: Iterable[Submission], now: float) -> dict[int, str]:
    """Return by number why some of these have to wait although nobody is before them."""
    received = [each for each in submissions if each.state == "received"]
    why = {name: _why(rules, *left(store, rules, name, now)) for name in {each.submitter for each in received}}
    return {each.id: words for each in received if (words := why[each.submitter])}


def _why(rules: SubmissionRules, trials: int, versions: int) -> str:
    if not trials:
        return f"{rules.per_hour} submissions of one submitter are tried in an hour"
    return "" if versions else f"{rules.versions_a_day} versions of one submitter may join on a day"


def left(store: LeagueStore, rules: SubmissionRules, submitter: str, now: float) -> tuple[int, int]:
    """Return how many submissions of somebody may be tried in this hour, and how many may join on this day."""
    begun = joined = 0
    for each in store.submissions(submitter):
        if each.received < now - 8 * _DAY or each.state == "received":
            continue
        steps = store.steps(each.id)
        begun += any(step.state == "unpacked" and step.moment > now - _HOUR for step in steps)
        joined += any(step.state == "joined" and step.moment > now - _DAY for step in steps)
    return max(0, rules.per_hour - begun), max(0, rules.versions_a_day - joined)
