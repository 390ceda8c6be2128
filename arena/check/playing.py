"""Steps 14 to 25: whole games, several at once, repeated ones, and those of a later version; and a long tournament.

That is what a bot must cope with there, how it ends, and what it leaves behind.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import Any, Final, NamedTuple

import msgspec

from arena.check import expect, requirements
from arena.check.context import CheckContext, LocalGame, need
from arena.check.report import Failed, Skipped
from arena.check.session import Message
from arena.entrants.bot_process import LOG_BYTES
from arena.protocol.messages import PROTOCOL
from engine import catalog

_AT_ONCE: Final = 4
_DECISIONS_EACH: Final = 6
_AFRESH: Final = 12
"""Decisions of each game that is played in several processes."""
_BEGINNINGS: Final = 20
"""How many beginnings of games are compared, besides whole games."""
_SHORT: Final = 3
"""Decisions of each of these."""
_LATER: Final = 12


def whole_games(context: CheckContext) -> str:
    """Play each game with every number of players, in its editions by turns, with the bot in the last seat."""
    found = []
    for rules in context.rules:
        editions = context.editions(rules)
        least, most = rules.players
        decisions = 0
        for players in range(least, most + 1):
            context.ready()
            game = context.game(rules, players, edition=next(editions), seat=players - 1)
            decisions += len(context.play(game))
        found.append(f"{rules.name} with {least} to {most} players, {decisions} decisions")
    return "; ".join(found)


def parallel(context: CheckContext) -> str:
    """Play several games at once: ask in all of them before taking any answer; answers may come in any order."""
    hello = context.ready()
    need(hello.parallel > 1, "it plays one game at a time (parallel: 1)")
    session = context.session
    boards = {game.id: game for game in (context.game(seat=n % 2) for n in range(min(hello.parallel, _AT_ONCE)))}
    for game in boards.values():
        session.send(game.start())
    for _ in range(_DECISIONS_EACH):
        allowed = 0.0
        for game in boards.values():
            if (question := game.next()) is not None:
                session.send(question)
                allowed += game.allowed
        while session.open:
            act, _ = expect.answer(session, allowed, requirements.PARALLEL)
            boards[act.game_id].answer(act.index, 0.0)
    for game in boards.values():
        session.send(game.end())
    return f"{len(boards)} at once, of {hello.parallel} claimed"


def afresh(context: CheckContext) -> str:
    """Play different games in one process, and in the reverse order in another one.

    If a bot claims to be deterministic, its answers must be the same; otherwise they must only be answers.
    """
    deterministic = context.ready().deterministic
    seatings = _seatings(context, charged=not deterministic)
    answers: dict[RepeatableGame, list[int]] = {}
    for order in (seatings, seatings[::-1]):
        context.session.end()
        context.ready()
        for place, seating in enumerate(order, start=1):
            earlier = answers.get(seating) if deterministic else None
            try:
                chosen = context.play(seating.begin(context), most=seating.most)
            except Failed as failed:
                if place > 1:
                    _blame_if_kept(context, seating, place, failed)
                raise
            if earlier is not None and chosen != earlier:
                runs = [(place, chosen), (len(order) + 1 - place, earlier)]
                fresh, again = _in_new_process(context, seating), _in_new_process(context, seating)
                if fresh != again:
                    raise Skipped("it does not choose the same in two new processes either: the next step says more")
                _blame_kept_state(context, seating, fresh, runs)
            answers[seating] = chosen
    compared = "the same choices" if deterministic else "not compared, as it does not claim to be deterministic"
    return f"{len(seatings)} games in either order, {compared}"


class RepeatableGame(NamedTuple):
    """A game that can be set up again, so that a bot with the same answers is sent exactly the same."""

    rules: str
    edition: str
    players: int
    seat: int
    charged: bool
    deal: int = -1
    most: int | None = _AFRESH
    """The most decisions to ask for; None: all."""

    def begin(self, context: CheckContext) -> LocalGame:
        """Set up the game."""
        rules = catalog.rules(self.rules)
        game_id = f"check-{self.rules}-{self.players}-{self.seat}{self.deal}"
        return context.game(
            rules,
            self.players,
            edition=rules.edition(self.edition),
            seat=self.seat,
            deal=self.deal,
            game_id=game_id,
            charged=self.charged,
        )

    def __str__(self) -> str:
        """Describe the game for people."""
        return f"{self.rules} with {self.players} players in seat {self.seat + 1}"


def _seatings(context: CheckContext, charged: bool) -> list[RepeatableGame]:
    """List each game with its most players in its last edition, and with its fewest in its first."""
    large = [
        RepeatableGame(rules.name, rules.editions()[-1], rules.players[1], rules.players[1] - 1, charged)
        for rules in context.rules
    ]
    small = [RepeatableGame(rules.name, rules.editions()[0], rules.players[0], 0, charged) for rules in context.rules]
    return large + small


def _in_new_process(context: CheckContext, seating: RepeatableGame) -> list[int]:
    context.session.end()
    context.ready()
    return context.play(seating.begin(context), most=seating.most)


def _blame_if_kept(context: CheckContext, seating: RepeatableGame, place: int, failed: Failed) -> None:
    """Raise that the process kept something if a new process can play the game that this one failed."""
    try:
        _in_new_process(context, seating)
    except Failed:
        return
    what = f"{failed.problem.what}; this was game {place} of its process, {seating}: a new process plays it well"
    raise Failed(replace(failed.problem, what=what, requirement=requirements.KEPT)) from None


def _blame_kept_state(
    context: CheckContext, seating: RepeatableGame, fresh: list[int], runs: list[tuple[int, list[int]]]
) -> None:
    """Raise that a process kept something if it chose otherwise than new processes do.

    Args:
        context: The bot.
        seating: The game.
        fresh: What new processes choose in it.
        runs: For each process that played it: which of its games this was, and what it chose.
    """
    for place, chosen in runs:
        for turn, one, other in zip(count(1), fresh, chosen, strict=False):
            if one != other and place > 1:
                kept = "game 1" if place == 2 else f"games 1 to {place - 1}"
                what = (
                    f"as game {place} of its process, {seating}, it chose {other} at turn {turn}, and {one} when a new "
                    f"process was asked the very same: something of {kept} was kept, or is counted"
                )
                _show_last(context, seating, fresh[:turn])
                context.session.fail(what, requirements.KEPT)


def _show_last(context: CheckContext, seating: RepeatableGame, choices: list[int]) -> None:
    """Ask a new process for these choices, so that what was sent last is shown."""
    context.session.end()
    context.ready()
    _ask(context, seating.begin(context), choices)


def deterministic(context: CheckContext) -> str:
    """Play the same games, whole ones and beginnings, in one process, and in the reverse order in another one.

    So a process that counts its games or its decisions stands elsewhere when it is asked the same again.
    """
    need(context.ready().deterministic, "it does not claim to be deterministic")
    games = _repeated(context)
    answers: dict[RepeatableGame, list[int]] = {}
    for order in (games, games[::-1]):
        context.session.end()
        context.ready()
        for place, game in enumerate(order, start=1):
            chosen = context.play(game.begin(context), most=game.most)
            earlier = answers.setdefault(game, chosen)
            if chosen != earlier:
                _blame_difference(context, game, [(place, chosen), (len(order) + 1 - place, earlier)])
    return f"{sum(map(len, answers.values()))} decisions of {len(games)} games, in either order"


def _repeated(context: CheckContext) -> list[RepeatableGame]:
    """List many beginnings of games, and two whole ones of each kind."""
    first = [(rules.name, rules.editions()[0], min(3, rules.players[1])) for rules in context.rules]
    short = [RepeatableGame(*first[n % len(first)], n % 2, False, -1 - n, _SHORT) for n in range(_BEGINNINGS)]
    whole = [RepeatableGame(*kind, 1, False, -1 - _BEGINNINGS - n, None) for kind in first for n in range(2)]
    return short + whole


def _blame_difference(context: CheckContext, game: RepeatableGame, runs: list[tuple[int, list[int]]]) -> None:
    """Raise `Failed` for a game in which two processes chose differently. `runs`: as in `_blame_kept_state`."""
    fresh = _in_new_process(context, game)
    again = _in_new_process(context, game)
    if fresh == again:
        _blame_kept_state(context, game, fresh, runs)
        (_, fresh), (_, again) = runs
    turn, one, other = next(
        (turn, one, other) for turn, one, other in zip(count(1), fresh, again, strict=False) if one != other
    )
    what = (
        f"asked the very same in two processes, {game}, at turn {turn} it chose {one} in one and {other} in the other"
    )
    _show_last(context, game, fresh[:turn])
    context.session.fail(what, requirements.DETERMINISTIC)


def _ask(context: CheckContext, game: LocalGame, expected: list[int]) -> list[int]:
    """Ask for as many decisions as are expected, up to the first that differs; leave the game open."""
    context.session.send(game.start())
    chosen: list[int] = []
    while chosen == expected[: len(chosen)] and len(chosen) < len(expected):
        question = game.next()
        assert question is not None
        chosen.append(context.ask(game, question))
    return chosen


def later_version(context: CheckContext) -> str:
    """Act as a referee of a later minor version: more fields, and unknown messages, events and actions everywhere."""
    session = context.session
    hello = context.ready()
    session.end()
    session.launch()
    session.receive_first()
    welcome = {
        "limits": {"frame": 65536, "decide": 1 << 20, "strikes": context.time.strikes, "naps": 1},
        "mood": "fine",
    }
    session.welcome(hello, {"type": "welcome", "protocol": [PROTOCOL[0], PROTOCOL[1] + 7], **welcome})
    game = context.game()
    session.send({"type": "weather", "game_id": None, "wind": ["of a later version", 1, None]})
    context.play(game, most=_LATER, alter=_later, stray=requirements.LATER)
    fault = {"type": "fault", "game_id": None, "turn": None, "code": "rudeness", "text": "new", "strikes_left": None}
    session.send({**fault, "appeal": False})
    context.play(context.game(), most=2, alter=_later, stray=requirements.LATER)
    return f"protocol {PROTOCOL[0]}.{PROTOCOL[1] + 7}: unknown fields, events, actions and messages"


def _later(message: Message) -> Message:
    """Return what a later minor version might make of a message."""
    data = {**expect.data(message), "since": {"version": [PROTOCOL[0], PROTOCOL[1] + 7], "tags": [None, "new"]}}
    if data["type"] == "start":
        data["edition"] = {**data["edition"], "later": {"parameter": True}}
    if data["type"] == "decide":
        data["view"] = {**data["view"], "later": [1, "two", None]}
        data["events"] = [*data["events"], *_unknown(data["events"])]
        data["actions"] = [*data["actions"], *_unknown(data["actions"])]
    return data


def _unknown(known: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return an event or action of an unknown kind; the first field of a known one says its kind."""
    for each in known[:1]:
        key, kind = next(iter(each.items()))
        if isinstance(kind, str):
            return [{key: f"later-{kind}", "with": ["what nobody knows", 1, None]}]
    return []


