"""Unpack what was received within bounds: an archive, a single .py file, or a folder, which is copied.

What an archive says of itself is never trusted: bytes are counted as they come out. Nothing but files and folders is
made, each within the one folder.
"""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import json
import lzma
import os
import stat
import tarfile
import unicodedata
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Final, cast

import msgspec

from arena.common.printable import printable
from arena.common.removal import remove
from arena.entrants.fingerprint import CACHES
from arena.entrants.manifest import FILE
from arena.entrants.shortage import is_shortage
from arena.serve.intake import UnpackError

_DEEPEST: Final = 20
_LONGEST: Final = 200
_CHUNK: Final = 1 << 16
_HEADER: Final = 10_240
"""Bytes that an archive may have for each file besides those of the file."""
_UNTOLD: Final = ("__MACOSX",)


class UnpackBounds(msgspec.Struct, frozen=True):
    """The most that is unpacked."""

    bytes: int
    files: int
    """Folders are counted, too."""


class _Writer:
    """Writes files and folders below a folder, as long as they are within bounds."""

    def __init__(self, root: Path, bounds: UnpackBounds) -> None:
        self._root, self._bounds = root, bounds
        self._bytes = 0
        self._kinds: dict[tuple[str, ...], bool] = {(): False}
        """By path, whether it is a file."""
        self._spelled: dict[tuple[str, ...], tuple[str, ...]] = {}

    def place(self, name: str) -> tuple[str, ...] | None:
        """Return where an entry belongs. None: it is no source, and left out. Raises `UnpackError`."""
        shown = printable(name)[:80]
        parts = tuple(part for part in name.split("/") if part not in ("", "."))
        if name.startswith("/") or ".." in parts:
            raise UnpackError(f"{shown} is a name that leads out of the archive: pack the bot's folder again")
        if any(part.startswith(".") or part in CACHES or part in _UNTOLD for part in parts):
            return None
        if len(parts) > _DEEPEST:
            raise UnpackError(f"{shown} lies deeper than {_DEEPEST} folders: put the files higher up")
        for part in parts:
            if "\\" in part or not part.isprintable() or len(part.encode("utf-8", "surrogateescape")) > _LONGEST:
                raise UnpackError(
                    f"{shown} is no name for a file here: at most {_LONGEST} bytes that can be printed, without \\"
                )
        return parts

    def folder(self, parts: tuple[str, ...]) -> None:
        """Make a folder, with those above it."""
        for length in range(1, len(parts) + 1):
            if self._kinds.get(parts[:length]):
                raise UnpackError(f"{'/'.join(parts[:length])} is a file and a folder at once")
            if parts[:length] not in self._kinds:
                self._add(parts[:length], is_file=False)
                self._root.joinpath(*parts[:length]).mkdir()

    def file(self, parts: tuple[str, ...], data: IO[bytes], mode: int) -> None:
        """Write a file."""
        if mode & (stat.S_ISUID | stat.S_ISGID):
            raise UnpackError(f"{'/'.join(parts)} would run with the rights of another user: take that bit away")
        self.folder(parts[:-1])
        if parts in self._kinds:
            raise UnpackError(f"{'/'.join(parts)} is there twice: pack the bot's folder again")
        self._add(parts, is_file=True)
        file = self._root.joinpath(*parts)
        with file.open("xb") as out:
            while chunk := data.read(_CHUNK):
                self._bytes += len(chunk)
                if self._bytes > self._bounds.bytes:
                    raise UnpackError(f"it holds more than {self._bounds.bytes >> 20} MiB, which is the most")
                out.write(chunk)
        if mode & stat.S_IXUSR:
            file.chmod(0o755)

    def _add(self, parts: tuple[str, ...], is_file: bool) -> None:
        alike = tuple(unicodedata.normalize("NFC", part).casefold() for part in parts)
        if self._spelled.setdefault(alike, parts) != parts:
            raise UnpackError(
                f"{'/'.join(parts)} and {'/'.join(self._spelled[alike])} are one file on some systems: rename one"
            )
        self._kinds[parts] = is_file
        if len(self._kinds) - 1 > self._bounds.files:
            raise UnpackError(f"it holds more than {self._bounds.files} files and folders, which is the most")


