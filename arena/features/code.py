"""Writing the one function that fills in a view's raw numbers: without it, every view would go through all its shapes.

A shape adds statements; `Code.function` compiles them. What they know nothing of (a new text, a list of another length)
raises an exception there, and the shapes themselves then write the view, slowly, and count it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

_MOST_KEPT: Final = 1 << 11


@dataclass(frozen=True)
class RawPlace:
    """Where in the raw numbers a statement writes: at a place that is fixed, or counted from a variable."""

    base: str
    add: int

    def __add__(self, more: int) -> RawPlace:
        """Return the place so many numbers further on."""
        return RawPlace(self.base, self.add + more)

    def __str__(self) -> str:
        """Return the place as an expression."""
        return f"{self.base} + {self.add}" if self.base else str(self.add)


class Kept(dict[Any, Any]):
    """What was made of lists that were met: from one view to the next, most stay the same."""

    def __init__(self, make: Callable[[Any], Any]) -> None:
        """Begin with none; `make` raises an exception for what does not fit."""
        self._make = make

    def __missing__(self, key: Any) -> Any:
        """Make something of a list, and keep it."""
        if len(self) >= _MOST_KEPT:
            self.clear()
        found = self[key] = self._make(key)
        return found


class Code:
    """The statements of a function so far, and the tables that they look up."""

    def __init__(self, head: str, spare: int) -> None:
        """Begin a function.

        Args:
            head: Its first line.
            spare: A place in the raw numbers that nobody reads.
        """
        self.spare = spare
        self._lines = [head]
        self._tables: dict[str, Any] = {"join": b"".join}
        self._depth = 1
        self._names = 0

    def add(self, line: str) -> None:
        """Add a statement."""
        self._lines.append("    " * self._depth + line)

    def variable(self, value: str | None = None) -> str:
        """Return a new name; `value`: add a statement that assigns this expression to it."""
        self._names += 1
        if value is not None:
            self.add(f"x{self._names} = {value}")
        return f"x{self._names}"

    def table(self, value: object) -> str:
        """Return the name by which the statements find this object."""
        self._names += 1
        self._tables[f"t{self._names}"] = value
        return f"t{self._names}"

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Put the statements that are added meanwhile under this line."""
        self.add(head)
        self._depth += 1
        before = len(self._lines)
        yield
        if len(self._lines) == before:
            self.add("pass")
        self._depth -= 1

    def chunk(self, value: str, at: RawPlace, width: int, make: Callable[[Any], bytes]) -> None:
        """Add that the numbers of a list of constants, so many, are looked up."""
        self.add(f"b[{at}:{at + width}] = {self.table(Kept(make))}[tuple({value})]")

    def refuse_unless(self, condition: str) -> None:
        """Add that the shapes themselves have to write what does not fulfil a condition."""
        self.add(f"if not ({condition}): raise KeyError")

    @property
    def source(self) -> str:
        """The text of the function."""
        return "\n".join(self._lines)

    def function(self, name: str) -> Callable[..., Any]:
        """Compile the function of that name."""
        space = dict(self._tables)
        exec(compile(self.source, f"<{name}>", "exec"), space)
        made: Callable[..., Any] = space[name]
        return made
