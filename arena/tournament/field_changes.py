"""The field of a tournament that goes on: who joins it, who leaves it, and from which round on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from arena.common.labels import bot_name, read_label, spelled_out, version_label, version_number
from arena.entrants import Entrant, EntrantError
from arena.entrants.build import recall
from arena.entrants.expand import unique_name
from arena.formats import recorded_format
from arena.ledger import BlockRecord, EntrantRecord, FieldEvent, Ledger, Seeds
from arena.tournament.plan import Plan, PlanError
from arena.tournament.schedule.fixtures import Fixtures
from arena.tournament.schedule.rounds import change_at, game_ids


class FieldRequest(NamedTuple):
    """The field that is asked for, by what was named and by what the ledger knows."""

    stay: list[Entrant]
    """Versions in the field that stay, each with the name of its label."""
    join: list[Entrant]
    """Versions to admit, likewise."""
    replaced: dict[str, list[str]]
    """By label of a version to admit: the versions of the same bot that leave when it joins."""
    leave: list[str]
    """Other labels that leave."""
    lines: list[str]
    """What is to be said of it, in a line each."""


def named_as_before(entrants: Sequence[Entrant], versions: Sequence[EntrantRecord]) -> list[Entrant]:
    """Give bots whose paths the ledger knows the names that they have there, so that none takes another's.

    Names that were given with a path stay. Names are unique afterwards, as before.
    """
    newest: dict[str, EntrantRecord] = {}
    for version in sorted(versions, key=lambda each: version_number(each.name)):
        newest[bot_name(version.name)] = version
    given = {each.name for each in entrants if each.is_named}
    before: dict[str, list[str]] = {}
    for bot in sorted(newest.keys() - given):
        before.setdefault(newest[bot].path, []).append(bot)
    known = []
    for each in entrants:
        there = [] if each.is_named else before.get(str(each.path), [])
        # Of several from one file, rather the one of the same content, or else the one of that name.
        there.sort(key=lambda bot: (newest[bot].fingerprint != each.fingerprint, bot != each.name))
        known.append(each.name if each.is_named else there.pop(0) if there else None)
    taken = {name for name in known if name is not None}
    named = []
    for each, kept in zip(entrants, known, strict=True):
        name = unique_name(each.name, taken) if kept is None else kept
        taken.add(name)
        named.append(replace(each, name=name))
    return named


def request_field(plan: Plan, ledger: Ledger, entrants: Sequence[Entrant]) -> FieldRequest:
    """Compare what was named with the field of the ledger. Raises `PlanError` or `EntrantError`."""
    versions = {each.name: each for each in ledger.entrants()}
    field = ledger.field()
    pinned = list(dict.fromkeys(_pinned(text, versions) for text in plan.pin))
    found = FieldRequest([], [], {}, [], [])
    named = set()
    for entrant in entrants:
        label = _label(entrant, versions)
        named.add(bot_name(label))
        others = [each for each in field if bot_name(each) == bot_name(label) and each not in (label, *pinned)]
        if label in field:
            found.stay.append(replace(entrant, name=label))
            found.leave.extend(others)
            found.lines.extend(f"{spelled_out(each)} is not pinned any more and leaves" for each in others)
        else:
            found.join.append(replace(entrant, name=label))
            found.replaced[label] = others
    there = {each.name for each in (*found.stay, *found.join)}
    for label in pinned:
        if label in there:
            continue
        entrant = _recalled(versions[label])
        (found.stay if label in field else found.join).append(entrant)
        if label not in field:
            found.replaced[label] = []
    decided = {each.name for each in found.stay} | set(found.leave)
    for label in field:
        if bot_name(label) in named or label in decided:
            continue
        if plan.leave:
            found.leave.append(label)
            found.lines.append(f"{bot_name(label)} is not named: {spelled_out(label)} leaves")
            continue
        try:
            found.stay.append(_recalled(versions[label]))
            found.lines.append(f"{bot_name(label)} is not named and stays in; --leave lets it leave")
        except EntrantError as error:
            found.leave.append(label)
            found.lines.append(f"{bot_name(label)} is not named and cannot stay ({error}): {spelled_out(label)} leaves")
    return found


def differences(request: FieldRequest) -> list[str]:
    """Return in words how a request differs from the field, for a competition whose field is fixed."""
    words = [
        f"{bot_name(each.name)} changed" if request.replaced[each.name] else f"{spelled_out(each.name)} is new"
        for each in request.join
    ]
    return words + [f"{bot_name(label)} is gone" for label in request.leave]


class Change(NamedTuple):
    """A change of the field, as the ledger keeps it."""

    events: list[FieldEvent]
    place: int
    """Where the round begins from which the events hold."""
    stay: list[Entrant]
    """The versions that stay in the field."""
    lines: list[str]
    """What is to be said of it, in a line each."""


def change_field(ledger: Ledger, request: FieldRequest, admitted: Sequence[EntrantRecord], seeds: Seeds) -> Change:
    """Make the events of a request, after the versions that were to join have been tried."""
    versions = {each.name: each for each in ledger.entrants()}
    stay, joins, leaves, lines = list(request.stay), [], list(request.leave), []
    for record in admitted:
        label, others = record.name, request.replaced[record.name]
        old = ", ".join(map(spelled_out, others))
        if record.left_out is not None:
            for other in others:
                failed = f"{bot_name(label)} changed, but {spelled_out(label)} cannot take part"
                try:
                    stay.append(_recalled(versions[other]))
                    lines.append(f"{failed}: {spelled_out(other)} stays in")
                except EntrantError as error:
                    leaves.append(other)
                    lines.append(f"{failed}, and {spelled_out(other)} cannot stay ({error}): it leaves")
            continue
        joins.append(label)
        leaves += others
        if old:
            lines.append(f"{bot_name(label)} changed: {spelled_out(label)} joins, {old} leaves")
        elif version_number(label) > 1:
            lines.append(f"{spelled_out(label)} joins")
        else:
            lines.append(f"{label} joins")
    if not joins and not leaves:
        return Change([], 0, stay, lines)
    stayers = [label for label in ledger.field() if label not in leaves]
    round, place, stops = _from_where(ledger, stayers, seeds)
    events = [FieldEvent("leave", label, round, place, stops(label)) for label in leaves]
    events += [FieldEvent("join", label, round, place) for label in joins]
    return Change(events, place, stay, lines)


def _from_where(ledger: Ledger, stayers: Sequence[str], seeds: Seeds) -> tuple[int, int, Callable[[str], int]]:
    """Find the round from which a change holds now, and its place: behind all that was asked for and begun.

    The third part says from which place on a bot plays no more if it leaves: from the first of its games that has not
    been played, because its files may be gone. That may lie before the round's beginning.
    """
    settings, blocks, played = ledger.settings, ledger.blocks(), set(ledger.ids())
    asked = place = (settings.rated.games or 0) if settings.finished else 0
    gone = settings.rated.suspended.keys() if settings.finished else set()
    for block in blocks:
        # No game is drawn anew where the seed would be one that was published.
        has_old_seed = any(block.place < each.place for each in settings.later_seeds)
        # Whether a worker began it before its bot was suspended does not matter: none of its games counts.
        is_left_out = block.place == place and not gone.isdisjoint(block.bots)
        if has_old_seed or is_left_out or not played.isdisjoint(game_ids(block, settings.dealing)):
            place = max(place, block.place + len(block.bots))
    format = recorded_format(settings, seeds.schedule)
    fixtures = Fixtures(ledger, format, seeds, end=place)
    open_at: dict[str, int] = {}
    for block in _looked_through(fixtures, sum(block.place < place for block in blocks)):
        if fixtures.unknown(block):
            for bot in block.bots:
                open_at.setdefault(bot, fixtures.first_open(block))
    round, begin = change_at(blocks, place, lambda: format.may_end(stayers))
    # An earlier change may wait for the end of this round: then it is played to its end, whatever has changed since.
    begin = max([begin, *(event.place for event in ledger.field_events() if event.round == round)])
    # What was played beyond the games asked for depends on the workers; but rounds may have been drawn from it.
    last = max(asked, fixtures.schedule.read) if settings.finished else place
    return round, begin, lambda bot: min(last, open_at.get(bot, last))


def _looked_through(fixtures: Fixtures, blocks: int) -> Iterator[BlockRecord]:
    """Yield the first so many blocks, as far as the results are known on which they depend."""
    for number in range(blocks):
        block = fixtures.block(number)
        if block is None:
            return
        yield block


def _label(entrant: Entrant, versions: dict[str, EntrantRecord]) -> str:
    """Return the label of what lies there now: that of the version with the same content, or the next one."""
    own = [each for each in versions.values() if bot_name(each.name) == entrant.name]
    for each in own:
        if each.fingerprint == entrant.fingerprint:
            return each.name
    return version_label(entrant.name, 1 + max((version_number(each.name) for each in own), default=0))


def check_pins(plan: Plan, names: Collection[str]) -> None:
    """Raise `PlanError` if a tournament that begins with bots of these names has no version that is to stay."""
    for text in plan.pin:
        _pinned(text, names)


def _pinned(text: str, versions: Collection[str]) -> str:
    try:
        label = read_label(text)
    except ValueError as error:
        raise PlanError(f"pin: {error}") from None
    if label not in versions:
        own = [spelled_out(each) for each in versions if bot_name(each) == bot_name(label)]
        there = f"there is {', '.join(own)}" if own else f"no bot of this tournament is called {bot_name(label)}"
        raise PlanError(f"pin: this tournament has no {spelled_out(label)}: {there}")
    return label


def _recalled(version: EntrantRecord) -> Entrant:
    return replace(recall(bot_name(version.name), version.fingerprint, version.path), name=version.name)
