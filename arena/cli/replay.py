"""`arena replay`: print a recorded game."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

import msgspec
import typer

from arena.check import Answer, Failed, Problem, ask_again
from arena.cli.check import built_bots, problem_lines
from arena.cli.narration import Narrator
from arena.cli.options import (
    IsolationOptions,
    bot_words,
    folder_to_read,
    game_ids,
    reader,
    with_isolation,
)
from arena.cli.terminal import ExitCode, print_json, say
from arena.common.decoding_words import in_words
from arena.common.regular_files import write_atomic
from arena.entrants import Built
from arena.game.clock import TimeControl
from arena.game.replay import begun, replay_from, verify
from arena.ledger import DamagedLedger, GameRecord, Ledger
from arena.replays.export import GAMES
from arena.replays.game_file import GameFileError, read_game
from arena.replays.page_data import build_page_data
from arena.replays.replayed import reasons, replayed
from arena.site import check_libraries
from arena.site.share_pages import board_of, game_gif
from arena.tournament.bounds import NumberBounds
from arena.tournament.folders import has_ledger
from arena.tournament.verification.export import is_export
from engine import catalog
from engine.rules import Data, Rules

EXAMPLES: Final = (
    "arena replay p4-b0000-r0",
    "arena replay tournaments/default p4-b0000-r0",
    "arena replay tournaments/default p4-b0000-r0 --seat 3",
    "arena replay tournaments/default p4-b0000-r0 --seat 3 --bot mine.py",
    "arena replay tournaments/default p4-b0000-r0 --json",
    "arena replay tournaments/default p4-b0000-r0 --to game.gif",
    "arena replay export/games/p4-b0000-r0.json --seat 3",
)


Source = Annotated[
    Path,
    typer.Argument(
        help="A game of the tournament last run here, a tournament's folder, or a file by `arena export`.",
        metavar="WHAT",
        autocompletion=game_ids,
    ),
]
GameId = Annotated[
    str | None,
    typer.Argument(help="A game of that folder, as `arena show` names it.", metavar="GAME", autocompletion=game_ids),
]


@with_isolation
def command(
    source: Source,
    game_id: GameId = None,
    seat: Annotated[
        int | None,
        typer.Option(help="Show only what this seat saw, from 1.", parser=reader(NumberBounds(1)), metavar="N"),
    ] = None,
    bot: Annotated[
        str | None,
        typer.Option(
            help="Ask this bot the seat's questions, and show where it differs.",
            metavar="BOT",
            autocompletion=bot_words,
        ),
    ] = None,
    *,
    apart: IsolationOptions,
    as_json: Annotated[bool, typer.Option("--json", help="Print steps and events as JSON.")] = False,
    to: Annotated[
        Path | None, typer.Option(help="Write what all saw as a picture that plays itself.", metavar="FILE.gif")
    ] = None,
) -> None:
    """Print a recorded game turn by turn: all of it, or what one seat saw."""
    if to is not None and to.suffix.lower() != ".gif":
        raise typer.BadParameter(f"{to}: only a GIF can be written, as game.gif", param_hint="--to")
    if to is not None and (seat is not None or bot is not None or as_json):
        raise typer.BadParameter("it shows what all saw: leave out --seat, --bot and --json", param_hint="--to")
    seat = None if seat is None else seat - 1
    if bot is not None and seat is None:
        raise typer.BadParameter("name the seat whose messages it is sent", param_hint="--seat")
    chosen = chosen_game(source, game_id)
    record, edition = chosen.record, chosen.edition
    if seat is not None and seat >= record.players:
        raise typer.BadParameter(f"{seat + 1}: {record.id} has the seats 1 to {record.players}", param_hint="--seat")
    if bot is not None and seat is not None:
        time = chosen.time_control(source)
        [again] = built_bots([bot], apart)
        _again(again, record, chosen.rules, edition, seat, time, as_json)
    elif to is not None:
        check_libraries("PIL")
        write_atomic(to, game_gif(board_of(chosen.rules, edition), build_page_data(record, chosen.rules, edition)[0]))
        say(f"written: {to}")
    elif as_json:
        print_json(replayed(record, chosen.rules, edition, seat))
    else:
        _as_words(record, chosen.rules, edition, seat)


class ChosenGame(NamedTuple):
    """A game with the settings of its tournament."""

    record: GameRecord
    rules: Rules
    edition: Data
    time: Mapping[str, Any]
    folder: Path | None = None
    """The tournament's; None: the game stands in a file of its own."""

    def time_control(self, source: Path) -> TimeControl:
        """Return the time control. Raises `DamagedLedger`."""
        try:
            return msgspec.convert(self.time, TimeControl)
        except msgspec.ValidationError as error:
            raise DamagedLedger(f"the time control of {source} was altered or is damaged: {in_words(error)}") from None


