"""The rules of a game of OpenSpiel."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

import numpy as np
import pyspiel

from engine.base import BaseRules
from engine.bridges.plain import line, plain, words
from engine.bridges.quiet import quiet
from engine.bridges.spiel_state import SpielSetup, SpielState
from engine.bridges.spiel_worlds import SEARCHED, rebuilt, redealt, searched
from engine.chance import Chance
from engine.rules import NO_TEAMS, Capabilities, Data, Score

_COUNTS: Final = ("players", "num_players")
"""How games call the parameter that is the number of players."""
_MOST: Final = 1_000_000
"""Actions or outcomes of chance of a game: one with more would fill the memory before it begins."""
_PLACE: Final = re.compile(r"^\S+\.cc:\d+ ")
"""Where in its own source OpenSpiel found a fault."""
_POKER: Final = "universal_poker"
_POKER_LISTS: Final = {
    "blind": "numPlayers",
    "stack": "numPlayers",
    "firstPlayer": "numRounds",
    "numBoardCards": "numRounds",
    "raiseSize": "numRounds",
}
"""Parameters of that game that are lists, with the one that says how long: a list too short ends the whole process."""
_BY_POINTS: Final = ("skat",)
"""Games that divide points until nobody wins more than 1."""
_TEAMS: Final = {name: {4: ((0, 2), (1, 3))} for name in ("bridge", "euchre", "spades", "tiny_bridge_4p")}
"""By game, the seats that win together."""
_LARGEST_TENSOR: Final = 8_192
"""Numbers in a view."""
_REVEALING: Final = frozenset({"dark_chess", "dou_dizhu", "hanabi", "kriegspiel"})
"""Games whose tensor says more than the text, as the leak kit found."""
_THOUSANDTHS: Final = frozenset({"antichess", "chess", "crazyhouse", "cursor_go", "go_fish", "oware", "shogi", "yacht"})
"""Games whose tensor has fractions: as views have none, it comes in thousandths."""
_SPECTATOR: Final = pyspiel.IIGObservationType(
    public_info=True, perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE
)


class SpielRules(BaseRules):
    """A game with parameters; the number of players is one of them, unless it is given."""

    def __init__(self, name: str, given: Mapping[str, Any]) -> None:
        """Load the game. Raises ValueError with the reason if it cannot be played here.

        Args:
            name: The name of the rules.
            given: OpenSpiel's name of the game, as `name`, and the parameters that are given.
        """
        self.name, self._short = name, str(given["name"])
        self._given = {key: value for key, value in given.items() if key != "name"}
        if self._short == _POKER:
            _check_poker(given)
        if not self._given and (why := refusal_by_name(_registered(self._short))) is not None:
            raise ValueError(why)
        game = self._load({})
        kind = game.get_type()
        if (why := refusal(kind)) is not None:
            raise ValueError(why)
        count = next((each for each in _COUNTS if each in kind.parameter_specification and each not in given), None)
        self._games = {game.num_players(): game} if count is None else self._by_players(count, kind)
        self.players = (min(self._games, default=1), max(self._games, default=1))
        if self.players[0] < 2:
            raise ValueError("it is for one player")
        fewest, most = (self._games[each] for each in self.players)
        parameters = {
            key: plain(value)
            for key, value in fewest.get_parameters().items()
            if key != count and value not in ("", {})
        }
        self.named = {"standard": {"name": "standard", "openspiel": self._short, **parameters}}
        self._open = kind.information != pyspiel.GameType.Information.IMPERFECT_INFORMATION
        self.capabilities = Capabilities(
            worlds=self._open or self._short in SEARCHED,
            chance=kind.chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
            score=_score(fewest, kind),
            span={count: (each.min_utility(), each.max_utility()) for count, each in self._games.items()},
            teams=_TEAMS.get(self._short, NO_TEAMS),
            action_ids=max(fewest.num_distinct_actions(), most.num_distinct_actions()),
        )
        self._setup = cache(self._set_up)

    def start(self, players: int, edition: Data, chance: Chance) -> SpielState:
        """Begin a new game. Raises ValueError if it is not for that many players, or not of this edition."""
        state = self._begin(players, edition, chance)
        state.go_on([])
        return state

    def determinize(self, view: Data, players: int, edition: Data, chance: Chance) -> SpielState | None:
        """Return a state that `view` allows: played again where nothing is hidden, else searched; None: not found."""
        if not self.capabilities.worlds or view["seat"] is None:
            return None
        state = self._begin(players, edition, chance)
        return rebuilt(state, view) if self._open else searched(state, view)

    def redeal(self, state: SpielState, seat: int, chance: Chance) -> SpielState | None:
        """Return another world for the leak kit, which `seat` cannot tell from this one by the texts it was shown."""
        start = type(state)(state.setup, state.setup.game.new_initial_state(), chance)
        return None if self._open else redealt(state, start, seat)

    def words(self, what: Mapping[str, Any]) -> str:
        """Describe an event's data or an action in one line."""
        return words(what)

    def _begin(self, players: int, edition: Data, chance: Chance) -> SpielState:
        self.check_players(players)
        if self.strip_unknown(edition) != self.named["standard"]:
            raise ValueError(f"{self.name} has one edition, and this is another: {edition}")
        setup = self._setup(players)
        return SpielState(setup, setup.game.new_initial_state(), chance)

    def _load(self, counted: Mapping[str, int]) -> Any:
        try:
            with quiet():
                game = pyspiel.load_game(self._short, {**self._given, **counted})
                if max(game.num_distinct_actions(), game.max_chance_outcomes()) > _MOST:
                    raise ValueError(f"it has more than {_MOST:,} actions or outcomes of chance: choose smaller sizes")
                game.new_initial_state()
                return game
        except (pyspiel.SpielError, TypeError, ValueError) as error:
            raise ValueError(_PLACE.sub("", line(str(error)))) from None

    def _by_players(self, count: str, kind: Any) -> dict[int, Any]:
        """Return the game with each number of players, from the fewest to the first that cannot play it."""
        found: dict[int, Any] = {}
        for players in range(max(2, kind.min_num_players), kind.max_num_players + 1):
            try:
                game = self._load({count: players})
            except ValueError:
                game = None
            if game is not None and game.num_players() == players:
                found[players] = game
            elif found:
                break
        return found

    def _set_up(self, players: int) -> SpielSetup:
        game = self._games[players]
        kind = game.get_type()
        with quiet():
            public = None if self._open else _public(game)
            structured = self._open and _is_structured(game)
        state = pyspiel.State
        shown = state.information_state_string if kind.provides_information_state_string else state.observation_string
        return SpielSetup(
            game=game,
            players=players,
            open=self._open,
            simultaneous=kind.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS,
            shown=shown,
            public=public,
            structured=structured,
            tensor=_tensor(game, self._open),
            scored=self.capabilities.score is not None,
            remembers=not self._open and self.capabilities.worlds,
        )


