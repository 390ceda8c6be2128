"""Names, versions, notes and last words are whatever a bot likes: they are shown and never act."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest

from arena.ledger import EntrantRecord, GameRecord, Ledger
from arena.site.names import shown, slugs
from tests.arena.common.test_authors import png
from tests.arena.site.conftest import ADA, BOTS, LONG, SCRIPT, Cup, Page, contents, pages, played

pytestmark = pytest.mark.slow

HEAVY = 300_000
NAME = re.compile(r"[a-z0-9-]{1,80}")


@pytest.fixture
def site(cup: Cup) -> Path:
    cup.publish(title=f"cup {SCRIPT}")
    return cup.site


def test_no_page_has_markup_that_a_bot_wrote(site: Path) -> None:
    for path, text in pages(site).items():
        page = Page(text)
        scripts = [attributes.get("src") for tag, attributes in page.tags if tag == "script"]
        assert scripts
        assert all(source is not None and "assets/" in source for source in scripts), path
        assert "<script>alert" not in text
        assert not {tag for tag, _ in page.tags} & {"style", "iframe", "object", "embed"}
        for tag, attributes in page.tags:
            assert not [name for name in attributes if name.startswith("on") or name == "style"], (path, tag)
            link = attributes.get("href") or attributes.get("src") or ""
            if tag == "a" and link == ADA.link:
                assert {"nofollow", "noopener", "noreferrer"} <= set((attributes.get("rel") or "").split())
                continue
            assert not link.startswith(("http:", "https:", "//", "javascript:")), (path, link)
    assert any(SCRIPT in Page(text).text for text in pages(site).values())


def test_authors_are_shown_and_pictures_only_if_they_are_what_was_recorded(site: Path) -> None:
    assert [file.name for file in (site / "avatars").iterdir()] == [ADA.avatar]
    assert (site / "avatars" / ADA.avatar).read_bytes() == png()
    found = {path: Page(text) for path, text in pages(site).items()}
    for path in ("index.html", "bots/ant.html"):
        assert "Ada" in found[path].text
        [*_, picture] = [attributes["src"] for tag, attributes in found[path].tags if tag == "img"]
        assert picture is not None
        assert ((site / path).parent / picture).resolve() == site / "avatars" / ADA.avatar
    page = found[f"bots/{slugs(BOTS)[SCRIPT]}.html"]
    assert f"Eve {SCRIPT}??" in page.text
    assert not [tag for tag, _ in page.tags if tag in ("img", "b")]
    bots = {each[0]: each[1:] for each in json.loads((site / "games" / "bots.js").read_text()[17:-3])["bots"]}
    assert bots["ant"] == ["ant", "Ada, Engines", ADA.avatar]
    assert bots["Bee"] == [slugs(BOTS)["Bee"]]
    assert bots[SCRIPT][1].startswith(f"Eve {SCRIPT}??")
    assert bots[SCRIPT][2] == ""
    assert json.loads((site / "leaderboard.json").read_text())["authors"]["ant"]["team"] == "Engines"


def test_what_is_linked_is_there(site: Path) -> None:
    for path, text in pages(site).items():
        for _, attributes in Page(text).tags:
            for link in (attributes.get("href"), attributes.get("src")):
                if link and not link.startswith("data:") and link != ADA.link:
                    file, _, anchor = link.partition("#")
                    target = (site / path).parent / file if file else site / path
                    assert target.is_file(), (path, link)
                    if anchor and not file.endswith(("replay.html", "games/index.html")):  # these have their own
                        assert f'id="{anchor}"' in target.read_text("utf-8"), (path, link)


def test_ids_are_unique_and_what_labels_is_there(site: Path) -> None:
    for path, text in pages(site).items():
        ids = [attributes["id"] for _, attributes in Page(text).tags if "id" in attributes]
        assert len(ids) == len(set(ids)), path
        for _, attributes in Page(text).tags:
            for name in ("aria-labelledby", "for"):
                assert set((attributes.get(name) or "").split()) <= set(ids), (path, attributes)
            href = attributes.get("href") or ""
            if href.startswith("#"):
                assert href[1:] in ids, (path, href)


def test_no_page_is_heavy_and_a_long_name_stands_once_in_full(site: Path) -> None:
    for path, text in pages(site).items():
        assert len(text.encode()) < HEAVY, path
    long_page = (site / "bots" / f"{slugs(BOTS)[LONG]}.html").read_text("utf-8")
    assert long_page.count(LONG) == 1
    assert LONG not in (site / "index.html").read_text("utf-8")


def test_with_many_bots_the_last_ones_are_links_and_the_page_stays_light(cup: Cup) -> None:
    many = [EntrantRecord(f"bot-{number:03}", "", "") for number in range(300)]
    with Ledger.open(cup.folder, writing=True) as ledger:
        ledger.set_entrants([*ledger.entrants(), *many])
    cup.publish()
    text = (cup.site / "index.html").read_text("utf-8")
    assert len(text.encode()) < HEAVY
    page = Page(text)
    assert {f"bots/{each.name}.html" for each in many} <= {dict(found).get("href") for _, found in page.tags}
    assert len(re.findall(r"Behind them: [\d–]+\.", page.text)) == 1
    assert (cup.site / "players" / "2.html").is_file()


def test_files_have_names_that_every_host_takes(site: Path) -> None:
    names = slugs([*BOTS, "out"])
    assert names["ant"] == "ant"
    assert names["Bee"].startswith("bee-")  # "bee" may be another bot
    assert names[SCRIPT].startswith("script-alert-1-script-")
    assert {file.stem for file in (site / "bots").iterdir()} == set(names.values())
    assert all(NAME.fullmatch(name) for name in names.values())
    odd = ["", "..", "a/b", "a\\b", "A", "a", "a-", "ä", "x" * 41, "x" * 42, "\x00", "index.html", "語"]
    found = slugs(odd)
    assert len({name.lower() for name in found.values()}) == len(odd)
    assert all(NAME.fullmatch(name) for name in found.values())
    stolen = slugs(["A", found["A"]])
    assert len(set(stolen.values())) == 2


def test_shown_texts_have_nothing_invisible() -> None:
    assert shown("a\x1b[2J\u202eb\n") == "a?[2J?b?"
    assert shown("x" * 100, 10) == "x" * 9 + "…"


def test_data_for_scripts_cannot_end_them(site: Path) -> None:
    for path, data in contents(site).items():
        if path.startswith("games/") and path.endswith(".js"):
            assert re.fullmatch(rb'arenaData\("\w+",(.*)\);\n', data)
            assert data.isascii()


def test_games_csv_holds_no_formula_and_the_feed_is_xml(tmp_path: Path) -> None:
    cup = Cup(tmp_path, "ravensburger")
    names = {"ant": "=1+1", "Bee": "@cmd", SCRIPT: "&<]]>\x1b\ufffe", LONG: "-2"}
    with Ledger.open(cup.folder, writing=True) as ledger:
        ledger.set_entrants([EntrantRecord(name, "bot.py", "00") for name in names.values()])
    renamed(cup, names)
    cup.publish()
    with (cup.site / "games.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert rows
    assert all(row["bot"] in ("'=1+1", "'@cmd", "'-2", names[SCRIPT]) for row in rows)
    feed = ElementTree.fromstring((cup.site / "feed.xml").read_text("utf-8"))
    titles = "".join(feed.itertext())
    assert "&<]]>??" in titles
    assert json.loads((cup.site / "badge.json").read_bytes())["schemaVersion"] == 1


def renamed(cup: Cup, names: dict[str, str]) -> None:
    """Play games, with other names in the ledger."""

    def other(record: GameRecord) -> GameRecord:
        return msgspec.structs.replace(record, bots=[names[bot] for bot in record.bots])

    with Ledger.open(cup.folder, writing=True) as ledger:
        for order in range(6):
            ledger.record(other(played(cup.game, order)))


def test_a_game_whose_id_is_no_file_name_is_listed_without_a_replay(cup: Cup) -> None:
    cup.play(1, id="../../escape")
    done = cup.publish()
    assert list(done.problems) == ["../../escape"]
    assert not (cup.site.parent / "escape").exists()
    assert b"../../escape" in (cup.site / "games" / "list-0.js").read_bytes()
    assert "../../escape" in (cup.site / "games.csv").read_text("utf-8")


def test_a_game_that_cannot_be_played_again_is_listed_without_a_replay(cup: Cup) -> None:
    cup.play(1, seed="ff" * 16)
    done = cup.publish()
    [(game, why)] = done.problems.items()
    assert "recorded is" in why or "step" in why
    assert not (cup.site / "games" / game).exists()
    assert cup.publish(now="2027-01-01T00:00:00Z") == (10, 0, 0, 0, {game: why})
