"""Find the two bots that a comparison is about, and whom they play: by paths, versions of a tournament or revisions."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Final, NamedTuple

from arena.common.allowed_words import suggested
from arena.common.labels import MARK, bot_name, read_label, spelled_out, version_label, version_number
from arena.entrants import Entrant, EntrantError, expand, is_packaged, shared_names
from arena.entrants.build import recall
from arena.entrants.expand import split_name
from arena.entrants.revision import at_revision
from arena.ledger import EntrantRecord, Ledger, TournamentSettings
from arena.tournament.folders import last_run
from engine import catalog

COMMITTED: Final = "HEAD"
"""The revision that a bot is compared with if only one is named."""
ALL: Final = "@all"


class Side(NamedTuple):
    """One of the two bots."""

    typed: str
    """What the user calls it."""
    entrant: Entrant
    """Its name is a label."""
    is_version: bool = False
    """Whether it is a version of a tournament, so that it has its label from there."""


@dataclass(frozen=True)
class Sides:
    """Who is compared."""

    old: Side
    new: Side
    opponents: list[Entrant]
    settings: TournamentSettings | None
    """Of the tournament of which one of the two bots is a version."""
    lines: list[str]
    """What is to be said of it, in a line each."""

    @property
    def is_same(self) -> bool:
        """Return whether both sides have the same content."""
        return self.old.entrant.fingerprint == self.new.entrant.fingerprint


def find_sides(
    old: str, new: str | None = None, against: Sequence[str] = (), folder: Path | None = None, game: str | None = None
) -> Sides:
    """Find both bots and their opponents.

    Args:
        old: What the user calls the old bot.
        new: Likewise. None: the old one is compared with its last commit, or if it is a version or a revision of a
            bot, it is compared with what there is now.
        against: Paths and names of opponents. If there are none: the other bots of the tournament of which one of the
            two is a version, or else all packaged bots that play the game.
        folder: Of the tournament whose versions are meant. None: the one last run.
        game: Its name. None: that of the tournament, or else the first of the catalog.

    Raises:
        EntrantError: A bot cannot be found.
        LedgerError: There is no such tournament.
    """
    finder = _Finder(folder)
    one, other = _labelled(finder.both(old, new), finder.versions)
    sides = (one, other)
    lines: list[str] = []
    if against or finder.settings is None:
        name = game or (catalog.rules(None).name if finder.settings is None else finder.settings.game)
        opponents = expand([*against] or [ALL], name).found
    else:
        opponents = finder.others({bot_name(side.entrant.name) for side in sides}, lines)
    opponents = _named(opponents, sides, bool(against))
    renamed = {each.called for each in opponents if each.name != each.called}
    everybody = [*(side.entrant for side in sides), *opponents]
    lines += shared_names(each for each in everybody if each.called in renamed)
    return Sides(one, other, opponents, finder.settings, lines)


def _split(word: str) -> tuple[str, str]:
    """Split what stands before and behind `@`: the first one behind something that is there, or else the first."""
    places = [place for place, char in enumerate(word) if char == MARK and place]
    place = next((place for place in places if Path(word[:place]).exists()), places[0])
    return word[:place], word[place + 1 :]


class _Finder:
    """Finds bots by what the user calls them; it opens a tournament only if a version of it is meant."""

    def __init__(self, folder: Path | None) -> None:
        self._given = folder
        self._folder: Path | None = None
        self.settings: TournamentSettings | None = None
        self.versions: dict[str, EntrantRecord] = {}
        """By label, once a version was asked for."""
        self._field: list[str] = []

    def both(self, old: str, new: str | None) -> list[Side]:
        """Return the old bot and the new one."""
        if new is not None:
            return [self.find(old), self.find(new)]
        if is_packaged(old):
            raise EntrantError(f"compare {old} with what? Name two bots, as in  arena compare {old} mine.py")
        if Path(old).exists() or MARK not in old:
            present = Side(old, _one(old))
            return [self.find(f"{old}{MARK}{COMMITTED}"), present]
        before = self.find(old)
        return [before, self._present(before) if before.is_version else self.find(_split(old)[0])]

    def find(self, word: str) -> Side:
        """Return a bot. If it is no version its name is no label yet, but the bot's own."""
        if is_packaged(word) or Path(word).exists() or split_name(word)[0] is not None:
            return Side(word, _one(word))
        if MARK not in word:
            if self._given is not None or self.versions:
                return self._version(word, word, None)
            return Side(word, _one(word))  # which says what is wrong
        name, behind = _split(word)
        if behind.isascii() and behind.isdigit():
            return self._version(word, name, int(behind))
        copy = at_revision(Path(name), behind)
        return Side(word, _one(copy))

    def others(self, names: set[str], lines: list[str]) -> list[Entrant]:
        """Return the field of the tournament without all versions of these bots."""
        found = []
        for label in self._field:
            if bot_name(label) not in names:
                try:
                    found.append(self._recalled(label))
                except EntrantError as error:
                    lines.append(f"without {label}: {error}")
        return found

    def _version(self, word: str, name: str, number: int | None) -> Side:
        self._open()
        path = str(Path(os.path.abspath(name)))  # noqa: PTH100 - a link keeps its own name
        own = [each for each in self.versions.values() if bot_name(each.name) == name or each.path == path]
        if not own:
            names = sorted({bot_name(label) for label in self.versions})
            raise EntrantError(
                f"{word}: the tournament in {self._folder} has no bot {name}, but {', '.join(names)} (--in names "
                f"another folder, and a path such as ./mine.py@{COMMITTED}~1 a revision in git){suggested(name, names)}"
            )
        bot = bot_name(own[0].name)
        label = self._newest(bot) if number is None else read_label(f"{bot}{MARK}{number}")
        if label not in self.versions:
            labels = sorted((each for each in self.versions if bot_name(each) == bot), key=version_number)
            there = ", ".join(map(spelled_out, labels))
            raise EntrantError(f"{word}: the tournament in {self._folder} has {there}")
        return Side(word, self._recalled(label), is_version=True)

    def _present(self, version: Side) -> Side:
        """Return what lies now where the bot of a version was last, or if there is nothing, its newest version."""
        last = self._newest(bot_name(version.entrant.name))
        path = Path(self.versions[last].path)
        if not path.exists():
            return Side(spelled_out(last), self._recalled(last), is_version=True)
        here = Path.cwd()
        return Side(str(path.relative_to(here) if path.is_relative_to(here) else path), _one(path))

    def _newest(self, name: str) -> str:
        return max((label for label in self.versions if bot_name(label) == name), key=version_number)

    def _recalled(self, label: str) -> Entrant:
        version = self.versions[label]
        return replace(recall(bot_name(label), version.fingerprint, version.path), name=label)

    def _open(self) -> None:
        if self._folder is None:
            self._folder = last_run() if self._given is None else self._given
            with Ledger.open(self._folder) as ledger:
                self.settings = ledger.settings
                self.versions = {each.name: each for each in ledger.entrants()}
                self._field = ledger.field()


