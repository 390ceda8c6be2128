"""Only so many bots of a referee run at once; who rests longest is ended, in all politeness, and starts again."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import msgspec
import psutil
import pytest

from arena import supervisor
from arena.game.clock import TimeControl
from arena.referee import roster
from arena.referee.referee import Referee
from tests.arena.referee.test_referee import config, specs

pytestmark = [pytest.mark.process, pytest.mark.slow]

__all__ = ["config"]


def supervisors() -> int:
    """The processes that watch over bots of this one; each has one bot."""
    found = 0
    for process in psutil.Process().children():
        with suppress(psutil.Error):
            found += supervisor.SCRIPT in process.cmdline()
    return found


def watched(referee: Referee) -> list[int]:
    """How many bots there were whenever a game was begun, and at the end of it."""
    seen: list[int] = []
    finish = referee._games._finish

    def count(open_game) -> None:
        seen.append(supervisors())
        finish(open_game)

    referee._games._finish = count  # type: ignore[method-assign]
    return seen


def test_a_game_has_its_bots_whatever_may_be_kept(config) -> None:
    made = replace(config({}, {}, {}), kept=1)
    with Referee(made, pin=False) as referee:
        seen = watched(referee)
        [record] = referee.play(specs(made.bots))
    assert seen == [3]
    assert (record.ending, record.faults) == ("finished", [])


def test_who_is_ended_has_time_to_say_goodbye_and_nobody_pays_for_it(
    config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(roster, "_BYE_SECONDS", 3.0)
    note = tmp_path / "note"
    polite = f"""import atexit, pathlib, time
        atexit.register(lambda: (time.sleep(0.1), pathlib.Path({str(note)!r}).write_text('bye')))"""
    stays = "import threading; threading.Thread(target=time.sleep, args=[600]).start()"
    time = TimeControl(start=30.0, move=1.5, bank=0.0, strikes=1)
    made = replace(config({"body": polite}, {"body": stays}, {}, {}, time=time), kept=2)
    first, second = specs(["bot0", "bot1"])[0], msgspec.structs.replace(specs(["bot2", "bot3"])[0], id="g1")
    with Referee(made, pin=False) as referee:
        records = referee.play([first])
        assert not note.exists()
        records += referee.play([second])
        assert note.read_text() == "bye"
        assert supervisors() == 2
        assert [session.name for session in referee._roster._lingering] == ["bot1"], "it is not waited for again"
    assert [(record.ending, record.faults) for record in records] == [("finished", [])] * 2
