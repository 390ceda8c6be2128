"""What analysis says to a bot's author: costly decisions, where it loses most, and the accuracy of each version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from arena.analysis.analysis import AccuracyRecord, GameAnalysis, accuracy_of, accuracy_text, losses_of, marked_choices
from arena.common.printable import counted
from arena.ledger import GameResult
from arena.reports.analysis_text import records_table
from arena.reports.paragraphs import Paragraphs


class CostlyDecision(msgspec.Struct, frozen=True):
    """A decision that cost a bot much."""

    game: str
    seat: int
    turn: int
    step: int
    """Where a replay's page shows it, counted in public events."""
    words: str


class PhaseLoss(msgspec.Struct, frozen=True):
    """What a bot lost in decisions of one kind."""

    phase: str
    decisions: int
    lost: float
    """On average for a game, in parts of the whole chance."""


class BotAnalysis(msgspec.Struct, frozen=True):
    """What was found in the games of a bot that were analysed."""

    costliest: list[CostlyDecision]
    phases: list[PhaseLoss]
    """Of the version that is reported on, that in which it loses most first."""
    versions: dict[str, AccuracyRecord]
    """By label, in their order."""

    def trend(self) -> str:
        """Say how the accuracy changed from version to version; empty if there is one."""
        said = {label: accuracy_text(record) for label, record in self.versions.items()}
        known = [f"{text} ({label})" for label, text in said.items() if text != "-"]
        return f"Accuracy {' → '.join(known)}" if len(known) > 1 else ""


def spread(results: Sequence[GameResult], most: int) -> list[GameResult]:
    """Choose at most so many games, spread evenly over the schedule."""
    number = min(len(results), most)
    return [results[each * len(results) // number] for each in range(number)]


def bot_analysis(bot: str, analyses: Mapping[str, Sequence[GameAnalysis]], most: int) -> BotAnalysis:
    """Sum up what was found.

    Args:
        bot: The label of the version that is reported on.
        analyses: By label of each version: its games, in which its own seat was analysed.
        most: How many costly decisions are listed.
    """
    costly = []
    phases: dict[str, list[float]] = {}
    for game in analyses[bot]:
        seat, scale = game.bots.index(bot), game.scale()
        for each in marked_choices(game):
            if each["seat"] == seat:
                better = f"“{each['chosen']}” {each['symbol']} ({each['chance']}), better “{each['better']}”"
                words = f"{better} ({each['could']})"
                costly.append(
                    (each["lost"] / scale, CostlyDecision(game.game, seat, each["turn"], each["step"], words))
                )
        for made in game.of(seat):
            phases.setdefault(made.phase, []).append(made.best.lost / scale)
    costly.sort(key=lambda each: -each[0])
    lost = [PhaseLoss(phase, len(all_), sum(all_) / len(analyses[bot])) for phase, all_ in phases.items()]
    records = {
        label: accuracy_of([play for game in games if (play := losses_of(game, game.bots.index(label))) is not None])
        for label, games in analyses.items()
    }
    return BotAnalysis(
        costliest=[each for _, each in costly[:most]],
        phases=sorted(lost, key=lambda each: -each.lost),
        versions={label: record for label, record in records.items() if record is not None},
    )


def add_analysis(page: Paragraphs, found: BotAnalysis) -> None:
    """Add what was found to a report."""
    page.heading("What would have been better")
    records_table(page, found.versions)
    if trend := found.trend():
        page.paragraph(f"{trend}.")
    for phase in found.phases[:3]:
        page.item(
            f"{phase.phase}: {100 * phase.lost:.1f} points lost a game, in {counted(phase.decisions, 'decision')}"
        )
    if found.costliest:
        page.paragraph("The costliest decisions:")
    for each in found.costliest:
        page.item(f"{each.game}, seat {each.seat + 1}, turn {each.turn}: {each.words}")
