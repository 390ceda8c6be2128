"""`arena verify`: replay every game of a tournament and compare."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar

import msgspec
import typer

from arena.check import ask_games_again
from arena.cli.check import built_bots
from arena.cli.options import AsJson, IsolationOptions, bot_words, folder_to_read, reader, with_isolation
from arena.cli.progress import drawn_bar
from arena.cli.terminal import ExitCode, print_json, say
from arena.common.decoding_words import in_words
from arena.common.labels import bot_name
from arena.common.printable import as_typed, counted, listed, printable
from arena.common.progress import SILENT
from arena.entrants import BuildFailed, Built, EntrantError, build
from arena.entrants.build import recall
from arena.entrants.manifest import FILE as BOT_FILE
from arena.entrants.packaged import is_packaged
from arena.game.clock import TimeControl
from arena.game.replay import ReplayError
from arena.isolation.settings import NONE
from arena.ledger import DamagedLedger, GameRecord, Ledger
from arena.replays.export import CHAIN, GAMES
from arena.replays.game_file import read_game
from arena.tournament.bounds import NumberBounds
from arena.tournament.folders import has_ledger
from arena.tournament.head_publisher import heads_in
from arena.tournament.verification.export import ExportCheck, is_export, verify_export
from arena.tournament.verification.export import records as exported_records
from arena.tournament.verification.ledger import ONE_GAME, Verification, verify_game, verify_ledger
from engine import catalog

EXAMPLES: Final = (
    "arena verify",
    "arena verify tournaments/default --json",
    "arena verify tournaments/default --head HASH",
    "arena verify tournaments/default --bots --sample 20",
    "arena verify tournaments/default --bot mine.py",
    "arena verify export --bot mine.py --head HASH",
    "arena verify export/games/p4-b0000-r0.json --bot mine.py",
)
CONTEXT: Final = {"allow_extra_args": True}  # bots behind --bots; of others is said what they may be meant for


OneBot = Annotated[
    str | None,
    typer.Option(help="Ask this bot again about all games that it played.", metavar="BOT", autocompletion=bot_words),
]


@with_isolation
def command(
    context: typer.Context,
    what: Annotated[
        Path | None,
        typer.Argument(
            help="A tournament's folder, or a folder or a game by `arena export`. Default: the tournament last run.",
            metavar="WHAT",
        ),
    ] = None,
    head: Annotated[
        str | None,
        typer.Option(help="A head that was published: compare it with those of this tournament.", metavar="HASH"),
    ] = None,
    heads: Annotated[
        Path | None, typer.Option(help="The same for all heads in a file that `arena tournament --heads` wrote.")
    ] = None,
    bots: Annotated[
        bool,
        typer.Option("--bots", help="Ask the bots again that call themselves deterministic, or those named behind."),
    ] = False,
    bot: OneBot = None,
    sample: Annotated[
        int | None,
        typer.Option(help="Ask about so many games of each bot.", parser=reader(NumberBounds(1)), metavar="N"),
    ] = None,
    *,
    apart: IsolationOptions,
    as_json: AsJson = False,
) -> None:
    """Derive the schedule again, replay every recorded game, and compare.

    The seed must give the same games at the same places, and each game's seed and actions the same ranks, scores and
    events, and the same data for its page. No game may be missing, and the right ones must be rated.
    """
    what, named = _sorted_out(context.args, what, bots)
    if bots and bot is not None:
        raise typer.BadParameter("choose one of --bots and --bot", param_hint="--bot")
    for name, value in {"sample": sample, **apart._asdict()}.items():
        if value and not bots and bot is None:
            hint = f"--{name.replace('_', '-')}"
            raise typer.BadParameter("only together with --bots or --bot", param_hint=hint)
    paths = [*named] if bot is None else [bot]
    is_of_all = bots and not paths
    if is_of_all and what is not None and (what.is_file() or (is_export(what) and not has_ledger(what))):
        raise typer.BadParameter("without names only for a tournament's folder: --bots mine.py", param_hint="--bots")
    published = [*([] if head is None else [head]), *([] if heads is None else heads_in(heads))]
    if what is not None and what.is_file():
        if published:
            raise typer.BadParameter("only for the folder of a tournament or an export", param_hint="--head")
        _report(_game(what, paths, apart), as_json)
        return
    with drawn_bar() or nullcontext(SILENT) as progress:
        if what is not None and is_export(what):
            if has_ledger(what):  # each may be honest by itself, and tell of other games than the other
                raise typer.BadParameter(
                    f"{what} holds a ledger and an export, which may differ: move {CHAIN} and {GAMES} into a folder of "
                    "their own, and verify both folders",
                    param_hint="WHAT",
                )
            export = verify_export(what, published, progress)
            found = export.verification
            for mine in built_bots(paths if export.games else [], apart):
                _add(found, ask_export(export, sample, mine))
        else:
            with Ledger.open(folder_to_read(what)) as ledger:
                found = verify_ledger(ledger, published, progress)
                asked: list[Built | None] = [None] if is_of_all else [*built_bots(paths, apart)]
                for each in asked:
                    _add(found, ask_ledger(ledger, sample, each, apart))
    _report(found, as_json)


def _sorted_out(rest: Sequence[str], what: Path | None, bots: bool) -> tuple[Path | None, Sequence[str]]:
    """Return what to verify, and the bots that are named behind `--bots`.

    Raises `typer.BadParameter` for more words than that, and for a bot in the place of what it played in.
    """
    words = [*([] if what is None else [str(what)]), *rest]
    named = [
        word for word in words if is_packaged(word) or Path(word).suffix == ".py" or (Path(word) / BOT_FILE).is_file()
    ]
    others = [word for word in words if word not in named]
    if named and not bots:
        typed = as_typed(*others, "--bots", *named)
        raise typer.BadParameter(f"{named[0]} is a bot: to ask it again, type  arena verify {typed}", param_hint="WHAT")
    if len(others) > 1:
        raise typer.BadParameter(f"one folder or game at a time, without {as_typed(*others[1:])}", param_hint="WHAT")
    return Path(others[0]) if others else None, named


def _game(file: Path, bots: Sequence[str], apart: IsolationOptions) -> Verification:
    """Verify one game, and ask bots about the seats that bear their names."""
    game = read_game(file)
    differences = verify_game(game)
    found = Verification(1, "", 0, {game.record.id: differences} if differences else {}, [ONE_GAME])
    for built in built_bots([] if differences else bots, apart):
        labels = [label for label in game.record.bots if bot_name(label) == built.entrant.name]
        if not labels:
            there = ", ".join(game.record.bots)
            raise typer.BadParameter(f"{built.entrant.name} did not play this game: {there} did", param_hint="--bot")
        asking = AskingAgain(game.game, game.edition, game.time)
        for label in labels:
            asking.ask(label, built, [game.record])
        _add(found, asking)
    return found


def _add(found: Verification, asking: AskingAgain) -> None:
    for game, differences in asking.different.items():
        found.different.setdefault(game, []).extend(differences)
    found.notes.extend(asking.notes)


def _report(found: Verification, as_json: bool) -> None:
    if as_json:
        print_json(found._asdict())
    else:
        for name, differences in found.different.items():
            for difference in differences:
                say(printable(f"{name}: {difference}"))  # one line: what was verified may quote whatever it likes
        for note in found.notes:
            say(printable(f"note: {note}"))
        if found.head:
            say(f"head {found.head} ({found.entries} entries)")
        where = [f"the {name}" if name in ("tournament", "head") else name for name in found.different]
        verdict = f"; differences in {listed(where)}" if where else ", all as recorded"
        say(printable(f"{counted(found.games, 'game')} verified{verdict}"))
    if found.different:
        raise typer.Exit(ExitCode.NO)


Picked = TypeVar("Picked")


class AskingAgain:
    """Asks bots again, and collects where they differ."""

    def __init__(self, game: str, edition: dict[str, Any], time: Mapping[str, Any]) -> None:
        """Take the settings of the tournament. Raises `LedgerError` for a time control that is none."""
        self._rules = catalog.rules(game)
        self._edition = edition
        try:
            self._time = msgspec.convert(time, TimeControl)
        except msgspec.ValidationError as error:
            raise DamagedLedger(f"the time control was altered or is damaged: {in_words(error)}") from None
        self.different: dict[str, list[str]] = {}
        """By game."""
        self.notes: list[str] = []

    def ask(self, label: str, built: Built, records: Iterable[GameRecord]) -> None:
        """Ask a bot again about all games that it played under that label."""
        games = decisions = 0
        try:
            for asked in ask_games_again(built, _seats(label, records), self._rules, self._edition, self._time):
                games += 1
                decisions += asked.decisions
                if asked.unknown is not None:
                    self.notes.append(f"{label} could not be asked to the end about {asked.game}: {asked.unknown}")
                if asked.difference is not None:
                    self.different.setdefault(asked.game, []).append(f"{label}, {asked.difference}")
        except ReplayError as error:
            self.notes.append(f"{label} could not be asked to the end: {error}")
        self.notes.append(f"{label} was asked again: {decisions} decisions in {games} games")


def ask_ledger(ledger: Ledger, sample: int | None, mine: Built | None, apart: IsolationOptions) -> AskingAgain:
    """Ask the bots of a tournament again that call themselves deterministic, or only one bot.

    Args:
        ledger: The tournament.
        sample: So many games of each bot, spread over all that it played. None: all of them.
        mine: The one bot to ask. None: all bots.
        apart: How they are kept apart.
    """
    settings = ledger.settings
    asking = AskingAgain(settings.game, settings.edition, settings.time)
    outcomes = ledger.outcomes()
    entrants = [each for each in ledger.entrants() if each.left_out is None]
    if mine is not None:
        same = [each for each in entrants if each.fingerprint == mine.entrant.fingerprint]
        if not same:
            raise EntrantError(f"{mine.entrant.name} did not take part: no bot of this tournament has its content")
        entrants = same
    isolation = NONE if mine else apart.chosen([bot_name(each.name) for each in entrants])
    for each in entrants:
        if mine is None and not each.deterministic:
            asking.notes.append(f"{each.name} is not asked again: it does not call itself deterministic")
            continue
        try:
            built = mine or build(recall(bot_name(each.name), each.fingerprint, each.path), isolation=isolation)
        except (EntrantError, BuildFailed) as error:
            asking.notes.append(f"{each.name} is not asked again: {error}")
            continue
        own = [outcome.id for outcome in outcomes if each.name in outcome.bots]
        asking.ask(each.name, built, map(ledger.game, _spread(own, sample)))
    return asking


def ask_export(found: ExportCheck, sample: int | None, mine: Built) -> AskingAgain:
    """Ask a bot again about all games of an export that a bot with its content played.

    Args:
        found: The export, with at least one game.
        sample: So many games, spread over all that it played. None: all of them.
        mine: The bot.
    """
    labels = [label for label, each in found.fingerprints.items() if each == mine.entrant.fingerprint]
    if not labels:
        raise EntrantError(f"{mine.entrant.name} did not take part: no bot of this tournament has its content")
    one = read_game(found.games[0].file)
    asking = AskingAgain(one.game, one.edition, one.time)
    for label in labels:
        own = [game for game in found.games if label in game.bots]
        asking.ask(label, mine, exported_records(_spread(own, sample)))
    return asking


def _spread(games: Sequence[Picked], sample: int | None) -> list[Picked]:
    """Return so many games, spread over all of them; None: all."""
    number = len(games) if sample is None else min(sample, len(games))
    return [games[place * len(games) // number] for place in range(number)]


def _seats(label: str, records: Iterable[GameRecord]) -> Iterator[tuple[GameRecord, int]]:
    for record in records:
        for seat in (seat for seat, bot in enumerate(record.bots) if bot == label):  # several if it holds a team
            yield record, seat
