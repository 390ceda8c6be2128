"""Draw a game where no script runs: a picture of its end for chats and feeds, and the whole game as a GIF or WebP.

It is drawn from what `engine.picture` says of any game, plainer than the board in a browser: land, routes, places and
figures, or squares in rows. Of a game without pictures it is what all see: a board of chess, stones, or the text.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from functools import cache
from itertools import accumulate
from typing import Any, Final

from PIL import Image, ImageColor, ImageDraw, ImageFont

from arena.site.names import shown
from engine.picture import follow
from engine.rules import Data

SIZE: Final = (1200, 630)
"""The size that such places ask for."""
_SEA, _LAND, _FRAME, _INK, _RED, _PLATE = "#d5e0d6", "#eedfb8", "#7a5a34", "#3a2a1c", "#9c2f22", "#fbf4df"
_GROUND: Final = (_INK, _PLATE, _SEA, _LAND, _FRAME, _RED)
_SIX: Final = ("#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#cc79a7")
_SEATS: Final = (*_SIX, "#999999", "#8c510a", "#b2df8a", "#6a3d9a")
_DARK: Final = (4, 7, 9)
_TOP: Final = 96
"""Pixels above the board."""
_BOTTOM: Final = 64
_MARGIN: Final = 34
_NUMBER: Final = re.compile(r"-?\d*\.?\d+")
_COLORS: Final = 32
LARGEST: Final = 2_000_000
"""The most bytes of a GIF: more is refused by some chats."""
SMALL: Final = (600, 315)
"""Its size."""
ON_PAGE: Final = (520, 236)
"""The size on a page, which loads no more than a few of the game's scripts weigh."""
_EDGE: Final = 10
_FRAMES: Final = 60
_FRAMES_ON_PAGE: Final = 24
_SHOWN: Final = (400, 3000)
"""Milliseconds for which a frame is shown, and the last one."""
_FEN: Final = re.compile(r"^((?:[pnbrqkPNBRQK1-8]{1,8}/){7}[pnbrqkPNBRQK1-8]{1,8}) [wb] ")
_GO: Final = re.compile(r"(?m)^ *\d+ ([+.XO]{3,})$")
_GRID: Final = re.compile(r"[.xoXO+]{3,}(?:\n[.xoXO+]{3,}){2,}")
_SQUARES: Final = ("#f0d9b5", "#b58863")
Box = tuple[float, float, float, float]


