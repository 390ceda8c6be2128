"""Write docs/openspiel.md, the table of all games of OpenSpiel: python -m generators.bridged [GAME ...]

Each game is checked by `engine.testing` with its fewest players, in a process of its own that may take so many seconds.
With names, only these are checked, and the result is printed.
"""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from engine import catalog, testing
from engine.bridges import spiel_rules
from engine.chance import Seeded, derive

PAGE: Final = Path(__file__).parents[1] / "docs" / "openspiel.md"
SECONDS: Final = 60
GAMES: Final = 100
"""Games in which worlds are searched, for every number of players up to two more than the fewest."""
JOBS: Final = 2
HEAD: Final = """# The games of OpenSpiel

What [`--game openspiel:NAME`](bridges.md) can play, of OpenSpiel {version}. `python -m generators.bridged` writes this
page: it runs the checks of `engine.testing` on every game, with its fewest players and for at most {seconds} seconds.

Of {all} games {hosted} can be played, and {passed} of these pass all checks within the time.

| game | players | chance | worlds | played for | checks |
|---|---|---|---|---|---|
"""


def main() -> None:
    match sys.argv[1:]:
        case ["--one", name]:
            check(name)
        case ["--worlds", *names]:
            for name in names:
                print(name, searched(name), flush=True)
        case []:
            PAGE.write_text(page(), "utf-8")
        case names:
            for name in names:
                print(name, result(f"openspiel:{name}"))


def check(name: str) -> None:
    """Print what the rules are, and then a line for every check that has ended."""
    rules = catalog.rules(name)
    has = rules.capabilities
    low, high = rules.players
    print(json.dumps({
        "players": str(low) if low == high else f"{low}–{high}",
        "chance": "yes" if has.chance else "",
        "worlds": "yes" if has.worlds else "",
        "score": "rank" if has.score is None else "score, " + _kind(has.score),
    }), flush=True)  # fmt: skip
    case = next(testing.cases(rules))
    for each in (testing.check_rules, *testing.CHECKS):
        try:
            each(rules if each is testing.check_rules else case)
            print(json.dumps({"check": each.__name__, "found": ""}), flush=True)
        except Exception as error:
            print(json.dumps({"check": each.__name__, "found": f"{type(error).__name__}: {error}"[:300]}), flush=True)


def searched(name: str) -> str:
    """Try to find a world at every decision of some games, for the set `engine.bridges.spiel_worlds.SEARCHED`."""
    spiel_rules.SEARCHED = frozenset([name])
    rules = catalog.rules(f"openspiel:{name}")
    asked, began = 0, perf_counter()
    for players in range(rules.players[0], min(rules.players[1], rules.players[0] + 2) + 1):
        edition = rules.edition("standard")
        for number in range(GAMES):
            state = rules.start(players, edition, Seeded(derive(bytes(16), "worlds", players, number)))
            lots = Seeded(derive(bytes(16), "lots", players, number))
            while (seat := state.to_act) is not None:
                world = rules.determinize(state.view(seat), players, edition, lots.copy())
                if world is None:
                    return f"no: none found at decision {asked} with {players} players"
                asked += 1
                state.play(lots.below("move", len(state.actions())))
                if perf_counter() - began > SECONDS:
                    return f"late: {asked} worlds in {SECONDS} seconds"
    return f"yes: {asked} worlds, {1000 * (perf_counter() - began) / asked:.1f} ms each"


def _kind(score: Any) -> str:
    return "together" if score.cooperative else "zero-sum" if score.zero_sum else "general"


def result(name: str) -> dict[str, Any]:
    """What a process of its own found: `checks` by name, each with the fault or "", and those that did not end."""
    command = [sys.executable, "-m", "generators.bridged", "--one", name]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, cwd=PAGE.parents[1])
        printed, died = done.stdout, done.stderr.strip().splitlines()[-1:] if done.returncode else []
    except subprocess.TimeoutExpired as error:
        printed, died = (error.stdout or b"").decode(), []
    lines = [json.loads(line) for line in printed.splitlines()]
    about = lines[0] if lines else {}
    checks = {line["check"]: line["found"] for line in lines[1:]}
    missing = [each.__name__ for each in (testing.check_rules, *testing.CHECKS) if each.__name__ not in checks]
    return {**about, "checks": checks, "missing": missing, "died": "".join(died)}


def page() -> str:
    provider = catalog.provider("openspiel")
    assert provider is not None
    offers = provider.offers()
    hosted = [offer.name for offer in offers if not offer.refused]
    with ThreadPoolExecutor(JOBS) as pool:
        results = dict(zip(hosted, pool.map(result, hosted), strict=True))
    failing = {name for name, found in results.items() if found["missing"] or any(found["checks"].values())}
    head = HEAD.format(
        version=provider.version,
        seconds=SECONDS,
        all=len(offers),
        hosted=len(hosted),
        passed=len(hosted) - len(failing),
    )
    rows = [_row(offer.name.partition(":")[2], offer.refused, results.get(offer.name)) for offer in offers]
    return head + "".join(rows)


def _row(name: str, refused: str, found: dict[str, Any] | None) -> str:
    if found is None:
        return f"| `{name}` | | | | | refused: {refused} |\n"
    faults = [f"{each}: {why}".replace("|", "/") for each, why in found["checks"].items() if why]
    late = f"not ended: {', '.join(found['missing'])}" if found["missing"] else ""
    fault = "; ".join([*faults, *([late] if late else [])]) or "all"
    return (
        "| "
        + " | ".join([f"`{name}`", *(found.get(k, "") for k in ("players", "chance", "worlds", "score")), fault])
        + " |\n"
    )


if __name__ == "__main__":
    main()
