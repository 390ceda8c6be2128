"""Who plays the other seats of an environment, in this process: a function, a class of bots, or a bot's own file.

An opponent gets what `arena.client` gives a bot, and a copy of its own of the view and the actions, as if they had been
sent. A bot from a file is run as it stands, but its call of `arena.client.run` only says what plays.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from msgspec.msgpack import decode, encode

from arena import client
from arena.client import Bot, Decision, GameStart
from arena.common.labels import bot_name, read_label
from arena.entrants import Entrant, EntrantError, expand
from arena.entrants.build import recall
from arena.ledger import Ledger
from engine.rules import Action, Data

Player: TypeAlias = Callable[[Decision], int] | type[Bot]
Opponent: TypeAlias = Player | str | Path | Sequence[str | Path]
"""A player, the name of a packaged bot (`@planner`), a bot's file, or a tournament's folder and the label of a bot."""


def at_random(game: Decision) -> int:
    """Choose any action."""
    return game.random.randrange(len(game.actions))


def player(opponent: Opponent) -> Player:
    """Return what plays. Raises `EntrantError` if there is no such bot, or none that can be run in this process."""
    if callable(opponent):
        return opponent
    return _loaded(_entrant(opponent))


def _entrant(opponent: str | Path | Sequence[str | Path]) -> Entrant:
    if isinstance(opponent, str | Path):
        [found] = expand([opponent]).found
        return found
    folder, label = opponent
    wanted = read_label(str(label))
    with Ledger.open(Path(folder)) as ledger:
        versions = {each.name: each for each in ledger.entrants()}
    if wanted not in versions:
        raise EntrantError(f"{folder} has no bot {wanted}: there are {', '.join(versions)}")
    return recall(bot_name(wanted), versions[wanted].fingerprint, versions[wanted].path)


def _loaded(entrant: Entrant) -> Player:
    """Run the file of a bot in Python, and return what it gives to `arena.client.run`."""
    folder = entrant.path if entrant.path.is_dir() else entrant.path.parent
    files = [folder / word for word in entrant.command if word.endswith(".py") and (folder / word).is_file()]
    file = entrant.path if entrant.path.is_file() else next(iter(files), None)
    if file is None or file.suffix != ".py":
        raise EntrantError(f"{entrant.name} is no bot in Python, and only those play in an environment's process")
    found: list[Player] = []
    run, given, before = client.run, sys.argv, set(sys.modules)
    client.run = lambda player, **_: found.append(player)
    sys.path.insert(0, str(folder))
    words = [*entrant.command, file.name]
    sys.argv = [str(file), *words[words.index(file.name) + 1 : -1]]
    try:
        exec(compile(file.read_bytes(), str(file), "exec"), {"__name__": "__main__", "__file__": str(file)})
    finally:
        sys.path.remove(str(folder))
        client.run, sys.argv = run, given
        for name in set(sys.modules) - before:  # another bot may have a module of the same name beside it
            if Path(getattr(sys.modules[name], "__file__", None) or "/").parent == folder:
                del sys.modules[name]
    if not found:
        raise EntrantError(f"{file} does not call arena.client.run, by which a bot says how it plays")
    return found[0]


class SeatedBot:
    """An opponent in a game."""

    def __init__(self, player: Player, start: GameStart) -> None:
        """Begin the game."""
        self._start = start
        self._bot = player() if isinstance(player, type) else Bot()
        if not isinstance(player, type):
            self._bot.decide = player  # type: ignore[method-assign]
        self._bot.random = Random(start.bot_seed)
        self._bot.start(start)
        self._turn = 0

    def decide(self, view: Data, actions: Sequence[Action], events: Sequence[Data]) -> int:
        """Return the index of the action that it plays."""
        self._turn += 1
        start = self._start
        seen, offered, heard = decode(encode([view, actions, events]))
        decision = Decision(
            start.game_id, start.game, start.edition, start.seat, start.players, self._turn,
            seen, offered, heard,
            clock=None, random=self._bot.random,
        )  # fmt: skip
        return int(self._bot.decide(decision))

    def end(self, ranks: Sequence[int], scores: Sequence[Any]) -> None:
        """Hear how the game ended."""
        self._bot.end(ranks, scores)
