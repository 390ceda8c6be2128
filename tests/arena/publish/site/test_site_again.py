"""Publishing again: what is there stays untouched, what is new is added, what is gone is removed."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from arena.ledger import Ledger, locked
from arena.publish.site import SiteError
from arena.publish.site import site as site_module
from arena.publish.site.names import slugs
from arena.publish.site.writing import MANIFEST
from engine import catalog
from tests.arena.publish.site.conftest import BOTS, LATER, Cup, Page, contents


def stamps(site: Path) -> dict[str, tuple[int, int]]:
    found = {}
    for file in sorted(site.rglob("*")):
        if file.is_file():
            status = file.stat()
            found[file.relative_to(site).as_posix()] = status.st_mtime_ns, status.st_ino
    return found


def test_with_nothing_new_no_file_is_written(cup: Cup) -> None:
    first = cup.publish()
    assert (first.games, first.made, first.removed) == (9, 9, 0)
    files, before = contents(cup.site), stamps(cup.site)
    assert first.written == len(files) - 1  # the note of what was made is not counted
    again = cup.publish(now=LATER)
    assert (again.games, again.made, again.written, again.removed) == (9, 0, 0, 0)
    assert contents(cup.site) == files
    assert stamps(cup.site) == before


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


@pytest.mark.parametrize("jobs", [1, 2])
def test_two_folders_get_the_same_bytes_whatever_the_number_of_processes(cup: Cup, tmp_path: Path, jobs: int) -> None:
    cup.publish()
    cup.publish(tmp_path / "other", jobs=jobs)
    assert contents(tmp_path / "other") == contents(cup.site)


def test_grown_step_by_step_it_is_the_same_but_for_the_dates_of_the_feed(cup: Cup, tmp_path: Path) -> None:
    cup.publish()
    cup.play(3)
    cup.publish()
    cup.publish(tmp_path / "other")
    assert contents(tmp_path / "other") == contents(cup.site)


def test_a_game_that_is_gone_is_removed_and_so_is_a_bot(cup: Cup, tmp_path: Path) -> None:
    cup.publish()
    other = Cup(tmp_path / "fresh", cup.game)
    with Ledger.open(other.folder) as ledger:
        ledger.set_entrants([each for each in ledger.entrants() if each.name in ("ant", "out")])
    done = other.publish(cup.site)
    assert done.games == 0
    assert done.removed > 9
    assert not list((cup.site / "games").glob("p*-*"))
    assert {file.stem for file in (cup.site / "bots").iterdir()} == {"ant", "out"}


def test_another_tournament_with_the_same_ids_replaces_its_games(cup: Cup, tmp_path: Path) -> None:
    cup.publish()
    other = Cup(tmp_path / "fresh", "kosmos")
    other.play(9)
    done = other.publish(cup.site)
    assert (done.games, done.made) == (9, 9)
    other.publish(tmp_path / "beside")
    mine, theirs = contents(cup.site), contents(tmp_path / "beside")
    assert {path: mine[path] for path in mine if path != "feed.xml" and path != MANIFEST} == {
        path: theirs[path] for path in theirs if path != "feed.xml" and path != MANIFEST
    }


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
    with pytest.raises(SiteError, match=r"holds something else \(thesis.txt\): name a new folder"):
        cup.publish()
    assert contents(cup.site) == {"thesis.txt": b"years of work"}
    (cup.site / MANIFEST).write_text("{}")  # of some other program
    with pytest.raises(SiteError, match="something else"):
        cup.publish()


def test_a_checkout_of_pages_may_have_its_git_folder(cup: Cup) -> None:
    (cup.site / ".git").mkdir(parents=True)
    cup.publish()
    assert (cup.site / ".git").is_dir()


def test_a_note_that_was_altered_leads_to_no_other_file(cup: Cup, tmp_path: Path) -> None:
    cup.publish()
    (tmp_path / "mine.txt").write_text("mine")
    note = json.loads((cup.site / MANIFEST).read_bytes())
    note["files"] += ["../mine.txt", str(tmp_path / "mine.txt")]
    (cup.site / MANIFEST).write_text(json.dumps(note))
    cup.publish()
    assert (tmp_path / "mine.txt").read_text() == "mine"


def test_after_an_interruption_the_same_command_goes_on(cup: Cup, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any) -> bytes:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("arena.publish.site.pages.Pages.index", interrupted)
        with pytest.raises(KeyboardInterrupt):
            cup.publish()
    assert not (cup.site / "index.html").exists()
    cup.publish()
    assert (cup.site / "index.html").exists()
    assert [file.name for file in cup.site.rglob(".*")] == [MANIFEST]  # nothing half-written


def test_a_running_tournament_says_so(cup: Cup) -> None:
    with locked(cup.folder):
        cup.publish()
    index = Page((cup.site / "index.html").read_text("utf-8"))
    assert ", being played" in index.text
    cup.publish()
    assert "it is being played" not in Page((cup.site / "index.html").read_text("utf-8")).text


def test_games_recorded_while_it_is_published_wait_for_the_next_time(cup: Cup, monkeypatch: pytest.MonkeyPatch) -> None:
    real = site_module.leaderboard

    def meanwhile(*values: Any, **named: Any) -> Any:
        cup.play(2)
        return real(*values, **named)

    monkeypatch.setattr(site_module, "leaderboard", meanwhile)
    assert cup.publish().games == 9
    board = json.loads((cup.site / "leaderboard.json").read_bytes())
    assert sum(row["games"] for row in board["overall"]) == 22  # five games of two, four of three
    monkeypatch.undo()
    assert cup.publish().games == 11


def test_a_game_without_pictures_has_pages_too(cup: Cup, monkeypatch: pytest.MonkeyPatch) -> None:
    real = catalog.game(cup.game)

    class Plain:
        """The rules alone."""

        name = real.name

        def __getattr__(self, name: str) -> Any:
            if name in ("board", "scene", "scene_changes", "hand", "hand_after"):
                raise AttributeError(name)
            return getattr(real, name)

    monkeypatch.setattr(catalog, "game", lambda _: Plain())
    assert cup.publish().problems == {}
    assert (cup.site / "games" / "board.js").read_bytes() == b'arenaData("board",null);\n'


def test_live_pages_ask_for_news_and_others_do_not(cup: Cup) -> None:
    cup.publish(live=True)
    assert "assets/live.js" in (cup.site / "index.html").read_text("utf-8")
    assert (cup.site / "assets" / "live.js").is_file()
    cup.publish()
    assert "live.js" not in (cup.site / "index.html").read_text("utf-8")
    assert not (cup.site / "assets" / "live.js").exists()


def test_faults_are_told_the_latest_first(cup: Cup, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.publish.site.pages.LATEST", 2)
    for _ in range(12):
        cup.fault()
    cup.publish()
    with Ledger.open(cup.folder) as ledger:
        found = {bot: ledger.faults_of(bot) for bot in BOTS}
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


def test_the_clock_can_be_fixed(cup: Cup, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "SOURCE_DATE_EPOCH", "0")
    cup.publish(now=None)
    assert b"<updated>1970-01-01T00:00:00Z</updated>" in (cup.site / "feed.xml").read_bytes()