def _one(word: str | Path) -> Entrant:
    expansion = expand([word])
    for path, reason in expansion.skipped:
        raise EntrantError(f"{path} is no bot: {reason}")
    if len(expansion.found) != 1:
        raise EntrantError(f"{word} are {len(expansion.found)} bots: name one")
    return expansion.found[0]


def _labelled(sides: Sequence[Side], versions: dict[str, EntrantRecord]) -> list[Side]:
    """Give each side that is no version of the tournament the label of its content, or the next one that is free."""
    taken = {side.entrant.name for side in sides if side.is_version}
    found = []
    for side in sides:
        label = side.entrant.name
        if not side.is_version:
            labels = (version_label(side.entrant.name, number) for number in count(1))
            label = next(each for each in labels if each not in taken and _fits(each, side.entrant, versions))
            taken.add(label)
        found.append(side._replace(entrant=replace(side.entrant, name=label)))
    return found


def _fits(label: str, entrant: Entrant, versions: dict[str, EntrantRecord]) -> bool:
    """Return whether the tournament knows no other content by that label."""
    return label not in versions or versions[label].fingerprint == entrant.fingerprint


def _named(opponents: Sequence[Entrant], sides: Sequence[Side], keep: bool) -> list[Entrant]:
    """Give the opponents names that neither side has. Leave out copies of either, unless the user named them."""
    taken = {bot_name(side.entrant.name) for side in sides}
    contents = {side.entrant.fingerprint for side in sides}
    found = []
    for entrant in opponents:
        if entrant.fingerprint in contents and not keep:
            continue
        name, number = entrant.name, 1
        while bot_name(name) in taken:
            number += 1
            name = f"{bot_name(entrant.name)}-{number}"
        taken.add(name)
        found.append(replace(entrant, name=name))
    return found
