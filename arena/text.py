"""Put a decision of any game into words for a language model, and read its answer.

A prompt is made of what a seat was sent and of nothing else: of the edition, its view, its actions and the events since
its last decision. `docs/language-models.md` shows one, and says what is read as an answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from arena.shipped.beside import rules_text
from engine.picture import Guided, Illustrated
from engine.rules import Action, Data, Rules

MARK: Final = "ANSWER"
_MOST_RULES: Final = 6000
"""Characters of rules that a game ships in Markdown."""
_MOST_READ: Final = 100_000
"""Characters of an answer, from its end, that are read."""
_FEW_PLACES: Final = 40
"""On a longer board only places that are something special are named."""
_FOR_SEARCH: Final = "hidden"
"""What of a view is for bots that draw worlds: numbers without words, and long."""
_TEXT: Final = "text"
_FORMAT: Final = f"Think as long as you like. End with one line, and write nothing behind it: {MARK}: <number>"


@dataclass(frozen=True)
class ModelAnswer:
    """What a language model chose."""

    index: int | None
    """The place of the action in the list. None: the answer cannot be read."""
    why: str = ""
    """Why it cannot be read, as the model may be told."""


def briefing(rules: Rules, edition: Data, players: int, seat: int) -> str:
    """Return what stays the same in a game: the rules in short, which seat is played, and how to answer."""
    parts = [f"You play {_title(rules)} with {players} players. Seats count from 0: you are seat {seat}."]
    board = rules.board(edition) if isinstance(rules, Illustrated) else {}
    if text := aim(board, players):
        parts += [text, *_board(board)]
    elif text := rules_text(rules).strip():
        parts.append(text if len(text) <= _MOST_RULES else f"{text[:_MOST_RULES].rpartition(chr(10))[0]}\n(cut)")
    settings = {key: value for key, value in edition.items() if isinstance(value, str | int) and key != "name"}
    settings |= edition.get("parameters") or {}
    if settings:
        parts.append("Settings: " + ", ".join(f"{key} {_plain(value)}" for key, value in settings.items()))
    return "\n\n".join([*parts, "You will be asked to choose one of several actions."])


def question(rules: Rules, edition: Data, view: Data, actions: Sequence[Action], events: Iterable[Data] = ()) -> str:
    """Return what a model is asked: what has happened, what its seat sees, and what it may do."""
    happened = [f"- {rules.words(event)}" for event in events if _TEXT not in event or "line" not in event]
    parts = ["Since your last decision:\n" + "\n".join(happened)] if happened else []
    parts.append("What you see now:\n" + "\n".join(_view(view)))
    if isinstance(rules, Guided):
        parts.append(rules.question(view, actions, edition))
    choices = [f"{index}: {rules.words(action)}" for index, action in enumerate(actions)]
    parts.append("Your actions:\n" + "\n".join(choices))
    return "\n\n".join([*parts, _FORMAT])


def complaint(why: str) -> str:
    """Return what a model is told whose answer cannot be read."""
    return f"Your answer cannot be read: {why}. {_FORMAT}"


def aim(board: Data, players: int) -> str:
    """Return the aim of a game of so many, by the `board` of an illustrated one; empty: it says none."""
    return str(board.get("goals", {}).get(str(players)) or board.get("goal") or "")


def _title(rules: Rules) -> str:
    return rules.name.partition(":")[2] or rules.name


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(", ", ": "))


def _view(view: Data) -> Iterator[str]:
    """Yield a view line by line; the text alone, if a game draws its position so."""
    if isinstance(text := view.get(_TEXT), str) and text:
        yield text
        return
    yield from (f"{key}: {_plain(value)}" for key, value in view.items() if value is not None and key != _FOR_SEARCH)


def _board(board: Data) -> Iterator[str]:
    """Yield what a board says of its places, terms and cards, in a paragraph each."""
    tickets = board.get("tickets", ())
    places = []
    for number, place in enumerate(board["places"]):
        kind = f" ({place['kind']})" if place.get("kind") else ""
        options = " or ".join("+".join(option) for option in tickets[number]) if number < len(tickets) else ""
        if kind or options or len(board["places"]) <= _FEW_PLACES:
            places.append(f"{number} {place['name']}{kind}" + (f" [the way on asks for {options}]" if options else ""))
    yield "Places: " + ", ".join(places)
    for heading, said in (
        ("Terms", board.get("terms", {})),
        ("Cards", {name: f"{card['title']}. {card['text']}" for name, card in board.get("cards", {}).items()}),
    ):
        if said:
            yield f"{heading}:\n" + "\n".join(f"- {name}: {meaning}" for name, meaning in said.items())


_STRICT: Final = re.compile(rf"{MARK}: (\d{{1,6}})")
_THOUGHTS: Final = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_MARKUP: Final = re.compile(r"[*_`>]+")
_LOOSE: Final = " .,;:!?()\"'"
"""What may stand around an answer and means nothing."""
_LONGEST: Final = 500
"""Characters of a line that may be an answer."""
_MARKED: Final = re.compile(rf"(?:final )?{MARK.lower()} ?: ?(-?\d{{1,6}})")
_LEAD: Final = (
    r"(?:so,? )?(?:i(?: will|'ll)? (?:choose|pick|play|take)|(?:my |the |final )*(?:answer|choice|action|move))(?: is)?"
)
_NUMBERED: Final = re.compile(rf"(?:{_LEAD})?[: ]*(?:(?:action|option|number) )?#?(-?\d{{1,6}})")
_LISTED: Final = re.compile(r"(\d{1,6}) ?[:.)] (.+)")
_WORDED: Final = re.compile(rf"{_LEAD}\b[: ]*(.+)")
_KEYS: Final = ("action", "answer", "index", "choice")
_MOST_OBJECTS: Final = 100


def parse(answer: str, actions: Sequence[Action], words: Callable[[Data], str], strict: bool = True) -> ModelAnswer:
    """Read an answer. It never chooses between two: an answer that names several actions cannot be read.

    Args:
        answer: All that the model said.
        actions: Those that were offered.
        words: What an action is in words, as `Rules.words`.
        strict: Whether the last line must be `ANSWER: <number>`. Else the first of these that is there will do: that
            line, the same line elsewhere or an object of JSON with an `action`, a last line that names an action by its
            number, and one that names it by its words; without what stands between `<think>` and `</think>`.
    """
    text = answer[-_MOST_READ:].strip()
    if found := _STRICT.fullmatch(_last(text)):
        return _of_one([int(found[1])], actions)
    if strict:
        return ModelAnswer(None, f"the last line is not {MARK}: <number>" if text else "it is empty")
    text = _THOUGHTS.sub("", text).strip().removesuffix("```").strip()
    said = [_folded(words(action)) for action in actions]
    for read in (_marked, _numbered, _worded):
        if numbers := list(dict.fromkeys(read(text, said))):
            return _of_one(numbers, actions)
    return ModelAnswer(None, "it names no action" if text else "it is empty")


def _of_one(numbers: Sequence[int], actions: Sequence[Action]) -> ModelAnswer:
    if len(numbers) > 1:
        return ModelAnswer(None, f"it names several actions: {', '.join(map(str, numbers[:5]))}")
    if not 0 <= numbers[0] < len(actions):
        return ModelAnswer(None, f"there is no action {numbers[0]}: they are numbered from 0 to {len(actions) - 1}")
    return ModelAnswer(numbers[0])


def _marked(text: str, said: Sequence[str]) -> Iterator[int]:
    """Yield the numbers that stand on a line as the answer, or in JSON under a name for it."""
    yield from (int(found[1]) for line in text.split("\n") if (found := _MARKED.fullmatch(_folded(line))))
    decoder, place = json.JSONDecoder(), 0
    for _ in range(_MOST_OBJECTS):
        if (place := text.find("{", place)) < 0:
            return
        try:
            value, place = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            place += 1
            continue
        for each in (value[key] for key in _KEYS if key in value):
            if isinstance(each, str) and not re.fullmatch(r"-?\d{1,6}", each):
                yield from _named(each, said)
            elif isinstance(each, str | int) and not isinstance(each, bool):
                yield int(each)


def _numbered(text: str, said: Sequence[str]) -> Iterator[int]:
    """Yield the number by which the last line names an action: with little else, or with the words of that action."""
    line = _folded(_last(text))
    listed = _LISTED.fullmatch(line)
    if found := _NUMBERED.fullmatch(line):
        yield int(found[1])
    elif listed and int(listed[1]) in _named(listed[2], said):
        yield int(listed[1])


def _worded(text: str, said: Sequence[str]) -> list[int]:
    """Return the actions whose words are the last line, which may begin as an answer does."""
    line = _last(text)
    found = _WORDED.fullmatch(_folded(line))
    return _named(line, said) or (_named(found[1], said) if found else [])


def _named(words: str, said: Sequence[str]) -> list[int]:
    return [index for index, each in enumerate(said) if each and each == _folded(words)]


def _last(text: str) -> str:
    return text.rpartition("\n")[2].strip()


def _folded(line: str) -> str:
    """Return a line without marks, capitals and what stands around it; nothing of one that is too long."""
    return "" if len(line) > _LONGEST else " ".join(_MARKUP.sub("", line).casefold().split()).strip(_LOOSE)
