"""Bots made of saved policies: what each kind of file becomes, that it plays as the policy, and what does not fit."""

from __future__ import annotations

import io
import json
import pickle
import runpy
import struct
import sys
import zipfile
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena import shipped
from arena.features import Form
from arena.starters import StarterError
from arena.starters.policies import POLICIES, check_rows, make_bot, read_policy
from tests.arena.cli.conftest import cli

__all__ = ["cli"]

LEDUC = "openspiel:leduc_poker"
HAS_ONNX = pytest.mark.skipif(find_spec("onnxruntime") is None, reason="without onnxruntime")
"""Looked for and not imported: before the arena has forbidden it to report, it would."""
RANDOM = np.random.default_rng(1)


def arrays(*widths: int, **more: Any) -> dict[str, Any]:
    """The layers of a network."""
    found: dict[str, Any] = {}
    for place, (before, after) in enumerate(pairwise(widths)):
        found[f"W{place}"] = RANDOM.normal(size=(before, after)).astype(np.float32)
        found[f"b{place}"] = RANDOM.normal(size=after).astype(np.float32)
    return found | more


def onnx(width: int, count: int, inputs: int = 1) -> bytes:
    """A model of one layer without biases, as ONNX: messages of protocol buffers, written by hand."""

    def field(number: int, value: int | bytes) -> bytes:
        if isinstance(value, int):
            return varint(number << 3) + varint(value)
        return varint(number << 3 | 2) + varint(len(value)) + value

    def varint(value: int) -> bytes:
        return bytes([value]) if value < 128 else bytes([value & 127 | 128]) + varint(value >> 7)

    def tensor_info(name: bytes, *shape: int | bytes) -> bytes:
        dimensions = b"".join(field(1, field(1, n) if isinstance(n, int) else field(2, n)) for n in shape)
        return field(1, name) + field(2, field(1, field(1, 1) + field(2, dimensions)))

    weights = np.arange(width * count, dtype=np.float32)
    node = field(1, b"x") + field(1, b"W") + field(2, b"y") + field(4, b"MatMul")
    tensor = field(1, width) + field(1, count) + field(2, 1) + field(8, b"W") + field(9, weights.tobytes())
    graph = field(1, node) + field(2, b"g") + field(5, tensor) + field(11, tensor_info(b"x", b"n", width))
    graph += b"".join(field(11, tensor_info(b"z%d" % n, b"n", 1)) for n in range(inputs - 1))
    graph += field(12, tensor_info(b"y", b"n", count))
    return field(1, 8) + field(7, graph) + field(8, field(2, 13))


@pytest.fixture
def form(tmp_path: Path) -> Form:
    found = Form.of("kosmos", "standard")
    found.save(tmp_path / "form.json")
    return found


def test_a_policy_of_numpy_becomes_a_folder_with_its_form(cli, tmp_path, form):
    np.savez(tmp_path / "p.npz", **arrays(form.observation_width, 8, form.actions.count))
    cli("new", "mine", "--from", "p.npz")
    files = {each.name for each in (tmp_path / "mine").iterdir()}
    assert files == {".bot.schema.json", "README.md", "bot.py", "bot.toml", "form.json", "policy.npz"}
    assert Form.load(tmp_path / "mine" / "form.json").columns == form.columns


@pytest.mark.process
@pytest.mark.slow
@pytest.mark.parametrize("kind", ["npz", pytest.param("onnx", marks=HAS_ONNX)])
def test_a_network_passes_the_check(cli, tmp_path, form, kind):
    if kind == "onnx":
        (tmp_path / "p.onnx").write_bytes(onnx(form.observation_width, form.actions.count))
    else:
        np.savez(tmp_path / "p.npz", **arrays(form.observation_width, 8, form.actions.count))
    cli("new", "mine", "--from", f"p.{kind}")
    cli("check", "mine", "--game", "kosmos", "--isolation", "none")


