"""`pettingzoo:NAME`: the classic games of PettingZoo in which everything is seen.

The library is imported when the first of them is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final, NamedTuple

from engine.base import BaseRules, BaseState
from engine.bridges.plain import line, number, ranks, words
from engine.catalog import Offer, Provider, UnknownRules
from engine.chance import Chance
from engine.rules import Action, Capabilities, Data, Event, Rules

PREFIX: Final = "pettingzoo:"
_CLASSIC: Final = "classic/"
_LARGE: Final = 500
"""An observation with more numbers than this is left out of views: the board and the history say it all."""
_INSTALL: Final = "pip install 'bot-arena[pettingzoo]'"


class _Kind(NamedTuple):
    """What a game looks like: its board, and an action in words."""

    board: Callable[[Any], str]
    words: Callable[[Any, int, int], str]


class AgentState(BaseState):
    """An environment at a decision, or at its end."""

    def __init__(self, env: Any, kind: _Kind) -> None:
        """Wrap an environment that was reset."""
        self.env, self.kind = env, kind
        self.won: list[float] = [0.0 for _ in env.possible_agents]
        self.history: list[int] = []

    @property
    def to_act(self) -> int | None:
        """The seat that decides now; None when the game is over."""
        over = all(self.env.terminations[agent] or self.env.truncations[agent] for agent in self.env.agents)
        return None if over else int(self.env.possible_agents.index(self.env.agent_selection))

    def actions(self) -> list[Action]:
        """Return the actions, in words and with PettingZoo's numbers."""
        seat = self.to_act
        return [] if seat is None else [{"do": self._words(seat, each), "id": each} for each in self._legal(seat)]

    def play(self, index: int) -> list[Event]:
        """Play the action with this index. Raises IndexError if there is none."""
        seat = self.to_act
        legal = [] if seat is None else self._legal(seat)
        if seat is None or index not in range(len(legal)):
            raise IndexError(f"there is no action {index}")
        events = self.step(seat, legal[index])
        while (seat := self.to_act) is not None and len(legal := self._legal(seat)) == 1:
            events += self.step(seat, legal[0])  # all see that there was no other
        if seat is None:
            events.append(Event(None, {"event": "ended", "returns": self._won()}))
        return events

    def step(self, seat: int, action: int) -> list[Event]:
        """Take one action and go no further."""
        what = {"event": "played", "seat": seat, "action": self._words(seat, action), "id": action}
        self.env.step(action)
        for place, agent in enumerate(self.env.possible_agents):
            self.won[place] += float(self.env.rewards.get(agent, 0))
        self.history.append(action)
        return [Event(None, what)]

    def view(self, seat: int | None) -> Data:
        """Return what all see, and for a seat also its observation as PettingZoo makes it."""
        view: dict[str, Any] = {"seat": seat, "to_act": self.to_act, "text": self.kind.board(self.env)}
        view["history"] = self.history[:]
        if seat is not None:
            seen = self.env.observe(self.env.possible_agents[seat])["observation"]
            if seen.size <= _LARGE:
                view |= {"observation": seen.astype(int).tolist(), "tensor": seen.astype(int).ravel().tolist()}
        return view

    def ranks(self) -> list[int]:
        """Return the rank of each seat: all the same before the end."""
        return ranks(self._won())

    def scores(self) -> list[dict[str, Any]]:
        """Return the rewards of each seat, 0 before the end."""
        return [{"rewards": each} for each in self._won()]

    def copy(self) -> AgentState:
        """Return an independent state that continues exactly as this one would."""
        env = object.__new__(type(self.env))  # copied as a whole it would begin anew, as environments are pickled
        env.__dict__ = deepcopy(self.env.__dict__)
        clone = AgentState(env, self.kind)
        clone.won, clone.history = self.won[:], self.history[:]
        return clone

    def _won(self) -> list[int | float]:
        return [number(each) if self.to_act is None else 0 for each in self.won]

    def _legal(self, seat: int) -> list[int]:
        return [int(each) for each in self.env.observe(self.env.possible_agents[seat])["action_mask"].nonzero()[0]]

    def _words(self, seat: int, action: int) -> str:
        return line(self.kind.words(self.env, seat, action))


