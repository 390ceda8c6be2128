"""A bot arrives at a worker as it left, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.cluster.travelling_bots import archive, arrived, described, missing, store
from arena.entrants import Built, EntrantError, build, expand
from arena.entrants.build import CACHE


def built(folder: Path, monkeypatch: pytest.MonkeyPatch, name: str = "mine") -> Built:
    """A bot of several files in a folder of this name, built on the machine of the coordinator."""
    source = folder / name
    (source / "parts").mkdir(parents=True)
    (source / "bot.toml").write_text('name = "my bot"\ncommand = "./run.sh"\n', "utf-8")
    (source / "run.sh").write_text("#!/bin/sh\n", "utf-8")
    (source / "run.sh").chmod(0o755)
    (source / "parts" / "data").write_bytes(b"\x00\xff")
    monkeypatch.setenv(CACHE, str(folder / "here"))
    return build(expand([source]).found[0])


def test_a_bot_arrives_as_it_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left = built(tmp_path, monkeypatch)
    packed, bot = archive(left), described(left)
    monkeypatch.setenv(CACHE, str(tmp_path / "there"))
    assert missing([bot.fingerprint]) == [bot.fingerprint]
    store(bot.fingerprint, packed)
    store(bot.fingerprint, packed)  # by another process of the same worker
    assert missing([bot.fingerprint]) == []
    found = arrived(bot)
    assert (found.name, found.fingerprint, found.command) == ("my bot", left.entrant.fingerprint, ("./run.sh",))
    assert (build(found).folder / "parts" / "data").read_bytes() == b"\x00\xff"


def test_a_bot_that_is_a_file_runs_under_the_python_of_the_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CACHE, str(tmp_path / "here"))
    left = build(expand(["@greedy"]).found[0])
    packed, bot = archive(left), described(left)
    monkeypatch.setenv(CACHE, str(tmp_path / "there"))
    monkeypatch.setattr("sys.executable", "/a/python/of/the/worker")
    store(bot.fingerprint, packed)
    assert arrived(bot).command == ("/a/python/of/the/worker", "greedy.py")


def test_sources_that_were_changed_on_the_worker_are_refused_and_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = built(tmp_path, monkeypatch)
    packed, bot = archive(left), described(left)
    monkeypatch.setenv(CACHE, str(tmp_path / "there"))
    store(bot.fingerprint, packed)
    [changed] = (tmp_path / "there").rglob("run.sh")
    changed.write_text("#!/bin/sh\nsomething else\n", "utf-8")
    with pytest.raises(EntrantError, match="my bot"):
        arrived(bot)
    assert missing([bot.fingerprint]) == [bot.fingerprint]


def test_equal_folders_of_different_names_have_the_same_sources(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two bots of one run, or one that was renamed between two runs."""
    lefts = [built(tmp_path, monkeypatch, name) for name in ("one", "two")]
    packed, bots = archive(lefts[0]), [described(left) for left in lefts]
    monkeypatch.setenv(CACHE, str(tmp_path / "there"))
    store(bots[0].fingerprint, packed)
    assert missing([bot.fingerprint for bot in bots]) == []
    assert {arrived(bot).fingerprint for bot in bots} == {lefts[0].entrant.fingerprint}


@pytest.mark.parametrize("content", [None, "command =", 'name = "no command"'])
def test_a_cache_without_a_bot_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str | None) -> None:
    left = built(tmp_path, monkeypatch)
    packed, bot = archive(left), described(left)
    monkeypatch.setenv(CACHE, str(tmp_path / "there"))
    store(bot.fingerprint, packed)
    [manifest] = (tmp_path / "there").rglob("bot.toml")
    manifest.unlink() if content is None else manifest.write_text(content, "utf-8")
    with pytest.raises(EntrantError, match="run the command again"):
        arrived(bot)
    assert missing([bot.fingerprint]) == [bot.fingerprint]
    store(bot.fingerprint, packed)
    assert arrived(bot).name == "my bot"
