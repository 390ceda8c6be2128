"""Reach a Dask scheduler, and ask it and its workers, also for versions, so that the same games are played everywhere.

Addresses are used that are encrypted or on this machine. Anybody who reaches a scheduler can run commands on all of its
workers. Dask asks for no password: its certificates keep others out, so beyond this machine there is no doing without
them.
"""

from __future__ import annotations

import asyncio
import logging
import platform
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Final, NamedTuple, ParamSpec, TypeVar, cast

import arena
from arena.common.source_hash import source_hash
from arena.distribution import how_to_install
from arena.tournament.workers import WorkforceError
from engine import catalog

if TYPE_CHECKING:
    from distributed import Client

P = ParamSpec("P")
T = TypeVar("T")

_STATE_SECONDS: Final = 20.0
"""For a scheduler that is busy to answer."""


@dataclass(frozen=True)
class Timeouts:
    """How long the coordinator waits for each thing, in seconds."""

    connect: float = 30.0
    worker: float = 60.0
    """For a worker, when there is none."""
    poll: float = 1.0
    """Between two looks at the scheduler."""
    silent: float = 30.0
    """Since a worker's last sign of life, besides a few of the intervals at which it gives one."""
    late: float = 600.0
    """For a batch of games, besides what the clocks of its bots allow."""
    queue: float = 86_400.0
    """For a call to begin, where the worker is busy with those of other runs."""
    build: float = 3600.0
    """For a worker to build all bots."""
    close: float = 10.0


class SchedulerLost(Exception):
    """The scheduler ended, was started anew or hangs. The text continues a sentence that begins with it."""


class SchedulerState(NamedTuple):
    """What a scheduler has."""

    id: str
    """Another one after each start."""
    threads: dict[str, int]
    """By the address of each worker that lives: how many calls it runs at once."""
    ids: dict[str, str]
    """By the same addresses: another one after each start of a worker."""


def checked(address: str) -> str:
    """Return a scheduler's address as Dask takes it. Raises `WorkforceError` for one that is not to be used."""
    scheme, _, rest = address.rpartition("://")
    scheme = scheme or "tcp"
    machine, _, port = rest.rpartition(":")
    if scheme not in ("tcp", "tls") or not machine or not port.isdecimal():
        raise WorkforceError(
            f"{address} is no address of a scheduler: it must be like tls://scheduler:8786, or on this machine "
            "tcp://127.0.0.1:8786"
        )
    if scheme == "tcp" and not is_loopback(machine):
        raise WorkforceError(
            f"{address} is beyond this machine and not encrypted: anybody who reaches or overhears it can run commands "
            f"on all workers. Use tls://{machine}:{port} with certificates: `arena docs cluster` says how"
        )
    return f"{scheme}://{machine}:{port}"


def is_refused(worker: str) -> bool:
    """Return whether a worker's address is beyond this machine and not encrypted."""
    scheme, _, rest = worker.rpartition("://")
    return scheme != "tls" and not is_loopback(rest.rpartition(":")[0])


def is_loopback(name: str) -> bool:
    """Return whether a name or address is this machine's, by all addresses that the name has."""
    try:
        found = socket.getaddrinfo(name.strip("[]"), None, proto=socket.IPPROTO_TCP)
    except OSError:
        return False
    return bool(found) and all(ip_address(str(each[4][0]).partition("%")[0]).is_loopback for each in found)


def require_dask() -> None:
    """Raise `WorkforceError` if Dask is not installed."""
    if find_spec("distributed") is None:
        raise WorkforceError(f"a cluster needs Dask, which is an extra: {how_to_install('cluster')}")


async def connect(address: str, seconds: float) -> Client:
    """Connect to a scheduler. Raises `WorkforceError`."""
    require_dask()
    from distributed import Client, Security

    if not logging.getLogger("arena").isEnabledFor(logging.INFO):
        for name in ("distributed", "distributed.client"):  # Dask gives each a level and a handler of its own
            logging.getLogger(name).setLevel(logging.CRITICAL)  # what concerns the user is said here
    is_encrypted = address.startswith("tls://")
    security = Security(require_encryption=is_encrypted)
    if is_encrypted and security.get_connection_args("client").get("ssl_context") is None:
        raise WorkforceError(
            f"{address} needs certificates, and Dask's configuration names none: set "
            "DASK_DISTRIBUTED__COMM__TLS__CA_FILE and those of the client. `arena docs cluster` says how"
        )
    try:
        return await Client(
            address, asynchronous=True, security=security, set_as_default=False, timeout=seconds, name="arena"
        )
    except (OSError, TimeoutError) as error:
        raise WorkforceError(
            f"no scheduler answers at {address} ({_first_line(error)}): is it running? `arena cluster up 4` starts "
            "one on this machine"
        ) from None


