"""`arena games`: games, their editions, and where every setting comes from."""

from __future__ import annotations

import pytest

from engine import catalog
from engine.rules import Data
from tests.arena.cli.conftest import parsed
from tests.engine.test_testing import Steps, StepsGame


def test_all_games_with_their_players_and_editions(cli):
    listed = parsed(cli("games", "--json"))
    assert listed["kosmos"] == {"players": [2, 6], "editions": ["standard", "en", "ru", "nim"]}
    assert list(listed) == list(catalog.installed())


def test_every_setting_has_a_value_and_a_source_in_every_edition(cli):
    shown = parsed(cli("games", "kosmos", "--json"))
    assert (shown["game"], shown["players"]) == ("kosmos", [2, 6])
    rules = catalog.rules("kosmos")
    assert list(shown["editions"]) == rules.editions()
    for edition, settings in shown["editions"].items():
        assert settings == {
            parameter.name: {"value": parameter.value, "source": parameter.source}
            for parameter in rules.parameters(edition)
        }
        assert all(setting["source"].strip() for setting in settings.values())


def test_editions_stand_side_by_side(cli):
    """A row for each value that a setting has in some edition, with its source; the setting's name on the first."""
    editions = list(parsed(cli("games", "kosmos", "--json"))["editions"].values())
    heads = []
    for name in editions[0]:
        values = {tuple(settings[name].values()) for settings in editions}
        heads += [name.split()[0], *[None] * (len(values) - 1)]
    rows = cli("games", "kosmos").stdout.splitlines()[3:]
    assert [None if row.startswith(" ") else row.split()[0] for row in rows] == heads
    assert None in heads


def test_ones_own_edition_names_its_file_as_a_source(cli, tmp_path):
    standard = parsed(cli("games", "kosmos", "--json"))["editions"]["standard"]
    (tmp_path / "mine.toml").write_text('base = "standard"\n')
    assert parsed(cli("games", "kosmos", "--edition", "mine.toml", "--json"))["editions"] == {"mine.toml": standard}
    (tmp_path / "mine.toml").write_text('base = "standard"\n\n[parameters]\nmax_rounds = 50\n')
    settings = parsed(cli("games", "kosmos", "--edition", "mine.toml", "--json"))["editions"]["mine.toml"]
    changed = [name for name in settings if settings[name] != standard[name]]
    assert changed == ["max_rounds"]
    assert settings["max_rounds"]["value"] == "50"
    assert "mine" in settings["max_rounds"]["source"]


@pytest.fixture
def checked(cli, monkeypatch):
    """Checks a game of such a state."""

    def check(state: type[Steps], *words: str, code: int) -> Data:
        monkeypatch.setattr(catalog, "rules", lambda name: StepsGame(state))
        return parsed(cli("games", "steps", "--check", "--json", *words, code=code))

    return check


@pytest.mark.slow
def test_a_game_without_fault_passes_its_check(checked):
    found = checked(Steps, code=0)
    assert (found["game"], found["cases"]) == ("steps", 2)
    assert {"rules", "end", "determinize", "leaks"} <= found["faults"].keys()
    assert not any(found["faults"].values())
    for report in found["leaks"]:
        assert (report["edition"], report["leaks"], report["untested"]) == ("standard", [], {})
        reached, compared, differing = report["phases"]["step"]
        assert reached > 0
        assert compared >= differing > 0


class Peeking(Steps):
    """How many others have a higher number of their own is added to the score."""

    def scores(self) -> list[dict[str, int]]:
        return [
            {"at": at, "behind": sum(other > own for other in self.hidden)}
            for at, own in zip(self.at, self.hidden, strict=True)
        ]


@pytest.mark.slow
def test_a_leak_is_a_fault(checked):
    found = checked(Peeking, "--edition", "standard", code=1)
    assert [name for name, faults in found["faults"].items() if faults] == ["leaks"]
    for report in found["leaks"]:
        [leak] = report["leaks"]
        assert leak[:2] == ["scores", "step"]


class Broken(Steps):
    """Nobody can be ranked."""

    def ranks(self) -> list[int]:
        raise ZeroDivisionError


def test_what_rules_raise_is_a_fault_of_theirs(checked):
    found = checked(Broken, code=1)
    assert found["faults"]["ranks"] == found["faults"]["leaks"] == ["ZeroDivisionError: "] * 2
    assert found["leaks"] == []


def test_only_editions_of_the_game_can_be_checked(cli):
    cli("games", "kosmos", "--edition", "mine.toml", "--check", code=2)
