"""`arena verify`: replay every game of a tournament and compare."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.asked_again import AskingAgain, ask_export, ask_ledger
from arena.cli.check import built_bot
from arena.cli.completion import bot_words
from arena.cli.options import AsJson, BuildNetwork, IsolationLevel, chosen_isolation, folder_to_read, reader
from arena.cli.progress import Quiet, drawn_bar
from arena.cli.terminal import ExitCode, examples, print_json, say
from arena.common.labels import bot_name
from arena.common.printable import as_typed, printable
from arena.common.progress import SILENT
from arena.entrants.manifest import FILE as BOT_FILE
from arena.entrants.packaged import is_packaged
from arena.ledger import Ledger
from arena.replays.export import CHAIN, GAMES
from arena.replays.game_file import read_game
from arena.tournament.bounds import NumberBounds
from arena.tournament.exported import is_export, verify_export
from arena.tournament.folders import has_ledger
from arena.tournament.head_publisher import heads_in
from arena.tournament.verification import ONE_GAME, Verification, verify_game, verify_ledger


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        "verify",
        epilog=examples(
            "arena verify",
            "arena verify tournaments/default --json",
            "arena verify tournaments/default --head HASH",
            "arena verify tournaments/default --bots --sample 20",
            "arena verify tournaments/default --bot mine.py",
            "arena verify export --bot mine.py --head HASH",
            "arena verify export/games/p4-b0000-r0.json --bot mine.py",
        ),
        context_settings={"allow_extra_args": True},  # of which is said what they may be meant for
    )(command)


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
        bool, typer.Option("--bots", help="Ask the bots again that call themselves deterministic.")
    ] = False,
    bot: OneBot = None,
    sample: Annotated[
        int | None,
        typer.Option(help="Ask about so many games of each bot.", parser=reader(NumberBounds(1)), metavar="N"),
    ] = None,
    isolation: IsolationLevel = None,
    build_network: BuildNetwork = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Derive the schedule again, replay every recorded game, and compare.

    The seed must give the same games at the same places, and each game's seed and actions the same ranks, scores and
    events, and the same data for its page. No game may be missing, and the right ones must be rated.
    """
    _check_typed(context.args, what, bots)
    if bots and bot is not None:
        raise typer.BadParameter("choose one of --bots and --bot", param_hint="--bot")
    of_asking = {"--sample": sample, "--isolation": isolation, "--build-network": build_network or None}
    for option, value in of_asking.items():
        if value is not None and not bots and bot is None:
            raise typer.BadParameter("only together with --bots or --bot", param_hint=option)
    if bots and what is not None and (what.is_file() or (is_export(what) and not has_ledger(what))):
        raise typer.BadParameter("only for a tournament's folder: name one with --bot", param_hint="--bots")
    published = [*([] if head is None else [head]), *([] if heads is None else heads_in(heads))]
    if what is not None and what.is_file():
        if published:
            raise typer.BadParameter("only for the folder of a tournament or an export", param_hint="--head")
        _report(_game(what, bot, isolation, build_network), as_json)
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
            if bot is not None and export.games:
                _add(found, ask_export(export, sample, bot, chosen_isolation(isolation, build_network)))
        else:
            with Ledger.open(folder_to_read(what)) as ledger:
                found = verify_ledger(ledger, published, progress)
                if bots or bot is not None:
                    _add(found, ask_ledger(ledger, sample, bot, chosen_isolation(isolation, build_network)))
    _report(found, as_json)


def _check_typed(rest: Sequence[str], what: Path | None, bots: bool) -> None:
    """Raise `typer.BadParameter` for more words than one, and for a bot in the place of what it played in."""
    words = [*([] if what is None else [str(what)]), *rest]
    for word in words:
        if is_packaged(word) or Path(word).suffix == ".py" or (Path(word) / BOT_FILE).is_file():
            others = as_typed(*(each for each in words if each != word), "--bot", word)
            why = "--bots asks those of the tournament again, and takes no name" if bots else f"{word} is a bot"
            raise typer.BadParameter(f"{why}: to ask this one, type  arena verify {others}", param_hint="WHAT")
    if rest:
        raise typer.BadParameter(f"one folder or game at a time, without {as_typed(*rest)}", param_hint="WHAT")


def _game(file: Path, bot: str | None, isolation: str | None, build_network: bool | None) -> Verification:
    """Verify one game, and ask a bot about the seats that bear its name."""
    game = read_game(file)
    differences = verify_game(game)
    found = Verification(1, "", 0, {game.record.id: differences} if differences else {}, [ONE_GAME])
    if bot is not None and not differences:
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
        say(
            f"{found.games} {'game' if found.games == 1 else 'games'} verified"
            + (f", {len(found.different)} with differences" if found.different else ", all as recorded")
        )
    if found.different:
        raise typer.Exit(ExitCode.NO)
