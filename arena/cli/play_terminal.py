"""Play at a table from a terminal, or with piped input: what `arena play --text` prints and reads."""

from __future__ import annotations

import json
import os
import select
import sys
from collections.abc import Callable, Sequence
from itertools import groupby, takewhile
from typing import Any, Final, NamedTuple

from wcwidth import wrap

from arena.cli import terminal
from arena.cli.narration import happened, mistakes_in_words, places, route_in_words, standings, view_lines
from arena.common.printable import printable
from arena.play.rules_in_words import aim_in_words, explained
from arena.play.table import PlayTable
from arena.web.visitors import BulletinMessage, NotNowError, Visitor
from engine.rules import Data, Rules

_CHUNK: Final = 4096
_LONGEST: Final = 65536
"""Bytes of a line; what is longer is cut into several."""


class InputLine(NamedTuple):
    """A line that was read."""

    text: str
    is_end: bool = False
    """Whether there will be no more."""


class LineReader:
    """Reads lines of a file descriptor."""

    def __init__(self, descriptor: int) -> None:
        """Take the descriptor."""
        self._descriptor = descriptor
        self._buffer = b""
        self._is_at_end = False

    def line(self, seconds: float) -> InputLine | None:
        """Return the next line without blanks around it. None: there is none within so many seconds."""
        while b"\n" not in self._buffer and len(self._buffer) < _LONGEST:
            if self._is_at_end:
                rest, self._buffer = self._buffer, b""
                return InputLine(_decoded(rest)) if rest.strip() else InputLine("", is_end=True)
            if not self._read(seconds):
                return None
        line, _, self._buffer = self._buffer.partition(b"\n")
        return InputLine(_decoded(line))

    def _read(self, seconds: float) -> bool:
        try:
            if not select.select([self._descriptor], [], [], seconds)[0]:
                return False
            data = os.read(self._descriptor, _CHUNK)
        except (OSError, ValueError):  # closed, or another process's terminal
            data = b""
        self._buffer += data
        self._is_at_end = not data
        return True


def _decoded(line: bytes) -> str:
    return line.decode("utf-8", "replace").strip()


_INDENT: Final = 6
_ALIKE: Final = 3
"""So many choices or more that look alike have a heading, in a list of more than `_PLAIN`."""
_PLAIN: Final = 9
_POLL: Final = 0.2
"""Seconds between two looks at the messages while somebody types."""
_SOON: Final = 2.0
"""Seconds after which it is said who thinks."""
_CLEAR: Final = "\x1b[2J\x1b[3J\x1b[H"
_DIGITS: Final = 9
"""Of a number that is typed so many are read, without zeros before it: no list is as long."""
_BLANK_LINES: Final = 100
"""Printed at a curtain where nothing can be cleared: more than a screen has, so that the hand above is out of sight."""
KEYS: Final = (
    "NUMBER   plays the choice of that number",
    "WORDS    narrow the list to the choices that say them; Enter plays the one that is left, u undoes",
    "l        lists the choices again",
    "h        asks a bot for a hint",
    "? WORD   explains a word, a card or a rule",
    "help, ?  show this",
    "q        leaves the game, which then does not count",
)
BEGINNING: Final = "type the number of a choice to play it, or ? for all keys"
ENDED: Final = "the input has ended: the game is left, and does not count"
LEFT: Final = "the game is left, and does not count"


def say(text: str = "") -> None:
    """Print lines, wrapped by words to the width of the terminal."""
    width = terminal.terminal_width()
    for line in text.split("\n"):
        lines = wrap(line, width, subsequent_indent=" " * _INDENT) if width and line.strip() else [line]
        terminal.say("\n".join(lines))


