"""What `league.toml` says: the sources of bots, when rounds are played, seasons and marks.

Each table of the file is a struct here, whose fields are the keys, with their defaults.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Final, Literal
from zoneinfo import ZoneInfo

import msgspec
from cronsim import CronSim, CronSimError

from arena.common.allowed_words import refused, suggested
from arena.common.decoding_words import in_words
from arena.common.errors import ArenaError
from arena.common.labels import NAMED, SUBMITTER
from arena.common.regular_files import MOST_TOML_BYTES, parse_toml, read_regular, why_unread
from arena.entrants.build import CACHE
from arena.entrants.expand import only_bots, placed
from arena.isolation.settings import read_isolation
from arena.ledger import DEFAULT_FORMAT
from arena.serve import LeagueError
from arena.tournament.hooks.commands import EVENTS, LEAGUE_EVENTS, HookError, Hooks, read_hooks
from arena.tournament.plan import Plan, plan_data
from arena.tournament.run import identity_of
from engine import catalog
from engine.rules import EditionError

_UNITS: Final = {"s": 1.0, "min": 60.0, "h": 3600.0, "day": 86400.0, "days": 86400.0, "week": 604800.0}
_SAID_HERE: Final = {
    "bots": "references, and the submissions",
    "rounds": "[rounds] blocks",
    "games": "[rounds] blocks",
    "minutes": "[rounds] every",
    "out": "[season] name",
    "fresh": "a new [season] name",
    "hooks": "[hooks]",
    "leave": "who is not in the league leaves",
    "fixed": "who is not in the league leaves",
    "format": "[season] final",
    "challengers": "[season] final",
    "until": "[rounds] without_end",
    "error": "[rounds] without_end",
    "margin": "[rounds] without_end",
    "groups": "[season] final",
    "blocks": "[rounds] blocks",
    "pin": "the newest version plays",
    "commit": "the seed is drawn when a season begins",
    "beacon": "the seed is drawn when a season begins",
    "contributions": "the seed is drawn when a season begins",
}
"""Keys of a plan that a league says itself, with where."""
_MOMENTS: Final = ("begins", "freezes", "ends")
GATEWAY: Final = "gateway"
"""The folder in that of a league with what is of bots elsewhere."""

Count = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
Positive = Annotated[float, msgspec.Meta(gt=0, le=1_000_000)]
Probability = Annotated[float, msgspec.Meta(gt=0, lt=1)]


class SubmissionRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How bots come in, and what is allowed of them."""

    drop: str = "drop"
    """The folder in which each submitter has one: what is put there is a submission. Empty: there is none."""
    upload: bool = True
    """Whether submitters have a page of their own to upload to."""
    size_mb: Positive = 20
    """The most of what is received."""
    unpacked_mb: Positive = 200
    files: Count = 2000
    """The most files and folders in it."""
    per_hour: Count = 6
    """Submissions of one submitter that are tried; later ones wait."""
    versions_a_day: Count = 10
    build_minutes: Positive = 5
    trial_games: Count = 4
    """Games with reference bots, at each number of players one block at least."""
    cores: Count = 1
    """On which submissions are built and tried, beside the rounds."""
    kept: Count = 20
    """Of each submitter, the newest submissions whose files are kept, besides those that have played."""


