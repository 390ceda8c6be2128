"""`arena tournament`: play a round robin across player counts, and print the tables."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from arena.cli import log
from arena.cli.history import same_names, verdicts
from arena.cli.live import LiveProgress, TournamentView
from arena.cli.options import AsJson, warn_of_isolation, with_settings
from arena.cli.progress import is_quiet
from arena.cli.terminal import ExitCode, print_json, say, terminal_width, warn
from arena.common.printable import as_typed, counted
from arena.common.processes import cores
from arena.common.progress import Progress, said_if_long
from arena.entrants.build import default_cache
from arena.isolation.probe import choose
from arena.ledger import Ledger
from arena.referee.time.run_queue import credits_waiting
from arena.standings import leaderboard, rated_results
from arena.standings.game_counts import GameCounts, UncontestedGames, game_counts
from arena.standings.kept_leads import keep_overall_lead
from arena.standings.leaderboard_text import plain
from arena.standings.machine_losses import slow_machines_in_words
from arena.tournament.observer import RunOutcome
from arena.tournament.plan import Plan, PlanError, read_plan
from arena.tournament.plan_trust import opened
from arena.tournament.run import run
from arena.tournament.workers import MakeExecutor, Workforce
from engine import catalog

_MORE: Final = 200
"""Games for an order that is surer than that of as many as are played by default."""
_CHARGED: Final = "this system does not report how long a bot waits for a core, so bots are charged for it"


TrustPlan = Annotated[
    bool,
    typer.Option(
        "--trust-plan",
        help="Run the plan without asking, whatever it opens to bots or runs as you.",
        rich_help_panel="Isolation",
    ),
]


EXAMPLES: Final = (
    "arena tournament bots/*.py",
    "arena tournament bots/* --games 1000 --players 2,4 --seed 1",
    "arena tournament --plan tournaments/quick.toml",
    "arena tournament mine.py bots/planner.py --minutes 5 --out /tmp/trial",
    "arena tournament bots/*.py --pin mine@2",
    "arena tournament mine.py bots/*.py --challenger mine --games 60",
    "arena tournament bots/* --format swiss --rounds 7",
    "arena tournament bots/* --until resolved --margin 0.05",
    "arena tournament bots/* --cluster tls://scheduler:8786",
)


@with_settings("tournament")
def command(
    plan: Annotated[Path | None, typer.Option(help="A TOML file with these options. Flags win.")] = None,
    *,
    trust_plan: TrustPlan = False,
    verbose: log.Verbose = False,
    as_json: AsJson = False,
    **settings: Any,
) -> None:
    """Play a round robin across player counts. Run it again to continue where it stopped.

    The tournament goes on when bots change: a new bot joins, a changed one joins as its next version (mine@2) while the
    version before leaves, and their games are kept.
    """
    asked = read_plan(plan, settings)
    if plan is not None and not trust_plan:
        _ask_for_trust(plan, opened(asked, settings))
    _play(asked, as_json)


def _play(asked: Plan, as_json: bool) -> None:
    """Play by a plan, print the tables and what else there is to say, and exit with the right code."""
    _warn_of_jobs(asked)
    warn_of_isolation(choose(asked.isolation))
    view = TournamentView(asked.minutes)
    with LiveProgress(view) as progress:
        with _workers(asked, progress) as workers:
            outcome = run(asked, progress, workers, observers=[view])
        if outcome.commitment:
            _say_commitment(outcome, as_json)
            return
        with said_if_long(progress, "rating the games"), Ledger.open(outcome.folder) as ledger:
            results = ledger.results()
            rated = rated_results(ledger, results)
            board, counts = leaderboard(ledger, results=rated), game_counts(ledger, results, rated)
            outcome.conclusions += [*same_names(ledger), *verdicts(ledger, board), *slow_machines_in_words(ledger)]
        keep_overall_lead(outcome.folder, default_cache(), board.columns, board.overall_lead)
    if as_json:
        print_json(board.data())
    else:
        say()
        say(plain(board, terminal_width()))
    _conclude(asked, outcome, counts, board.uncontested, warn if as_json else say)
    code = _exit_code(outcome, board.uncontested)
    if code == ExitCode.FINE and asked.is_plain() and not (as_json or is_quiet()):
        _say_what_next(asked)
    raise typer.Exit(code)


@contextmanager
def _workers(plan: Plan, progress: Progress) -> Iterator[MakeExecutor | Workforce]:
    """Give the workers that play: those of this machine, or those of a cluster until the block ends."""
    if plan.cluster is None:
        yield log.workers()
        return
    from arena.cluster.dask_cluster import DaskCluster  # few tournaments have any

    with DaskCluster(plan.cluster, catalog.rules(plan.game).name, progress) as cluster:
        yield cluster


def _ask_for_trust(plan: Path, lines: Sequence[str]) -> None:
    """Say what a plan opens, and ask whether that is wanted. Raises `PlanError` off a terminal."""
    if not lines:
        return
    warn(f"{plan} opens more than a tournament needs:")
    for line in lines:
        warn(f"  {line}")
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise PlanError(f"{plan}: nobody can be asked here whether to trust it: read it, and add --trust-plan")
    if not typer.confirm("Play by it?", err=True):
        raise PlanError(f"{plan} was not trusted, and nothing of it was run")


def _exit_code(outcome: RunOutcome, uncontested: UncontestedGames) -> ExitCode:
    if outcome.interrupted:
        return ExitCode.INTERRUPTED
    if outcome.is_short or uncontested.are_most:
        return ExitCode.SHORT
    return ExitCode.SET_ASIDE if outcome.set_aside else ExitCode.FINE


def _say_commitment(outcome: RunOutcome, as_json: bool) -> None:
    if as_json:
        print_json({"commitment": outcome.commitment, "head": outcome.head})
        return
    say("Publish this line where it cannot be changed, before the public value is known:")
    say(f"  {outcome.commitment}")
    say("Then type the same command again, with --beacon VALUE in the place of --commit.")


def _warn_of_jobs(plan: Plan) -> None:
    if plan.cluster is None and (have := cores()) < (plan.jobs or 0):
        why = "they wait for each other, and nothing is played sooner" if credits_waiting() else _CHARGED
        warn(f"--jobs {plan.jobs}, but this machine has {have} cores for them: {why}. Leave out --jobs.")


def _conclude(
    plan: Plan, outcome: RunOutcome, counts: GameCounts, uncontested: UncontestedGames, say: Callable[[str], None]
) -> None:
    if outcome.interrupted:
        say(f"Interrupted after {counted(outcome.played, 'game')}, kept in {outcome.folder}. To go on, type:")
        say(f"  {_again(sys.argv[1:], plan)}")
        say(f"Head: {outcome.head}")
        return
    for line in outcome.conclusions:
        say(line)
    here = "" if outcome.played == counts.played else f"; {outcome.played:,} played by this run"
    say(f"{counts.words}{here}. Results: {outcome.folder}")
    say(f"Head: {outcome.head}")
    if outcome.is_short:
        say(f"Only {outcome.counting} of the {outcome.asked} games asked for could be played.")
    if uncontested.games:
        why = as_typed("arena", "show", outcome.folder, "--faults", *[*uncontested.bots][:1])
        say(f"{uncontested.gist}. To see why: {why}")
    if outcome.left_out:
        say(f"Without {', '.join(outcome.left_out)}: left out, see above.")
    for name, reason in outcome.left_out.items():
        if "\n" in reason:
            say(f"  {as_typed('arena', 'show', outcome.folder, '--faults', name)}")
    if outcome.set_aside:
        say(f"Set aside after failing twice: {', '.join(outcome.set_aside)}")
    if plan.seed is not None:
        say("The seed was given, so it is no secret. For a competition leave out --seed.")


def _say_what_next(plan: Plan) -> None:
    """Say how to go on, if no more was typed than which bots play."""
    folder = "" if plan.out is None else f" {as_typed(plan.out)}"
    lines = {
        f"arena show{folder} --web": "look: the tables, and every game to play back",
        "arena play": "play against bots yourself",
        "arena new mine --lang python": "make a bot of your own",
        f"arena tournament ... --games {_MORE}": "the same bots: go on, for a surer order",
    }
    width = max(map(len, lines))
    say()
    say("What next?")
    for typed, what in lines.items():
        say(f"  {typed:<{width}}  {what}")


def _again(typed: Sequence[str], plan: Plan) -> str:
    """Return the command that continues what `typed` began: without `--fresh`, which would start over."""
    words = [word for word in typed if word != "--fresh"]
    if plan.fresh and len(words) == len(typed):
        words.append("--no-fresh")  # the plan's file says `fresh`
    return as_typed("arena", *words)
