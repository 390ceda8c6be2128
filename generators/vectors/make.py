"""Writes the golden vectors in `docs/vectors` and the worked session in `protocol.md`.

After a change that is meant to change them,

    python -m generators.vectors.make

in the project's folder writes them anew; read the difference before you commit it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from generators.vectors.games import SOURCES
from generators.vectors.samples import Vector, data, malformed, messages
from generators.vectors.session import Frame, session
from generators.vectors.zmtp import stream

FOLDER = Path(__file__).parents[2] / "docs" / "vectors"
DOCUMENT = FOLDER.parent.parent / "protocol.md"
SESSION = ("<!-- session: begin, written by generators/vectors/make.py -->\n", "<!-- session: end -->\n")
_WIDTH = 118
_HEX_BYTES = 36


def files() -> dict[str, Callable[[], str]]:
    """What makes each file's text, by the file's name."""
    return {
        "messages.json": lambda: _listing(map(_of_vector, messages())),
        "malformed.json": lambda: _listing(
            {"name": broken.name, "why": broken.why, "hex": broken.frame.hex()} for broken in malformed()
        ),
        "zmtp.json": lambda: _listing(stream()),
    } | {f"{name}.json": partial(_of_game, name) for name in SOURCES}


def _of_game(name: str) -> str:
    return _listing(map(_of_vector, data(name)))


def _of_vector(vector: Vector) -> dict[str, Any]:
    return {"name": vector.name, "from": vector.sender, "hex": vector.frame.hex(), "json": vector.meaning}


def _listing(entries: Iterator[dict[str, Any]]) -> str:
    """A JSON list, one line a key, so that a change can be read."""
    texts = []
    for entry in entries:
        lines = [f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in entry.items()]
        texts.append("{\n" + ",\n".join(lines) + "\n}")
    return "[\n" + ",\n".join(texts) + "\n]\n"


def session_text() -> str:
    """The worked session as Markdown: every frame in hex and as the JSON that it means."""
    return "\n".join(_frame_text(number, frame) for number, frame in enumerate(session(), start=1))


def _frame_text(number: int, frame: Frame) -> str:
    lines = "\n".join(
        frame.frame[start : start + _HEX_BYTES].hex(" ", -4) for start in range(0, len(frame.frame), _HEX_BYTES)
    )
    return (
        f"**Frame {number}**, {frame.sender}, `{frame.message['type']}`, {len(frame.frame)} bytes: {frame.remark}\n\n"
        f"```hex\n{lines}\n```\n\n```json\n{pretty(frame.message)}\n```\n"
    )


def pretty(value: Any, indent: int = 0) -> str:
    """JSON that is broken into lines only where it is too long for one."""
    text = json.dumps(value, ensure_ascii=False)
    if len(text) + indent <= _WIDTH - 20 or not isinstance(value, dict | list):
        return text
    inner = " " * (indent + 2)
    if isinstance(value, dict):
        parts = [f"{inner}{json.dumps(key)}: {pretty(each, indent + 2)}" for key, each in value.items()]
        return "{\n" + ",\n".join(parts) + "\n" + " " * indent + "}"
    parts = [inner + pretty(each, indent + 2) for each in value]
    return "[\n" + ",\n".join(parts) + "\n" + " " * indent + "]"


def document_with(text: str, document: str) -> str:
    """`document` with `text` as its worked session."""
    begin, end = SESSION
    before, rest = document.split(begin)
    return before + begin + text + rest[rest.index(end) :]


def main() -> None:
    """Write everything."""
    for name, make in files().items():
        (FOLDER / name).write_text(make(), "utf-8")
    DOCUMENT.write_text(document_with(session_text(), DOCUMENT.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
