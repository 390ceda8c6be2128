"""`arena serve --check`: what the file asks for."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

TEXT = 'name = "Course"\n[rounds]\n{rounds}\n[season]\n{season}\n'
HOURLY, END = 'every = "1 h"', "without_end = true"


def day(year: int, hour: int = 12) -> str:
    return f"{year}-09-01T{hour}:00:00+00:00"


@pytest.mark.parametrize(
    ("rounds", "season", "said", "moments"),
    [
        (HOURLY, f"begins = {day(2999)}", "", [day(2999), day(2999, 13), day(2999, 14)]),
        (HOURLY, f"begins = {day(2999)}\nends = {day(2999, 13)}", "", [day(2999), day(2999, 13)]),
        (HOURLY, f"begins = {day(1999)}\nends = {day(2000)}", "none any more", []),
        (END, f"begins = {day(2999)}", "one after the other from ", [day(2999)]),
        (END, "", "one after the other", []),
    ],
)
def test_rounds_are_those_of_the_season(
    tmp_path: Path, cli, rounds: str, season: str, said: str, moments: list[str]
) -> None:
    (tmp_path / "league.toml").write_text(TEXT.format(rounds=rounds, season=season))
    local = [datetime.fromisoformat(each).astimezone().strftime("%Y-%m-%d %H:%M %Z") for each in moments]
    assert f"rounds: {said}{', '.join(local)}" in cli("serve", "--check").output.splitlines()


@pytest.mark.parametrize("key", ["begins", "freezes", "ends", "hidden_from"])
def test_a_moment_without_a_zone_is_refused(tmp_path: Path, cli, key: str) -> None:
    (tmp_path / "league.toml").write_text(TEXT.format(rounds=HOURLY, season=f"{key} = 2026-12-20T20:00:00"))
    assert f"season.{key}: 2026-12-20 20:00:00 has no zone" in cli("serve", "--check", code=2).output
