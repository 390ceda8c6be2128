"""Make a bot of a saved policy: read what a toolkit saved, and put it into a folder beside the one file that answers.

What toolkits save is turned into arrays here, once, so that a bot needs numpy at most, or onnxruntime for ONNX. The
bots that answer are starters in `bots/policies`, one for each way of asking a policy.
"""

from __future__ import annotations

import io
import json
import os
import pickle
import re
import shutil
import sys
import sysconfig
import zipfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from arena import shipped
from arena.common.regular_files import why_unread
from arena.entrants.manifest import FILE as MANIFEST
from arena.starters import StarterError, make, starter, wrappers
from engine import catalog
from engine.bridges.plain import text
from engine.chance import Seeded

POLICIES: Final = "bots/policies"
"""Where the bots that play by a saved policy are."""
FORM: Final = "form.json"
ACTIVATIONS: Final = ("relu", "tanh")
_LAYERS: Final = (
    (r"mlp_extractor\.policy_net\.\d+", r"action_net"),
    (r"q_net\.q_net\.\d+",),
    (r"encoder\.(?:actor_)?encoder\.net\.mlp\.\d+", r"pi\.net\.mlp\.\d+"),
)
"""The layers from a position to the scores of actions, in order, as Stable-Baselines3 and RLlib name them."""
_ARRAYS: Final = frozenset({"_reconstruct", "_frombuffer", "ndarray", "dtype", "scalar", "OrderedDict"})
_ONNX_INSTEAD: Final = "export it to ONNX, and say --from FILE.onnx"


class Policy(NamedTuple):
    """A policy as a bot carries it."""

    kind: str
    """The bot in `bots/policies` that asks it."""
    called: str
    """What `bot.toml` calls it: its file in the bot's folder, or MODULE:NAME."""
    content: bytes = b""
    """Of that file."""
    module: Path | None = None
    """The file or folder of a module that is copied; None: none has to be."""
    inputs: int | None = None
    """How many numbers it is shown. None: it does not say."""
    outputs: int | None = None
    game: str | None = None
    """The game that it plays, if it says so."""
    needs_form: bool = True
    """Whether it is shown numbers."""

    def check(self, width: int, steps: int, game: str) -> None:
        """Raise `StarterError` unless it fits the form of a game. `steps`: how many scores are wanted."""
        pairs = ("is shown", self.inputs, width, "numbers"), ("gives", self.outputs, steps, "scores")
        for does, own, wanted, what in pairs:
            if own not in (None, wanted):
                raise StarterError(
                    f"the policy {does} {own} {what}, and the form of {game} has {wanted}: give the form that it was "
                    "trained with by --form"
                )


def is_policy(source: str) -> bool:
    """Return whether `--from` names a policy, and not a protocol."""
    return source not in wrappers() and (":" in source or "." in source or Path(source).exists())


def read_policy(source: str) -> Policy:
    """Read a policy. Raises `StarterError` if there is none, or none that can be read."""
    path = Path(source)
    if not path.exists() and re.fullmatch(r"[\w.]+:[\w.]+", source):
        return _callable(source)
    reader = _rllib if path.is_dir() else _READERS.get(path.suffix)
    if reader is None:
        raise StarterError(f"{source} is no policy: give {', '.join(_READERS)}, a checkpoint of RLlib, or MODULE:NAME")
    try:
        return reader(path)
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, pickle.UnpicklingError) as error:
        why = why_unread(error) if isinstance(error, OSError) else error
        raise StarterError(f"{source} cannot be read as a policy: {why}") from None


def check_rows(policy: Policy, game: str | None) -> None:
    """Raise `StarterError` unless a table has rows for what seats see in a game."""
    if game is None:
        raise StarterError("the policy does not say of which game it is: say it by --game")
    rules, table = catalog.rules(game), json.loads(policy.content)
    state = rules.start(rules.players[0], rules.edition(rules.editions()[0]), Seeded(bytes(16)))
    while (seat := state.to_act) is not None:
        if state.view(seat).get("text") in table:
            return
        state.play(0)
    raise StarterError(f"the policy has no row for what seats see in {game}: it is of another game, or views differ")


