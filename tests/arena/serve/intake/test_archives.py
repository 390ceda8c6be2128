"""What is unpacked becomes one bot, and hostile archives become nothing."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import stat
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

from arena.entrants import expand
from arena.serve.intake import UnpackError
from arena.serve.intake.archives import UnpackBounds, unpack

BOUNDS = UnpackBounds(1 << 20, 50)
BOT = {"bot.toml": b"command = ['{python}', 'main.py']\n", "main.py": b"import helper\n", "sub/helper.txt": b"x"}


def zipped(file: Path, files: dict, **more) -> Path:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data, **more)
    return file


def entry(name: str, size: int = 0, **values) -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.size = size
    for key, value in values.items():
        setattr(made, key, value)
    return made


def tarred(file: Path, entries, mode: Any = "w") -> Path:
    with tarfile.open(file, mode) as archive:
        for made, data in entries:
            archive.addfile(made, io.BytesIO(data))
    return file


def bot_entries(prefix: str = ""):
    return [(entry(prefix + name, len(data), mode=0o755), data) for name, data in BOT.items()]


def files(folder: Path) -> dict[str, bytes]:
    return {each.relative_to(folder).as_posix(): each.read_bytes() for each in folder.rglob("*") if each.is_file()}


def refused(received: Path, bounds: UnpackBounds = BOUNDS) -> str:
    place = received.parent / "place"
    with pytest.raises(UnpackError) as found:
        unpack(received, place, bounds)
    assert not place.exists()
    assert not place.with_name("place.new").exists()
    return str(found.value)


def test_every_kind_of_archive_and_a_folder_become_the_same_bot(tmp_path: Path) -> None:
    plain = tarred(tmp_path / "t", bot_entries("mine/"))
    packed = [plain, zipped(tmp_path / "z", {f"a/b/{name}": data for name, data in BOT.items()})]
    for module in (gzip, bz2, lzma):
        packed.append(tmp_path / module.__name__)
        packed[-1].write_bytes(module.compress(plain.read_bytes()))
    folder = tmp_path / "folder"
    for name, data in {**BOT, ".git/config": b"secret", "__pycache__/x": b"", "node_modules/y": b""}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    (folder / ".venv").symlink_to("/")
    for number, received in enumerate([*packed, folder]):
        place = tmp_path / f"place{number}"
        unpack(received, place, BOUNDS)
        assert files(place) == BOT
        unpack(tmp_path / "gone", place, BOUNDS)  # it is there
    assert os.access(tmp_path / "place0" / "main.py", os.X_OK)
    assert sorted(each.name for each in tmp_path.iterdir() if "new" in each.name) == []


def test_one_python_file_gets_a_manifest_and_several_do_not(tmp_path: Path) -> None:
    (tmp_path / "my bot.py").write_text("x = 1\n")
    unpack(tmp_path / "my bot.py", tmp_path / "a", BOUNDS)
    [bot] = expand([tmp_path / "a"]).found
    assert (bot.name, bot.command) == ("my bot", (sys.executable, "./my bot.py"))
    unpack(zipped(tmp_path / "z", {"x/one.py": b"", "x/data.txt": b""}), tmp_path / "b", BOUNDS)
    assert (tmp_path / "b" / "bot.toml").is_file()
    assert "2 .py files and no bot.toml" in refused(zipped(tmp_path / "two", {"one.py": b"", "two.py": b""}))
    assert "no .py file and no bot.toml" in refused(zipped(tmp_path / "none", {"read.me": b""}))
    assert "there is nothing in it" in refused(zipped(tmp_path / "empty", {".hidden": b""}))
    (tmp_path / "text").write_text("hello")
    assert "is no .zip, .tar" in refused(tmp_path / "text")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("/etc/passwd", "leads out"),
        ("a/../../x", "leads out"),
        ("a\\..\\x", "no name for a file here"),
        ("new\nline", "no name for a file here"),
        ("n" * 201, "no name for a file here"),
        ("/".join("d" * 21), "lies deeper than 20"),
    ],
)
def test_names_that_lead_out_or_cannot_be_are_refused(tmp_path: Path, name: str, why: str) -> None:
    assert why in refused(zipped(tmp_path / "z", {**BOT, name: b"x"}))
    assert why in refused(tarred(tmp_path / "t", [*bot_entries(), (entry(name, 1), b"x")]))


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"type": tarfile.SYMTYPE, "linkname": "/etc/passwd"}, "x is a link, a device or the like"),
        ({"type": tarfile.SYMTYPE, "linkname": "main.py"}, "x is a link, a device or the like"),
        ({"type": tarfile.LNKTYPE, "linkname": "main.py"}, "x is a link, a device or the like"),
        ({"type": tarfile.FIFOTYPE}, "x is a link, a device or the like"),
        ({"type": tarfile.CHRTYPE, "devmajor": 1, "devminor": 5}, "x is a link, a device or the like"),
        ({"mode": 0o4755}, "x would run with the rights of another user"),
    ],
)
def test_a_tar_may_hold_files_and_folders_only(tmp_path: Path, values: dict, why: str) -> None:
    assert why in refused(tarred(tmp_path / "t", [*bot_entries(), (entry("x", **values), b"")]))


def test_a_zip_may_hold_files_and_folders_only(tmp_path: Path) -> None:
    info = zipfile.ZipInfo("x")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    assert "x is a link, a device or the like" in refused(zipped(tmp_path / "l", {info: b"/etc/passwd"}))
    locked = zipped(tmp_path / "e", {"x.py": b"1"}).read_bytes()
    at = locked.index(b"PK\1\2") + 8
    (tmp_path / "e").write_bytes(locked[:at] + b"\1" + locked[at + 1 :])
    assert "x.py is encrypted" in refused(tmp_path / "e")


def test_names_twice_and_names_that_differ_in_case_only_are_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "z", "w") as archive:
        archive.writestr("a.py", b"1")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("a.py", b"2")
    assert "a.py is there twice" in refused(tmp_path / "z")
    assert "are one file on some systems" in refused(zipped(tmp_path / "c", {"a/x.py": b"", "A/y.py": b""}))
    assert "are one file on some systems" in refused(zipped(tmp_path / "u", {"é": b"", "e\u0301": b""}))
    assert "a file and a folder at once" in refused(zipped(tmp_path / "f", {"a": b"", "a/b": b""}))


def test_bombs_are_refused_before_they_fill_anything(tmp_path: Path) -> None:
    zeros = bytes(3 << 20)
    assert "more than 1 MiB" in refused(zipped(tmp_path / "z", {"x.py": zeros}))
    assert "more than 1 MiB" in refused(tarred(tmp_path / "t", [(entry("x.py", len(zeros)), zeros)], "w:gz"))
    hidden = [(entry(f".x{number}", 1 << 20), zeros[: 1 << 20]) for number in range(3)]
    assert "more than" in refused(tarred(tmp_path / "h", hidden, "w:gz")), "what is left out is read, too"
    lying = zipped(tmp_path / "lie", {"x.py": zeros})
    data = lying.read_bytes().replace(len(zeros).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    lying.write_bytes(data)
    assert refused(lying)
    assert "more than 50 files" in refused(zipped(tmp_path / "many", {f"f{number}": b"" for number in range(10_000)}))
    assert "more than 50 files" in refused(zipped(tmp_path / "dirs", {f"f{number}/": b"" for number in range(51)}))


def test_damaged_archives_are_refused(tmp_path: Path) -> None:
    good = zipped(tmp_path / "z", {"x.py": os.urandom(1000)}).read_bytes()
    made = gzip.compress(tarred(tmp_path / "t", bot_entries()).read_bytes())
    for data in (
        good[:-30],
        good[:200] + bytes(50) + good[250:],
        made[:60],
        made[:40],
        b"PK\3\4",
        b"BZhx",
        b"\xfd7zXZ\0",
    ):
        (tmp_path / "bad").write_bytes(data)
        assert refused(tmp_path / "bad")


def test_a_folder_may_hold_files_and_folders_only(tmp_path: Path) -> None:
    for name, make in {
        "link": lambda path: path.symlink_to("/etc/passwd"),
        "folder": lambda path: path.symlink_to("/etc"),
        "pipe": os.mkfifo,
    }.items():
        folder = tmp_path / name / "mine"
        folder.mkdir(parents=True)
        (folder / "x.py").write_text("")
        make(folder / "odd")
        assert "odd" in refused(folder)
    (tmp_path / "through").symlink_to(tmp_path)
    (tmp_path / "alone.py").symlink_to("/etc/passwd")
    assert "alone.py cannot be read" in refused(tmp_path / "alone.py")
    os.mkfifo(tmp_path / "pipe.py")
    assert "pipe.py is a link, a device or the like" in refused(tmp_path / "pipe.py")
