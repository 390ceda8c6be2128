"""Define the most that a bot's processes may use; `limits` in a bot's `bot.toml` sets other values than the defaults.

`arena.entrants.supervisor` enforces the limits. It sets those for files before the bot begins. It checks memory and the
number of processes twice a second, and kills the bot and all that it started when one of these two is exceeded. The
time for a decision is not among these limits: see `arena.match.clock`. A bot's environment variables are defined in
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
