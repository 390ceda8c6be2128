"""How much luck shared deals take out of a tournament: the same bots play with own and with shared deals.

    python -m benchmarks.shared_deals [--blocks BLOCKS] [--seed SEED] [GAME ...]

Prints a line of JSON for each game. What is looked at is a bot's mean result over a block: the score where the rules
say what is played for, else the rank, as where it finished from 0 to 1. `ratios` has, by group of bots, the variance
of that with shared deals divided by that with own deals, for as many games, summed over the bots of the group; `ratio`
is that of all groups together, each with the same weight. Each is followed by its standard error, from blocks drawn
again. Below 1, shared deals need fewer games: so many times as many as own ones. `means` has what each bot got with
either, which must be the same but for luck. Games are dealt as in a tournament and played in this process, by bots that
begin each game without a memory.
"""

from __future__ import annotations

import argparse
import json
import runpy
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from arena.client import Bot, Decision, GameStart
from arena.game.bot_messages import bot_seed
from arena.game.game import begin
from arena.game.spec import GameSpec
from arena.ledger import BlockRecord, Dealing, Seeds
from arena.rating import finish
from arena.rating.rated_table import rating_input
from arena.tournament.identity import dealing_of, with_partners
from arena.tournament.schedule.rounds import specs
from engine import catalog
from engine.chance import Seeded, derive
from engine.rules import Rules

Floats = NDArray[np.float64]
BOTS = Path(__file__).resolve().parents[1] / "bots"
BLOCKS = 500
RESAMPLES = 1000
PLAYOUTS = 4
PASS, LOWEST_BID = 52, 55
"""In bridge; cards have the numbers below."""
SUITS = "♠♥♦♣"
POINTS = {"A": 4, "K": 3, "Q": 2, "J": 1}


def first(game: Decision) -> int:
    """Take the first action."""
    return 0


def last(game: Decision) -> int:
    """Take the last action: in poker, raise."""
    return len(game.actions) - 1


def call(game: Decision) -> int:
    """In poker, never fold, and never raise if there is a choice."""
    return next(place for place, action in enumerate(game.actions) if action["id"] > 0)


def anything(game: Decision) -> int:
    """Take any action."""
    return game.random.randrange(len(game.actions))


def bid(game: Decision) -> int:
    """In bridge, bid the longest suit with twelve points, but never above two, and play the highest card."""
    if game.actions[0]["id"] < PASS:
        return _by_rank(game, max)
    suits = [line[1:].split() for line in game.view["text"].splitlines() if line.startswith(tuple(SUITS))]
    longest = max(range(4), key=lambda suit: len(suits[suit]))
    points = sum(POINTS.get(card, 0) for suit in suits for card in suit)
    wanted = [LOWEST_BID + level * 5 + 3 - longest for level in range(2)] if points >= 12 else []
    return next((place for place, action in enumerate(game.actions) if action["id"] in wanted), 0)


def bid_low(game: Decision) -> int:
    """In bridge, bid like `bid`, and play the lowest card."""
    return bid(game) if game.actions[0]["id"] >= PASS else _by_rank(game, min)


def duck(game: Decision) -> int:
    """In hearts, pass the highest cards on and play the lowest."""
    return _by_rank(game, min if "Tricks:" in game.view["text"] else max)


