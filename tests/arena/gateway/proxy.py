"""A connection over which bytes take their time, which can be cut, and which keeps what went over it."""

from __future__ import annotations

import asyncio
import threading
from urllib.parse import urlsplit


class Proxy:
    """Listens on a port of its own in a thread, and passes on what comes to an address, later."""

    def __init__(self, address: str, delay: float = 0.0) -> None:
        self._to = urlsplit(address)
        self._delay = delay
        self._writers: set[asyncio.StreamWriter] = set()
        self.sent: list[bytes] = []
        """What each connection has sent, in the order of their beginnings."""
        self._loop = asyncio.new_event_loop()
        self._server = self._loop.run_until_complete(asyncio.start_server(self._connect, "127.0.0.1", 0))
        self.address = f"tcp://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        number = len(self.sent)
        self.sent.append(b"")
        try:
            theirs, ours = await asyncio.open_connection(self._to.hostname, self._to.port)
        except OSError:
            writer.close()
            return
        self._writers |= {writer, ours}
        await asyncio.gather(self._pass(reader, ours, number), self._pass(theirs, writer, None))

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, number: int | None) -> None:
        try:
            while data := await reader.read(1 << 16):
                if number is not None:
                    self.sent[number] += data
                self._loop.call_later(self._delay, self._write, writer, data)
        except OSError:
            pass
        self._loop.call_later(self._delay, writer.close)

    def _write(self, writer: asyncio.StreamWriter, data: bytes) -> None:
        if not writer.is_closing():
            writer.write(data)

    def cut(self, for_good: bool = False) -> None:
        """Cut all connections, and lose what is on its way. `for_good`: later ones too."""
        if for_good:
            self._to = urlsplit("tcp://127.0.0.1:1")
        self._loop.call_soon_threadsafe(self._cut)

    def _cut(self) -> None:
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._server.close)
        self.cut()

        async def rest() -> None:
            others = asyncio.all_tasks() - {asyncio.current_task()}
            await asyncio.gather(*others, return_exceptions=True)

        asyncio.run_coroutine_threadsafe(rest(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
