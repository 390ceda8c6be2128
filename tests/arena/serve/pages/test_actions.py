"""What the pages do to the state of a league, and that all of it is in the chain."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from arena.serve import LeagueError
from arena.serve.pages.actions import OrganiserWish, StoreActions, Wish
from arena.serve.store import LeagueStore


@pytest.fixture
def store(tmp_path):
    with LeagueStore(tmp_path, lambda: 1.0) as store:
        store.add_member("ada")
        store.add_member("olga", "organiser")
        yield store


@pytest.fixture
def actions(store):
    def play_again(who, number):
        store.reopen_round("spring", number, who)

    return StoreActions(store, threading.Lock(), lambda *_: 9, play_again)


def test_an_organisers_wishes_are_done_and_in_the_chain(store, actions):
    number = store.receive("ada", "upload", "d").id
    store.move(number, "refused", reason="no main.py")
    with pytest.raises(LeagueError, match="no longer here"):
        actions.organise("olga", OrganiserWish("try again", number=number))
    (store.folder / "submissions" / "000001" / "received").mkdir(parents=True)
    wishes: list[tuple[Wish, dict[str, Any]]] = [
        ("pause", {"name": "ada"}),
        ("remove", {"name": "ada"}),
        ("try again", {"number": number}),
        ("play again", {"number": 3}),
        ("stop", {}),
    ]
    for what, more in wishes:
        before = len(store.chain.texts())
        actions.organise("olga", OrganiserWish(what, **more))
        entries = store.chain.texts()[before:]
        assert any('"olga"' in each for each in entries), what
    [ada, _] = store.members()
    assert (ada.is_paused, ada.is_removed) == (True, True)
    assert store.submissions("ada")[0].state == "received"
    assert store.get("paused") is True
    actions.organise("olga", OrganiserWish("resume", "ada"))
    actions.organise("olga", OrganiserWish("restore", "ada"))
    actions.organise("olga", OrganiserWish("go on"))
    assert store.get("paused") is False
    assert not store.members()[0].is_paused


def test_an_organiser_makes_a_new_address_for_a_submitter_alone(store, actions):
    before = store.secret_hashes()
    secret = actions.organise("olga", OrganiserWish("new address", "ada"))
    assert store.member_of(secret).name == "ada"
    assert sorted(each for each, _ in store.secret_hashes().values()) == ["ada", "olga"]
    assert len(store.secret_hashes().keys() & before.keys()) == 1, "the old one counts no more"
    assert [each for each in store.chain.texts() if '"new address"' in each and '"olga"' in each]
    assert not [each for each in store.chain.texts() if secret in each]
    for name in ("olga", "bob"):
        with pytest.raises(LeagueError, match="no submitter"):
            actions.organise("olga", OrganiserWish("new address", name))
    actions.organise("olga", OrganiserWish("remove", "ada"))
    with pytest.raises(LeagueError, match="removed"):
        actions.organise("olga", OrganiserWish("new address", "ada"))
    assert [each.name for each in store.members()] == ["ada", "olga"]


def test_what_is_not_there_or_under_way_is_refused(store, actions):
    joined = store.receive("ada", "upload", "d").id
    with pytest.raises(LeagueError, match="no submission that was refused"):
        actions.organise("olga", OrganiserWish("try again", number=joined))
    store.move(joined, "joined")
    with pytest.raises(LeagueError, match="no submission that was refused"):
        actions.organise("olga", OrganiserWish("try again", number=joined))
    late = store.receive("ada", "upload", "e").id
    store.move(late, "refused")
    (store.folder / "submissions" / f"{late:06}" / "received").mkdir(parents=True)
    store.move(store.receive("ada", "upload", "f").id, "joined")
    with pytest.raises(LeagueError, match="a newer submission of ada plays"):
        actions.organise("olga", OrganiserWish("try again", number=late))
    with pytest.raises(LeagueError, match="no 'bob'"):
        actions.organise("olga", OrganiserWish("pause", "bob"))


def test_submitters_take_back_what_is_theirs_and_on_its_way(store, actions, tmp_path):
    number = store.receive("ada", "upload", "d").id
    with pytest.raises(LeagueError, match="no submission of yours"):
        actions.withdraw("olga", number)
    actions.withdraw("ada", number)
    assert store.submissions("ada")[0].state == "withdrawn"
    with pytest.raises(LeagueError, match="no submission of yours"):
        actions.withdraw("ada", number)
    assert actions.submit("ada", "bot.py", tmp_path) == 9
