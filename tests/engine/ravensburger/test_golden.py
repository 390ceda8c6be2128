"""Golden games, one an edition and player count, compared line by line; `golden/playthrough.py` writes them."""

from __future__ import annotations

import pytest

from tests.engine.ravensburger.golden.playthrough import GOLDEN


@pytest.mark.parametrize(("edition", "players"), GOLDEN.cases())
def test_the_game_is_played_as_it_was(edition: str, players: int) -> None:
    GOLDEN.compare(edition, players)


def test_every_kept_game_is_compared() -> None:
    GOLDEN.check_files()


def test_the_games_show_every_phase_and_nearly_every_event() -> None:
    """A golden game that never gets anywhere would guard nothing."""
    text = "\n".join(GOLDEN.kept().values())
    for phase in ("setup", "turn", "further", "rose", "exchange", "event", "lay_off", "leap", "defend"):
        assert f" in {phase}, round" in text, phase
    for happening in (
        "is on turn", "has the rose on the", " plays train ", " plays purse to square ", " plays handcuffs on seat ",
        " plays rose", " moves from square ", " by the great leap", " for the handcuffs", " from the handcuffs square",
        " by order", " will draw 1 card", " draws a card from the event deck", "[only seat 0] ", " exchanges 2 ",
        " to exchange it", " instead of a draw", " takes the great leap", " declines the great leap",
        " plays a purse and is not sent back", " keeps the event card", " carries out an order: ",
        " carries out the kept order: ", "is shuffled anew", " is in London", "the game is over",
    ):  # fmt: skip
        assert happening in text, happening
