"""Writes games as text: what each seat may know, what is offered, what is chosen, what happens; and compares them.

Each game keeps such texts, one an edition and player count, in a folder `golden` with a module `playthrough`, which
says how its moves are chosen and writes the texts anew.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Final

from engine.chance import Chance, Seeded, derive
from engine.game import Action, Data, Event, Game

COUNTS: Final = (2, 3, 4, 5, 6)
WHOLE: Final = 5
"""Decisions at the start that are written with the whole view and every action."""
LISTED: Final = 6
"""Later lists of actions up to this length are still written whole, in one line."""
DATA: Final = 20
"""Decisions at the start whose events are written in words and as data, one a line; later in words, and a digest."""


@dataclass(frozen=True)
class Playthroughs:
    """The golden games of one game."""

    game: Game
    folder: Path
    choose: Callable[[Sequence[Action], Chance], int]
    """The index of the action that is played."""
    short: Callable[[Data], str]
    """Of a view what changes most, in one line."""

    def cases(self) -> list[tuple[str, int]]:
        """Editions and player counts."""
        return [(edition, players) for edition in self.game.editions() for players in COUNTS]

    def file_of(self, edition: str, players: int) -> Path:
        """Where that game is kept."""
        return self.folder / f"{edition}-{players}.txt"

    def lines(self, edition: str, players: int) -> Iterator[str]:
        """The game of that edition and player count."""
        seed = f"golden in {self.game.name}".encode()
        state = self.game.start(players, self.game.edition(edition), Seeded(derive(seed, edition, players)))
        player = Seeded(derive(seed, edition, players, "player"))
        yield f"{self.game.name}, edition {edition}, {players} players"
        number = 0
        while (seat := state.to_act) is not None:
            view = state.view(seat)
            actions = state.actions()
            index = self.choose(actions, player)
            number += 1
            yield ""
            yield f"# {number}: seat {seat} in {view['phase']}, round {view['round']}"
            yield "views " + " ".join(f"{_name(one)}:{_digest(state.view(one))}" for one in (*range(players), None))
            yield from _shown(view) if number <= WHOLE else [f"  {self.short(view)}"]
            yield from self._offered(actions, index, whole=number <= WHOLE)
            yield f"-> {index}: {_text(actions[index])}"
            yield from self._happened(state.play(index), whole=number <= DATA)
        yield ""
        yield f"# the end: ranks {state.ranks()}"
        yield from (f"seat {seat}: {_text(row)}" for seat, row in enumerate(state.scores()))
        yield from _shown(state.view(None))

    def compare(self, edition: str, players: int) -> None:
        """The game is played as it is kept, line by line."""
        file = self.file_of(edition, players)
        kept = file.read_text("utf-8").splitlines()
        played = list(self.lines(edition, players))
        for number, (now, then) in enumerate(zip(played, kept, strict=False), start=1):
            assert now == then, f"line {number} of {file.name}"
        assert len(played) == len(kept)

    def kept(self) -> dict[str, str]:
        """The texts that are kept, by file name."""
        return {path.name: path.read_text("utf-8") for path in self.folder.glob("*.txt")}

    def check_files(self) -> None:
        """No game is kept that is not compared."""
        assert set(self.kept()) == {self.file_of(*case).name for case in self.cases()}

    def regenerate(self) -> None:
        """Write every file anew."""
        for case in self.cases():
            text = "".join(f"{line}\n" for line in self.lines(*case))
            self.file_of(*case).write_text(text, "utf-8")
            sys.stdout.write(f"{self.file_of(*case).name}: {text.count(chr(10))} lines, {len(text)} bytes\n")

    def _offered(self, actions: Sequence[Action], index: int, *, whole: bool) -> Iterator[str]:
        words = self.game.words
        if whole:
            for number, action in enumerate(actions):
                yield f"  {number:3} {words(action)}"
        elif len(actions) <= LISTED:
            yield "  " + "; ".join(f"{number} {words(action)}" for number, action in enumerate(actions))
        else:
            yield f"  {len(actions)} actions {_digest(actions)}, {index} {words(actions[index])}"

    def _happened(self, events: Sequence[Event], *, whole: bool) -> Iterator[str]:
        words = [("" if e.to is None else f"[only seat {e.to}] ") + self.game.words(e.what) for e in events]
        if whole:
            yield from (f"  * {line} {_text(event.what)}" for line, event in zip(words, events, strict=True))
        elif events:
            yield f"  * {'; '.join(words)} {_digest(events)}"


def _shown(view: Data) -> Iterator[str]:
    for key, value in view.items():
        if key == "hidden":
            for deck, record in value.items():
                yield f"  hidden {deck} {_text(record)}"
        else:
            yield f"  {key} {_text(value)}"


def _name(seat: int | None) -> str:
    return "-" if seat is None else str(seat)


def _text(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def _digest(value: object) -> str:
    return blake2b(_text(value).encode(), digest_size=4).hexdigest()
