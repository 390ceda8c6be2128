"""Print the history of a tournament's field: the versions of its bots, and what happened to one of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from arena.cli.terminal import local_time, print_json, say, table, terminal_width
from arena.common.allowed_words import suggested
from arena.common.labels import bot_name, spelled_out, version_number
from arena.common.printable import printable
from arena.entrants import Entrant, shared_names
from arena.ledger import Ledger, LedgerError
from arena.rating import SkillDifference, half
from arena.reports.bot_rating import drawn_intervals
from arena.reports.paragraphs import probability
from arena.standings import rated_results
from arena.standings.compute import StandingsTable
from arena.standings.rows import Leaderboard
from arena.standings.versions import (
    BotHistory,
    FieldHistory,
    Improvement,
    Version,
    VersionChange,
    field_history,
    make_history,
)

_SURE = 0.975
"""So probable is what is called better without a reservation."""
_LIKELY = 0.84
"""So probable is what is called probably better; the difference is then greater than its error."""


def show_history(ledger: Ledger, bot: str | None, as_json: bool) -> None:
    """Print the versions of all bots, or of one with what happened to it. Raises `LedgerError` if it is not there."""
    history = field_history(ledger)
    found = None if bot is None else history.bot(bot)
    if bot is not None and found is None:
        names = sorted(each.name for each in history.bots)
        raise LedgerError(f"no bot {bot!r} in {ledger.folder}: there are {', '.join(names)}{suggested(bot, names)}")
    bots = history.bots if found is None else [found]
    if as_json:
        print_json(_data(history, bots, found is not None))
        return
    say(_versions(history, bots))
    if found is not None:
        _details(history, found)


def same_names(ledger: Ledger) -> list[str]:
    """Say of bots that are called the same, and got a number behind their names, which file is which."""
    newest = {
        bot_name(each.name): each for each in sorted(ledger.entrants(), key=lambda each: version_number(each.name))
    }
    files = []
    for name, entrant in newest.items():
        before = re.sub(r"(-\d+)+$", "", name)
        called = before if before in newest else name
        files.append(Entrant(name, Path(entrant.path), "folder", (), entrant.fingerprint, called=called))
    return shared_names(files)


def verdicts(ledger: Ledger, board: Leaderboard) -> list[str]:
    """Say of the versions that joined last whether they are better than the ones before them, in a line each.

    `board`: all tables of the ledger.
    """
    rows = [*(board.overall or []), *board.former]
    results = ledger.results()
    table = StandingsTable(rows, board.differences, {})
    history = make_history(ledger, results, rated_results(ledger, results), table, board.columns)
    moments = [each.joined.moment or "" for bot in history.bots for each in bot.versions if each.joined is not None]
    last = max(moments, default="")
    return [
        _compared(each.label, each.against_before, history)
        for bot in history.bots
        for each in bot.versions
        if each.against_before is not None and each.joined is not None and (each.joined.moment or "") == last
    ]


def _compared(label: str, step: Improvement, history: FieldHistory) -> str:
    one, other = printable(spelled_out(label)), printable(spelled_out(step.before))
    if step.better is None:
        return f"{one} against {other}: {_difference(step, history)}"
    if step.better >= _SURE:
        verdict = f"{one} is better than {other}"
    elif step.better <= 1 - _SURE:
        verdict = f"{one} is worse than {other}"
    elif step.better >= _LIKELY:
        verdict = f"{one} is probably better than {other}"
    elif step.better <= 1 - _LIKELY:
        verdict = f"{one} is probably worse than {other}"
    else:
        verdict = f"{one} and {other} cannot be told apart yet"
    return f"{verdict}: {_difference(step, history)}"


def _versions(history: FieldHistory, bots: Sequence[BotHistory]) -> str:
    columns = history.columns
    rows = []
    for bot in bots:
        for each in bot.versions:
            games = 0 if each.row is None else each.row.games
            shown = columns.in_words(each.row.values, each.row.bound, few=True) if each.row and games else "-"
            step = "-" if each.against_before is None else _difference(each.against_before, history)
            left = _ended(each)
            rows.append((printable(spelled_out(each.label)), _when(each.joined), left, games, shown, step))
    rating = columns.heading(columns.middle, few=True)
    return table(("version", "joined", "left", "games", rating, "against the one before"), rows)


def _when(change: VersionChange | None) -> str:
    """Return the game before which something happened, and the local time."""
    if change is None:
        return "-"
    return ", ".join(filter(None, [f"game {change.games + 1}", local_time(change.moment, "")]))


def _ended(version: Version) -> str:
    if version.joined is None:
        return "left out"
    if version.left is None and version.suspended is not None:
        return f"suspended, game {version.suspended + 1}"
    return _when(version.left)


def _difference(step: Improvement, history: FieldHistory) -> str:
    column = history.columns.middle
    places = column.few_places
    text = f"{column.symbol} {step.difference:+.{places}f}"
    if step.error is not None and step.bound is not None:
        text = f"{column.symbol} {SkillDifference(step.difference, step.error, step.bound).one_sided(places)}"
    else:
        text += half(step.error, places)
    return text if step.better is None else f"{text}, better with {probability(step.better)}"


def _details(history: FieldHistory, bot: BotHistory) -> None:
    rows = {each.label: each.row for each in bot.versions if each.row is not None and each.row.games}
    rated = [(spelled_out(label), row.values, row.bound) for label, row in rows.items()]
    if len(rated) > 1:
        say()
        say(drawn_intervals(rated, history.columns, terminal_width()))
    say()
    for change in bot.changes:
        note = f": {printable(change.note)}" if change.note else ""
        say(f"{_when(change)}: {printable(change.words())}{note}")
    for each in bot.versions:
        if each.suspended is not None:
            say(f"game {each.suspended + 1}: {printable(spelled_out(each.label))} is suspended")
        if each.left_out is not None:
            why = printable(each.left_out.strip().partition("\n")[0])
            say(f"{printable(spelled_out(each.label))} cannot take part: {why}")


def _data(history: FieldHistory, bots: Sequence[BotHistory], with_course: bool) -> dict[str, Any]:
    data: dict[str, Any] = {
        "games": history.games,
        "days": [{"day": day, "games_before": games} for day, games in history.days],
        "bots": [
            {
                "bot": bot.name,
                "versions": [_version_data(each) for each in bot.versions],
                "changes": [each._asdict() for each in bot.changes],
            }
            for bot in bots
        ],
    }
    if with_course:
        data["course"] = [
            {"bot": each.label, "number": point.number, "games": point.games, **point.values}
            for bot in bots
            for each in bot.versions
            for point in history.courses.get(each.label, [])
        ]
    return data


def _version_data(version: Version) -> dict[str, Any]:
    row = version.row
    return {
        "bot": version.label,
        "version": version_number(version.label),
        "joined": None if version.joined is None else _change_data(version.joined),
        "left": None if version.left is None else _change_data(version.left),
        "games": 0 if row is None else row.games,
        **({} if row is None else {"bound": row.bound, "interval": row.interval, **row.values}),
        "mean_finish": None if row is None else row.mean_finish,
        "mean_finish_error": None if row is None else row.mean_finish_error,
        "against_before": None if version.against_before is None else version.against_before._asdict(),
        "suspended": version.suspended,
        "left_out": version.left_out,
    }


def _change_data(change: VersionChange) -> dict[str, Any]:
    return {"place": change.place, "games_before": change.games, "moment": change.moment, "note": change.note}
