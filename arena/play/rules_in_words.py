"""What a game says in words: its aim, and what a word, a card or the id of a rule means."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from wcwidth import wrap as wrapped

from arena.shipped.beside import rules_text
from arena.text import aim
from engine.picture import Illustrated
from engine.rules import Data, Rules

_WIDTH: Final = 100
_INDENT: Final = 4
MOST: Final = 12
"""Lines that explain a word."""
_EACH: Final = 3
"""Lines of one meaning or rule, if there are several."""
_RULE: Final = re.compile(r"^- \*\*([A-Z]+-\d+)\*\* (.+)$", re.MULTILINE)
_SOURCE: Final = re.compile(r" \([^()]*(?:\bruling\b|\breconstructed\b|`\d{3}`)[^()]*\)")
"""What the rules say in brackets of where they come from."""
_OF_A_SHEET: Final = re.compile(r"(?:^|(?<=[.;] ))[^.;]*`\d{3}`[^.;]*[.;] ?")
_RULED: Final = re.compile(r"[;.] [Tt]hat [^.;]* is a ruling(?=[.;])")
_REFERENCE: Final = re.compile(r" \((?:see )?[A-Z]+-\d+[^()]*\)|, see [A-Z]+-\d+")


def aim_in_words(rules: Rules, edition: Data, players: int, width: int | None = None) -> list[str]:
    """Return lines that say the aim of a game of so many. `width`: of the terminal."""
    said = aim(_known(rules, edition), players)
    return wrapped(said or f"{rules.name}: `arena games {rules.name}` shows its settings", min(width or _WIDTH, _WIDTH))


def explained(rules: Rules, edition: Data, word: str, width: int | None = None) -> list[str]:
    """Return at most `MOST` lines with the terms, cards and rules that name a word. Their ids stand behind them.

    `width`: of the terminal.
    """
    width = min(width or _WIDTH, _WIDTH)
    look = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])", re.IGNORECASE)
    found = list(_meanings(rules, edition, look))
    if not found:
        return [f"the rules do not say {word}"]
    lines: list[str] = []
    for number, text in enumerate(found):
        own = wrapped(text, width, subsequent_indent=" " * _INDENT)
        room = MOST - len(lines) - (number + 1 < len(found))
        most = min(room, len(own) if len(found) == 1 else _EACH)
        if most < min(len(own), 2):
            return [*lines, f"and {len(found) - number} more"]
        lines += own if len(own) <= most else [*own[: most - 1], f"{own[most - 1][: width - 2].rpartition(' ')[0]} …"]
    return lines


def _known(rules: Rules, edition: Data) -> Any:
    return rules.board(edition) if isinstance(rules, Illustrated) else {}


def _meanings(rules: Rules, edition: Data, look: re.Pattern[str]) -> Iterator[str]:
    known = _known(rules, edition)
    for term, meaning in known.get("terms", {}).items():
        if look.search(term):
            yield f"{term}: {meaning}"
    for name, card in known.get("cards", {}).items():
        if look.search(f"{name} {card['title']}"):
            rule = f" ({card['rule']})" if card.get("rule") else ""
            yield f"{card['title']} [{name}]: {card['text']}{rule}"
    rules_said = [(rule, _plain(text)) for rule, text in _RULE.findall(rules_text(rules))]
    naming = [(len(look.findall(f"{rule} {plain}")), rule, plain) for rule, plain in rules_said]
    for times, rule, plain in sorted(naming, key=lambda each: -each[0]):  # what is about it before what mentions it
        if times:
            yield f"{plain} ({rule})"


def _plain(text: str) -> str:
    """Return a rule without marks, and without what is of interest to those alone who compare its sources."""
    text = _OF_A_SHEET.sub("", _RULED.sub("", _SOURCE.sub("", text)))
    text = _REFERENCE.sub("", text)
    return re.sub(r"[*`]", "", " ".join(text.split()))
