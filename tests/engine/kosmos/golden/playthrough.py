"""Writes a game of `kosmos` as text: what each seat may know, what is offered, what is chosen, what happens.

The files beside this one are such texts, one an edition and player count. After a change that is meant to change them,

    python -m tests.engine.kosmos.golden.playthrough

in the project's folder writes them anew; read the difference before you commit it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path

from engine.catalog import game
from engine.chance import Chance, Seeded, derive
from engine.game import Action, Data, Event

FOLDER = Path(__file__).parent
EDITIONS = ("standard", "en", "ru", "nim")
COUNTS = (2, 3, 4, 5, 6)
WHOLE = 5
"""Decisions at the start that are written with the whole view and every action."""
LISTED = 6
"""Later lists of actions up to this length are still written whole, in one line."""
DATA = 20
"""Decisions at the start whose events are written in words and as data, one a line; later in words, and a digest."""

_KOSMOS = game("kosmos")


def file_of(edition: str, players: int) -> Path:
    """Where that game is kept."""
    return FOLDER / f"{edition}-{players}.txt"


def playthrough(edition: str, players: int) -> Iterator[str]:
    """The lines of the game of that edition and player count."""
    seed = b"golden in kosmos"
    state = _KOSMOS.start(players, _KOSMOS.edition(edition), Seeded(derive(seed, edition, players)))
    player = Seeded(derive(seed, edition, players, "player"))
    yield f"kosmos, edition {edition}, {players} players"
    number = 0
    while (seat := state.to_act) is not None:
        view = state.view(seat)
        actions = state.actions()
        index = _choose(actions, player)
        number += 1
        yield ""
        yield f"# {number}: seat {seat} in {view['phase']}, round {view['round']}"
        yield "views " + " ".join(f"{_name(one)}:{_digest(state.view(one))}" for one in (*range(players), None))
        yield from _shown(view) if number <= WHOLE else _short(view)
        yield from _offered(actions, index, whole=number <= WHOLE)
        yield f"-> {index}: {_text(actions[index])}"
        yield from _happened(state.play(index), whole=number <= DATA)
    yield ""
    yield f"# the end: ranks {state.ranks()}"
    yield from (f"seat {seat}: {_text(row)}" for seat, row in enumerate(state.scores()))
    yield from _shown(state.view(None))


def _choose(actions: Sequence[Action], player: Chance) -> int:
    """Any action, but a leg more often than not, so that the game gets somewhere."""
    legs = [index for index, action in enumerate(actions) if action["do"] == "travel"]
    if legs and player.below("travels", 6):
        return legs[player.below("leg", len(legs))]
    return player.below("action", len(actions))


def _shown(view: Data) -> Iterator[str]:
    for key, value in view.items():
        if key == "hidden":
            for deck, record in value.items():
                yield f"  hidden {deck} {_text(record)}"
        else:
            yield f"  {key} {_text(value)}"


def _short(view: Data) -> Iterator[str]:
    """What changes most, in one line."""
    own = view["seat"]
    yield (
        f"  in {view['city'][own]} on day {view['days'][own]}, gold {view['gold'][own]}, "
        f"hand {' '.join(view['hand']) or '-'}; display {' '.join(card or '-' for card in view['display'])}"
    )


def _offered(actions: Sequence[Action], index: int, *, whole: bool) -> Iterator[str]:
    if whole:
        for number, action in enumerate(actions):
            yield f"  {number:3} {_KOSMOS.words(action)}"
    elif len(actions) <= LISTED:
        yield "  " + "; ".join(f"{number} {_KOSMOS.words(action)}" for number, action in enumerate(actions))
    else:
        yield f"  {len(actions)} actions {_digest(actions)}, {index} {_KOSMOS.words(actions[index])}"


def _happened(events: Sequence[Event], *, whole: bool) -> Iterator[str]:
    words = [("" if e.to is None else f"[only seat {e.to}] ") + _KOSMOS.words(e.what) for e in events]
    if whole:
        yield from (f"  * {line} {_text(event.what)}" for line, event in zip(words, events, strict=True))
    elif events:
        yield f"  * {'; '.join(words)} {_digest(events)}"


def _name(seat: int | None) -> str:
    return "-" if seat is None else str(seat)


def _text(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def _digest(value: object) -> str:
    return blake2b(_text(value).encode(), digest_size=4).hexdigest()


def regenerate() -> None:
    """Write every file anew."""
    for edition in EDITIONS:
        for players in COUNTS:
            text = "".join(f"{line}\n" for line in playthrough(edition, players))
            file_of(edition, players).write_text(text, "utf-8")
            sys.stdout.write(f"{file_of(edition, players).name}: {text.count(chr(10))} lines, {len(text)} bytes\n")


if __name__ == "__main__":
    regenerate()