def make_bot(policy: Policy, folder: Path, game: str | None, save: Callable[[Path], object] | None) -> list[Path]:
    """Make a bot of a policy, and return its files. Raises as `arena.starters.make`. `save`: writes its form."""
    make(starter(policy.kind, shipped.find(POLICIES)), folder, game)
    for name in (MANIFEST, "README.md"):
        file = folder / name
        file.write_text(file.read_text("utf-8").replace("POLICY", policy.called).replace("GAME", str(game)), "utf-8")
    if policy.content:
        (folder / policy.called).write_bytes(policy.content)
    if (module := policy.module) is not None:
        ignored = shutil.ignore_patterns("__pycache__", ".*")
        copy = partial(shutil.copytree, ignore=ignored) if module.is_dir() else shutil.copyfile
        copy(module, folder / module.name)
    if save is not None:
        save(folder / FORM)
    return sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())


def _callable(source: str) -> Policy:
    """Load a function from the current folder; its module is copied unless it is installed."""
    module, _, name = source.partition(":")
    sys.path.insert(0, str(Path.cwd()))
    try:
        parameters = list(signature(getattr(import_module(module), name)).parameters)
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise StarterError(f"{source} is no function that can be imported from here: {error}") from None
    finally:
        del sys.path[0]
    top = sys.modules[module.partition(".")[0]]
    place = Path(top.__path__[0] if hasattr(top, "__path__") else str(top.__file__))
    if place.name == "bot.py":
        raise StarterError(f"{place} has the name of the file that will ask it: give it another one")
    installed = [Path(folder).resolve() for folder in sysconfig.get_paths().values()]
    is_installed = any(place.resolve().is_relative_to(folder) for folder in installed)
    is_shown_numbers = parameters == ["observation", "mask"]
    return Policy("callable", source, module=None if is_installed else place, needs_form=is_shown_numbers)


def _onnx(path: Path) -> Policy:
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # else it would report to its maker, and leave a file in /tmp
    content, library = path.read_bytes(), _library("onnxruntime", "an ONNX file")
    try:
        session = library.InferenceSession(content, providers=["CPUExecutionProvider"])
    except Exception as error:  # of types of its own
        raise ValueError(error) from None
    [given, *more], [scores, *_] = session.get_inputs(), session.get_outputs()
    if more:
        names = ", ".join(each.name for each in (given, *more))
        raise ValueError(
            f"it has the inputs {names}, and a bot gives it one: rows of numbers (the mask comes after it)"
        )
    width, count = (each.shape[-1] if isinstance(each.shape[-1], int) else None for each in (given, scores))
    return Policy("network", "policy.onnx", content, inputs=width, outputs=count)


def _npz(path: Path) -> Policy:
    with np.load(path, allow_pickle=False) as saved:
        return _network(dict(saved))


def _network(saved: Mapping[str, Any]) -> Policy:
    """Take the layers W0, b0, W1, b1 ... of a network. What else is there, such as a value head, is not needed."""
    shapes = [saved[f"W{place}"].shape for place in range(len(saved)) if f"W{place}" in saved]
    if not shapes:
        raise ValueError(f"it has {', '.join(saved) or 'nothing'}, and no layers W0, b0, W1, b1 ...")
    for place, shape in enumerate(shapes):
        biases = saved[f"b{place}"]
        if len(shape) != 2 or biases.shape != shape[1:] or (place and shapes[place - 1][1] != shape[0]):
            before = f" after {shapes[place - 1]}" if place else ""
            raise ValueError(
                f"W{place} is {shape}{before}, b{place} {biases.shape}: a layer is x @ W + b, W is (in, out)"
            )
    activation = str(saved.get("activation", ACTIVATIONS[0]))
    if activation not in ACTIVATIONS:
        raise ValueError(f"the activation {activation!r} is none of {', '.join(ACTIVATIONS)}: {_ONNX_INSTEAD}")
    content = io.BytesIO()
    np.savez(content, **saved)
    return Policy("network", "policy.npz", content.getvalue(), inputs=shapes[0][0], outputs=shapes[-1][1])


