"""The pages of single games, which chats and feeds show with a title and a picture."""

from __future__ import annotations

import io
import struct
from html.parser import HTMLParser

import msgspec
import pytest
from PIL import Image

from arena.site import share_pages
from arena.site.share_image import ON_PAGE, SIZE, SMALL, ShareImages, grid_of
from arena.site.share_pages import Share, board_film, board_of, game_gif, headline, share_files
from engine import catalog
from tests.arena.site.conftest import SCRIPT, Cup, played

URL = "https://example.org/cup"


class Head(HTMLParser):
    """What a program reads of a page that runs no script."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self.tags: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        given = dict(attrs)
        if tag == "meta" and "property" in given:
            self.found[str(given["property"])] = str(given["content"])
        if tag in ("a", "script"):
            self.found[tag] = str(given.get("href", given.get("data-replay")))


@pytest.fixture
def pictured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.site.site.PICTURED", 1)


@pytest.mark.slow
def test_where_the_address_is_known_every_game_has_a_page_and_the_latest_a_picture(cup: Cup, pictured: None) -> None:
    cup.play(2)
    first, second = (played(cup.game, order).id for order in (9, 10))
    cup.publish(url=URL)
    games = cup.site / "games"
    assert not (games / first / "board.png").exists()
    old, new = (Head((games / each / "index.html").read_text()) for each in (first, second))
    assert old.found["og:url"] == f"{URL}/games/{first}/"
    assert old.found["og:image"] == f"{URL}/board.png"
    assert new.found["og:image"] == f"{URL}/games/{second}/board.png"
    assert new.found["a"] == new.found["script"] == f"../replay.html#{second}"
    for picture in (cup.site / "board.png", games / second / "board.png"):
        data = picture.read_bytes()
        assert struct.unpack(">II", data[16:24]) == SIZE
        assert len(data) < 60_000
    assert f"{URL}/games/{second}/" in (cup.site / "feed.xml").read_text()
    assert Head((cup.site / "index.html").read_text()).found["og:image"] == f"{URL}/board.png"
    cup.play(1)
    third = played(cup.game, 11).id
    cup.publish(url=URL)
    assert not (games / second / "board.png").exists(), "another one is the latest"
    assert (games / third / "board.png").exists()
    cup.publish()
    assert not list(cup.site.glob("**/board.png"))
    assert not list(games.glob("*/index.html"))
    assert "og:" not in (cup.site / "index.html").read_text()


def public(**other: object) -> dict[str, object]:
    found = {
        "id": "g",
        "players": 2,
        "bots": [f"{SCRIPT}\u202e", "b" * 5000],
        "ranks": [1, 2],
        "start": None,
        "steps": [],
    }
    return found | other


def test_names_that_others_chose_are_text_and_fit() -> None:
    share = Share("https://example.org/", SCRIPT, frozenset({"g"}))
    files = share_files(share, None, msgspec.json.encode(public()))
    head = Head(files["index.html"].decode())
    assert head.tags.count("script") == 1
    assert head.found["og:title"].startswith("<script>alert(1)")
    assert "\u202e" not in head.found["og:title"]
    assert len(head.found["og:title"]) < 120
    assert Image.open(io.BytesIO(files["board.png"])).size == SIZE
    assert share_files(None, None, b"no JSON") == {}


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"bots": ["a", "b"], "outcome": "86 days"}, "a beats b: 86 days"),
        ({"bots": ["a", "b"], "ranks": [1, 1]}, "a and b share the first place"),
        ({"bots": ["a", "b", "c"], "ranks": [2, 1, 1]}, "b and c beat a"),
        ({"bots": ["a", "b"], "ranks": None}, "a and b: not over"),
    ],
)
def test_a_title_says_who_played_and_won(other: dict[str, object], said: str) -> None:
    assert headline(public(**other)) == said


@pytest.mark.parametrize("game", sorted(catalog.installed()))
def test_a_picture_shows_where_the_figures_are(game: str) -> None:
    rules = catalog.rules(game)
    board = rules.board(rules.edition(rules.editions()[0]))  # type: ignore[attr-defined]
    images = ShareImages(board)
    scene = {"at": [3, 3, None], "turn": None, "seats": [{}, {}, {}], "table": {}, "cards": {}}
    steps = [[0, 0, [0], {"at": {"0": 5, "1": 6}}, None]]
    of = {"players": 3, "bots": ["a", "b", "c"], "ranks": [1, 2, 3], "start": scene}
    before, after = (images.draw("title", "note", public(**of, steps=some)) for some in ([], steps))
    assert before != after
    assert images.draw("title", "note", public(**of, steps=steps)) == after, "the same picture every time"
    assert share_pages.headline(public(**of)) == "a beats b and c"


def frames(gif: bytes) -> list[bytes]:
    with Image.open(io.BytesIO(gif)) as image:
        assert (image.format, image.size, image.info["loop"]) == ("GIF", SMALL, 0)
        found = []
        for at in range(image.n_frames):  # type: ignore[attr-defined]
            image.seek(at)
            found.append(image.convert("RGB").tobytes())
    return found


def test_a_game_plays_itself_turn_by_turn_to_its_end() -> None:
    rules = catalog.rules("kosmos")
    board = board_of(rules, rules.edition(rules.editions()[0]))
    scene = {"at": [0, 0], "turn": None, "seats": [{}, {}], "table": {}, "cards": {}}
    steps = [[0, 0, [0], {"at": {"0": at}}, f"round {at}, a"] for at in range(1, 5)]
    game = public(bots=["a", "b"], ranks=[1, 2], start=scene, steps=steps, texts=["a travels"])
    gif = game_gif(board, game)
    assert len(set(frames(gif))) == 4
    assert gif == game_gif(board, game)
    moving, still = board_film(board, game)
    assert (moving, still) == board_film(board, game)
    assert [_numbers(each) for each in (moving, still)] == [("WEBP", ON_PAGE, 4), ("WEBP", ON_PAGE, 1)]


def _numbers(picture: bytes) -> tuple[str | None, tuple[int, int], int]:
    with Image.open(io.BytesIO(picture)) as image:
        return image.format, image.size, getattr(image, "n_frames", 1)


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1", ["rnbqkbnr", "pppppppp", "........"]),
        ("GoState(komi=7.5)\n\n 3 +X+\n 2 +++\n 1 O++\n   ABC", ["+X+", "+++", "O++"]),
        ("...\n.x.\no..", ["...", ".x.", "o.."]),
        ("8/8/8/8/8/8/8/99 w - - 0 1", None),
        ("position: 3\nnumber: 4\nwho: 5", None),
        ("...\n..\n...", None),
    ],
)
def test_a_board_that_a_text_draws_is_drawn(text: str, rows: list[str] | None) -> None:
    found = grid_of(text)
    assert (found and found[0][:3]) == rows
    steps = [[0, 0, [0], {"rows": {"text": f"{text} "}}, None], [1, 0, [0], {"rows": {"text": text}}, None]]
    game = public(bots=["a", "b"], steps=steps, seen={"rows": {}, "scores": {}}, texts=["moves"])
    assert len(frames(game_gif(None, game))) == 2


def test_a_gif_that_is_too_large_has_fewer_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = [[0, 0, [0], {"rows": {"place": str(at)}}, None] for at in range(40)]
    game = public(bots=["a", "b"], steps=steps, seen={"rows": {}, "scores": {}}, texts=["moves"])
    whole = game_gif(None, game)
    monkeypatch.setattr("arena.site.share_image.LARGEST", len(whole) * 2 // 3)
    small = game_gif(None, game)
    assert len(small) <= len(whole) * 2 // 3
    assert 1 < len(frames(small)) < len(frames(whole))
    assert frames(small)[-1] == frames(whole)[-1]
