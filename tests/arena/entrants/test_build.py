"""Bots are copied into a cache and built there, once."""

from __future__ import annotations

import json
import os
import pickle
import threading
from pathlib import Path
from typing import Any

import pytest

from arena.entrants import BuildFailed, Built, Entrant, build, expand, is_built
from arena.entrants.build import CacheError, default_cache


def _bot(folder: Path, build_source: str, more: str = "") -> Entrant:
    """A folder bot whose build command is this Python script."""
    bot = folder / "bot"
    bot.mkdir(exist_ok=True)
    (bot / "make.py").write_text(build_source)
    (bot / "bot.toml").write_text(f"command = './bot'\nbuild = ['{{python}}', 'make.py']\n{more}")
    return expand([bot]).found[0]


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def _counting(folder: Path) -> str:
    """A build script that leaves one line more at every run."""
    return f"open({str(folder / 'count')!r}, 'a').write('built\\n')\nopen('made', 'w').write('made')\n"


def test_a_single_file_is_copied_alone(tmp_path: Path, cache: Path) -> None:
    (tmp_path / "one.py").write_text("print(1)")
    (tmp_path / "two.py").write_text("print(2)")
    built = build(expand([tmp_path / "one.py"]).found[0], cache)
    assert (built.folder / "one.py").read_text() == "print(1)"
    assert not (built.folder / "two.py").exists()
    assert pickle.loads(pickle.dumps(built)) == built


def test_the_copy_outlives_an_edit_of_the_source(tmp_path: Path, cache: Path) -> None:
    source = tmp_path / "one.py"
    source.write_text("print(1)")
    first = build(expand([source]).found[0], cache)
    source.write_text("print(2)")
    second = build(expand([source]).found[0], cache)
    assert (first.folder / "one.py").read_text() == "print(1)"
    assert (second.folder / "one.py").read_text() == "print(2)"


def test_an_edit_after_the_fingerprint_is_not_built(tmp_path: Path, cache: Path) -> None:
    source = tmp_path / "one.py"
    source.write_text("print(1)")
    entrant = expand([source]).found[0]
    source.write_text("print(2)")
    with pytest.raises(BuildFailed, match="changed while it was read"):
        build(entrant, cache)


@pytest.mark.process
def test_the_build_runs_once_in_the_copy(tmp_path: Path, cache: Path) -> None:
    entrant = _bot(tmp_path, _counting(tmp_path))
    assert not is_built(entrant, cache)
    built = build(entrant, cache)
    assert is_built(entrant, cache)
    assert build(entrant, cache) == built
    assert (tmp_path / "count").read_text() == "built\n"
    assert (built.folder / "made").exists()
    assert not (tmp_path / "bot" / "made").exists()


@pytest.mark.process
def test_the_build_knows_its_folder(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PWD", str(tmp_path))
    built = build(_bot(tmp_path, "import os\nopen('made', 'w').write(os.environ['PWD'])"), cache)
    assert (built.folder / "made").read_text() == str(built.folder)


@pytest.mark.process
def test_a_build_gets_what_toolchains_need_and_no_secrets(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEPLOY_TOKEN", "secret")
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", "secret")
    monkeypatch.setenv("CARGO_REGISTRY_TOKEN", "secret")
    monkeypatch.setenv("GOPROXY", "https://proxy")
    monkeypatch.setenv("MY_COMPILER", "mine")
    monkeypatch.setenv("ARENA_BUILD_ENV", "MY_COMPILER, OTHER")
    source = "import json, os\njson.dump(dict(os.environ), open('made', 'w'))"
    found = json.loads((build(_bot(tmp_path, source, "env = { OWN = '1' }"), cache).folder / "made").read_text())
    assert (found["GOPROXY"], found["MY_COMPILER"], found["OWN"]) == ("https://proxy", "mine", "1")
    assert found["PATH"] == os.environ["PATH"]
    assert "secret" not in found.values()
    assert found.keys() <= os.environ.keys() | {"OWN", "PWD", "LC_CTYPE"}


@pytest.mark.process
@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("import os\nfor n in range(30): os.mkdir(str(n))", "more than 20 files and folders"),
        ("open('made', 'wb').truncate(3 << 20)", "more than 2 MiB"),
        ("open('made', 'wb').write(bytes(2 << 20))", "File too large"),
    ],
)
def test_a_build_that_makes_too_much_fails(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, source: str, told: str
) -> None:
    monkeypatch.setitem(build.__globals__, "BUILT_ENTRIES", 20)
    monkeypatch.setitem(build.__globals__, "BUILT_BYTES", 2 << 20)
    monkeypatch.setitem(build.__globals__, "BUILD_FILE_MB", 1 if "write(" in source else 9)
    with pytest.raises(BuildFailed, match=told):
        build(_bot(tmp_path, source), cache)
    assert [path.name for path in cache.iterdir() if path.is_dir()] == []


