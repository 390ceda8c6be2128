"""A client that is broken in one line is told what is wrong with it, where that stands, and what to do.

It is the client in C, which is compiled the fastest: the check sees nothing but frames.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from arena.check import requirements
from arena.check.report import Requirement
from tests.starters.conftest import Workshop, named

pytestmark = pytest.mark.toolchains


class Break(NamedTuple):
    """One line of the client in C, what stands there instead, and what the check has to say."""

    file: str
    line: str
    instead: str
    step: str
    requirement: Requirement


BREAKS = {
    "a number of the wrong type": Break(
        "messages.c",
        'pack_number(packer, "index", act->index);',
        'pack_word(packer, "index");\n    msgpack_pack_double(packer, (double)act->index);',
        step="answer",
        requirement=requirements.INDEX_TYPE,
    ),
    "a turn that is never looked at": Break(
        "client.c",
        "pack_act(&packer, decision.game_id, decision.turn, &act);",
        "pack_act(&packer, decision.game_id, 1, &act);",
        step="turns",
        requirement=requirements.TURN,
    ),
    "text in place of msgpack": Break(
        "client.c",
        "pack_act(&packer, decision.game_id, decision.turn, &act);",
        """char text[200];
    const int size = snprintf(text, sizeof text, "{'type': 'act', 'turn': %d, 'index': %d}", (int)decision.turn,
                              (int)act.index);
    msgpack_sbuffer_write(frame, text, (size_t)size);""",
        step="answer",
        requirement=requirements.TEXT,
    ),
}


@pytest.mark.parametrize("broken", BREAKS.values(), ids=BREAKS)
def test_the_report_on_a_broken_client_names_the_fault_and_the_rule(workshop: Workshop, broken: Break) -> None:
    file = workshop.make("c") / broken.file
    source = file.read_text("utf-8")
    assert source.count(broken.line) == 1, f"{broken.file} has changed: choose another line to break"
    file.write_text(source.replace(broken.line, broken.instead), "utf-8")
    told = workshop.refusal(named("c"))
    assert (told.step, Requirement(told.section, told.says, told.advice)) == (broken.step, broken.requirement), told
    assert told.what
