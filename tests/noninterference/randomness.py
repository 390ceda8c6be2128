"""Record every use of randomness in a game, wherever in the arena or the engine it is, by the only two ways there are.

Everything random follows from a tournament's seed by `engine.chance`, which has one hash for all of it; and a few
places make a `random.Random` of what was derived there. Both are recorded here at their root, so that a stream that
comes new is among what is recorded without being named anywhere. Which modules may use anything else is written down
in `test_randomness.py`.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import blake2b
from typing import Any, NamedTuple
from unittest.mock import patch

from engine import chance


class Use(NamedTuple):
    """One use of randomness."""

    kind: str
    """`derived`: a seed from another; `drawn`: a number of a stream; `seeded`: a `Random`."""
    key: bytes
    """What it follows from; of a `Random` its seed."""
    what: bytes
    """The purpose, or the stream with the number in it; of a `Random` the module that made it."""
    given: bytes = b""


Alters = Callable[[bytes], bool]
"""Whether what is derived for that purpose is altered."""


class _Hash:
    """As `hashlib.blake2b`, and recorded."""

    def __init__(self, uses: list[Use], alters: Alters, data: bytes, **named: Any) -> None:
        self._given = uses, alters, named
        self._data = data
        self._hash = blake2b(data, **named)

    def copy(self) -> _Hash:
        uses, alters, named = self._given
        return _Hash(uses, alters, self._data, **named)

    def update(self, data: bytes) -> None:
        self._data += data
        self._hash.update(data)

    def digest(self) -> bytes:
        uses, alters, named = self._given
        given = self._hash.digest()
        is_derived = named.get("person") == b"derive"
        if is_derived and alters(self._data):
            given = bytes(byte ^ 0x5A for byte in given)
        uses.append(Use("derived" if is_derived else "drawn", named["key"], self._data, given))
        return given


@contextmanager
def recording(alters: Alters = lambda what: False) -> Iterator[list[Use]]:
    """Record all uses. `alters`: purposes for which something else is derived than would be."""
    uses: list[Use] = []
    plain = random.Random.seed

    def seed(self: random.Random, *given: Any, **named: Any) -> None:
        module = sys._getframe(2).f_globals.get("__name__", "")
        if module.partition(".")[0] in ("arena", "engine"):
            [value] = given or named.values() or (None,)
            key = value if isinstance(value, bytes) else repr(value).encode()
            uses.append(Use("seeded", key, module.encode()))
        plain(self, *given, **named)

    def hashed(data: bytes = b"", **named: Any) -> _Hash:
        return _Hash(uses, alters, data, **named)

    with patch.object(chance, "blake2b", hashed), patch.object(random.Random, "seed", seed):
        yield uses
