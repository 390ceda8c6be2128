"""A check that rules keep the contract of `engine.rules`, case by case."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from functools import partial
from itertools import islice, permutations
from pathlib import Path
from typing import Any, Final, NamedTuple

from engine.chance import Chance, Seeded, derive
from engine.rules import Action, Data, EditionError, Rules, Spelled, State, spell

LONGEST: Final = 20_000
"""Decisions after which a game is assumed to have no end."""
_LONGEST_NAME: Final = 200
"""Letters of a name, which is part of the names of folders."""
_OFTEN: Final = 7
"""Slow checks are made once in this many decisions at the beginning of a game."""
_RARER: Final = 20
"""Later, slow checks are made once in a twentieth of the decisions so far, so that long games do not take for ever."""
_AHEAD: Final = 40
"""Decisions that are played in a determinized world; one world in `_OFTEN` is played to its end."""
_COURSES: Final = 24
"""Courses of one game that are compared, to see whether what a seat was told determines what it is offered."""
_BEGINNING: Final = 16
"""Decisions of each of those courses: later no two are alike any more."""
_WHOLE: Final = range(-(1 << 63), 1 << 64)
"""The whole numbers that msgpack can encode."""


class RulesCheckError(AssertionError):
    """Rules break the contract; the message says what is wrong, in which edition and with how many players."""


class Case(NamedTuple):
    """Rules with an edition and a number of players, which a check examines."""

    rules: Rules
    edition: str
    players: int

    def begin(self, label: str = "contract") -> State:
        """Begin a new game, always the same one for the same label."""
        return self.rules.start(self.players, self.rules.edition(self.edition), self.chance(label))

    def chance(self, label: str) -> Chance:
        """Make a source of random numbers for this case, the same for the same label."""
        return Seeded(derive(bytes(16), label, self.edition, self.players))

    def readers(self) -> Sequence[int | None]:
        """Return all seats and None for a spectator."""
        return (*range(self.players), None)


def check(rules: Rules) -> None:
    """Run every check, in every named edition with every number of players. Raises `RulesCheckError`."""
    check_rules(rules)
    for case in cases(rules):
        for each in CHECKS:
            each(case)


def cases(rules: Rules) -> Iterator[Case]:
    """Generate the cases of some rules: every named edition with every number of players."""
    for edition in rules.editions():
        for players in range(rules.players[0], rules.players[1] + 1):
            yield Case(rules, edition, players)


def check_rules(rules: Rules) -> None:
    """Check what can be asked before a game begins: name, numbers of players, editions and their settings."""
    low, high = rules.players
    named = rules.name.isprintable() and 0 < len(rules.name) <= _LONGEST_NAME
    _must(named, f"the name {rules.name!r} is not 1 to {_LONGEST_NAME} letters")
    _must(2 <= low <= high, f"{rules.name} is for {low} to {high} players: it must be for 2 at least")
    names = rules.editions()
    _must(0 < len(set(names)) == len(names), f"{rules.name} has the editions {names}: one at least, each once")
    for name in names:
        first = rules.edition(name)
        _must_be_plain(first, f"edition {name} is")
        _must(type(first.get("name")) is str, f"edition {name} does not say its name: {first}")
        kept = deepcopy(first)
        spoil(first)
        _must(rules.edition(name) == kept, f"edition {name} is shared: changing the returned one changes all")
        later = {**deepcopy(kept), "of a later version": {"setting": True}}
        _must(rules.strip_unknown(later) == kept, f"strip_unknown does not give edition {name} back without new fields")
        for parameter in rules.parameters(name):
            _must(
                bool(parameter.name and parameter.value),
                f"edition {name} has a setting without a name or a value: {parameter}",
            )
    for missing in ("no such edition", Path("no-such-edition.toml")):
        _must_raise(EditionError, f"the edition {missing}", partial(rules.edition, missing))
        _must_raise(EditionError, f"the settings of the edition {missing}", partial(rules.parameters, missing))
    edition, chance = rules.edition(names[0]), Seeded(bytes(16))
    for players in (low - 1, high + 1, 0, -1):
        _must_raise(ValueError, f"a game of {players} players", partial(rules.start, players, edition, chance))


def check_end(case: Case) -> None:
    """Check that a game ends, and that every decision before is one seat's choice among different actions."""
    state = case.begin()
    for index in _moves(state, case):
        seat, actions = state.to_act, list(state.actions())
        _must(seat in range(case.players), f"to_act is {seat}", case)
        _must(len(actions) >= 2, f"a decision with {len(actions)} actions is none: go on to the next", case)
        _must(actions == list(state.actions()), "the actions differ when they are asked for again", case)
        _must(len(set(map(_text, actions))) == len(actions), f"an action is offered twice: {actions}", case)
        _must(state.substitute_action() in range(len(actions)), "the substitute's index is no action", case)
        for name, forced in ((state.phase, seat), *((move.phase, move.seat) for move in state.forced_moves())):
            _must(isinstance(name, str) and bool(name), f"the phase of a decision is {name!r}", case)
            _must(forced in range(case.players), f"a forced move is of seat {forced}", case)
        for wrong in (-1, len(actions)):
            _must_raise(IndexError, f"play({wrong}) of {len(actions)} actions", partial(state.play, wrong), case)
        state.play(index)
    _must(not state.actions(), "there are actions after the end", case)
    _must_raise(IndexError, "play(0) after the end", partial(state.play, 0), case)


