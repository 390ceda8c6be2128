"""Find the anchors of a game: bots by whose ratings others are rated.

Those of our own games come with the arena, with the games of a tournament that was recorded for it (`RecordedAnchors`).
For any other game, edition or clock the anchors play such a tournament here, once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from arena.common.progress import Progress
from arena.entrants import expand
from arena.entrants.packaged import opponents
from arena.entrants.plan_bot import PlanBot, entered
from arena.game.clock import TimeControl
from arena.isolation.probe import choose
from arena.isolation.settings import Isolation
from arena.ledger import Ledger
from arena.rating import RatingInput
from arena.rating.anchored import Anchors
from arena.standings import rated_results
from arena.standings.head_to_head import rating_inputs
from arena.starters import wrappers
from arena.tournament.admission import admit
from arena.tournament.folders import keyed_name
from arena.tournament.identity import dealing_of, edition_of, with_partners
from arena.tournament.plan import Plan, player_counts
from arena.tournament.run import run
from arena.tournament.workers import LocalWorker, MakeExecutor, Workforce
from engine import catalog
from engine.rules import Data, Rules

RECORDED: Final = Path(__file__).with_name("anchors")
_ALL: Final = 100
"""More packaged bots than play any game."""
ROUNDS: Final = 30
"""Blocks of each anchor at each number of players where they play here."""
ROUNDS_BY_SCORE: Final = 100
"""The same where bots are rated by score, which luck moves more."""


class RecordedAnchors(msgspec.Struct, frozen=True):
    """Anchors with the games that they are rated by, as a tournament of theirs was recorded.

    Who doubts them plays it again: its plan follows from what stands here, and its head stands for all that its ledger
    had. Tests play some of its games again, and compare.
    """

    game: str
    edition: dict[str, Any]
    time: dict[str, Any]
    seed: int
    games_asked: int
    head: str
    """Of the ledger's chain, at the end."""
    bots: dict[str, tuple[str, str]]
    """By name: what is typed for the bot, and the fingerprint that it had."""
    games: list[tuple[int, int, list[str], list[int]]]
    """Players, block, and by seat bots and ranks."""

    def inputs(self, players: Sequence[int]) -> list[RatingInput]:
        """Return the games of so many players as they are rated."""
        some = (each for each in self.games if each[0] in players)
        return [RatingInput(bots, ranks, [{}] * len(bots), (size, block)) for size, block, bots, ranks in some]


class AnchorField(NamedTuple):
    """The anchors of a game, ready to play."""

    words: Mapping[str, str]
    """What a plan enters for them, by fingerprint and name."""
    anchors: Anchors
    source: str
    """Where their ratings come from, in words."""


def find_anchors(
    plan: Plan, progress: Progress, make: MakeExecutor | Workforce = LocalWorker, recorded: Path | None = None
) -> AnchorField:
    """Return the anchors of the game of a plan; where none are recorded, have them play first.

    Args:
        plan: What is asked for; what it says of bots and of a number of games does not matter. `out` is where the
            anchors' own tournament goes, beside those of the bots that are rated.
        progress: Gets what happens.
        make: Makes workers.
        recorded: The folder of recorded anchors; None: those that come with the arena.

    Raises:
        PlanError: The plan or a tournament that was found is of no use.
        EntrantError: A bot is of no use.
    """
    rules = catalog.rules(plan.game)
    players = player_counts(plan.players, rules.players)
    edition, time = edition_of(rules, plan.edition), plan.time()
    file = (recorded or RECORDED) / f"{rules.name}.json"
    if file.is_file():
        found = msgspec.json.decode(file.read_bytes(), type=RecordedAnchors)
        words = _by_print(f"{name}={word}" for name, (word, _) in found.bots.items())
        same = words.keys() == {f"{fingerprint} {name}" for name, (_, fingerprint) in found.bots.items()}
        if same and (found.edition, found.time) == (edition, msgspec.to_builtins(time)):
            source = f"{len(found.games)} games that come with the arena (seed {found.seed}, head {found.head[:12]})"
            return AnchorField(words, Anchors(list(found.bots), found.inputs(players), rules.name), source)
    progress.say("no anchors are recorded for this game, edition and clock: they play each other first, once")
    able = _able(anchor_bots(rules), rules, edition, time, progress, choose(plan.isolation, plan.build_network))
    words = _by_print(map(entered, enough(able, rules, players)))
    key = [rules.name, edition, players, time, plan.seed, sorted(words)]
    folder = Path(plan.out or ".") / keyed_name(f"anchors-{rules.name}", key)
    rounds = ROUNDS if rules.capabilities.score is None else ROUNDS_BY_SCORE
    asked = {"bots": list(words.values()), "games": None, "rounds": rounds, "out": str(folder)}
    asked_plan = msgspec.structs.replace(plan, **asked, fresh=False, network=[])
    if run(asked_plan, progress, make, says_head=False).interrupted:
        raise KeyboardInterrupt
    with Ledger.open(folder) as ledger:
        names = [each for each in ledger.field() if each not in ledger.settings.rated.suspended]
        games = rating_inputs(rated_results(ledger))
    words = {key: word for key, word in words.items() if key.partition(" ")[2] in names}
    return AnchorField(words, Anchors(names, games, rules.name), f"{len(games)} games of their own in {folder}")


def _by_print(words: Iterable[str]) -> dict[str, str]:
    listed = list(words)
    return {f"{each.fingerprint} {each.name}": word for each, word in zip(expand(listed).found, listed, strict=True)}


def anchor_bots(rules: Rules) -> list[PlanBot]:
    """Return who are anchors of a game, as a plan enters them.

    Those are the packaged bots that play it; for games that a wrapper of another library has levels for, the random bot
    and these.
    """
    for each in wrappers().values():
        if (anchors := each.about.anchors) is not None and rules.name.startswith(anchors.games):
            levels = [PlanBot(name, str(each.folder), args) for name, args in anchors.levels.items()]
            return [PlanBot("random_bot", "@random_bot"), *levels]
    return [PlanBot(word.removeprefix("@"), word) for word in dict.fromkeys(opponents(rules.name, _ALL))]


def _able(
    bots: Sequence[PlanBot], rules: Rules, edition: Data, time: TimeControl, progress: Progress, isolation: Isolation
) -> list[PlanBot]:
    """Return those of some bots that can play, and say why others cannot."""
    entrants = expand(list(map(entered, bots))).found
    built, records = admit(entrants, rules.name, dict(edition), time, progress, isolation)
    for record in records:
        if record.left_out is not None:
            progress.say(f"no anchor: {record.name}: {record.left_out}")
    if len(able := [each for each in bots if each.name in built]) == 1:
        progress.say(f"{able[0].name} is the only anchor: ratings say how far from it bots are, and no more")
    return able


def enough(bots: Sequence[PlanBot], rules: Rules, players: Sequence[int]) -> list[PlanBot]:
    """Return bots, some of them twice if they are too few for the largest game."""
    dealing = with_partners(dealing_of(rules, None, None), rules, players, None)
    found = list(bots)
    for place in range(max(2, *map(dealing.entrants, players)) - len(bots)):
        copied = bots[place % len(bots)]
        found.append(msgspec.structs.replace(copied, name=f"{copied.name}-{2 + place // len(bots)}"))
    return found