_TIGHT: Final = (250, 50, 0)
"""Milliseconds left in the bank, by decision."""
_TOO_SLOW: Final = 4.0
"""How many times `move` an answer with an empty bank may take; a smaller excess may be due to a busy machine."""
_ROUNDS: Final = 3
_GAMES: Final = 50
_WARM: Final = 10
"""Games after which a process should have allocated what it needs."""
_DECISIONS_IN_BRIEF: Final = 3
_NAMED: Final = 5
"""The most changes in a folder that are named."""
_GROWTH: Final = 64
"""MiB by which the remaining games may increase memory: a garbage collector may run late."""


def low_bank(context: CheckContext) -> str:
    """Check that the bot answers within `move` when its bank is empty."""
    context.ready()
    taken: list[float] = []
    for _ in range(_ROUNDS):
        game = context.game()
        context.session.send(game.start())
        seconds = None
        for bank in _TIGHT:
            if (question := game.next()) is None:
                break
            assert question.clock is not None
            clock = msgspec.structs.replace(question.clock, bank=bank)
            context.session.send(msgspec.structs.replace(question, clock=clock))
            act, seconds = expect.answer(context.session, context.time.move + context.time.bank)
            game.answer(act.index, 0.0)
        taken += [] if seconds is None else [seconds]
        context.session.send(game.end())
    if not taken:
        raise Skipped("the games ended before it was asked")
    if min(taken) > _TOO_SLOW * context.time.move:
        what = (
            f"with an empty bank it took {min(taken):.3f} s of its own time and more; {context.time.move:g} s are free"
        )
        context.session.fail(what, requirements.LATE)
    return f"{1000 * min(taken):.0f} to {1000 * max(taken):.0f} ms with an empty bank"


