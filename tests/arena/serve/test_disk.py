"""What is thrown away when a league takes too much room, and how it goes on with a disk that is full."""

from __future__ import annotations

import errno
import os
import random
import threading
from pathlib import Path

import pytest

from arena.common.regular_files import write_atomic
from arena.ledger import EntrantRecord, Ledger
from arena.ledger.errors import LedgerError
from arena.serve import LeagueError
from arena.serve.disk import LeagueDisk
from arena.serve.intake import submissions
from arena.serve.intake.incoming import coming, submission_folder
from arena.serve.pages.actions import OrganiserWish, StoreActions
from arena.serve.service import served
from arena.serve.store import LeagueRound, LeagueStore
from tests.arena.ledgers import SETTINGS

BOT = Path(__file__).parents[3] / "bots" / "random_bot.py"


def there(folder: Path) -> set[str]:
    return {each.parent.relative_to(folder).as_posix() for each in folder.rglob("data")}


def looked(made, store, quota: float = 1e9) -> LeagueDisk:
    """The disk of a league with that quota in bytes, after everything was counted."""
    disk = LeagueDisk(
        made.league(f"[disk]\nquota_gb = {quota / 1e9}\nfree_gb = 1e-9\n[submissions]\nkept = 3\n"), store
    )
    disk.look()
    while not disk.used:
        disk.look()
    return disk


@pytest.fixture
def store(made) -> LeagueStore:
    """The state of a league with submissions in every state, an earlier season and its own."""
    store = made.store("ada", "bob")
    for state in ("joined", "refused", "joined", "checked", "withdrawn"):
        number = store.receive("ada", "drop", "x").id
        store.move(number, state)
    folders = [f"submissions/{number:06}/{part}" for number in range(1, 6) for part in ("received", "source", "trial")]
    folders += [f"seasons/{season}/{part}" for season in ("earlier", "season-1") for part in ("site", "games")]
    for name in folders:
        (made.folder / name).mkdir(parents=True)
        (made.folder / name / "data").write_bytes(os.urandom(40_000))
    return store


def test_what_is_thrown_away_first_and_what_never(made, store: LeagueStore) -> None:
    order, left = list[str](), there(made.folder)
    store.begin_round(LeagueRound("season-1", 1, 0.0, {"ada": 3}))
    while True:
        disk = looked(made, store, looked(made, store).used - 1000)  # one of them is enough
        if not (gone := left - there(made.folder)):
            break
        order += gone
        left -= gone
        assert not disk.lacks()
    assert order == [
        *(f"submissions/00000{number}/trial" for number in (1, 2, 3, 5)),
        *(f"submissions/00000{number}/source" for number in (2, 5, 1)),
        "seasons/earlier/site",
        *(f"submissions/00000{number}/received" for number in (2, 5)),
    ]
    assert "all of it is needed" in disk.lacks()
    actions = StoreActions(store, threading.RLock(), lambda *_: 0, lambda *_: None)
    with pytest.raises(LeagueError, match="submitted again"):
        actions.organise("you", OrganiserWish("try again", number=2))


def test_copies_of_bots_that_do_not_play_are_always_thrown_away(made, store: LeagueStore) -> None:
    prints = {number: f"{number:032x}" for number in range(7)}  # 0 and 6 are references' or anybody's
    for each in store.submissions():
        store.move(each.id, each.state, fingerprint=prints[each.id])
    store.begin_round(LeagueRound("season-1", 1, 0.0, {"ada": 1}))
    for text in prints.values():
        for suffix in ("", ".build-x"):
            (made.folder / "cache" / f"ada-{text}{suffix}").mkdir(parents=True)
        (made.folder / "cache" / f"ada-{text}.tar").write_text("x")
    reference = made.folder / "cache" / f"greedy-{prints[2]}"  # its files were submitted, too
    reference.mkdir()
    (reference / "bot.py").write_text("x")
    looked(made, store)
    assert reference.exists()
    left = {int(each.name[4:36], 16) for each in (made.folder / "cache").glob("ada-*")}
    assert left == {0, 1, 3, 4, 6}, "what plays in the last round, what joined last, and what is on its way"


