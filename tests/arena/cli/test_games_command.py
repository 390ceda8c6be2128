"""`arena games`: games, their editions, and where every setting comes from."""

from __future__ import annotations

from engine import catalog
from tests.arena.cli.conftest import parsed


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
