"""What a seat was asked in some of its decisions, found by replaying the game: only what that seat itself was sent.

The steps that play for a seat, by its bot or by the substitute, are its decisions one after the other, and so its
decision `turn` is the step of that number among them. If the game ended in its last decision, because it retired, that
step is missing; what was asked is then known from the state in which it retired.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

import msgspec

from arena.game.replay import begun, replay_from
from arena.game.transcript import visible
from arena.ledger import GameRecord
from arena.replays.words import Words
from engine.rules import Data, Rules


class AskedDecision(msgspec.Struct, frozen=True):
    """A decision of a seat."""

    turn: int
    """Which of the seat's decisions it is, from 1."""
    step: int
    """How many public events came before it: the position at which a replay's page shows it."""
    phase: str
    """The kind of decision within a turn."""
    options: int
    """How many actions were offered."""
    chosen: str | None
    """The action that was played, in words. None: the game was over before."""
    by: Literal["bot", "substitute"] | None
    note: str | None = None
    """What the bot noted with it."""


def asked_decisions(
    record: GameRecord, rules: Rules, edition: Data, seat: int, turns: Collection[int]
) -> dict[int, AskedDecision]:
    """Return those decisions of a seat, by turn; what there is not, is left out.

    Args:
        record: The game's record.
        rules: The game.
        edition: Its resolved edition.
        seat: The seat.
        turns: Which of its decisions.

    Raises:
        ReplayError: The record cannot be replayed.
    """
    found: dict[int, AskedDecision] = {}
    words = Words(rules, record.bots)
    state = begun(record, rules, edition)
    public, turn, last = 0, 1, max(turns, default=0)
    to_act, phase = state.to_act, state.phase
    for game_step in replay_from(state, record):
        step = game_step.step
        if turn in turns and step.seat == seat == to_act:
            asked = AskedDecision(turn, public, phase, len(game_step.offered), None, None)
            if step.kind == "play" and step.action is not None and step.by != "referee":
                chosen = words.named(words.action(step.action))
                asked = msgspec.structs.replace(asked, chosen=chosen, by=step.by, note=step.note)
            found[turn] = asked
        turn += step.kind == "play" and step.seat == seat
        if turn > last:
            break
        public += sum(visible(event, None) for event in game_step.events)
        to_act = state.to_act
        phase = "" if to_act is None else state.phase
    return found
