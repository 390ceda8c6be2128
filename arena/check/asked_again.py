"""Ask a bot the questions of recorded games again, as many games as there are, over one session."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from arena.check.reask import Answer, ask_again_in
from arena.check.report import Failed, Skipped
from arena.check.session import CheckSession
from arena.entrants import Built
from arena.game.clock import TimeControl
from arena.ledger import GameRecord
from engine.rules import Data, Rules


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
            return f"seat {self.seat}, asked again: {self.failed}"
        if not self.different:
            return None
        first = self.different[0]
        return (
            f"seat {self.seat}, asked again: {len(self.different)} of {self.decisions} decisions differ, first at "
            f"turn {first.question.turn}: recorded {first.recorded.index}, now {first.now}"
        )


def ask_games_again(
    built: Built, seats: Iterable[tuple[GameRecord, int]], game: Rules, edition: Data, time: TimeControl
) -> Iterator[AskedAgain]:
    """Yield what a bot answers now for each seat of a recorded game that it had.

    Raises:
        ReplayError: A record cannot be played again.
    """
    with CheckSession(built, time) as session:
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
