"""Launch a built bot: its environment variables, and a folder to write in.

`arena.isolation.confine` makes the command that runs it in a box; `BotProcess` gives that to a supervisor, which starts
it (`arena.supervisor.start`).

The processes are: arena, supervisor, bubblewrap, perhaps a relay, bot. The bot comes from its folder by way of `expand`
(which reads its `bot.toml` by `manifest`) and `build` (which copies it into the cache, builds it there, in a box too,
and takes a `snapshot`), all beside this file.

Its limits are `arena.entrants.manifest.ResourceLimits` (2 GiB of memory and 64 processes for all that it starts, 512
open files and 256 MiB a file for each process, unless its `bot.toml` says otherwise), which `arena.supervisor`
enforces.
The supervisor also ends the bot with all that it has started: when it exceeds a limit, when it has ended by itself,
when `BotProcess.end` of `arena.entrants.bot_process` is called, and when the arena's own process is gone.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from arena.common.labels import bot_name
from arena.entrants.bot_process import BotProcess, new_scratch
from arena.entrants.build import Built
from arena.isolation.confine import confine_bot
from arena.isolation.control_groups import orders_for
from arena.isolation.settings import RemoteBots

FORWARDER: Final = ("-I", "-m", "arena.gateway.forwarder")
"""What starts the program that stands here for a bot elsewhere, after our Python: ours, whoever's bot it is."""
INSIDE: Final = "inside"
"""The folder in that of the gateway where its socket for forwarders is."""

PASSWORD: Final = "inside.secret"
"""The file in it with what forwarders say there first: without a box, a bot can find that socket, but not read this."""
LATENCY: Final = "latency"
"""The folder in it with a file for each such bot that is connected, written once a second.

It has the milliseconds of the way there and back, and what names the key and the `arena join` that runs.
"""


def remote_leave(built: Built) -> RemoteBots | None:
    """Return by what leave a bot may reach the gateway. None: it is no forwarder, or has no leave."""
    remote, entrant = built.isolation.remote, built.entrant
    if remote is None or bot_name(entrant.name) not in remote.bots or entrant.env or entrant.build:
        return None
    return remote if entrant.command == (sys.executable, *FORWARDER) else None


def launch(
    built: Built, endpoint: str, token: str, *, run_dir: Path, game: str = "", cores: Sequence[int] | None = None
) -> BotProcess:
    """Start a built bot, after restoring what has changed in its folder since the build.

    Args:
        built: The bot.
        endpoint: The address to connect to.
        token: The routing id that identifies the bot.
        run_dir: Holds the bot's scratch folder. It belongs to this process alone: if this process is killed, the last
            of its bots removes it.
        game: The name of the rules that will be played, if they are the only ones.
        cores: The cores that the bot may use.

    Raises:
        OSError: The folder cannot be restored, or the supervisor cannot be started. If the bot itself cannot be
            started, `poll` reports it.
    """
    if built.snapshot is not None:
        built.snapshot.restore()
    scratch = new_scratch(run_dir, "bot-")
    variables = built.isolation.variables_of(bot_name(built.entrant.name))
    isolation, remote = built.isolation, remote_leave(built)
    reach: dict[str, str] = {}
    if remote is not None:
        # The folder, as the socket in it is another one when the gateway has begun anew.
        inside = str(Path(remote.gateway, INSIDE))
        isolation = msgspec.structs.replace(isolation, readable=(*isolation.readable, inside))
        reach = {"ARENA_REMOTE": bot_name(built.entrant.name), "ARENA_GATEWAY": inside}
        with contextlib.suppress(OSError):  # the gateway has not begun: the bot stays mute
            reach["ARENA_PASSWORD"] = Path(remote.gateway, PASSWORD).read_text("ascii")
        reach["ARENA_GRACE"] = f"{remote.grace_seconds:g}"
    env = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(scratch / "home"),
        "TMPDIR": str(scratch / "tmp"),
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",  # its folder is read-only, also for root
        "OMP_NUM_THREADS": "1",
        **built.entrant.env,
        **{name: os.environ[name] for name in variables or () if name in os.environ},
        **reach,
        "ARENA_ENDPOINT": endpoint,
        "ARENA_TOKEN": token,
        **({"ARENA_GAME": game} if game else {}),
    }
    limits = built.entrant.limits
    command, env, confinement = confine_bot(
        isolation,
        built.command,
        built.folder,
        env,
        scratch,
        processes=limits.processes,
        disk_mb=limits.file_mb,
        is_tcp=built.entrant.transport == "tcp",
        network=variables is not None,
    )
    group = orders_for(
        built.isolation.groups,
        limits.memory_mb,
        limits.processes,
        disk_mb=limits.file_mb if built.isolation.level == "box" else 0,
        helpers=0 if confinement is None else confinement.get("helpers", 0),
    )
    return BotProcess(
        command, built.folder, env, scratch, limits=limits, cores=cores, confinement=confinement, group=group
    )
