"""Events and actions of a game as text for pages, with the bots' names in place of seat numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.rules import Action, Data, Rules

_NAME: Final = 40
"""Longer names are cut in texts, because most texts repeat them."""
_SEAT: Final = re.compile(r"\bseat \d+\b")


class Words:
    """Renders events and actions of a game as text, with the bots' names for seats, and caches the texts of actions."""

    _LIMIT: Final = 10_000
    _kept: Final[dict[str, dict[int, tuple[object, str]]]] = {}
    """By game and `id()` of an action. The action is kept too, so that its id is not given to another object."""

    def __init__(self, rules: Rules, bots: Sequence[str]) -> None:
        """Take the bots' names, by seat."""
        self.game = rules.name
        self._rules = rules
        cut = [bot if len(bot) <= _NAME else f"{bot[: _NAME - 1]}…" for bot in bots]
        self._bots = {f"seat {seat}": bot for seat, bot in enumerate(cut)}
        self._actions = self._kept.setdefault(rules.name, {})
        self._named: dict[str, str] = {}

    def event(self, what: Data) -> str:
        """Return an event as one line, with seat numbers."""
        return self._rules.words(what)

    def action(self, what: Mapping[str, Any]) -> str:
        """Return an action as one line, with seat numbers. Games share actions between calls and never change one."""
        kept = self._actions.get(id(what))
        if kept is not None:
            return kept[1]
        if len(self._actions) >= self._LIMIT:
            self._actions.clear()
        text = self._rules.words(what)
        self._actions[id(what)] = what, text
        return text

    def named(self, text: str) -> str:
        """Return the text with the bots' names in place of seat numbers."""
        if "seat " not in text:
            return text
        named = self._named.get(text)  # the same in the parts of several seats
        if named is None:
            named = self._named[text] = _SEAT.sub(lambda found: self._bots.get(found[0], found[0]), text)
        return named


class Texts:
    """The texts of one file, each once, with their numbers."""

    def __init__(self, words: Words) -> None:
        """Begin without a text."""
        self._words = words
        self._numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        """Return the number of a text, a new one if it was not there yet."""
        return self._numbers.setdefault(text, len(self._numbers))

    def action_numbers(self, actions: Sequence[Action]) -> list[int]:
        """Return the numbers of actions' texts."""
        numbers, text = self._numbers, self._words.action
        return [numbers.setdefault(text(each), len(numbers)) for each in actions]

    def data(self) -> list[str]:
        """Return the texts with the bots' names, in the order of their numbers."""
        return [self._words.named(text) for text in self._numbers]
