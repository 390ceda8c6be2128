"""A view as rows for people, where a game has no pictures: by what name a view has something, and its value in words.

A view may have a `text`, by which a game draws a position itself, with line breaks: it stands in place of the rows.

On pages the view of a spectator follows the events that everybody may read: it is that of the decision after the event.
What it shows of numbers that `State.scores` has, too, as a list by seat of the same name, becomes a curve. Of the
scores themselves only the names are looked at before the end, since they may count what is hidden.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, Final

from arena.common.printable import shorten
from engine.rules import Data, State

TEXT: Final = "text"
_UNSHOWN: Final = ("seat", "tensor")
_MOST: Final = 60
"""Rows."""
_WIDEST: Final = 200
"""Characters of a value."""
_LONGEST: Final = 4000
"""Characters of a text."""
_NONE: Final = "–"

Rows = dict[str, str]


def rows(view: Data) -> Rows:
    """Return a view as rows, or its `text` alone if it has one. What is null has no row."""
    text = view.get(TEXT)
    if isinstance(text, str) and text:
        return {TEXT: shorten(text, _LONGEST)}
    found: Rows = {}
    for label, value in view.items():
        if label not in _UNSHOWN:
            _add(found, str(label), value)
    return dict(islice(found.items(), _MOST))


def after(seen: Rows, what: Mapping[str, Any]) -> Rows:
    """Return a view's text after an event that says from which `line` on it is another `text`; else as it was."""
    line, text = what.get("line"), what.get(TEXT)
    if TEXT not in seen or not isinstance(line, int) or not isinstance(text, str):
        return seen
    return {TEXT: shorten("\n".join([*seen[TEXT].split("\n")[:line], text]), _LONGEST)}


def _add(found: Rows, label: str, value: Any) -> None:
    if isinstance(value, Mapping) and value:
        parts: Sequence[tuple[Any, Any]] = list(value.items())
    elif isinstance(value, list | tuple) and any(isinstance(each, Mapping | list | tuple) for each in value):
        parts = list(enumerate(value))
    else:
        if value is not None:
            found[label] = shorten(_in_words(value), _WIDEST)
        return
    for key, each in parts:
        if len(found) > _MOST:
            return
        _add(found, f"{label} {key}", each)


def _in_words(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(_in_words, value)) or _NONE
    if isinstance(value, bool):
        return "yes" if value else "no"
    return _NONE if value is None or value == {} else str(value)


class PublicView:
    """What a spectator sees of a game without pictures, as it changes."""

    def __init__(self, state: State) -> None:
        """Begin with the state before the first event."""
        scores = state.scores()
        self._names = [name for name in scores[0] if all(name in each for each in scores)] if scores else []
        self._players = len(scores)
        self.rows: Rows = {}
        """All rows as they were shown last, those of scores with them."""
        self.start = self.now = self._of(state)

    def _of(self, state: State) -> Data:
        view = state.view(None)
        self.rows = rows(view)
        scores = {name: list(view[name]) for name in self._names if self._is_by_seat(view.get(name))}
        return {"rows": {label: each for label, each in self.rows.items() if label not in scores}, "scores": scores}

    def _is_by_seat(self, value: Any) -> bool:
        return (
            isinstance(value, list | tuple)
            and len(value) == self._players
            and all(type(each) in (int, float) for each in value)
        )

    def changes(self, state: State) -> Data:
        """Return what changed since it was asked last: rows that are new or others, with null those that are gone."""
        before, self.now = self.now, self._of(state)
        now = self.now
        found: dict[str, Any] = {}
        changed = {label: each for label, each in now["rows"].items() if before["rows"].get(label) != each}
        if changed | (gone := dict.fromkeys(label for label in before["rows"] if label not in now["rows"])):
            found["rows"] = changed | gone
        if scores := {name: each for name, each in now["scores"].items() if before["scores"].get(name) != each}:
            found["scores"] = scores
        return found

    def besides(self, view: Data) -> Rows:
        """Return the rows of a seat's view that are not as they were shown to all."""
        return {label: each for label, each in rows(view).items() if self.rows.get(label) != each}
