"""`arena match`."""

from __future__ import annotations

import pytest

from tests.arena.cli.conftest import TEXT_BOT
from tests.arena.cli.wording.scenario import Place, scenario

CALM = "--start 60 --bank 60 --seed 1"


def bots(place: Place) -> None:
    place.bots("greedy", "random_bot", "pairs", "strider", "crasher")
    place.write("slow.py", SLOW)
    place.write("mute.py", "import time\ntime.sleep(600)\n")
    place.write("text.py", TEXT_BOT)
    place.write("notes.txt")
    place.write("online/bot.toml", 'command = "{python} bot.py"\nnetwork = true\n')
    place.write("online/bot.py")
    place.write("unbuildable/bot.toml", 'command = "./bot"\nbuild = "false"\n')
    place.write("built/bot.toml", 'command = "{python} bot.py"\nbuild = "true"\n')
    place.write("built/bot.py", (place.folder / "greedy.py").read_bytes())


SLOW = """
import time
from arena.client import run

def decide(game):
    if game.turn == 3:
        raise SystemExit("enough")
    time.sleep(3 if game.turn == 1 else 0)
    return 0

run(decide)
"""
MOMENT = r"[ \d]{7}\.\d(?= ms)"
BY_HAND = ("(?<=ARENA_ENDPOINT=).*(?= ARENA)", "(?<=ARENA_TOKEN=).*(?= python)")
LOG = (
    r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d",
    r"(?<=INFO )\d+",
    r"(?<=-)[0-9a-f]{32}",
    r"(?<=after )[0-9.]+(?= s)",
)
"""What differs from log to log: time, process, build, duration."""

SCENARIOS = [
    scenario(
        "a game from its beginning on", f"match greedy.py random_bot.py pairs.py {CALM}", given=bots, first=12, last=7
    ),
    scenario(
        "a bot that notes something and crashes",
        f"match crasher.py random_bot.py {CALM}",
        given=bots,
        marks=[pytest.mark.slow],
    ),
    scenario(
        "the messages of a game",
        "match crasher.py built --game kosmos --start 60 --move 60 --seed 1 --trace traces",
        given=bots,
        hide=[MOMENT, r"(?<=from )(crasher|built): hello: \w+"],
        first=24,
        last=14,
        marks=[pytest.mark.slow],
    ),
    scenario(
        "the messages of a bot that speaks no msgpack",
        "match text.py wait:me --start 1 --game kosmos --seed 1 --trace traces",
        given=bots,
        hide=[MOMENT, *BY_HAND],
        marks=[pytest.mark.slow],
    ),
    scenario(
        "a bot that gives no answer",
        "match slow.py built --start 60 --move 2 --bank 0 --strikes 2 --seed 1",
        given=bots,
        hide=[r"(?<=answer within )[0-9.]+"],
        marks=[pytest.mark.slow],
    ),
    scenario(
        "bots that never say hello, one of which is to be started by hand",
        "match mute.py wait:me --start 1 --game kosmos --seed 1",
        given=bots,
        hide=BY_HAND,
        marks=[pytest.mark.slow],
    ),
    scenario(
        "the log",
        f"match crasher.py built {CALM} --game kosmos --verbose",
        given=bots,
        hide=LOG,
        first=0,
        in_order=False,
        marks=[pytest.mark.slow],
    ),
    scenario(
        "a bot that needs the network",
        "match online random_bot.py",
        "match online random_bot.py --network offline",
        "match online random_bot.py --network online=NO_SUCH_KEY",
        "match online random_bot.py --network online=sk-4711",
        given=bots,
    ),
    scenario("bots of different games", f"match strider.py greedy.py {CALM}", given=bots, marks=[pytest.mark.slow]),
    scenario(
        "what cannot be played",
        "match",
        "match random_bot.py",
        f"match {'random_bot.py ' * 7}",
        "match random_bot.py none.py",
        "match random_bot.py notes.txt",
        "match random_bot.py wait:",
        "match random_bot.py wait:random_bot",
        *(
            f"match random_bot.py greedy.py {option}"
            for option in (
                *("--game chess", "--edition nosuch", "--seed x", "--move -1", "--strikes 0", "--trace notes.txt"),
            )
        ),
        "match random_bot.py unbuildable",
        given=bots,
    ),
]
