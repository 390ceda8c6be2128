"""How well a tournament's ratings foresee its own games: those of blocks that are held out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from arena.ledger import GameResult
from arena.rating import RatingInput

if TYPE_CHECKING:
    from arena.rating.held_out import HeldOutCalibration


def calibration(results: Iterable[GameResult]) -> HeldOutCalibration | None:
    """Hold out the blocks of a tournament in turn, and compare what ratings of the others say with what happened.

    It takes some seconds for 10,000 games, and for more about as long as rating all of them once.

    Args:
        results: Those that are rated (`arena.standings.rated_results`).

    Returns:
        The comparison. None: there are too few blocks.
    """
    from arena.rating.held_out import held_out_calibration  # numpy takes longer to import than most commands to run

    return held_out_calibration(
        RatingInput(each.bots, each.ranks, each.scores, (each.players, each.block)) for each in results
    )
