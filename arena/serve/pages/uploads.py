"""Read files that submitters upload: a few at a time, of which none holds up the others."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import BinaryIO, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request

from arena.web.events import EXTENSION
from arena.web.posts import pieces

_MOST: Final = 8
"""Under way at a time; of one member, one."""
_SLOW: Final = 10.0
"""Seconds that an upload has at least, before it makes room for others if it is the slowest."""


@dataclass
class _Reading:
    """A file that is being read."""

    limit: asyncio.Timeout
    since: float
    size: int = 0


class Uploads:
    """The uploads that are under way."""

    def __init__(self, folder: Path) -> None:
        """Take the folder for files that are not whole yet."""
        self._folder = folder
        self._members: set[str] = set()
        self._reading: dict[str, _Reading] = {}

    def check(self, member: str) -> None:
        """Raise `HTTPException` if there is no room for an upload of this member."""
        if member in self._members or (len(self._members) >= _MOST and not self._makes_room()):
            raise HTTPException(HTTPStatus.SERVICE_UNAVAILABLE, "another upload is under way: try again after it")

    def _makes_room(self) -> bool:
        """End the upload that comes most slowly, if there is one that has had its time."""
        now = asyncio.get_running_loop().time()
        pace = {who: each.size / (now - each.since) for who, each in self._reading.items() if now - each.since > _SLOW}
        if pace:
            self._reading.pop(min(pace, key=pace.__getitem__)).limit.reschedule(now)
        return bool(pace)

    @asynccontextmanager
    async def file(self, request: Request, member: str, most: int) -> AsyncIterator[Path]:
        """Give the body of a request as a file, which is there within the context. Raises `HTTPException`."""
        if (last_long := request.scope.get("extensions", {}).get(EXTENSION)) is not None:
            last_long()
        self._members.add(member)
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            handle, path = tempfile.mkstemp(dir=self._folder)
            try:
                with os.fdopen(handle, "wb") as file:
                    size = await self._read(request, member, most, file)
                if not size:
                    raise HTTPException(HTTPStatus.BAD_REQUEST, "the file is empty")
                yield Path(path)
            finally:
                Path(path).unlink(missing_ok=True)
        except OSError as error:
            why = f"it could not be kept: {error.strerror}. Ask an organiser"
            raise HTTPException(HTTPStatus.INSUFFICIENT_STORAGE, why) from None
        finally:
            self._members.remove(member)

    async def _read(self, request: Request, member: str, most: int, file: BinaryIO) -> int:
        try:
            async with asyncio.timeout(None) as limit:
                found = self._reading[member] = _Reading(limit, asyncio.get_running_loop().time())
                async for piece in pieces(request, most):
                    found.size += file.write(piece)
        except TimeoutError:
            raise HTTPException(HTTPStatus.SERVICE_UNAVAILABLE, "it came too slowly, and others wait") from None
        finally:
            self._reading.pop(member, None)
        return found.size