def chosen_game(source: Path, game_id: str | None) -> ChosenGame:
    """Return the game that is typed: of a folder, in a file, or of the tournament last run here."""
    if game_id is not None:
        return _from_folder(*_in_order(source, game_id))
    if source.exists() or source.name != str(source) or source.suffix:
        return _from_file(source)
    return _from_ledger(folder_to_read(None), str(source))


def _in_order(one: Path, other: str) -> tuple[Path, str]:
    """Return the folder and the id of a game, in whatever order they are typed."""
    return (Path(other), str(one)) if not one.exists() and Path(other).is_dir() else (one, other)


def _from_folder(folder: Path, game_id: str) -> ChosenGame:
    """Read a game of a tournament's folder, or of an export's."""
    if is_export(folder) and not has_ledger(folder):
        return _from_file(folder / GAMES / f"{game_id}.json")
    return _from_ledger(folder, game_id)


def _from_ledger(folder: Path, game_id: str) -> ChosenGame:
    with Ledger.open(folder) as ledger:
        record = ledger.game(game_id)
        settings = ledger.settings
    return ChosenGame(record, catalog.rules(settings.game), settings.edition, settings.time, folder)


def _from_file(file: Path) -> ChosenGame:
    """Read a game from a file, and replay it from its seed. Raises `GameFileError` if the file says something else."""
    if file.is_dir():
        raise typer.BadParameter(f"{file} is a folder: name one of its games too", param_hint="GAME")
    game = read_game(file)
    rules = catalog.rules(game.game)
    if differences := verify(game.record, rules, game.edition):
        raise GameFileError(f"{file} is not what its seed and steps give: {'; '.join(differences)}")
    return ChosenGame(game.record, rules, game.edition, game.time)


def _again(
    built: Built, record: GameRecord, rules: Rules, edition: Data, seat: int, time: TimeControl, as_json: bool
) -> None:
    """Ask a bot the recorded questions of a seat again, and print where it decides differently."""
    narrator = Narrator(rules, record.bots)
    answers: list[Answer] = []
    failed: Problem | None = None
    try:
        for answer in ask_again(built, record, rules, edition, seat, time):
            answers.append(answer)
            if (answer.differs or answer.is_lost) and not as_json:
                was = "lost" if answer.is_lost else _choice(narrator, answer, answer.recorded.index)
                say(f"turn {answer.question.turn}: recorded {was}, now {_choice(narrator, answer, answer.now)}")
    except Failed as failure:
        failed = failure.problem
    different = [answer for answer in answers if answer.differs]
    if as_json:
        found = [{"turn": each.question.turn, "recorded": each.recorded.index, "now": each.now} for each in different]
        head = {"id": record.id, "seat": seat, "bot": built.entrant.name, "isolation": built.isolation.level}
        print_json(
            {**head, "decisions": len(answers), "different": found, "failed": None if failed is None else failed.what}
        )
    else:
        for line in () if failed is None else problem_lines(failed):
            say(line)
        say(f"{len(answers)} decisions of {record.bots[seat]}, {built.entrant.name} differs in {len(different)}")
    if different or failed is not None:
        raise typer.Exit(ExitCode.NO)


def _choice(narrator: Narrator, answer: Answer, index: int | None) -> str:
    assert index is not None
    return f"{index} ({narrator.words(answer.question.actions[index])})"


def _as_words(record: GameRecord, rules: Rules, edition: Data, seat: int | None) -> None:
    narrator = Narrator(rules, record.bots, seat)
    say(f"{record.id}: {', '.join(f'{place} {bot}' for place, bot in enumerate(record.bots))}")
    state = begun(record, rules, edition)
    for line in narrator.opening(state):
        say(line)
    for game_step in replay_from(state, record):
        if game_step.step.by == "bot" and game_step.step.seat == seat:
            say(narrator.choice(game_step))
        for line in narrator.step(game_step.step, game_step.events):
            say(line)
    for fault in record.faults:
        if seat is None or fault.seat == seat:
            say(narrator.fault(fault))
    for line in narrator.result(record, reasons(record, rules, edition)):
        say(line)
