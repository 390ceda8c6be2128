"""Begin a tournament so that nobody can choose its seed: commit to it first, then add what nobody knew at that time."""

from __future__ import annotations

from arena.formats import recorded_format
from arena.isolation.settings import Isolation
from arena.ledger import Ledger, settle_beacon
from arena.tournament.coordinator import commitment, note_conditions, recorded_budget
from arena.tournament.plan import Plan, PlanError
from arena.tournament.workers import MakeExecutor
from arena.tournament.workforce import Workforce


def check_beginning(plan: Plan) -> None:
    """Raise `PlanError` if a plan for a new tournament has the public value already."""
    if plan.beacon is not None or plan.contributions:
        raise PlanError(
            "nothing was committed to that a public value could be added to: begin with --commit SOURCE alone, publish "
            "the line that it prints, and add --beacon VALUE when the value is known"
        )


def settle(plan: Plan, ledger: Ledger, isolation: Isolation, make: MakeExecutor | Workforce) -> str | None:
    """Add the public value to the seed if the tournament waits for it.

    Args:
        plan: What is asked for.
        ledger: The ledger, open to write.
        isolation: How bots are kept apart.
        make: Who will play.

    Returns:
        The line to publish if the value is still to come, so that nothing can be played; None: play.

    Raises:
        PlanError: The plan says otherwise than the ledger, or the value is missing.
    """
    settings, folder = ledger.settings, ledger.folder
    source, beacon = settings.beacon_source, settings.beacon
    if plan.commit is not None and plan.commit != source:
        said = "without --commit" if source is None else f"with --commit {source!r}"
        raise PlanError(f"the tournament in {folder} began {said}. Choose another --out, or add --fresh to begin anew")
    if source is None:
        if plan.beacon is not None or plan.contributions:
            raise PlanError(f"the tournament in {folder} began without --commit: no public value goes into its seed")
        return None
    if beacon is not None:
        if plan.beacon not in (None, beacon.value) or plan.contributions not in ([], beacon.contributions):
            raise PlanError(f"the seed of the tournament in {folder} has another public value: {beacon.value!r}")
        return None
    if plan.beacon is not None:
        settle_beacon(ledger, plan.beacon, plan.contributions)
        return None
    if plan.commit is None:
        raise PlanError(f"the tournament in {folder} waits for a public value ({source}): add it with --beacon")
    note_conditions(ledger, isolation, make)
    budget = recorded_budget(plan, recorded_format(settings, bytes(16)).ends)
    if ledger.chain.last("run") != ["run", budget]:
        ledger.begin_run(budget)
    return commitment(ledger)
