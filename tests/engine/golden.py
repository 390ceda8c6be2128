"""Golden games: the whole text of a game, kept in short, so that any change of it is noticed.

The text of a game says what each seat may know, what is offered, what is chosen and what happens. Its first decisions
and its end are kept as they are, the decisions between as one digest a round, in `<game's tests>/golden/`, one file an
edition and number of players. A module `suite` beside says how a game's moves are chosen (`tests.engine.suite`).

    python -m tests.engine.golden write                   # every file anew, after a change that is meant to change them
    python -m tests.engine.golden show kosmos standard 2  # the whole text of one game

To see what a change does to a game, write its whole text with and without the change and compare the two with `diff`.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Final, NamedTuple

from engine.chance import Seeded, derive
from engine.rules import Action, Data, Event
from tests.engine.suite import Suite, suites

WHOLE: Final = 5
"""Decisions at the start that are written with the whole view and every action."""
LISTED: Final = 6
"""Later lists of actions up to this length are still written whole, in one line."""
DATA: Final = 20
"""Decisions at the start whose events are written in words and as data, one a line; later in words, and a digest."""
KEPT: Final = 3
"""Decisions at the start that are kept as they are written."""
BLOCK: Final = 10
"""Decisions of one digest in a game whose views do not say the round."""


class Decision(NamedTuple):
    """One decision of a game, as text."""

    number: int
    """From 1."""
    part: str
    """The round, or the block of decisions, that it belongs to."""
    phase: str
    lines: list[str]


@dataclass(frozen=True)
class Golden:
    """The golden games of one game."""

    suite: Suite
    folder: Path
    """Where they are kept."""

    @classmethod
    def of(cls, suite: Suite) -> Golden:
        """Those kept beside the tests of that game."""
        return cls(suite, Path(__file__).parent / suite.name / "golden")

    def file_of(self, edition: str, players: int) -> Path:
        """Where that game is kept."""
        return self.folder / f"{edition}-{players}.txt"

    def text(self, edition: str, players: int) -> Iterator[str]:
        """The whole text of the game of that edition and number of players."""
        for part in self._play(edition, players):
            yield from part.lines if isinstance(part, Decision) else part

    def lines(self, edition: str, players: int) -> list[str]:
        """The text as it is kept: what stands between the first decisions and the end is a digest a round."""
        kept: list[str] = []
        later: dict[str, list[Decision]] = {}
        phases, happenings = Counter[str](), Counter[str]()
        for part in self._play(edition, players):
            lines = part.lines if isinstance(part, Decision) else part
            for line in lines:
                happenings.update(each for each in self.suite.happenings if each in line)
            if isinstance(part, Decision):
                phases[part.phase] += 1
                if part.number > KEPT:
                    later.setdefault(part.part, []).append(part)
                    continue
            elif later:
                kept += ["", *(_shortened(name, decisions) for name, decisions in later.items())]
            kept += lines
        return [*kept, f"phases {_text(dict(sorted(phases.items())))}", f"lines with {_text(dict(happenings))}"]

    def compare(self, edition: str, players: int) -> None:
        """Assert that the game is played as it is kept; a failure says from which round on it is not."""
        file = self.file_of(edition, players)
        name = self.suite.name
        assert file.exists(), f"{file} is missing: `python -m tests.engine.golden write` writes it"
        kept = file.read_text("utf-8").splitlines()
        played = self.lines(edition, players)
        help_ = (
            f"{name}, edition {edition}, {players} players, is not played as it was. `python -m tests.engine.golden "
            f"show {name} {edition} {players}` writes its whole text: compare it with that of the commit before. "
            "If the change is meant, `python -m tests.engine.golden write` writes the files anew"
        )
        for number, (now, then) in enumerate(zip(played, kept, strict=False), start=1):
            assert now == then, f"line {number} of {file.name} is\n  {now}\nand was\n  {then}\n{help_}"
        assert len(played) == len(kept), f"{file.name}: {help_}"

    def check_files(self) -> None:
        """Assert that no game is kept that is not compared."""
        assert {path.name for path in self.folder.iterdir()} == {
            self.file_of(*case).name for case in self.suite.cases()
        }

    def missing(self) -> set[str]:
        """The phases and happenings that no game shows, by what the files say."""
        shown = Counter[str]()
        for case in self.suite.cases():
            *_, phases, happenings = self.file_of(*case).read_text("utf-8").splitlines()
            shown.update(json.loads(phases.removeprefix("phases ")))
            shown.update(json.loads(happenings.removeprefix("lines with ")))
        return {*self.suite.phases, *self.suite.happenings} - {*+shown}

    def write(self) -> None:
        """Write every file anew."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for case in self.suite.cases():
            text = "".join(f"{line}\n" for line in self.lines(*case))
            self.file_of(*case).write_text(text, "utf-8")

    def _play(self, edition: str, players: int) -> Iterator[list[str] | Decision]:
        """Give the heading, each decision, and the end."""
        rules, seed = self.suite.rules, f"golden in {self.suite.name}".encode()
        state = rules.start(players, rules.edition(edition), Seeded(derive(seed, edition, players)))
        player = Seeded(derive(seed, edition, players, "player"))
        yield [f"{rules.name}, edition {edition}, {players} players"]
        number = 0
        while (seat := state.to_act) is not None:
            view, actions = state.view(seat), state.actions()
            index = self.suite.choose(actions, player)
            number += 1
            seen = " ".join(f"{_name(one)}:{_digest(state.view(one))}" for one in (*range(players), None))
            phase = view.get("phase", "turn")
            part = f"round {view['round']}" if "round" in view else f"block {(number - 1) // BLOCK + 1}"
            lines = ["", f"# {number}: seat {seat} in {phase}, {part}", f"views {seen}"]
            lines += _shown(view) if number <= WHOLE else [f"  {self.suite.short(view)}"]
            lines += self._offered(actions, index, whole=number <= WHOLE)
            lines.append(f"-> {index}: {_text(actions[index])}")
            lines += self._happened(state.play(index), whole=number <= DATA)
            yield Decision(number, part, phase, lines)
        end = ["", f"# the end: ranks {state.ranks()}"]
        end += (f"seat {seat}: {_text(row)}" for seat, row in enumerate(state.scores()))
        yield [*end, *_shown(state.view(None))]

    def _offered(self, actions: Sequence[Action], index: int, *, whole: bool) -> Iterator[str]:
        words = self.suite.rules.words
        if whole:
            for number, action in enumerate(actions):
                yield f"  {number:3} {words(action)}"
        elif len(actions) <= LISTED:
            yield "  " + "; ".join(f"{number} {words(action)}" for number, action in enumerate(actions))
        else:
            yield f"  {len(actions)} actions {_digest(actions)}, {index} {words(actions[index])}"

    def _happened(self, events: Sequence[Event], *, whole: bool) -> Iterator[str]:
        tell = self.suite.rules.words
        words = [("" if e.to is None else f"[only seat {e.to}] ") + tell(e.what) for e in events]
        if whole:
            yield from (f"  * {line} {_text(event.what)}" for line, event in zip(words, events, strict=True))
        elif events:
            yield f"  * {'; '.join(words)} {_digest(events)}"


def _shortened(part: str, decisions: Sequence[Decision]) -> str:
    text = "\n".join(line for decision in decisions for line in decision.lines)
    digest = blake2b(text.encode(), digest_size=16).hexdigest()
    return f"{part}, decisions {decisions[0].number} to {decisions[-1].number}: {digest}"


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


def main(words: Sequence[str]) -> None:
    """Write the files anew, or the text of one game to standard output."""
    goldens = {suite.name: Golden.of(suite) for suite in suites()}
    match words:
        case ["write"]:
            for golden in goldens.values():
                golden.write()
        case ["show", name, edition, players] if name in goldens:
            sys.stdout.writelines(f"{line}\n" for line in goldens[name].text(edition, int(players)))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
