"""Counterfactual regret minimization (CFR+) of OpenSpiel for Leduc poker, or another small game of OpenSpiel.

    python examples/learn/leduc_cfr.py --minutes 2 --out leduc
    arena new leduc-bot --from leduc/policy.pkl
    arena rate leduc-bot --game openspiel:leduc_poker

It approaches an equilibrium, a policy that nobody can beat in the long run. Exploitability says how far it still is:
what a rival who knows the policy wins against it in a game, on average (0 at an equilibrium). The average policy is
saved as a pickled `TabularPolicy`, of which `arena new --from` makes a bot: a table from what a seat knows to
probabilities. No seed is needed, as nothing is drawn.
"""

from __future__ import annotations

import argparse
import json
import pickle
import time
from pathlib import Path

import pyspiel
from open_spiel.python.policy import tabular_policy_from_callable


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="leduc_poker", help="a small game of OpenSpiel for two")
    parser.add_argument("--minutes", type=float, default=2)
    parser.add_argument("--games", type=int, default=1 << 30, help="the most iterations: each walks the whole game")
    parser.add_argument("--looks", type=int, default=8, help="how often exploitability is printed, at most")
    parser.add_argument("--out", type=Path, default=Path("leduc"))
    args = parser.parse_args()

    game = pyspiel.load_game(args.game)
    solver = pyspiel.CFRPlusSolver(game)
    began, done, look = time.monotonic(), 0, 1
    while done < args.games and time.monotonic() - began < 60 * args.minutes:
        solver.evaluate_and_update_policy()
        done += 1
        if done == look:
            tell(game, solver, done, began)
            look *= 4
    exploitability = tell(game, solver, done, began)
    average = solver.average_policy()
    policy = tabular_policy_from_callable(game, average.action_probabilities)
    args.out.mkdir(parents=True, exist_ok=True)
    (args.out / "policy.pkl").write_bytes(pickle.dumps(policy))
    about = {"game": args.game, "iterations": done, "exploitability": exploitability}
    (args.out / "about.json").write_text(json.dumps(about) + "\n", "utf-8")


def tell(game, solver, done: int, began: float) -> float:
    """Print and return the exploitability so far."""
    found = pyspiel.exploitability(game, solver.average_policy())
    seconds = time.monotonic() - began
    print(f"{done} iterations, {seconds:.1f} s: exploitability {found:.5f} a game", flush=True)
    return found


if __name__ == "__main__":
    main()
