"""Decide which bot a connection belongs to, and with it every frame that comes over it; and check the frame's token.

Each start of a bot has an endpoint and a token. A connection is the bot's if one of its processes made it; whatever
comes over it is the bot's doing. `arena.referee.roster.Roster` calls this before anything of a connection or frame is
used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from arena.referee.peer import Peer, owner_of
from arena.referee.session import BotSession, FrameFault, SessionState
from arena.referee.source import RunningBot
from arena.referee.transport import NewConnection, ReceivedMessage

_SHOWN: Final = 64
"""Bytes of a routing id that are shown."""
_ANOTHERS_TOKEN: Final = "a frame came under a token that is not this bot's"
_ANOTHERS_ENDPOINT: Final = "it connected to the endpoint of another bot"


class Caller(NamedTuple):
    """Who made a connection."""

    session: BotSession | None
    """The bot whose process it was; None: no bot's, as far as is known."""
    is_own: bool
    """Whether the endpoint is that bot's own."""
    fault: FrameFault | None = None
    """What to charge the bot if it is not."""


class Senders:
    """The bots that may send, with their endpoints, tokens and processes."""

    def __init__(self) -> None:
        """Begin without bots."""
        self._expected: dict[str, BotSession] = {}
        """By endpoint, the bot that was started for it."""
        self.bot_at: Final[Callable[[str], BotSession | None]] = self._expected.get
        """Return the bot whose endpoint this is, and so the connections to it. None: it is about to be ended."""
        self._tokens: set[bytes] = set()
        """The tokens of all starts so far."""
        self._running: dict[RunningBot, BotSession] = {}

    def expect(self, session: BotSession) -> None:
        """Expect a bot at its new endpoint, under its new token."""
        assert session.endpoint is not None
        self._expected[session.endpoint] = session
        self._tokens.add(session.token.encode())

    def attend(self, session: BotSession, process: RunningBot) -> None:
        """Note the running process of a bot."""
        self._running[process] = session

    def forget(self, session: BotSession) -> None:
        """Ignore what still comes from a bot whose process is about to be ended."""
        if session.endpoint is not None:
            self._expected.pop(session.endpoint, None)
        if session.process is not None:
            self._running.pop(session.process, None)

    def caller(self, connection: NewConnection) -> Caller | None:
        """Find out who made a connection. None: nobody is expected at the endpoint any more."""
        expected = self._expected.get(connection.endpoint)
        if expected is None or expected.stage is SessionState.DOWN:
            return None
        owner = None if connection.peer is None else self._owner(connection.peer, expected)
        if owner is None and expected.process is None:
            owner = expected  # any process may be a bot that was started by hand
        if owner is None or owner is expected:
            return Caller(owner, owner is expected)
        return Caller(owner, False, FrameFault("impostor", _ANOTHERS_ENDPOINT))

    def token_fault(self, session: BotSession, received: ReceivedMessage) -> FrameFault | None:
        """Return the fault of a message under a routing id that is not the bot's; None: it is, or there is none yet."""
        routing_id = received.address.routing_id
        if routing_id is None:
            return None
        token = routing_id.split(b"/", 1)[0]
        if token == session.token.encode():
            return None
        if token in self._tokens:
            return FrameFault("impostor", _ANOTHERS_TOKEN)
        # Before its hello it may simply not have set its token, so it is not called an impostor.
        code = "mute" if session.stage is SessionState.STARTING else "impostor"
        return FrameFault(code, f"a frame came from routing id {shown_id(routing_id)}, which is no token")

    def _owner(self, peer: Peer, expected: BotSession) -> BotSession | None:
        """Find the bot to which a process belongs, most likely `expected`. None: to no bot, as far as is known."""
        first = [] if expected.process is None else [expected.process]
        process = owner_of(peer, [*first, *(each for each in self._running if each not in first)])
        return None if process is None else self._running.get(process)


def shown_id(routing_id: bytes) -> str:
    """Format a routing id for people."""
    if not routing_id:
        return "'' (ZeroMQ was given none)"
    return repr(routing_id[:_SHOWN])[1:] + ("…" if len(routing_id) > _SHOWN else "")