def check_plain(case: Case) -> None:
    """Check that all output of a game is plain data, that events have an audience, and that `words` describes it."""
    words = case.rules.words
    state = case.begin()
    for what in case.rules.opening(state.view(None)):
        _must_be_plain(what, "the opening is", case)
        _must_be_line(words(what), what, case)
    for number, index in enumerate(_moves(state, case)):
        _must_be_plain(list(state.actions()), "the actions are", case)
        for reader in case.readers() if number in _DUE else ():
            _must_be_plain(state.view(reader), f"the view of {_name(reader)} is", case)
        for action in state.actions():
            _must_be_line(words(action), action, case)
        for to, what in state.play(index):
            _must(to is None or to in range(case.players), f"an event is for seat {to}: {what}", case)
            _must_be_plain(what, "an event is", case)
            _must_be_line(words(what), what, case)
    score = case.rules.capabilities.score
    for row in state.scores():
        won = row.get(score.name) if score is not None else None
        _must(type(won) is not float or math.isfinite(won), f"the score {won} is no number", case)
        whole = {name: value for name, value in row.items() if score is None or name != score.name}
        _must_be_plain(whole, "the scores are", case)


def check_same(case: Case) -> None:
    """Check that equal chance and equal moves give equal games, and other chance other games, if there is any."""
    one, same = case.begin(), case.begin()
    for index in _moves(one, case):
        _must(one.play(index) == same.play(index), "equal chance and moves lead to other events", case)
    _must(_views(one, case) == _views(same, case), "equal chance and moves lead to other views", case)
    deals = [_course(case, f"deal {number}") for number in range(8)]
    if case.rules.capabilities.chance:
        _must(deals.count(deals[0]) < len(deals), "eight games are alike: chance is not used, so declare none", case)
    else:
        _must(deals.count(deals[0]) == len(deals), "chance is used: declare it", case)


def check_looking(case: Case) -> None:
    """Check that a game does not change when it is looked at, when results are written to, or when a copy is played.

    Nor may actions that were offered ever change.
    """
    state, untouched = case.begin(), case.begin()
    offered: list[tuple[Action, str]] = []
    for number, index in enumerate(_moves(state, case)):
        actions = list(state.actions())
        offered += [(action, _text(action)) for action in actions]
        looks: list[Callable[[], Any]] = [state.ranks, state.scores]
        if number in _DUE:
            looks += [partial(state.view, reader) for reader in case.readers()]
        for look in looks:
            handed = look()
            kept = deepcopy(handed)
            spoil(handed)
            _must(look() == kept, "writing into a view, ranks or scores changes the game", case)
        state.copy().play(index)
        copied = state.copy().play(index)
        _must(list(state.actions()) == actions, "looking at the game, or playing a copy, changes the actions", case)
        events = state.play(index)
        _must(events == untouched.play(index), "looking at the game, or playing a copy of it, changes it", case)
        _must(events == copied, "a copy does not go on as the game itself does", case)
    _must(_views(state, case) == _views(untouched, case), "looking at the game, or playing a copy, changes it", case)
    for action, text in offered:
        _must(_text(action) == text, f"an action is modified after it was offered: {text} to {_text(action)}", case)


def check_ranks(case: Case) -> None:
    """Check that ranks and scores are right at any time.

    1 is the best rank. Seats that tie share a rank, and the ranks after it are skipped.
    """
    state = case.begin()
    names = {*state.scores()[0]}
    _must_rank(state, names, case)
    for index in _moves(state, case):
        state.play(index)
        _must_rank(state, names, case)


