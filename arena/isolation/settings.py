"""Say how bots are kept apart from the system and from each other: what is asked for, and what was found to work."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Final, Literal, get_args

import msgspec

from arena.common.allowed_words import refused
from arena.common.decoding_words import in_words
from arena.common.errors import ArenaError
from arena.common.printable import printable

Level = Literal["box", "landlock", "none"]
"""How a bot is confined, the safest first: in namespaces, by rules of the kernel for its process, or not at all."""
Asked = Literal["auto", "box", "landlock", "none"]
LEVELS: Final[tuple[Level, ...]] = get_args(Level)
ASKED: Final[tuple[Asked, ...]] = get_args(Asked)


Way = Literal["cgroup", "systemd"]


class ControlGroups(msgspec.Struct, frozen=True):
    """How the kernel is asked to hold limits: by groups below a delegated one, or by a scope of systemd."""

    way: Way
    place: str
    """The group below which others are made, or the path of `systemd-run`."""


class IsolationError(ArenaError):
    """A level of isolation that cannot be had. The text says why, and how to get it."""


class IsolationPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a plan asks for."""

    level: Asked = "auto"
    """`auto`: the first level that works on this machine."""
    readable: list[Annotated[str, msgspec.Meta(min_length=1)]] = []
    """Files and folders that bots may read, besides the system's and those of their own programs."""


def read_isolation(value: object) -> IsolationPlan:
    """Read what a plan says: a level, or a table. Raises `ValueError`, whose text says what is allowed."""
    if isinstance(value, str) and value not in ASKED:
        raise ValueError(refused(value, ASKED))
    allowed = f"one of {', '.join(ASKED)}, or a table with level and readable (a list of paths)"
    try:
        return msgspec.convert({"level": value} if isinstance(value, str) else value, IsolationPlan)
    except msgspec.ValidationError as error:
        raise ValueError(f"{in_words(error)}: it must be {allowed}") from None


class RemoteBots(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which bots run on their authors' machines, and how they are reached from here."""

    gateway: Annotated[str, msgspec.Meta(min_length=1)]
    """The folder of the gateway, through which they are reached."""
    bots: list[str] = []
    """Their names. It holds only for a bot that is the arena's own forwarder, and nothing else."""
    latency_ms: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 100
    """The most of each decision that is taken off the clock for the way there and back."""
    grace_seconds: Annotated[float, msgspec.Meta(gt=0, le=86400)] = 30
    """Within which a connection that was lost must come back."""
    tables: Literal["mixed", "apart"] = "mixed"
    """Whether they meet bots that run here."""
    both: list[str] = []
    """Names of bots here that they meet even if tables are apart."""


class Isolation(msgspec.Struct, frozen=True):
    """How bots are confined."""

    level: Level
    readable: tuple[str, ...] = ()
    build_network: bool = False
    """Whether builds reach the network."""
    network: tuple[str, ...] = ()
    """Which bots may use the network: `NAME`, or `NAME=VARIABLE,VARIABLE` with what they get of our environment."""
    groups: ControlGroups | None = None
    """How the kernel is asked to hold a bot's limits. None: the watch alone does."""
    remote: RemoteBots | None = None
    """Which bots only pass on what programs elsewhere say. None: none do."""

    @property
    def recorded(self) -> str:
        """What the ledger keeps and tables name, such as `box+systemd; reads ~/books; builds use the network`.

        That is the level, what holds the limits besides the watch, and what of the machine was opened to bots. At the
        level `none` all is open anyway, but for variables.
        """
        level = self.level if self.groups is None else f"{self.level}+{self.groups.way}"
        opened = [] if self.level == "none" else [f"reads {printable(_below_home(path))}" for path in self.readable]
        opened += ["builds use the network"] if self.build_network and self.level != "none" else []
        return "; ".join([level, *opened, *map(network_words, self.network), *remote_words(self.remote)])

    def variables_of(self, bot: str) -> list[str] | None:
        """Return the variables that a bot gets which may use the network. None: it may not. `bot`: its name."""
        return next((variables for name, variables in map(_split, self.network) if name == bot), None)


def network_words(leave: str) -> str:
    """Return in words what a bot may use by an entry of `Isolation.network`: no value of a variable, only its name."""
    name, variables = _split(leave)
    return printable(f"{name} uses the network" + (f" and gets {', '.join(variables)}" if variables else ""))


def remote_words(remote: RemoteBots | None) -> list[str]:
    """Return in words which bots run elsewhere, and what that may take off their clocks."""
    allowed = "" if remote is None else f"up to {remote.latency_ms} ms of a decision are taken off its clock"
    return [] if remote is None else [printable(f"{name} runs elsewhere, {allowed}") for name in remote.bots]


def leave_for(network: Iterable[str], bot: str) -> list[str]:
    """Return which of these entries are about a bot."""
    return [each for each in network if _split(each)[0] == bot]


def _split(leave: str) -> tuple[str, list[str]]:
    name, _, variables = leave.partition("=")
    return name, [each for each in variables.split(",") if each]


def check_network(network: Iterable[str], environment: Iterable[str]) -> None:
    """Raise `IsolationError` for a variable that no bot may get, or that is not set in this `environment`."""
    for each in network:
        name, variables = _split(each)
        for variable in variables:
            if not _VARIABLE.fullmatch(variable) or variable.startswith("ARENA_"):
                # Not repeated: somebody may have typed the secret itself.
                raise IsolationError(
                    f"network: {name}: after = stand names of variables, with commas between, and none of ARENA_"
                )
            if variable not in environment:
                raise IsolationError(f"network: {each}: {variable} is not set here: export it, or leave it out")


def check_named(network: Iterable[str], bots: Sequence[str]) -> None:
    """Raise `IsolationError` if leave is given to a bot that is not there. `bots`: their names."""
    for name in (_split(each)[0] for each in network):
        if name not in bots:
            raise IsolationError(f"network: no bot is called {name}: there are {', '.join(bots)}")


_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def recorded_level(recorded: str) -> str:
    """Return the level in what the ledger keeps of how bots were kept apart."""
    return recorded.partition(";")[0].partition("+")[0]


def _below_home(path: str) -> str:
    """Return a path with `~` in the place of the home folder, which has the user's name."""
    home = own_home()
    return f"~{path.removeprefix(str(home))}" if path.startswith(f"{home}/") else path


def own_home() -> Path | None:
    """Return the user's home folder. Return None if neither `HOME` nor the system says where it is."""
    try:
        return Path.home()
    except RuntimeError:
        return None


def expanded(path: str) -> Path:
    """Return a readable path with a home folder in the place of `~`. Raises `IsolationError` if there is none."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        raise IsolationError(f"readable: {path}: no home folder is known for it: write the whole path") from None


NONE: Final = Isolation("none")
