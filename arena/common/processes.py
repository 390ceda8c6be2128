"""Run calls in worker processes behind the `concurrent.futures.Executor` interface, over pipes alone.

The standard library's pool guards its queues with named semaphores. They need /dev/shm, and they are left there when a
whole process group is killed. Here every process has a pipe of its own and a thread that waits for its answers, so
nothing is shared and nothing can be left behind.
"""

from __future__ import annotations

import errno
import multiprocessing
import os
import pickle
import signal
import threading
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, ParamSpec, TypeVar

from arena.common.protection import forbid_inspection

P = ParamSpec("P")
T = TypeVar("T")


class BrokenProcess(BrokenExecutor):
    """A worker process ended in the middle of its work, which is lost."""


class NeverBegun(BrokenProcess):
    """A worker process had ended before it was given the call."""


class _Call(NamedTuple):
    future: Future[Any]
    packed: bytes


def do_nothing() -> None:
    """Do nothing. This is the default for what a process prepares or cleans up."""


def signal_name(number: int) -> str:
    """Return the name of a signal: `SIGKILL` for 9."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


class ProcessPool(Executor):
    """Worker processes that each take one call after another. If one is lost, all are ended and their calls fail.

    The processes live while this process holds the other end of their pipes. So they end with it, however it ends, and
    can be ended at any moment, even while they are starting.
    """

    def __init__(
        self, processes: int, begin: Callable[[], object] = do_nothing, end: Callable[[], object] = do_nothing
    ) -> None:
        """Start the processes. Each calls `begin` first, and `end` if it is ended from outside. Raises `OSError`."""
        self._waiting: SimpleQueue[_Call | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._lines: list[Connection] = []
        self._threads: list[threading.Thread] = []
        self._broken = self._closed = False
        try:
            for _ in range(processes):
                self._start(begin, end)
        except BaseException as error:
            self.kill()
            if isinstance(error, RuntimeError):  # no more threads
                raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN)) from error
            raise

    def _start(self, begin: Callable[[], object], end: Callable[[], object]) -> None:
        context = multiprocessing.get_context("spawn")
        theirs, line = context.Pipe(duplex=False)
        self._lines.append(line)
        with theirs:
            ours, calls = context.Pipe()
            with calls:
                # As a daemon it is ended when this process ends, not waited for.
                process = context.Process(target=_serve, args=(calls, theirs, begin, end), daemon=True)
                with _interrupts_later():
                    process.start()
        thread = threading.Thread(target=self._drive, args=(ours, process.join), daemon=True)
        thread.start()
        self._threads.append(thread)

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Call `fn` in a process. Raises `BrokenProcess` if one was lost before."""
        future: Future[T] = Future()
        packed = pickle.dumps((fn, args, kwargs))
        with self._lock:
            if self._broken:
                raise BrokenProcess("a worker process was lost")
            if self._closed:
                raise RuntimeError("this pool is shut down")
            self._waiting.put(_Call(future, packed))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more calls, and end the processes when the waiting calls are done."""
        with self._lock:
            if cancel_futures:
                for call in self._left():
                    call.future.cancel()
                    call.future.set_running_or_notify_cancel()
            if not self._closed:
                self._closed = True
                for _ in self._threads:
                    self._waiting.put(None)
        if wait:
            for thread in self._threads:
                thread.join()

    def kill(self) -> None:
        """End the processes at once."""
        self._hang_up()
        self.shutdown(wait=False, cancel_futures=True)

    def _hang_up(self) -> None:
        """Close the pipes, which ends the processes."""
        # Once: a thread that lost its process does so too, and a descriptor closed twice may be another's by then.
        with self._lock:
            lines, self._lines = self._lines, []
        for line in lines:
            line.close()

    def _left(self) -> list[_Call]:
        """Take the waiting calls from the queue, and leave the sentinels in it."""
        found: list[_Call | None] = []
        with suppress(Empty):
            while True:
                found.append(self._waiting.get_nowait())
        for _ in range(found.count(None)):
            self._waiting.put(None)
        return [call for call in found if call is not None]

    def _drive(self, calls: Connection, joined: Callable[[], None]) -> None:
        """Send calls to a process, and its answers to their futures. Runs in a thread for each process."""
        with calls:
            while (call := self._waiting.get()) is not None:
                if not call.future.set_running_or_notify_cancel():
                    continue
                sent = False
                try:
                    calls.send_bytes(call.packed)
                    sent = True
                    answer = calls.recv_bytes()
                except (EOFError, OSError):
                    self._break(call, BrokenProcess if sent else NeverBegun)
                    break
                _resolve(call.future, answer)
        joined()

    def _break(self, lost: _Call, how: type[BrokenProcess]) -> None:
        with self._lock:
            self._broken = True
            left = [call for call in self._left() if call.future.set_running_or_notify_cancel()]
            if not self._closed:
                self._closed = True
                for _ in self._threads:
                    self._waiting.put(None)
        self._hang_up()
        lost.future.set_exception(how("a worker process was lost"))
        for call in left:
            call.future.set_exception(NeverBegun("a worker process was lost"))


@contextmanager
def _interrupts_later() -> Iterator[None]:
    """Block keyboard interrupts for a process that starts in the block, until `_serve` ignores them."""
    resource_tracker.ensure_running()  # else the first process starts it, which lets interrupts through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _resolve(future: Future[Any], answer: bytes) -> None:
    try:
        fine, value = pickle.loads(answer)
    except Exception as error:  # an exception, perhaps, that cannot be made from its arguments
        fine, value = False, error
    if fine:
        future.set_result(value)
    else:
        future.set_exception(value)


def _serve(
    calls: Connection, line: Connection, begin: Callable[[], object], end: Callable[[], object]
) -> None:  # pragma: no cover - in another process
    """Answer calls until there are no more. Runs in the worker process."""
    forbid_inspection()
    # An interrupt from the keyboard is the business of the process that started this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    ending = threading.Lock()

    def stop(*_: object) -> None:
        if ending.acquire(blocking=False):  # else it is being done
            try:
                end()
            finally:
                os._exit(1)

    signal.signal(signal.SIGTERM, stop)
    threading.Thread(target=_follow, args=(line, stop), daemon=True).start()
    begin()
    with suppress(EOFError, OSError):
        while True:
            calls.send_bytes(_answer(calls.recv_bytes()))


def _follow(line: Connection, stop: Callable[[], None]) -> None:
    with suppress(EOFError, OSError):
        line.recv()
    stop()


def _answer(packed: bytes) -> bytes:
    try:
        call, args, kwargs = pickle.loads(packed)
        return pickle.dumps((True, call(*args, **kwargs)))
    except BaseException as error:
        error.add_note(traceback.format_exc())
        try:
            return pickle.dumps((False, error))
        except Exception:
            return pickle.dumps((False, RuntimeError(repr(error))))


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
