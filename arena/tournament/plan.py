"""The plan of a tournament: from a file, from flags, from Python, or from nothing but the names of bots."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec

from arena.common.allowed_words import suggested
from arena.common.decoding_words import in_words
from arena.common.errors import ArenaError
from arena.common.processes import cores
from arena.common.regular_files import MOST_TOML_BYTES, parse_toml, read_regular, why_unread
from arena.entrants import LimitCeilings
from arena.entrants.expand import placed
from arena.entrants.manifest import ALLOWED
from arena.entrants.plan_bot import PlanBot
from arena.formats import DECISIVE, DEFAULT_FORMAT, FORMATS, FormatOptions
from arena.game.clock import OnCrash, TimeControl
from arena.isolation.settings import IsolationPlan, RemoteBots, read_isolation
from arena.ledger import Partners
from arena.tournament.bounds import SHARE, NumberBounds, Setting, declared, read_bot, setting
from arena.tournament.hooks.commands import HookError, Hooks, read_hooks

DEFAULT_GAMES: Final = 30
DEFAULT_OUT: Final = Path("tournaments/default")
_BUDGETS: Final = ("rounds", "games", "minutes")
_COUNT: Final = NumberBounds(1)
_SECONDS: Final = NumberBounds(0, unit="seconds")
_MINUTES: Final = NumberBounds(0, unit="minutes", above=True)
_SHARE: Final = NumberBounds(0, 1, unit=SHARE, above=True)
_LINE: Final = 300
"""The most characters of a note, and of what is published in one line."""


Deals = Literal["own", "shared"]
"""Whether each game has a deal of its own, or all games of a block have the same one."""


class PlanError(ArenaError):
    """A plan that cannot be carried out; the text says what, where and what is allowed."""

    def __init__(self, text: str, key: str | None = None, line: int | None = None) -> None:
        """Name the plan's key that is wrong, if it is one, and its line if the plan comes from a file."""
        super().__init__(text)
        self.key = key
        self.line = line


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tournament as it is asked for. At most one of `rounds`, `games` and `minutes` is set."""

    # The command line, the checks of values, the JSON Schema and docs/commands.md are made of what is declared here.
    # A text below a field says what its help does not.

    bots: Annotated[
        list[str | PlanBot],
        setting(
            "Python files, executables, folders with bot.toml, or @all, @greedy. NAME=PATH gives one a name.",
            metavar="BOTS",
        ),
    ] = []
    """Paths, patterns, and `@name` for a bot that comes with the arena; or a bot with options of its own."""
    game: Annotated[str | None, setting("Default: the first of `arena games`.", compare=True)] = None
    edition: Annotated[str | None, setting("A name, or a TOML file.", "Field", compare=True)] = None
    """None: the game's default."""
    players: Annotated[
        str | None,
        setting(
            "Player counts, such as 2-6 or 2,4. Default: all.",
            compare=True,
            rate="Player counts, such as 2-6 or 2,4. Default: all; of a bridged game the fewest.",
        ),
    ] = None
    rounds: Annotated[int | None, setting("Blocks per bot at every player count.", "Games", numbers=_COUNT)] = None
    games: Annotated[
        int | None,
        setting(
            "Rounded up to whole blocks. Default: 30.",
            numbers=_COUNT,
            compare="At most. Default: enough for nearly all bots.",
            rate="Of each bot, at most. Default: 1000.",
        ),
    ] = None
    minutes: Annotated[float | None, setting("Play for this long instead.", numbers=_MINUTES)] = None
    seed: Annotated[
        int | None,
        setting(
            "Default: a secret one. See `arena docs fair-play`.",
            numbers=NumberBounds(0, None),
            metavar="N|@FILE|-",
            compare=True,
            rate="Of deals and opponents, the same for all bots. Default: 1.",
        ),
    ] = None
    """None: drawn by the system and kept back until the results are final."""
    jobs: Annotated[
        int | None,
        setting("Games at the same time. Default: one per core.", numbers=NumberBounds(1, 1000), compare=True),
    ] = None
    """None: one a core, with a cluster one for each thread of its workers."""
    cluster: Annotated[
        str | None,
        setting("Play on the workers of this Dask scheduler: see `arena docs cluster`.", "Games", metavar="ADDRESS"),
    ] = None
    without_machines: Annotated[
        list[str],
        setting(
            "cluster: do not use this machine, nor count its games. Repeatable.",
            "Games",
            option="--without-machine",
            metavar="NAME",
        ),
    ] = []
    out: Annotated[
        str | None,
        setting(
            "Folder for the results. Default: tournaments/default, or default-2 and so on beside other tournaments.",
            compare="Folder for the results. Default: one in tournaments/compare.",
            rate="Folder in which each bot gets one of its own. Default: rate.",
        ),
    ] = None
    start: Annotated[
        float | None,
        setting(
            "Time to say hello. Default: 10.",
            "Clock",
            numbers=NumberBounds(0, unit="seconds", above=True),
            compare=True,
        ),
    ] = None
    move: Annotated[
        float | None, setting("Free time per decision. Default: 0.05.", "Clock", numbers=_SECONDS, compare=True)
    ] = None
    bank: Annotated[
        float | None, setting("Time per game beyond that. Default: 5.", "Clock", numbers=_SECONDS, compare=True)
    ] = None
    strikes: Annotated[
        int | None,
        setting("Strikes per game until the seat retires. Default: 3.", "Clock", numbers=_COUNT, compare=True),
    ] = None
    on_crash: Annotated[
        OnCrash | None,
        setting(
            "What a crash and lost time cost: substitute, loss or void. Default: substitute.", "Clock", metavar="POLICY"
        ),
    ] = None
    deals: Annotated[
        Deals | None,
        setting(
            "own: each game is dealt anew; shared: all games of a block alike, each in new processes of its bots. "
            "Default: own; shared for rules without chance.",
            "Games",
            metavar="own|shared",
        ),
    ] = None
    openings: Annotated[
        int | None,
        setting(
            "Random actions that begin each game. Default: 0; 4 for rules without chance.",
            "Games",
            numbers=NumberBounds(0, 1000),
        ),
    ] = None
    partners: Annotated[
        Partners | None,
        setting(
            "For rules with teams. own: a bot holds all seats of a team, by a process each; drawn: other bots are its "
            "partners. Default: own.",
            "Games",
            metavar="own|drawn",
        ),
    ] = None
    ponder: Annotated[bool, setting("Let bots think in the others' time, each on its own core.", "Clock")] = False
    strict: Annotated[bool, setting("Fail if a bot cannot take part.", "Changing field")] = False
    trace: Annotated[bool, setting("Write every message of every game to OUT/trace.", "Games")] = False
    fresh: Annotated[
        bool,
        setting(
            "Move an earlier tournament aside and start over.",
            compare="Move an earlier comparison aside and start over.",
            rate="Move earlier games of these bots aside and start over.",
        ),
    ] = False
    format: Annotated[str | None, setting(f"{', '.join(FORMATS)}. Default: balanced.")] = None
    """None: `gauntlet` if challengers are named, `decisive` with `until`, else `balanced`."""
    challengers: Annotated[
        list[str],
        setting(
            "gauntlet: a bot that all others play against. Repeatable.", "Format", option="--challenger", metavar="BOT"
        ),
    ] = []
    """Names of bots, or labels of versions."""
    until: Annotated[
        Literal["resolved"] | None,
        setting(
            "resolved: play where the order is least certain, and end when it is known.", "Format", metavar="resolved"
        ),
    ] = None
    """A number of rounds, games or minutes is then the most."""
    error: Annotated[
        float | None, setting("How often a resolved order may be wrong. Default: 0.05.", "Format", numbers=_SHARE)
    ] = None
    margin: Annotated[
        float | None,
        setting("Closer bots are tied. Default: 0.1 in mean finish; 0.01 of a score's span.", "Format", numbers=_SHARE),
    ] = None
    groups: Annotated[int | None, setting("groups+knockout: how many groups there are.", "Format", numbers=_COUNT)] = (
        None
    )
    blocks: Annotated[
        int | None, setting("knockout: how many blocks decide a heat. Default: 4.", "Format", numbers=_COUNT)
    ] = None
    leave: Annotated[bool, setting("Let bots that are not named leave the tournament.", "Changing field")] = False
    fixed: Annotated[bool, setting("Fail if a bot is new, changed or missing.", "Changing field")] = False
    pin: Annotated[
        list[str], setting("Keep this old version in the field beside newer ones.", "Changing field", metavar="NAME@N")
    ] = []
    commit: Annotated[
        str | None,
        setting("Only commit: play once a public value from SOURCE is known.", "Proof", metavar="SOURCE", most=_LINE),
    ] = None
    beacon: Annotated[
        str | None, setting("That value, which goes into the seed.", "Proof", metavar="VALUE", most=_LINE)
    ] = None
    contributions: Annotated[
        list[str],
        setting("A text of somebody else for the seed. Repeatable.", "Proof", option="--contribution", metavar="TEXT"),
    ] = []
    heads: Annotated[
        str | None,
        setting("Add a head to FILE at begin and end and every few minutes, to be published.", "Proof", metavar="FILE"),
    ] = None
    heads_minutes: Annotated[float | None, setting("How often: every 10 if not given.", "Proof", numbers=_MINUTES)] = (
        None
    )
    note: Annotated[
        str | None, setting("What changed, for `arena show --history`.", "Changing field", metavar="TEXT", most=_LINE)
    ] = None
    limits: LimitCeilings = LimitCeilings()
    """The most that a bot may ask for in its `bot.toml`."""
    remote: RemoteBots | None = None
    """Bots that run on their authors' machines, and the gateway to them."""
    hooks: Hooks | None = None
    """Commands that are run when something happens."""
    isolation: Annotated[
        IsolationPlan,
        setting(
            "How bots are kept apart: auto, box, landlock or none. Default: auto, the best of them that works here.",
            "Isolation",
            metavar="LEVEL",
            compare=True,
        ),
    ] = IsolationPlan()
    build_network: Annotated[
        bool,
        setting(
            "Let builds use the network, as for libraries that they fetch.",
            "Isolation",
            option="--build-network",
            compare=True,
        ),
    ] = False
    """Without isolation they do anyway."""
    network: Annotated[
        list[str],
        setting(
            "Let this bot use the network; BOT=VARIABLES also gives it these of your environment. Repeatable.",
            "Isolation",
            metavar="BOT",
            compare=True,
        ),
    ] = []
    """Each as `NAME` or `NAME=VARIABLE,VARIABLE`."""

    def __post_init__(self) -> None:
        """Raise `PlanError` for a value that is not allowed."""
        for key, known in SETTINGS.items():
            value = getattr(self, key)
            if value is not None and (why := known.refusal(value)) is not None:
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