class _Counting(io.RawIOBase):
    """What comes out of a compressed file, up to a number of bytes."""

    def __init__(self, data: IO[bytes], most: int) -> None:
        self._data, self._left, self._most = data, most, most

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        found = self._data.read(min(size if size >= 0 else _CHUNK, _CHUNK))
        self._left -= len(found)
        if self._left < 0:
            raise UnpackError(f"it holds more than {self._most >> 20} MiB, which is the most")
        return found


def unpack(received: Path, place: Path, bounds: UnpackBounds) -> None:
    """Make a folder with the bot that was received, unless it is there.

    Args:
        received: The archive, the .py file or the folder.
        place: The folder to make.
        bounds: The most that it may hold.

    Raises:
        UnpackError: It cannot be a bot.
        OSError: The system lacks something.
    """
    fresh = place.with_name(f"{place.name}.new")
    remove(str(fresh))
    if place.exists():
        return
    fresh.mkdir()
    try:
        _write(received, _Writer(fresh, bounds))
        top = _top(fresh)
        _add_manifest(top)
        settle(top)
        top.rename(place)
    except MemoryError:
        raise UnpackError("it takes too much memory to read: pack it as .zip, without special settings") from None
    except UnpackError:
        raise
    except Exception as error:  # many kinds come from the readers of archives, which have not met every archive
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise UnpackError(f"it is damaged, or of a kind that is not read here ({error}): pack it again") from None
    finally:
        remove(str(fresh))


def copy(entry: Path, folder: Path, bounds: UnpackBounds) -> None:
    """Copy a file, or a folder with what is source in it, into a folder, though its owner may change it meanwhile.

    Raises `UnpackError` for links and the like and for what is out of bounds, and `OSError`.
    """
    if entry.is_dir():
        (folder / entry.name).mkdir()
        _copy(entry, _Writer(folder / entry.name, bounds))
    else:
        with _opened(str(entry), None) as file:
            _Writer(folder, bounds).file((entry.name,), file, 0)


def _write(received: Path, writer: _Writer) -> None:
    if received.is_dir():
        _copy(received, writer)
        return
    with _opened(str(received), None) as file:
        begin = file.read(512)
        file.seek(0)
        opened: dict[bytes, Any] = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\0": lzma.open}
        if begin.startswith((b"PK\3\4", b"PK\5\6")):
            _unzip(file, writer)
        elif make := next((make for magic, make in opened.items() if begin.startswith(magic)), None):
            with make(file) as data:
                _untar(data, writer)
        elif begin[257:262] == b"ustar":
            _untar(file, writer)
        elif received.suffix == ".py":
            parts = writer.place(received.name)
            if parts is None:
                raise UnpackError(f"{printable(received.name)} is no name for a bot: it begins with a dot")
            writer.file(parts, file, 0)
        else:
            raise UnpackError(
                f"{printable(received.name)} is no .zip, .tar, .tar.gz, .tar.xz, .tar.bz2, .py file or folder"
            )


