"""Information-set Monte Carlo tree search of OpenSpiel, for any game whose rules draw worlds from a view.

    python examples/learn/spiel_ismcts.py --out ismcts
    arena match ismcts @random_bot --game openspiel:leduc_poker

There is nothing to train: `--out` writes a bot folder that holds this file. The search is OpenSpiel's own
(`open_spiel.python.algorithms.ismcts`, after Cowling, Powley and Whitehouse, 2012). Each simulation begins in another
world, which `rules.determinize` draws from what the seat was shown. A bridged game is searched as it is, and one of
ours as the game that `arena.environments.open_spiel` makes of it. A leaf is worth what random play brings: the returns
at the end, or after `--moves` moves of a game of ours the shares of rivals behind and ahead.

With a clock the search ends after a share of the time for a decision; without one, after `--games` simulated games, and
then it plays the same again from the same seed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts

import arena.environments.open_spiel as ours
from arena.client import Bot, run
from arena.environments.stepped import usual_form
from arena.environments.tree import Determinized, follow, payoffs
from engine import catalog
from engine.chance import Chance, derive

SHARE = 0.4  # of the time for a decision; the rest is for the way, and for the last simulation
AMPLE = 0.5  # seconds: with less in the bank, a quarter as long
CURIOSITY = 1.4  # for returns from -1 to 1
BRIDGED = "openspiel:"


class OutOfTime(Exception):
    """The time for a decision is used up."""


class Dice(Chance):
    """The chance of random play. Copies share it."""

    def __init__(self, random):
        self.random = random

    def below(self, stream, bound):
        return int(self.random.random() * bound)

    def copy(self):
        return self


class Playouts:
    """Values a state by random play, from as far as the time allows."""

    def __init__(self, random, moves):
        self.random, self.moves, self.until = random, moves, None
        self.dice = Dice(random)

    def check(self):
        """Raise `OutOfTime` if it is over."""
        if self.until is not None and now() > self.until:
            raise OutOfTime

    def prior(self, state):
        """Return the same probability for each action."""
        self.check()
        actions = state.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]

    def evaluate(self, state):
        """Return what each seat wins by random play."""
        if isinstance(state, ours.ArenaState):  # on the rules' own state, which needs no chance nodes
            return np.array(self.ranked(state))
        state = state.clone()
        for move in range(1 << 20):
            if state.is_terminal():
                break
            if move % 4 == 3:
                self.check()
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(self.random.choices(outcomes, weights)[0])
            else:
                state.apply_action(self.random.choice(state.legal_actions()))
        return np.array(state.returns())

    def ranked(self, state):
        """Return the payoffs of the ranks after some random moves."""
        node = state.node
        rules, setup = catalog.rules(node.setup.game), node.setup
        world = rules.determinize(node.state.view(node.state.to_act), setup.players, setup.edition, self.dice)
        for move in range(self.moves):
            if world.to_act is None:
                break
            if move % 4 == 3:
                self.check()
            world.play(self.random.randrange(len(world.actions())))
        return payoffs(world.ranks())


def now():
    """Return the seconds that count: on Linux the bot's processor time, so that waiting for a core costs nothing."""
    return time.process_time() if sys.platform == "linux" else time.perf_counter()


