"""Render the pages with which a person plays: the table, and the rules of the game."""

from __future__ import annotations

from typing import Any, Final

import arena
from arena.site.pages import environment
from arena.site.rules_page import rules_page
from engine.picture import Illustrated
from engine.rules import Data, Rules

TABLE_PAGE: Final = "play.html.j2"


def render_table_page() -> str:
    """Render the page of the table. It is the same for every game: what it shows comes as messages."""
    return environment().get_template(TABLE_PAGE).render(version=arena.__version__, root="")


def render_rules_page(rules: Rules, edition: Data) -> str:
    """Render the rules of a game as a page that needs no site around it."""
    headings, text = rules_page(rules)
    known: Any = rules.board(edition) if isinstance(rules, Illustrated) else {}
    return (
        environment()
        .get_template("rules.html.j2")
        .render(
            layout="alone.html.j2",
            root="",
            site={"title": rules.name, "game": rules.name, "version": arena.__version__},
            headings=headings,
            text=text,
            goal=known.get("goal", ""),
            goals=known.get("goals", {}),
            terms=known.get("terms", {}),
            cards=sorted(known.get("cards", {}).values(), key=lambda card: card["title"]),
        )
    )
