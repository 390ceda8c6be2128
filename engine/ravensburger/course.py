"""What in its whole game brought a seat of `ravensburger` on or held it up, for people, by open events alone."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.ravensburger.words import card as in_words
from engine.rules import Data

LARGE: Final = 6
"""Squares lost or missed from which on they are told of a loser; fewer only if they would have sufficed."""
LARGE_GAIN: Final = 15
"""Squares won by leaps from which on they are told of the winner."""
_IDLE_TURN: Final = 2
"""Squares that a turn without a step forward counts for, to weigh it against squares lost."""
_IDLE: Final = 0.4
"""The part of its turns that a seat must have stood still in for that to be told."""


class RaceCourse(NamedTuple):
    """What happened to one seat."""

    back: dict[int | None, list[tuple[int, int]]]
    """By who sent it back (None: a square or card on its own turn): round and squares, in order."""
    leaps: list[int]
    """Squares won by each great leap."""
    turns: int
    idle: int
    """Turns in which it did not get on."""


def courses(players: int, events: Sequence[Data]) -> list[RaceCourse]:
    """Return what happened to each seat."""
    back: list[dict[int | None, list[tuple[int, int]]]] = [defaultdict(list) for _ in range(players)]
    leaps: list[list[int]] = [[] for _ in range(players)]
    turns, active = Counter[int](), set[tuple[int, int]]()
    turn: int | None = None
    number = 0
    for event in events:
        name = event["event"]
        if name == "round":
            number = event["round"]
        elif name == "turn":
            turn = event["seat"]
            turns[event["seat"]] += 1
        elif name == "move":
            seat, squares = event["seat"], event["to"] - event["from"]
            if squares < 0:
                back[seat][None if turn == seat else turn].append((number, -squares))
            elif turn == seat:
                active.add((seat, turns[seat]))
            if event["by"] == "leap":
                leaps[seat].append(squares)
    moved = Counter(seat for seat, _ in active)
    return [RaceCourse(back[seat], leaps[seat], turns[seat], turns[seat] - moved[seat]) for seat in range(players)]


def what_brought_it_on(course: RaceCourse) -> str:
    """Return by what the winner gained most; nothing if that was little."""
    gained = sum(course.leaps)
    if gained < LARGE_GAIN:
        return ""
    return f"; it won {gained} squares by {len(course.leaps)} great leaps"


def what_held_it_up(course: RaceCourse, left: int, best: int, winner: RaceCourse) -> str:
    """Return what cost a seat most; nothing if that was little.

    Args:
        course: What happened to the seat.
        left: The squares that it was from London in the end.
        best: The seat that came first.
        winner: What happened to that one.
    """
    found: list[tuple[int, str]] = []
    for other, times in course.back.items():
        squares = sum(each for _, each in times)
        if squares >= min(LARGE, left):
            found.append((squares, _sent_back(other, squares, [number for number, _ in times])))
    missed = sum(winner.leaps) - sum(course.leaps)
    if missed >= LARGE:
        own = _squares(sum(course.leaps)) if course.leaps else "no square"
        found.append((missed, f"it won {own} by great leaps, but seat {best} won {sum(winner.leaps)}"))
    if course.turns and course.idle >= _IDLE * course.turns and course.idle * _IDLE_TURN >= LARGE:
        found.append((course.idle * _IDLE_TURN, f"it stood still in {course.idle} of its {course.turns} turns"))
    return f"; {max(found, key=lambda each: each[0])[1]}" if found else ""


def _sent_back(other: int | None, squares: int, rounds: list[int]) -> str:
    who = "handcuffs squares and its own event cards" if other is None else f"seat {other}"
    verb = "had set" if other is None else "had sent"
    return f"{who} {verb} it back {_squares(squares)}{_when(rounds)}"


def _when(rounds: list[int]) -> str:
    """Return in which rounds it was; that it is a sum, if it is one."""
    different = [str(each) for each in dict.fromkeys(rounds)]
    in_all = " in all" if len(rounds) > 1 else ""
    if different in ([], ["0"]):  # the beginning of the game was not heard
        return in_all
    if len(different) == 1:
        return f"{in_all}, in round {different[0]}"
    if len(different) > _MOST_ROUNDS:
        return f"{in_all}, in {len(different)} rounds"
    return f"{in_all}, in rounds {', '.join(different[:-1])} and {different[-1]}"


_MOST_ROUNDS: Final = 5
"""The most rounds that are named; more are counted."""


def _squares(number: int) -> str:
    return f"{number} {'square' if number == 1 else 'squares'}"


def how_it_arrived(seat: int, events: Sequence[Data]) -> str:
    """Return by what a seat reached London, and whose rose its last card needed if another seat placed it (R-12)."""
    placed, mode = seat, ""
    """Who placed the rose, and where it lies."""
    card = thanks = how = ""
    for event in events:
        if event["event"] == "rose":
            placed, mode = event["seat"], event["to"]
        elif event["event"] == "play" and event["seat"] == seat:
            card, is_on_rose = event["card"], event["card"].partition("-")[0] == mode
            thanks = f", since seat {placed} had placed the rose on {mode}" if is_on_rose and placed != seat else ""
        elif event["event"] == "move" and event["seat"] == seat:
            last = in_words(card) if "-" in card else f"the {card}" if card == "handcuffs" else f"a {card}"
            how = {"card": f": with {last}{thanks}", "leap": f": by the great leap after {last}{thanks}"}.get(
                event["by"], ": by an event card"
            )
    return how
