"""Seeded randomness in named streams, and doubles of it for tests.

Every purpose (a deck, the die, a seat's blind pick) draws from a stream of its own, so that how often one purpose
draws never shifts another's numbers. Stream `s` of seed `k` is the sequence BLAKE2b(key=k, data=s ‖ counter), read as
64-bit numbers: whoever sees some of its numbers can compute neither the key nor the others.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, MutableSequence
from hashlib import blake2b, shake_128
from struct import unpack
from typing import TypeVar

T = TypeVar("T")

_SPAN = 1 << 64
_BLOCK = 1 << 11


def derive(seed: bytes, *path: str | int) -> bytes:
    """A 128-bit seed for the purpose `path`, from which `seed` cannot be computed."""
    return blake2b("/".join(map(str, path)).encode(), key=seed, digest_size=16, person=b"derive").digest()


class Chance(ABC):
    """A source of random numbers in named streams."""

    __slots__ = ()

    @abstractmethod
    def below(self, stream: str, bound: int) -> int:
        """A number from 0 to `bound` - 1."""

    @abstractmethod
    def copy(self) -> Chance:
        """An independent source that goes on exactly as this one would."""

    def roll(self, stream: str) -> int:
        """A six-sided die."""
        return 1 + self.below(stream, 6)

    def shuffle(self, stream: str, items: MutableSequence[T]) -> None:
        """Put `items` into random order, in place (Fisher and Yates)."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(stream, last + 1)
            items[last], items[other] = items[other], items[last]


class Seeded(Chance):
    """The real thing: every number follows from the seed, the stream's name and how often it was drawn from."""

    __slots__ = ("_drawn", "_seed")

    def __init__(self, seed: bytes) -> None:
        """`seed`: 16 to 64 bytes."""
        if not 16 <= len(seed) <= 64:
            raise ValueError(f"a seed has 16 to 64 bytes, not {len(seed)}")
        self._seed = seed
        self._drawn: dict[str, int] = {}

    def below(self, stream: str, bound: int) -> int:
        """A number from 0 to `bound` - 1, all equally likely."""
        drawn = self._drawn.get(stream, 0)
        limit = _SPAN - _SPAN % bound
        while True:
            digest = blake2b(f"{stream}/{drawn}".encode(), key=self._seed, digest_size=8).digest()
            drawn += 1
            number = int.from_bytes(digest, "little")
            if number < limit:
                self._drawn[stream] = drawn
                return number % bound

    def copy(self) -> Seeded:
        """An independent source that goes on exactly as this one would."""
        clone = Seeded.__new__(Seeded)
        clone._seed = self._seed
        clone._drawn = self._drawn.copy()
        return clone


class Lowest(Chance):
    """Test double: always the lowest number."""

    def below(self, stream: str, bound: int) -> int:
        """0."""
        return 0

    def copy(self) -> Lowest:
        """Itself: it has no state."""
        return self


class Highest(Chance):
    """Test double: always the highest number."""

    def below(self, stream: str, bound: int) -> int:
        """`bound` - 1."""
        return bound - 1

    def copy(self) -> Highest:
        """Itself: it has no state."""
        return self


class Scripted(Chance):
    """Test double: the numbers of a script, stream by stream; where a script is silent or used up, another source."""

    def __init__(self, script: Mapping[str, Iterable[int]], otherwise: Chance | None = None) -> None:
        """`script`: for a stream the numbers that `below` gives; `otherwise`: the source after it (default lowest)."""
        self._script = {stream: list(numbers) for stream, numbers in script.items()}
        self._otherwise = otherwise if otherwise is not None else Lowest()

    def below(self, stream: str, bound: int) -> int:
        """The script's next number. ValueError: it is not below `bound`."""
        numbers = self._script.get(stream)
        if not numbers:
            return self._otherwise.below(stream, bound)
        number = numbers.pop(0)
        if not 0 <= number < bound:
            raise ValueError(f"the script of stream {stream!r} says {number}, but 0 to {bound - 1} was asked for")
        return number

    def copy(self) -> Scripted:
        """An independent source that goes on exactly as this one would."""
        return Scripted(self._script, self._otherwise.copy())


def fractions(chance: Chance, stream: str) -> Iterator[float]:
    """Numbers from 0 to 1, 1 left out, without end: many for the price of the two that are drawn from `stream`.

    They have 32 binary places, and are no secret worth keeping: whoever has the two numbers has all of them.
    """
    key = b"".join(chance.below(stream, 1 << 48).to_bytes(6, "little") for _ in range(2))
    number = 0
    while True:
        block = shake_128(key + number.to_bytes(4, "little")).digest(4 * _BLOCK)
        yield from [value * 2.0**-32 for value in unpack(f"<{_BLOCK}I", block)]
        number += 1
