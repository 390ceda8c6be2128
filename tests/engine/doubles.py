"""Sources of chance whose numbers a test chooses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.chance import Chance


class Lowest(Chance):
    """A source that always returns the lowest number."""

    def below(self, stream: str, bound: int) -> int:
        """Return 0."""
        return 0

    def copy(self) -> Lowest:
        """Return this object: it has no state."""
        return self


class Highest(Chance):
    """A source that always returns the highest number."""

    def below(self, stream: str, bound: int) -> int:
        """Return `bound` - 1."""
        return bound - 1

    def copy(self) -> Highest:
        """Return this object: it has no state."""
        return self


class Scripted(Chance):
    """A source that returns the numbers of a script for each stream, and then those of another source."""

    def __init__(self, script: Mapping[str, Iterable[int]], otherwise: Chance | None = None) -> None:
        """Take the numbers of each stream from `script`.

        Args:
            script: The numbers that `below` returns, by stream.
            otherwise: The source for streams without a script or with a used-up one; by default `Lowest`.
        """
        self._script = {stream: list(numbers) for stream, numbers in script.items()}
        self._otherwise = otherwise if otherwise is not None else Lowest()

    def below(self, stream: str, bound: int) -> int:
        """Return the script's next number. ValueError: it is not from 0 to `bound` - 1."""
        numbers = self._script.get(stream)
        if not numbers:
            return self._otherwise.below(stream, bound)
        number = numbers.pop(0)
        if not 0 <= number < bound:
            raise ValueError(f"the script of stream {stream!r} says {number}, but 0 to {bound - 1} was asked for")
        return number

    def copy(self) -> Scripted:
        """Return an independent source that continues exactly as this one would."""
        return Scripted(self._script, self._otherwise.copy())
