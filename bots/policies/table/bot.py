"""Plays by a table, `policy.json`: for each information state of OpenSpiel, how often to choose which action."""

import json
import sys
from pathlib import Path

from arena.client import run

TABLE = json.loads(Path("policy.json").read_text("utf-8"))


def decide(game):
    chances = TABLE.get(game.view["text"], {})
    weights = [chances.get(str(action.get("id")), 0) for action in game.actions]
    if not any(weights):  # the policy has no row for it
        return game.random.randrange(len(weights))
    return game.random.choices(range(len(weights)), weights)[0]


if __name__ == "__main__":
    run(decide, name="table-bot", games=sys.argv[1:])