def test_a_network_of_numpy_says_what_its_layers_do(tmp_path):
    bot = runpy.run_path(str(shipped.find(f"{POLICIES}/network") / "bot.py"))
    for activation in (np.tanh, lambda rows: np.maximum(rows, 0)):
        saved = arrays(
            5, 4, 3, activation=np.array("tanh" if activation is np.tanh else "relu"), value_W=np.ones((4, 1))
        )
        np.savez(tmp_path / "p.npz", **saved)
        rows = RANDOM.normal(size=(2, 5)).astype(np.float32)
        wanted = activation(rows @ saved["W0"] + saved["b0"]) @ saved["W1"] + saved["b1"]
        assert bot["numpy_network"](tmp_path / "p.npz")(rows) == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("widths", "told"),
    [((3, 8, 209), r"is shown 3 numbers, and the form of kosmos has"), ((0, 8, 4), r"gives 4 scores")],
)
def test_a_network_that_does_not_fit_its_form_is_refused_with_both_numbers(tmp_path, form, widths, told):
    np.savez(tmp_path / "p.npz", **arrays(widths[0] or form.observation_width, *widths[1:]))
    with pytest.raises(StarterError, match=told):
        read_policy(str(tmp_path / "p.npz")).check(form.observation_width, form.actions.count, form.game)


@pytest.mark.parametrize(
    ("saved", "told"),
    [
        ({"weights": np.ones(3)}, "no layers W0"),
        ({"W0": np.ones((3, 4)), "b0": np.ones(3)}, r"W0 is \(3, 4\).*W is \(in, out\)"),
        ({"W0": np.ones((3, 4)), "b0": np.ones(4), "W1": np.ones((3, 4)), "b1": np.ones(4)}, r"W1 .* after \(3, 4\)"),
        ({"W0": np.ones((3, 4))}, "b0"),
        ({"W0": np.ones((3, 4)), "b0": np.ones(4), "activation": np.array("gelu")}, "gelu.*ONNX"),
        ({"W0": np.array([None])}, "pickle"),
    ],
)
def test_arrays_that_are_no_network_are_explained(tmp_path, saved, told):
    np.savez(tmp_path / "p.npz", **saved)
    with pytest.raises(StarterError, match=told):
        read_policy(str(tmp_path / "p.npz"))


@HAS_ONNX
def test_onnx_has_one_input(tmp_path):
    (tmp_path / "p.onnx").write_bytes(onnx(5, 3))
    policy = read_policy(str(tmp_path / "p.onnx"))
    assert (policy.inputs, policy.outputs) == (5, 3)
    (tmp_path / "p.onnx").write_bytes(onnx(5, 3, inputs=2))
    with pytest.raises(StarterError, match="inputs x, z0"):
        read_policy(str(tmp_path / "p.onnx"))


class Tensor(np.ndarray):
    """What torch gives, as far as it is asked."""

    def numpy(self) -> Any:
        return np.asarray(self)


def saved_by_stable_baselines(file: Path, state: dict[str, Any], monkeypatch: pytest.MonkeyPatch, **about: Any) -> None:
    class Torch:
        @staticmethod
        def load(stream: Any, map_location: str, weights_only: bool) -> Any:
            assert weights_only
            return {name: each.view(Tensor) for name, each in np.load(stream).items()}

    content = io.BytesIO()
    np.savez(content, **state)
    with zipfile.ZipFile(file, "w") as made:
        made.writestr("policy.pth", content.getvalue())
        made.writestr("data", json.dumps(about))
    monkeypatch.setitem(sys.modules, "torch", Torch)  # it is large, and no dependency


def named(*names: str) -> dict[str, Any]:
    """Layers under these names, as torch has them: (out, in)."""
    widths = [5, *range(6, 6 + len(names) - 1), 3]
    shapes = pairwise(widths)
    return {
        f"{name}.{part}": RANDOM.normal(size=shape).astype(np.float32)
        for name, (before, after) in zip(names, shapes, strict=True)
        for part, shape in (("weight", (after, before)), ("bias", (after,)))
    }