class BotRepository(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A git repository that is looked at for new commits."""

    submitter: str
    url: str
    branch: str | None = None
    """None, and no tag: the repository's own default."""
    tag: str | None = None
    """A pattern such as `v*`: the newest tag that fits."""
    submodules: bool = False
    every: str = "1 min"


class RoundRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When rounds are played."""

    every: str | None = None
    """As `10 min`, `6 h`, `1 day`: counted from the season's begin."""
    cron: str | None = None
    """As `0 22 * * mon-fri`, in `zone`."""
    zone: str = "UTC"
    without_end: bool = False
    """Whether the next round follows as soon as one has ended, as long as the order is not known."""
    blocks: Count = 1
    """Blocks of each bot at each number of players, in each round."""
    wait_minutes: Positive = 10
    """How long a round waits for submissions that came before it was due and are still being tried."""


class SeasonRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One season: a tournament of its own, kept whole at its end."""

    name: str = "season-1"
    continues: str | None = None
    """An earlier season, whose versions, games and marks this one begins with. None: it begins anew."""
    begins: datetime | None = None
    freezes: datetime | None = None
    """Later submissions wait for the next season."""
    ends: datetime | None = None
    hidden_from: datetime | None = None
    """From then on to the end, standings are shown to organisers alone."""
    final: Literal["groups+knockout", "knockout"] | None = None
    """What the best play when the rounds are over."""
    finalists: Annotated[int, msgspec.Meta(ge=2, le=1000)] = 8


class MarkRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A mark that bots have while they are good enough: better than a reference bot, or among the first."""

    name: str
    beats: str | None = None
    """A reference bot."""
    sure: Probability = 0.95
    """How sure it must be that a bot is better, to get the mark."""
    lost_below: Probability = 0.5
    """Below that it loses the mark again."""
    top: Probability | None = None
    """A share of the field, such as 0.25."""


class WebRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the pages are."""

    host: str | None = None
    """An address of this machine; None: only this machine can reach it."""
    port: Annotated[int, msgspec.Meta(ge=0, le=65535)] = 8780
    address: str | None = None
    """Where people reach it, if something stands before it: `https://league.example.org`."""
    tls_cert: str | None = None
    tls_key: str | None = None
    replays: Literal["at once", "1 day", "after the season"] = "1 day"
    """When games are shown to others than those whose bots played them."""


class RemoteRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Bots that run on their authors' machines."""

    allowed: bool = False
    host: str | None = None
    port: Annotated[int, msgspec.Meta(ge=0, le=65535)] = 8790
    latency_ms: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 100
    """The most of each decision that is taken off the clock for the way there and back."""
    grace_seconds: Positive = 30
    """Within which a connection that was lost must come back."""
    tables: Literal["mixed", "apart"] = "mixed"
    """Whether remote and local bots play with each other."""


class DiskRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How much room the league takes."""

    quota_gb: Positive = 20
    free_gb: Positive = 1
    """Below that nothing new is begun."""


class LeagueSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All tables of the file."""

    name: str
    references: tuple[str, ...] = ("@greedy", "@random_bot")
    """Bots that are always in the field, and not ranked."""
    plan: dict[str, Any] = {}
    """Game, players, clock and whatever else a tournament's plan has and the league does not say itself."""
    submissions: SubmissionRules = SubmissionRules()
    repositories: list[BotRepository] = msgspec.field(default=[], name="repository")
    rounds: RoundRules = RoundRules()
    season: SeasonRules = SeasonRules()
    marks: list[MarkRule] = msgspec.field(default=[], name="mark")
    web: WebRules = WebRules()
    remote: RemoteRules = RemoteRules()
    disk: DiskRules = DiskRules()
    hooks: dict[str, Any] = {}


@dataclass(frozen=True)
class League:
    """A league as its file says."""

    file: Path
    text: str
    """What the file contains: it is kept with the moment from which it holds."""
    settings: LeagueSettings
    plan: Plan
    """Without bots and without an end."""
    hooks: Hooks | None
    cluster: str | None = None
    """What was typed of it."""

    @property
    def folder(self) -> Path:
        """The folder in which everything of the league lies."""
        return self.file.absolute().parent

    @property
    def cache(self) -> Path:
        """The folder for built bots. It counts as the league's, and what is not needed any more is thrown away."""
        return self.folder / "cache"

    @property
    def references(self) -> list[str]:
        """The reference bots, each with its name and its path from here."""
        words = [word if "=" in word else f"{name_of(word)}={word}" for word in self.settings.references]
        return [placed(word, self.folder) for word in words]

    def check(self) -> None:
        """Raise `LeagueError` if its game, so many players or its reference bots are not to be had."""
        try:
            if (final := self.settings.season.final) is not None:
                identity_of(msgspec.structs.replace(self.plan, format=final))
            only_bots(self.references, identity_of(self.round_plan).game)
        except (ArenaError, EditionError, catalog.UnknownRules) as error:
            raise LeagueError(f"{self.file}: {error}") from None

    @property
    def round_plan(self) -> Plan:
        """The plan with how long rounds are played."""
        if not self.settings.rounds.without_end:
            return self.plan
        return msgspec.structs.replace(self.plan, format=DEFAULT_FORMAT, until="resolved")

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables of what it runs."""
        return os.environ | {CACHE: str(self.cache)}

    def remote_plan(self, names: Sequence[str], *, is_round: bool = False) -> dict[str, Any]:
        """Return what a plan says of the bots elsewhere of these names: nothing, if there is nothing to say."""
        rules = self.settings.remote
        is_apart = is_round and rules.allowed and rules.tables == "apart"
        table = {
            "gateway": str(self.folder / GATEWAY),
            "bots": list(names),
            "latency_ms": rules.latency_ms,
            "grace_seconds": rules.grace_seconds,
        }
        if is_apart:
            table |= {"tables": "apart", "both": [name_of(word) for word in self.settings.references]}
        return {"remote": table} if names or is_apart else {}


def read_league(file: Path, cluster: str | None = None) -> League:
    """Read a league's file. Raises `LeagueError` or `PlanError` with what is wrong and where.

    `cluster`: where rounds are played, whatever the file says of it.
    """
    try:
        text = read_regular(file, MOST_TOML_BYTES).decode("utf-8")
        data = parse_toml(text)
    except OSError as error:
        to_do = "`arena serve --init` writes one"
        raise LeagueError(f"{file}: {why_unread(error)}: {to_do}") from None
    except ValueError as error:
        raise LeagueError(f"{file}: {why_unread(error)}") from None
    try:
        settings = msgspec.convert(data, LeagueSettings)
    except msgspec.ValidationError as error:
        raise LeagueError(f"{file}: {in_words(error)}{_meant(str(error), data)}") from None
    if cluster is not None:
        settings.plan["cluster"] = cluster
    for key in settings.plan:
        if key in _SAID_HERE:
            raise LeagueError(f"{file}: [plan]: {key} is not for a league, which says it itself: {_SAID_HERE[key]}")
    try:
        _check(settings)
    except ValueError as error:
        raise LeagueError(f"{file}: {error}") from None
    try:
        hooks = read_hooks(settings.hooks, file.absolute().parent) if settings.hooks else None
        if hooks is not None:
            hooks.commands((*EVENTS, *LEAGUE_EVENTS))  # one that does not exist is said now
    except HookError as error:
        raise LeagueError(f"{file}: [hooks]: {error}") from None
    plan = plan_data(settings.plan, text, file)
    isolation = read_isolation(plan.get("isolation", {}))
    return League(file, text, settings, Plan(**{**plan, "isolation": isolation}), hooks, cluster)


def _check(settings: LeagueSettings) -> None:
    """Raise `ValueError` for values that do not go together."""
    rounds, season = settings.rounds, settings.season
    if settings.remote.allowed and "cluster" in settings.plan:
        raise ValueError("[remote]: bots elsewhere are reached from this machine alone: leave out the cluster")
    if sum([rounds.every is not None, rounds.cron is not None, rounds.without_end]) != 1:
        raise ValueError("[rounds]: say one of every, cron and without_end")
    if rounds.every is not None:
        seconds(rounds.every, "rounds.every")
    try:
        zone = ZoneInfo(rounds.zone)
    except (KeyError, ValueError, OSError):
        raise ValueError(f"rounds.zone: {rounds.zone!r} is no time zone, such as Europe/Berlin") from None
    if rounds.cron is not None:
        try:
            CronSim(rounds.cron, datetime.now(zone))
        except CronSimError as error:
            raise ValueError(f"rounds.cron: {rounds.cron!r} is no such line: {error}") from None
    moments = [(key, value) for key in _MOMENTS if (value := getattr(season, key)) is not None]
    for key, value in (*moments, ("hidden_from", season.hidden_from)):
        if value is not None and value.tzinfo is None:
            raise ValueError(f"season.{key}: {value} has no zone: write it as 2026-12-20T20:00:00+01:00")
    if [value for _, value in moments] != sorted(value for _, value in moments):
        raise ValueError(f"[season]: {', '.join(key for key, _ in moments)} must follow each other in time")
    for key, name in (("name", season.name), ("continues", season.continues)):
        if name is not None and not SUBMITTER.fullmatch(name):
            raise ValueError(f"season.{key}: {name!r} is no name of a folder: letters, digits, - _ and .")
    if season.continues == season.name:
        raise ValueError("season.continues: a season can go on with an earlier one alone")
    if Path(settings.submissions.drop or "drop").parts in ((), ("..",)):
        raise ValueError(f'submissions.drop: {settings.submissions.drop!r} is no folder of its own: say such as "drop"')
    if (settings.web.tls_cert is None) != (settings.web.tls_key is None):
        raise ValueError("[web]: tls_cert and tls_key belong together")
    owners = [each.submitter for each in settings.repositories]
    for each in settings.repositories:
        if owners.count(each.submitter) > 1:
            raise ValueError(f"[[repository]]: {each.submitter} has more than one: which commit would be the newest?")
        if not SUBMITTER.fullmatch(each.submitter):
            raise ValueError(f"[[repository]]: {each.submitter!r} is no name of a submitter: {NAMED}")
        if each.branch is not None and each.tag is not None:
            raise ValueError(f"[[repository]] of {each.submitter}: say branch or tag, not both")
        seconds(each.every, f"[[repository]] of {each.submitter}: every")
    if settings.remote.tables == "apart" and (season.final is not None or rounds.without_end):
        raise ValueError('[remote]: tables = "apart" goes neither with [season] final nor with [rounds] without_end')
    references = {name_of(word) for word in settings.references}
    if not references:
        raise ValueError("references: name one bot at least, such as @greedy: submissions are tried against it")
    for mark in settings.marks:
        if (mark.beats is None) == (mark.top is None):
            raise ValueError(f"[[mark]] {mark.name}: say one of beats and top")
        if mark.beats is not None and mark.beats not in references:
            raise ValueError(f"[[mark]] {mark.name}: beats: {refused(mark.beats, sorted(references))}")
        if mark.lost_below > mark.sure:
            raise ValueError(
                f"[[mark]] {mark.name}: lost_below is above sure, so it would be lost as soon as it is given"
            )


def seconds(text: str, what: str) -> float:
    """Return how long `10 min` is. Raises `ValueError`, which begins with `what`."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?) ?([a-z]+)", text.strip())
    if found is None or found[2] not in _UNITS or float(found[1]) <= 0:
        raise ValueError(f"{what}: {text!r} is no time such as 30 s, 10 min, 6 h, 1 day or 1 week")
    return float(found[1]) * _UNITS[found[2]]


