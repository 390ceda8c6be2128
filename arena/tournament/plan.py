"""The plan of a tournament: from a file, from flags, from Python, or from nothing but the names of bots."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec

from arena.common.allowed_words import suggested
from arena.common.cores import cores
from arena.common.decoding_words import in_words
from arena.common.errors import ArenaError
from arena.common.regular_files import read_regular, why_unread
from arena.common.toml_files import MOST_BYTES, parse_toml
from arena.entrants import LimitCeilings
from arena.entrants.expand import placed
from arena.entrants.limits import ALLOWED
from arena.entrants.plan_bot import PlanBot
from arena.formats import DECISIVE, DEFAULT_FORMAT, FormatOptions
from arena.game.clock import OnCrash, TimeControl
from arena.isolation.settings import IsolationPlan, read_isolation
from arena.tournament.bounds import NUMBERS, read_bot, refusal
from arena.tournament.hooks import HookError, Hooks, read_hooks

DEFAULT_GAMES: Final = 30
DEFAULT_OUT: Final = Path("tournaments/default")
_BUDGETS: Final = ("rounds", "games", "minutes")


class PlanError(ArenaError):
    """A plan that cannot be carried out; the text says what, where and what is allowed."""

    def __init__(self, text: str, key: str | None = None, line: int | None = None) -> None:
        """Name the plan's key that is wrong, if it is one, and its line if the plan comes from a file."""
        super().__init__(text)
        self.key = key
        self.line = line


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tournament as it is asked for. At most one of `rounds`, `games` and `minutes` is set."""

    bots: list[str | PlanBot] = []
    """Paths, patterns, and `@name` for a bot that comes with the arena; or a bot with options of its own."""
    game: str | None = None
    """None: the first one of the catalog."""
    edition: str | None = None
    """A name or a TOML file; None: the game's default."""
    players: str | None = None
    """As `2-6` or `2,4`; None: all that the game allows."""
    rounds: Annotated[int, NUMBERS["rounds"].meta()] | None = None
    games: Annotated[int, NUMBERS["games"].meta()] | None = None
    minutes: Annotated[float, NUMBERS["minutes"].meta()] | None = None
    seed: Annotated[int, NUMBERS["seed"].meta()] | None = None
    """None: drawn by the system and kept back until the results are final."""
    jobs: Annotated[int, NUMBERS["jobs"].meta()] | None = None
    """Games at the same time; None: one a core, with a cluster one for each thread of its workers."""
    cluster: str | None = None
    """The address of a cluster's scheduler, whose workers play the games; None: this machine plays them."""
    without_machines: list[str] = []
    """Names of machines of the cluster whose games do not count, and which are not used."""
    out: str | None = None
    """The folder; None: `tournaments/default`, or the next free one beside it."""
    start: Annotated[float, NUMBERS["start"].meta()] | None = None
    move: Annotated[float, NUMBERS["move"].meta()] | None = None
    bank: Annotated[float, NUMBERS["bank"].meta()] | None = None
    strikes: Annotated[int, NUMBERS["strikes"].meta()] | None = None
    on_crash: OnCrash | None = None
    """What a crash and a late answer cost; None: `substitute`."""
    ponder: bool = False
    strict: bool = False
    trace: bool = False
    fresh: bool = False
    format: str | None = None
    """The name of a format; None: `gauntlet` if challengers are named, `decisive` with `until`, else `balanced`."""
    challengers: list[str] = []
    """For the format `gauntlet`: names of bots, or labels of versions."""
    until: Literal["resolved"] | None = None
    """End when the order of the bots is known. A number of rounds, games or minutes is then the most."""
    error: Annotated[float, NUMBERS["error"].meta()] | None = None
    margin: Annotated[float, NUMBERS["margin"].meta()] | None = None
    groups: Annotated[int, NUMBERS["groups"].meta()] | None = None
    blocks: Annotated[int, NUMBERS["blocks"].meta()] | None = None
    leave: bool = False
    """Bots of the tournament that are not named leave it."""
    fixed: bool = False
    """Who takes part may not change any more."""
    pin: list[str] = []
    """Versions that stay in the field beside newer ones, as `mine@2`."""
    commit: str | None = None
    """Begin, but play nothing yet: a public value from this source will go into the seed."""
    beacon: str | None = None
    """That value, which was not known when the tournament was committed to."""
    contributions: list[str] = []
    """Texts of others that go into the seed with it."""
    heads: str | None = None
    """The file to which heads of the chain are added while games are played."""
    heads_minutes: Annotated[float, NUMBERS["heads_minutes"].meta()] | None = None
    """Minutes between two of them; None: 10."""
    note: str | None = None
    """Why the field changes, for its history."""
    limits: LimitCeilings = LimitCeilings()
    """The most that a bot may ask for in its `bot.toml`."""
    hooks: Hooks | None = None
    """Commands that are run when something happens."""
    isolation: IsolationPlan = IsolationPlan()
    """How bots are kept apart."""
    build_network: bool = False
    """Whether builds reach the network; without isolation they do anyway."""

    def __post_init__(self) -> None:
        """Raise `PlanError` for a value that is not allowed."""
        for key in self.__struct_fields__:
            value = getattr(self, key)
            if key not in ("hooks", "limits") and value is not None and (why := refusal(key, value)) is not None:
                raise PlanError(f"{key}: {why}", key)
        if sum(getattr(self, key) is not None for key in _BUDGETS) > 1:
            raise PlanError(f"choose one of --{', --'.join(_BUDGETS)}")
        if self.fixed and self.leave:
            raise PlanError("fixed says that nobody leaves the field: leave out leave")

    def time(self) -> TimeControl:
        """Return the time control."""
        given = {key: getattr(self, key) for key in ("start", "move", "bank", "strikes", "on_crash")}
        given = {key: value for key, value in given.items() if value is not None}
        return msgspec.convert({**given, "ponder": self.ponder}, TimeControl)

    def format_name(self) -> str:
        """Return the name of the format."""
        if self.format is not None:
            return self.format
        return "gauntlet" if self.challengers else DECISIVE if self.until else DEFAULT_FORMAT

    def is_plain(self) -> bool:
        """Return whether everybody plays everybody, for as many games as are played if nobody says how many."""
        asked = (self.rounds, self.games, self.minutes, self.until, self.cluster)
        return self.format_name() == DEFAULT_FORMAT and not any(asked)

    def format_options(self) -> FormatOptions:
        """Return the options of the format. Raises `FormatError` for a value that is not allowed."""
        return FormatOptions(
            challengers=tuple(self.challengers),
            until=None if self.format_name() == DECISIVE else self.until,  # which ends so in any case
            error=self.error,
            margin=self.margin,
            groups=self.groups,
            blocks=self.blocks,
        )

    def workers(self) -> int:
        """Return how many games are played at the same time."""
        return cores() if self.jobs is None else self.jobs