class TerminalPlayer:
    """Plays for one visitor, in a thread of its own. `left` says afterwards why a game was left; empty: none was."""

    def __init__(
        self, table: PlayTable, visitor: Visitor, rules: Rules, edition: Data, reader: LineReader, may_clear: bool
    ) -> None:
        """Take the table and where to read from. `may_clear`: whether the screen can be cleared."""
        self._table = table
        self._visitor = visitor
        self._rules = rules
        self._edition = edition
        self._reader = reader
        self._may_clear = may_clear
        self._fixed: dict[str, Any] = {}
        self._turn: dict[str, Any] | None = None
        self._curtain: dict[str, Any] | None = None
        self._narrowed: list[list[int]] = []
        self._is_over = False
        self._is_weighed = False
        self._has_asked = False
        self._awaits_hint = False
        self._said = 0
        """How many public steps of the game are on the screen."""
        self._view: dict[str, str] | None = None
        """Of a game without pictures, what was seen last."""
        self._said_where: int | None = None
        """The seat for which it was said last where all are."""
        self._thinks: int | None = None
        """The seat whose decision is awaited."""
        self._has_said_who_thinks = False
        self.left = ""

    def run(self) -> None:
        """Play until the table is left."""
        try:
            number = 0
            while not self._table.is_left:
                messages = self._visitor.bulletin.wait(number, 0.0 if self._may_read else _SOON)
                for message in messages:
                    number = max(number, message.number)
                    self._take(message)
                if not messages and not self._may_read:
                    self._say_who_thinks()
                if self._may_ask_again and not self._has_asked:
                    self._has_asked = True
                    say("another game? y plays one, anything else ends")
                if self._may_read:
                    self._read()
        finally:
            self._table.leave()

    @property
    def _may_ask_again(self) -> bool:
        return self._is_over and self._is_weighed

    @property
    def _may_read(self) -> bool:
        """Whether something is asked of the person. What comes from a pipe waits for the answer to a hint."""
        if self._awaits_hint:
            return False
        return self._turn is not None or self._curtain is not None or self._may_ask_again

    def _take(self, message: BulletinMessage) -> None:
        takers: dict[str, Callable[[dict[str, Any]], None]] = {
            "table": self._begin, "lobby": self._lobby, "curtain": self._hide, "turn": self._show, "live": self._live,
            "over": self._end,
            "void": self._void, "hint": self._hint, "fault": self._fault, "mistakes": self._mistakes,
            "thinking": self._think,
        }  # fmt: skip
        if message.event in takers:
            takers[message.event](json.loads(message.text()))

    def _say_who_thinks(self) -> None:
        if not self._has_said_who_thinks and self._thinks is not None:
            self._has_said_who_thinks = True
            say(f"{printable(self._fixed['bots'][self._thinks])} is thinking ...")

    # What comes

    def _begin(self, fixed: dict[str, Any]) -> None:
        self._fixed = fixed
        self._is_over = self._is_weighed = self._has_asked = False
        self._is_weighed = not fixed["weighs"]
        self._left_to_weigh = set(fixed["mine"])
        self._said_where, self._said, self._view = None, 0, None
        seats = ", ".join(
            f"seat {seat}: {printable(bot)}" + (" (a person)" if seat - 1 in fixed["persons"] else "")
            for seat, bot in enumerate(fixed["bots"], start=1)
        )
        say(f"{fixed['game']}, edition {printable(fixed['edition'])}: {seats}")
        if fixed["number"] == 1:
            say(BEGINNING)

    def _lobby(self, lobby: dict[str, Any]) -> None:
        if not lobby["ready"]:
            self._table.begin(self._visitor)

    def _hide(self, curtain: dict[str, Any]) -> None:
        self._turn, self._curtain, self._said = None, curtain, 0
        if self._may_clear:
            sys.stdout.write(_CLEAR)
            sys.stdout.flush()
        else:
            say("\n" * (_BLANK_LINES - 1))
        say(f"--- {printable(curtain['name'])}: press Enter when only you can see this ---")

    def _show(self, turn: dict[str, Any]) -> None:
        # Without a curtain what is on the screen counts alone: in a game that goes on that is nothing.
        known = turn if self._curtain is not None else {**turn, "since": 0}
        self._curtain, self._turn, self._narrowed, self._awaits_hint = None, turn, [], False
        self._say_what_happened(known)
        self._view = turn["view"]
        self._say_where_all_are(turn)
        name = printable(self._fixed["bots"][turn["seat"]])
        if turn["view"] is not None:  # a game without pictures
            say(f"{name}, your turn. This is what you know{', and what is new (*)' if turn['view_before'] else ''}:")
            for line in view_lines(turn["view"], turn["view_before"]):
                say(line)
        else:
            cards = (self._fixed.get("board") or {}).get("cards", {})
            hand = [printable(cards.get(card, {}).get("title", card)) for card in turn["hand"]]
            say(f"{name}, your hand: {', '.join(hand) or 'empty'}")
        if turn.get("question"):
            say(printable(turn["question"]))
        self._list()

    def _say_what_happened(self, known: dict[str, Any]) -> None:
        for line in happened({**known, "since": max(known["since"], self._said)}):
            say(line)
        self._said = len(known["public"]["steps"])

    def _live(self, live: dict[str, Any]) -> None:
        self._turn = None
        self._say_what_happened({**live, "since": 0, "own": live["own"] or {"steps": {}}})
        if live["view"] is not None:
            for line in view_lines(live["view"], self._view) if self._view is not None else ():
                if line.startswith("*"):
                    say(line)
            self._view = live["view"]

    def _say_where_all_are(self, turn: dict[str, Any]) -> None:
        """Print where everybody is, but once only while nobody else does anything."""
        is_news = any(step[0] != turn["seat"] for step in turn["public"]["steps"][turn["since"] :])
        if turn["seat"] == self._said_where and not is_news:
            return
        self._said_where = turn["seat"]
        board = self._fixed.get("board")
        for line in places(turn["public"], board, self._fixed["mine"]):
            say(line)
        if way := route_in_words(turn["public"], board, turn["seat"]):
            say(f"  {way}")

    def _end(self, over: dict[str, Any]) -> None:
        if self._is_over:
            return  # again, now with its replay
        self._turn, self._curtain, self._is_over, self._awaits_hint = None, None, True, False
        self._say_what_happened(over)
        for line in standings(over["public"]):
            say(line)
        say(f"recorded as {printable(str(over['id']))} in {printable(str(over['ledger']))}")
        if not self._fixed["weighs"]:
            say(f"where choices cost most is not said: {self._fixed['game']} draws no worlds that a view allows")

    def _void(self, void: dict[str, Any]) -> None:
        self._turn, self._curtain, self._is_over, self._is_weighed, self._awaits_hint = None, None, True, True, False
        say(f"the game failed through no fault of its players: {printable(void['text'])}")

    def _hint(self, hint: dict[str, Any]) -> None:
        self._awaits_hint = False
        if self._turn is None or self._turn["decision"] != hint["decision"]:
            return
        if hint["index"] is None:
            say(printable(hint["error"]))
        else:
            words = self._turn["choices"][hint["index"]]["text"]
            say(f"{printable(hint['bot'])} would take {hint['index'] + 1}: {printable(words)}")

    def _fault(self, fault: dict[str, Any]) -> None:
        self._awaits_hint = False
        self._turn = None if fault["code"] == "late" else self._turn
        say(f"! {fault['code']}: {printable(fault['text'])} (strikes left: {fault['strikes_left']})")

    def _think(self, thinking: dict[str, Any]) -> None:
        self._has_said_who_thinks = self._has_said_who_thinks and self._thinks == thinking["seat"]
        self._thinks = thinking["seat"]

    def _mistakes(self, found: dict[str, Any]) -> None:
        if not found["done"]:
            return
        self._left_to_weigh.discard(found["seat"])
        self._is_weighed = not self._left_to_weigh
        for line in mistakes_in_words(found, printable(self._fixed["bots"][found["seat"]])):
            say(line)

    # What is typed

    def _read(self) -> None:
        line = self._reader.line(_POLL)
        if line is None:
            return
        if line.is_end:
            self.left = "" if self._is_over else ENDED
            self._table.leave()
        elif self._turn is None and self._curtain is None:
            self._answer_again(line.text)
        else:
            try:
                self._obey(line.text)
            except NotNowError as error:
                say(str(error))

    def _answer_again(self, text: str) -> None:
        if text.lower() in ("y", "yes"):
            self._is_over = False
            self._table.want_rematch(self._visitor)
        else:
            self._table.leave()

    def _obey(self, text: str) -> None:
        if text == "q":
            self.left = LEFT
            self._table.leave()
        elif self._curtain is not None:
            self._table.show(self._visitor, self._curtain["decision"])
        elif text.startswith("?") or text.lower() == "help":
            self._explain(text[1:].strip() if text.startswith("?") else "")
        elif self._turn is not None:
            self._choose(self._turn, text)

    def _explain(self, word: str) -> None:
        if word:
            lines = explained(self._rules, self._edition, word, terminal.terminal_width())
        else:
            players = self._fixed.get("players", 0)
            lines = [*aim_in_words(self._rules, self._edition, players, terminal.terminal_width()), *KEYS]
        for line in lines:
            terminal.say(printable(line))

    def _choose(self, turn: dict[str, Any], text: str) -> None:
        if text == "h":
            self._table.hint(self._visitor, turn["decision"])
            self._awaits_hint = True
        elif text in ("l", "u"):
            del self._narrowed[-1 if text == "u" else len(self._narrowed) :]
            self._list()
        elif text.isascii() and text.isdecimal():
            self._play(turn, int(text.lstrip("0")[:_DIGITS] or "0") - 1)
        elif not text:
            if len(self._left) == 1:
                self._play(turn, self._left[0])
        else:
            self._narrow(turn, text)

    @property
    def _left(self) -> Sequence[int]:
        """The choices that are left after narrowing."""
        assert self._turn is not None
        return self._narrowed[-1] if self._narrowed else range(len(self._turn["choices"]))

    def _narrow(self, turn: dict[str, Any], text: str) -> None:
        words = text.lower().split()
        fitting = [
            index for index in self._left if all(word in turn["choices"][index]["text"].lower() for word in words)
        ]
        if not fitting:
            say(f"nothing in the list says {printable(text)}")
            return
        self._narrowed.append(fitting)
        self._list()

    def _play(self, turn: dict[str, Any], index: int) -> None:
        count = len(turn["choices"])
        if not 0 <= index < count:
            say(f"there are {count} choices: type 1 to {count}" if count > 1 else "there is one choice: type 1")
            return
        self._table.choose(self._visitor, turn["decision"], index)
        self._turn = None

    def _list(self) -> None:
        assert self._turn is not None
        choices = self._turn["choices"]
        texts = {index: printable(choices[index]["text"]) for index in self._left}
        for _, same in groupby(
            self._left, lambda index: (choices[index]["action"].get("do"), texts[index].split(" ")[0])
        ):
            indices = list(same)
            is_group = len(texts) > _PLAIN and len(indices) >= _ALIKE
            columns = zip(*(texts[index].split(" ") for index in indices), strict=False)
            begin = " ".join(words[0] for words in takewhile(lambda words: len(set(words)) == 1, columns))
            if is_group:
                say(f"      {begin} ...")
            for index in indices:
                say(f"{index + 1:>4}  {texts[index].removeprefix(begin if is_group else '').strip()}")
        if self._narrowed:
            say("Enter plays it, u undoes" if len(self._left) == 1 else "narrowed: u undoes")
        deadline = self._turn.get("deadline")
        if deadline is not None:
            say(f"{deadline / 1000:.0f} s to choose")