class SpielIsmcts(Bot):
    """Searches at each decision, and plays the action that was tried most."""

    def start(self, start):
        self.rules, self.start_message = catalog.rules(start.game), start
        self.playouts = Playouts(self.random, OPTIONS.moves)
        self.drawn = 0
        self.game = None
        if not start.game.startswith(BRIDGED):
            known = start.edition.get("name")
            edition = known if known in self.rules.editions() else self.rules.editions()[0]
            name = f"{ours.PREFIX}{start.game}"
            self.game = pyspiel.load_game(name, {"players": start.players, "edition": edition})
            self.setup = self.game.setup.game._replace(edition=start.edition)

    def decide(self, game):
        if len(game.actions) == 1:
            return 0
        began = now()
        self.until = None
        if game.clock is not None:
            share = SHARE if game.clock["bank"] >= 1000 * AMPLE else SHARE / 4
            self.until = began + share * game.clock["move"] / 1000
        self.searches = 0
        index = self.in_steps(game) if self.game is not None else self.by_ids(game)
        game.metric("simulations", self.searches)
        return game.random.randrange(len(game.actions)) if index is None else index

    def by_ids(self, game):
        """Search a bridged game, whose actions have OpenSpiel's ids."""

        def world():
            drawn = self.rules.determinize(game.view, game.players, game.edition, self.playouts.dice)
            return None if drawn is None else drawn.spiel.clone()

        if (root := world()) is None or root.get_game().get_type().dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
            return None
        chosen = self.search(root, world, self.until)
        return [action.get("id") for action in game.actions].index(chosen)

    def in_steps(self, game):
        """Search a game of ours step by step, each with as much of the time as the one before left for it."""
        choice = self.game.setup.form.choice(game.actions)
        taken: list[int] = []

        def world():
            self.drawn += 1
            seed = derive(self.start_message.bot_seed.to_bytes(16, "big"), "world", self.drawn)
            state = self.game.new_initial_state()
            state.node = follow(self.setup, Determinized(game.view, game.seat, seed, "", 0), ())
            state.steps = taken[:]
            return state

        index = None
        while index is None:
            until = self.until
            if until is not None:
                until = now() + max(0.0, until - now()) / (1 if taken else 1.5)
            step = self.search(world(), world, until)
            index = choice.take(step)
            taken.append(step)
        return index

    def search(self, root, world, until):
        """Return the action that was tried most in worlds like this one."""
        legal = root.legal_actions()
        if len(legal) == 1:
            return legal[0]
        spiel = root.get_game()
        self.playouts.until = until
        span = (spiel.max_utility() - spiel.min_utility()) / 2
        simulations = OPTIONS.games if until is None else 1 << 30
        bot = ismcts.ISMCTSBot(
            spiel,
            self.playouts,
            CURIOSITY * span,
            simulations,
            random_state=np.random.RandomState(self.random.randrange(1 << 31)),
            use_observation_string=not spiel.get_type().provides_information_state_string,
            allow_inconsistent_action_sets=False,
        )
        key = bot.get_state_key(root)

        def resample(state, player):
            self.playouts.check()
            for _ in range(20):
                drawn = world()
                if drawn is not None and bot.get_state_key(drawn) == key:
                    self.searches += 1
                    return drawn
            raise OutOfTime  # the view tells less than the information state does

        bot.set_resampler(resample)
        with suppress(OutOfTime):
            bot.run_search(root)
        tried = bot._root_node.child_info
        return max(tried, key=lambda action: tried[action].visits) if tried else self.random.choice(legal)


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, help="write a bot folder here")
    parser.add_argument("--games", type=int, default=100, help="simulated games of a decision without a clock")
    parser.add_argument("--moves", type=int, default=40, help="random moves after which a game of ours is valued")
    return parser.parse_args()


def main():
    if OPTIONS.out is None:
        if (game := os.environ.get("ARENA_GAME", "")) and not game.startswith(BRIDGED):
            usual_form(game, catalog.rules(game).editions()[0])  # now, and not in the time for the first decision
        run(SpielIsmcts, name="spiel-ismcts", deterministic=False)
        return
    OPTIONS.out.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(__file__, OPTIONS.out / "bot.py")
    command = ["{python}", "bot.py", "--games", str(OPTIONS.games), "--moves", str(OPTIONS.moves)]
    words = ", ".join(f'"{word}"' for word in command)
    (OPTIONS.out / "bot.toml").write_text(f'name = "spiel-ismcts"\nlanguage = "Python"\ncommand = [{words}]\n', "utf-8")
    print(f"{OPTIONS.out} is a bot: arena check {OPTIONS.out} --game openspiel:leduc_poker")


if __name__ == "__main__":
    OPTIONS = options()
    main()
