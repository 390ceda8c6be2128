"""A Python bot needs little: the client, and msgpack or msgspec."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

pytestmark = pytest.mark.process

ALONE = """
import json, sys

class Nothing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in {*sys.stdlib_module_names, "arena", *sys.argv[1:]}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

before = set(sys.modules)
sys.meta_path.insert(0, Nothing())
import arena.client
print(json.dumps(sorted(set(sys.modules) - before)))
"""


@pytest.mark.parametrize(("there", "used"), [(["msgpack"], "msgpack"), (["msgpack", "msgspec"], "msgspec")])
def test_it_imports_nothing_but_what_packs_messages(there: list[str], used: str) -> None:
    done = subprocess.run([sys.executable, "-c", ALONE, *there], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    loaded = json.loads(done.stdout)
    packages = {name.partition(".")[0] for name in loaded if "cython" not in name}  # these are no files, but made
    assert packages - sys.stdlib_module_names == {"arena", used}
    assert [name for name in loaded if name.partition(".")[0] == "arena"] == ["arena", "arena.client"]
    assert "importlib.metadata" not in loaded, "it takes longer than all the rest of the client"
