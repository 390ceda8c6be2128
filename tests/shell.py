"""The command line as a process, with its own temporary folder and cache."""

from __future__ import annotations

import ctypes
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

from tests.leftovers import described

SECONDS = 240
"""After that a process is killed and its test fails; nothing here takes a tenth of it."""


for _number, _default in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    # In the background of a script, or of `nohup`, they are ignored, and would be by whatever is started here.
    if signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, _default)


_LIBC = ctypes.CDLL(None)
# <linux/prctl.h>, <linux/capability.h>
_DROP_FROM_BOUNDS, _DAC_OVERRIDE, _DAC_READ_SEARCH, _SETFCAP = 24, 1, 2, 31
_CAPABILITIES = 64


def obey_modes() -> None:
    """For `preexec_fn`: root's process too may write and read only what the modes of files allow. On Linux."""
    if os.getuid() == 0:
        for capability in (_DAC_OVERRIDE, _DAC_READ_SEARCH):
            _LIBC.prctl(_DROP_FROM_BOUNDS, capability, 0, 0, 0)


def without_privileges() -> None:
    """For `preexec_fn`: root's process may do no more than that of any user who owns the same files. On Linux."""
    if os.getuid() == 0:
        # Root needs that one to make a namespace, where others need none.
        for capability in set(range(_CAPABILITIES)) - {_SETFCAP}:
            _LIBC.prctl(_DROP_FROM_BOUNDS, capability, 0, 0, 0)


class Shell:
    """`arena` as a process; what comes of it can be found again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # A short path: sockets lie in it.
        self.temporary = Path(tempfile.mkdtemp(prefix="shell-"))
        # Tests that run side by side pin themselves to different cores as long as they see each other's locks.
        cores = Path(tempfile.gettempdir()) / f"arena-cores-{os.getuid()}"
        cores.mkdir(mode=0o700, exist_ok=True)
        (self.temporary / cores.name).symlink_to(cores)
        self.seconds = SECONDS
        self._mark = uuid.uuid4().hex
        self.environment = os.environ | {
            "TMPDIR": str(self.temporary),
            "ARENA_CACHE": str(folder / "cache"),
            "ARENA_TEST": self._mark,
        }

    @contextmanager
    def start(self, *words: object, **options: Any) -> Iterator[subprocess.Popen[str]]:
        """A running command; killed at the end, should it still run."""
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        command = [sys.executable, "-m", "arena", *map(str, words)]
        environment = self.environment | options.pop("env", {})
        process = subprocess.Popen(command, cwd=self.folder, env=environment, text=True, **{**pipes, **options})
        watchdog = threading.Timer(self.seconds, process.kill)
        watchdog.start()
        try:
            yield process
        finally:
            watchdog.cancel()
            if process.poll() is None:
                process.kill()
            process.wait()
            for stream in (process.stdout, process.stderr):
                if stream is not None:
                    stream.close()

    def run(
        self, *words: object, code: int = 0, input_text: str | None = None, **options: Any
    ) -> subprocess.CompletedProcess[str]:
        if input_text is not None:
            options["stdin"] = subprocess.PIPE
        with self.start(*words, **options) as process:
            out, err = process.communicate(input_text)
        assert process.returncode == code, f"{shlex.join(map(str, words))}: {process.returncode}\n{out}\n{err}"
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def json(self, *words: object) -> Any:
        return json.loads(self.run(*words, "--json").stdout)

    def assert_no_process(self) -> None:
        _, alive = psutil.wait_procs(self._processes(), timeout=30)
        assert not alive, [described(each) for each in alive]

    def assert_nothing_lives(self) -> None:
        self.assert_no_process()
        assert not list(self.temporary.glob("arena-[0-9]*")), "a folder of sockets is left"

    def close(self) -> None:
        """Assert that nothing is left, and remove the temporary folder."""
        self.assert_nothing_lives()
        shutil.rmtree(self.temporary, ignore_errors=True)

    def _processes(self) -> list[psutil.Process]:
        found = []
        for process in psutil.process_iter(["environ", "status"]):
            environment = process.info["environ"] or {}
            ours = environment.get("ARENA_TEST") == self._mark
            bots = environment.get("HOME", "").startswith(str(self.temporary))
            if (ours or bots) and process.pid != os.getpid() and process.info["status"] != psutil.STATUS_ZOMBIE:
                found.append(process)
        return found