def check_declared(case: Case) -> None:
    """Check what `capabilities` declare of scores, teams and ids: at the end of a game, and of every action."""
    _, _, score, span, teams, ids = case.rules.capabilities
    partners = [sorted(team) for team in teams.get(case.players, [])]
    seats = sorted(seat for team in partners for seat in team)
    _must(not partners or seats == [*range(case.players)], f"the teams {partners} are not all seats, each once", case)
    state = case.begin()
    for index in _moves(state, case):
        numbers = [action.get("id") for action in state.actions()] if ids is not None else []
        for number in numbers:
            _must(type(number) is int and number in range(ids or 0), f"the id of an action is {number!r}", case)
        _must(len(set(numbers)) == len(numbers), f"two actions of a decision have one id: {numbers}", case)
        state.play(index)
    ranks, scores = state.ranks(), state.scores()
    for team in partners:
        _must(len({ranks[seat] for seat in team}) == 1, f"partners have the ranks {ranks}", case)
    if score is not None:
        _must(score.name in scores[0], f"there is no score {score.name!r} in {scores}", case)
        won = [row[score.name] for row in scores]
        low, high = span.get(case.players, (-math.inf, math.inf))
        _must(low <= min(won) and max(won) <= high, f"{won} are not all from {low:g} to {high:g}", case)
        _must(not score.zero_sum or math.isclose(sum(won), 0, abs_tol=1e-6), f"{won} do not add up to 0", case)
        _must(not score.cooperative or len(set(won)) == 1, f"all should have the same score, not {won}", case)
        for one, other in permutations(range(case.players), 2):
            better = won[one] > won[other] if score.best == "most" else won[one] < won[other]
            _must(not better or ranks[one] < ranks[other], f"scores {won} and ranks {ranks} disagree", case)


def check_spelled(case: Case) -> None:
    """Check that actions are spelled in steps of the vocabulary, and that none begins as another one is spelled."""
    rules = case.rules
    if not isinstance(rules, Spelled):
        return
    steps = list(rules.vocabulary(rules.edition(case.edition)))
    known = {*steps}
    _must(len(known) == len(steps), "a step is in the vocabulary twice", case)
    state = case.begin()
    for index in _moves(state, case):
        spellings = [tuple(spell(action, rules.spelling)) for action in state.actions()]
        for spelled in spellings:
            _must(bool(spelled) and {*spelled} <= known, f"{spelled} has a step that is not in the vocabulary", case)
            begun = sum(other[: len(spelled)] == spelled for other in spellings)
            _must(begun == 1, f"{begun} actions of a decision begin with {spelled}", case)
        state.play(index)


def check_informed(case: Case) -> None:
    """Check that what a seat was told determines what it is shown when it is asked: one deal, many courses."""
    known: dict[str, str] = {}
    for course in range(_COURSES):
        state, lots = case.begin("informed"), case.chance(f"course {course}")
        informed = [[_text(state.view(seat))] for seat in range(case.players)]
        for _ in range(_BEGINNING):
            if (seat := state.to_act) is None:
                break
            actions = [_text(action) for action in state.actions()]
            shown = _text({"view": state.view(seat), "actions": actions})
            before = known.setdefault(json.dumps([seat, informed[seat]]), shown)
            _must(before == shown, f"seat {seat} was told the same, and is shown {before} and {shown}", case)
            index = lots.below("move", len(actions))
            informed[seat].append(actions[index])
            for to, what in state.play(index):
                for reader in range(case.players) if to is None else (to,):
                    informed[reader].append(_text(what))


def check_determinize(case: Case) -> None:
    """Check that a determinized world looks the same to the seat it is drawn for, and can be played to its end.

    Rules without worlds return none.
    """
    edition = case.rules.edition(case.edition)
    state, drawn = case.begin(), 0
    for number, index in enumerate(_moves(state, case)):
        seat = state.to_act
        if number in _DUE:
            view = state.view(seat)
            world = case.rules.determinize(view, case.players, edition, case.chance(f"imagined {number}"))
            _must(view == state.view(seat), "determinize changes the view that it is given", case)
            drawn += world is not None
            if world is None:
                state.play(index)
                continue
            _must(world.to_act == seat, f"seat {seat} is to act, in a determinized world seat {world.to_act}", case)
            _must(world.view(seat) == view, "a determinized world looks different to the seat it was drawn for", case)
            _must(list(world.actions()) == list(state.actions()), "a determinized world has other actions", case)
            moves = _moves(world, case)
            for move in moves if _DUE[number] % _OFTEN == 0 else islice(moves, _AHEAD):
                world.play(move)
        state.play(index)
    declared = case.rules.capabilities.worlds
    _must(bool(drawn) == declared, f"worlds are declared {declared}, and {drawn} were drawn", case)


