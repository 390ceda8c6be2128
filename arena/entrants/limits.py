"""Name what a bot's processes may use at most, with the defaults; `limits` in a bot's `bot.toml` sets others.

`arena.entrants.supervisor` enforces the limits: it sets those of files before the bot begins, looks at memory and at
the number of processes twice a second, and kills the bot and all that it started when one of these two is exceeded.
The time for a decision is no limit of this kind: see `arena.match.clock`. The environment variables of a bot stand in
`arena.entrants.launch`.
"""

from __future__ import annotations

from typing import Annotated

import msgspec


class ResourceLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a bot's processes may use. Memory and processes are watched for all together, files are limited for each."""

    memory_mb: Annotated[int, msgspec.Meta(ge=16, le=1 << 24)] = 2048
    """Resident memory of all its processes, in MiB."""
    processes: Annotated[int, msgspec.Meta(ge=1, le=1 << 16)] = 64
    """The number of its processes."""
    open_files: Annotated[int, msgspec.Meta(ge=16, le=1 << 20)] = 512
    """Open files of each process."""
    file_mb: Annotated[int, msgspec.Meta(ge=1, le=1 << 24)] = 256
    """Size of a file that it writes, in MiB."""