class AgentRules(BaseRules):
    """The rules of an environment."""

    def __init__(self, name: str, make: Callable[[], Any], kind: _Kind) -> None:
        """Look at an environment of these rules once."""
        env = make()
        seats = len(env.possible_agents)
        self.name, self._make, self._kind = name, make, kind
        self.players = (seats, seats)
        self.named = {"standard": {"name": "standard", "pettingzoo": name.removeprefix(PREFIX)}}
        actions = max(int(env.action_space(agent).n) for agent in env.possible_agents)
        self.capabilities = Capabilities(worlds=True, chance=False, action_ids=actions)

    def start(self, players: int, edition: Data, chance: Chance) -> AgentState:
        """Begin a new game. Raises ValueError if it is not for that many players, or not of this edition."""
        self.check_players(players)
        if self.strip_unknown(edition) != self.named["standard"]:
            raise ValueError(f"{self.name} has one edition, and this is another: {edition}")
        env = self._make()
        env.reset(seed=0)  # of these games, none draws anything
        return AgentState(env, self._kind)

    def determinize(self, view: Data, players: int, edition: Data, chance: Chance) -> AgentState:
        """Play a view's history again: nothing is hidden."""
        state = self.start(players, edition, chance)
        for action in view["history"]:
            state.step(state.to_act or 0, action)
        return state

    def words(self, what: Mapping[str, Any]) -> str:
        """Describe an event's data or an action in one line."""
        return words(what)


class Environments:
    """Provides the classic games of PettingZoo."""

    @property
    def version(self) -> str | None:
        """The version of PettingZoo."""
        try:
            return version("pettingzoo")
        except PackageNotFoundError:
            return None

    def rules(self, name: str) -> Rules:
        """Return the rules of that name; its version may be written `_v3` or `-v3`."""
        full = name.replace("-v", "_v")
        offers = {offer.name: offer.refused for offer in self.offers()}
        if full not in offers:
            known = [each for each, refused in offers.items() if not refused]
            raise UnknownRules(f"there is no game {name!r}: see arena games {PREFIX[:-1]}", name, known)
        if why := offers[full]:
            raise UnknownRules(f"{name}: {why}", name)
        short = full.removeprefix(PREFIX)
        identity = _CLASSIC + short.replace("_v", "-v")

        def make() -> Any:
            from pettingzoo import make as make_environment

            return make_environment("aec", identity).unwrapped

        try:
            return AgentRules(full, make, _KINDS[short.rpartition("_v")[0]])
        except ImportError as error:
            raise UnknownRules(f"{name} needs more than is installed ({error.__cause__}): {_INSTALL}", name) from None

    def offers(self) -> Sequence[Offer]:
        """Return the classic environments."""
        try:
            from pettingzoo import aec_registry
        except ImportError as error:
            raise UnknownRules(f"{PREFIX} PettingZoo is not installed ({error}): {_INSTALL}", PREFIX) from None
        return [_offer(each) for each in sorted(aec_registry) if each.startswith(_CLASSIC)]


PROVIDER: Provider = Environments()


def _offer(identity: str) -> Offer:
    name = identity.removeprefix(_CLASSIC).replace("-v", "_v")
    if name.rpartition("_v")[0] in _KINDS:
        return Offer(PREFIX + name)
    return Offer(PREFIX + name, "it hides something: see arena games openspiel for such games")


def _rows(squares: Any, width: int, letters: Mapping[int, str]) -> str:
    shown = [letters[int(each)] for each in squares]
    return "\n".join(" ".join(shown[place : place + width]) for place in range(0, len(shown), width))


def _uci(env: Any, seat: int, action: int) -> str:
    from pettingzoo.classic.chess.chess_utils import action_to_move

    return str(action_to_move(env.board, action, seat).uci())


def _point(env: Any, seat: int, action: int) -> str:
    size = len(env._go.board)
    return "pass" if action == size * size else f"row {action // size}, column {action % size}"


_XO: Final = {0: ".", 1: "x", 2: "o"}
_KINDS: Final = {
    "chess": _Kind(lambda env: f"{env.board}\n{env.board.fen()}", _uci),
    "connect_four": _Kind(lambda env: _rows(env.board, 7, _XO), lambda env, seat, action: f"column {action}"),
    "go": _Kind(lambda env: _rows(env._go.board.flat, len(env._go.board), {0: ".", 1: "x", -1: "o"}), _point),
    "tictactoe": _Kind(lambda env: _rows(env.board.squares, 3, _XO), lambda env, seat, action: f"square {action}"),
}
