"""A small game for two to ten: each seat plays one of its cards, two rounds; whose team has the higher cards wins."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engine.base import BaseRules, BaseState
from engine.chance import FIRST_PLAYER, Chance
from engine.rules import Capabilities, Data, Event

TEAMS = {4: [[0, 2], [1, 3]], 6: [[0, 1], [2, 3], [4, 5]]}
ROUNDS = 2


class HighCardState(BaseState):
    """Every seat has three cards that nobody else sees."""

    def __init__(self, players: int, teams: list[list[int]], chance: Chance) -> None:
        cards = list(range(1, 5 * players + 1))
        chance.shuffle("cards", cards)
        self.hands = [sorted(cards[3 * seat : 3 * seat + 3]) for seat in range(players)]
        self.points = [0] * players
        self.teams = teams
        self.first, self.turn = chance.below(FIRST_PLAYER, players), 0

    @property
    def to_act(self) -> int | None:
        players = len(self.hands)
        return (self.first + self.turn) % players if self.turn < ROUNDS * players else None

    def actions(self) -> list[Data]:
        return [] if self.to_act is None else [{"card": card} for card in self.hands[self.to_act]]

    def play(self, index: int) -> list[Event]:
        card = dict(enumerate(each["card"] for each in self.actions())).get(index)
        seat = self.to_act
        if seat is None or card is None:
            raise IndexError(f"there is no action {index}")
        self.hands[seat].remove(card)
        self.points[seat] += card
        self.turn += 1
        return [Event(None, {"event": "played", "seat": seat, "card": card})]

    def view(self, seat: int | None) -> Data:
        return {
            "points": self.points[:],
            "hand": None if seat is None else self.hands[seat][:],
            "teams": [team[:] for team in self.teams],
        }

    def ranks(self) -> list[int]:
        sums = {seat: sum(self.points[each] for each in team) for team in self.teams for seat in team}
        return [1 + sum(other > sums[seat] for other in sums.values()) for seat in range(len(sums))]

    def scores(self) -> list[dict[str, Any]]:
        return [{"points": points} for points in self.points]


class HighCard(BaseRules):
    name = "high-card"
    players = (2, 10)
    capabilities = Capabilities(teams=TEAMS)
    named: Mapping[str, Data] = {"standard": {"name": "standard"}}

    def start(self, players: int, edition: Data, chance: Chance) -> HighCardState:
        self.check_players(players)
        return HighCardState(players, TEAMS.get(players, [[seat] for seat in range(players)]), chance)

    def words(self, what: Data) -> str:
        return f"card {what['card']}" if "event" not in what else f"seat {what['seat']} plays {what['card']}"


RULES = HighCard()


def install(folder: Path) -> None:
    """Write what `pip install` would: a folder that is on the path has the game then, in other processes too."""
    info = folder / "high_card-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: high-card\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[arena.rules]\nhigh-card = tests.plugin.high_card:RULES\n")
