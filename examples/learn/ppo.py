"""Proximal policy optimization with masks, by self-play, for games whose actions have ids or are spelled in steps.

    pip install torch
    python examples/learn/ppo.py --game kosmos --start run/policy.npz --out ppo
    arena new mine --from ppo/policy-10.npz

Worker processes play the newest policy against itself, at all numbers of players, and the learner improves it by the
games that ended (Schulman et al., 2017, with generalized advantage estimation). The reward comes at the end: the share
of rivals behind minus the share ahead. `--start` goes on from a policy, such as that of `behaviour_cloning.py`, whose
`form.json` lies beside it; without it, learning begins from nothing. The policy of `--start` also has half of the seats
in half of the games, and plays at three temperatures: who only knows itself forgets how to play
against others. Torch is needed to train, and not to play:
policies are saved as arrays. On one machine the same `--seed` and `--workers` give the same policies.
"""

from __future__ import annotations

import argparse
import multiprocessing as mp
import time
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np
import torch
from torch import nn

from arena.features import Form
from engine import catalog
from engine.batch import Batch
from engine.chance import derive

GAMMA, LAMBDA = 1.0, 0.95
CLIP = 0.2
VALUE_WEIGHT = 0.5
LONGEST_SLOPE = 0.5
NEVER = -1e9  # the score of a step that is not allowed
WITH_START = 0.5  # the share of games with the policy of --start,
TEMPERATURES = (0.1, 1, 3)  # and the temperatures of its choices