def name_of(word: str) -> str:
    """Return the name of a reference bot: of `@greedy`, `NAME=PATH` or a path."""
    name, equals, _ = word.partition("=")
    return name if equals else Path(word.removeprefix("@")).stem


def path_of(word: str) -> str:
    """Return where a reference bot is: its path, or `@greedy`."""
    return word.partition("=")[2] or word


def _meant(error: str, data: Mapping[str, Any]) -> str:
    """Ask whether a known key was meant by one that is not."""
    found = re.search(r"unknown field `(?P<name>[^`]+)`(?: - at `\$\.?(?P<table>\w*))?", error)
    if found is None:
        return ""
    table = found["table"] or ""
    kind: type[msgspec.Struct] | None = LeagueSettings if table == "" else TABLES.get(table)
    known = () if kind is None else kind.__struct_encode_fields__
    return f"; the keys {f'of [{table}] ' if table else ''}are {', '.join(known)}{suggested(found['name'], known)}"


TABLES: Final[Mapping[str, type[msgspec.Struct]]] = {
    "submissions": SubmissionRules,
    "repository": BotRepository,
    "rounds": RoundRules,
    "season": SeasonRules,
    "mark": MarkRule,
    "web": WebRules,
    "remote": RemoteRules,
    "disk": DiskRules,
}
