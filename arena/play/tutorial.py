"""Make the tutorial of a game: a recorded game with lessons, as data for the page of a person who plays.

A game that has a tutorial ships two files beside its code: `tutorial.json`, a game as `arena export` writes it, and
`tutorial.toml`, the lessons. The game is played again by the rules as they are now, so a tutorial never shows another
game than one would play; `python -m tests.arena.play.tutorials` records it anew.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from importlib.resources import as_file
from typing import Final

from arena.game.replay import RecordedDecision, decisions
from arena.replays.game_file import read_game
from arena.replays.page_data import build_page_data
from arena.replays.words import Words
from arena.shipped.beside import shipped_beside
from engine.picture import Guided, Illustrated
from engine.rules import Data, Rules

_DISPLAY: Final = "display "
_PANEL: Final = "panel "


def has_tutorial(rules: Rules) -> bool:
    """Return whether a game ships a tutorial."""
    return shipped_beside(rules, "tutorial.toml").is_file()


def tutorial(rules: Rules) -> Data:
    """Return the tutorial of a game as data for its page.

    Returns:
        `table`, as for a game that is played; `title`, `about` and `seat`; `public` and `own`, the page data of the
        whole game (see `arena.replays.page_data`); and `lessons`, each with its `heading`, `text`, `step`, and what it
        points at as marks of the page. A lesson at a decision has its `choices`, the index of the one that was
        `chosen`, `why`, and the cards that are `barred`; those of others are null.

    Raises:
        FileNotFoundError: The game has no tutorial.
        ReplayError: The rules have changed since its game was recorded.
    """
    plan = tomllib.loads(shipped_beside(rules, "tutorial.toml").read_text("utf-8"))
    with as_file(shipped_beside(rules, "tutorial.json")) as file:
        recorded = read_game(file)
    record, edition, seat = recorded.record, recorded.edition, plan["seat"]
    public, own = build_page_data(record, rules, edition)
    board = rules.board(edition) if isinstance(rules, Illustrated) else None
    words = Words(rules, record.bots)
    asked = [
        _asked(each, words, rules, edition)
        for each in decisions(record, rules, edition)
        if each.seat == seat and each.step.kind == "play"
    ]
    table = {
        "game": rules.name,
        "edition": str(edition["name"]),
        "players": record.players,
        "bots": record.bots,
        "persons": [seat],
        "mine": [seat],
        "board": board,
        "move": None,
        "hints": None,
        "number": 1,
        "tutorial": True,
    }
    return {
        "table": table,
        "title": plan["title"],
        "about": f"{rules.name}: a game that was played, from the seat of {record.bots[seat]}",
        "seat": seat,
        "public": public,
        "own": own[seat],
        "lessons": [_lesson(each, asked, board or {}) for each in plan["lessons"]],
    }


def _asked(decision: RecordedDecision, words: Words, rules: Rules, edition: Data) -> Data:
    """Return what a seat was asked, and what it chose."""
    offered, index, guide = decision.offered, decision.step.index, rules if isinstance(rules, Guided) else None
    assert index is not None
    order = list(range(len(offered))) if guide is None else guide.order(offered)
    return {
        "step": decision.public,
        "choices": [{"text": words.named(words.action(offered[each])), "action": offered[each]} for each in order],
        "chosen": order.index(index),
        "barred": {} if guide is None else guide.barred(decision.state.view(decision.seat), offered, edition),
    }


def _lesson(plan: Data, decisions: Sequence[Data], board: Data) -> Data:
    """Return one lesson as the page reads it."""
    none: Data = {"choices": None, "chosen": None, "barred": {}, "why": ""}
    asked = decisions[plan["decision"]] if "decision" in plan else {"step": plan["step"]}
    said = {key: plan[key] for key in ("heading", "text", "why") if key in plan}
    return {**none, **asked, **said, "point": [_mark(each, board) for each in plan["point"]]}


def _mark(point: str, board: Data) -> str:
    """Return the page's mark for what a lesson points at. Raises `ValueError` for what there is not."""
    if point.startswith(_PANEL):
        return f"panel:{point.removeprefix(_PANEL)}"
    if point.startswith(_DISPLAY):
        return f"slot:display:{int(point.removeprefix(_DISPLAY))}"
    places = [index for index, place in enumerate(board["places"]) if point in (place["name"], f"square {index}")]
    if places:
        return f"place:{places[-1]}"
    if point not in board["cards"]:
        raise ValueError(f"a lesson points at {point!r}, which is neither a place nor a card nor a panel")
    return f"hand:{point}"
