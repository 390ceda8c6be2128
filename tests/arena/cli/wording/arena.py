"""What belongs to no command."""

from __future__ import annotations

import errno
from collections.abc import Callable

from arena.cli import games, terminal
from tests.arena.cli.wording.scenario import Given, Place, scenario


def log_level(name: str) -> Given:
    return lambda place: place.monkeypatch.setenv("ARENA_LOG", name)


def interrupted(place: Place) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    place.monkeypatch.setattr(games, "_list", interrupt)


def stdout_fails(number: int) -> Given:
    """Nothing can be written to standard output."""

    def fail(*_: object, **options: object) -> None:
        if "file" not in options:
            raise OSError(number, "no reason")
        real(*_, **options)  # type: ignore[call-overload]

    real: Callable[..., None] = print

    def given(place: Place) -> None:
        place.monkeypatch.setattr(terminal, "print", fail, raising=False)
        place.monkeypatch.setattr(terminal, "discard", lambda _: None)

    return given


SCENARIOS = [
    scenario("its version", "-V", "--version", hide=[r"(?<= )\(.* engine\)"]),
    scenario("help", ""),
    scenario("commands and options that there are not", "nosuch", "show --nosuch", "show a b"),
    scenario("a level of the log that there is not", "games", given=log_level("loud\x1b[2J")),
    scenario("Ctrl-C", "games", given=interrupted),
    scenario("standard output is full", "games", given=stdout_fails(errno.ENOSPC)),
    scenario("nobody reads standard output any more", "games", given=stdout_fails(errno.EPIPE)),
]
