"""Print the log: what the packages below send to `logging`, as plain lines on stderr, if it is asked for.

`--verbose` asks for level `info`, the environment variable `ARENA_LOG` for any level. If both are given, the more
detailed one counts. Worker processes know neither, so `workers` passes the level on to them.
"""

from __future__ import annotations

import logging
import os
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Annotated, Final

import typer

from arena.cli.terminal import warn
from arena.common.allowed_words import refused
from arena.common.printable import printable

if TYPE_CHECKING:
    from arena.tournament.workers import MakeExecutor

VARIABLE: Final = "ARENA_LOG"
LEVELS: Final = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
}
_LOGGERS: Final = ("arena", "uvicorn")
_FORMAT: Final = "%(asctime)s %(levelname)s %(process)d %(message)s"


class _Formatter(logging.Formatter):
    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802
        # It may contain what a bot sent, which must not look like a line of its own.
        record.message = printable(record.message)
        return super().formatMessage(record)

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: N802
        return datetime.fromtimestamp(record.created).astimezone().isoformat(" ", "milliseconds")


class _Handler(logging.Handler):
    """Writes to the current stderr, and drops what cannot be written."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            warn(self.format(record))
        except Exception:
            self.handleError(record)


_handler = _Handler()
_handler.setFormatter(_Formatter(_FORMAT))


def configure(level: int | None) -> None:
    """Log everything from `level` on, in this process alone. None logs nothing."""
    for logger in map(logging.getLogger, _LOGGERS):
        if level is None:
            logger.removeHandler(_handler)
            logger.setLevel(logging.NOTSET)
        else:
            logger.addHandler(_handler)
            logger.setLevel(level)


def configure_from_environment() -> None:
    """Set the level that `ARENA_LOG` names. Raises `typer.BadParameter` if it names none."""
    text = os.environ.get(VARIABLE, "").strip().lower()
    if text and text not in LEVELS:
        raise typer.BadParameter(refused(printable(text), LEVELS), param_hint=VARIABLE)
    configure(LEVELS[text] if text else None)


def level() -> int | None:
    """Return the level from which this process logs. Return None if it logs nothing."""
    logger = logging.getLogger(_LOGGERS[0])
    return logger.level if _handler in logger.handlers else None


def workers() -> MakeExecutor:
    """Return a factory of worker processes that log at the level of this process."""
    from arena.tournament.workers import LocalWorker  # few commands have any

    return LocalWorker if level() is None else partial(LocalWorker, partial(configure, level()))


def _verbose(wanted: bool) -> bool:
    if wanted:
        configure(min(level() or logging.INFO, logging.INFO))
    return wanted


Verbose = Annotated[
    bool,
    typer.Option("--verbose", "-v", callback=_verbose, help="Log what happens to stderr. ARENA_LOG=debug logs more."),
]