class Policy(nn.Module):
    """Two hidden layers, which the steps' scores and the expected reward share."""

    def __init__(self, width: int, steps: int, hidden: int) -> None:
        """Draw the first weights; all steps are about equally likely."""
        super().__init__()
        layers = nn.Linear(width, hidden), nn.Linear(hidden, hidden), nn.Linear(hidden, steps)
        self.layers, self.value = nn.ModuleList(layers), nn.Linear(hidden, 1)
        nn.init.uniform_(self.layers[2].weight, -1e-2, 1e-2)
        nn.init.zeros_(self.layers[2].bias)

    def forward(self, seen: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the scores of steps, and the value."""
        inner = self.layers[1](self.layers[0](seen).relu()).relu()
        return self.layers[2](inner).masked_fill(~mask, NEVER), self.value(inner).squeeze(-1)

    def arrays(self) -> dict[str, np.ndarray]:
        """Return the weights as `arena new --from` reads them: a layer is `x @ W + b`."""
        named = {str(place): layer for place, layer in enumerate(self.layers)}
        found = {f"W{name}": layer.weight.detach().cpu().numpy().T.copy() for name, layer in named.items()}
        found |= {f"b{name}": layer.bias.detach().cpu().numpy().copy() for name, layer in named.items()}
        value = self.value.weight.detach().cpu().numpy().T.copy(), self.value.bias.detach().cpu().numpy().copy()
        return found | {"value_W": value[0], "value_b": value[1]}

    def load(self, arrays: dict[str, np.ndarray]) -> None:
        """Take weights that `arrays` returned."""
        pairs = [(f"W{place}", f"b{place}", layer) for place, layer in enumerate(self.layers)]
        for weight, bias, layer in (*pairs, ("value_W", "value_b", self.value)):
            layer.weight.data, layer.bias.data = torch.tensor(arrays[weight].T), torch.tensor(arrays[bias])


class Collector:
    """Plays a batch of games with one policy for all seats, and gives the steps of those that ended."""

    def __init__(self, args: argparse.Namespace, form: Form, number: int) -> None:
        """Begin the games."""
        rules = catalog.rules(args.game)
        low, high = form.players
        players = args.players or [n for n in range(low, high + 1) for _ in range(2 * high // n)]  # as many steps each
        edition, seed = rules.edition(args.edition), derive(b"ppo", args.seed, number)
        self.batch = Batch(rules, edition, form, args.rows, players, seed, form.actions.count)
        self.paths: list[dict[int, list[tuple]]] = [{} for _ in range(args.rows)]
        self.chance = np.random.default_rng([args.seed, number])
        self.start = None if args.start is None else dict(np.load(args.start))
        self.temperatures = np.zeros((args.rows, high))
        """By row and seat, the temperature of the policy of `--start` there, or 0 where the newest one plays."""
        for row in range(args.rows):
            self.begin(row)

    def begin(self, row: int) -> None:
        """Say who plays a new game."""
        self.paths[row], self.temperatures[row] = {}, 0
        if self.start is not None and self.chance.random() < WITH_START:
            players = self.batch.players[row]
            seats = self.chance.permutation(players)[: players // 2]
            self.temperatures[row, seats] = self.chance.choice(TEMPERATURES)

    def collect(self, weights: dict[str, np.ndarray], steps: int) -> list[np.ndarray]:
        """Play about so many steps, and return those of the games that ended.

        Returns:
            What was seen, the mask as bits, the step, its log-probability, its advantage, and the value to predict.
        """
        batch, done = self.batch, []
        for _ in range(0, steps, len(self.paths)):
            seen, mask = batch.observations, batch.masks
            scores, values = forward(weights, seen, mask)
            temperatures = self.temperatures[np.arange(len(seen)), batch.seats]
            if (others := np.flatnonzero(temperatures)).size:
                scores[others] = forward(self.start, seen[others], mask[others])[0] / temperatures[others, None]
            logs = scores - np.log(np.exp(scores).sum(1, keepdims=True))
            chosen = (scores + self.chance.gumbel(size=scores.shape)).argmax(1)
            slim, bits = seen.astype(np.float16), np.packbits(mask, axis=1)  # these travel to the learner
            for row in np.flatnonzero((mask.sum(1) > 1) & (temperatures == 0)):
                path = self.paths[row].setdefault(int(batch.seats[row]), [])
                path.append((slim[row], bits[row], chosen[row], logs[row, chosen[row]], values[row]))
            for result in batch.step(chosen):
                for seat, path in self.paths[result.row].items():
                    done += judged(path, reward(result.ranks, seat))
                self.begin(result.row)
        return [np.stack(column) for column in zip(*done, strict=True)]


def forward(weights: dict[str, np.ndarray], seen: np.ndarray, mask: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the scores of steps, of which the highest is 0, and the values."""
    inner = np.maximum(seen @ weights["W0"] + weights["b0"], 0)
    inner = np.maximum(inner @ weights["W1"] + weights["b1"], 0)
    scores = np.where(mask, inner @ weights["W2"] + weights["b2"], NEVER).astype(np.float32)
    values = (inner @ weights["value_W"] + weights["value_b"])[:, 0]
    return scores - scores.max(1, keepdims=True), values


def reward(ranks: list[int], seat: int) -> float:
    """Return the share of rivals behind minus the share ahead."""
    return sum((ranks[seat] < other) - (other < ranks[seat]) for other in ranks) / (len(ranks) - 1)


def judged(path: list[tuple], reward: float) -> list[tuple]:
    """Return the steps of one seat's game with their advantages and the values to predict."""
    found, advantage, after = [], 0.0, None
    for seen, bits, chosen, log, value in reversed(path):
        surprise = (reward if after is None else GAMMA * after) - value
        advantage = surprise + GAMMA * LAMBDA * advantage
        found.append((seen, bits, chosen, log, np.float32(advantage), np.float32(advantage + value)))
        after = value
    return found


def work(args: argparse.Namespace, form: Form, number: int, pipe: Connection) -> None:
    """Collect steps whenever weights come, in a process of its own."""
    collector = Collector(args, form, number)
    while (weights := pipe.recv()) is not None:
        pipe.send(collector.collect(weights, args.steps // args.workers))


def improve(policy: Policy, optimizer: torch.optim.Optimizer, columns: list[np.ndarray], args, entropy: float) -> str:
    """Improve the policy by steps that were played, and say how that went."""
    device = policy.value.weight.device
    columns[1] = np.unpackbits(columns[1], axis=1, count=policy.layers[2].out_features).view(np.bool_)
    seen, mask, chosen, old, advantage, target = (torch.from_numpy(column).to(device) for column in columns)
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-6)
    told = []
    for _ in range(args.epochs):
        for some in torch.randperm(len(seen)).to(device).split(args.minibatch):
            scores, value = policy(seen[some].float(), mask[some])
            logs = torch.log_softmax(scores, 1)
            log = logs.gather(1, chosen[some, None]).squeeze(1)
            ratio = (log - old[some]).exp()
            gain = torch.min(ratio * advantage[some], ratio.clamp(1 - CLIP, 1 + CLIP) * advantage[some]).mean()
            spread = -(logs.exp() * logs.masked_fill(~mask[some], 0)).sum(1).mean()
            miss = (value - target[some]).square().mean()
            optimizer.zero_grad()
            (VALUE_WEIGHT * miss - gain - entropy * spread).backward()
            nn.utils.clip_grad_norm_(policy.parameters(), LONGEST_SLOPE)
            optimizer.step()
            told.append((miss.item(), spread.item(), (old[some] - log).mean().item()))
    return "value's error {:.3f}, entropy {:.3f}, change {:.4f}".format(*np.mean(told, axis=0))


def main() -> None:
    """Read the command line, train, and save a policy every now and then."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="kosmos")
    parser.add_argument("--edition", help="default: that of the form of --start, or the first one")
    parser.add_argument("--players", type=int, nargs="*", help="numbers of players; all of them by default")
    parser.add_argument("--start", type=Path, help="a policy to go on from")
    parser.add_argument("--updates", type=int, default=100)
    parser.add_argument("--steps", type=int, default=16_384, help="before each update")
    parser.add_argument("--workers", type=int, default=2, help="processes that play")
    parser.add_argument("--rows", type=int, default=64, help="games that each of them plays at once")
    parser.add_argument("--hidden", type=int, default=256)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--minibatch", type=int, default=2048)
    parser.add_argument("--rate", type=float, default=3e-4)
    parser.add_argument("--entropy", type=float, default=0.005, help="how much chance in the policy is worth")
    parser.add_argument("--checkpoints", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("ppo"))
    args = parser.parse_args()

    first = catalog.rules(args.game).editions()[0]
    if args.start is None:
        form = Form.of(args.game, edition=args.edition or first)
    else:
        form = Form.load(args.start.with_name("form.json"))
    args.edition = args.edition or form.edition or first
    if form.actions.count is None:
        raise SystemExit(f"the actions of {args.game} have no ids: behaviour_cloning.py can learn it, this cannot")
    args.out.mkdir(parents=True, exist_ok=True)
    form.save(args.out / "form.json")
    torch.manual_seed(args.seed)
    policy = Policy(form.observation_width, form.actions.count, args.hidden)
    if args.start is not None:
        policy.load(dict(np.load(args.start)))
    policy.to("cuda" if torch.cuda.is_available() else "cpu")
    optimizer = torch.optim.Adam(policy.parameters(), lr=args.rate, eps=1e-5)

    pipes, processes = [], []
    for number in range(args.workers):
        own, other = mp.get_context("spawn").Pipe()
        processes.append(mp.get_context("spawn").Process(target=work, args=(args, form, number, other), daemon=True))
        processes[-1].start()
        pipes.append(own)
    for pipe in pipes:
        pipe.send(policy.arrays())
    began, played = time.monotonic(), 0
    for update in range(1, args.updates + 1):
        games = [pipe.recv() for pipe in pipes]
        for pipe in pipes:  # the next games are played meanwhile, with the policy from before this update
            pipe.send(policy.arrays() if update < args.updates else None)
        left = 1 - (update - 1) / args.updates
        optimizer.param_groups[0]["lr"] = args.rate * (0.1 + 0.9 * left)
        columns = [np.concatenate(column) for column in zip(*filter(None, games), strict=True)]
        told = "no game has ended yet"
        if columns:
            told = improve(policy, optimizer, columns, args, args.entropy * left)
            played += len(columns[0])
        print(f"update {update}, {(time.monotonic() - began) / 60:.1f} min, {played:,} steps: {told}", flush=True)
        saved, before = (args.checkpoints * each // args.updates for each in (update, update - 1))
        if saved > before:
            np.savez(args.out / f"policy-{saved:02}.npz", **policy.arrays())
    for process in processes:
        process.join()


if __name__ == "__main__":
    main()
