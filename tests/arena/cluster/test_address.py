"""Beyond this machine only encrypted addresses are used."""

from __future__ import annotations

import pytest

from arena.cluster.scheduler import checked, is_refused
from arena.tournament.workers import WorkforceError


@pytest.mark.parametrize(
    ("typed", "taken"),
    [
        ("tcp://127.0.0.1:8786", "tcp://127.0.0.1:8786"),
        ("127.0.0.1:8786", "tcp://127.0.0.1:8786"),
        ("tcp://localhost:8786", "tcp://localhost:8786"),
        ("tcp://[::1]:8786", "tcp://[::1]:8786"),
        ("tls://10.1.2.3:8786", "tls://10.1.2.3:8786"),
        ("tls://scheduler.invalid:8786", "tls://scheduler.invalid:8786"),
    ],
)
def test_what_is_encrypted_or_on_this_machine_is_taken(typed: str, taken: str) -> None:
    assert checked(typed) == taken


@pytest.mark.parametrize("typed", ["tcp://10.1.2.3:8786", "10.1.2.3:8786", "tcp://0.0.0.0:8786", "tcp://a.invalid:1"])
def test_what_others_can_read_on_the_way_is_refused(typed: str) -> None:
    with pytest.raises(WorkforceError, match="tls://"):
        checked(typed)


@pytest.mark.parametrize(
    "typed", ["", "scheduler", "tcp://127.0.0.1", "ucx://127.0.0.1:8786", "tcp://:8786", "tls://a:b"]
)
def test_what_is_no_address_is_refused(typed: str) -> None:
    with pytest.raises(WorkforceError, match="no address"):
        checked(typed)


def test_a_worker_beyond_this_machine_must_be_encrypted_too() -> None:
    assert is_refused("tcp://10.1.2.3:4000")
    assert not is_refused("tls://10.1.2.3:4000")
    assert not is_refused("tcp://127.0.0.1:4000")
