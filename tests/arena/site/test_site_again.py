"""Publishing again: what is there stays untouched, what is new is added, what is gone is removed."""

from __future__ import annotations

import json
import os
import zlib
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.ledger import Ledger, PageDataRecord, locked
from arena.ledger.page_data_cache import CACHE, PageDataCache
from arena.replays import cache
from arena.site import SiteError
from arena.site import site as site_module
from arena.site.folder import MANIFEST
from arena.site.names import slugs
from engine import catalog
from tests.arena.forging import alter
from tests.arena.site.conftest import BOTS, LATER, Cup, Page, contents


def stamps(site: Path) -> dict[str, tuple[int, int]]:
    found = {}
    for file in sorted(site.rglob("*")):
        if file.is_file():
            status = file.stat()
            found[file.relative_to(site).as_posix()] = status.st_mtime_ns, status.st_ino
    return found


@pytest.mark.slow
def test_with_nothing_new_no_file_is_written(cup: Cup) -> None:
    first = cup.publish()
    assert (first.games, first.made, first.removed) == (9, 9, 0)
    files, before = contents(cup.site), stamps(cup.site)
    assert first.written == len(files) - 1  # the note of what was made is not counted
    again = cup.publish(now=LATER)
    assert (again.games, again.made, again.written, again.removed) == (9, 0, 0, 0)
    assert contents(cup.site) == files
    assert stamps(cup.site) == before


@pytest.mark.slow
def test_with_one_game_more_the_others_stay_untouched(cup: Cup) -> None:
    cup.publish()
    before, stamped = contents(cup.site), stamps(cup.site)
    cup.play(1)
    done = cup.publish(now=LATER)
    assert (done.games, done.made, done.removed) == (10, 1, 0)
    after = contents(cup.site)
    changed = {path for path in after if after[path] != before.get(path)}
    assert {path for path, stamp in stamps(cup.site).items() if stamp != stamped.get(path)} == changed
    new = {path for path in changed if path.startswith("games/p")}
    assert len({Path(path).parent for path in new}) == 1
    assert not {path for path in changed - new if path.startswith(("assets/", "games/board", "games/bots"))}
    assert {"index.html", "leaderboard.json", "games.csv", "feed.xml", "games/list-0.js"} <= changed
    assert after["games.csv"].startswith(before["games.csv"])


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.parametrize("jobs", [1, 2])
def test_two_folders_get_the_same_bytes_whatever_the_number_of_processes(cup: Cup, tmp_path: Path, jobs: int) -> None:
    cup.publish()
    cup.publish(tmp_path / "other", jobs=jobs)
    assert contents(tmp_path / "other") == contents(cup.site)


@pytest.mark.slow
def test_grown_step_by_step_it_is_the_same_but_for_the_dates_of_the_feed(cup: Cup, tmp_path: Path) -> None:
    cup.publish()
    cup.play(3)
    cup.publish()
    cup.publish(tmp_path / "other")
    assert contents(tmp_path / "other") == contents(cup.site)


@pytest.mark.slow
def test_a_game_that_is_gone_is_removed_and_so_is_a_bot(cup: Cup, tmp_path: Path) -> None:
    cup.publish()
    other = Cup(tmp_path / "fresh", cup.game)
    with Ledger.open(other.folder, writing=True) as ledger:
        ledger.set_entrants([each for each in ledger.entrants() if each.name in ("ant", "out")])
    done = other.publish(cup.site, replace=True)
    assert done.games == 0
    assert done.removed > 9
    assert not list((cup.site / "games").glob("p*-*"))
    assert {file.stem for file in (cup.site / "bots").iterdir()} == {"ant", "out"}


@pytest.mark.slow
def test_another_tournament_with_the_same_ids_replaces_its_games(cup: Cup, tmp_path: Path) -> None:
    cup.publish()
    other = Cup(tmp_path / "fresh", "kosmos")
    other.play(9)
    done = other.publish(cup.site, replace=True)
    assert (done.games, done.made) == (9, 9)
    other.publish(tmp_path / "beside")
    mine, theirs = contents(cup.site), contents(tmp_path / "beside")
    assert {path: mine[path] for path in mine if path != "feed.xml" and path != MANIFEST} == {
        path: theirs[path] for path in theirs if path != "feed.xml" and path != MANIFEST
    }


