"""Define the most that a bot's processes may use.

`limits` in a bot's `bot.toml` sets other values than the defaults. An organiser sets ceilings over them,
and the smaller of the two counts.

`arena.supervisor` enforces the limits. It sets those for files before the bot begins. It checks memory, the number of
processes and their processor time twice a second, and kills the bot and all that it started when one of these is
exceeded. The time for a decision is not among these limits: see `arena.game.clock`. A bot's environment variables are
defined in `arena.entrants.launch`.
"""

from __future__ import annotations

from typing import Annotated, Final

import msgspec

MOST_SECONDS: Final = 1 << 31
_Memory = Annotated[int, msgspec.Meta(ge=16, le=1 << 24)]
_Processes = Annotated[int, msgspec.Meta(ge=1, le=1 << 16)]
_OpenFiles = Annotated[int, msgspec.Meta(ge=16, le=1 << 20)]
_FileSize = Annotated[int, msgspec.Meta(ge=1, le=1 << 24)]
_Seconds = Annotated[int, msgspec.Meta(ge=1, le=MOST_SECONDS)]
ALLOWED = (
    "a table of whole numbers: memory_mb from 16, processes from 1, open_files from 16, file_mb from 1, "
    "cpu_seconds from 1"
)
"""What limits and ceilings are, in words."""


class ResourceLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a bot's processes may use.

    Memory, processes and processor time are watched for all together, files are limited for each.
    """

    memory_mb: _Memory = 2048
    """Resident memory of all its processes, in MiB."""
    processes: _Processes = 64
    """The number of its processes."""
    open_files: _OpenFiles = 512
    """Open files of each process."""
    file_mb: _FileSize = 256
    """Size of a file that it writes, in MiB."""
    cpu_seconds: _Seconds = 3600
    """Processor time of all its processes together, in seconds. The count begins again with each game."""


class LimitCeilings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The most that any bot may ask for as its limits."""

    memory_mb: _Memory = 4096
    """Resident memory of all its processes, in MiB."""
    processes: _Processes = 256
    """The number of its processes."""
    open_files: _OpenFiles = 4096
    """Open files of each process."""
    file_mb: _FileSize = 1024
    """Size of a file that it writes, in MiB."""
    cpu_seconds: _Seconds = 86400
    """Processor time of all its processes together, in seconds. The count begins again with each game."""

    def over(self, limits: ResourceLimits) -> ResourceLimits:
        """Return the limits that hold for a bot that asks for these."""
        return ResourceLimits(**{key: min(getattr(limits, key), getattr(self, key)) for key in self.__struct_fields__})

    def refused(self, limits: ResourceLimits) -> str:
        """Return in words what of these limits is more than a bot gets; empty: nothing."""
        return ", ".join(
            f"{key} {getattr(limits, key)} (it gets {getattr(self, key)})"
            for key in self.__struct_fields__
            if getattr(limits, key) > getattr(self, key)
        )