def _by_rank(game: Decision, best: Callable[[list[int]], int]) -> int:
    ranks = [action["id"] // 4 for action in game.actions]
    return ranks.index(best(ranks))


def try_out(game: Decision) -> int:
    """Take what wins most when worlds that the view allows are played on at random."""
    rules, won = catalog.rules(game.game), [0.0] * len(game.actions)
    assert rules.capabilities.score is not None
    for number in range(PLAYOUTS):
        chance = Seeded(derive(b"try out", game.random.getrandbits(64), number))
        world = rules.determinize(game.view, game.players, game.edition, chance)
        assert world is not None
        for place in range(len(won)):
            after = world.copy()
            after.play(place)
            while after.to_act is not None:
                after.play(game.random.randrange(len(after.actions())))
            won[place] += float(after.scores()[game.seat][rules.capabilities.score.name])
    return won.index(max(won))


GROUPS: Mapping[str, Sequence[tuple[str, ...]]] = {
    "kosmos": [("planner", "greedy"), ("greedy", "random_bot"), ("planner", "sprinter", "greedy", "random_bot")],
    "ravensburger": [("navigator", "strider"), ("strider", "random_bot"), ("navigator", "strider", "random_bot")],
    "openspiel:leduc_poker": [("try_out", "call"), ("try_out", "anything"), ("call", "anything")],
    "openspiel:universal_poker": [("try_out", "call"), ("try_out", "anything"), ("call", "anything")],
    "openspiel:hearts": [("duck", "last", "anything", "first"), ("duck", "duck2", "anything", "anything2")],
    "openspiel:bridge(use_double_dummy_result=false)": [("bid", "bid_low"), ("bid", "first")],
}
"""By game, who plays with whom. Bots are functions of this module, or files in `bots/`; a number makes another one."""


def made(name: str) -> Bot:
    """Make a bot that begins a game."""
    parts = _PARTS.get(name) or _PARTS.setdefault(name, _parts(name))
    for part in parts.values():
        if isinstance(part, type) and issubclass(part, Bot) and part is not Bot:
            return part()
    bot = Bot()
    bot.decide = parts["decide"]  # type: ignore[method-assign]
    return bot


_PARTS: dict[str, dict[str, Any]] = {}
"""By bot: what its file defines."""


def _parts(name: str) -> dict[str, Any]:
    own = globals().get(name.rstrip("2"))
    return runpy.run_path(str(BOTS / f"{name}.py")) if own is None else {"decide": own}


def results(rules: Rules, edition: Mapping[str, Any], spec: GameSpec) -> dict[str, float]:
    """Play a game, and return what each entrant got."""
    seed = bytes.fromhex(spec.seed)
    state = begin(rules, edition, spec.players, seed)
    bots = [made(name) for name in spec.bots]
    for own, bot in enumerate(bots):
        bot.random = Random(bot_seed(seed, own))
        bot.start(GameStart(spec.id, rules.name, edition, own, spec.players, None, bot_seed(seed, own)))
    heard: list[list[Any]] = [[] for _ in bots]
    while (seat := state.to_act) is not None:
        decision = Decision(
            spec.id, rules.name, edition, seat, spec.players, 1, state.view(seat), state.actions(), heard[seat], None,
            bots[seat].random,
        )  # fmt: skip
        index = bots[seat].decide(decision)
        heard[seat] = []
        for event in state.play(index):
            for reader, events in enumerate(heard):
                if event.to is None or event.to == reader:
                    events.append(event.what)
    game = rating_input(spec.bots, state.ranks(), state.scores(), (spec.players, spec.block))
    score = rules.capabilities.score
    return {
        bot: finish(game.ranks, place) if score is None else float(game.scores[place][score.name])
        for place, bot in enumerate(game.bots)
    }


def block_means(rules: Rules, group: tuple[str, ...], dealing: Dealing, blocks: int, seed: bytes) -> Floats:
    """Return by block and bot of the group what the bot got in a game on average."""
    edition = rules.edition(rules.editions()[0])
    seeds = Seeds(derive(seed, *group), dealing=dealing)
    found = []
    for number in range(blocks):
        block = BlockRecord(number * len(group), number, number, list(group))
        games = [results(rules, edition, spec) for spec in specs(block, seeds)]
        found.append([sum(game[bot] for game in games) / len(games) for bot in group])
    return np.array(found)


def variance(means: Floats) -> float:
    """Return the variances of all bots together."""
    return float(np.var(means, axis=0, ddof=1).sum())


def measure(name: str, blocks: int, number: int) -> dict[str, Any]:
    """Return the ratios of a game."""
    rules, seed = catalog.rules(name), derive(b"shared deals", number)
    draw = np.random.default_rng(number)
    ratios, means, all_drawn = {}, {}, []
    for group in GROUPS[name]:
        least, most = rules.players
        players = next(n for n in range(least, most + 1) if entrants_of(rules, n) == len(group))
        shared = with_partners(dealing_of(rules, "shared", 0), rules, [players], None)
        own = msgspec.structs.replace(shared, is_shared=False, is_fresh=False)
        found = {
            deals: block_means(rules, group, dealing, blocks, seed)
            for deals, dealing in (("own", own), ("shared", shared))
        }
        drawn = [
            variance(found["shared"][draw.integers(blocks, size=blocks)])
            / variance(found["own"][draw.integers(blocks, size=blocks)])
            for _ in range(RESAMPLES)
        ]
        key = " ".join(group)
        ratios[key] = [variance(found["shared"]) / variance(found["own"]), float(np.std(drawn))]
        means[key] = {deals: each.mean(axis=0).round(3).tolist() for deals, each in found.items()}
        all_drawn.append(drawn)
    together = [float(np.mean([ratio for ratio, _ in ratios.values()])), float(np.std(np.mean(all_drawn, axis=0)))]
    shown = {key: [round(each, 3) for each in pair] for key, pair in ratios.items()}
    return {
        "game": name, "blocks": blocks, "ratio": [round(each, 3) for each in together], "ratios": shown, "means": means,
    }  # fmt: skip


def entrants_of(rules: Rules, players: int) -> int:
    """Return how many bots play a game of so many players: where there are teams, one for each."""
    return len(rules.capabilities.teams.get(players, range(players)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Measure how much luck shared deals take out.")
    parser.add_argument("--blocks", type=int, default=BLOCKS, help="of each group of bots, with either kind of deals")
    parser.add_argument("--seed", type=int, default=1, help="of the deals, and of blocks drawn again")
    parser.add_argument("games", nargs="*", metavar="GAME", help="without one: all games")
    given = parser.parse_args()
    for each in given.games or GROUPS:
        print(json.dumps(measure(each, given.blocks, given.seed)), flush=True)