def _of_toolkit(state: Mapping[str, Any], activation: str) -> Policy:
    """Take the layers from the arrays of a toolkit, by their names."""
    for names in _LAYERS:
        found = [key for name in names for key in state if re.fullmatch(rf"{name}\.weight", key)]
        if found and re.fullmatch(rf"{names[-1]}\.weight", found[-1]):
            break
    other = [key for key in state if re.search(r"cnn|lstm|features_extractor\..*weight", key)]
    if not found or other:
        raise ValueError(
            f"it is not made of plain layers (it has {(other or [*state, 'nothing'])[0]}): {_ONNX_INSTEAD}"
        )
    arrays = {"activation": np.array(activation)}
    for place, key in enumerate(found):
        arrays[f"W{place}"] = np.asarray(state[key], np.float32).T
        arrays[f"b{place}"] = np.asarray(state[f"{key.removesuffix('weight')}bias"], np.float32)
    return _network(arrays)


def _stable_baselines(path: Path) -> Policy:
    torch = _library("torch", "a policy of Stable-Baselines3", ", which the bot does not need")
    with zipfile.ZipFile(path) as saved:
        state = torch.load(io.BytesIO(saved.read("policy.pth")), map_location="cpu", weights_only=True)
        chosen = re.search(r"activation\.(\w+)", json.dumps(json.loads(saved.read("data")).get("policy_kwargs")))
    usual = "relu" if any(key.startswith("q_net.") for key in state) else "tanh"
    return _of_toolkit({key: each.numpy() for key, each in state.items()}, chosen[1].lower() if chosen else usual)


def _rllib(path: Path) -> Policy:
    """Read the newest kind of checkpoint, whose weights are arrays of numpy."""
    found = [each for each in sorted(path.rglob("module_state.pkl")) if not [*each.parent.glob("*/module_state.pkl")]]
    if len(found) != 1:  # there may be one of all modules above them
        several = f"{len(found)} modules" if found else "no module_state.pkl"
        raise ValueError(f"it has {several}: name the folder of one RLModule of RLlib, or {_ONNX_INSTEAD}")
    about = found[0].with_name("class_and_ctor_args.pkl")
    chosen = re.search(rb"fcnet_activation\W{1,8}?(\w+)", about.read_bytes()) if about.exists() else None
    with found[0].open("rb") as file:
        return _of_toolkit(_ArraysOnly(file).load(), chosen[1].decode() if chosen else "tanh")


class _ArraysOnly(pickle.Unpickler):
    """Loads arrays of numpy, and nothing that could run."""

    def find_class(self, module: str, name: str) -> Any:
        if name in _ARRAYS and module.partition(".")[0] in ("numpy", "collections"):
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"it has {module}.{name}, and weights have arrays alone")


def _spiel(path: Path) -> Policy:
    """Read a pickled policy of OpenSpiel that is a table, or a solver's average. It is the user's own: pickles run."""
    _library("pyspiel", "a policy of OpenSpiel", how="pip install open_spiel")
    try:
        found = pickle.loads(path.read_bytes())
    except (AttributeError, ImportError, TypeError, IndexError) as error:
        raise ValueError(f"it cannot be unpickled: {error}") from None
    for average in ("tabular_average_policy", "average_policy"):  # of a solver, in either language
        found = getattr(found, average, lambda found=found: found)()
    table = {text(state): dict(chances) for state, chances in _rows(found)}
    game = f"openspiel:{found.game}".removesuffix("()") if hasattr(found, "game") else None
    return Policy("table", "policy.json", json.dumps(table).encode(), game=game, needs_form=False)


def _rows(policy: Any) -> Iterator[tuple[str, dict[int, float]]]:
    if hasattr(policy, "policy_table"):  # of its own language
        for state, chances in policy.policy_table().items():
            yield state, {action: chance for action, chance in chances if chance > 0}
    elif hasattr(policy, "state_lookup"):
        for state, row in policy.state_lookup.items():
            chances = policy.action_probability_array[row]
            yield state, {int(action): float(chances[action]) for action in np.flatnonzero(chances)}
    else:
        raise ValueError(f"{type(policy).__name__} is no table: pickle a TabularPolicy, or a solver of CFR")


def _library(name: str, what: str, why: str = "", how: str = "") -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise StarterError(f"{what} is read with {name}{why}: {how or f'pip install {name}'}") from None


_READERS: Final[Mapping[str, Callable[[Path], Policy]]] = {
    ".onnx": _onnx,
    ".npz": _npz,
    ".zip": _stable_baselines,
    ".pkl": _spiel,
    ".pickle": _spiel,
}
SUFFIXES: Final = frozenset(_READERS)
"""Of files that are read as policies."""
