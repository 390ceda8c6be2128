"""The way of real submissions: they join or are refused with a reason, also when the league is killed at any step."""

from __future__ import annotations

import io
import re
import tarfile
from collections import Counter
from pathlib import Path

import psutil
import pytest

from arena.ledger import Ledger
from arena.serve.intake.incoming import arrival, coming, receive, submission_folder
from arena.serve.intake.submissions import LOG, TRIAL, SubmissionWay
from arena.serve.store import Submission

pytestmark = [pytest.mark.slow, pytest.mark.process]
BOTS = Path(__file__).parents[4] / "bots"
GOOD = (BOTS / "random_bot.py").read_bytes()


def packed(files: dict[str, bytes]) -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return data.getvalue()


def submitted(league, store, data: bytes, name: str = "bot.py") -> Submission:
    with coming(league.folder, "ada", "upload") as folder:
        (folder / name).write_bytes(data)
    [found] = receive(league, store)
    return found


def step(way: SubmissionWay) -> None:
    if (child := way.next_child()) is not None:
        assert child.wait(300) is not None
        way.finished(child)


def ended(way: SubmissionWay) -> Submission:
    before = psutil.Process().children()  # such as multiprocessing's resource tracker, which another test started
    while not way.is_ended:
        step(way)
    assert set(psutil.Process().children()) <= set(before)
    return way.submission


def states(store, number: int) -> list[str]:
    return [each.state for each in store.steps(number)]


JOINED = ["received", "unpacked", "built", "checked", "tried", "joined"]


def test_a_bot_joins_and_each_step_is_said(made) -> None:
    league, store, said = made.league(), made.store("ada"), []
    (league.folder / "drop" / "ada").mkdir(parents=True)
    way = SubmissionWay(
        league, store, submitted(league, store, GOOD), lambda made, state, text: said.append((state, text))
    )
    found = ended(way)
    assert (found.state, states(store, 1), [state for state, _ in said]) == ("joined", JOINED, JOINED[1:])
    [kept] = store.submissions()
    assert kept.fingerprint
    assert way.trial.games >= 4
    assert (way.trial.retired, way.trial.left_out) == (0, None)
    assert way.trial.words == said[-1][1]
    assert [text for state, text in said if state == "tried"] == [""]  # it is said once
    assert re.match(r"\d+ trial games: \d won, place \d\.\d on average", way.trial.words)
    log = (way.folder / LOG).read_text()
    assert all(state in log for state in JOINED[1:])
    assert f"places: {', '.join(way.trial.places)}" in log
    assert str(league.folder) not in log
    assert "submission 1: joined" in (league.folder / "drop" / "ada" / "received.txt").read_text()
    same = ended(SubmissionWay(league, store, submitted(league, store, packed({"x/bot.py": GOOD}), "x.tgz")))
    assert same.state == "superseded"
    assert states(store, 2) == ["received", "superseded"]


def test_games_of_an_earlier_trial_or_by_another_plan_do_not_count(made) -> None:
    league, store = made.league("seed = 1"), made.store("ada")
    submission = submitted(league, store, GOOD)
    way = SubmissionWay(league, store, submission)
    ended(way)
    (way.folder / TRIAL / "first").touch()
    store.move(1, "received")
    way = SubmissionWay(league, store, submission)
    assert ended(way).state == "joined"
    assert not (way.folder / TRIAL / "first").exists(), "it was tried again, and not only asked what came of it before"
    store.move(1, "checked")  # as when the league was ended in the trial
    other = SubmissionWay(made.league("seed = 2"), store, submission)
    assert ended(other).state == "joined"
    assert other.trial.words


def test_with_few_reference_bots_it_is_tried_at_every_number_of_players(made) -> None:
    more = 'network = ["grace", "greedy"]\n'  # which may play only where they are
    league, store = made.league(more, 'references = ["@greedy"]', players="2,4-5"), made.store("ada")
    way = SubmissionWay(league, store, submitted(league, store, GOOD))
    for _ in range(3):
        step(way)
    child = way.next_child()
    way.look()
    assert store.steps(1)[-1].text == ""  # nothing is known yet
    while len(store.steps(1)) < 5 and child.wait(0.1) is None:
        way.look()
    way.look()
    [*_, before, told] = store.steps(1)
    assert (before.state, before.text, told.state) == ("checked", "", "checked")
    said = told.text
    assert re.match(r"so far: (1 trial game: place \d of |\d+ trial games: \d+ won, place )", said)
    assert f"checked: {said}" in (way.folder / LOG).read_text()
    assert child.wait(300) == 0
    with Ledger.open(way.folder / "trial") as ledger:
        tables = [result.bots for result in ledger.results()]
    assert Counter(map(len, tables)) == {2: 2, 4: 4, 5: 5}
    assert {sum(bot == "ada" for bot in bots) for bots in tables} == {1}
    assert {bot for bots in tables for bot in bots} >= {"greedy", "copy-2-of-greedy"}


def test_a_league_that_is_killed_at_every_step_comes_to_the_same_end(made, monkeypatch: pytest.MonkeyPatch) -> None:
    league, store = made.league(), made.store("ada")
    submission = submitted(league, store, GOOD)
    killed = 0
    while True:
        again = made.store()
        [kept] = again.submissions()
        if kept.state == "joined":
            break
        if kept.state != "tried":  # which takes no process
            child = SubmissionWay(league, again, kept).next_child()  # killed while it runs
            child.wait(0.3)
            child.end()
        last = made.store()
        way = SubmissionWay(league, last, kept)
        with monkeypatch.context() as patched:  # killed before it is recorded
            patched.setattr(last, "move", _killed)
            with pytest.raises(KeyboardInterrupt):
                step(way)
        killed += 1
        step(SubmissionWay(league, made.store(), made.store().submissions()[0]))
    assert killed == 5
    assert states(made.store(), submission.id) == JOINED
    names = {each.name for each in (league.folder / "submissions" / "000001").iterdir()}
    steps = {f"{name}.{kind}" for name in ("unpack", "build", "check", "trial") for kind in ("log", "json")}
    assert {LOG, "received", "source", "trial", "trial.toml"} <= names
    assert names <= {LOG, "received", "source", "trial", "trial.toml", *steps}


