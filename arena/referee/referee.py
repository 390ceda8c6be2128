"""Plays games with bot processes: one loop that waits for answers, watches clocks and asks the next bot."""

from __future__ import annotations

import errno
import logging
import traceback
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from types import TracebackType
from typing import Final

from arena.entrants.shortage import is_shortage
from arena.ledger.records import GameRecord
from arena.match.faults import FLOOD_CONNECTIONS, FLOOD_FRAMES
from arena.match.match import OnFault, Table, Watch, void_record
from arena.match.spec import GameOrder
from arena.protocol.codec import DECIDE_LIMIT, FRAME_LIMIT, Malformed, decode, encode, incompatible
from arena.protocol.messages import PROTOCOL, Act, Fault, FromReferee, Hello, Limits, Welcome
from arena.referee.config import BotReport, Setup
from arena.referee.peer import shut_down
from arena.referee.roster import Announce, Roster
from arena.referee.run_queue import Look
from arena.referee.session import Link, Sitting, Stage, has_room
from arena.referee.trace import Overhear, Trace
from arena.referee.transport import Received, Wire
from engine.catalog import game

_log = logging.getLogger(__name__)

_DRAIN: Final = 64
"""Frames taken in a row before clocks are looked at again."""


class Host:
    """The referee of one worker. Bots are started when a game needs them and play on from game to game."""

    def __init__(
        self, setup: Setup, pin: bool = True, announce: Announce | None = None, overhear: Overhear | None = None
    ) -> None:
        """`pin`: take a core for this referee and its bots if one is free. `overhear`: told what is traced."""
        self._setup = setup
        self._overhear = overhear
        self._rules = game(setup.game)
        self._wire = Wire(any(built.entrant.transport == "tcp" for built in setup.bots.values()))
        self._roster = Roster(setup, self._wire, pin, announce)
        self._links = self._roster.links
        self._sittings: list[Sitting] = []
        self._room = True
        """Whether another table might be opened: looked at again when a game ends or a bot is ready."""
        self._opened = 0
        """Games so far."""
        self._records: dict[str, GameRecord] = {}
        self._failures: dict[str, str] = {}
        self._shortages: dict[str, tuple[int, str]] = {}
        self._last_words = ""
        self._watch: Watch | None = None
        self._on_fault: OnFault | None = None

    def play(
        self, orders: Sequence[GameOrder], watch: Watch | None = None, on_fault: OnFault | None = None
    ) -> list[GameRecord]:
        """Play these games and return their records in the same order.

        `watch` and `on_fault` are called with every step and every fault as it happens.
        """
        self._watch, self._on_fault = watch, on_fault
        self._room = True
        waiting = deque(orders)
        while waiting or self._sittings:
            while self._room and waiting:
                order = waiting[0]
                self._room = has_room(self._sittings, order, [self._links[bot] for bot in order.bots])
                if self._room:
                    self._open(waiting.popleft())
            if self._sittings:
                self._cycle()
        self._roster.hold_back()
        return [self._records.pop(order.id) for order in orders]

    def check(self, name: str) -> BotReport:
        """Start one bot and wait for its `hello`: whether it can take part."""
        link = self._links[name]
        self._failures.pop(name, None)
        self._shortages.pop(name, None)
        self._start(link)
        while link.stage is Stage.STARTING:
            self._cycle()
        hello = link.hello
        if name in self._shortages:
            number, text = self._shortages[name]
            return BotReport(name, False, text, shortage=number)
        if link.stage is Stage.DOWN or hello is None:
            return BotReport(name, False, self._failures.get(name, ""), hello, self._last_words)
        return BotReport(name, True, "", hello)

    def close(self) -> None:
        """Say `bye` to the bots, end them, and leave nothing behind."""
        try:
            self._roster.close()
        finally:
            self._wire.close()

    def __enter__(self) -> Host:
        """Itself."""
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        """Close."""
        self.close()

    # Opening and ending games

    def _open(self, order: GameOrder) -> None:
        links = [self._links[bot] for bot in order.bots]
        unlimited = frozenset(seat for seat, link in enumerate(links) if link.manual)
        try:
            table = Table(
                self._rules, self._setup.edition, order, self._setup.time, unlimited, self._watch, self._on_fault
            )
            trace = None if self._setup.trace is None else Trace(self._setup.trace, order.id, self._overhear)
        except Exception:
            self._records[order.id] = void_record(order, traceback.format_exc())
            return
        _log.info("%s begins: %s", order.id, ", ".join(order.bots))
        sitting = Sitting(table, links, trace)
        self._sittings.append(sitting)
        self._opened += 1
        for seat, link in enumerate(links):
            link.seats[order.id] = (sitting, seat)
            link.last_opened = self._opened
        self._roster.make_room(sum(link.stage is Stage.DOWN for link in links))
        for link in links:
            if link.stage is Stage.DOWN and order.id in link.seats:
                self._start(link)
        self._go_on(sitting)

    def _start(self, link: Link) -> None:
        try:
            self._roster.start(link)
        except (OSError, MemoryError) as error:
            if not is_shortage(error):  # the bot's folder could not be put back as it was
                self._fail(link, "crash", f"could not be started: {error}")
                return
            number = getattr(error, "errno", None) or errno.ENOMEM
            self._lack(link, number, f"no process could be started: {getattr(error, 'strerror', None) or error}")

    def _finish(self, sitting: Sitting) -> None:
        self._sittings.remove(sitting)
        self._room = True
        if sitting.asked is not None:
            # Over for reasons of others: the answer that this bot may be sending is none of its faults.
            asked = sitting.asked
            self._no_longer_waiting(sitting)
            asked.excused[sitting.table.order.id] = max(0.0, sitting.due - self._wire.waited)
        table = sitting.table
        self._records[table.order.id] = record = table.record()
        _log.info("%s ends: %s, ranks %s", record.id, record.ending, record.ranks)
        for seat, link in enumerate(sitting.links):
            if link.seats.pop(table.order.id, None) is None:
                continue
            if record.ending != "void" and not sitting.gathering:
                self._send(link, table.end(), sitting, seat)
            if not link.seats:
                self._roster.rest(link)
        if sitting.trace is not None:
            sitting.trace.close()

    # The loop

    def _cycle(self) -> None:
        """Wait for the next thing to happen, and deal with it."""
        due = self._next_due()
        hold_back = self._roster.next_hold_back()
        ready = self._wire.wait_until(due if due < hold_back else hold_back)
        if self._wire.waited >= hold_back:
            self._roster.hold_back()
            for sitting in self._sittings:
                sitting.look(self._wire.waited)
        if ready.connection:
            self._count_connections()
        if ready.message:
            received = self._roster.receive()
            if received is not None:
                self._take(received)
        if ready.report:
            self._hear_of_ends()
        if self._wire.waited >= due:
            self._drain()
            self._call_time()

    def _next_due(self) -> float:
        """When somebody is late or mute next, on the wire's clock; infinite when nobody can be."""
        due = self._roster.next_mute
        for sitting in self._sittings:
            if not sitting.gathering and sitting.due < due:
                due = sitting.due
        return due

    def _drain(self) -> None:
        left = _DRAIN
        while left and (received := self._roster.receive()) is not None:
            # Messages of strangers hide no answer that lies behind them.
            left -= not self._take(received)

    def _call_time(self) -> None:
        """Who has not answered by now is late, who has not said hello is mute."""
        now = self._wire.waited
        for link in self._roster.mute():
            self._fail(link, "mute", f"no hello within {self._setup.time.start:g} s")
        for sitting in list(self._sittings):
            if not sitting.gathering and not sitting.table.over and now >= sitting.due and sitting.is_late(now):
                seat = sitting.table.awaited
                assert seat is not None
                link = sitting.links[seat]
                self._no_longer_waiting(sitting)
                stderr = link.stderr()
                self._tell(sitting, seat, partial(sitting.table.late, self._spent(sitting), stderr))

    def _count_connections(self) -> None:
        """Charge each connection to the bot whose process made it, whatever is sent there: ZeroMQ itself drops what is
        far too long, and nobody learns whose it was."""
        for link in self._roster.connected():
            link.connections += 1
            if link.connections > FLOOD_CONNECTIONS:
                self._fail(link, "flood", f"more than {FLOOD_CONNECTIONS} connections between two decisions")

    def _hear_of_ends(self) -> None:
        """Some bot's process has news: its number, or its end."""
        for link, process, ended in self._roster.ended():
            self._drain()  # it may have answered before it ended
            if link.process is not process:
                continue
            if ended.shortage:
                self._lack(link, ended.shortage, ended.reason)
            else:
                early = "" if link.stage is Stage.READY else " before it said hello"
                self._fail(link, "crash", ended.reason + early)

    # What bots send

    def _take(self, received: Received) -> bool:
        """Deal with a message; whether it took nobody's time."""
        link = self._roster.sender(received)
        if link is not None:
            self._hear(link, received)
            return False
        stranger = self._roster.stranger(received)
        if stranger.owner is not None:
            # Before its hello it may just not have set its token: it is told so.
            is_start = stranger.owner.stage is Stage.STARTING and stranger.is_mistaken
            self._fail(stranger.owner, "mute" if is_start else "impostor", stranger.text)
        if stranger.owner is not None or stranger.is_ended:
            return True
        if not stranger.is_leftover:
            if received.source is not None:
                shut_down(received.source)
            for sitting in self._sittings:
                sitting.table.outsider()
        return self._wire.pass_over(received)

    def _hear(self, link: Link, received: Received) -> None:
        link.frames += received.frames
        frame = received.frame
        if self._setup.trace is not None:
            self._trace_received(link, frame or b"")
        if link.frames > FLOOD_FRAMES:
            self._fail(link, "flood", f"more than {FLOOD_FRAMES} frames between two decisions")
        elif frame is None:
            self._malformed(link, "a message of several frames")
        elif len(frame) > FRAME_LIMIT:
            self._fail(link, "oversize", f"a frame of {len(frame)} bytes, allowed are {FRAME_LIMIT}")
        else:
            try:
                message = decode(frame)
            except Malformed as error:
                self._malformed(link, str(error))
                return
            if isinstance(message, Act):
                self._act(link, message)
            else:
                self._hello(link, received.address, message)

    def _hello(self, link: Link, address: bytes, hello: Hello) -> None:
        self._roster.move(link, address)
        link.hello = hello
        reason = incompatible(hello)
        if reason is None and hello.games and self._setup.game not in hello.games:
            reason = f"does not play {self._setup.game}, only {', '.join(hello.games)}"
        if reason is not None:
            self._fail(link, "mute", reason)
            return
        again = link.stage is Stage.READY
        limits = Limits(FRAME_LIMIT, DECIDE_LIMIT, self._setup.time.strikes)
        self._send(link, Welcome(PROTOCOL, limits))
        if not again:
            self._roster.ready(link)
            self._room = True
            for sitting in list(self._sittings):
                if link in sitting.links:
                    self._go_on(sitting)
            return
        for sitting, seat in list(link.seats.values()):
            table = sitting.table
            if sitting.gathering:
                continue
            self._send(link, table.start(seat), sitting, seat)
            asked = table.asked(seat)
            if asked is not None:
                self._send(link, asked, sitting, seat)

    def _act(self, link: Link, act: Act) -> None:
        if link.stage is not Stage.READY:
            self._fail(link, "mute", "an act before hello")
            return
        if act.game_id in link.excused:
            self._excuse(link, act.game_id)
            return
        place = link.seats.get(act.game_id)
        if place is None:
            self._stale_elsewhere(link)
            return
        sitting, seat = place
        table = sitting.table
        if sitting.gathering:
            self._tell(sitting, seat, partial(table.fault, seat, "stale", "an answer before the game began"))
            return
        asked = table.asked(seat)
        if asked is not None and asked.turn == act.turn:
            self._no_longer_waiting(sitting)
        try:
            told = table.answer(seat, act, self._spent(sitting))
        except Exception:
            self._void(sitting)
            return
        if told is not None:
            self._send(link, told, sitting, seat)
        self._go_on(sitting)

    def _excuse(self, link: Link, game_id: str) -> None:
        """The answer to a game that ended meanwhile: only now the bot can turn to what it was asked since."""
        del link.excused[game_id]
        for sitting in self._sittings:
            if sitting.asked is link:
                sitting.ask(link, self._wire.waited, self._look(link))

    def _stale_elsewhere(self, link: Link) -> None:
        """An answer for a game that this bot does not play: counted in one that it plays."""
        for sitting, seat in link.seats.values():
            self._tell(sitting, seat, partial(sitting.table.fault, seat, "stale", "an answer for another game"))
            return

    def _malformed(self, link: Link, text: str) -> None:
        """Charged to the game that waits for this bot, or else to one that it plays."""
        if link.stage is not Stage.READY:
            self._fail(link, "mute", f"instead of hello: {text}")
            return
        places = sorted(link.seats.values(), key=lambda place: place[0].table.asked(place[1]) is None)
        for sitting, seat in places:
            table = sitting.table
            spent = None
            if table.asked(seat) is not None:
                self._no_longer_waiting(sitting)
                spent = self._spent(sitting)
            self._tell(sitting, seat, partial(table.malformed, seat, text, spent, link.stderr()))
            return

    def _fail(self, link: Link, code: str, text: str) -> None:
        """The bot's process is beyond help: its seats retire, it is ended, and started again for a later game."""
        _log.info("%s fails: %s, %s", link.name, code, text)
        stderr = self._last_words = link.stderr()
        self._failures[link.name] = text
        places = list(link.seats.values())
        link.seats.clear()
        for sitting, seat in places:
            self._tell(sitting, seat, partial(sitting.table.fault, seat, code, text, stderr), go_on=False)
        for sitting in self._sittings:
            if sitting.asked is link:
                sitting.asked = None
        link.waiting = 0
        self._roster.end(link)
        for sitting in [each for each in self._sittings if link in each.links]:
            self._go_on(sitting)

    def _lack(self, link: Link, number: int, text: str) -> None:
        """We could not start this bot: nobody is to blame, and its games are lost. `number`: the system's error."""
        _log.warning("%s cannot be started, which is no fault of the bot: %s", link.name, text)
        self._shortages[link.name] = (number, text)
        for sitting, _ in list(link.seats.values()):
            self._void(sitting, f"{link.name}: {text}")
        self._roster.end(link)

    # What bots are sent

    def _go_on(self, sitting: Sitting) -> None:
        """Bring a game to the next question, or to its end."""
        if sitting not in self._sittings:
            return
        table = sitting.table
        try:
            if sitting.gathering and not table.over:
                if any(link.stage is Stage.STARTING for link in sitting.links):
                    return
                sitting.gathering = False
                self._roster.see_off()  # before anybody is asked who would have to share the core with them
                for seat, link in enumerate(sitting.links):
                    self._send(link, table.start(seat), sitting, seat)
                    if self._setup.time.ponder:
                        self._roster.wake(link)
            awaited = table.awaited
            if awaited is not None:
                if table.asked(awaited) is None:
                    self._ask(sitting, awaited)
                return
        except Exception:
            self._void(sitting)
            return
        self._finish(sitting)

    def _ask(self, sitting: Sitting, seat: int) -> None:
        link = sitting.links[seat]
        message = sitting.table.decide()
        frame = encode(message)
        if len(frame) > DECIDE_LIMIT:
            raise RuntimeError(f"a decide of {len(frame)} bytes, the protocol allows {DECIDE_LIMIT}")
        link.frames = link.connections = 0
        link.waiting += 1
        look = self._look(link)
        self._roster.wake(link)
        if link.address is not None:
            self._wire.send(link.address, frame)
        sitting.ask(link, self._wire.waited, look)
        if sitting.trace is not None:
            sitting.trace.sent(seat, message)

    def _tell(self, sitting: Sitting, seat: int, judge: Callable[[], Fault | None], go_on: bool = True) -> None:
        """Let the table judge something, tell the bot of the fault if it was one, and go on with the game."""
        try:
            told = judge()
        except Exception:
            self._void(sitting)
            return
        if told is not None:
            self._send(sitting.links[seat], told, sitting, seat)
        if go_on:
            self._go_on(sitting)

    def _void(self, sitting: Sitting, error: str | None = None) -> None:
        """An error of our own, by default the one that is being handled: this game is lost, the others go on."""
        if sitting not in self._sittings:
            return
        sitting.table.void(error or traceback.format_exc())
        self._finish(sitting)

    def _send(self, link: Link, message: FromReferee, sitting: Sitting | None = None, seat: int = 0) -> None:
        if link.address is None:
            return
        self._roster.send(link, message)
        if sitting is not None and sitting.trace is not None:
            sitting.trace.sent(seat, message)

    def _no_longer_waiting(self, sitting: Sitting) -> None:
        """The bot that was asked has answered, or need not answer any more."""
        link, sitting.asked = sitting.asked, None
        if link is None or link.stage is not Stage.READY:
            return
        link.waiting -= 1
        if link.excused:
            link.excused = dict.fromkeys(link.excused, 0.0)
        if not link.waiting:
            self._roster.rest(link)

    def _spent(self, sitting: Sitting) -> float:
        """Seconds that the awaited bot has had: only time in which the referee was waiting counts, less what the bot
        waited for a core."""
        return sitting.spent(self._wire.waited)

    def _look(self, link: Link) -> Look | None:
        return None if link.queue is None else link.queue.ask(self._wire.waited)

    def _trace_received(self, link: Link, frame: bytes) -> None:
        for sitting, seat in link.seats.values():
            if sitting.trace is not None:
                sitting.trace.received(seat, frame)
