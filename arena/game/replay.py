"""Replays: a recorded game played again from its seed and its steps, to show or to verify it.

That a bot was at fault, or how long it took, cannot be computed again. But each strike left a penalty, each answer a
time, and no seat retires without a cause: `inconsistencies` says where that is not so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from arena.common.errors import ArenaError
from arena.game.bot_messages import decide_message, public_id
from arena.game.clock import SeatClock, TimeControl
from arena.game.faults import FAULTS, FaultCost
from arena.game.game import begin, engine_version, final_ranks, retired_teams, teams_of
from arena.game.opening import opening
from arena.game.transcript import GameStep, Transcript, visible
from arena.ledger.records import GameRecord, Step
from arena.protocol.messages import Decide
from engine.rules import Action, Data, EditionError, Event, Rules, State

UNFIT: Final = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)
"""Errors that a game may raise if its recorded edition or seed was altered, as nothing checks them before a replay."""


class ReplayError(ArenaError):
    """A record that cannot be played again; the message says at which step and why."""


def replay(record: GameRecord, rules: Rules, edition: Data) -> Iterator[GameStep]:
    """Play a recorded game again, and yield its steps. Raises `ReplayError`."""
    return replay_from(begun(record, rules, edition), record)


def replay_from(state: State, record: GameRecord) -> Iterator[GameStep]:
    """Play a recorded game again from the state before its first step. Raises `ReplayError`."""
    for number, step in enumerate(record.steps, start=1):
        try:
            offered = list(state.actions())
            events = play_step(state, step, offered, record.players)
        except ReplayError as error:
            raise ReplayError(f"step {number}: {error}") from None
        except UNFIT as error:
            raise ReplayError(f"step {number}: it cannot be played: {error!r}") from error
        yield GameStep(step, offered, events, state)


class RecordedDecision(NamedTuple):
    """A decision of a recorded game, as it stood before what was done then."""

    place: int
    """Which step of the game it is, from 0."""
    seat: int
    turn: int
    """Which decision of the seat it is, from 1."""
    public: int
    """The number of public events before it."""
    state: State
    """A copy."""
    offered: list[Action]
    step: Step


def decisions(record: GameRecord, rules: Rules, edition: Data) -> Iterator[RecordedDecision]:
    """Play a recorded game again, and yield the steps of seats that were asked, in order. Raises `ReplayError`."""
    state = begun(record, rules, edition)
    turns, public, before = [1] * record.players, 0, state.copy()
    for place, (step, offered, events, *_) in enumerate(replay_from(state, record)):
        if step.seat == before.to_act:
            yield RecordedDecision(place, step.seat, turns[step.seat], public, before, offered, step)
        turns[step.seat] += step.kind == "play"
        public += sum(visible(event, None) for event in events)
        before = state.copy()


class RecordedQuestion(NamedTuple):
    """A decision of a recorded game as its seat was asked it."""

    seat: int
    question: Decide
    """What the seat's bot was sent; where it was not asked, what it would have been."""
    step: Step
    """What was played then, or that the seat retired."""
    is_asked: bool
    """Whether a bot was asked: none is for a seat that has retired."""
    microseconds: int | None
    """How long the answer took. None: there was none."""


def questions(
    record: GameRecord, rules: Rules, edition: Data, time: TimeControl | None = None
) -> Iterator[RecordedQuestion]:
    """Play a recorded game again, and yield what its seats were asked, but not what the referee opened it with.

    Raises `ReplayError`. `time`: by which the questions say what time is left; None: they do not.
    """
    game_id = public_id(bytes.fromhex(record.seed), record.id)
    state = begun(record, rules, edition)
    transcript = Transcript(record.players)
    clocks = [None if time is None else SeatClock(time) for _ in record.bots]
    spent, turns = [iter(times) for times in record.times], [0] * record.players
    retired: set[int] = set()
    question: Decide | None = None
    game_steps = replay_from(state, record)
    for step in record.steps:
        at = state.to_act
        if question is None and at is not None and (step.kind, step.by) != ("play", "referee"):
            turns[at] += at not in retired
            question = decide_message(game_id, turns[at], at, state, transcript, clocks[at])
        transcript.add(step, next(game_steps).events)
        if question is not None and step.seat == at and step.kind != "penalty":
            took = next(spent[at], None) if step.kind == "play" and at not in retired else None
            if (clock := clocks[at]) is not None:
                clock.charge((took or 0) / 1e6)
            yield RecordedQuestion(at, question, step, at not in retired, took)
        if state.to_act != at or step.kind == "play" or (step.kind == "retire" and step.seat == at):
            question = None
        if step.kind == "retire":
            retired.add(step.seat)


def verify(
    record: GameRecord,
    rules: Rules,
    edition: Data,
    on_step: Callable[[GameStep], object] = lambda _: None,
    openings: int | None = None,
) -> list[str]:
    """Play a recorded game again and compare it with its record.

    Args:
        record: The record.
        rules: The game.
        edition: Its resolved edition.
        on_step: Called with every step.
        openings: How many random actions begin each game of its tournament; None: as many as begin this one.

    Returns:
        The differences; empty if there are none, also where another version of the arena played the game. If there are
        some, the last line tells of that.
    """
    found = [*_differences(record, rules, edition, on_step), *_of_opening(record, rules, edition, openings)]
    if found and record.engine != engine_version(rules.name):
        found.append(f"played by {record.engine}, this is {engine_version(rules.name)}")
    return found