def _killed(*_, **__) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("data", "name", "after", "why"),
    [
        (b"hello", "text.txt", "received", "is no .zip"),
        (packed({"../x.py": b""}), "x.tgz", "received", "leads out"),
        (packed({"bot.toml": b"command = 'x'\nlimits = 3\n"}), "x.tgz", "received", "bot.toml: "),
        (packed({"bot.toml": b"command = './x'\nbuild = 'false'\n"}), "x.tgz", "unpacked", "cannot be built"),
        (b"raise SystemExit('no day for it')", "bot.py", "built", "its last line: no day for it"),
        (b"def decide(view)\n", "bot.py", "built", "its last line: SyntaxError: "),
    ],
    ids=["text", "outside", "manifest", "build", "start", "syntax"],  # an archive has the moment in it
)
def test_a_bot_that_does_not_do_is_refused_with_the_reason(made, data: bytes, name: str, after: str, why: str) -> None:
    league, store = made.league(), made.store("ada")
    found = ended(SubmissionWay(league, store, submitted(league, store, data, name)))
    assert found.state == "refused"
    assert why in found.reason
    assert str(league.folder) not in found.reason
    assert store.submissions()[0].reason == found.reason
    assert states(store, 1) == [*JOINED[: JOINED.index(after) + 1], "refused"]


def test_a_build_that_runs_for_ever_is_ended(made) -> None:
    league, store = made.league("[submissions]\nbuild_minutes = 0.05\n"), made.store("ada")
    data = packed({"bot.toml": b"command = './x'\nbuild = 'sleep 1000'\n"})
    found = ended(SubmissionWay(league, store, submitted(league, store, data, "x.tgz")))
    assert found.state == "refused"
    assert "it takes more than 0.05 minutes, which is the most" in found.reason


@pytest.mark.parametrize(
    ("name", "after", "minutes"),
    [("unpack", "received", 0.0002), ("check", "built", 0.005), ("trial", "checked", 0.005)],
)
def test_a_step_that_runs_for_ever_is_ended_and_not_done_again(
    made, monkeypatch: pytest.MonkeyPatch, name: str, after: str, minutes: float
) -> None:
    command = SubmissionWay._command
    soon = {name: minutes * 60}
    monkeypatch.setattr(SubmissionWay, "_command", lambda way, step: (command(way, step)[0], soon.get(step, 300.0)))
    league, store = made.league(), made.store("ada")
    found = ended(SubmissionWay(league, store, submitted(league, store, GOOD)))
    assert (found.state, states(store, 1)) == ("refused", [*JOINED[: JOINED.index(after) + 1], "refused"])
    assert found.reason is not None
    assert f"it takes more than {minutes} minutes, which is the most" in found.reason
    assert "to be done again" not in (league.folder / "submissions" / "000001" / LOG).read_text()


def test_a_full_disk_is_no_reason_to_refuse(made) -> None:
    league, store = made.league("[disk]\nfree_gb = 1_000_000\n"), made.store("ada")
    way = SubmissionWay(league, store, submitted(league, store, b"hello", "text.txt"))
    step(way)
    assert states(store, 1) == ["received"]
    assert "the disk is full" in (way.folder / LOG).read_text()


def test_one_that_is_withdrawn_meanwhile_ends_so(made) -> None:
    league, store = made.league(), made.store("ada")
    way = SubmissionWay(league, store, submitted(league, store, GOOD))
    child = way.next_child()
    store.move(1, "withdrawn")
    child.wait(60)
    way.finished(child)
    assert ended(way).state == "withdrawn"
    assert states(store, 1) == ["received", "withdrawn"]


def test_what_is_too_large_is_refused_and_removed(made) -> None:
    league, store = made.league("[submissions]\nsize_mb = 0.01\n"), made.store("ada")
    way = SubmissionWay(league, store, submitted(league, store, bytes(20_000)))
    assert "0.01 MB" in ended(way).reason
    assert not (way.folder / "received").exists()


def test_one_whose_files_are_gone_is_refused_and_does_not_hold_up_the_others(made) -> None:
    league, store = made.league(), made.store("ada", "bob")
    submission = submitted(league, store, GOOD)
    received = submission_folder(league.folder, 1) / "received"
    place = arrival(league.folder, "ada", "drop")
    received.rename(place)
    way = SubmissionWay(league, store, submission)
    assert (way.next_child(), way.is_ended) == (None, False), "it is just coming"
    place.rename(league.folder / "gone")
    assert way.next_child() is None
    assert way.submission.reason == "its files are no longer here: submit it again"


def test_the_newest_supersedes_those_that_came_before_its_turn(made) -> None:
    league, store = made.league(), made.store("ada")
    for number in range(3):
        submitted(league, store, GOOD + b"\n" * number)
    store.move(3, "tried")
    first, _, last = store.submissions()
    way = SubmissionWay(league, store, last, is_parted=lambda one, other: one == first.received)
    assert ended(way).state == "joined"
    assert [each.state for each in store.submissions()] == ["received", "superseded", "joined"]
