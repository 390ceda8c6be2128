"""Golden games, one an edition and player count, compared line by line; `golden/playthrough.py` writes them."""

from __future__ import annotations

import pytest

from tests.engine.kosmos.golden.playthrough import GOLDEN


@pytest.mark.parametrize(("edition", "players"), GOLDEN.cases())
def test_the_game_is_played_as_it_was(edition: str, players: int) -> None:
    GOLDEN.compare(edition, players)


def test_every_kept_game_is_compared() -> None:
    GOLDEN.check_files()


def test_the_games_show_every_phase_and_nearly_every_event() -> None:
    """A golden game that never gets anywhere would guard nothing."""
    text = "\n".join(GOLDEN.kept().values())
    for phase in ("take", "action", "travel", "reroll", "chit", "escape", "limit"):
        assert f" in {phase}, round" in text, phase
    for happening in (
        "begins; on display", "loses 1 day as others are home", "to the detective", "to a rival's chit", "takes train",
        "[only seat 0] ", "receives 1 gold", "pays 2 gold", "first-player marker", " exchanges ", " travels to ",
        " rolls a ", " rolls again", " arrives in ", " carries out the ", " leaves the ", " slips past the detective",
        "(limit)", "draws a grey card", " lays off ", " is home as number ", "nobody took", "is shuffled anew",
        "the game is over",
    ):  # fmt: skip
        assert happening in text, happening