@pytest.mark.slow
def test_data_that_were_removed_or_made_by_another_version_are_made_again(cup: Cup) -> None:
    cup.publish()
    game = next((cup.site / "games").glob("p*-*"))
    whole = (game / "public.js").read_bytes()
    (game / "public.js").unlink()
    assert cup.publish().made == 1
    assert (game / "public.js").read_bytes() == whole
    (cup.site / "games.csv").write_text("nonsense")
    assert cup.publish().made == 9
    note = json.loads((cup.site / MANIFEST).read_bytes())
    (cup.site / MANIFEST).write_text(json.dumps({**note, "made_by": "an older one"}))
    done = cup.publish()
    assert (done.made, done.written) == (9, 0)


def test_a_folder_that_holds_something_else_is_refused_and_left_alone(cup: Cup) -> None:
    cup.site.mkdir()
    (cup.site / "thesis.txt").write_text("years of work")
    with pytest.raises(SiteError, match=r"\(thesis\.txt\)"):
        cup.publish()
    assert contents(cup.site) == {"thesis.txt": b"years of work"}
    (cup.site / MANIFEST).write_text("{}")  # of some other program
    with pytest.raises(SiteError, match=r"\(thesis\.txt\)"):
        cup.publish()


@pytest.mark.slow
def test_a_checkout_of_pages_may_have_its_git_folder(cup: Cup) -> None:
    (cup.site / ".git").mkdir(parents=True)
    cup.publish()
    assert (cup.site / ".git").is_dir()


FOREIGN = ("CNAME", ".git/config", "games/photos/seat-map.png", "bots/notes.txt", "games/p2-b0000-r0/mine.txt")


@pytest.mark.slow
def test_nothing_is_removed_that_is_not_the_sites_own_whatever_its_note_says(cup: Cup, tmp_path: Path) -> None:
    cup.publish()
    (tmp_path / "mine.txt").write_text("mine")
    for path in FOREIGN:
        (cup.site / path).parent.mkdir(parents=True, exist_ok=True)
        (cup.site / path).write_text("mine")
    (cup.site / "games" / "empty").mkdir()
    note = json.loads((cup.site / MANIFEST).read_bytes())
    note["files"] += ["../mine.txt", str(tmp_path / "mine.txt"), *FOREIGN]
    note["games"] |= {"photos": "", "../..": "", "empty/..": ""}
    (cup.site / MANIFEST).write_text(json.dumps(note))
    Cup(tmp_path / "fresh", cup.game).publish(cup.site)
    assert (tmp_path / "mine.txt").read_text() == "mine"
    assert [(cup.site / path).read_text() for path in FOREIGN] == ["mine"] * len(FOREIGN)
    assert (cup.site / "games" / "empty").is_dir()
    assert not list((cup.site / "games").glob("p*-*/public.js"))


@pytest.mark.parametrize("note", [b"[]", b"{", b'{"format": 3}'])
def test_what_is_no_note_of_a_site_makes_no_folder_one(cup: Cup, note: bytes) -> None:
    cup.site.mkdir()
    (cup.site / "thesis.txt").write_text("years of work")
    (cup.site / MANIFEST).write_bytes(note)
    with pytest.raises(SiteError, match=r"\(thesis\.txt\)"):
        cup.publish()


@pytest.mark.slow
@pytest.mark.parametrize("wrong", [{"files": [1]}, {"feed": {"standings": 3}}, {"games": None}])
def test_a_note_that_says_nonsense_is_as_good_as_none(cup: Cup, wrong: dict[str, Any]) -> None:
    cup.publish()
    files = contents(cup.site)
    note = json.loads((cup.site / MANIFEST).read_bytes())
    (cup.site / MANIFEST).write_text(json.dumps(note | wrong))
    assert cup.publish().made == 9
    assert contents(cup.site) == files


def interrupt(*_: Any) -> bytes:
    raise KeyboardInterrupt


