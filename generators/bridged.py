"""Write docs/openspiel.md, the table of all games of OpenSpiel: python -m generators.bridged [GAME ...]

Each game is checked by `engine.testing` and by the leak kit (`generators.spiel_leaks`) with its fewest players, and
goes through every command that plays or shows: each in a process of its own that may take so many seconds. With names,
only these games are looked at, and the result is printed.
`--kit` writes the page again, with another run of the kit alone.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from engine import catalog, testing
from engine.bridges import spiel_rules
from engine.chance import Seeded, derive
from generators import spiel_leaks

PAGE: Final = Path(__file__).parents[1] / "docs" / "openspiel.md"
RAW: Final = Path(tempfile.gettempdir()) / "openspiel.json"
"""All that was found, with the details for which the page has no room."""
SECONDS: Final = 60
"""Of processor time, for the checks of a game and for the leak kit."""
WALL: Final = 300
"""For each command, as a busy machine counts them."""
SHORT: Final = 160
"""Letters of a fault on the page."""
GAMES: Final = 100
"""Games in which worlds are searched, for every number of players up to two more than the fewest."""
LIMITED: Final = ["sh", "-c", f'ulimit -t {SECONDS}; exec "$@"', "sh"]
JOBS: Final = 2
CHOICES: Final = 1000
"""Decisions of the person who plays in the terminal; so many end nearly every game."""
HEAD: Final = """# The games of OpenSpiel

What [`--game openspiel:NAME`](bridges.md) can play, of OpenSpiel {version}. `python -m generators.bridged` writes this
page. It runs the checks of `engine.testing` and, where information is hidden, the [leak kit](leaks.md), then `match`,
`tournament`, `verify`, `replay`, `publish` and `play --text`: with the fewest players, and the checks together and the
kit for at most {seconds} seconds of processor time, each command for at most {wall} seconds.

Of {all} games {hosted} can be played. Of these {passed} pass all checks within the time, and {played} go through all
commands. Information is hidden in {hidden}. In {tested} of them the kit compared worlds that differ, and in {leaking}
it found something: *not sent* is what OpenSpiel has beyond the text, which bots do not get. The numbers are the
comparisons in which the worlds differed, and all comparisons.