def read_plan(file: Path | None, flags: Mapping[str, Any]) -> Plan:
    """Read the plan in a TOML file, changed by the flags that are set (not None). Raises `PlanError`.

    Paths of bots and of an edition in the file are relative to the file's folder.
    """
    data: dict[str, Any] = {} if file is None else _from_file(file)
    for key, value in flags.items():
        if value is not None and (why := refusal(key, value)) is not None:
            raise PlanError(f"options: {key}: {why}", key)
    given = {key: value for key, value in flags.items() if value is not None and value != []}
    if isinstance(level := given.get("isolation"), str):
        given["isolation"] = msgspec.structs.replace(read_isolation(data.get("isolation", {})), level=level)
    elif "isolation" in data:
        data["isolation"] = read_isolation(data["isolation"])
    if any(key in given for key in _BUDGETS):
        data = {key: value for key, value in data.items() if key not in _BUDGETS}
    return Plan(**{**data, **given})


def player_counts(text: str | None, allowed: tuple[int, int]) -> list[int]:
    """Read `2-6`, `3` or `2,4,6` as a list. Raises `PlanError` for what the game does not allow."""
    low, high = allowed
    if text is None:
        return list(range(low, high + 1))
    found: set[int] = set()
    for part in text.split(","):
        counts = re.fullmatch(r"\s*(\d{1,9})\s*(?:-\s*(\d{1,9})\s*)?", part)
        if counts is None:
            raise PlanError(f"players: {text!r} is not a number, a range like 2-6 or a list like 2,4", "players")
        first, last = int(counts[1]), int(counts[2] or counts[1])
        if not low <= first <= last <= high:
            raise PlanError(f"players: {text!r} is not within the {low} to {high} that the game allows", "players")
        found |= set(range(first, last + 1))
    return sorted(found)


def _from_file(file: Path) -> dict[str, Any]:
    try:
        text = read_regular(file, MOST_BYTES).decode("utf-8")
        data = parse_toml(text)
    except OSError as error:
        to_do = "name a plan, which is a TOML file, or leave out --plan"
        raise PlanError(f"{file}: {why_unread(error)}: {to_do}") from None
    except ValueError as error:  # also of what is no UTF-8, no TOML, or too large a number
        raise PlanError(f"{file}: {why_unread(error)}") from None
    known: Sequence[str] = Plan.__struct_fields__
    for key in data:
        line = _line(text, key)
        where = f"{file}" if line is None else f"{file}, line {line}"
        if key not in known:
            keys = f"the keys are {', '.join(known)}{suggested(key, known)}"
            raise PlanError(f"{where}: unknown key {key}; {keys}", key, line)
        if key == "hooks":
            try:
                data[key] = read_hooks(data[key], file.parent)
            except HookError as error:
                raise PlanError(f"{file}: [hooks]: {error}", key) from None
            continue
        if key == "limits":
            data[key] = _ceilings(data[key], where)
            continue
        if key == "players" and type(data[key]) is int:
            data[key] = str(data[key])  # as after --players
        if (why := refusal(key, data[key])) is not None:
            raise PlanError(f"{where}: {key}: {why}", key, line)
    if "bots" in data:
        data["bots"] = [_placed(read_bot(bot), file.parent) for bot in data["bots"]]
    if data.get("edition", "").endswith(".toml"):
        data["edition"] = str(file.parent / data["edition"])
    return data


def _placed(bot: str | PlanBot, folder: Path) -> str | PlanBot:
    if isinstance(bot, str):
        return placed(bot, folder)
    return msgspec.structs.replace(bot, path=placed(bot.path, folder))


def _ceilings(data: Any, where: str) -> LimitCeilings:
    try:
        return msgspec.convert(data, LimitCeilings)
    except msgspec.ValidationError as error:
        raise PlanError(f"{where}: [limits]: {in_words(error)}; it must be {ALLOWED}", "limits") from None


def _line(text: str, key: str) -> int | None:
    """Return the line of a key of the topmost table in a TOML file. Return None if it is written in an odd way."""
    found = re.search(rf"""^[ \t]*["']?{re.escape(key)}["']?[ \t]*=""", text, re.MULTILINE)
    return None if found is None else text.count("\n", 0, found.start()) + 1