def _differences(record: GameRecord, rules: Rules, edition: Data, on_step: Callable[[GameStep], object]) -> list[str]:
    transcript = Transcript(record.players)
    retired: list[int] = []
    found: list[str] = []
    try:
        state = begun(record, rules, edition)
        for game_step in replay(record, rules, edition):
            transcript.add(game_step.step, game_step.events)
            on_step(game_step)
            state = game_step.state
            if game_step.step.kind == "retire":
                retired.append(game_step.step.seat)
    except ReplayError as error:
        return [str(error)]
    if transcript.digest() != record.digest:
        found.append("the digest over steps and events differs")
    if retired != record.retired:
        found.append(f"the retired seats are recorded as {record.retired}, by the steps they are {retired}")
    teams = teams_of(rules, record.players)
    is_score = rules.capabilities.score is not None  # it is played to its end
    walkover = not is_score and len(teams) - len(retired_teams(teams, retired)) <= 1
    ending = "walkover" if walkover else "finished" if state.to_act is None else "not over"
    if ending != record.ending:
        found.append(f"recorded as {record.ending}, played again it is {ending}")
    if (ranks := final_ranks(state.ranks(), retired, teams)) != record.ranks:
        found.append(f"recorded ranks are {record.ranks}, played again {ranks}")
    if (scores := state.scores()) != record.scores:
        found.append(f"recorded scores are {record.scores}, played again {scores}")
    return found


def _of_opening(record: GameRecord, rules: Rules, edition: Data, openings: int | None) -> list[str]:
    """Say whether the actions that the referee chose are those that follow from the seed, and come first."""
    chosen = [step.index for step in record.steps if step.kind == "play" and step.by == "referee"]
    plies = len(chosen) if openings is None else openings
    drawn = []
    try:
        state = begun(record, rules, edition)
        for index in opening(rules, edition, state, bytes.fromhex(record.seed), plies):
            drawn.append(index)
            state.play(index)
    except (ReplayError, *UNFIT) as error:
        return [f"its opening cannot be drawn again: {error}"] if plies else []
    first = [step.index for step in record.steps[: len(chosen)] if step.by == "referee"]
    return [] if drawn == chosen == first else ["its opening does not follow from its seed"]


def begun(record: GameRecord, rules: Rules, edition: Data) -> State:
    """Start a recorded game, and return its state before the first step. Raises `ReplayError`."""
    try:
        return begin(rules, edition, record.players, bytes.fromhex(record.seed))
    except EditionError as error:
        raise ReplayError(f"the game cannot begin: {error}") from None
    except UNFIT as error:
        raise ReplayError(f"the game cannot begin: {error!r}") from error


def play_step(state: State, step: Step, offered: list[Action], players: int) -> list[Event]:
    """Play a step again in the state before it, where these actions are offered. Raises `ReplayError`."""
    if not 0 <= step.seat < players:
        raise ReplayError(f"seat {step.seat} of {players}")
    if step.kind == "penalty":
        return state.penalize(step.seat)
    if step.kind == "retire":
        return state.retire(step.seat)
    if step.seat != state.to_act:
        raise ReplayError(f"seat {step.seat} moves, but seat {state.to_act} is to act")
    if step.index is None or not 0 <= step.index < len(offered):
        raise ReplayError(f"action {step.index} of {len(offered)}")
    if dict(offered[step.index]) != step.action:
        raise ReplayError(f"action {step.index} is {dict(offered[step.index])}, recorded is {step.action}")
    if step.by == "substitute" and step.index != state.substitute_action():
        raise ReplayError(f"the substitute plays {state.substitute_action()}, recorded is {step.index}")
    return state.play(step.index)


def inconsistencies(record: GameRecord, time: TimeControl | None) -> list[str]:
    """Return in words where faults and times do not fit the steps of a game.

    Args:
        record: The record, whose steps can be replayed.
        time: The time control, with the strikes that a seat has; None: that is not known.
    """
    for fault in record.faults:
        if fault.code not in FAULTS or not (fault.seat is None or 0 <= fault.seat < record.players):
            return [f"seat {fault.seat} has a fault {fault.code!r}, which there is not"]
    if len(record.times) != record.players:
        return [f"there are times of {len(record.times)} seats"]
    return [f"seat {seat}: {what}" for seat in range(record.players) for what in _of_seat(record, seat, time)]


def _of_seat(record: GameRecord, seat: int, time: TimeControl | None) -> list[str]:
    own = [step for step in record.steps if step.seat == seat]
    retired = next((number for number, step in enumerate(own) if step.kind == "retire"), len(own))
    active = own[:retired]
    is_retired = retired < len(own)
    penalties = sum(step.kind == "penalty" for step in own)
    by_bot = sum(step.kind == "play" and step.by == "bot" for step in own)
    substituted = sum(step.kind == "play" and step.by == "substitute" for step in active)
    codes = Counter(fault.code for fault in record.faults if fault.seat == seat)
    struck = sum(codes[code] for code, cost in FAULTS.items() if cost is FaultCost.STRIKE)
    ended = sum(codes[code] for code, cost in FAULTS.items() if cost is FaultCost.RETIRE)
    found = []
    if struck < penalties or (struck > penalties and not is_retired):
        found.append(f"{struck} faults that cost a strike, and {penalties} penalties")
    if substituted > penalties:
        found.append(f"the substitute played {substituted} times for {penalties} strikes")
    if time is not None and time.on_crash != "substitute":
        ended += codes["late"]
    if time is not None and is_retired != bool(ended or penalties >= time.strikes):
        ends = f"{penalties} strikes of {time.strikes} and {ended} faults that retire a seat"
        found.append(f"it {'retired' if is_retired else 'did not retire'} after {ends}")
    least = by_bot + codes["illegal"] + codes["late"]
    if not least <= len(record.times[seat]) <= least + codes["malformed"]:
        found.append(f"{len(record.times[seat])} times of {by_bot} answers")
    if any(not each >= 0 for each in record.times[seat]):
        found.append("a time is negative")
    return found