def refusal_by_name(kind: Any) -> str | None:
    """Return why a game cannot be played here by its name alone; None: it can."""
    if not kind.default_loadable:
        return f"it needs parameters: {', '.join(kind.parameter_specification)}"
    return refusal(kind)


def refusal(kind: Any) -> str | None:
    """Return why a game of this type cannot be played here; None: it can."""
    if kind.dynamics == pyspiel.GameType.Dynamics.MEAN_FIELD:
        return "it is a mean-field game, which has no seats"
    if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        return "it draws its chance inside OpenSpiel, where no game can be replayed from its seed"
    if kind.max_num_players < 2 or kind.parameter_specification.get("players") == 1:
        return "it is for one player"
    if not (kind.provides_information_state_string or kind.provides_observation_string):
        return "it shows players nothing as text"
    return None


def _score(game: Any, kind: Any) -> Score | None:
    """Return what is played for: nothing but to win, in a game of which one side wins what the other loses."""
    utility = pyspiel.GameType.Utility
    zero_sum = kind.utility == utility.ZERO_SUM
    if zero_sum and game.min_utility() >= -1 and game.max_utility() <= 1 and kind.short_name not in _BY_POINTS:
        return None
    return Score("returns", zero_sum=zero_sum, cooperative=kind.utility == utility.IDENTICAL)


def _registered(name: str) -> Any:
    return next(kind for kind in pyspiel.registered_games() if kind.short_name == name)


def _check_poker(given: Mapping[str, Any]) -> None:
    parameters = {**pyspiel.load_game(_POKER).get_parameters(), **given}
    for name, length in _POKER_LISTS.items():
        needed = 0 if name == "raiseSize" and parameters["betting"] != "limit" else parameters[length]
        if len(str(parameters.get(name, "")).split()) < needed:
            raise ValueError(f"{name} must have {needed} numbers, as many as {length} says")


def _public(game: Any) -> Callable[[Any], str] | None:
    """Return what observes for spectators, where OpenSpiel can; else None."""
    found = game.make_observer(_SPECTATOR, {})
    observer = None if found is None else pyspiel._Observation(game, found)
    if observer is None or not observer.has_string():
        return None
    return lambda spiel: str(observer.string_from(spiel, 0))


def _tensor(game: Any, is_open: bool) -> Callable[[Any, int], list[int]] | None:
    """Return what shows a state to a seat as OpenSpiel's numbers, if they are few and say no more than the text."""
    kind, names = game.get_type(), {*re.findall(r"\w+", str(game))}  # also of a game that this one wraps
    if kind.provides_information_state_tensor and kind.provides_information_state_string and not is_open:
        size, numbers = game.information_state_tensor_size(), pyspiel.State.information_state_tensor
    elif kind.provides_observation_tensor:
        size, numbers = game.observation_tensor_size(), pyspiel.State.observation_tensor
    else:
        return None
    if size > _LARGEST_TENSOR or not names.isdisjoint(_REVEALING):
        return None
    unit = 1 if names.isdisjoint(_THOUSANDTHS) else 1000

    def whole(spiel: Any, seat: int) -> list[int]:
        found: list[int] = np.rint(np.multiply(numbers(spiel, seat), unit)).astype(np.int64).tolist()
        return found

    return whole


def _is_structured(game: Any) -> bool:
    try:
        game.new_initial_state().to_observation_struct(0).to_dict()
    except (pyspiel.SpielError, RuntimeError, TypeError, AttributeError):
        return False
    return True
