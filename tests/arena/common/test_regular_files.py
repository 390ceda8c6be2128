"""Files that cannot be read: the reason is in words, never in numbers of the system's."""

from __future__ import annotations

import os
import resource
from pathlib import Path

import pytest

from arena.common.regular_files import read_regular, why_unread, write_atomic, write_private


def why(file: Path) -> str:
    with pytest.raises((OSError, ValueError)) as caught:
        read_regular(file, 10).decode("utf-8")
    return why_unread(caught.value)  # type: ignore[arg-type]


def test_what_cannot_be_read_is_said_in_words(tmp_path):
    (tmp_path / "latin").write_bytes(b"caf\xe9")
    (tmp_path / "long").write_bytes(bytes(11))
    (tmp_path / "circle").symlink_to("circle")
    os.mkfifo(tmp_path / "pipe")
    assert {name: why(tmp_path / name) for name in ("none", ".", "latin/x", "latin", "circle", "pipe", "n" * 300)} == {
        "none": "there is no such file",
        ".": "it is a folder",
        "latin/x": "what it should lie in is no folder",
        "latin": "it is no text in UTF-8",
        "circle": "it is a link that leads round in a circle",
        "pipe": "it is no regular file",
        "n" * 300: "its name is too long",
    }
    assert "more than" in why(tmp_path / "long")


@pytest.mark.parametrize(("write", "mode"), [(write_atomic, 0o644), (write_private, 0o600)])
def test_a_file_is_written_whole_or_stays_as_it_was(tmp_path, write, mode):
    file = tmp_path / "file"
    usual = os.umask(0o022)
    _, most = limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        write(file, b"before")
        resource.setrlimit(resource.RLIMIT_FSIZE, (10, most))
        with pytest.raises(OSError, match="file") as caught:
            write(file, bytes(11))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        os.umask(usual)
    assert caught.value.filename == str(file)
    assert (file.read_bytes(), file.stat().st_mode & 0o777) == (b"before", mode)
    assert list(tmp_path.iterdir()) == [file]
