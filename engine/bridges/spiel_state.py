"""A game of OpenSpiel in progress.

Where nothing is hidden, everybody is told every action and every outcome of chance. Elsewhere nothing is public but the
end: each seat is told its own actions, and what OpenSpiel shows it whenever that changes. So a leak can only be one of
OpenSpiel itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

from engine.base import BaseState
from engine.bridges.plain import line, number, plain, ranks, text
from engine.chance import Chance
from engine.rules import Action, Data, Event, ForcedMove

_WEIGHTS = 1 << 32
"""Outcomes that are not equally likely are drawn by a number below this."""


class SpielSetup(NamedTuple):
    """What is fixed for all games with one number of players."""

    game: Any
    players: int
    open: bool
    """Whether nothing is hidden."""
    simultaneous: bool
    """Whether seats may decide at the same time: they are asked one after the other."""
    shown: Callable[[Any, int], str]
    """What OpenSpiel shows a seat of a state."""
    public: Callable[[Any], str] | None
    """What it shows a spectator; None: nothing."""
    structured: bool
    """Whether it has observations as data. Only where nothing is hidden: those of hearts show the cards that a seat
    will get while it still chooses which to give away."""
    tensor: Callable[[Any, int], list[int]] | None
    """What a seat sees as numbers, for programs that learn; None: there is nothing, or it says more than what is shown.
    """
    scored: bool
    """Whether it counts by how much a game is won."""
    remembers: bool
    """Whether views hold what the seat was told so far, from which a world can be searched."""


class SpielState(BaseState):
    """A position at a decision with two or more actions, or at the end."""

    def __init__(self, setup: SpielSetup, spiel: Any, chance: Chance) -> None:
        """Wrap a state of OpenSpiel; `go_on` takes it to the first decision."""
        self.setup, self.spiel, self.chance = setup, spiel, chance
        self.chosen: list[int] = []
        """At a simultaneous decision, what the first seats have chosen."""
        self.heard: list[list[int | str]] = [[] for _ in range(setup.players)]
        """By seat, its actions and a digest of all that it was shown, in order, if the setup remembers."""
        self.texts = [""] * setup.players
        self._forced: list[ForcedMove] = []
        self._legal: list[int] | None = None
        self._actions: list[Action] | None = None
        if not setup.open:
            self._show()

    def copy(self) -> SpielState:
        """Return an independent state that continues exactly as this one would."""
        clone = SpielState.__new__(type(self))
        clone.setup, clone.spiel, clone.chance = self.setup, self.spiel.clone(), self.chance.copy()
        clone.chosen, clone.texts, clone._forced = self.chosen[:], self.texts[:], self._forced[:]
        clone.heard = [each[:] for each in self.heard]
        clone._legal, clone._actions = self._legal, self._actions
        return clone

    @property
    def to_act(self) -> int | None:
        """The seat that decides now; None when the game is over."""
        if self.spiel.is_terminal():
            return None
        return len(self.chosen) if self.spiel.is_simultaneous_node() else int(self.spiel.current_player())

    def forced_moves(self) -> Sequence[ForcedMove]:
        """Return the moves that were made because there was no other, where the others cannot know that."""
        return self._forced[:]

    @property
    def legal(self) -> list[int]:
        """The ids of the actions."""
        if self._legal is None:
            seat = self.to_act
            self._legal = [] if seat is None else self.spiel.legal_actions(seat)
        return self._legal

    def actions(self) -> list[Action]:
        """Return the actions, in words and with OpenSpiel's ids."""
        if self._actions is None:
            seat = self.to_act
            self._actions = [{"do": self._words(seat, action), "id": action} for action in self.legal]
        return self._actions[:]

    def play(self, index: int) -> list[Event]:
        """Play the action with this index and go on to the next decision. Raises IndexError if there is none."""
        if index not in range(len(self.legal)):
            raise IndexError(f"there is no action {index}")
        self._forced = []
        return self.go_on(self.step(self.legal[index]))

    def go_on(self, events: list[Event]) -> list[Event]:
        """Draw outcomes of chance and make moves to which there is no other, up to the next decision or the end.

        Return all events. `events`: those before.
        """
        while not self.spiel.is_terminal():
            if self.spiel.is_chance_node():
                events += self.step(self.draw(self.spiel.chance_outcomes(), "chance"))
                continue
            if len(self.legal) > 1:
                return events
            if self.legal and not self.setup.open:
                self._forced.append(ForcedMove(self.to_act or 0, self.phase, len(events)))
            events += self.step(self.legal[0] if self.legal else 0)  # at a simultaneous decision a seat may have none
        won = plain(self.spiel.returns())
        return [*events, Event(None, {"event": "ended", "returns": won})]

    def step(self, action: int) -> list[Event]:
        """Take one step, a seat's action or an outcome of chance, and go no further."""
        seat = None if self.spiel.is_chance_node() else self.to_act
        what = {"event": "chance" if seat is None else "played", "action": self._words(seat, action), "id": action}
        events = []
        if seat is not None:
            what["seat"] = seat
            if self.setup.remembers:
                self.heard[seat].append(action)
        if self.spiel.is_simultaneous_node():
            self.chosen.append(action)
            events.append(Event(seat, {**what, "event": "chose"}))
            if len(self.chosen) == self.setup.players:
                events += self._reveal()
        else:
            self.spiel.apply_action(action)
            if self.setup.open or seat is not None:
                events.append(Event(None if self.setup.open else seat, what))
        self._legal = self._actions = None
        return events if self.setup.open or self.chosen else events + self._show()

    def _reveal(self) -> list[Event]:
        """End a simultaneous decision: where nothing is hidden, everybody is told what the others chose."""
        events = [
            Event(None, {"event": "played", "action": self._words(seat, action), "id": action, "seat": seat})
            for seat, action in enumerate(self.chosen)
            if self.setup.open
        ]
        self.spiel.apply_actions(self.chosen)
        self.chosen = []
        return events

    def _show(self) -> list[Event]:
        """Tell every seat what it sees, from the first line that changed, if it sees something else than before."""
        events = []
        for seat, before in enumerate(self.texts):
            now = text(self.setup.shown(self.spiel, seat))
            if now == before:
                continue
            self.texts[seat] = now
            if self.setup.remembers:
                self.heard[seat].append(blake2b(now.encode(), digest_size=6).hexdigest())
            old, new = before.split("\n"), now.split("\n")
            short = min(len(old), len(new))
            same = next((place for place in range(short) if old[place] != new[place]), short)
            shown = {"event": "sees", "seat": seat, "line": same, "text": "\n".join(new[same:])}
            events.append(Event(seat, shown))
        return events

    def view(self, seat: int | None) -> Data:
        """Return what `seat` (None: a spectator) may know."""
        view: dict[str, Any] = {"seat": seat}
        if self.setup.open:
            view |= {"to_act": self.to_act, "text": text(str(self.spiel)), "history": self.spiel.history()}
        elif seat is not None:
            view |= {"to_act": seat if self.to_act == seat else None, "text": self.texts[seat]}
            if self.setup.remembers:
                view["heard"] = self.heard[seat][:]
        elif self.setup.public is not None:
            view["text"] = text(self.setup.public(self.spiel))
        if self.setup.structured and seat is not None:
            view["observation"] = plain(self.spiel.to_observation_struct(seat).to_dict())
        if self.setup.tensor is not None and seat is not None:
            view["tensor"] = self.setup.tensor(self.spiel, seat)
        if self.setup.simultaneous and seat is not None:
            own = self.chosen[seat] if seat < len(self.chosen) else None
            view["chosen"] = None if own is None else {"do": self._words(seat, own), "id": own}
        if self.spiel.is_terminal():
            view["returns"] = plain(self.spiel.returns())
        return view

    def ranks(self) -> list[int]:
        """Return the rank of each seat: all the same before the end, as a score so far might show what is hidden."""
        return ranks(self._won())

    def scores(self) -> list[dict[str, Any]]:
        """Return what each seat won, 0 before the end; nothing if only the rank counts."""
        return [{"returns": each} if self.setup.scored else {} for each in self._won()]

    def _won(self) -> list[int | float]:
        if not self.spiel.is_terminal():
            return [0] * self.setup.players
        return [number(each) for each in self.spiel.returns()]

    def draw(self, outcomes: Sequence[tuple[int, float]], stream: str) -> int:
        """Draw one of these outcomes of chance by their weights."""
        whole = sum(weight for _, weight in outcomes)
        if all(abs(weight - whole / len(outcomes)) < 1e-9 for _, weight in outcomes):
            return int(outcomes[self.chance.below(stream, len(outcomes))][0])
        rest = self.chance.below(stream, _WEIGHTS) / _WEIGHTS * whole
        for outcome, weight in outcomes:
            rest -= weight
            if rest < 0:
                return int(outcome)
        return int(outcomes[-1][0])

    def _words(self, seat: int | None, action: int) -> str:
        player = self.spiel.current_player() if seat is None else seat
        return line(self.spiel.action_to_string(player, action))
