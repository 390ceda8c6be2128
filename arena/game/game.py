"""One game with its seats, strikes and clocks: what to send next, and what an answer does. It uses no socket."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from arena.distribution import version
from arena.game.bot_messages import decide_message, end_message, fault_message, public_id, start_message
from arena.game.clock import SeatClock, TimeControl
from arena.game.faults import FAULTS, MOST_FREE_FAULTS, FaultCost
from arena.game.opening import opening
from arena.game.spec import GameSpec
from arena.game.transcript import GameStep, Transcript
from arena.ledger.records import Ending, FaultRecord, GameRecord, Step
from arena.protocol.messages import Act, Decide, End, Fault, Start
from engine import catalog
from engine.chance import FIRST_PLAYER, Seeded, derive
from engine.rules import Data, Event, ForcedMove, Rules, State

_log = logging.getLogger(__name__)

OnStep = Callable[[GameSpec, GameStep], object]
"""Called with every step of a game."""
LEFT: Final = "the game was left"
"""The error of a game that was not played to its end because nobody wanted it to be."""
NO_OWN_TIME: Final[Mapping[int, TimeControl]] = MappingProxyType({})
OnFault = Callable[[GameSpec, FaultRecord], object]
"""Called with every fault as it happens."""


def begin(rules: Rules, edition: Data, players: int, seed: bytes) -> State:
    """Start the game with that seed, and return its state at the first decision."""
    return rules.start(players, edition, Seeded(derive(seed, "chance")))


def who_begins(players: int, seed: bytes) -> int:
    """Return the seat that begins a game with that seed, if the game draws it from `FIRST_PLAYER`."""
    return Seeded(derive(seed, "chance")).below(FIRST_PLAYER, players)


class Game:
    """One game. `awaited` is the seat whose answer it needs; the caller passes every answer to the method for it."""

    def __init__(
        self,
        rules: Rules,
        edition: Data,
        spec: GameSpec,
        time: TimeControl,
        unlimited: frozenset[int] = frozenset(),
        on_step: OnStep | None = None,
        on_fault: OnFault | None = None,
        game_id: str | None = None,
        own_time: Mapping[int, TimeControl] = NO_OWN_TIME,
    ) -> None:
        """Start the game.

        Args:
            rules: The game.
            edition: Its resolved edition.
            spec: The bots by seat, the seed and the game's id.
            time: The time limits and the number of strikes.
            unlimited: The seats without a clock.
            on_step: Called with every step.
            on_fault: Called with every fault.
            game_id: The id under which bots know the game, by default derived from its seed.
            own_time: By seat that has a clock of its own: for its moves and bank, in place of `time`.
        """
        seed = bytes.fromhex(spec.seed)
        self.spec = spec
        self.game_id = public_id(seed, spec.id) if game_id is None else game_id
        """The id under which bots know the game, without meaning. Everywhere else it has the id in `spec`."""
        self._rules = rules
        self._edition = edition
        self._seed = seed
        self._state = begin(rules, edition, spec.players, seed)
        self._on_step = on_step
        self._on_fault = on_fault
        self._transcript = Transcript(spec.players)
        self._clocks = [
            None if seat in unlimited else SeatClock(own_time.get(seat, time)) for seat in range(spec.players)
        ]
        self._strikes = [time.strikes] * spec.players
        self._late_retires = time.on_crash != "substitute"
        self._turns = [0] * spec.players
        self._sent: list[Decide | None] = [None] * spec.players
        self._teams = teams_of(rules, spec.players)
        self._retired: list[int] = []
        self._faults: list[FaultRecord] = []
        self._times: list[list[int]] = [[] for _ in range(spec.players)]
        self._free_faults = [0] * spec.players
        self._walkover = False
        self._unknown_senders = 0
        self._error = ""
        self._unasked = [move._replace(events=0) for move in self._state.forced_moves()]
        self.awaited = self._state.to_act
        """The seat whose bot must decide; None when the game is over."""
        for index in opening(rules, edition, self._state, seed, spec.openings):
            seat = self._state.to_act
            assert seat is not None
            self._step(Step("play", seat, "referee", index, self._state.actions()[index]), self._state.play, index)
            self.awaited = self._state.to_act
        for seat in spec.forfeits:
            self.fault(seat, "crash", "this game failed, as others had with this bot: it is played without it")
        for index, microseconds in spec.answers:
            assert self.awaited is not None
            self._turns[self.awaited] += 1
            self._answered(self.awaited, Act("", 0, index), microseconds / 1e6)
            self._unasked.clear()

    @property
    def over(self) -> bool:
        """Whether the game has ended, in any way."""
        return self.awaited is None

    def is_retired(self, seat: int) -> bool:
        """Return whether the substitute plays this seat."""
        return seat in self._retired

    def start(self, seat: int) -> Start:
        """Build the message that informs a seat of the new game."""
        players, clock = self.spec.players, self._clocks[seat]
        return start_message(self.game_id, self._rules.name, self._edition, seat, players, clock, self._seed)

    def decide(self) -> Decide:
        """Build the message that asks the awaited seat for its next decision."""
        seat = self.awaited
        assert seat is not None
        self._turns[seat] += 1
        message = decide_message(
            self.game_id, self._turns[seat], seat, self._state, self._transcript, self._clocks[seat]
        )
        self._sent[seat] = message
        return message

    def asked(self, seat: int) -> Decide | None:
        """Return the decision that `seat` was asked for and has not answered. A bot that reconnects gets it again."""
        return self._sent[seat] if seat == self.awaited else None

    def is_asked(self, seat: int, turn: int) -> bool:
        """Return whether `seat` was asked for this decision and has not answered."""
        return seat == self.awaited and turn == self._turns[seat] and self._sent[seat] is not None

    def allowed(self, seat: int) -> float | None:
        """Return the seconds that a seat has for a decision now. None: no limit."""
        clock = self._clocks[seat]
        return None if clock is None else clock.allowed

    @property
    def phase(self) -> str:
        """The kind of decision that is awaited."""
        return self._state.phase

    def take_unasked(self) -> list[ForcedMove]:
        """Return and forget the moves for which no bot was asked, while others cannot know whether one was.

        These are the forced moves, and everything that the substitute decides for a retired seat. The events of each
        are those of the whole game before it.
        """
        if not self._unasked:
            return []
        unasked, self._unasked = self._unasked, []
        return unasked

    def answer(self, seat: int, act: Act, seconds: float, stderr: Callable[[], str] = lambda: "") -> Fault | None:
        """Judge an answer of `seat`, and play it if it counts.

        Args:
            seat: The seat whose bot sent it.
            act: The answer.
            seconds: How long after the question it came.
            stderr: Reads the last lines of the bot's standard error, which are kept with a fault that costs a strike.

        Returns:
            The fault to send to the bot; None: the answer was played.
        """
        if not self.is_asked(seat, act.turn):
            return self.fault(seat, "stale", _why_stale(self.asked(seat) is not None, act.turn, self._turns[seat]))
        count = len(self._state.actions())
        if not 0 <= act.index < count:
            self._charge(seat, seconds)
            return self.fault(seat, "illegal", f"index {act.index}, there are {count} actions", stderr())
        self._answered(seat, act, seconds)
        return None

    def _answered(self, seat: int, act: Act, seconds: float) -> None:
        self._charge(seat, seconds)
        self._sent[seat] = None
        step = Step("play", seat, "bot", act.index, self._state.actions()[act.index], act.note, act.metrics)
        self._step(step, self._state.play, act.index)
        self._settle()

    def late(self, seconds: float, stderr: str) -> Fault:
        """Charge the awaited seat for not answering in time, and return the fault to send to the bot.

        `arena.referee.referee.Referee` calls this when `arena.referee.time.stopwatch.Stopwatch.check_late` says so.
        What is answered after that is for a decision that is over: `answer` judges it as `stale`, which costs nothing.

        Args:
            seconds: How long after the question.
            stderr: The last lines of the bot's standard error.
        """
        seat = self.awaited
        assert seat is not None
        self._charge(seat, seconds)
        return self.fault(seat, "late", f"no answer within {seconds:.3f} s", stderr)

    def malformed(self, seat: int, text: str, seconds: float | None, stderr: str) -> Fault:
        """Charge `seat` for a frame that is no message, and return the fault to send to the bot.

        Args:
            seat: The seat whose bot sent it.
            text: What is wrong with the frame.
            seconds: How long after the question it came; None: the seat was not asked.
            stderr: The last lines of the bot's standard error.
        """
        if seconds is not None:
            self._charge(seat, seconds)
        return self.fault(seat, "malformed", text, stderr)

    def fault(self, seat: int, code: str, text: str, stderr: str = "") -> Fault:
        """Count a fault of `seat`, charge its cost, and return the fault to send to the bot.

        When the game is over a fault costs nothing any more and is not recorded: a pause may follow the last move, and
        how long that is says nothing of the game.
        """
        if self.over:
            return fault_message(self.game_id, self._turns[seat] or None, code, text, self._strikes[seat])
        price = FAULTS[code]
        if price is FaultCost.STRIKE and not self.is_retired(seat):
            return self._strike(seat, code, text, stderr)
        message = self._note(seat, code, text, stderr)
        if price is FaultCost.RETIRE:
            self._retire(seat)
            self._settle()
        return message

    def void(self, error: str) -> None:
        """End the game without a result because of our own fault. `error`: what happened."""
        if error != LEFT:
            _log.warning("%s is void, through no fault of the bots", self.spec.id)
        _log.debug("%s is void: %s", self.spec.id, error)
        self._error = error
        self.awaited = None

    def end(self) -> End:
        """Build the message that says that the game is over."""
        return end_message(self.game_id, self._ending(), self._ranks(), self._scores())

    def record(self) -> GameRecord:
        """Return the record of the game for the ledger.

        The worker that played it packs it, and hands it to `arena.tournament.game_recorder` in the arena's own process,
        which writes it with the game's page data by `arena.ledger.recorded_games`.
        """
        spec = self.spec
        return GameRecord(
            **spec.planned(),
            ending=self._ending(),
            ranks=[] if self._error else self._ranks(),
            scores=[] if self._error else self._scores(),
            steps=self._transcript.steps,
            retired=list(self._retired),
            faults=self._faults + self._further_faults() + self._unknown_sender_faults(),
            times=self._times,
            digest=self._transcript.digest(),
            engine=engine_version(self._rules.name),
            error=self._error,
        )

    def count_unknown_sender(self) -> None:
        """Count a connection from a process that belongs to no bot, made during this game."""
        self._unknown_senders += 1

    def _further_faults(self) -> list[FaultRecord]:
        further = [(seat, number - MOST_FREE_FAULTS) for seat, number in enumerate(self._free_faults)]
        return [
            FaultRecord(seat, None, "stale", f"{number} further messages that cost nothing")
            for seat, number in further
            if number > 0
        ]

    def _unknown_sender_faults(self) -> list[FaultRecord]:
        if not self._unknown_senders:
            return []
        return [
            FaultRecord(None, None, "impostor", f"{self._unknown_senders} connections from processes that are no bot's")
        ]

    def _charge(self, seat: int, seconds: float) -> None:
        self._times[seat].append(round(seconds * 1e6))
        clock = self._clocks[seat]
        if clock is not None:
            clock.charge(seconds)

    def _strike(self, seat: int, code: str, text: str, stderr: str) -> Fault:
        """Charge a strike and the edition's penalty, and play for the seat if it was asked."""
        self._strikes[seat] = 0 if code == "late" and self._late_retires else self._strikes[seat] - 1
        message = self._note(seat, code, text, stderr)
        self._step(Step("penalty", seat, "referee"), self._state.penalize, seat)
        asked = seat == self.awaited and self._sent[seat] is not None
        if self._strikes[seat] == 0:
            self._retire(seat)
        elif asked:
            self._play_substitute(seat)
        self._settle()
        return message

    def _note(self, seat: int, code: str, text: str, stderr: str) -> Fault:
        turn = self._turns[seat] or None
        free = FAULTS[code] is FaultCost.FREE or self.is_retired(seat)
        if free:
            self._free_faults[seat] += 1
            if self._free_faults[seat] > MOST_FREE_FAULTS:  # they must not fill the ledger
                return fault_message(self.game_id, turn, code, text, self._strikes[seat])
        fault = FaultRecord(seat, turn, code, text, "" if free else stderr)
        self._faults.append(fault)
        # What was wrong, and at which decision, may reveal a hand: the log does not show it to spectators.
        level = logging.DEBUG if free else logging.INFO
        _log.log(level, "%s: %s by %s, seat %d", self.spec.id, code, self.spec.bots[seat], seat)
        _log.debug("%s: seat %d, decision %s: %s", self.spec.id, seat, turn, text)
        if self._on_fault is not None:
            self._on_fault(self.spec, fault)
        return fault_message(self.game_id, turn, code, text, self._strikes[seat])

    def _retire(self, seat: int) -> None:
        if seat in self._retired:
            return
        self._retired.append(seat)
        _log.info("%s: %s retires, seat %d", self.spec.id, self.spec.bots[seat], seat)
        self._step(Step("retire", seat, "referee"), self._state.retire, seat)
        # What is played for a score goes on to its end: a score before that says nothing.
        if self._rules.capabilities.score is None:
            self._walkover = len(self._teams) - len(retired_teams(self._teams, self._retired)) <= 1

    def _play_substitute(self, seat: int) -> None:
        state = self._state
        self._sent[seat] = None
        if seat in self._retired:
            self._unasked.append(ForcedMove(seat, state.phase, self._transcript.events))
        index = state.substitute_action()
        self._step(Step("play", seat, "substitute", index, state.actions()[index]), state.play, index)

    def _step(self, step: Step, move: Callable[[int], list[Event]], what: int) -> None:
        """Make a step: call `move` with `what`, the index of an action or a seat."""
        offered = [] if self._on_step is None else list(self._state.actions())
        events = move(what)
        if step.kind == "play":
            before = self._transcript.events
            self._unasked += [move._replace(events=before + move.events) for move in self._state.forced_moves()]
        self._transcript.add(step, events)
        if self._on_step is not None:
            taken = self._times[step.seat][-1] if step.kind == "play" and step.by == "bot" else None
            self._on_step(self.spec, GameStep(step, offered, events, self._state, taken))

    def _settle(self) -> None:
        """Let the substitute play for retired seats up to the next decision of an active one."""
        state = self._state
        while not self._walkover and (seat := state.to_act) is not None:
            if seat not in self._retired:
                self.awaited = seat
                return
            self._play_substitute(seat)
        self.awaited = None

    def _ending(self) -> Ending:
        return "void" if self._error else "walkover" if self._walkover else "finished"

    def _ranks(self) -> list[int]:
        return final_ranks(self._state.ranks(), self._retired, self._teams)

    def _scores(self) -> list[dict[str, Any]]:
        return self._state.scores()