PPO = "mlp_extractor.policy_net.0", "mlp_extractor.policy_net.2", "action_net"
RELU = {"activation_fn": "<class 'torch.nn.modules.activation.ReLU'>"}


@pytest.mark.parametrize(
    ("names", "about", "activation"),
    [
        (PPO, {"policy_kwargs": {}}, "tanh"),
        (PPO, {"policy_kwargs": RELU}, "relu"),
        (("q_net.q_net.0", "q_net.q_net.2"), {}, "relu"),
    ],
)
def test_a_policy_of_stable_baselines_needs_no_torch_to_play(tmp_path, monkeypatch, names, about, activation):
    state = named(*names) | named("value_net", "mlp_extractor.value_net.0")
    saved_by_stable_baselines(tmp_path / "p.zip", state, monkeypatch, **about)
    policy = read_policy(str(tmp_path / "p.zip"))
    assert (policy.kind, policy.inputs, policy.outputs) == ("network", 5, 3)
    found = np.load(io.BytesIO(policy.content))
    assert str(found["activation"]) == activation
    for place, name in enumerate(names):
        assert np.array_equal(found[f"W{place}"], state[f"{name}.weight"].T)
        assert np.array_equal(found[f"b{place}"], state[f"{name}.bias"])


def test_what_has_no_plain_layers_goes_by_onnx(tmp_path, monkeypatch):
    state = named("features_extractor.cnn.0", *PPO)
    saved_by_stable_baselines(tmp_path / "p.zip", state, monkeypatch)
    with pytest.raises(StarterError, match=r"plain layers.*ONNX"):
        read_policy(str(tmp_path / "p.zip"))


