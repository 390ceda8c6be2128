"""Games of teams as ratings see them: an entrant that holds a team is one player, and partners that are drawn are one.

It has its team's rank and the mean of its seats' scores; of drawn partners, `RatingInput.teams` says which they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.rating.base import RatingInput

Teams = Sequence[Sequence[int]]
"""The seats of each team; empty: every seat plays for itself."""


def once(bots: Sequence[str], ranks: Sequence[int]) -> tuple[list[str], list[int]]:
    """Return each entrant of a game once, in the order of seats, and the ranks of the entrants."""
    held = dict(zip(bots, ranks, strict=True))
    if len(held) == len(bots):
        return list(bots), list(ranks)
    return list(held), [1 + sum(other < rank for other in held.values()) for rank in held.values()]


def rating_input(
    bots: Sequence[str],
    ranks: Sequence[int],
    scores: Sequence[Mapping[str, float]],
    block: tuple[int, int],
    teams: Teams = (),
) -> RatingInput:
    """Return a game as it is rated, given as it was played: what is in lists is by seat."""
    entrants, places = once(bots, ranks)
    if len(entrants) < len(bots):
        teams = ()
        seats = {bot: [seat for seat, each in enumerate(bots) if each == bot] for bot in entrants}
        scores = [
            {key: sum(scores[seat][key] for seat in own) / len(own) for key in scores[own[0]]} for own in seats.values()
        ]
    return RatingInput(entrants, places, scores, block, teams)


def by_team(ranks: Sequence[int], seat: int, teams: Teams) -> tuple[Sequence[int], int]:
    """Return the ranks of the teams, and which of them a seat belongs to; without teams the same ranks and seat."""
    if not teams:
        return ranks, seat
    own = next(number for number, team in enumerate(teams) if seat in team)
    return [ranks[team[0]] for team in teams], own
