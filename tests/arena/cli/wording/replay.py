"""`arena replay`."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from arena.ledger import Ledger
from arena.replays import game_file
from tests.arena.cli.conftest import CRASHER
from tests.arena.cli.wording.scenario import Given, Place, meta, scenario, tournament

WHOLE, CRASHED = "p3-b0000-r0", "p3-b0000-r2"
Change = Callable[[dict[str, Any]], object]

ALTERED: dict[str, Change] = {
    "another-bot": lambda data: data["record"]["bots"].__setitem__(0, "me"),
    "a-step-less": lambda data: data["record"]["steps"].pop(),
    "another-edition": lambda data: data["edition"].update(name="mine"),
    "ranks-no-list": lambda data: data["record"].update(ranks="first"),
    "a-rank-less": lambda data: data["record"]["ranks"].pop(),
    "a-seat-too-many": lambda data: data["record"]["retired"].append(7),
    "no-edition": lambda data: data.pop("edition"),
    "more": lambda data: data.update(more=1),
}
"""By somebody who does not know how a checksum is made."""
FORGED: dict[str, Change] = {
    "other-ranks": lambda data: data["record"]["ranks"].reverse(),
    "time-no-number": lambda data: data["time"].update(move="x"),
    "time-negative": lambda data: data["time"].update(bank=-1),
    "time-endless": lambda data: data["time"].update(move=1e300),
    "time-more": lambda data: data["time"].update(more=1),
    "decision-negative": lambda data: data["record"]["times"][0].append(-1),
    "decision-endless": lambda data: data["record"]["times"][0].append(10**400),
    "boxes": lambda data: data["edition"].update(more=[[]]),
    "offers": lambda data: data["edition"]["events"].update(offer=10**9),
    "rounds": lambda data: data["edition"]["parameters"].update(max_rounds=10**9),
    "no-chits": lambda data: data["edition"].pop("chits"),
}
"""By somebody who does."""
OTHERS = {
    "empty": b"",
    "object": b"{}",
    "binary": b"\x00\xff",
    "deep": b"[" * 100_000,
    "newer": b'{"format":"arena game","version":99}',
    "bare": b'{"format":"arena game","version":1}',
}


def exported(changes: dict[str, Change], forged: bool) -> Given:
    """One game in a file, altered in this and that way."""

    def given(place: Place) -> None:
        with Ledger.open(place.played) as ledger:
            text = game_file.encode(game_file.game_file(ledger.game(WHOLE), ledger.settings))
        for name, change in changes.items():
            data = json.loads(text)
            change(data)
            if forged:
                game = msgspec.json.decode(json.dumps(data | {"checksum": ""}), type=game_file.GameFile)
                data["checksum"] = game_file._checksum(game)
            place.write(f"{name}.json", json.dumps(data))

    return given


def others(place: Place) -> None:
    """The tournament, and files that are none by `arena export`."""
    place.tournament()
    for name, content in OTHERS.items():
        place.write(f"{name}.json", content)


def asked_again(place: Place) -> None:
    place.tournament()
    place.bots("greedy", "pairs")
    place.write("crasher.py", CRASHER.replace(" and decision.seat == 0", ""))
    place.write("heir.py", CRASHER.replace("if decision.turn == 2", "if False"))


SCENARIOS = [
    scenario("a game", f"replay t {WHOLE}", given=tournament(), first=14, last=5),
    scenario(
        "the game before its folder, and one of an export",
        f"replay {WHOLE} t",
        "export t --to export",
        f"replay export {WHOLE}",
        "replay export nosuch",
        given=tournament(),
        first=1,
        last=1,
    ),
    scenario("what one seat saw", f"replay t {WHOLE} --seat 2", given=tournament(), first=14, last=5),
    scenario(
        "a game whose first seat crashed",
        f"replay t {CRASHED}",
        f"replay t {CRASHED} --seat 2",
        "replay t p2-b0000-r0",
        given=tournament(),
        last=12,
        first=4,
    ),
    scenario(
        "another bot is asked the same",
        f"replay t {WHOLE} --seat 2 --bot pairs.py",
        given=asked_again,
        last=1,
        first=3,
        marks=[pytest.mark.slow],
    ),
    scenario(
        "a bot is asked the same and crashes",
        f"replay t {WHOLE} --seat 2 --bot crasher.py",
        given=asked_again,
        marks=[pytest.mark.slow],
    ),
    scenario(
        "a bot is asked what another one failed at",
        "replay t p2-b0000-r0 --seat 1 --bot heir.py",
        given=asked_again,
        marks=[pytest.mark.slow],
    ),
    scenario(
        "what there is not",
        "replay",
        "replay t",
        "replay t p9-b0000-r0",
        "replay p9-b0000-r0",
        f"replay t {WHOLE} --seat 4",
        f"replay t {WHOLE} --seat 0",
        f"replay t {WHOLE} --bot greedy.py",
        "replay none.json",
        "replay bare.json p2-b0000-r0",
        given=others,
    ),
    scenario(
        "a tournament without games",
        "replay t p2-b0000-r0",
        given=tournament("DELETE FROM steps", "DELETE FROM games"),
    ),
    scenario("files that are no games", *(f"replay {name}.json" for name in OTHERS), given=others),
    scenario("files that were altered", *(f"replay {name}.json" for name in ALTERED), given=exported(ALTERED, False)),
    scenario(
        "files that were forged",
        *(f"replay {name}.json" for name in FORGED),
        given=exported(FORGED, True),
        hide=["0{400}"],
    ),
    scenario("a seat that a file has not", "replay x.json --seat 4", given=exported({"x": lambda _: None}, False)),
    scenario(
        "steps that cannot be played",
        f"replay t {WHOLE}",
        given=tournament(f"UPDATE steps SET idx = 99 WHERE game = '{WHOLE}' AND n = 3"),
        first=0,
    ),
    scenario(
        "a time control that was altered",
        f"replay t {WHOLE} --seat 1 --bot greedy.py",
        given=tournament(meta("time", {"move": "x"})),
    ),
    scenario("an edition that was altered", f"replay t {WHOLE}", given=tournament(meta("edition", {"name": "x"}))),
    scenario("a game that is not installed", f"replay t {WHOLE}", given=tournament(meta("game", "chess"))),
]