def test_without_torch_its_zip_cannot_be_read(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    (tmp_path / "p.zip").write_bytes(b"")
    with pytest.raises(StarterError, match="pip install torch"):
        read_policy(str(tmp_path / "p.zip"))


def test_a_checkpoint_of_rllib_is_read_as_arrays_and_nothing_else(tmp_path):
    folder = tmp_path / "checkpoint" / "default_policy"
    folder.mkdir(parents=True)
    names = "encoder.actor_encoder.net.mlp.0", "encoder.actor_encoder.net.mlp.2", "pi.net.mlp.0"
    (folder / "module_state.pkl").write_bytes(pickle.dumps(named(*names, *()) | named("vf.net.mlp.0")))
    (folder.parent / "module_state.pkl").write_bytes(pickle.dumps({}))  # of all modules together
    (folder / "class_and_ctor_args.pkl").write_bytes(pickle.dumps({"fcnet_activation": "relu"}))
    policy = read_policy(str(tmp_path / "checkpoint"))
    assert (policy.inputs, policy.outputs, str(np.load(io.BytesIO(policy.content))["activation"])) == (5, 3, "relu")
    (folder / "module_state.pkl").write_bytes(pickle.dumps(Path))
    with pytest.raises(StarterError, match=r"pathlib.*Path"):
        read_policy(str(tmp_path / "checkpoint"))
    (folder / "module_state.pkl").unlink()
    (folder.parent / "module_state.pkl").unlink()
    with pytest.raises(StarterError, match=r"module_state.pkl.*ONNX"):
        read_policy(str(tmp_path / "checkpoint"))


@pytest.fixture
def solver(tmp_path: Path) -> Path:
    pyspiel = pytest.importorskip("pyspiel")
    made = pyspiel.CFRSolver(pyspiel.load_game("kuhn_poker"))
    for _ in range(100):
        made.evaluate_and_update_policy()
    (tmp_path / "cfr.pkl").write_bytes(pickle.dumps(made))
    return tmp_path / "cfr.pkl"


def test_a_solver_of_openspiel_becomes_a_table(solver):
    policy = read_policy(str(solver))
    table = json.loads(policy.content)
    assert len(table) == 12
    assert all(sum(chances.values()) == pytest.approx(1) for chances in table.values())
    check_rows(policy, "openspiel:kuhn_poker")
    with pytest.raises(StarterError, match="leduc"):
        check_rows(policy, LEDUC)
    with pytest.raises(StarterError, match="--game"):
        check_rows(policy, policy.game)


def test_a_tabular_policy_says_its_game(tmp_path):
    pytest.importorskip("pyspiel")
    (tmp_path / "p.pickle").write_bytes(pickle.dumps(tabular()))
    policy = read_policy(str(tmp_path / "p.pickle"))
    assert policy.game == "openspiel:kuhn_poker(players=3)"
    check_rows(policy, policy.game)


def tabular() -> Any:
    import pyspiel
    from open_spiel.python.policy import TabularPolicy

    return TabularPolicy(pyspiel.load_game("kuhn_poker(players=3)"))


@pytest.mark.process
@pytest.mark.slow
def test_a_table_passes_the_check(cli, solver):
    cli("new", "cfr", "--from", solver, "--game", "openspiel:kuhn_poker")
    cli("check", "cfr", "--game", "openspiel:kuhn_poker", "--isolation", "none")


@pytest.mark.process
@pytest.mark.slow
@pytest.mark.parametrize("name", ["decide", "scores"])
def test_a_function_travels_with_its_package(cli, tmp_path, form, name):
    (tmp_path / f"agents_{name}" / "deep").mkdir(parents=True)
    (tmp_path / f"agents_{name}" / "__init__.py").write_text("")
    (tmp_path / f"agents_{name}" / "deep" / f"{name}_.py").write_text(
        "def decide(game):\n    return len(game.actions) - 1\n\ndef scores(observation, mask):\n    return mask * 2.0\n"
    )
    cli("new", "mine", "--from", f"agents_{name}.deep.{name}_:{name}", "--game", "kosmos")
    assert (tmp_path / "mine" / "form.json").exists() == (name == "scores")
    (tmp_path / f"agents_{name}").rename(tmp_path / "gone")
    cli("check", "mine", "--game", "kosmos", "--isolation", "none")


def test_a_function_that_is_installed_is_not_copied(tmp_path):
    policy = read_policy("numpy:argmax")
    assert policy.module is None
    assert {each.name for each in make_bot(policy, tmp_path / "mine", None, None)} >= {"bot.py", "bot.toml"}


def test_a_module_cannot_take_the_place_of_the_file_that_asks_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "bot", raising=False)
    (tmp_path / "bot.py").write_text("def decide(game):\n    return 0\n")
    with pytest.raises(StarterError, match="another one"):
        read_policy("bot:decide")


@pytest.mark.parametrize("source", ["nosuchmodule:decide", "json:nosuch"])
def test_a_function_that_is_not_there_is_named(source):
    with pytest.raises(StarterError, match="nosuch"):
        read_policy(source)


@pytest.mark.parametrize("name", ["p.txt", pytest.param("p.onnx", marks=HAS_ONNX), "p.npz", "p.zip", "p.pkl"])
def test_a_file_that_is_none_of_these_is_refused(tmp_path, name):
    (tmp_path / name).write_bytes(struct.pack("i", 3))
    with pytest.raises(StarterError, match=name):
        read_policy(str(tmp_path / name))


def test_the_form_has_to_be_of_the_game(cli, tmp_path, form):
    np.savez(tmp_path / "p.npz", **arrays(form.observation_width, 8, form.actions.count))
    cli("new", "mine", "--from", "p.npz", "--game", "ravensburger", code=2)
    (tmp_path / "form.json").rename(tmp_path / "p.npz.form.json")
    cli("new", "mine", "--from", "p.npz", "--game", "kosmos")
    (tmp_path / "p.npz.form.json").unlink()
    cli("new", "other", "--from", "p.npz", code=2)
    assert not (tmp_path / "other").exists()
