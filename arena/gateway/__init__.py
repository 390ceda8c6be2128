"""Bots that run on their authors' machines, kept apart from the referee by a process of its own.

What the referee starts for such a bot is our forwarder (`arena.gateway.forwarder`). It says to the gateway
(`arena.gateway.gateway`) what the referee says, and to the referee what the gateway passes on of the author's program
(`arena.gateway.join`). The two ends number what they say (`arena.gateway.numbered`), so that a lost connection loses
nothing, and that the gateway may be begun anew at any time.
"""

from __future__ import annotations

from arena.common.errors import ArenaError


class GatewayError(ArenaError):
    """A key or an address that cannot be used; the text says what, where and what to do."""