SETTINGS: Final[Mapping[str, Setting]] = declared(Plan)
"""The fields of a plan that can be typed. `hooks`, `limits` and `remote` stand in files alone."""


def read_plan(file: Path | None, flags: Mapping[str, Any]) -> Plan:
    """Read the plan in a TOML file, changed by the flags that are set (not None). Raises `PlanError`.

    Paths of bots and of an edition in the file are relative to the file's folder.
    """
    data: dict[str, Any] = {} if file is None else _from_file(file)
    for key, value in flags.items():
        if value is not None and (why := SETTINGS[key].refusal(value)) is not None:
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
        text = read_regular(file, MOST_TOML_BYTES).decode("utf-8")
        data = parse_toml(text)
    except OSError as error:
        to_do = "name a plan, which is a TOML file, or leave out --plan"
        raise PlanError(f"{file}: {why_unread(error)}: {to_do}") from None
    except ValueError as error:  # also of what is no UTF-8, no TOML, or too large a number
        raise PlanError(f"{file}: {why_unread(error)}") from None
    return plan_data(data, text, file)


def plan_data(data: dict[str, Any], text: str, file: Path) -> dict[str, Any]:
    """Return the settings of a plan as a TOML file has them, checked, with paths from the file's folder.

    Args:
        data: A table of the file.
        text: The file's text, in which lines of keys are looked up.
        file: The file.

    Raises:
        PlanError: A key or a value is not allowed.
    """
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
        if key == "remote":
            data[key] = _remote(data[key], where, file.parent)
            continue
        if key == "players" and type(data[key]) is int:
            data[key] = str(data[key])  # as after --players
        if (why := SETTINGS[key].refusal(data[key])) is not None:
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


def _remote(data: Any, where: str, folder: Path) -> RemoteBots:
    try:
        found = msgspec.convert(data, RemoteBots)
    except msgspec.ValidationError as error:
        allowed = "a table with gateway (a folder), bots (names), latency_ms up to 1000, grace_seconds, tables and both"
        raise PlanError(f"{where}: [remote]: {in_words(error)}; it must be {allowed}", "remote") from None
    return msgspec.structs.replace(found, gateway=str((folder / found.gateway).absolute()))


def _line(text: str, key: str) -> int | None:
    """Return the line of a key of the topmost table in a TOML file. Return None if it is written in an odd way."""
    found = re.search(rf"""^[ \t]*["']?{re.escape(key)}["']?[ \t]*=""", text, re.MULTILINE)
    return None if found is None else text.count("\n", 0, found.start()) + 1