@contextlib.contextmanager
def _opened(name: str, folder: int | None) -> Iterator[IO[bytes]]:
    """Open a regular file. Raises `UnpackError` for anything else."""
    try:
        # A named pipe would wait for a writer, and a link may lead anywhere.
        handle = os.open(name, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
    except OSError as error:
        if is_shortage(error):
            raise
        raise UnpackError(f"{printable(Path(name).name)} cannot be read: {error.strerror}") from None
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise _no_file(Path(name).name)
        yield file


def _copy(folder: Path, writer: _Writer) -> None:
    # Whoever put the folder there may change it meanwhile, so everything is opened from the folder that it is in.
    for here, names, files, handle in os.fwalk(folder, onerror=_unreadable, follow_symlinks=False):
        base = Path(here).relative_to(folder)
        for name in list(names):
            parts = writer.place((base / name).as_posix())
            if parts is None:
                names.remove(name)
            elif stat.S_ISLNK(os.stat(name, dir_fd=handle, follow_symlinks=False).st_mode):
                raise _no_file("/".join(parts))
            else:
                writer.folder(parts)
        for name in files:
            if (parts := writer.place((base / name).as_posix())) is not None:
                with _opened(name, handle) as file:
                    writer.file(parts, file, os.fstat(file.fileno()).st_mode)


def _no_file(name: str) -> UnpackError:
    return UnpackError(f"{printable(name)} is a link, a device or the like: a bot consists of files and folders")


def _unreadable(error: OSError) -> None:
    if is_shortage(error):
        raise error
    raise UnpackError(f"{printable(Path(str(error.filename)).name)} cannot be read: {error.strerror}")


def _unzip(file: IO[bytes], writer: _Writer) -> None:
    with zipfile.ZipFile(file) as archive:
        for entry in archive.infolist():
            mode = entry.external_attr >> 16 if entry.create_system == 3 else 0
            if (parts := writer.place(entry.filename)) is None:
                continue
            if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
                raise _no_file("/".join(parts))
            if entry.flag_bits & 1:
                raise UnpackError(f"{'/'.join(parts)} is encrypted: pack it without a password")
            if entry.is_dir():
                writer.folder(parts)
                continue
            with archive.open(entry) as data:
                writer.file(parts, data, mode)


def _untar(data: IO[bytes], writer: _Writer) -> None:
    bounds = writer._bounds
    counting = cast(Any, _Counting(data, bounds.bytes + bounds.files * _HEADER))
    with tarfile.open(fileobj=counting, mode="r|") as archive:
        for entry in archive:
            if (parts := writer.place(entry.name)) is None:
                continue
            if entry.isdir():
                writer.folder(parts)
            elif entry.isreg() and (content := archive.extractfile(entry)) is not None:
                writer.file(parts, content, entry.mode)
            else:
                raise _no_file("/".join(parts))
            archive.members = []  # type: ignore[attr-defined]  # else it keeps all of them


def _top(folder: Path) -> Path:
    """Return the folder with the bot: a folder that is alone in another one stands for it."""
    while len(found := list(folder.iterdir())) == 1 and found[0].is_dir():
        folder = found[0]
    if not found:
        raise UnpackError(f"there is nothing in it: put in a .py file, or a folder with {FILE}")
    return folder


def _add_manifest(folder: Path) -> None:
    """Write the `bot.toml` of a bot that is one .py file. Raises `UnpackError` if it is not known what the bot is."""
    if (folder / FILE).is_file():
        return
    programs = [file for file in folder.iterdir() if file.suffix == ".py" and not file.name.startswith("__")]
    if len(programs) != 1:
        what = f"{len(programs)} .py files" if programs else "no .py file"
        raise UnpackError(f"it has {what} and no {FILE}, which says how a bot is started: see `arena docs write-a-bot`")
    words = ["{python}", f"./{programs[0].name}"]
    text = f'name = {json.dumps(programs[0].stem)}\ncommand = {json.dumps(words)}\nlanguage = "Python"\n'
    (folder / FILE).write_text(text, "utf-8")


def entries(path: Path) -> Iterator[tuple[str, os.stat_result]]:
    """Generate a file, or a folder with everything in it, each with its path from there and its status.

    Links are not followed, and what cannot be read, or lies too deep for a path, is left out.
    """
    left = [""]
    while left:
        name = left.pop()
        with contextlib.suppress(OSError):
            status = os.lstat(path / name)
            yield name, status
            if stat.S_ISDIR(status.st_mode):
                left += [f"{name}/{below}".lstrip("/") for below in os.listdir(path / name)]  # noqa: PTH208


def settle(folder: Path) -> None:
    """Write a folder to the disk, so that a power cut does not take what was said to be there."""
    for name, status in entries(folder):
        if stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode):
            handle = os.open(folder / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
