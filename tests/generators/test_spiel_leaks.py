"""The leak kit over all that OpenSpiel tells a seat finds the faults of docs/leaks.md."""

from __future__ import annotations

from importlib.metadata import version

import pytest

pytest.importorskip("pyspiel", reason="OpenSpiel is an extra")
from generators.spiel_leaks import leaks


@pytest.mark.slow
@pytest.mark.skipif(version("open_spiel") != "2.0.2", reason="a later version may have mended it")
@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("gin_rummy", {"observation_struct", "resample_from_infostate"}),  # pull requests 1604 and 1613
        ("hearts", {"observation_struct"}),
        ("leduc_poker", set()),
    ],
)
def test_what_openspiel_tells_beyond_the_text_is_found(name: str, found: set[str]) -> None:
    report = leaks(name)
    assert report["differing"] > 20
    assert report["leaks"].keys() == found
