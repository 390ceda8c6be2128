"""Write a statement as text."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, Final

from arena.common.printable import counted, listed, percent, shorten
from arena.rating import half
from arena.rating.base import one_sided
from arena.reports.claims import StatedDifference
from arena.reports.paragraphs import Paragraphs, points, probability
from arena.reports.statement import StatedOmissions, StatedRow, StatedTable, Statement

_CONTENTS = ("name", "system", "processor", "cores", "memory", "speed", "python", "arena")


def facts(statement: Statement) -> list[tuple[str, str]]:
    """Return what was played, by name."""
    settings = statement.settings
    shipped = {True: "as it comes with the game", False: "not one that comes with the game", None: "not installed here"}
    edition = f", edition {settings.edition}" if settings.edition else ""
    options = [f"{name} {value}" for name, value in sorted(settings.options.items())]
    found = [
        ("Game", f"{settings.game}{edition} ({shipped[settings.shipped]}; its hash {settings.edition_hash[:16]}…)"),
        ("Players", ", ".join(map(str, settings.players))),
        ("Games", settings.games.words),
        ("State", {"playing": "being played", "finished": "finished"}.get(settings.state, "not finished")),
        ("Format", ", ".join([settings.format, *options])),
        ("Time", time_in_words(settings.time)),
    ]
    if settings.placing:
        found.append(("Placing", "; ".join(settings.placing)))
    if settings.against:
        found.append(("Scores", "; ".join(settings.against)))
    if settings.order:
        found.append(("Order", "; ".join(settings.order)))
    if settings.deals:
        found.append(("Deals", settings.deals))
    if settings.limits:
        found.append(("Limits", ", ".join(f"{name} {value}" for name, value in sorted(settings.limits.items()))))
    return [*found, ("Isolation", settings.isolation or "not recorded")]


def time_in_words(time: Mapping[str, Any]) -> str:
    """Say what the time control is."""
    limits = {name: time.get(name) for name in ("start", "move", "bank")}
    parts = [f"{name} {value:g} s" for name, value in limits.items() if isinstance(value, int | float)]
    parts += [counted(time["strikes"], "strike")] if isinstance(time.get("strikes"), int) else []
    parts += [f"{time['on_crash']} on a crash"] if time.get("on_crash") in ("loss", "void") else []
    return ", ".join([*parts, f"bots {'think' if time.get('ponder') else 'are stopped'} in others' time"])


def omissions(found: StatedOmissions) -> list[str]:
    """Say what does not count and why, in a sentence each; none if everything counts."""
    said = [f"{each.bot} could not take part: {each.gist}" for each in found.left_out]
    said += [
        f"{bot} was suspended after three games in a row in which it was retired; its games from place {place + 1} of "
        "the schedule on do not count"
        for bot, place in found.suspended.items()
    ]
    said += [found.uncontested] if found.uncontested else []
    if found.suspended_games:
        said.append(f"{found.suspended_games}; {found.absent:,} of them had been played")
    said += [found.void_by_crash] if found.void_by_crash else []
    said += found.machines
    if found.set_aside:
        said.append(f"{_of(len(found.set_aside), 'game')} set aside after failing twice: {listed(found.set_aside)}")
    if found.charged:
        charged = listed([f"{number} to {bot}" for bot, number in found.charged.items()], 10)
        said.append(f"failed games were charged to bots, which retired in them: {charged}")
    if found.failed:
        said.append(f"{_of(found.failed, 'attempt')} at a game void and dealt anew, set aside or charged")
    if found.beyond:
        said.append(f"{_of(found.beyond, 'game')} played but in no table: beyond what was asked for, or behind a gap")
    if found.unplayed:
        said.append(f"{_of(found.unplayed, 'game')} asked for and not played")
    if found.skipped:
        said.append(f"there were too few bots for games of {listed([str(count) for count in found.skipped])}")
    if found.former:
        said.append(f"versions that have left have no place, but their games count: {listed(found.former, 10)}")
    return said


def calibration_in_words(found: Mapping[str, Any]) -> list[str]:
    """Say how well ratings foresaw games that were held out."""
    forecast, observed = found["forecast"], found["observed"]
    how = "which agrees within two standard errors"
    if not found["is_calibrated"]:
        which = "sure" if observed["value"] < forecast else "cautious"
        how = f"so the ratings are too {which}, by {points(observed['value'] - forecast)}"
    brier, log_loss = found["brier"], found["log_loss"]
    return [
        f"{counted(found['games'], 'game')} of {counted(found['blocks'], 'block')} were held out in turn and forecast "
        f"by ratings of {found['rated']:,} others each: {counted(found['pairs'], 'pair')} of bots.",
        f"By the forecasts the likelier bot of a pair comes before the other in {percent(forecast)}; it did in "
        f"{seen(observed)}, {how}. A ± is half of an interval of 95 %.",
        f"Brier score {_figure(brier)} (always saying one half gets 0.25), log loss {_figure(log_loss)} (one half: "
        f"{math.log(2):.4f}).",
    ]


def commitments(statement: Statement) -> list[tuple[str, str]]:
    """Return what shows that games were neither chosen nor altered, by name."""
    made = statement.commitment
    seed = "secret until the results are final" if made.seed is None else made.seed
    found = [
        ("Hash of the seed", f"{made.seed_hash}, in the ledger since before the first game"),
        ("Seed", f"{seed}{', given and so known before' if made.seed_given else ''}"),
    ]
    if made.beacon_source is not None:
        value = "still to come" if made.beacon is None else f"{made.beacon.value}, added to the head {made.beacon.head}"
        found.append(("Public value in it", f"{value} (from {made.beacon_source})"))
        if made.beacon is not None and made.beacon.contributions:
            found.append(("Contributions", ", ".join(made.beacon.contributions)))
    for each in made.later_seeds:
        found.append((f"Seed from game {each.place + 1} on", f"{each.seed or 'secret'}, its hash {each.hash}"))
    found.append(("Head", f"{made.head}, over the {counted(made.entries, 'entry', 'entries')} of the chain"))
    if made.days:
        first, last = made.days
        found.append(("Played", f"{first} (UTC)" if first == last else f"from {first} to {last} (UTC)"))
    return [*found, ("To verify", made.verify)]


def versions(statement: Statement) -> list[tuple[str, str]]:
    """Return by what and on what it was played, by name."""
    found = statement.versions
    rules = [f"{name} ({counted(number, 'game')})" for name, number in found.rules.items()]
    machines = [machine_in_words(each) for each in found.machines]
    return [
        ("Rules", ", ".join(rules) or "no game was played"),
        ("Machine" if len(machines) < 2 else "Machines", "; ".join(machines) or "not recorded"),
        ("This statement", f"arena {found.arena}, {found.python}, numpy {found.numpy}"),
    ]


def machine_in_words(machine: Mapping[str, str]) -> str:
    """Return a machine as one line."""
    shown = {"cores": "{} core" if machine.get("cores") == "1" else "{} cores", "arena": "arena {}"}
    return ", ".join(shown.get(name, "{}").format(machine[name]) for name in _CONTENTS if machine.get(name))


def interval(difference: StatedDifference) -> str:
    """Return a difference with its interval, or the end of it that is known."""
    low, high = difference.low, difference.high
    if low is None or high is None:
        return f"< {high or 0.0:+.2f}" if low is None else f"> {low:+.2f}"
    return f"{difference.difference:+.2f} ({low:+.2f} to {high:+.2f})"


def rating(row: StatedRow) -> str:
    """Return a rating with half of its interval of 95 %, or the end of it that is known."""
    both = f"{row.rating:.2f}{half(row.error, 2)}"
    return both if row.interval is None else one_sided(*row.interval, row.bound, 2) or both


def finish(value: float, error: float | None) -> str:
    """Return a mean finish with half of its interval of 95 %."""
    return f"{value:.3f}{half(error, 3)}"


def seen(estimate: Mapping[str, float | None]) -> str:
    """Return how often something was observed, in percent, with half of its interval of 95 % if there is one."""
    error = estimate["error"]
    return percent(estimate["value"]) + half(None if error is None else 100 * error, 1)


def _figure(estimate: Mapping[str, float | None]) -> str:
    return f"{estimate['value']:.4f}{half(estimate['error'], 4)}"


def _of(number: int, one: str) -> str:
    return f"{counted(number, one)} {'was' if number == 1 else 'were'}"


_NAME: Final = 40
_HASH: Final = 16


def statement_text(statement: Statement, width: int | None = None) -> str:
    """Write the statement. `width`: the columns of the terminal; None: there is none."""
    page = Paragraphs(width)
    page.heading(f"What the tournament “{statement.folder}” shows")
    for sentence in statement.claims:
        page.paragraph(sentence)
    _facts(page, "Settings", facts(statement))
    for table in statement.tables:
        _table(page, table)
    if statement.note:
        page.paragraph(statement.note)
    _differences(page, statement)
    _calibration(page, statement)
    page.heading("Left out")
    left_out = omissions(statement.omissions)
    for each in left_out:
        page.item(f"{each}.")
    if not left_out:
        page.paragraph("Nothing.")
    _field(page, statement)
    _facts(page, "Commitment", commitments(statement))
    _facts(page, "Versions", versions(statement))
    return page.text()


def _facts(page: Paragraphs, heading: str, facts: Iterable[tuple[str, str]]) -> None:
    page.heading(heading)
    for name, value in facts:
        page.item(f"{name}: {value}")


def _table(page: Paragraphs, table: StatedTable) -> None:
    if not table.rows:
        return
    page.heading("Ratings" if table.players is None else f"{table.players} players")
    page.table(
        ("place", "bot", "rating (95 %)", "games", "won", "mean finish"),
        [
            (
                row.place,
                shorten(row.bot, _NAME) + (" (suspended)" if row.suspended else ""),
                rating(row),
                row.games,
                percent(row.wins),
                "-" if row.mean_finish is None else f"{row.mean_finish:.3f}",
            )
            for row in table.rows
        ],
        ("right", "left", *("right",) * 4),
        sum(not row.suspended for row in table.rows) or None,
    )


def _differences(page: Paragraphs, statement: Statement) -> None:
    if not statement.differences:
        return
    page.heading("Differences")
    page.table(
        ("bot", "against", "difference (95 %)", "better", "apart"),
        [
            (
                shorten(each.one, _NAME),
                shorten(each.other, _NAME),
                interval(each),
                probability(each.better),
                "yes" if each.apart else "no",
            )
            for each in statement.differences
        ],
        ("left", "left", "right", "right", "right"),
    )
    page.paragraph(DIFFERENCES)


DIFFERENCES: Final = (
    "Each interval holds by itself with 95 % confidence; two bots are called apart only if their rank bands are, which "
    "hold for all bots at once."
)
"""What the intervals mean."""


def _calibration(page: Paragraphs, statement: Statement) -> None:
    page.heading("Calibration on held-out blocks")
    if statement.calibration is None:
        page.paragraph(statement.uncalibrated)
        return
    for sentence in calibration_in_words(statement.calibration):
        page.paragraph(sentence)
    page.table(
        ("forecast", "mean", "observed (95 %)", "pairs"),
        [
            (
                f"{100 * each['low']:.0f} to {100 * each['high']:.0f} %",
                percent(each["forecast"]),
                seen(each["observed"]),
                each["pairs"],
            )
            for each in statement.calibration["bins"]
        ],
        ("right",) * 4,
    )


def _field(page: Paragraphs, statement: Statement) -> None:
    page.heading("Field")
    for bot in statement.field:
        parts = [f"by {shorten(bot.author, 2 * _NAME)}"] if bot.author else []
        parts += [f"version {bot.declared_version}"] if bot.declared_version else []
        parts += [bot.language] if bot.language else []
        parts += [f"fingerprint {shorten(bot.fingerprint, _HASH)}"] if bot.fingerprint else []
        parts += [f"built as {listed([shorten(each, _HASH) for each in bot.builds])}"] if bot.builds else []
        parts += ["has left the field"] if bot.former else []
        page.item(f"{shorten(bot.bot, _NAME)}: {', '.join(parts) or 'nothing is known of it'}")