| game | players | chance | worlds | played for | checks | leak kit | commands |
|---|---|---|---|---|---|---|---|
"""


def main() -> None:
    match sys.argv[1:]:
        case ["--one", name]:
            check(name)
        case ["--worlds", *names]:
            for name in names:
                print(name, searched(name), flush=True)
        case ["--kit"]:
            results = json.loads(RAW.read_text("utf-8"))
            with ThreadPoolExecutor(JOBS) as pool:
                list(pool.map(look_for_leaks, results.keys(), results.values()))
            write(results)
        case []:
            write(look_at_all())
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
        "hidden": spiel_leaks.is_hidden(name.partition(":")[2]),
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
    """What processes of its own found: `checks` by name, each with the fault or "", and those that did not end."""
    printed, died = _run([*LIMITED, sys.executable, "-m", "generators.bridged", "--one", name])
    lines = [json.loads(line) for line in printed.splitlines()]
    about = lines[0] if lines else {}
    checks = {line["check"]: line["found"] for line in lines[1:]}
    missing = [each.__name__ for each in (testing.check_rules, *testing.CHECKS) if each.__name__ not in checks]
    found = {**about, "checks": checks, "missing": missing, "died": died}
    if about:
        look_for_leaks(name, found)
        found["unplayed"] = unplayed(name, int(about["players"].partition("–")[0]))
    print(name, found.get("unplayed"), file=sys.stderr, flush=True)
    return found


def look_for_leaks(name: str, found: dict[str, Any]) -> None:
    """Add what the kit finds to what was found in a game, if it hides something."""
    if found.get("hidden"):
        kit = [*LIMITED, sys.executable, "-m", "generators.spiel_leaks", name.partition(":")[2]]
        printed, found["unkitted"] = _run(kit)
        found["kit"] = json.loads(printed) if printed else None


def unplayed(name: str, players: int) -> dict[str, str]:
    """Return the commands that fail for a game, each with the reason: by the command line, as anybody types it."""
    bots = [f"bot{number}=@random_bot" for number in range(players)]
    game = ["--game", name, "--seed", "1"]
    commands = {
        "match": [*bots, *game],
        "tournament": [*bots, *game, "--games", str(players), "--jobs", "1", "--out", "t"],
        "verify": ["t"],
        "replay": ["t", f"p{players}-b0000-r0"],
        "publish": ["t", "--to", "site"],
        "play": [*bots[1:], *game, "--text", "--hints", "none", "--ledger", "p"],
    }
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for command, words in commands.items():
            printed, died = _run([sys.executable, "-m", "arena", command, *words], "1\n" * CHOICES, folder)
            if died or (command == "play" and "recorded as" not in printed):
                found[command] = died or "the game did not end"
    return found


def _run(command: list[str], typed: str = "", folder: str | Path = PAGE.parents[1]) -> tuple[str, str]:
    """Return what a process printed, and why it failed, or nothing."""
    limit = 10 * WALL if command[0] == LIMITED[0] else WALL
    try:
        done = subprocess.run(command, input=typed, capture_output=True, text=True, timeout=limit, cwd=folder)
    except subprocess.TimeoutExpired as error:
        return (error.stdout or b"").decode(), f"not ended in {limit} seconds"
    if done.returncode in (-signal.SIGKILL, -signal.SIGXCPU):
        return done.stdout, f"not ended in {SECONDS} seconds of processor time"
    said = [line for line in (done.stderr or done.stdout).splitlines() if line.strip() and "again: " not in line]
    return done.stdout, (said or [f"ended with {done.returncode}"])[-1] if done.returncode else ""


def look_at_all() -> dict[str, dict[str, Any]]:
    provider = catalog.provider("openspiel")
    assert provider is not None
    hosted = [offer.name for offer in provider.offers() if not offer.refused]
    with ThreadPoolExecutor(JOBS) as pool:
        return dict(zip(hosted, pool.map(result, hosted), strict=True))


def write(results: dict[str, dict[str, Any]]) -> None:
    """Write the page, and keep what it says in short."""
    provider = catalog.provider("openspiel")
    assert provider is not None
    offers = provider.offers()
    RAW.write_text(json.dumps(results), "utf-8")
    failing = {name for name, found in results.items() if found["missing"] or any(found["checks"].values())}
    kits = [found["kit"] for found in results.values() if found.get("kit") and found["kit"]["differing"]]
    head = HEAD.format(
        version=provider.version,
        seconds=SECONDS,
        wall=WALL,
        all=len(offers),
        hosted=len(results),
        passed=len(results) - len(failing),
        played=sum(found.get("unplayed") == {} for found in results.values()),
        hidden=sum(bool(found.get("hidden")) for found in results.values()),
        tested=len(kits),
        leaking=sum(bool(kit["leaks"]) for kit in kits),
    )
    rows = [_row(offer.name.partition(":")[2], offer.refused, results.get(offer.name)) for offer in offers]
    PAGE.write_text(head + "".join(rows), "utf-8")


def _row(name: str, refused: str, found: dict[str, Any] | None) -> str:
    if found is None:
        return f"| `{name}` | | | | | refused: {refused} | | |\n"
    faults = [f"{each}: {why[:SHORT]}" for each, why in found["checks"].items() if why]
    late = f"not ended: {', '.join(found['missing'])}" if found["missing"] else ""
    fault = "; ".join([*faults, *([late] if late else [])]) or "all"
    unplayed = "; ".join(f"`{each}`: {why[:SHORT]}" for each, why in found.get("unplayed", {"": "none"}).items())
    about = (found.get(key, "") for key in ("players", "chance", "worlds", "score"))
    cells = [f"`{name}`", *about, fault, _kit(found), unplayed or "all"]
    return "| " + " | ".join(cell.replace("|", "/") for cell in cells) + " |\n"


def _kit(found: dict[str, Any]) -> str:
    if not found.get("hidden"):
        return ""
    if (kit := found["kit"]) is None:
        return str(found["unkitted"])
    leaks = [f"{part} (not sent)" if part in spiel_leaks.PARTS else part for part in kit["leaks"]]
    return f"{', '.join(leaks) or 'none'}: {kit['differing']} of {kit['compared']}"


if __name__ == "__main__":
    main()