def test_of_each_submitter_the_newest_are_kept_and_what_has_played(made, store: LeagueStore) -> None:
    for _ in range(2):
        store.move(store.receive("ada", "drop", "y").id, "refused")
    store.move(store.receive("bob", "drop", "z").id, "refused")
    before = there(made.folder)
    looked(made, store)
    assert before - there(made.folder) == {f"submissions/000002/{part}" for part in ("received", "source", "trial")}


def test_what_plays_on_since_a_later_one_was_left_out_is_kept(made, store: LeagueStore) -> None:
    for number in (1, 3):
        store.move(number, "joined", fingerprint=f"{number:032x}")
        (made.folder / "cache" / f"ada-{number:032x}").mkdir(parents=True)
        (made.folder / "cache" / f"ada-{number:032x}" / "data").write_text("x")
    with Ledger.create(made.folder / "seasons" / "season-1", SETTINGS.entries()) as ledger:
        ledger.set_entrants([EntrantRecord("ada", "x", f"{1:032x}"), EntrantRecord("bob", "x", "x")])
        left_out = EntrantRecord("ada@2", "x", f"{3:032x}", left_out="it crashed")
        ledger.change_field([left_out], [], 0, "")
    store.begin_round(LeagueRound("season-1", 1, 0.0, {"ada": 3}))
    for _ in range(9):
        looked(made, store, 1000)  # all that may be thrown away is
    assert {f"cache/ada-{number:032x}" for number in (1, 3)} <= there(made.folder)
    assert {f"submissions/00000{number}/source" for number in (1, 3)} <= there(made.folder)


@pytest.mark.process
def test_without_room_nothing_begins_and_with_room_it_goes_on(made) -> None:
    league, said = made.league("[disk]\nfree_gb = 1e6\n[web]\nport = 0\n"), list[str]()
    made.store("ada")
    with served(league.file, said.append) as (service, _):
        with coming(league.folder, "ada", "upload") as folder:
            (folder / "bot.py").write_bytes(b"hello")
        for _ in range(3):
            service.tick()
        assert [line for line in said if "nothing new" in line] == [line for line in said if "free_gb" in line]
        assert len([line for line in said if "nothing new" in line]) == 1
        assert made.store().submissions() == []
        assert "free_gb" in service.pages.facts.organiser.lacks
        made.league("[web]\nport = 0\n")
        service.tick()
        service.tick()
        assert [each.submitter for each in made.store().submissions()] == ["ada"]
        assert service.pages.facts.organiser.lacks == ""
        assert service.pages.facts.organiser.disk_bytes > 0
        assert said.count("there is room again, and the league goes on") == 1


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.parametrize("seed", [2])
def test_a_disk_that_is_full_now_and_then_loses_nothing(made, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    league, said, chance = made.league("[web]\nport = 0\n"), list[str](), random.Random(seed)
    made.store("ada")

    def failing(real):
        def write(*given):
            if chance.random() < 0.3:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return real(*given)

        return write

    def failing_transaction(real):
        def transaction(self):
            if chance.random() < 0.3:
                raise LedgerError("league.sqlite cannot be used: database or disk is full")
            return real(self)

        return transaction

    with served(league.file, said.append) as (service, _):
        with coming(league.folder, "ada", "upload") as folder:
            (folder / "bot.py").write_bytes(BOT.read_bytes())
        monkeypatch.setattr(submissions, "write_atomic", failing(write_atomic))
        monkeypatch.setattr(LeagueStore, "_transaction", failing_transaction(LeagueStore._transaction))
        store = made.store()
        for _ in range(3000):
            service.tick()
            [found] = store.submissions() or [None]
            if found is not None and found.state == "joined":
                break
            service.wait(0.1)
        monkeypatch.undo()
        states = [each.state for each in store.steps(1)]
    assert list(dict.fromkeys(states)) == ["received", "unpacked", "built", "checked", "tried", "joined"]
    assert found.reason is None
    assert submission_folder(league.folder, 1).joinpath("source", "bot.toml").is_file()
