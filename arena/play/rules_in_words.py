"""The rules of a game for a terminal: its aim, or what a word, a card or the id of a rule means."""

from __future__ import annotations

import re
import textwrap
from typing import Any, Final

from arena.site.rules_text import rules_text
from engine.game import Data, Game
from engine.picture import Illustrated

_WIDTH: Final = 100
_MOST: Final = 12
"""Paragraphs that are shown."""


def rules_in_words(rules: Game, edition: Data, players: int, word: str = "") -> list[str]:
    """Return lines: the aim of a game of so many; with a word, the cards, terms and rules that name it."""
    known: Any = rules.board(edition) if isinstance(rules, Illustrated) else {}
    if not word:
        aim = known.get("goals", {}).get(str(players)) or known.get("goal")
        goal = aim or f"{rules.name}: `arena games {rules.name}` shows its settings"
        return textwrap.wrap(goal, _WIDTH)
    look = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])", re.IGNORECASE)
    found = [f"{term}: {meaning}" for term, meaning in known.get("terms", {}).items() if look.search(term)]
    for name, card in known.get("cards", {}).items():
        if look.search(f"{name} {card['title']}"):
            rule = f" ({card['rule']})" if card.get("rule") else ""
            found.append(f"{card['title']} [{name}]: {card['text']}{rule}")
    paragraphs = [part for part in re.split(r"\n(?=\s*[-*] |\s*\n)", rules_text(rules)) if look.search(part)]
    found += [re.sub(r"[*`]", "", " ".join(part.split())) for part in paragraphs]
    if not found:
        return [f"the rules do not say {word}"]
    lines = [line for each in found[:_MOST] for line in textwrap.wrap(each, _WIDTH, subsequent_indent="    ")]
    return lines + ([f"and {len(found) - _MOST} more"] if len(found) > _MOST else [])
