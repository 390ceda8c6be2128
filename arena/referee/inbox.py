"""Incoming messages of bots: what is wrong with each one, and which game it is for.

Whose message it is follows from the connection that it came by, and its routing id must begin with the bot's token:
`arena.referee.senders.Senders` decides both.
"""

from __future__ import annotations

from functools import partial

from arena.protocol.codec import incompatible
from arena.protocol.messages import Act, Hello
from arena.referee.games import OpenGames
from arena.referee.roster import Roster
from arena.referee.session import BotSession, FrameFault
from arena.referee.transport import Address, ReceivedMessage


class Inbox:
    """Handles incoming messages one at a time."""

    def __init__(self, game: str, roster: Roster, games: OpenGames, is_traced: bool) -> None:
        """Prepare to handle messages. `game`: the name of the game being played."""
        self._game = game
        self._roster = roster
        self._games = games
        self._is_traced = is_traced

    def handle_message(self, received: ReceivedMessage) -> None:
        """Handle a message."""
        session = self._roster.senders.bot_at(received.address.endpoint)
        if session is None:
            return
        fault = None if received.address is session.address else self._roster.senders.token_fault(session, received)
        message = fault or session.receive(received)
        if self._is_traced:
            self._trace(session, received.frame or b"")
        if isinstance(message, Act):
            self._act(session, message)
        elif isinstance(message, Hello):
            self._hello(session, received.address, message)
        elif message.code == "malformed":
            self._malformed(session, message)
        else:
            self._games.fail(session, message.code, message.text)

    def _hello(self, session: BotSession, address: Address, hello: Hello) -> None:
        session.moved(address)
        self._roster.note_presence(session)
        session.said_hello(hello)
        reason = incompatible(hello)
        if reason is None and hello.games and self._game not in hello.games:
            reason = f"does not play {self._game}, only {', '.join(hello.games)}"
        if reason is None:
            self._games.welcome(session)
        else:
            self._games.fail(session, "mute", reason)

    def _act(self, session: BotSession, act: Act) -> None:
        games = self._games
        excused = session.take_excuse(act.game_id)
        if excused is not None:
            if excused > 0.0:  # else it has turned to other questions since, and their clocks run
                games.ask_anew(session)
            return
        seat = session.seats.get(act.game_id)
        if seat is None:
            self._stale_elsewhere(session)
            return
        open_game = games.open[act.game_id]
        game = open_game.game
        if open_game.gathering:
            games.judge(open_game, seat, partial(game.fault, seat, "stale", "an answer before the game began"))
            return
        games.answer(open_game, seat, act)

    def _stale_elsewhere(self, session: BotSession) -> None:
        """Charge an answer for a game in which the bot does not play to one in which it does."""
        for open_game, seat in self._games.of(session):
            fault = partial(open_game.game.fault, seat, "stale", "an answer for another game")
            self._games.judge(open_game, seat, fault)
            return

    def _malformed(self, session: BotSession, fault: FrameFault) -> None:
        """Charge the game that waits for the bot, or else another one in which it plays."""
        places = sorted(self._games.of(session), key=lambda place: place[0].game.asked(place[1]) is None)
        for open_game, seat in places:
            game = open_game.game
            spent = None
            if game.asked(seat) is not None:
                self._games.no_longer_waiting(open_game)
                spent = self._games.charged(open_game)
            self._games.judge(open_game, seat, partial(game.malformed, seat, fault.text, spent, session.stderr()))
            return

    def _trace(self, session: BotSession, frame: bytes) -> None:
        for open_game, seat in self._games.of(session):
            if open_game.trace is not None:
                open_game.trace.received(seat, frame)
