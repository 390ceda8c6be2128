"""Plays games with bot processes: one loop that waits for answers, watches clocks and asks the next bot."""

from __future__ import annotations

import shutil
import time
import traceback
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from types import TracebackType
from typing import Final

from arena.entrants import launch
from arena.ledger.records import GameRecord
from arena.protocol.codec import DECIDE_LIMIT, FRAME_LIMIT, Malformed, decode, encode, incompatible
from arena.protocol.messages import PROTOCOL, Act, Bye, Fault, FromReferee, Hello, Limits, Welcome
from arena.referee.addresses import Addresses
from arena.referee.faults import FLOOD_FRAMES
from arena.referee.link import Link, Sitting, Stage
from arena.referee.orders import BotReport, GameOrder, Setup
from arena.referee.placement import Placement
from arena.referee.table import Table, Watch, void_record
from arena.referee.trace import Trace
from arena.referee.wire import Received, Wire
from engine.catalog import game

_DRAIN: Final = 64
"""Frames taken in a row before clocks are looked at again."""
_BYE_SECONDS: Final = 0.5
AWAKE_SECONDS: Final = 0.001
"""Bots that nobody waits for are stopped when a decision takes longer than that: most need no signal at all, and a busy
rival takes no more than that from whoever is asked."""

Announce = Callable[[str, str, str], None]
"""Told name, endpoint and token of a bot that somebody has to start by hand."""