class ShareImages:
    """Draws the games of a tournament: what all pictures share is drawn once."""

    def __init__(self, board: Data | None) -> None:
        """Take the board, as `engine.picture.Illustrated.board` says it; None for a game without pictures."""
        self._board = board
        self._ground: Image.Image | None = None
        self._spots: list[tuple[float, float]] = []

    def draw(self, title: str, note: str = "", public: Data | None = None) -> bytes:
        """Return a picture as PNG.

        Args:
            title: What stands above the board.
            note: What stands above that, smaller.
            public: The public part of a game's page data, whose figures are drawn where they are at the end.
        """
        image, pen = self._begun(shown(title, 110), 64)
        pen.text((_MARGIN, 12), shown(note, 90), font=_font(22), fill=_FRAME)
        if public is not None:
            self._draw_figures(pen, _last_scene(public))
            self._draw_seats(pen, public)
        out = io.BytesIO()
        image.quantize(_COLORS, dither=Image.Dither.NONE).save(out, "PNG")
        return out.getvalue()

    def animate(self, public: Data, title: str) -> bytes:
        """Return a game as a GIF of at most `LARGEST` bytes, which says in words what happens."""
        frames = []
        for scene, words, over in _moments(public, _FRAMES):
            image = self._frame(public, scene, over, title if over else words)
            small = image.resize(SMALL, Image.Resampling.LANCZOS)
            frames.append(small.quantize(palette=_palette(), dither=Image.Dither.NONE))
        while True:
            gif = _animated(frames, "GIF", optimize=True)
            if len(gif) <= LARGEST or len(frames) < 3:
                return gif
            frames = [*frames[:-1:2], frames[-1]]

    def animate_board(self, public: Data) -> tuple[bytes, bytes]:
        """Return the board alone for a page, as WebP of some kilobytes: a game that plays itself, and its middle."""
        box = (0, _TOP - _EDGE, SIZE[0], SIZE[1])
        frames = [
            self._frame(public, scene, over).crop(box).resize(ON_PAGE, Image.Resampling.LANCZOS)
            for scene, _, over in _moments(public, _FRAMES_ON_PAGE)
        ]
        moving, still = frames, frames[len(frames) // 2 :][:1]
        how: dict[str, Any] = {"quality": 25, "method": 6, "minimize_size": True}
        return _animated(moving, "WEBP", **how), _animated(still, "WEBP", **how)

    def _frame(self, public: Data, scene: Data, over: bool, words: str = "") -> Image.Image:
        image, pen = self._begun(words, 52)
        if public["start"] is not None:
            self._draw_figures(pen, scene)
        else:
            rows = {label: each for label, each in scene.items() if each is not None}
            _draw_view(pen, rows, (_MARGIN, _TOP, SIZE[0] - _MARGIN, SIZE[1] - _BOTTOM))
        self._draw_seats(pen, public if over else {**public, "ranks": None})
        return image

    def _begun(self, words: str, y: int) -> tuple[Image.Image, ImageDraw.ImageDraw]:
        """Return a picture of the board with these words above it, and what draws on it."""
        if self._ground is None:
            self._ground = self._drawn_ground()
        image = self._ground.copy()
        pen, size = ImageDraw.Draw(image), 40
        while size > 22 and pen.textlength(words, font=_font(size)) > SIZE[0] - 2 * _MARGIN:
            size -= 2
        pen.text((_MARGIN, y), words, font=_font(size), fill=_INK, anchor="lm")
        return image, pen

    def _drawn_ground(self) -> Image.Image:
        image = Image.new("RGB", SIZE, _PLATE)
        pen = ImageDraw.Draw(image)
        frame = (_MARGIN, _TOP, SIZE[0] - _MARGIN, SIZE[1] - _BOTTOM)
        pen.rectangle(frame, fill=_SEA, outline=_FRAME, width=3)
        board = self._board
        if board is None or not board["places"]:
            return image
        if board.get("layout") == "track":
            self._spots = _draw_track(pen, board, frame)
        else:
            self._spots = _draw_map(image, board, frame)
        return image

    def _draw_figures(self, pen: ImageDraw.ImageDraw, scene: Any) -> None:
        """Draw the figures where the scene has them, side by side where several are at one place."""
        if scene is None or not self._spots:
            return
        at: dict[int, list[int]] = {}
        for seat, place in enumerate(scene["at"]):
            if type(place) is int and 0 <= place < len(self._spots):
                at.setdefault(place, []).append(seat)
        for place, seats in at.items():
            x, y = self._spots[place]
            wide = 30 * len(seats)
            left = min(max(x - wide / 2, _MARGIN + 4), SIZE[0] - _MARGIN - wide - 4)
            for i, seat in enumerate(seats):
                _draw_seat(pen, left + 30 * i + 15, max(y - 30, _TOP + 20), seat)

    def _draw_seats(self, pen: ImageDraw.ImageDraw, public: Data) -> None:
        ranks = public["ranks"] or [0] * public["players"]
        x: float = _MARGIN
        for seat in sorted(range(public["players"]), key=lambda seat: (ranks[seat], seat)):
            name = f"{ranks[seat] or ''}{'. ' if ranks[seat] else ''}{shown(public['bots'][seat], 20)}"
            wide = 44 + pen.textlength(name, font=_font(24))
            if x + wide > SIZE[0] - _MARGIN:
                break
            _draw_seat(pen, x + 14, SIZE[1] - _BOTTOM / 2, seat)
            pen.text((x + 36, SIZE[1] - _BOTTOM / 2), name, font=_font(24), fill=_INK, anchor="lm")
            x += wide + 14


def _moments(public: Data, most: int) -> Iterator[tuple[Data, str, bool]]:
    """Yield the scene after each turn or, if there are many, after some; what happened; and whether it is over."""
    steps = public["steps"]
    turns = [at for at, step in enumerate(steps) if at and step[4] is not None] or list(range(1, len(steps)))
    scene, done = deepcopy(public["start"]) or dict(public.get("seen", {}).get("rows", {})), 0
    for end in [*turns[:: -(-len(turns) // most) or 1], len(steps)]:
        for step in steps[done:end]:
            if public["start"] is not None:
                follow(scene, step[3])
            else:
                scene |= step[3].get("rows", {})
        new = [at for at in range(done, end) if at not in public.get("bookkeeping", ())] or [end - 1]
        said = shown(public["texts"][steps[new[-1]][2][-1]], 90) if steps else ""
        yield scene, said, end == len(steps)
        done = end


def _animated(frames: Sequence[Image.Image], form: str, **how: Any) -> bytes:
    out, times = io.BytesIO(), [_SHOWN[0]] * (len(frames) - 1) + [_SHOWN[1]]
    frames[0].save(out, form, save_all=True, append_images=frames[1:], duration=times, loop=0, **how)
    return out.getvalue()


_font = cache(ImageFont.load_default)


def _draw_seat(pen: ImageDraw.ImageDraw, x: float, y: float, seat: int) -> None:
    pen.ellipse((x - 14, y - 14, x + 14, y + 14), fill=_SEATS[seat % len(_SEATS)], outline=_INK, width=2)
    colour = "#ffffff" if seat % len(_SEATS) in _DARK else "#000000"
    pen.text((x, y), str(seat + 1), font=_font(19), fill=colour, anchor="mm")


def _draw_map(image: Image.Image, board: Data, frame: Box) -> list[tuple[float, float]]:
    """Draw a map, evenly scaled, and return where its places are."""
    left, top, right, bottom = frame
    places = board["places"]
    high = [place["y"] for place in places]
    scale = min((right - left) / board["width"], (bottom - top - 80) / max(max(high) - min(high), 1.0))
    middle = (max(high) + min(high)) / 2

    def spot(x: float, y: float) -> tuple[float, float]:
        return (left + right) / 2 + (x - board["width"] / 2) * scale, (top + bottom) / 2 + (y - middle) * scale

    inner = Image.new("RGB", (round(right - left) - 5, round(bottom - top) - 5), _SEA)
    pen = ImageDraw.Draw(inner)
    for points in _polygons(board.get("land") or ""):
        moved = [spot(x, y) for x, y in points]
        pen.polygon([(x - left - 3, y - top - 3) for x, y in moved], fill=_LAND, outline=_FRAME)
    image.paste(inner, (round(left) + 3, round(top) + 3))
    pen = ImageDraw.Draw(image)
    spots = [spot(place["x"], place["y"]) for place in places]
    for route in board["routes"]:
        pen.line([spots[place] for place in route], fill=_RED, width=4, joint="curve")
    for x, y in spots:
        pen.ellipse((x - 7, y - 7, x + 7, y + 7), fill=_PLATE, outline=_INK, width=2)
    _label(pen, [(place["name"], at) for place, at in zip(places, spots, strict=True)], frame)
    return spots


def _label(pen: ImageDraw.ImageDraw, named: Sequence[tuple[str, tuple[float, float]]], frame: Box) -> None:
    """Write the names of places below or above them, as far as there is room."""
    taken: list[Box] = []
    for name, (x, y) in named:
        wide = pen.textlength(name, font=_font(18)) + 10
        left = min(max(x - wide / 2, frame[0] + 5), frame[2] - wide - 5)
        for upper in (y + 10, y + 34):
            box = (left, upper, left + wide, upper + 24)
            if all(box[0] > b[2] or box[2] < b[0] or box[1] > b[3] or box[3] < b[1] for b in taken):
                pen.rounded_rectangle(box, 4, fill=_PLATE, outline=_FRAME)
                pen.text((left + wide / 2, upper + 12), name, font=_font(18), fill=_INK, anchor="mm")
                taken.append(box)
                break


def _draw_track(pen: ImageDraw.ImageDraw, board: Data, frame: Box) -> list[tuple[float, float]]:
    """Draw squares in rows that run to the right and to the left in turn, and return where they are."""
    left, top, right, bottom = frame
    number = len(board["places"])
    rows = max(1, round((number * (bottom - top) / (right - left) / 1.5) ** 0.5))
    columns = -(-number // rows)
    wide, high = (right - left - 16) / columns, (bottom - top - 16) / rows
    spots = []
    for place in range(number):
        row = place // columns
        column = columns - 1 - place % columns if row % 2 else place % columns
        x, y = left + 8 + (column + 0.5) * wide, top + 8 + (row + 0.72) * high
        spots.append((x, y))
    pen.line(spots, fill=_FRAME, width=5, joint="curve")
    for place, (x, y) in enumerate(spots):
        box = (x - wide * 0.44, y - high * 0.22, x + wide * 0.44, y + high * 0.22)
        pen.rounded_rectangle(box, 5, fill=_PLATE, outline=_FRAME, width=2)
        pen.text((x, y), str(place), font=_font(17), fill=_INK, anchor="mm")
    return spots


def _palette() -> Image.Image:
    """Return the colours of all frames, so that one differs from the next only where something happens."""
    plain = [ImageColor.getrgb(each) for each in (*_GROUND, *_SEATS, *_SQUARES, "#ffffff", "#000000")]
    edges = [(one, other) for one in plain[: len(_GROUND)] for other in plain[:4]]
    mixed = [tuple((a + b) // 2 for a, b in zip(one, other, strict=True)) for one, other in edges]
    image = Image.new("P", (1, 1))
    image.putpalette([part for colour in (*plain, *mixed) for part in colour])
    return image


def grid_of(text: str) -> tuple[list[str], bool] | None:
    """Return the rows of a board that a text draws, and whether it is one of chess. None: it draws no such board."""
    if found := _FEN.search(text):
        rows = ["".join("." * int(each) if each.isdigit() else each for each in row) for row in found[1].split("/")]
        return (rows, True) if all(len(row) == 8 for row in rows) else None
    rows = _GO.findall(text) or (text.split("\n") if _GRID.fullmatch(text) else [])
    return (rows, False) if len(rows) > 2 and len({len(row) for row in rows}) == 1 else None


def _draw_view(pen: ImageDraw.ImageDraw, rows: Data, frame: Box) -> None:
    """Draw what all see of a game without pictures: its board if it has one, else its rows as text."""
    left, top, right, bottom = frame
    text = rows.get("text") or "\n".join(f"{label}: {value}" for label, value in rows.items())
    found = grid_of(text)
    lines = (found[0] if found else text.split("\n")) or [""]
    size = min((bottom - top - 16) / len(lines), 34 if found is None else 999.0)
    wide = min(size * (0.62 if found is None else 1), (right - left - 16) / max(1, *map(len, lines)))
    x0, y0 = (left + right - wide * max(map(len, lines))) / 2, (top + bottom - size * len(lines)) / 2
    for y, line in enumerate(lines):
        for x, char in enumerate(line):
            at = x0 + (x + 0.5) * wide, y0 + (y + 0.5) * size
            if found is None:
                pen.text(at, char, font=_font(int(min(size, wide / 0.6) * 0.85)), fill=_INK, anchor="mm")
            else:
                _draw_square(pen, at, wide / 2, char, (x + y) % 2 if found[1] else 0)


def _draw_square(pen: ImageDraw.ImageDraw, at: tuple[float, float], half: float, char: str, shade: int) -> None:
    """Draw a square of a board with what stands on it: a piece of chess by its letter, or a stone."""
    x, y = at
    pen.rectangle((x - half, y - half, x + half, y + half), fill=_SQUARES[shade], outline=_FRAME)
    if char in ".+":
        return
    is_stone = char in "xoXO"
    white = char in "oO" if is_stone else char.isupper()
    disc, ink = ("#ffffff", "#000000") if white else ("#000000", "#ffffff")
    pen.ellipse((x - half * 0.8, y - half * 0.8, x + half * 0.8, y + half * 0.8), fill=disc, outline=_FRAME, width=2)
    if not is_stone:
        pen.text(at, char.upper(), font=_font(int(half)), fill=ink, anchor="mm")


def _polygons(land: str) -> list[list[tuple[float, float]]]:
    """Return the corners of SVG path data of lines (M, l and z alone, as `engine.atlas` writes)."""
    found = []
    for part in land.split("M"):
        values = [float(each) for each in _NUMBER.findall(part)]
        found.append([*zip(accumulate(values[::2]), accumulate(values[1::2]), strict=False)])
    return [points for points in found if len(points) > 2]


def _last_scene(public: Data) -> Any:
    scene = deepcopy(public["start"])
    if scene is not None:
        for step in public["steps"]:
            follow(scene, step[3])
    return scene
