"""Building the messages for bots: everything that leaves the referee for a bot, but `bye`, which has no fields.

This module decides what a bot may know, so a leak is most likely here or in what it calls. A `decide` contains

- the view: `engine.rules.State.view`, the position as one seat may know it; each game builds it in its `view.py`;
- the choices: `engine.rules.State.actions`;
- the events since the seat's last `decide`: `arena.game.transcript.Transcript.unread`. There `visible` compares the
  seat with an event's audience, `engine.rules.Event.to`, which the rules set.

A `start` has the bot's own seed and an id of the game, derived so that they say nothing of the game's seed or of its
place in the schedule. The other messages contain nothing hidden: `welcome` has limits, `end` public ranks and scores,
`fault` what was wrong with the bot's own message. `arena.game.game.Game` calls these functions, and for a recorded
game `arena.check.reask` does. `tests/noninterference/` tests them: two games that differ only in what a seat has not
seen must send it the same bytes.
"""

from __future__ import annotations

from arena.game.clock import SeatClock
from arena.game.transcript import Transcript
from arena.protocol.codec import DECIDE_LIMIT, FRAME_LIMIT
from arena.protocol.messages import PROTOCOL, Clock, Decide, End, Fault, ProtocolLimits, Start, Welcome
from engine.chance import derive
from engine.rules import Data, State


def welcome_message(strikes: int) -> Welcome:
    """Build the answer to a `hello`. `strikes`: how many a seat has in a game."""
    return Welcome(PROTOCOL, ProtocolLimits(FRAME_LIMIT, DECIDE_LIMIT, strikes))


def start_message(
    game_id: str, game: str, edition: Data, seat: int, players: int, clock: SeatClock | None, seed: bytes
) -> Start:
    """Build the message that informs a seat of a new game. `clock` None: the seat has no time limit."""
    return Start(game_id, game, edition, seat, players, _shown(clock), bot_seed(seed, seat))


def bot_seed(seed: bytes, seat: int) -> int:
    """Derive the 64-bit seed of the bot in `seat`, from which nothing about the game can be computed."""
    return int.from_bytes(derive(seed, "bot", seat)[:8])


def public_id(seed: bytes, game_id: str) -> str:
    """Derive the id under which bots know a game.

    A game's own id has its block and rotation, so a bot could tell that it meets the same rivals again, and where.
    """
    return derive(seed, "public id", game_id).hex()[:16]


def decide_message(
    game_id: str, turn: int, seat: int, state: State, transcript: Transcript, clock: SeatClock | None
) -> Decide:
    """Build the message that asks a seat for a decision: the only place where a bot's view leaves the state.

    The events in it count as sent from now on. `clock` None: the seat has no time limit.
    """
    return Decide(game_id, turn, transcript.unread(seat), state.view(seat), state.actions(), _shown(clock))


def fault_message(game_id: str, turn: int | None, code: str, text: str, strikes_left: int) -> Fault:
    """Build the message that says what was wrong with what a bot sent, or that it did not answer.

    `turn` None: it has not been asked for a decision yet.
    """
    return Fault(game_id, turn, code, text, strikes_left)


def end_message(game_id: str, ending: str, ranks: list[int], scores: list[dict[str, int | float]]) -> End:
    """Build the message that says that the game is over, which is the same for every seat."""
    return End(game_id, ending, ranks, scores)


def _shown(clock: SeatClock | None) -> Clock | None:
    return None if clock is None else clock.shown
