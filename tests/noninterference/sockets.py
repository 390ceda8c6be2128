"""Play two worlds by a real referee over real sockets: all that a bot can notice must be equal, and when it does.

As in `worlds`, but nothing of the referee is left out: its sessions, clocks, faults, reconnections, pauses, stopped
processes, and several games of the same bots at once. Only the time is made up. Each bot takes the same time for every
answer in a phase, so that the referee's pauses (`arena.referee.time`) have exactly one length, and the times at which
messages come can be compared exactly.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import zip_longest
from random import Random
from typing import Any
from unittest.mock import patch

import msgspec

from arena.game import bot_messages
from arena.game import game as game_module
from arena.game.clock import TimeControl
from arena.game.faults import MOST_FREE_FAULTS
from arena.game.game import Game
from arena.game.spec import GameSpec
from arena.referee.config import RefereeConfig
from arena.referee.referee import Referee
from arena.referee.roster import AWAKE_SECONDS
from arena.referee.time import run_queue
from arena.referee.zmtp_transport import ZmtpTransport
from engine.chance import derive
from engine.rules import Action, State
from tests.noninterference.made_up_time import MadeUpTimer, SocketBot
from tests.noninterference.witness import Witness
from tests.noninterference.worlds import Anew, Deal, Diverged, Plan, Script, Told, dealt_anew

FAULTS = ("illegal", "illegal", "late", "stale", "malformed", "reconnect", "reconnect", "crash")
PHASES = (
    *("setup", "turn", "rose", "defend", "event", "lay_off", "leap", "further", "exchange"),
    *("take", "action", "travel", "reroll", "chit", "escape", "limit"),
)
PUBLIC = ("setup", "rose", "event", "leap", "reroll", "chit")
"""Questions of which everybody knows, so that a bot may show by them that it is slow."""
TIME = TimeControl(start=10.0, move=0.03, bank=6.00037, strikes=6)
EVERY = 0.0413
"""Seconds after which the reader reconnects by itself, to see whether it is told anything at that moment."""


class _Cut(Exception):
    """The reader has been asked as often as it was to be."""


@dataclass
class Cut:
    """What is hidden, and what the reader has noticed, when the reader was asked for a decision."""

    games: list[Told]
    noticed: list[Any]


class _Dispatcher:
    """A witness of several games at once: each sees only its own."""

    def __init__(self) -> None:
        self.present = Witness()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.present, name)


class _Game:
    """One game of a run."""

    def __init__(self, plan: Plan, spec: GameSpec, first: Told | None, decks: Anew | None, world: str) -> None:
        self.plan = plan
        self.spec = spec
        self.told = Told()
        self.told.deal = Deal(derive(bytes.fromhex(spec.seed), world), plan.game, first and first.deal, decks)  # type: ignore[arg-type]
        if first is None and spec.index:  # so that two games never do something at the same moment
            self.told.faults[0] = "late"
        self.script = Script(plan, first, self.told, FAULTS)
        self.planned = {} if first is None else first.planned
        self.state: Any = None
        self.asked: set[tuple[int, int]] = set()
        self.answers: dict[int, Action] = {}
        """What bots meant to do, by the number of moves before; of some of them nothing came, as they were late."""

    def begin(self) -> State:
        self.state = self.plan.game.rules.start(self.plan.players, self.plan.edition, self.told.deal)
        self.told.deal.position = self.state
        return self.state

    def fault(self, seat: int) -> str | None:
        number = len(self.told.witness.moves)
        fault = self.told.faults.get(number) or self.script.fault(self.state)
        if fault == "crash" and seat == self.plan.reader:
            fault = self.told.faults[number] = "illegal"
        return fault

    def index(self) -> int | None:
        """The answer, as in the first world if this is the other one. None: there it went no further."""
        number = len(self.told.witness.moves)
        actions = list(self.state.actions())
        if not self.script.is_used_up():
            index = self.script.index(self.state)
            self.answers[number] = actions[index]
            return index
        action = self.planned.get(number)
        if action is not None and action not in actions:
            raise Diverged(f"seat {self.state.to_act} cannot do {action}")
        return None if action is None else actions.index(action)

    def snapshot(self, retired: Sequence[int]) -> Told:
        now = replace(
            self.told,
            witness=self.told.witness.copy(),
            asked=self.told.asked[:],
            retired=list(retired),
            planned=self.answers.copy(),
        )
        now.note_hidden(self.plan, self.state)
        return now


class Session:
    """One run: some games of the same bots, up to a decision of the reader or to the end."""

    def __init__(
        self, plans: Sequence[Plan], first: Cut | None = None, decks: Sequence[Anew] = (), reconnects: bool = False
    ) -> None:
        """Prepare a run. `plans`: of each game, with the same number of players; the reader of the first is read."""
        self.plans = plans
        self.players = plans[0].players
        self.cuts: list[Cut] = []
        """One for each decision of the reader."""
        self._last = plans[0].decisions
        self._reconnects = reconnects
        self._has_reconnected = False
        """Whether the reader did so since it was last asked; more often would be a flood."""
        world = "first" if first is None else "other"
        self.games = {
            spec.id: _Game(
                replace(plan, reader=spec.bots.index(self._name(plans[0].reader))),
                spec,
                None if first is None else first.games[spec.index],
                decks[spec.index] if decks else None,
                world,
            )
            for plan, spec in zip(plans, self._specs(world), strict=True)
        }
        self.timer = MadeUpTimer()
        self.bots = {self._name(number): self._bot(number) for number in range(self.players)}
        self.reader = self.bots[self._name(plans[0].reader)]
        self._games: dict[str, Game] = {}
        self._misdirected: list[tuple[str, Mapping[str, Any]]] = []

    def _name(self, number: int | None) -> str:
        return f"bot{number}"

    def _specs(self, world: str) -> Iterator[GameSpec]:
        names = [self._name(number) for number in range(self.players)]
        for index, plan in enumerate(self.plans):
            seats = names[index:] + names[:index]
            seed = derive(b"two worlds over sockets", plan.label, world, index).hex()
            yield GameSpec(f"game {index}", index, self.players, index, 0, seed, seats)

    def _bot(self, number: int) -> SocketBot:
        faults = Counter[tuple[Any, ...]]()

        def take(bot: SocketBot, message: dict[str, Any]) -> None:
            if not self._is_for(number, message, faults):
                self._misdirected.append((self._name(number), message))
            if message["type"] == "decide":
                self._decide(bot, number, message)

        return SocketBot(self.timer, take, len(self.plans))

    def _is_for(self, number: int, message: Mapping[str, Any], faults: Counter[tuple[Any, ...]]) -> bool:
        """Whether a message concerns the seat of that bot. `faults`: of which the bot was told before, changed."""
        game = self.games.get(message.get("game_id", ""))
        if game is None:
            return message["type"] in ("welcome", "fault", "bye")
        seat = game.spec.bots.index(self._name(number))
        if message["type"] == "fault":
            told = tuple(message[key] for key in ("game_id", "turn", "code", "text"))
            faults[told] += 1
            played = self._games[game.spec.id]
            charged = [fault for fault in played._faults if fault.seat == seat]
            unrecorded = math.inf if played.over else max(0, played._free_faults[seat] - MOST_FREE_FAULTS)
            told_before = sum((fault.turn, fault.code, fault.text) == told[1:] for fault in charged)
            return faults[told] <= told_before + unrecorded
        return seat == message.get("view", message).get("seat", seat)

    def play(self) -> Session:
        """Play until the cut, or to the end. Whatever comes, no bot is sent what is another's."""
        plan = self.plans[0]
        config = self._config(plan)
        with self._patched():
            transport = ZmtpTransport(timer=self.timer)
            referee = Referee(config, pin=False, transport=transport, sources=self.bots)
            times = referee._games._answer_times
            for name in self.bots:
                number = int(name.removeprefix("bot"))
                times.game_ended([name], [[float(number % 2)]])  # every other bot has been slow
                for phase in PHASES:  # from the first pause on, they take as long as answers
                    times.add(name, phase, self._seconds(number, phase))
            if self._reconnects:
                self.timer.after(EVERY, self._reconnect)
            try:
                referee.play([game.spec for game in self.games.values()])
            except _Cut:
                pass
            finally:
                referee.close()
                for bot in self.bots.values():
                    bot.close()
        for game in self.games.values():
            game.told.over = game.state.to_act is None
        assert not self._misdirected, "sent to another bot than it is about"
        return self

    def _config(self, plan: Plan) -> RefereeConfig:
        return RefereeConfig(plan.game.rules.name, plan.edition, TIME, {})

    def _seconds(self, number: int, phase: str) -> float:
        return seconds_of(number, phase)

    def _reconnect(self) -> None:
        if not self._has_reconnected:
            self._has_reconnected = True
            self.reader.connect()
            for game_id in self.games:
                self._probe(game_id)
        self.timer.after(EVERY, self._reconnect)

    def _probe(self, game_id: str) -> None:
        """Let the reader answer though it is not asked, which costs nothing, to see what it is told."""
        self.reader.send(msgspec.msgpack.encode({"type": "act", "game_id": game_id, "turn": 0, "index": 0}))

    def _decide(self, bot: SocketBot, number: int, message: Mapping[str, Any]) -> None:
        game = self.games[message["game_id"]]
        seat = game.spec.bots.index(self._name(number))
        turn = message["turn"]
        if (seat, turn) in game.asked:  # again, after it reconnected
            return
        game.asked.add((seat, turn))
        phase = game.state.table.phase
        game.told.asked.append((seat, phase))
        if bot is self.reader:
            self._has_reconnected = False
            self._reader_asked()
        fault = game.fault(seat)
        if fault is not None and bot is self.reader:
            self._reader_fails(game, seat)
        index = 9999 if fault in ("illegal", "late", "malformed", "crash") else game.index()
        if index is None:
            return
        seconds = self._seconds(number, phase)
        act = {"type": "act", "game_id": message["game_id"], "turn": turn, "index": index}
        if fault == "crash":
            self.timer.after(seconds, bot.crash)
        elif fault == "malformed":
            self.timer.after(seconds, lambda: bot.send(b"\xc1"))
        elif fault != "late":
            if fault == "stale":
                stale = msgspec.msgpack.encode(act | {"turn": turn + 7})
                self.timer.after(seconds / 2, lambda: bot.send(stale))
            if fault == "reconnect":
                self.timer.after(seconds / 2, bot.connect)
            answer = msgspec.msgpack.encode(act)
            self.timer.after(seconds, lambda: bot.send(answer))
            if bot is self.reader and self._reconnects:  # before it is stopped
                self.timer.after(seconds + AWAKE_SECONDS / 2, lambda: self._probe(message["game_id"]))

    def _reader_asked(self) -> None:
        self._cut()

    def _reader_fails(self, game: _Game, seat: int) -> None:
        """Note that the reader is about to commit a fault."""

    def _cut(self) -> None:
        """Note how it is now; the last time, end the run."""
        retired = {each.spec.id: each for each in self._games.values()}
        games = [each.snapshot(_retired(retired[each.spec.id])) for each in self.games.values()]
        self.cuts.append(Cut(games, list(self.reader.noticed)))
        if len(self.cuts) == self._last:
            raise _Cut

    @contextmanager
    def _patched(self) -> Iterator[None]:
        """Have the games dealt as planned, and each seen by its witness."""
        by_seed = {bytes.fromhex(game.spec.seed): game for game in self.games.values()}
        dispatcher: Any = _Dispatcher()
        watched = self.plans[0].game
        by_state: dict[int, _Game] = {}

        def begin(rules: object, edition: object, players: int, seed: bytes) -> State:
            game = by_seed[seed]
            dispatcher.present = game.told.witness
            state = game.begin()
            by_state[id(state)] = game
            return state

        state_class = watched.state
        plain_play, plain_init = state_class.play, Game.__init__

        def play(state: Any, index: int) -> Any:
            dispatcher.present = by_state[id(state)].told.witness
            return plain_play(state, index)

        def init(game: Game, *args: Any, **named: Any) -> None:
            plain_init(game, *args, **named)
            self._games[game.spec.id] = game

        with ExitStack() as stack:
            for patched in (
                watched.witnessing(dispatcher),
                patch.object(state_class, "play", play),
                patch.object(Game, "__init__", init),
                patch.object(game_module, "begin", begin),
                # These two follow from the game's seed, which is another secret; `test_independence` looks at them.
                patch.object(bot_messages, "bot_seed", lambda seed, seat: 1000 + seat),
                patch.object(game_module, "public_id", lambda seed, game_id: game_id),
                # How long processes wait for a core is no part of a made-up time.
                patch.object(run_queue, "_IS_REPORTED", False),
            ):
                stack.enter_context(patched)
            yield


