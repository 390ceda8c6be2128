"""Serve the regular files within a folder, and nothing else."""

from __future__ import annotations

import os
from http import HTTPStatus
from pathlib import Path
from typing import BinaryIO, Final
from urllib.parse import unquote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

_TYPES: Final = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".json": "application/json",
    ".jsonl": "application/jsonl",
    ".csv": "text/csv",
    ".md": "text/markdown",
    ".xml": "application/atom+xml; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".webp": "image/webp",
}
"""Content types by suffix. `mimetypes` would depend on the machine."""
_PIECE: Final = 65536


class Files:
    """Answers requests for the files of a folder."""

    def __init__(self, folder: Path, under: str = "") -> None:
        """Take the folder to serve. `under`: where its files begin on the site, as `/replay`."""
        self._folder = folder.resolve()
        self._under = under

    async def answer(self, request: Request) -> Response:
        """Send a file or the first page of a folder, or redirect to it. Raises `HTTPException`."""
        found = within(self._folder, request.scope["raw_path"].decode("ascii").removeprefix(self._under))
        if found is None:
            raise HTTPException(HTTPStatus.NOT_FOUND, "there is no such page")
        if found.is_dir():
            address = f"{self._under}/{found.relative_to(self._folder).as_posix()}/"
            return Response(status_code=HTTPStatus.MOVED_PERMANENTLY, headers={"Location": address})
        try:
            file = found.open("rb")
        except OSError:
            raise HTTPException(HTTPStatus.NOT_FOUND, "there is no such page") from None
        return _OpenFile(file, _TYPES.get(found.suffix, "application/octet-stream"))


class _OpenFile(Response):
    """Sends a file that is already open.

    Starlette's `FileResponse` reads the length first and opens the file later. In between its page may be published
    again.
    """

    def __init__(self, file: BinaryIO, media_type: str) -> None:
        self._file = file
        size = os.fstat(file.fileno()).st_size
        super().__init__(media_type=media_type, headers={"Content-Length": str(size)})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._file:
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            while scope["method"] != "HEAD" and (piece := self._file.read(_PIECE)):
                await send({"type": "http.response.body", "body": piece, "more_body": True})
            await send({"type": "http.response.body", "body": b""})


def within(folder: Path, path: str) -> Path | None:
    """Return the file that a path names, or the first page of a folder. Return None if it names nothing to serve.

    For the name of a folder without a slash at the end, return the folder itself if it has a first page. `folder` must
    be resolved.
    """
    if not path.startswith("/"):
        return None
    try:
        *folders, name = unquote(path, errors="strict").split("/")[1:]
        if any(not part or part.startswith(".") for part in folders) or name.startswith("."):
            return None  # upwards, or hidden files
        file = folder.joinpath(*folders, name or "index.html").resolve()
        if not file.is_relative_to(folder):
            return None
        if file.is_dir():
            return file if (file / "index.html").is_file() else None
        return file if file.is_file() else None
    except (OSError, ValueError):  # no name for a file
        return None
