"""Write a page for each game to be shared: its address says which game it is also to programs that run no script.

Chats and feeds show a title and a picture of an address, and ask its server alone: what is behind `#` they never see.
So each game of a site whose address is known has a page of its own, which leads to its replay.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from arena.common.printable import listed
from arena.site.names import shown
from engine.picture import Illustrated
from engine.rules import Data, Rules

if TYPE_CHECKING:
    from jinja2 import Template

    from arena.site.share_image import ShareImages

PAGE: Final = "index.html"
IMAGE: Final = "board.png"
BEST, STILL = "best.webp", "best-still.webp"
"""The game that plays itself on the first page, and a picture of it."""
PICTURED: Final = 20
"""Games that have a picture of their own, the latest ones. It takes some hundredths of a second and 15 kB each."""


class Share(NamedTuple):
    """What the pages of games need to know of their site."""

    url: str
    """Where it is published, with a slash at the end."""
    title: str
    pictured: frozenset[str]
    """The games that have a picture of their own."""

    def mark(self, game: str) -> str:
        """Return what changes with the page of a game."""
        return f"{self.url} {self.title} {game in self.pictured}"


class _Outcome(msgspec.Struct):
    """What a title needs of the public part of a game's page data."""

    id: str
    bots: list[str]
    ranks: list[int] | None
    outcome: str | None = None


def share_files(share: Share | None, board: Data | None, public: bytes) -> dict[str, bytes]:
    """Return the files of a game's page.

    Args:
        share: The site; None if it is not known where it is published: there is no page then.
        board: The board, if the game has one.
        public: The public part of the game's page data.
    """
    if share is None:
        return {}
    # Steps are most of it, and only a picture needs them.
    data = msgspec.to_builtins(msgspec.json.decode(public, type=_Outcome))
    game, own = data["id"], data["id"] in share.pictured
    title = headline(data)
    image = f"{share.url}games/{game}/{IMAGE}" if own else f"{share.url}{IMAGE}"
    page = _template().render(share=share, game=game, title=title, image=image)
    files = {PAGE: page.encode("utf-8", "replace")}
    if own:
        note = f"{shown(share.title, 60)}, game {game}"
        files[IMAGE] = _images(msgspec.json.encode(board)).draw(title, note, msgspec.json.decode(public))
    return files


def headline(public: Data) -> str:
    """Return who played and won in one line, as the replay does."""
    bots = [shown(bot, 24) for bot in public["bots"]]
    ranks = public["ranks"]
    if not ranks:
        return f"{listed(bots, 10)}: not over"
    order = sorted(range(len(bots)), key=lambda seat: (ranks[seat], seat))
    winners = list(dict.fromkeys(bots[seat] for seat in order if ranks[seat] == min(ranks)))  # a bot may be a team
    others = list(dict.fromkeys(bots[seat] for seat in order if ranks[seat] != min(ranks)))
    how = f": {public['outcome']}" if public.get("outcome") else ""
    if not others:
        return f"{listed(winners, 10)} share the first place{how}"
    return f"{listed(winners, 10)} {'beat' if len(winners) > 1 else 'beats'} {listed(others, 10)}{how}"


def board_of(rules: Rules, edition: Data) -> Data | None:
    """Return the board of a game that has one. An altered edition has none, nor has a plug-in's at fault."""
    with suppress(Exception):
        return rules.board(edition) if isinstance(rules, Illustrated) else None
    return None


def board_image(board: Data | None, title: str) -> bytes:
    """Return the picture of the site as a whole: its board, as PNG."""
    return _images(msgspec.json.encode(board)).draw(title)


def board_film(board: Data | None, public: Data) -> tuple[bytes, bytes]:
    """Return a game that plays itself on a page, and a picture of it for readers who want nothing to move."""
    return _images(msgspec.json.encode(board)).animate_board(public)


def game_gif(board: Data | None, public: Data) -> bytes:
    """Return a game as a GIF that plays itself, which chats show without a browser."""
    return _images(msgspec.json.encode(board)).animate(public, headline(public))


@cache
def _template() -> Template:
    from arena.site.pages import environment  # needs jinja2, which a replay in the terminal does without

    return environment().get_template("share.html.j2")


@cache
def _images(board: bytes) -> ShareImages:
    from arena.site.share_image import ShareImages  # needs Pillow, which a site of unknown address does without

    return ShareImages(msgspec.json.decode(board))
