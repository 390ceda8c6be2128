"""A client that is broken in one line is told what is wrong with it, where that stands, and what to do."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from arena.check import rules
from arena.check.report import Rule
from tests.starters.conftest import Workshop

pytestmark = pytest.mark.toolchains


class Break(NamedTuple):
    """One line of a starter's client, what stands there instead, and what the check has to say."""

    key: str
    file: str
    line: str
    instead: str
    step: str
    rule: Rule


BREAKS = {
    "a number of the wrong type": Break(
        "go",
        "client.go",
        "return send(connection, act)",
        'return send(connection, map[string]any{"type": "act", "game_id": act.GameID, "turn": act.Turn, '
        '"index": float64(act.Index)})',
        step="answer",
        rule=rules.INDEX_TYPE,
    ),
    "a turn that is never looked at": Break(
        "typescript",
        "src/client.ts",
        'return { type: "act", game_id, turn, ...chosen };',
        'return { type: "act", game_id, turn: 1, ...chosen };',
        step="turns",
        rule=rules.TURN,
    ),
    "text in place of msgpack": Break(
        "rust",
        "src/client.rs",
        "Next::Say(act) => send(&mut socket, &FromBot::Act(act)).await?,",
        "Next::Say(act) => socket.send(serde_json::to_vec(&FromBot::Act(act))?.into()).await?,",
        step="answer",
        rule=rules.TEXT,
    ),
}


@pytest.mark.parametrize("broken", BREAKS.values(), ids=BREAKS)
def test_the_report_on_a_broken_client_names_the_fault_and_the_rule(workshop: Workshop, broken: Break) -> None:
    file = workshop.make("fogg", broken.key) / broken.file
    source = file.read_text("utf-8")
    assert source.count(broken.line) == 1, f"{broken.file} has changed: choose another line to break"
    file.write_text(source.replace(broken.line, broken.instead), "utf-8")
    told = workshop.refusal("fogg")
    assert (told.step, Rule(told.section, told.says, told.advice)) == (broken.step, broken.rule), told
    assert told.what
