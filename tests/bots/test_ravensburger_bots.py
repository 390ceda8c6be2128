"""The bots of `ravensburger`: they answer every question, play the same again, and are as strong as they say."""

from __future__ import annotations

from statistics import mean

import pytest

from arena.client import Bot, Decision, GameStart
from tests.bots.conftest import in_two_hashings
from tests.engine.plays import spread_pairs

pytestmark = pytest.mark.slow

NAMES = ["navigator", "random_bot", "strider"]
COUNTS = (2, 3, 4, 5, 6)
EDITIONS = {
    "standard": {"setup", "turn", "further", "rose", "exchange", "leap", "defend", "lay_off"},
    "expert": {"setup", "turn", "further", "rose", "exchange", "leap", "defend", "lay_off", "event"},
}
"""By edition the phases in which it asks."""


def seats_of(players: int, shift: int) -> list[str]:
    return [NAMES[(shift + seat) % len(NAMES)] for seat in range(players)]


@pytest.mark.parametrize(("edition", "players"), spread_pairs([*EDITIONS], COUNTS))
def test_every_question_gets_an_answer(play_game, edition, players):
    for shift in range(len(NAMES)):
        played = play_game(seats_of(players, shift), shift, edition, "ravensburger")
        assert len(played.ranks) == players


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_answers_in_every_phase(play_game, player_of, edition, name):
    """Among themselves, so that whatever was asked was asked of this bot."""
    phases = set()
    for seed in range(40):
        if phases == EDITIONS[edition]:
            break
        makers = {"hoarder": lambda: Hoarder(player_of(name)())}
        names = ["hoarder"] * 2 if seed % 4 == 3 else [name] * (2 + seed % 5)
        phases |= play_game(names, seed, edition, "ravensburger", **makers).phases
    assert phases == EDITIONS[edition]


class Hoarder(Bot):
    """Sees to it that a bot is asked what to exchange, which comes to few: with twelve cards in hand."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._exchanged = False

    def start(self, start: GameStart) -> None:
        self._bot.random = self.random
        self._bot.start(start)

    def decide(self, game: Decision) -> int:
        kinds = [action["do"] for action in game.actions]
        if game.view["phase"] == "turn" and not self._exchanged:
            self._exchanged = "exchange" in kinds
            return kinds.index("exchange") if self._exchanged else len(kinds) - 1
        return self._bot.decide(game)


@pytest.mark.process
def test_they_play_the_same_games_again_whatever_the_hashing():
    code = """
for name in sys.argv[1:]:
    for seed in (1, 2):
        played = play([name, "random_bot", name], seed, "expert", "ravensburger")
        print(name, played.ranks, played.choices)
"""
    one, other = (text.splitlines() for text in in_two_hashings(code, *NAMES))
    assert one == other
    assert len(set(one)) == 2 * len(NAMES)


@pytest.mark.parametrize(("name", "players"), spread_pairs(["random_bot", "strider", "python-bot"], COUNTS))
def test_it_gets_home_where_pawns_may_go_backwards(play_game, bot_in, name, players):
    """R-53, R-70: most games among its like end in the goal, not at the last round; none of pure chance did."""
    makers = {"python-bot": bot_in("python/bot.py")}
    games = [play_game([name] * players, seed, "expert", "ravensburger", **makers) for seed in range(10)]
    assert sum(any(score["arrived"] for score in played.scores) for played in games) >= 6


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("better", "worse"), [("navigator", "strider"), ("strider", "random_bot")])
def test_each_is_well_ahead_of_the_next(play_game, edition, better, worse):
    """The mean finish, 0 for first and 1 for last, over all numbers of players and both orders of seats."""
    finishes = []
    for seed in range(10):
        names = [better, worse] * 3 if seed < 5 else [worse, better] * 3
        seats = names[: 2 + seed % 5]
        ranks = play_game(seats, seed, edition, "ravensburger").ranks
        for seat, name in enumerate(seats):
            if name == better:
                own = ranks[seat]
                behind = sum(rank < own for rank in ranks) + (ranks.count(own) - 1) / 2
                finishes.append(behind / (len(ranks) - 1))
    assert mean(finishes) < 0.4
