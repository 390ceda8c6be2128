"""Say what a tournament has found out about the order of its bots: what is known, how surely, and what is not."""

from __future__ import annotations

from arena.common.printable import printable
from arena.ledger import Contradiction, NeighbourVerdict, Resolution


def resolution_in_words(resolution: Resolution) -> list[str]:
    """Return what is known, in a line each."""
    verdicts, contradictions = resolution.verdicts, resolution.contradictions
    open_ones = sum(verdict.kind == "undecided" for verdict in verdicts)
    if not verdicts:
        return []
    sure = f"with {100 * (1 - resolution.error):g} % confidence all at once, however often one looked"
    if resolution.joined:
        sure += ", unless bots joined because of results"
    if open_ones:
        head = f"the order is not resolved: {open_ones} of {len(verdicts)} neighbours cannot be told apart yet"
    elif contradictions:
        head = (
            "the order is not resolved: no order agrees with all that is known, since bots beat each other in a circle"
        )
    else:
        head = "the order is resolved: all neighbours are told apart, or within the margin"
    known = [] if open_ones == len(verdicts) and not contradictions else [f"known {sure}:"]
    lines = [_words(verdict, resolution.margin) for verdict in verdicts if verdict.kind != "undecided"]
    lines += [f"undecided: {_against(each)}" for each in contradictions]
    not_yet = [_words(verdict, resolution.margin) for verdict in verdicts if verdict.kind == "undecided"]
    others = "other bots that are not neighbours" if contradictions else "bots that are not neighbours"
    rest = f"of {others} no test says that the lower one is better; whether they are apart or tied is not said"
    return [head, *known, *lines, *not_yet, *([rest] if known and len(verdicts) > 1 else [])]


def _against(found: Contradiction) -> str:
    upper, lower = printable(found.upper), printable(found.lower)
    how = (
        ""
        if found.difference is None
        else f" (mean finish {-found.difference:.3f} less, in {found.games} games of both)"
    )
    return f"{lower} stands below {upper}, and is better than it{how}"


def _words(verdict: NeighbourVerdict, margin: float) -> str:
    upper, lower = printable(verdict.upper), printable(verdict.lower)
    if verdict.kind == "apart":
        said = f"{upper} is better than {lower}"
    elif verdict.kind == "tied":
        said = f"{upper} and {lower} are within {margin:g} of each other"
    else:
        said = f"not known: whether {upper} is better than {lower}, or within {margin:g} of it"
    if verdict.difference is None:
        return f"{said} (they have not met)"
    how = "less" if verdict.difference >= 0 else "more"
    return f"{said} (mean finish {abs(verdict.difference):.3f} {how}, in {verdict.games} games of both)"
