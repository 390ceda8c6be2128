"""Write the report for a bot's author as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from arena.common.printable import as_typed, counted, listed, percent
from arena.reports.bot_analysis import add_analysis
from arena.reports.bot_record import AskedDecision, FaultGroup
from arena.reports.bot_report import BotReport
from arena.reports.game_review import ChanceChange, Loss
from arena.reports.paragraphs import Paragraphs, probability

KINDS: Final = {
    "swing": "the biggest swing",
    "closest": "the closest",
    "strangest": "the strangest result",
    "longest": "the longest",
}
"""What each kind of notable game is called."""
ABOUT_CHANCES: Final = (
    "Chances are those that the arena's own bots would have in the open position, by a formula fitted to their games."
)


def bot_report_text(report: BotReport, width: int | None = None) -> str:
    """Write the report. `width`: the columns of the terminal; None: there is none."""
    page = Paragraphs(width)
    page.heading(f"{report.bot} in {report.folder}")
    for line in summary(report):
        page.paragraph(line)
    if report.games:
        _record(page, report)
        _losses(page, report)
        if report.analysis is not None:
            add_analysis(page, report.analysis)
        _decisions(page, report)
    _faults(page, report)
    if report.notable:
        page.heading("Worth a look")
        for each in report.notable:
            page.item(f"{KINDS[each.kind]}: {each.game}, {place(each.rank, each.players)}: {each.why}")
    if report.games:
        page.gap()
        page.paragraph(f"To look at a game as it saw it: {how_to_look(report)}")
        if report.explained:
            page.paragraph(ABOUT_CHANCES)
    return page.text()


def summary(report: BotReport) -> list[str]:
    """Say in a few sentences what was played and how the bot stands."""
    edition = f", edition {report.edition}" if report.edition else ""
    lines = [f"{report.game}{edition}; the results are {'final' if report.finished else 'not final yet'}."]
    if report.left_out is not None:
        lines.append(f"It could not take part: {report.left_out.strip().partition(chr(10))[0]}.")
    standing = report.standing
    if standing is None:
        played = counted(report.games, "game")
        lines.append("It has played no game." if not report.games else f"None of its {played} is rated.")
    else:
        stands = f"Place {standing.place} of {standing.of}" if standing.place else "Suspended, and so without a place"
        stands = "This version has left the field" if standing.former else stands
        retired = f"; it was retired in {counted(standing.retired, 'game')}" if standing.retired else ""
        lines.append(
            f"{stands}, {standing.rating}: {counted(standing.games, 'rated game')}, {percent(standing.wins)} won, mean "
            f"finish {standing.mean_finish:.3f} (0 is always first, 1 always last){retired}."
        )
        if standing.suspended:
            lines.append("It is suspended, because it was retired in three games in a row: see its faults.")
    if len(report.versions) > 1:
        lines.append(f"Versions: {', '.join(report.versions)}; this is about {report.bot}.")
    return lines


def place(rank: int, players: int) -> str:
    """Return a place among so many, as `3rd of 4`."""
    ending = {1: "st", 2: "nd", 3: "rd"}.get(rank % 10 if rank % 100 not in (11, 12, 13) else 0, "th")
    return f"{rank}{ending} of {players}"


def how_to_look(report: BotReport) -> str:
    """Return the command that shows a game as the bot saw it."""
    return f"{as_typed('arena', 'replay', report.folder)} GAME --seat N"


def fall_in_words(change: ChanceChange) -> str:
    """Say how a turn cost a bot its chance."""
    fell = f"its chance fell from {percent(change.before)} to {percent(change.after)}"
    return f"{fell} by step {change.step}: {change.event}" if change.event else f"{fell} at the end"


def loss_in_words(loss: Loss) -> str:
    """Say to whom and why a game was lost."""
    parts = [f"{place(loss.rank, loss.players)}, behind {listed(loss.behind)}"]
    parts += [f"it {loss.why}"] if loss.why else []
    parts += [fall_in_words(loss.fall)] if loss.fall is not None else []
    return "; ".join(parts)


def asked_in_words(asked: AskedDecision | None) -> str:
    """Say what was asked in a decision, and what came of it."""
    if asked is None:
        return ""
    question = f"{asked.phase}, {counted(asked.options, 'option')}"
    if asked.chosen is None:
        return f"{question}; with that the game was over"
    return f"{question}; {'it' if asked.by == 'bot' else 'the substitute'} chose: {asked.chosen}"


def fault_in_words(fault: FaultGroup) -> str:
    """Say what kind of fault it is, how often it happened, and when last."""
    turn = "" if fault.turn is None else f", turn {fault.turn}"
    often = "once, in" if fault.times == 1 else f"{fault.times} times, last in"
    return f"{fault.code}: {fault.text} ({often} {fault.game}, seat {fault.seat + 1}{turn})"


def ms(value: float | None) -> str:
    """Return a time in milliseconds, a short one with two digits that count."""
    if value is None:
        return "-"
    return f"{value:.2g} ms" if value < 1 else f"{value:,.1f} ms".replace(".0 ms", " ms")


def _record(page: Paragraphs, report: BotReport) -> None:
    page.heading("Record")
    most = max((each.players for each in report.counts), default=0)
    page.table(
        ("players", "games", "won", "mean finish", *(str(number) for number in range(1, most + 1))),
        [
            (
                *(each.players, each.games, percent(each.wins / each.games), f"{each.mean_finish:.3f}"),
                *_cells(each.places, most),
            )
            for each in report.counts
        ],
        ("right",) * (4 + most),
    )
    page.gap()
    page.table(
        ("against", "games", "before it", "behind it", "tied", "better"),
        [
            (each.rival, each.games, each.before, each.behind, each.tied, probability(each.better))
            for each in report.rivals
        ],
        ("left", *("right",) * 5),
    )


def _cells(places: Sequence[int], most: int) -> list[str]:
    return [*map(str, places), *[""] * (most - len(places))]


def _losses(page: Paragraphs, report: BotReport) -> None:
    losses = report.losses
    page.heading("Losses")
    if not losses.number:
        page.paragraph(f"None in {counted(losses.games, 'game')}.")
        return
    page.paragraph(losses_in_words(report))
    if losses.reasons:
        some = "" if losses.reviewed == losses.number else f", in {losses.reviewed:,} of them that were looked through"
        page.paragraph(f"Why{some}:")
        for reason in losses.reasons:
            page.item(f"{reason.games} as in {reason.game}: it {reason.example}")
        if losses.others:
            page.item(f"{losses.others:,} for other reasons (`--most` lists more)")
    if losses.listed:
        page.paragraph("Lost from the best positions:" if losses.listed[0].fall is not None else "Some of them:")
        for loss in losses.listed:
            page.item(f"{loss.game}: {loss_in_words(loss)}")


def losses_in_words(report: BotReport) -> str:
    """Say how many games were lost, and to whom."""
    losses = report.losses
    rivals = [f"{rival} in {number}" for rival, number in losses.behind.items()]
    return f"{losses.number:,} of {counted(losses.games, 'game')} were lost; before it finished {listed(rivals, 8)}."


def _decisions(page: Paragraphs, report: BotReport) -> None:
    times = report.decisions
    page.heading("Slowest decisions")
    if times.median_ms is None:
        page.paragraph("It made no decision.")
        return
    page.paragraph(decisions_in_words(report))
    for each in times.slowest:
        asked = asked_in_words(each.asked)
        page.item(f"{ms(each.ms)}: {each.game}, seat {each.seat + 1}, turn {each.turn}{': ' if asked else ''}{asked}")


def decisions_in_words(report: BotReport) -> str:
    """Say how long decisions took, and how much of the bank was used."""
    times = report.decisions
    bank = "it never needed its bank"
    if times.most_bank_game is not None:
        bank = (
            f"it needed its bank of {times.bank_ms / 1000:g} s most in {times.most_bank_game}: "
            f"{times.most_bank_ms / 1000:.2f} s"
        )
    return (
        f"{counted(times.decisions, 'decision')}: median {ms(times.median_ms)}, 99 % within {ms(times.p99_ms)}; "
        f"{times.beyond_free:,} took longer than the free {ms(times.free_ms)}, and {bank}."
    )


def _faults(page: Paragraphs, report: BotReport) -> None:
    page.heading("Faults")
    if not report.faults:
        page.paragraph("None.")
        return
    page.paragraph(f"{counted(report.number_of_faults, 'fault')}, by kind, the most frequent first:")
    for fault in report.faults:
        page.item(fault_in_words(fault))
        if fault.asked is not None:
            page.item(asked_in_words(fault.asked), 1)
        if fault.stderr:
            page.item("the last that it had written to standard error:", 1)
            page.output(fault.stderr)