@pytest.mark.slow
def test_after_an_interruption_the_same_command_goes_on(cup: Cup, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("arena.site.pages.Pages.index", interrupt)
        with pytest.raises(KeyboardInterrupt):
            cup.publish()
    assert not (cup.site / "index.html").exists()
    cup.publish()
    assert (cup.site / "index.html").exists()
    assert [file.name for file in cup.site.rglob(".*")] == [MANIFEST]  # nothing half-written


@pytest.mark.slow
@pytest.mark.parametrize("place", ["site.site._Publishing._collect", "site.pages.Pages.index"])
def test_what_an_interruption_left_is_removed_when_it_is_of_no_use(
    cup: Cup, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(f"arena.{place}", interrupt)
        with pytest.raises(KeyboardInterrupt):
            cup.publish()
    for path in ("bots/.ant.html.abcd_123", "assets/.site.css.abcdefgh"):  # as a killed process leaves them
        (cup.site / path).parent.mkdir(exist_ok=True)
        (cup.site / path).write_text("half")
    for game in (cup.site / "games").glob("p*-*"):
        (game / ".public.js.abcdefgh").write_text("half")
    other = Cup(tmp_path / "fresh", cup.game)
    with Ledger.open(other.folder, writing=True) as ledger:
        ledger.set_entrants([each for each in ledger.entrants() if each.name == "bee"])
    other.publish(cup.site, replace=True)
    other.publish(tmp_path / "beside")
    assert contents(cup.site).keys() == contents(tmp_path / "beside").keys()
    assert not list((cup.site / "games").glob("p*-*"))


@pytest.mark.slow
def test_two_do_not_publish_into_one_folder_at_a_time(cup: Cup, monkeypatch: pytest.MonkeyPatch) -> None:
    said = []

    def meanwhile(*_: Any) -> bytes:
        with pytest.raises(SiteError) as refused:
            cup.publish()
        said.append(str(refused.value))
        return b""

    with monkeypatch.context() as patch:
        patch.setattr("arena.site.pages.Pages.index", meanwhile)
        cup.publish()
    assert said
    assert cup.publish().made == 0


@pytest.mark.slow
def test_games_that_took_other_times_or_had_other_faults_are_made_again(cup: Cup, tmp_path: Path) -> None:
    cup.publish()
    alter(cup.folder, "UPDATE seats SET times = '[7000]' WHERE game = (SELECT id FROM games ORDER BY ord LIMIT 1)")
    assert cup.publish(now=LATER).made == 1
    cup.publish(tmp_path / "beside")
    assert (cup.site / "games.csv").read_bytes() == (tmp_path / "beside" / "games.csv").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("part", ["scene", "words", "board", "nothing json knows"])
def test_a_plug_in_at_fault_costs_replays_and_no_pages(cup: Cup, monkeypatch: pytest.MonkeyPatch, part: str) -> None:
    real = catalog.rules(cup.game)

    def broken(*_: Any) -> Any:
        if part == "nothing json knows":
            return {"turn": None, "table": {}, "at": object()}
        raise RuntimeError("a plug-in's own fault")

    class Broken:
        """A game, one part of it broken."""

        name = real.name

        def __getattr__(self, name: str) -> Any:
            return broken if name == (part if part in ("words", "board") else "scene") else getattr(real, name)

    monkeypatch.setattr(catalog, "rules", lambda _: Broken())
    done = cup.publish(jobs=1)
    assert len(done.problems) == (0 if part == "board" else 9)
    assert (cup.site / "index.html").is_file()
    if part == "board":
        assert (cup.site / "games" / "board.js").read_bytes() == b'arenaData("board",null);\n'


@pytest.mark.slow
def test_a_running_tournament_says_so(cup: Cup) -> None:
    with locked(cup.folder):
        cup.publish()
    index = Page((cup.site / "index.html").read_text("utf-8"))
    assert ", being played" in index.text
    cup.publish()
    assert ", being played" not in Page((cup.site / "index.html").read_text("utf-8")).text


@pytest.mark.slow
def test_games_recorded_while_it_is_published_wait_for_the_next_time(cup: Cup, monkeypatch: pytest.MonkeyPatch) -> None:
    real = site_module.leaderboard  # type: ignore[attr-defined]

    def meanwhile(*values: Any, **named: Any) -> Any:
        cup.play(2)
        return real(*values, **named)

    monkeypatch.setattr(site_module, "leaderboard", meanwhile)
    with Ledger.open(cup.folder, writing=True):  # it is being played
        assert cup.publish().games == 9
    board = json.loads((cup.site / "leaderboard.json").read_bytes())
    assert sum(row["games"] for row in board["overall"]) == 22  # five games of two, four of three
    monkeypatch.undo()
    assert cup.publish().games == 11


@pytest.mark.slow
def test_a_game_without_pictures_has_pages_too(cup: Cup, monkeypatch: pytest.MonkeyPatch) -> None:
    real = catalog.rules(cup.game)

    class Plain:
        """The rules alone."""

        name = real.name

        def __getattr__(self, name: str) -> Any:
            if name in ("board", "scene", "scene_changes", "hand", "hand_after"):
                raise AttributeError(name)
            return getattr(real, name)

    monkeypatch.setattr(catalog, "rules", lambda _: Plain())
    assert cup.publish().problems == {}
    assert (cup.site / "games" / "board.js").read_bytes() == b'arenaData("board",null);\n'


@pytest.mark.slow
def test_live_pages_ask_for_news_and_others_do_not(cup: Cup) -> None:
    cup.publish(live=True)
    assert "assets/live.js" in (cup.site / "index.html").read_text("utf-8")
    assert (cup.site / "assets" / "live.js").is_file()
    cup.publish()
    assert "live.js" not in (cup.site / "index.html").read_text("utf-8")
    assert not (cup.site / "assets" / "live.js").exists()


@pytest.mark.slow
def test_faults_are_listed_latest_first(cup: Cup, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.site.site.LATEST", 2)
    for _ in range(12):
        cup.fault()
    cup.publish()
    with Ledger.open(cup.folder) as ledger:
        found = {bot: list(ledger.each_fault_of(bot)) for bot in BOTS}
    assert sum(map(len, found.values())) == 13
    for bot, faults in found.items():
        text = Page((cup.site / "bots" / f"{slugs([*BOTS, 'out'])[bot]}.html").read_text("utf-8")).text
        assert text.count("ended <script>") == min(len(faults), 2)
        if faults:
            assert f"{len(faults)} in all games" in text
            assert faults[-1][0] in text
        if len(faults) > 2:
            assert faults[0][0] not in text
            assert text.index(faults[-1][0]) < text.index(faults[-2][0])


@pytest.mark.slow
def test_the_clock_can_be_fixed(cup: Cup, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "SOURCE_DATE_EPOCH", "0")
    cup.publish(now=None)
    assert b"<updated>1970-01-01T00:00:00Z</updated>" in (cup.site / "feed.xml").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("game", ["kosmos", "ravensburger"])
def test_cached_page_data_makes_the_same_pages(tmp_path: Path, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.ledger.dates.now", lambda: "2026-03-01T12:00:00.000000Z")
    cached, bare = Cup(tmp_path / "cached", game), Cup(tmp_path / "bare", game)
    cached.play(6, cached=True)
    bare.play(6)
    bare.publish()
    monkeypatch.setattr(cache, "build_page_data", lambda *_: pytest.fail("a game is played again"))
    assert cached.publish().made == 6
    assert contents(cached.site) == contents(bare.site)


@pytest.mark.slow
def test_a_program_in_place_of_cached_page_data_gets_into_no_page(cup: Cup) -> None:
    cup.publish()
    expected = contents(cup.site)
    with Ledger.open(cup.folder) as ledger:
        rules, edition = catalog.rules(cup.game), ledger.meta["edition"]
        keys = {game.id: cache.pack_page_data(game, rules, edition).key for game in ledger.games()}
    cup.folder.joinpath(CACHE).unlink(missing_ok=True)
    with closing(PageDataCache(cup.folder, writing=True)) as kept:
        for game, key in keys.items():
            forged = zlib.compress(b"[%s]" % b",".join([b"alert(1)"] * 4))
            kept.put(game, PageDataRecord(key, forged))
    for file in cup.site.glob("games/p*/*.js"):
        file.unlink()
    assert cup.publish().made == 9
    assert contents(cup.site) == expected
