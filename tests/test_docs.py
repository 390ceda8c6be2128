"""Check the pages in docs/: their links, and what they say about `bot.toml`, tables and exports."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.entrants import manifest
from arena.entrants.build import BUILD_SECONDS
from arena.entrants.fingerprint import CACHES
from arena.features.decisions import COLUMNS
from arena.rating import DEFAULT_SYSTEM, SYSTEMS
from arena.replays import export, game_file
from arena.serve.league import TABLES, LeagueSettings, read_league
from arena.standings import TEXT_FORMATS
from arena.tournament.plan import Plan
from tests.arena.standings.test_leaderboard_text import SMALL

ROOT = Path(__file__).parents[1]
PAGES = sorted([*(ROOT / "docs").glob("*.md"), ROOT / "README.md", ROOT / "protocol.md"])
PROTOCOL = (ROOT / "protocol.md").read_text("utf-8")
BOT_TOML = (ROOT / "docs" / "bot-toml.md").read_text("utf-8")
RESULTS = (ROOT / "docs" / "results.md").read_text("utf-8")
EXPORT = (ROOT / "docs" / "export.md").read_text("utf-8")
LEAGUE = (ROOT / "docs" / "league.md").read_text("utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text("utf-8")
    for link in re.findall(r"\]\(([^)#\s]+)[^)\s]*\)", text):
        assert link.startswith("https://") or (page.parent / link).exists(), link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_to_headings_lead_to_one(page: Path) -> None:
    for link, anchor in re.findall(r"\]\(((?!https:)[^)#\s]*)#([^)]+)\)", page.read_text("utf-8")):
        text = (page.parent / link if link else page).read_text("utf-8")
        headings = [heading.lower() for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE)]
        assert anchor in {re.sub(r"[^\w -]", "", heading).replace(" ", "-") for heading in headings}


def test_the_protocol_begins_with_its_shortest_bot_and_its_table_of_faults() -> None:
    before = PROTOCOL.partition("\n## ")[0]
    assert "](#23-games)" in before
    assert "```python" in PROTOCOL.partition("### 2.3 Games")[2].partition("### ")[0]
    assert "](#61-the-faults-and-what-each-costs)" in before
    assert (
        "| code | what | costs |"
        in PROTOCOL.partition("### 6.1 The faults and what each costs")[2].partition("### ")[0]
    )


def rows(text: str) -> dict[str, str]:
    """Return every name in the first column of a page's tables, with its second column."""
    found = {}
    for names, second in re.findall(r"^\| (`[^|]+) \| ([^|]*?) ?\|", text, re.MULTILINE):
        found |= dict.fromkeys(re.findall(r"`([^`]+)`", names), second)
    return found


def defaults(kind: type[msgspec.Struct], prefix: str = "") -> dict[str, Any]:
    fields = {}
    for field in msgspec.structs.fields(kind):
        if isinstance(field.default, msgspec.Struct) or field.name == "limits":
            fields |= defaults(manifest.ResourceLimits, "limits.")
        elif field.name == "author":
            fields |= defaults(manifest.ManifestAuthor, "author.")
        else:
            fields[prefix + field.name] = field.default
    return fields


def test_bot_toml_is_described_whole() -> None:
    described = rows(BOT_TOML)
    known = defaults(manifest.BotManifest)
    assert set(described) == set(known)
    for name, default in known.items():
        if isinstance(default, int):
            assert described[name].strip("`") == str(default).lower()
    tools = " ".join(BOT_TOML.split()).partition("folders that tools make (")[2].partition(")")[0]
    assert set(re.findall(r"`([\w-]+)`", tools)) == CACHES
    assert f"it may take {BUILD_SECONDS / 60:.0f} minutes" in BOT_TOML


@pytest.mark.parametrize("text", re.findall(r"```toml\n(.*?)```", BOT_TOML, re.DOTALL))
def test_examples_of_bot_toml_are_valid(text: str, tmp_path: Path) -> None:
    (tmp_path / manifest.FILE).write_text(text)
    assert manifest.read_manifest(tmp_path).command == tomllib.loads(text)["command"]


def test_the_fields_of_a_row_are_described_whole() -> None:
    described = rows(RESULTS.partition("**The tables**")[2])
    others = set(SMALL.data()["overall"][0]) - set(SMALL.columns.names)
    assert set(described) == (others | set(SYSTEMS[DEFAULT_SYSTEM].columns.names)) - {"bot"}


def test_the_keys_of_the_board_and_its_formats_are_named() -> None:
    for name in [*SMALL.data(), *TEXT_FORMATS]:
        assert re.search(rf"\b{name}\b", RESULTS), name


def test_the_keys_of_a_plan_are_named() -> None:
    page = (ROOT / "docs" / "results.md").read_text("utf-8")
    rows = re.findall(r"^\| (`[^|]*) \|", page.partition("**The plan.**")[2].partition("**The log.**")[0], re.MULTILINE)
    assert sorted(re.findall(r"`(\w+)`", " ".join(rows))) == sorted(Plan.__struct_fields__)


def test_the_columns_of_an_export_are_described_whole() -> None:
    games, decisions = EXPORT.split("## Decisions to learn from")
    for text, columns in ((games, {*export.BEFORE, *export.BEHIND}), (decisions, {*COLUMNS})):
        named = re.findall(r"`([^`]+)`", "\n".join(re.findall(r"^\| (`.+?) \|", text, re.MULTILINE)))
        assert set(named) == columns
    for field in game_file.GameFile.__struct_fields__:
        assert f"`{field}`" in EXPORT, field


def test_the_page_of_leagues_has_every_key_and_its_default() -> None:
    tables = re.findall(r"^\| key \| default \| (.*)\n\|.*\n((?:\|.*\n)+)", LEAGUE, re.MULTILINE)
    found = {re.findall(r"\w+", title)[0]: rows for title, rows in tables}
    kinds: dict[str, type[msgspec.Struct]] = {"at": LeagueSettings, **TABLES}
    assert set(found) == set(kinds)
    for table, rows in found.items():
        fields = {each.encode_name: each.default for each in msgspec.structs.fields(kinds[table])}
        shown = {name: default.strip() for name, default in re.findall(r"^\| `(\w+)` \|([^|]*)\|", rows, re.MULTILINE)}
        assert set(shown) == set(fields) - set(TABLES)
        for name, default in shown.items():
            if default.startswith("`"):
                assert json.loads(default.strip("`")) == json.loads(json.dumps(fields[name]))
            else:
                assert fields[name] in (msgspec.NODEFAULT, None) or fields[name] == {}


def test_the_leagues_on_its_page_can_be_run(tmp_path: Path) -> None:
    found = re.findall(r"```toml\n(name.*?)```", LEAGUE, re.DOTALL)
    assert len(found) == 2
    for text in found:
        file = tmp_path / "league.toml"
        file.write_text(text, "utf-8")
        read_league(file)