def engine_version(name: str) -> str:
    """Return the name and version of the rules for the ledger, with the plug-in's version if they come from one."""
    plugin = catalog.version(name)
    return f"{name} {version()}" if plugin is None else f"{name} {plugin}, arena {version()}"


def void_record(spec: GameSpec, error: str) -> GameRecord:
    """Make the record of a game that could not begin."""
    return GameRecord(
        **spec.planned(),
        ending="void",
        ranks=[],
        scores=[],
        steps=[],
        retired=[],
        faults=[],
        times=[[] for _ in spec.bots],
        digest="",
        engine="",
        error=error,
    )


def teams_of(rules: Rules, players: int) -> list[list[int]]:
    """Return the seats of each team; without teams every seat is one by itself."""
    teams = rules.capabilities.teams.get(players) or [[seat] for seat in range(players)]
    return [list(team) for team in teams]


def retired_teams(teams: Sequence[Sequence[int]], retired: Sequence[int]) -> list[int]:
    """Return the teams of which all seats have retired, in the order in which their last ones did."""
    out = [number for number, team in enumerate(teams) if set(team) <= set(retired)]
    return sorted(out, key=lambda number: max(retired.index(seat) for seat in teams[number]))


def final_ranks(
    ranks: Sequence[int], retired: Sequence[int], teams: Sequence[Sequence[int]] | None = None
) -> list[int]:
    """Return the ranks of seats: those of the game, and teams that retired behind all others, earlier ones last.

    A team stays while one of its seats does. Seats are counted: behind a team of two that is first, one is third.
    `teams`: their seats; None: every seat is one by itself.
    """
    teams = [[seat] for seat in range(len(ranks))] if teams is None else teams
    out = retired_teams(teams, retired)
    behind = [seat for number in out for seat in teams[number]]
    stayed = [rank for seat, rank in enumerate(ranks) if seat not in behind]
    final = [1 + sum(other < rank for other in stayed) for rank in ranks]
    place = len(stayed) + 1
    for number in reversed(out):
        for seat in teams[number]:
            final[seat] = place
        place += len(teams[number])
    return final


def _why_stale(asked: bool, turn: int, current: int) -> str:
    if asked:
        return f"answer for turn {turn} instead of turn {current}"
    return f"answer for turn {turn} while no decision is asked for"