async def scheduler_state(client: Client, silent: float) -> SchedulerState:
    """Ask for the scheduler's state. A worker silent for so many seconds, and some, is left out.

    Raises `SchedulerLost`.
    """
    try:
        found = await asyncio.wait_for(client.run_on_scheduler(_asked_state(silent)), _STATE_SECONDS)
    except (OSError, RuntimeError, ValueError) as error:
        raise SchedulerLost(f"is gone ({_first_line(error)})") from None
    except TimeoutError:
        raise SchedulerLost(f"has not answered for {_STATE_SECONDS:g} s") from None
    return SchedulerState(*found)


async def run_on(
    client: Client, worker: str, timeouts: Timeouts, call: Callable[P, T], *args: P.args, **_: P.kwargs
) -> T:
    """Run a call on a Dask worker itself, beside whatever it plays. Raises what Dask and the call do."""
    running = client.run(call, *args, workers=[worker])
    return cast(T, (await asyncio.wait_for(running, timeouts.silent + timeouts.connect))[worker])


def is_cancelled(error: BaseException | None) -> bool:
    """Return whether an error says that Dask gave up a call: its worker or the scheduler is gone."""
    from distributed import KilledWorker
    from distributed.client import FutureCancelledError

    return isinstance(error, asyncio.CancelledError | FutureCancelledError | KilledWorker)


def _asked_state(silent: float) -> Callable[[Any], tuple[str, dict[str, int], dict[str, str]]]:
    """Return a function that travels whole to the scheduler, where no arena need be installed."""

    def ask(dask_scheduler: Any) -> tuple[str, dict[str, int], dict[str, str]]:
        from time import time

        workers = dask_scheduler.workers
        limit = time() - silent - 3 * (1 + len(workers) / 200)  # thrice the interval of their signs of life
        found = {
            address: worker
            for address, worker in workers.items()
            if worker.last_seen > limit and worker.status.name == "running"
        }
        threads = {address: worker.nthreads for address, worker in found.items()}
        return dask_scheduler.id, threads, {address: worker.server_id for address, worker in found.items()}

    return ask


def _first_line(error: BaseException) -> str:
    return str(error).strip().partition("\n")[0] or type(error).__name__


Versions = dict[str, str]
"""By what has a version: `arena`, `Python`, `dask distributed`, and the game's plug-in if it comes from one."""


def versions(game: str) -> Versions:
    """Return the versions that this process has of all that decides how a game is played.

    A version of the arena has a hash over its sources behind it: those of a checkout change under one number.
    """
    found = {
        "arena": f"{arena.__version__} (sources {_sources_hash('arena', 'engine')})",
        "Python": ".".join(platform.python_version_tuple()[:2]),
        "dask distributed": version("distributed"),
    }
    try:
        rules = catalog.rules(game)
    except catalog.UnknownRules:
        return {**found, f"the game {game}": "none"}
    package = type(rules).__module__.partition(".")[0]
    if package != "engine":
        found[f"the game {game}"] = f"{catalog.version(game) or 'unknown'} (sources {_sources_hash(package)})"
    return found


def asked_versions(game: str) -> Callable[[], Versions]:
    """Return a function that a worker can run whatever version of the arena it has, even none: it travels whole."""

    def ask() -> Versions:
        try:
            from arena.cluster.scheduler import versions

            return versions(game)
        except ImportError:
            try:
                import arena

                return {"arena": f"{arena.__version__}, which knows no cluster"}
            except ImportError:
                return {"arena": "none"}

    return ask


def difference(worker: str, theirs: Mapping[str, str], ours: Mapping[str, str]) -> str:
    """Return in words what a worker has otherwise than this machine; empty: nothing."""
    found = [
        f"{what} {theirs.get(what, 'unknown')}, here it is {value}"
        for what, value in ours.items()
        if theirs.get(what) != value
    ]
    return f"the worker {worker} has {'; '.join(found)}" if found else ""


def _sources_hash(*packages: str) -> str:
    """Hash the Python sources of packages that have been imported."""
    return source_hash(packages, pattern="*.py")[:8]