class Host:
    """The referee of one worker. Bots are started when a game needs them and play on from game to game."""

    def __init__(self, setup: Setup, pin: bool = True, announce: Announce | None = None) -> None:
        """`pin`: take a core for this referee and its bots if one is free."""
        self._setup = setup
        self._rules = game(setup.game)
        self._announce = announce
        self._placement = Placement(pin and not setup.time.ponder)
        self._wire = Wire(any(built.entrant.transport == "tcp" for built in setup.bots.values()))
        self._links = {name: Link(name, built) for name, built in setup.bots.items()}
        self._links |= {name: Link(name, None) for name in setup.manual}
        self._addresses = Addresses()
        self._sittings: list[Sitting] = []
        self._room = True
        """Whether another table might be opened: looked at again when a game ends or a bot is ready."""
        self._starting: set[Link] = set()
        self._awake: set[Link] = set()
        """Bots that nobody waits for any more since bots were last stopped."""
        self._hold_back_at = 0.0
        """When those are stopped, on the wire's clock."""
        self._records: dict[str, GameRecord] = {}
        self._failures: dict[str, str] = {}
        self._last_words = ""
        self._watch: Watch | None = None

    def play(self, orders: Sequence[GameOrder], watch: Watch | None = None) -> list[GameRecord]:
        """Play these games; their records in the same order. `watch` is told every step as it happens."""
        self._watch = watch
        self._room = True
        waiting = deque(orders)
        while waiting or self._sittings:
            while self._room and waiting:
                self._room = self._may_open(waiting[0])
                if self._room:
                    self._open(waiting.popleft())
            if self._sittings:
                self._cycle()
        self._hold_back()
        return [self._records.pop(order.id) for order in orders]

    def check(self, name: str) -> BotReport:
        """Start one bot and wait for its `hello`: whether it can take part."""
        link = self._links[name]
        self._failures.pop(name, None)
        self._start(link)
        while link.stage is Stage.STARTING:
            self._cycle()
        hello = link.hello
        if link.stage is Stage.DOWN or hello is None:
            return BotReport(name, False, self._failures.get(name, ""), None, self._last_words)
        if hello.games and self._setup.game not in hello.games:
            return BotReport(name, False, f"does not play {self._setup.game}, only {', '.join(hello.games)}", hello)
        return BotReport(name, True, "", hello)

    def close(self) -> None:
        """Say `bye` to the bots, end them, and leave nothing behind."""
        try:
            for link in self._links.values():
                if link.stage is Stage.READY:
                    self._send(link, Bye())
                    if link.process is not None:
                        link.process.resume()
            limit = time.monotonic() + _BYE_SECONDS
            for link in self._links.values():
                link.end(max(0.0, limit - time.monotonic()) if link.stage is Stage.READY else 0.0)
        finally:
            self._wire.close()
            self._placement.release()

    def abandon(self) -> None:
        """Remove what would outlive this process when it ends at once. The bots end with it by themselves."""
        shutil.rmtree(self._wire.folder, ignore_errors=True)

    def __enter__(self) -> Host:
        """Itself."""
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        """Close."""
        self.close()

    # Opening and ending games

    def _may_open(self, order: GameOrder) -> bool:
        """Beside an open table another is opened only for bots that all play several games (never two of one block)."""
        if not self._sittings:
            return True
        links = [self._links[bot] for bot in order.bots]
        if not all(link.spare for link in links) or any(link.parallel < 2 for link in links):
            return False
        for sitting in self._sittings:
            if any(link.parallel < 2 for link in sitting.links):
                return False
            same_block = (sitting.table.order.players, sitting.table.order.block) == (order.players, order.block)
            if same_block and not set(links).isdisjoint(sitting.links):
                return False
        return True

    def _open(self, order: GameOrder) -> None:
        links = [self._links[bot] for bot in order.bots]
        unlimited = frozenset(seat for seat, link in enumerate(links) if link.manual)
        try:
            table = Table(self._rules, self._setup.edition, order, self._setup.time, unlimited, self._watch)
            trace = None if self._setup.trace is None else Trace(self._setup.trace, order.id)
        except Exception:
            self._records[order.id] = void_record(order, traceback.format_exc())
            return
        sitting = Sitting(table, links, trace)
        self._sittings.append(sitting)
        for seat, link in enumerate(links):
            link.seats[order.id] = (sitting, seat)
        for link in links:
            if link.stage is Stage.DOWN and order.id in link.seats:
                self._start(link)
        self._go_on(sitting)

    def _start(self, link: Link) -> None:
        token = link.renew()
        self._addresses.expect(link)
        self._starting.add(link)
        if link.built is None:
            link.hello_by = float("inf")
            if self._announce is not None:
                self._announce(link.name, self._wire.endpoint("ipc"), token)
            return
        endpoint = self._wire.endpoint(link.built.entrant.transport)
        try:
            link.process = launch(link.built, endpoint, token, run_dir=self._wire.folder, cores=self._placement.cores())
        except OSError as error:
            self._fail(link, "crash", f"could not be started: {error}")
            return
        self._wire.attend(link.process)
        link.hello_by = self._wire.waited + self._setup.time.start

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
        for seat, link in enumerate(sitting.links):
            if link.seats.pop(table.order.id, None) is None:
                continue
            if record.ending != "void" and not sitting.gathering:
                self._send(link, table.end(), sitting, seat)
            if not link.seats:
                self._rest(link)
        if sitting.trace is not None:
            sitting.trace.close()

    # The loop

    def _cycle(self) -> None:
        """Wait for the next thing to happen, and deal with it."""
        due = self._next_due()
        left = None if due is None else due - self._wire.waited
        if self._awake:
            awake = max(0.0, self._hold_back_at - self._wire.waited)
            message, report = self._wire.wait(awake if left is None else min(left, awake))
            if self._wire.waited >= self._hold_back_at:
                self._hold_back()
        else:
            message, report = self._wire.wait(left)
        if message:
            received = self._wire.receive(self._addresses.known)
            if received is not None:
                self._take(received)
        if report:
            self._hear_of_ends()
        if due is not None and self._wire.waited >= due:
            self._drain()
            self._call_time()

    def _hold_back(self) -> None:
        """Stop the bots that nobody waits for: whoever is asked gets the core to itself."""
        for link in self._awake:
            if link.process is not None and link.stage is Stage.READY and self._may_rest(link):
                link.process.stop()
        self._awake.clear()

    def _next_due(self) -> float | None:
        """When somebody is late or mute next, on the wire's clock; None: nobody can be."""
        next_due = float("inf")
        for sitting in self._sittings:
            if not sitting.gathering and sitting.due < next_due:
                next_due = sitting.due
        for link in self._starting:
            next_due = min(next_due, link.hello_by)
        return None if next_due == float("inf") else next_due

    def _drain(self) -> None:
        for _ in range(_DRAIN):
            received = self._wire.receive(self._addresses.known)
            if received is None:
                return
            self._take(received)

    def _call_time(self) -> None:
        """Who has not answered by now is late, who has not said hello is mute."""
        now = self._wire.waited
        for link in list(self._starting):
            if now >= link.hello_by:
                self._fail(link, "mute", f"no hello within {self._setup.time.start:g} s")
        for sitting in list(self._sittings):
            if not sitting.gathering and not sitting.table.over and now >= sitting.due:
                seat = sitting.table.awaited
                assert seat is not None
                link = sitting.links[seat]
                self._no_longer_waiting(sitting)
                stderr = link.stderr()
                self._tell(sitting, seat, partial(sitting.table.late, self._spent(sitting), stderr))

    def _hear_of_ends(self) -> None:
        """Some bot's process has news: its number, or its end."""
        for link in self._links.values():
            process = link.process
            if process is None:
                continue
            ended = process.poll()
            if ended is not None:
                self._drain()  # it may have answered before it ended
                if link.process is process:
                    self._fail(link, "crash", ended.reason)

    # What bots send

    def _take(self, received: Received) -> None:
        link = self._addresses.known.get(received.address) or self._admit(received)
        if link is None:
            return
        link.frames += 1
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

    def _admit(self, received: Received) -> Link | None:
        """The bot that a routing id belongs to which is new here; of anybody else nothing is listened to."""
        link = self._addresses.admit(received)
        if link is None:
            # Time goes on meanwhile, or somebody could hold it up by sending this without end.
            self._wire.count_since(received)
            if not self._addresses.is_leftover(received.address):
                for sitting in self._sittings:
                    sitting.table.impostor()
        return link

    def _hello(self, link: Link, address: bytes, hello: Hello) -> None:
        self._addresses.move(link, address)
        reason = incompatible(hello)
        if reason is not None:
            self._fail(link, "mute", reason)
            return
        link.hello = hello
        again = link.stage is Stage.READY
        link.stage = Stage.READY
        limits = Limits(FRAME_LIMIT, DECIDE_LIMIT, self._setup.time.strikes)
        self._send(link, Welcome(PROTOCOL, limits))
        if not again:
            self._starting.discard(link)
            self._room = True
            self._rest(link)
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
        self._tell(sitting, seat, partial(table.answer, seat, act, self._spent(sitting)))

    def _excuse(self, link: Link, game_id: str) -> None:
        """The answer to a game that ended meanwhile: only now the bot can turn to what it was asked since."""
        del link.excused[game_id]
        for sitting in self._sittings:
            if sitting.asked is link:
                sitting.ask(link, self._wire.waited)

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
        stderr = self._last_words = link.stderr()
        self._failures[link.name] = text
        places = list(link.seats.values())
        link.seats.clear()
        for sitting, seat in places:
            self._tell(sitting, seat, partial(sitting.table.fault, seat, code, text, stderr), go_on=False)
        self._addresses.forget(link)
        self._starting.discard(link)
        if link.process is not None:
            self._wire.forget(link.process)
        for sitting in self._sittings:
            if sitting.asked is link:
                sitting.asked = None
        link.waiting = 0
        link.end()
        for sitting in [each for each in self._sittings if link in each.links]:
            self._go_on(sitting)

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
                for seat, link in enumerate(sitting.links):
                    self._send(link, table.start(seat), sitting, seat)
                    if self._setup.time.ponder and link.process is not None:
                        link.process.resume()
            if not table.over:
                awaited = table.awaited
                assert awaited is not None
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
        link.frames = 0
        link.waiting += 1
        if link.process is not None:
            link.process.resume()
        if link.address is not None:
            self._wire.send(link.address, frame)
        sitting.ask(link, self._wire.waited)
        self._hold_back_at = self._wire.waited + AWAKE_SECONDS
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

    def _void(self, sitting: Sitting) -> None:
        """An error of our own: this game is lost, the others go on."""
        if sitting not in self._sittings:
            return
        sitting.table.void(traceback.format_exc())
        self._finish(sitting)

    def _send(self, link: Link, message: FromReferee, sitting: Sitting | None = None, seat: int = 0) -> None:
        if link.address is None:
            return
        self._wire.send(link.address, encode(message))
        if sitting is not None and sitting.trace is not None:
            sitting.trace.sent(seat, message)

    def _no_longer_waiting(self, sitting: Sitting) -> None:
        """The bot that was asked has answered, or need not answer any more."""
        link, sitting.asked = sitting.asked, None
        if link is None or link.stage is not Stage.READY:
            return
        link.waiting -= 1
        link.excused = dict.fromkeys(link.excused, 0.0)
        if not link.waiting:
            self._rest(link)

    def _rest(self, link: Link) -> None:
        """Nobody waits for this bot any more."""
        if self._may_rest(link):
            self._awake.add(link)

    def _may_rest(self, link: Link) -> bool:
        """Whether a bot may be stopped: pondering is for those that have something to ponder."""
        return not link.seats if self._setup.time.ponder else not link.waiting

    def _spent(self, sitting: Sitting) -> float:
        """Seconds that the awaited bot has had: only time in which the referee was waiting counts."""
        return self._wire.waited - sitting.asked_at

    def _trace_received(self, link: Link, frame: bytes) -> None:
        for sitting, seat in link.seats.values():
            if sitting.trace is not None:
                sitting.trace.received(seat, frame)
