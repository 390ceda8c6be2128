"""Decide which bot sent a frame: its routing id begins with the bot's token, and the bot's own process sent it.

`arena.referee.inbox.Inbox` asks that, by `arena.referee.roster.Roster.sender`, for each frame that
`arena.referee.zeromq_transport` receives. `arena.referee.peer` finds out which process is at the other end.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from arena.referee.peer import Peer, owner_of, ports_of
from arena.referee.session import BotSession, SessionState
from arena.referee.source import RunningBot
from arena.referee.transport import ReceivedMessage

_REMEMBERED: Final = 1000
"""The most peers of ended processes, and of unknown processes, that are cached; looking one up again is merely slow."""
_SHOWN: Final = 64
"""Bytes of a routing id that are shown."""
_ANOTHERS: Final = "a frame came under a token that is not this bot's"


class UnknownSender(NamedTuple):
    """The sender of a frame under a routing id that it may not use."""

    owner: BotSession | None
    """The bot whose process sent it; None: no bot's, as far as is known."""
    is_ended: bool
    """Whether it was the process of a bot that has been ended since; little more will come from it."""
    is_leftover: bool
    """Whether it seems to come from a bot that has been ended since, so that no bot is to blame."""
    is_mistaken: bool
    """Whether the routing id is unknown, rather than another bot's token."""
    text: str
    """What was wrong, in words that never contain another bot's token."""


class Senders:
    """The bots that may send, with their tokens, routing ids and processes."""

    def __init__(self, tcp: bool) -> None:
        """Begin without connections. `tcp`: whether bots may connect over TCP."""
        self._tcp = tcp
        self.known: dict[bytes, BotSession] = {}
        """The bot of each routing id that was admitted."""
        self._tokens: dict[bytes, BotSession | None] = {}
        """The bot of each token; None: its process has been ended."""
        self._running: dict[RunningBot, BotSession] = {}
        self._ended: dict[Peer, None] = {}
        """Peers that sent frames for processes that have been ended."""
        self._unknown_senders: set[Peer] = set()
        self._ports: dict[int, BotSession] = {}
        """The TCP ports from which bots send under their own tokens."""

    def expect(self, session: BotSession) -> None:
        """Admit a bot under its new token."""
        self._tokens[session.token.encode()] = session
        self._unknown_senders.clear()  # its processes may get the process id that one of them had

    def find(self, received: ReceivedMessage) -> BotSession | None:
        """Return the bot that sent a message. None: an unknown sender did."""
        return self.known.get(received.address) or self.admit(received)

    def admit(self, received: ReceivedMessage) -> BotSession | None:
        """Find the bot to which a new routing id belongs. None: to no bot."""
        session = self._tokens.get(_token(received.address))
        if session is None or session.stage is SessionState.DOWN:
            return None
        # Any process that knows the token may be a bot that was started by hand.
        if session.process is not None:
            peer = None if received.origin is None else received.origin.peer()
            if self.owner(peer) is not session:
                return None
            if peer is not None and peer.port is not None:
                self._ports[peer.port] = session
        self.known[received.address] = session
        return session

    def unknown_sender(self, received: ReceivedMessage) -> UnknownSender:
        """Find out who sent a message under a routing id that was not admitted."""
        peer = None if received.origin is None else received.origin.peer()
        # A connection has one routing id. If a bot sends from this port under its own token, it got the port after the
        # connection that the frame came by was closed.
        is_closed = peer is not None and peer.port in self._ports
        owner = None if is_closed else self.owner(peer)
        token = _token(received.address)
        is_of_ended = token in self._tokens and self._tokens[token] is None
        is_ended = owner is None and peer in self._ended
        is_leftover = is_closed or is_ended or (owner is None and is_of_ended)
        mistaken = token not in self._tokens
        text = (
            f"a frame came from routing id {shown_id(received.address)}, which is no token" if mistaken else _ANOTHERS
        )
        return UnknownSender(owner, is_ended, is_leftover, mistaken, text)

    def owner(self, peer: Peer | None) -> BotSession | None:
        """Find the bot to which a process belongs. None: to no bot, as far as is known."""
        if peer is None or peer in self._unknown_senders:
            return None
        process = owner_of(peer, self._running)
        if process is not None:
            return self._running[process]
        if peer.pid is not None:
            if len(self._unknown_senders) >= _REMEMBERED:
                self._unknown_senders.clear()
            self._unknown_senders.add(peer)
        return None

    def move(self, session: BotSession, address: bytes) -> None:
        """Make the routing id under which a bot said hello its only one, so that older connections are ignored."""
        if session.address != address:
            self._drop(session)
            self.known[address] = session
            session.moved(address)

    def attend(self, session: BotSession, process: RunningBot) -> None:
        """Note the running process of a bot."""
        self._running[process] = session

    def forget(self, session: BotSession) -> None:
        """Ignore what still comes from a bot whose process is about to be ended."""
        self._drop(session)
        self._tokens[session.token.encode()] = None
        if session.process is None:
            return
        self._running.pop(session.process, None)
        self._ports = {port: each for port, each in self._ports.items() if each is not session}
        while len(self._ended) > _REMEMBERED:
            del self._ended[next(iter(self._ended))]
        self._ended |= {Peer(each.pid, None): None for each in session.process.processes()}
        if self._tcp:
            self._ended |= {Peer(None, port): None for port in ports_of(session.process)}

    def _drop(self, session: BotSession) -> None:
        self.known = {address: each for address, each in self.known.items() if each is not session}


def shown_id(address: bytes) -> str:
    """Format a routing id for people."""
    if address[:1] == b"\0":
        return f"0x{address[:_SHOWN].hex()} (made up by ZeroMQ, as none was set)"
    return repr(address[:_SHOWN])[1:] + ("…" if len(address) > _SHOWN else "")


def _token(address: bytes) -> bytes:
    return address.split(b"/", 1)[0]
