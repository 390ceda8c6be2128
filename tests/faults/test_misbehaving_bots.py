"""Every misbehaviour is counted under its name and costs its price, and nobody else's game suffers."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import psutil
import pytest

from arena.entrants import bot_process, build, expand
from arena.game.clock import TimeControl
from arena.game.faults import FAULTS, FaultCost
from arena.game.replay import verify
from arena.game.spec import GameSpec
from arena.ledger import GameRecord
from arena.referee.config import RefereeConfig
from arena.referee.referee import Referee
from engine import catalog

pytestmark = [pytest.mark.process, pytest.mark.slow]

HERE = Path(__file__).parent
FILES = ("bad_bot.py", "misunderstandings.py")
GOOD = HERE.parent / "e2e" / "plain_bot.py"
TIME = TimeControl(start=20.0, move=0.2, bank=1.0)
GAMES = 2
RETIRED = [code for code, price in FAULTS.items() if price is FaultCost.RETIRE]

MISBEHAVIOURS = {
    "at_start_crash": "crash",
    "crash_at_third": "crash",
    "crash_by_signal": "crash",
    "crash_mid_frame": "crash",
    "kill_starter": "crash",
    "at_start_mute": "mute",
    "at_start_act": "mute",
    "at_start_newer_major": "mute",
    "stall": "late",
    "ponder": None,
    "late": "late",
    "twice": "stale",
    "other_game": "stale",
    "old_turn": "stale",
    "illegal_index": "illegal",
    "negative_index": "illegal",
    "float_index": "malformed",
    "string_index": "malformed",
    "huge_number": "malformed",
    "not_a_number": "malformed",
    "deep_nesting": "malformed",
    "deep_field": "malformed",
    "bad_utf8": "malformed",
    "random_bytes": "malformed",
    "empty_frame": "malformed",
    "several_frames": "malformed",
    "frame_of_200_kb": "oversize",
    "frame_of_10_mb": "oversize",
    "burst": "flood",
    "many_parts": "flood",
    "output_of_1_gb": "late",
    "at_start_memory": "crash",
    "fork_child": None,
    "writes_in_folder": None,
    "reopen": None,
    "impostor": "impostor",
    "unknown_token": "impostor",
    "at_start_wrong_id": "mute",
    "crowd_of_huge_frames": "flood",
    "crowd_of_large_frames": "impostor",
    "crowd_of_small_frames": "impostor",
    "crowd_beside_play": "flood",
    "talking_child": "impostor",
}
"""What each is counted as; None: not a fault of the bot."""

needs_proc = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="tokens are looked up in /proc")


def bad_bot(folder: Path, behaviour: str) -> Path:
    """A bot of the misbehaving bots as a folder."""
    bad = folder / "bad"
    bad.mkdir()
    for file in FILES:
        shutil.copy(HERE / file, bad)
    (bad / "bot.toml").write_text(
        f'command = "{{python}} bad_bot.py"\nenv = {{ BEHAVIOUR = "{behaviour}" }}\nlimits = {{ memory_mb = 300 }}\n'
    )
    return bad


_PLAYED: dict[str, list[GameRecord]] = {}


def play(tmp_path: Path, behaviour: str) -> list[GameRecord]:
    """The two games of that behaviour, played by the first who asks in this process; not to be changed."""
    if behaviour not in _PLAYED:
        _PLAYED[behaviour] = play_anew(tmp_path, behaviour)
    return _PLAYED[behaviour]


def play_anew(tmp_path: Path, behaviour: str) -> list[GameRecord]:
    """Two games of the bad bot between two good ones; nothing of them may be left."""
    found = expand([bad_bot(tmp_path, behaviour), GOOD, GOOD]).found
    built = {entrant.name: build(entrant, tmp_path / "cache") for entrant in found}
    rules = catalog.rules("kosmos")
    time = TIME if behaviour != "at_start_mute" else TimeControl(start=5.0, move=0.2, bank=1.0)
    config = RefereeConfig("kosmos", rules.edition("standard"), time, built)
    names = list(built)
    specs = [GameSpec(f"g{n}", n, 3, n, 0, f"{n:032x}", names[n:] + names[:n]) for n in range(GAMES)]
    before = set(psutil.Process().children(recursive=True))
    with Referee(config, pin=False) as referee:
        folder = referee._transport.folder
        records = referee.play(specs)
        # Whatever a bot starts is below its starter, so it is found here while it lives.
        theirs = set(psutil.Process().children(recursive=True)) - before
    _, alive = psutil.wait_procs(theirs, timeout=10)
    assert not alive
    assert not folder.exists()
    for record in records:
        assert verify(record, rules, rules.edition("standard")) == []
    return records


@pytest.mark.parametrize("behaviour", MISBEHAVIOURS)
def test_misbehaving_bot(tmp_path, behaviour):
    for record in play(tmp_path, behaviour):
        code = MISBEHAVIOURS[behaviour]
        bad = record.bots.index("bad")
        counted = Counter(fault.code for fault in record.faults if fault.seat == bad)
        assert not [fault for fault in record.faults if fault.seat not in (bad, None)]
        assert record.ending == "finished"
        retired = bad in record.retired
        if code is None:
            assert not counted
            assert not retired
        else:
            assert counted[code] >= 1, record.faults
            assert set(counted) <= {code, "stale"}
            if FAULTS[code] is FaultCost.STRIKE:
                assert counted[code] == TIME.strikes
            assert retired == (FAULTS[code] is not FaultCost.FREE)
        if retired:
            assert record.ranks[bad] == 3
            assert any(step.kind == "retire" and step.seat == bad for step in record.steps)
        assert all(others > 0 for others in (len(times) for seat, times in enumerate(record.times) if seat != bad))


def test_every_kind_of_fault_is_among_the_misbehaving_bots():
    assert {code for code in MISBEHAVIOURS.values() if code} == set(FAULTS)


def test_a_bot_that_does_not_set_its_token_gets_an_error_that_says_so(tmp_path):
    for record in play(tmp_path, "at_start_wrong_id"):
        assert [fault.text for fault in record.faults] == ["a frame came from routing id 'bad', which is no token"]


@needs_proc
def test_no_token_of_another_bot_is_shown(tmp_path):
    for record in play(tmp_path, "impostor"):
        assert [fault.text for fault in record.faults] == ["a frame came under a token that is not this bot's"]


def test_the_last_words_are_kept(tmp_path):
    records = play(tmp_path, "crash_at_third")
    for record in records:
        [fault] = record.faults
        assert "RuntimeError: the third decision is too much" in fault.stderr
        assert fault.turn == 3


def test_output_is_capped(tmp_path, monkeypatch):
    sizes = []
    end = bot_process.remove  # type: ignore[attr-defined]

    def measure(folder):
        sizes.extend(file.stat().st_size for file in Path(folder).glob("log.*"))
        end(folder)

    monkeypatch.setattr(bot_process, "remove", measure)
    play_anew(tmp_path, "output_of_1_gb")
    assert sizes
    assert max(sizes) <= 1 << 18


def test_a_bot_is_started_again_for_its_next_game(tmp_path):
    first, second = play(tmp_path, "crash_at_third")
    assert [fault.turn for fault in first.faults + second.faults] == [3, 3]
