"""Give a bot that can only use TCP a way to the referee's socket: a port of the box's own loopback, relayed to it.

This file is run as a script in the box, above the bot: `relay.py SOCKET PORT COMMAND...`. It ends when the bot does,
with the bot's exit code. Nobody else can reach the port, because the network is the box's own. It need not be trusted:
it has no rights that the bot does not have. Standard library only.
"""

from __future__ import annotations

import contextlib
import os
import select
import socket
import subprocess
import sys

CHUNK = 65536
OF_SIGNALS = 128
"""Added to the number of the signal that ended the bot, as shells do."""


def main(path: str, port: int, command: list[str]) -> int:
    """Relay while the bot runs. Return its exit code."""
    listener = socket.create_server(("127.0.0.1", port), backlog=16)
    try:
        bot = subprocess.Popen(command)
    except OSError as error:
        sys.stderr.write(f"bwrap: execvp {command[0]}: {error.strerror}\n")  # as without a relay
        return 1
    ended = os.pidfd_open(bot.pid)
    others: dict[socket.socket, socket.socket] = {}
    while True:
        watched: list[socket.socket | int] = [listener, ended, *others]
        ready, _, _ = select.select(watched, [], [])
        if ended in ready:
            code = bot.wait()
            return code if code >= 0 else OF_SIGNALS - code
        for source in ready:
            if source is listener:
                with contextlib.suppress(OSError):
                    connect(listener, path, others)
            elif isinstance(source, socket.socket) and source in others and not passed(source, others[source]):
                for end in (source, others[source]):
                    others.pop(end, None)
                    end.close()


def connect(listener: socket.socket, path: str, others: dict[socket.socket, socket.socket]) -> None:
    """Take a connection, and make one to the referee for it. Raises `OSError`."""
    bot, _ = listener.accept()
    bot.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    referee = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        referee.connect(path)
    except OSError:
        bot.close()
        referee.close()
        raise
    others[bot], others[referee] = referee, bot


def passed(source: socket.socket, target: socket.socket) -> bool:
    """Pass on what has come. Return False if either end is closed."""
    try:
        data = source.recv(CHUNK)
        target.sendall(data)
    except OSError:
        return False
    return bool(data)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), sys.argv[3:]))
