"""A recorded game sent to a bot again: what its seat was sent then, and what it answers now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from arena.check import expect, requirements
from arena.check.report import Failed, Skipped
from arena.check.session import CheckSession
from arena.entrants import Built
from arena.game.bot_messages import end_message, public_id, start_message
from arena.game.clock import SeatClock, TimeControl
from arena.game.replay import questions
from arena.ledger import GameRecord, Step
from arena.protocol.messages import Decide
from engine.rules import Data, Rules


@dataclass(frozen=True)
class Answer:
    """One decision: what was asked, the step in the record, and what the bot chooses now."""

    question: Decide
    recorded: Step
    now: int

    @property
    def is_lost(self) -> bool:
        """Whether the seat's answer was lost: the substitute played, or the seat retired."""
        return self.recorded.by != "bot"

    @property
    def differs(self) -> bool:
        """Whether the seat's bot chose otherwise."""
        return not self.is_lost and self.now != self.recorded.index


def ask_again(
    built: Built, record: GameRecord, rules: Rules, edition: Data, seat: int, time: TimeControl
) -> Iterator[Answer]:
    """Send a bot what `seat` was sent in a recorded game, whatever it answers, and generate its answers.

    Raises:
        Failed: The bot does not answer as the protocol requires.
        ReplayError: The record cannot be played again.
    """
    with CheckSession(built, time, rules.name) as session:
        yield from ask_again_in(session, record, rules, edition, seat, time)


def ask_again_in(
    session: CheckSession, record: GameRecord, rules: Rules, edition: Data, seat: int, time: TimeControl
) -> Iterator[Answer]:
    """Do the same over a session that is open. Raises as `ask_again`."""
    hello = session.get_ready()
    if hello.games and rules.name not in hello.games:
        session.fail(f"it plays {', '.join(hello.games)}; the game is {rules.name}", requirements.NO_GAME)
    seed = bytes.fromhex(record.seed)
    game_id = public_id(seed, record.id)
    session.send(start_message(game_id, rules.name, edition, seat, record.players, SeatClock(time), seed))
    for each in questions(record, rules, edition, time):
        if each.seat != seat or not each.is_asked:
            continue
        session.send(each.question)
        act, _ = expect.answer(session, time.move + time.bank)
        yield Answer(each.question, each.step, act.index)
    session.send(end_message(game_id, record.ending, record.ranks, record.scores))


def answers(
    built: Built, seats: Iterable[tuple[GameRecord, int]], game: Rules, edition: Data, time: TimeControl
) -> list[int | None]:
    """Return what a bot chooses in all decisions of some seats, which any bots had; None: it gave no answer.

    Raises:
        ReplayError: A record cannot be played again.
    """
    found: list[int | None] = []
    with CheckSession(built, time, game.name) as session:
        for record, seat in seats:
            asked = sum(each.seat == seat and each.is_asked for each in questions(record, game, edition, time))
            said: list[int | None] = []
            try:
                said += [answer.now for answer in ask_again_in(session, record, game, edition, seat, time)]
            except (Failed, Skipped):
                session.end()  # the next game begins with a fresh process
            found += said + [None] * (asked - len(said))
    return found


class AskedAgain(NamedTuple):
    """What a bot answered to the questions of one seat in one game."""

    game: str
    seat: int
    decisions: int
    different: list[Answer]
    failed: str | None
    """Why the bot could not be asked to the end."""
    unknown: str | None = None
    """Why it cannot be said whether that was the bot's fault: what happened then is no difference."""

    @property
    def difference(self) -> str | None:
        """Say what was different. None: nothing was."""
        if self.failed is not None:
            return f"seat {self.seat + 1}, asked again: {self.failed}"
        if not self.different:
            return None
        first = self.different[0]
        return (
            f"seat {self.seat + 1}, asked again: {len(self.different)} of {self.decisions} decisions differ, first at "
            f"turn {first.question.turn}: recorded {first.recorded.index}, now {first.now}"
        )


def ask_games_again(
    built: Built, seats: Iterable[tuple[GameRecord, int]], game: Rules, edition: Data, time: TimeControl
) -> Iterator[AskedAgain]:
    """Yield what a bot answers now for each seat of a recorded game that it had.

    Raises:
        ReplayError: A record cannot be played again.
    """
    with CheckSession(built, time, game.name) as session:
        for record, seat in seats:
            decisions, different, failed, unknown = 0, [], None, None
            try:
                for answer in ask_again_in(session, record, game, edition, seat, time):
                    decisions += 1
                    different += [answer] if answer.differs else []
            except Failed as failure:
                failed = None if seat in record.retired else failure.problem.what  # it failed then, too
                session.end()  # the next game begins with a fresh process
            except Skipped as reason:
                unknown = str(reason)
                session.end()
            yield AskedAgain(record.id, seat, decisions, different, failed, unknown)
