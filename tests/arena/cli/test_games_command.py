"""`arena games`: games, their editions, and where every setting comes from."""

from __future__ import annotations

import pytest

from engine import catalog
from tests.arena.cli.conftest import parsed


def test_all_games_with_their_players_and_editions(cli):
    listed = parsed(cli("games", "--json"))
    assert listed["kosmos"] == {"players": [2, 6], "editions": ["standard", "en", "ru", "nim"]}
    assert list(listed) == list(catalog.games())
    text = cli("games").stdout
    for name, game in listed.items():
        row = next(line for line in text.splitlines() if line.startswith(name))
        assert "{}-{}".format(*game["players"]) in row
        assert ", ".join(game["editions"]) in row


def test_every_setting_has_a_value_and_a_source_in_every_edition(cli):
    shown = parsed(cli("games", "kosmos", "--json"))
    assert (shown["game"], shown["players"]) == ("kosmos", [2, 6])
    game = catalog.game("kosmos")
    assert list(shown["editions"]) == game.editions()
    for edition, settings in shown["editions"].items():
        assert settings == {
            parameter.name: {"value": parameter.value, "source": parameter.source}
            for parameter in game.parameters(edition)
        }
        assert all(setting["source"].strip() for setting in settings.values())


def test_editions_stand_side_by_side(cli):
    settings = parsed(cli("games", "kosmos", "--json"))["editions"]
    text = cli("games", "kosmos").stdout
    assert text.startswith("kosmos: 2 to 6 players\n")
    first_words = [line.split()[0] for line in text.splitlines()[3:] if not line.startswith(" ")]
    assert first_words == [name.split()[0] for name in settings["standard"]]
    same = [name for name, of in settings["standard"].items() if all(each[name] == of for each in settings.values())]
    assert same
    for name in same:
        assert " all " in next(line for line in text.splitlines() if line.startswith(f"{name} "))


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
    alone = cli("games", "kosmos", "--edition", "mine.toml").stdout
    assert "max_rounds" in alone
    assert " all " not in alone


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["chess"], "there is no game 'chess': installed are kosmos"),
        (["kosmos", "--edition", "nosuch"], "there is no edition 'nosuch': choose standard, en, ru, nim"),
        (["--edition", "none.toml"], "none.toml: cannot be read"),
        (["--edition", "bad.toml"], "bad.toml: unknown key parameter: allowed are base, parameters,"),
        (["--edition", ""], "'--edition': nothing is given"),
    ],
)
def test_what_there_is_not_is_refused_with_what_there_is(cli, tmp_path, words, said):
    (tmp_path / "bad.toml").write_text("parameter = 3\n")
    refused = cli("games", *words, code=2)
    assert said in refused.stderr
    assert refused.stdout == ""