def check_substitute_action(case: Case) -> None:
    """Check that the substitute brings a deserted game to its end, and that retiring a seat twice adds no event."""
    for deserted in (range(case.players), range(1, case.players)):
        state = case.begin()
        for seat in deserted:
            state.retire(seat)
            _must(state.retire(seat) == [], f"seat {seat} is retired twice, and the second time there are events", case)
        for index in _moves(state, case):
            state.play(state.substitute_action() if state.to_act in deserted else index)


def check_penalty(case: Case) -> None:
    """Check that charging for an illegal or late answer changes nobody's decision."""
    state = case.begin()
    before = state.to_act, list(state.actions())
    for seat in range(case.players):
        for event in state.penalize(seat):
            _must_be_plain(event.what, "an event is", case)
        _must((state.to_act, list(state.actions())) == before, "a penalty changes the decision", case)


CHECKS: Final[tuple[Callable[[Case], None], ...]] = (
    check_end,
    check_plain,
    check_same,
    check_looking,
    check_ranks,
    check_declared,
    check_spelled,
    check_informed,
    check_determinize,
    check_substitute_action,
    check_penalty,
)


def spoil(value: Any) -> None:
    """Overwrite everything in `value` that can be overwritten."""
    if isinstance(value, dict):
        for part in value.values():
            spoil(part)
        value.clear()
    elif isinstance(value, list):
        for part in value:
            spoil(part)
        value.append("spoilt")


def is_plain(value: object) -> bool:
    """Return whether a value is the same after a round trip through JSON or msgpack."""
    if type(value) is list:
        return all(map(is_plain, value))
    if type(value) is dict:
        return all(type(key) is str and is_plain(key) and is_plain(part) for key, part in value.items())
    if type(value) is str:
        return not any("\ud800" <= char <= "\udfff" for char in value)
    return value is None or type(value) is bool or (type(value) is int and value in _WHOLE)


def _due() -> Iterator[int]:
    """Generate the numbers of the decisions at which slow checks are made."""
    number = 0
    while number < LONGEST:
        yield number
        number += _OFTEN + number // _RARER


_DUE: Final = {number: place for place, number in enumerate(_due())}
"""Those numbers, each with its place among them."""


def _moves(state: State, case: Case) -> Iterator[int]:
    """Generate the index of a random action at every decision; the caller plays it or another one."""
    lots = case.chance("lots")
    for _ in range(LONGEST):
        if state.to_act is None:
            return
        yield lots.below("move", len(state.actions()))
    raise RulesCheckError(f"{_where(case)}the game does not end within {LONGEST} decisions")


def _course(case: Case, label: str) -> list[Any]:
    """Return all that is seen of the beginning of a game in which everybody acts as in the other ones."""
    state, lots = case.begin(label), case.chance("lots")
    seen: list[Any] = _views(state, case)
    for _ in range(_BEGINNING):
        if state.to_act is not None:
            seen += [*state.play(lots.below("move", len(state.actions()))), _text({"actions": [*state.actions()]})]
    return seen


def _views(state: State, case: Case) -> list[Data]:
    return [state.view(reader) for reader in case.readers()]


def _must(kept: bool, otherwise: str, case: Case | None = None) -> None:
    if not kept:
        raise RulesCheckError(f"{_where(case)}{otherwise}")


def _must_raise(kind: type[Exception], what: str, call: Callable[[], object], case: Case | None = None) -> None:
    try:
        call()
    except kind:
        return
    raise RulesCheckError(f"{_where(case)}{what} must raise {kind.__name__}")


def _must_be_plain(value: object, what: str, case: Case | None = None) -> None:
    _must(is_plain(value), f"{what} not plain data: {value}", case)


def _must_be_line(text: str, what: Mapping[str, Any], case: Case) -> None:
    _must(bool(text) and text.isprintable(), f"the words for {what} are not one line of text: {text!r}", case)


def _must_rank(state: State, names: set[str], case: Case) -> None:
    ranks, scores = state.ranks(), state.scores()
    right = [1 + sum(other < rank for other in ranks) for rank in ranks]
    _must(len(ranks) == case.players and ranks == right, f"the ranks are {ranks}", case)
    _must([{*row} for row in scores] == [names] * case.players, f"the scores are {scores}", case)


def _where(case: Case | None) -> str:
    return "" if case is None else f"{case.rules.name}, edition {case.edition}, {case.players} players: "


def _name(reader: int | None) -> str:
    return "a spectator" if reader is None else f"seat {reader}"


def _text(action: Mapping[str, Any]) -> str:
    return json.dumps(action, sort_keys=True, default=repr)
