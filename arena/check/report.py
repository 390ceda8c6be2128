"""What `arena check` reports about each step: its outcome and, for a failure, what was sent, what came, what to do."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import msgspec

from arena.common.decoding_words import in_words

Outcome = Literal["passed", "failed", "skipped"]
HEX_BYTES: Final = 64 * 1024
"""The most bytes of a frame that are shown in hex; a bot may send 256 KiB."""


@dataclass(frozen=True)
class Requirement:
    """A requirement of the protocol in the words of one of its sections, and advice for the bot's author."""

    section: str
    says: str
    advice: str


@dataclass(frozen=True)
class ShownFrame:
    """A frame for people: its meaning (or why it has none), its beginning in hex, its size in bytes."""

    text: str
    hex: str
    size: int


@dataclass(frozen=True)
class Problem:
    """Why a step failed."""

    what: str
    requirement: Requirement
    sent: Sequence[ShownFrame] = ()
    """What the bot was sent last, the newest at the end."""
    came: Sequence[ShownFrame] = ()
    """What the bot sent."""
    stderr: str = ""
    """The last lines of the bot's standard error."""
    stdout: str = ""
    """The last lines of its standard output, where standard error has none."""


@dataclass(frozen=True)
class StepResult:
    """The result of a step. `detail`: what was found, or why it was skipped; `problem`: why it failed."""

    number: int
    step: str
    title: str
    section: str
    outcome: Outcome
    seconds: float
    detail: str = ""
    problem: Problem | None = None


class Failed(Exception):
    """A step found something wrong with the bot."""

    def __init__(self, problem: Problem) -> None:
        """Raise with all that is known about the problem."""
        super().__init__(problem.what)
        self.problem = problem


class Skipped(Exception):
    """A step does not apply to this bot, or decides nothing; the message says why."""


def shown(frame: bytes | None) -> ShownFrame:
    """Describe a frame for people. None: a message of several parts."""
    if frame is None:
        return ShownFrame("a message of several parts", "", 0)
    return ShownFrame(_meaning(frame), frame[:HEX_BYTES].hex(), len(frame))


def _meaning(frame: bytes) -> str:
    try:
        meaning = msgspec.msgpack.decode(frame[: 2 * HEX_BYTES])
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        if frame and looks_like_text(frame):
            return f"not msgpack, but the text {frame[:200].decode('utf-8', 'replace')!r}"
        return f"not msgpack: {in_words(error)}" if frame else "an empty frame"
    try:
        return json.dumps(meaning, ensure_ascii=False, default=repr)
    except (TypeError, ValueError, RecursionError):
        return repr(meaning)


def looks_like_text(frame: bytes) -> bool:
    """Return whether a frame is printable text, such as JSON."""
    try:
        text = frame[:1000].decode()
    except UnicodeDecodeError:
        return False
    return len(text) > 1 and all(char.isprintable() or char in "\r\n\t" for char in text)