def stopped(context: CheckContext) -> str:
    """Stop the bot while no game waits for it; it must read what came in the meantime when it runs on."""
    context.ready()
    session = context.session
    for _ in range(_ROUNDS):
        game = context.game()
        session.stop()
        session.send(game.start())
        for _ in range(_ROUNDS):
            if (question := game.next()) is None:
                break
            session.pause()
            session.go_on()
            context.ask(game, question)
            session.stop()
        session.send(game.end())
        session.go_on()
    context.play(context.game(), most=1)
    return f"{_ROUNDS * _ROUNDS} times"


def output(context: CheckContext) -> str:
    """Check that the output of a whole game fits into what is kept."""
    session = context.session
    session.end()
    context.ready()
    context.play(context.game())
    context.play(context.game(), most=1)  # by its next answer it has written what it had to say on the game
    if session.has_flooded_output:
        session.fail(f"in one game it wrote more than the {LOG_BYTES >> 10} KiB that are kept", requirements.OUTPUT)
    return f"a game's output is less than {LOG_BYTES >> 10} KiB"


def memory(context: CheckContext) -> str:
    """Check that a process which plays many games does not grow with their number."""
    context.ready()
    session = context.session
    warm = 0
    for number in range(1, _GAMES + 1):
        context.play(context.game(context.rules[number % len(context.rules)]), most=_DECISIONS_IN_BRIEF)
        if number == _WARM:
            warm = session.memory() >> 20
    now = session.memory() >> 20
    if now - warm > _GROWTH:
        session.fail(f"{warm} MiB after {_WARM} games, {now} MiB after {_GAMES}", requirements.MEMORY)
    return f"{warm} MiB after {_WARM} games, {now} MiB after {_GAMES}"


def own_token(context: CheckContext) -> str:
    """Check that nothing in all steps so far came under a routing id that is not this bot's."""
    context.session.fail_if_strange()
    return ""


def goodbye(context: CheckContext) -> str:
    """Check that the bot ends by itself after `bye`, with exit code 0."""
    context.ready()
    context.play(context.game(), most=1)
    session = context.session
    ended = session.say_bye()
    if ended is None:
        session.fail("it still runs seconds after bye", requirements.BYE)
    if ended.code != 0:
        session.fail(f"after bye: {ended.reason}", requirements.BYE)
    session.end()
    return ""


def folder(context: CheckContext) -> str:
    """Check that the bot's processes have changed nothing in its folder in all steps so far."""
    session = context.session
    session.end()
    if session.changed:
        more = len(session.changed) - _NAMED
        named = ", ".join(session.changed[:_NAMED]) + (f" and {more} more" if more > 0 else "")
        session.fail(f"its folder is not as it was when it was built: {named}", requirements.FOLDER)
    return ""