@pytest.mark.process
def test_a_build_that_makes_too_much_is_not_waited_for(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(build.__globals__, "BUILT_ENTRIES", 20)
    monkeypatch.setitem(build.__globals__, "_LOOK_SECONDS", 0.1)
    source = "import os, time\nfor n in range(30): os.mkdir(str(n))\ntime.sleep(1000)"
    with pytest.raises(BuildFailed, match="more than 20 files and folders"):
        build(_bot(tmp_path, source), cache)


@pytest.mark.process
def test_many_at_once_build_once(tmp_path: Path, cache: Path) -> None:
    entrant = _bot(tmp_path, _counting(tmp_path))
    results: list[Built] = []
    threads = [threading.Thread(target=lambda: results.append(build(entrant, cache))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4
    assert (tmp_path / "count").read_text() == "built\n"


@pytest.mark.process
def test_a_build_that_was_cut_off_is_done_again(tmp_path: Path, cache: Path) -> None:
    entrant = _bot(tmp_path, _counting(tmp_path))
    built = build(entrant, cache)
    (built.folder.with_name(built.folder.name + ".built")).unlink()
    built.folder.chmod(0o700)
    (built.folder / "half").touch()
    assert not is_built(entrant, cache)
    assert not (build(entrant, cache).folder / "half").exists()


@pytest.mark.process
def test_named_outputs_are_not_copied(tmp_path: Path, cache: Path) -> None:
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "made").write_text("by hand")
    entrant = _bot(tmp_path, "open('made', 'x').write('made')", "outputs = ['made']")
    assert (build(entrant, cache).folder / "made").read_text() == "made"


@pytest.mark.process
def test_a_failure_shows_the_last_lines_and_leaves_nothing(tmp_path: Path, cache: Path) -> None:
    source = "import sys\nfor i in range(99): print('line', i, flush=True)\nsys.exit('no compiler')"
    entrant = _bot(tmp_path, source)
    with pytest.raises(BuildFailed) as caught:
        build(entrant, cache)
    lines = str(caught.value).splitlines()
    assert lines[0].startswith("no compiler (")
    assert lines[0].endswith("make.py: exit code 1)")
    assert lines[-2:] == ["line 98", "no compiler"]
    assert len(lines) == 16
    assert [path.name for path in cache.iterdir() if path.is_dir()] == []


@pytest.mark.process
@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("no-such-compiler -O2", r"^no-such-compiler is not installed: PATH .*its build is: no-such-compiler -O2$"),
        (
            "./no-such-script x",
            r"^./no-such-script: No such file or directory \(./no-such-script x: could not be started\)",
        ),
    ],
)
def test_a_program_that_is_not_there_is_named(tmp_path: Path, cache: Path, line: str, told: str) -> None:
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "bot.toml").write_text(f"command = './bot'\nbuild = '{line}'")
    with pytest.raises(BuildFailed, match=told):
        build(expand([tmp_path / "bot"]).found[0], cache)


@pytest.mark.slow
@pytest.mark.process
def test_a_build_has_a_time_limit(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(build.__globals__, "BUILD_SECONDS", 1.0)
    entrant = _bot(tmp_path, "import time\nprint('thinking', flush=True)\ntime.sleep(1000)")
    with pytest.raises(BuildFailed, match="not built within 1 seconds"):
        build(entrant, cache)


@pytest.mark.process
def test_a_server_that_a_build_leaves_behind_is_not_waited_for(tmp_path: Path, cache: Path, living: Any) -> None:
    token = f"build-{tmp_path}"
    source = (
        "import os, subprocess, sys\n"
        f"os.environ['ARENA_TOKEN'] = {token!r}\n"
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(1000)'], start_new_session=True)\n"
    )
    build(_bot(tmp_path, source), cache)
    assert living(token) == []


def test_a_cache_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "one.py").touch()
    (tmp_path / "cache").write_text("a file")
    with pytest.raises(CacheError, match=r"cache, the folder .* ARENA_CACHE"):
        build(expand([tmp_path / "one.py"]).found[0], tmp_path / "cache")


def test_a_folder_for_bots_is_asked_for_where_nothing_says_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(uid: int) -> None:
        raise KeyError(f"uid not found: {uid}")

    for name in ("ARENA_CACHE", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pwd.getpwuid", unknown)
    with pytest.raises(CacheError, match="HOME"):
        default_cache()


def test_the_environment_may_name_another_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path / "elsewhere"))
    (tmp_path / "one.py").write_text("print(1)")
    assert build(expand([tmp_path / "one.py"]).found[0]).folder.parent == tmp_path / "elsewhere"
