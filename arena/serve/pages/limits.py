"""Bound how often somebody may ask: a few at once, then at a pace. Nothing that strangers send makes it grow."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from http import HTTPStatus
from typing import Final

from starlette.exceptions import HTTPException

_KEYS: Final = 4096


class RateLimit:
    """At most so many requests of each key within some seconds. Of too many keys, the longest silent is forgotten."""

    def __init__(self, seconds: float, clock: Callable[[], float]) -> None:
        """Take the seconds, and the clock that they go by."""
        self._seconds, self._clock = seconds, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def check(self, key: str, most: int) -> None:
        """Count a request. Raises `HTTPException` if there were more than `most` within the seconds."""
        now, pace = self._clock(), most / self._seconds
        left, since = self._left.pop(key, (float(most), now))
        left = min(float(most), left + max(0.0, now - since) * pace)
        self._left[key] = max(left - 1, 0.0), now
        if len(self._left) > _KEYS:
            self._left.popitem(last=False)
        if left < 1:
            wait = {"Retry-After": str(round((1 - left) / pace) + 1)}
            raise HTTPException(HTTPStatus.TOO_MANY_REQUESTS, "too many requests: wait a while", wait)
