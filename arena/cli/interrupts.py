"""End a command on Ctrl-C, SIGTERM or SIGHUP: at any moment, within seconds, with exit code 130 and no traceback.

While the program is still loading there is nothing to clean up, and it ends at once. Later the signal raises
`KeyboardInterrupt` once, so that open resources are closed, and further signals change nothing. Python swallows an
exception raised in `__del__` or in the callback of a weak reference, so it is raised again until it arrives. A signal
that another thread takes, or that comes just before the main thread begins to wait, does not end that wait, so the main
thread is woken. If the program has not ended after `PATIENCE`, it is killed. Workers and bots end with this process,
however it ends.

A signal that was already ignored when the program started (by `nohup`, or by a shell in the background) stays ignored.
This module is loaded before any other and imports only what loads quickly, because until it listens a signal ends in a
traceback.
"""

from __future__ import annotations

import _thread
import atexit
import contextlib
import os
import signal
import sys
import time
from enum import Enum, auto

TYPE_CHECKING = False  # `typing` alone takes longer to load than all else here
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import Any, Final

EXIT_CODE: Final = 130
MESSAGE: Final = "arena: interrupted\n"
"""What is printed on stderr."""
PATIENCE: Final = 4.0
"""Seconds from the first signal until the process is killed."""
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_AGAIN: Final = 0.02
"""Seconds until a lost interrupt is raised again."""


class _Stage(Enum):
    LOADING = auto()
    RUNNING = auto()
    ENDING = auto()


class _State:
    """Which signals have come, and what became of them."""

    def __init__(self) -> None:
        self.stage = _Stage.LOADING
        self.asked = False
        """Whether a signal has come."""
        self.raised = False
        """Whether `KeyboardInterrupt` is on its way, or has arrived."""
        self.main_thread = 0
        self.put_off: Callable[[], bool] = lambda: False
        """Asks whether Ctrl-C is meant, and returns whether the program goes on for now."""
        self.is_put_off = False


_state = _State()


def listen() -> None:
    """Install the signal handlers. Call it in the main thread, before anything slow is imported."""
    _state.main_thread = _thread.get_ident()
    atexit.register(_exit)  # the first to be registered is the last to be called
    sys.unraisablehook = _swallowed
    for number in _SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _hear)


def guard(run: Callable[[], object]) -> None:
    """Call `run`, raise interrupts inside it, and end with `EXIT_CODE` if one came."""
    try:
        try:
            _state.stage = _Stage.RUNNING
            _wake_for_signals()
            run()
        finally:
            _state.stage = _Stage.ENDING
    except KeyboardInterrupt:
        raise SystemExit(EXIT_CODE) from None
    except Exception:
        if not _state.asked:
            raise
        # An error on the way out comes of what was cut short.
        raise SystemExit(EXIT_CODE) from None


def ask_first(put_off: Callable[[], bool]) -> None:
    """Call this at Ctrl-C, and only go on ending if it returns False."""
    _state.put_off = put_off


def _wake_for_signals() -> None:
    """Wake the main thread whichever thread takes a signal: only the main one calls `_hear`."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    # A forked process has its own signals.
    os.register_at_fork(after_in_child=lambda: signal.set_wakeup_fd(-1))
    _thread.start_new_thread(_wake, (reader,))


def _wake(reader: int) -> None:
    """Wake the main thread at the first signal until it has heard it. Runs in a thread."""
    while not _state.asked:
        for number in os.read(reader, 1):
            time.sleep(_AGAIN)
            if _state.is_put_off:
                _state.is_put_off = False
            elif number in _SIGNALS and not _state.asked:
                signal.pthread_kill(_state.main_thread, number)


def _hear(number: int, _frame: FrameType | None) -> None:
    if number == signal.SIGINT and _state.stage is _Stage.RUNNING and not _state.asked and _state.put_off():
        _state.is_put_off = True
        return
    first, _state.asked = not _state.asked, True
    if _state.stage is _Stage.LOADING:
        _end()
    if first:
        # Not by `threading`: its locks may be held by what was interrupted here.
        with contextlib.suppress(RuntimeError):
            _thread.start_new_thread(_watch, (number,))
    if _state.stage is _Stage.RUNNING and not _state.raised:
        _state.raised = True
        raise KeyboardInterrupt


def _swallowed(unraisable: Any) -> None:
    if _state.asked and isinstance(unraisable.exc_value, KeyboardInterrupt):
        _state.raised = False
    else:
        sys.__unraisablehook__(unraisable)


def _watch(number: int) -> None:
    """Make the main thread end. Runs in a thread."""
    limit = time.monotonic() + PATIENCE
    while time.monotonic() < limit:
        time.sleep(_AGAIN)
        if not _state.raised and _state.stage is _Stage.RUNNING:
            signal.pthread_kill(_state.main_thread, number)
    _end()


def _end() -> None:
    with contextlib.suppress(OSError):
        os.write(2, MESSAGE.encode())
    os._exit(EXIT_CODE)


def _exit() -> None:
    """End with `EXIT_CODE` while Python shuts down, whatever exit code it was about to return."""
    if _state.asked:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError, AttributeError):  # closed, or none at all
                stream.flush()
        os._exit(EXIT_CODE)
