"""Render the messages of a trace as lines of text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from arena.common.printable import printable
from engine.rules import Rules

_MARGIN = " " * 14


class Traffic:
    """Renders the messages of one game. It remembers what each seat was asked, to say what an answer means."""

    def __init__(self, rules: Rules, bots: Sequence[str]) -> None:
        """Take the bots' names, by seat."""
        self._rules = rules
        self._bots = bots
        self._asked: dict[int, Mapping[str, Any]] = {}
        self._words: dict[str, Callable[[int, Mapping[str, Any]], list[str]]] = {
            "hello": self._hello,
            "welcome": lambda _, message: ["welcome"],
            "start": self._start,
            "decide": self._decide,
            "act": self._act,
            "fault": self._fault,
            "end": lambda _, message: [f"end: {message['ending']}, ranks {message['ranks']}"],
            "bye": lambda _, message: ["bye"],
        }

    def lines(self, line: Mapping[str, Any]) -> list[str]:
        """Return one entry of a trace as lines."""
        way = "to" if "to" in line else "from"
        seat: int = line[way]
        first, *more = self._message(seat, line)
        head = f"{line['ms']:>9.1f} ms  {way} {self._bots[seat]}: {first}"
        return [printable(each) for each in (head, *(_MARGIN + each for each in more))]

    def _message(self, seat: int, line: Mapping[str, Any]) -> list[str]:
        if "hex" in line:
            return [f"no message: {line['hex'][:80]}"]
        message = line["message"]
        kind = str(message.get("type")) if isinstance(message, dict) else ""
        try:
            return self._words[kind](seat, message)
        except (KeyError, TypeError, ValueError, IndexError):  # of a bot whatever may come
            return [f"no message: {message!r}"[:200]]

    def _hello(self, _seat: int, message: Mapping[str, Any]) -> list[str]:
        major, minor = message["protocol"]
        return [f"hello: {message['name']} {message.get('version', '')}".rstrip() + f", protocol {major}.{minor}"]

    def _start(self, _seat: int, message: Mapping[str, Any]) -> list[str]:
        where = f"seat {message['seat']} of {message['players']}, {_time(message['clock'])}"
        return [f"start of {message['game']} ({message['edition'].get('name', '')}), {where}"]

    def _decide(self, seat: int, message: Mapping[str, Any]) -> list[str]:
        self._asked[seat] = message
        head = f"decide {message['turn']}: {len(message['actions'])} actions, {_time(message['clock'])}; news:"
        news = [self._rules.words(event) for event in message["events"]] or ["nothing"]
        actions = [f"{index}: {self._rules.words(action)}" for index, action in enumerate(message["actions"])]
        return [f"{head} {'; '.join(news)}", *actions]

    def _act(self, seat: int, message: Mapping[str, Any]) -> list[str]:
        index, asked = message["index"], self._asked.get(seat)
        words = f"act for turn {message['turn']}: {index!r}"
        if asked is not None and asked["turn"] == message["turn"] and index in range(len(asked["actions"])):
            words += f", {self._rules.words(asked['actions'][index])}"
        more = {key: message[key] for key in ("note", "metrics") if message.get(key)}
        return [words, *(f"{key}: {value}" for key, value in more.items())]

    def _fault(self, _seat: int, message: Mapping[str, Any]) -> list[str]:
        return [
            f"fault {message['code']} at turn {message['turn']}: {message['text']}",
            f"strikes left: {message['strikes_left']}",
        ]


def _time(clock: Mapping[str, int] | None) -> str:
    return "no clock" if clock is None else f"{clock['move']} ms and {clock['bank']} ms in the bank"
