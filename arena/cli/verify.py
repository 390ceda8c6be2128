"""`arena verify`: replay every game of a tournament and compare."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Final

import typer

from arena.cli.asked_again import AskingAgain, ask_export, ask_ledger
from arena.cli.check import built_bot
from arena.cli.completion import bot_words
from arena.cli.options import AsJson, BuildNetwork, IsolationLevel, chosen_isolation, folder_to_read, reader
from arena.cli.progress import drawn_bar
from arena.cli.terminal import ExitCode, print_json, say
from arena.common.labels import bot_name
from arena.common.printable import as_typed, printable
from arena.common.progress import SILENT
from arena.entrants.manifest import FILE as BOT_FILE
from arena.entrants.packaged import is_packaged
from arena.ledger import Ledger
from arena.replays.export import CHAIN, GAMES
from arena.replays.game_file import read_game
from arena.reports.paragraphs import counted, listed
from arena.tournament.bounds import NumberBounds
from arena.tournament.folders import has_ledger
from arena.tournament.head_publisher import heads_in
from arena.tournament.verification.export import is_export, verify_export
from arena.tournament.verification.ledger import ONE_GAME, Verification, verify_game, verify_ledger

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
    isolation: IsolationLevel = None,
    build_network: BuildNetwork = None,
    as_json: AsJson = False,
) -> None:
    """Derive the schedule again, replay every recorded game, and compare.

    The seed must give the same games at the same places, and each game's seed and actions the same ranks, scores and
    events, and the same data for its page. No game may be missing, and the right ones must be rated.
    """
    what, named = _sorted_out(context.args, what, bots)
    if bots and bot is not None:
        raise typer.BadParameter("choose one of --bots and --bot", param_hint="--bot")
    of_asking = {"--sample": sample, "--isolation": isolation, "--build-network": build_network or None}
    for option, value in of_asking.items():
        if value is not None and not bots and bot is None:
            raise typer.BadParameter("only together with --bots or --bot", param_hint=option)
    asked = [bot] if bot is not None or (bots and not named) else [*named]  # None: all of the tournament
    if None in asked and what is not None and (what.is_file() or (is_export(what) and not has_ledger(what))):
        raise typer.BadParameter("without names only for a tournament's folder: --bots mine.py", param_hint="--bots")
    published = [*([] if head is None else [head]), *([] if heads is None else heads_in(heads))]
    if what is not None and what.is_file():
        if published:
            raise typer.BadParameter("only for the folder of a tournament or an export", param_hint="--head")
        _report(_game(what, [each for each in asked if each is not None], isolation, build_network), as_json)
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
            for each in asked:
                if each is not None and export.games:
                    _add(found, ask_export(export, sample, each, chosen_isolation(isolation, build_network)))
        else:
            with Ledger.open(folder_to_read(what)) as ledger:
                found = verify_ledger(ledger, published, progress)
                for each in asked:
                    _add(found, ask_ledger(ledger, sample, each, chosen_isolation(isolation, build_network)))
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


def _game(file: Path, bots: Sequence[str], isolation: str | None, build_network: bool | None) -> Verification:
    """Verify one game, and ask bots about the seats that bear their names."""
    game = read_game(file)
    differences = verify_game(game)
    found = Verification(1, "", 0, {game.record.id: differences} if differences else {}, [ONE_GAME])
    for bot in () if differences else bots:
        built = built_bot(bot, chosen_isolation(isolation, build_network))
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
