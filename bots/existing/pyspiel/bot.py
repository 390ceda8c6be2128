"""Lets a bot of OpenSpiel play. `bot.toml` says which one, and its parameters.

Such a bot sees the whole state. Where something is hidden, it gets a state that this seat's view allows instead, a new
one for each decision. In games that have none, only `uniform_random` plays, which needs no more than the actions.
`search` is `mcts` where nothing is hidden, and elsewhere `ismcts`, which draws more such states itself, where OpenSpiel
can.
"""

import argparse
import os
import random
import sys

import pyspiel

from arena.client import Bot, run
from engine import catalog
from engine.chance import Seeded

RANDOM, SEARCH, ISMCTS = "uniform_random", "search", "ismcts"
OURS = ("mcts", ISMCTS, SEARCH)  # made here
MCTS = {"uct_c": 2.0, "max_simulations": 200, "rollouts": 1, "solve": True}
SEED_BELOW = 2**31
MEMORY_MB = 1000


class SpielBot(Bot):
    """Asks the bot for an action in a state that could be the real one."""

    def start(self, start):
        self.rules, self.bot = catalog.rules(start.game), None
        self.chance = Seeded(start.bot_seed.to_bytes(16, "big"))

    def decide(self, game):
        if OPTIONS.bot == RANDOM:
            return game.random.randrange(len(game.actions))
        world = self.rules.determinize(game.view, game.players, game.edition, self.chance)
        if world is None:
            return game.random.randrange(len(game.actions))  # none was found this time
        if self.bot is None:
            self.bot = made(world.spiel.get_game(), game.seat, game.random.randrange(SEED_BELOW))
        chosen = self.bot.step(world.spiel)
        return [action.get("id") for action in game.actions].index(chosen)


def made(spiel, seat, seed):
    """Return the bot."""
    given = dict(each.split("=", 1) for each in OPTIONS.set)
    if OPTIONS.bot not in OURS:
        return pyspiel.load_bot(OPTIONS.bot, spiel, seat, {key: value(text) for key, text in given.items()})
    use = {**MCTS, **{key: value(text) for key, text in given.items()}}
    evaluator = pyspiel.RandomRolloutEvaluator(use["rollouts"], seed)
    hidden = spiel.get_type().information != pyspiel.GameType.Information.PERFECT_INFORMATION
    if OPTIONS.bot == ISMCTS or (OPTIONS.bot == SEARCH and hidden):
        most_visits = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
        return pyspiel.ISMCTSBot(
            seed, evaluator, float(use["uct_c"]), use["max_simulations"], -1, most_visits, False, True
        )
    return pyspiel.MCTSBot(
        spiel, evaluator, float(use["uct_c"]), use["max_simulations"], MEMORY_MB, use["solve"], seed, False
    )


def value(text):
    """Return a number or a truth value, if the text is one."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return {"true": True, "false": False}.get(text.lower(), text)


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bot", required=True)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    chosen = parser.parse_args()
    known = [*OURS, *pyspiel.registered_bots()]
    if chosen.bot not in known:
        sys.exit(f"OpenSpiel has no bot {chosen.bot!r}: it has {', '.join(known)}")
    for each in chosen.set:
        name, is_given, _ = each.partition("=")
        if not is_given or (chosen.bot in OURS and name not in MCTS):
            sys.exit(f"--set {each}: write NAME=VALUE; the names of {', '.join(OURS)} are {', '.join(MCTS)}")
    return chosen


def games():
    """Return the game that is asked for, if the bot can play it."""
    asked = os.environ.get("ARENA_GAME", "")
    if not asked.startswith("openspiel:"):
        return ["openspiel:*"]
    rules = catalog.rules(asked)
    if OPTIONS.bot != RANDOM and not rules.capabilities.worlds:
        sys.exit(f"{OPTIONS.bot} needs a state, and no view of {asked} leads to one: only {RANDOM} plays it")
    if OPTIONS.bot in (ISMCTS, SEARCH) and (why := cannot_search(rules)):
        sys.exit(f"{OPTIONS.bot} does not play {asked}: {why}")
    return [asked]


def cannot_search(rules):
    """Return why this game cannot be searched; empty if it can."""
    first = rules.start(rules.players[0], rules.edition(rules.editions()[0]), Seeded(bytes(16)))
    kind = first.spiel.get_game().get_type()
    if kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
        return "decisions are simultaneous"
    if OPTIONS.bot == SEARCH and kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION:
        return ""
    try:
        first.spiel.resample_from_infostate(first.to_act, random.random)
    except Exception as error:  # OpenSpiel's own
        return f"OpenSpiel draws no other states with the same information: {error}"
    return ""


if __name__ == "__main__":
    OPTIONS = options()
    run(SpielBot, name="pyspiel-bot", games=games())
