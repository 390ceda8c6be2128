"""Seeded random numbers in named streams.

Every purpose (a deck, the die, a seat's blind pick) draws from a stream of its own, so that the number of draws for one
purpose never changes the numbers of another. Stream `s` of seed `k` is the sequence BLAKE2b(key=k, data=s ‖ counter),
read as 64-bit numbers. A reader of some of the numbers can compute neither the key nor the other numbers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, MutableSequence
from hashlib import blake2b, shake_128
from struct import unpack
from typing import Final, TypeVar

T = TypeVar("T")

FIRST_PLAYER: Final = "first player"
"""The stream from which a game draws who begins, as its first number below the number of players.

The arena chooses the seeds of a block's games so that each of its bots begins one of them. A game in which the others
cannot begin, or in which it is not drawn, need not draw from this stream.
"""

_SPAN = 1 << 64
_BLOCKS = (1 << 6, 1 << 11)


def derive(seed: bytes, *path: str | int) -> bytes:
    """Derive a 128-bit seed for the purpose `path`, from which `seed` cannot be computed."""
    return blake2b("/".join(map(str, path)).encode(), key=seed, digest_size=16, person=b"derive").digest()


class Chance(ABC):
    """A source of random numbers in named streams."""

    __slots__ = ()

    @abstractmethod
    def below(self, stream: str, bound: int) -> int:
        """Return a number from 0 to `bound` - 1."""

    @abstractmethod
    def copy(self) -> Chance:
        """Return an independent source that continues exactly as this one would."""

    def roll(self, stream: str) -> int:
        """Roll a six-sided die: return 1 to 6."""
        return 1 + self.below(stream, 6)

    def shuffle(self, stream: str, items: MutableSequence[T]) -> None:
        """Shuffle `items` in place (Fisher-Yates)."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(stream, last + 1)
            items[last], items[other] = items[other], items[last]


class Seeded(Chance):
    """The source for real games: numbers depend only on the seed, the stream's name and the count of earlier draws."""

    __slots__ = ("_drawn", "_keyed", "_seed")

    def __init__(self, seed: bytes) -> None:
        """Start all streams of a seed. `seed`: 16 to 64 bytes, else ValueError."""
        if not 16 <= len(seed) <= 64:
            raise ValueError(f"a seed has 16 to 64 bytes, not {len(seed)}")
        self._begin(seed, {})

    def _begin(self, seed: bytes, drawn: dict[str, int]) -> None:
        self._seed = seed
        self._keyed = blake2b(key=seed, digest_size=8)  # copied for each number, which is faster than to begin anew
        self._drawn = drawn

    def __getstate__(self) -> tuple[bytes, dict[str, int]]:
        """Return what to pickle or deep-copy: a hash cannot be."""
        return self._seed, self._drawn

    def __setstate__(self, state: tuple[bytes, dict[str, int]]) -> None:
        """Go on from there."""
        self._begin(*state)

    def below(self, stream: str, bound: int) -> int:
        """Return a number from 0 to `bound` - 1, all equally likely."""
        drawn = self._drawn.get(stream, 0)
        limit = _SPAN - _SPAN % bound
        while True:
            numbered = self._keyed.copy()
            numbered.update(f"{stream}/{drawn}".encode())
            drawn += 1
            number = int.from_bytes(numbered.digest(), "little")
            if number < limit:
                self._drawn[stream] = drawn
                return number % bound

    def copy(self) -> Seeded:
        """Return an independent source that continues exactly as this one would."""
        clone = Seeded.__new__(Seeded)
        clone._seed = self._seed
        clone._keyed = self._keyed
        clone._drawn = self._drawn.copy()
        return clone


def fractions(chance: Chance, stream: str) -> Iterator[float]:
    """Generate numbers from 0 (included) to 1 (excluded) without end, at the cost of two draws from `stream`.

    Each number has 32 binary places. They must not guard a secret: the two numbers drawn determine all of them.
    """
    key = b"".join(chance.below(stream, 1 << 48).to_bytes(6, "little") for _ in range(2))
    number = 0
    size, most = _BLOCKS  # many need only a few numbers
    while True:
        block = shake_128(key + number.to_bytes(4, "little")).digest(4 * size)
        yield from [value * 2.0**-32 for value in unpack(f"<{size}I", block)]
        number += 1
        size = min(2 * size, most)


def mix(random: Iterator[float], items: MutableSequence[T]) -> None:
    """Shuffle `items` in place by numbers of `fractions` (Fisher-Yates)."""
    for last in range(len(items) - 1, 0, -1):
        other = int(next(random) * (last + 1))
        items[last], items[other] = items[other], items[last]