def _retired(game: Game) -> list[int]:
    return [seat for seat in range(game.spec.players) if game.is_retired(seat)]


def seconds_of(bot: int, phase: str) -> float:
    """How long that bot takes in that phase: a sum of powers of two, so that sums and differences are exact."""
    return (1 + bot) / 256 + PHASES.index(phase) / 4096 + (1 / 32 if phase in PUBLIC else 0)


@dataclass
class Pair:
    """Two runs up to the same decision of the reader."""

    first: Cut
    other: Session

    def differs(self) -> bool:
        """Whether the reader can tell them apart."""
        return not self.other.cuts or self.first.noticed != self.other.cuts[-1].noticed

    def first_difference(self) -> tuple[Any, Any]:
        """What the reader noticed first in one of them that it did not in the other."""
        pairs = zip_longest(self.first.noticed, self.other.cuts[-1].noticed if self.other.cuts else ())
        return next((one, other) for one, other in pairs if one != other)


def late_cut(cuts: Sequence[Cut], random: Random) -> int:
    """Choose one, rather late than early, and return its number from 1."""
    return 1 + max(random.randrange(len(cuts)) for _ in range(3))


def other_world(session: Session, number: int, random: Random, of_retired: int = 0) -> Pair:
    """Play again up to the cut of that number, with what the reader had not seen dealt anew. Raises `Diverged`."""
    cut = session.cuts[number - 1]
    plans = [replace(game.plan, decisions=number) for game in session.games.values()]
    decks = [dealt_anew(plan, told, random, of_retired) for plan, told in zip(plans, cut.games, strict=True)]
    again = [replace(plans[0], reader=session.plans[0].reader), *plans[1:]]
    other = type(session)(again, cut, decks, session._reconnects).play()
    for told, game in zip(cut.games, other.games.values(), strict=True):
        if told.witness.moves != game.told.witness.moves:
            raise Diverged("the other world went another way")
    return Pair(cut, other)
