"""What a tournament that goes on until its order is known has found out, while it plays and from its ledger."""

from __future__ import annotations

from collections import defaultdict

import msgspec

from arena.common.progress import Progress
from arena.formats import (
    DECISIVE,
    Decisive,
    Field,
    Format,
    FormatOptions,
    PlayedBlock,
    UntilResolved,
    recorded_format,
)
from arena.formats.decisive import OrderKnowledge
from arena.ledger import BlockRecord, Ledger, Resolution
from arena.tournament.schedule.fixtures import game_result
from arena.tournament.schedule.rounds import game_ids


class OrderProgress:
    """Says it whenever more neighbours are told apart or tied than ever before."""

    def __init__(self, format: Format, progress: Progress) -> None:
        """Begin a report. `progress`: gets what is said."""
        self._format = format
        self._progress = progress
        self._most = 0

    def note_knowledge(self, field: Field, games: int) -> None:
        """Look at what is known. `games`: how many the schedule has so far."""
        if not isinstance(self._format, Decisive | UntilResolved):
            return
        verdicts = self._format.resolution(field).verdicts
        known = sum(verdict.kind != "undecided" for verdict in verdicts)
        if known > self._most:
            self._most = known
            self._progress.say(f"order: {known} of {len(verdicts)} neighbours are told apart or tied, by game {games}")


def recorded_resolution(ledger: Ledger) -> Resolution | None:
    """Return what is known of the order once it is settled which games count.

    It is what was known when the last round had been played and the next was, or would have been, drawn: results of the
    last `Format.delay` games are not waited for. None if the tournament goes on for as long as it is asked to.

    Raises `FormatError`.
    """
    settings = ledger.settings
    format = recorded_format(settings, bytes(16))
    options = msgspec.convert(settings.options, FormatOptions)
    if settings.format != DECISIVE and options.until is None:
        return None
    known = OrderKnowledge(*options.resolving())
    rounds: defaultdict[int, list[BlockRecord]] = defaultdict(list)
    for block in ledger.blocks():
        rounds[block.round].append(block)
        known.note_bots(block.bots)
    results = {each.id: each for each in ledger.outcomes()}
    end = max((_end(blocks[-1]) for blocks in rounds.values()), default=0) - format.delay
    for _, blocks in sorted(rounds.items()):
        if _end(blocks[-1]) > end:
            break
        for block in blocks:
            games = [results[game_id] for game_id in game_ids(block, settings.dealing) if game_id in results]
            counting = [game_result(game) for game in games if settings.rated.counts(game.bots, game.index)]
            known.add([PlayedBlock(block.bots, [game.by_entrant() for game in counting])])
    found = known.of(settings.rated.in_field(ledger.field())).resolution()
    joined = sum(event.kind == "join" and event.round > 0 for event in ledger.field_events())
    return msgspec.structs.replace(found, joined=joined)


def _end(block: BlockRecord) -> int:
    """Return the place that follows its last game."""
    return block.place + len(block.bots)
