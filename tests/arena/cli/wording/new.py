"""`arena new`."""

from __future__ import annotations

import numpy as np

from arena.features import Form
from tests.arena.cli.wording.scenario import Place, scenario


def nothing_but_programs(place: Place) -> None:
    """Every program is found, and no library."""
    place.monkeypatch.setattr("arena.starters._succeeds", lambda _: False)
    place.monkeypatch.setattr("arena.starters.shutil.which", lambda program, **_: program)


def no_programs(place: Place) -> None:
    place.monkeypatch.setattr("arena.starters.shutil.which", lambda _, **__: None)


def policies(place: Place) -> None:
    """A form of leduc, a policy that fits it, and one that does not."""
    form = Form.of(LEDUC)
    form.save(place.folder / "form.json")
    for name, width in (("p.npz", form.observation_width), ("wide.npz", 10_000)):
        count = form.actions.count
        np.savez(place.folder / name, W0=np.zeros((width, count)), b0=np.zeros(count))
    place.write("p.txt")
    place.write("lone/p.npz", (place.folder / "p.npz").read_bytes())
    place.write("agents/fast.py")


LEDUC = "openspiel:leduc_poker"
SCENARIOS = [
    scenario("a saved policy", "new mine --from p.npz", "new yours --from p.npz --json", given=policies),
    scenario(
        "a policy that does not do",
        "new mine --from wide.npz",
        "new mine --from p.npz --game kosmos",
        "new mine --from lone/p.npz",
        "new mine --from p.npz --form p.txt",
        "new mine --from p.npz --form nowhere",
        "new mine --from p.txt",
        "new mine --from nowhere.onnx",
        "new mine --from agents.fast:decide",
        "new mine --from uci --form form.json",
        given=policies,
    ),
    scenario("a bot in Python", "new fogg --lang python", "new deep/mine --lang Python --game ravensburger"),
    scenario("a bot that is a program of others", "new fish --from gtp", given=no_programs),
    scenario("the rules of a game", "new word-race --rules", "new dice --rules --json"),
    scenario("the languages, where libraries are missing", "new --list", given=nothing_but_programs),
    scenario("the languages, where programs are missing", "new --list", given=no_programs),
    scenario(
        "a bot in a language whose libraries are missing",
        "new fogg --lang c",
        given=nothing_but_programs,
        hide=["(?<=fogg: ).*"],
    ),
    scenario(
        "what cannot be made",
        "new mine",
        "new --lang python",
        "new mine --lang perl",
        "new mine --lang typscript",
        "new Mine --lang python",
        "new there --lang python",
        "new mine --lang python --game halma",
        "new mine --from xboard",
        "new mine --from uci --rules",
        "new kosmos --rules",
        "new random --rules",
        "new Skull --rules",
        given=lambda place: place.write("there/notes"),
    ),
]
