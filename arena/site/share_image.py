"""Draw the picture that a chat or a feed shows beside the address of a game: its board at the end, and who won.

Such places take no SVG, so it is a PNG. It is drawn from what `engine.picture` says of any game, plainer than the board
in a browser: land, routes, places and figures, or squares in rows.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from copy import deepcopy
from typing import Any, Final

from PIL import Image, ImageDraw, ImageFont

from arena.site.names import shown
from engine.picture import follow
from engine.rules import Data

SIZE: Final = (1200, 630)
"""The size that such places ask for."""
_SEA, _LAND, _FRAME, _INK, _RED, _PLATE = "#d5e0d6", "#eedfb8", "#7a5a34", "#3a2a1c", "#9c2f22", "#fbf4df"
_SIX: Final = ("#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#cc79a7")
_SEATS: Final = (*_SIX, "#999999", "#8c510a", "#b2df8a", "#6a3d9a")
_DARK: Final = (4, 7, 9)
_TOP: Final = 96
"""Pixels above the board."""
_BOTTOM: Final = 64
_MARGIN: Final = 34
_NUMBER: Final = re.compile(r"-?\d*\.?\d+")
_COLORS: Final = 32
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
        if self._ground is None:
            self._ground = self._drawn_ground()
        image = self._ground.copy()
        pen = ImageDraw.Draw(image)
        pen.text((_MARGIN, 12), shown(note, 90), font=_font(22), fill=_FRAME)
        size = 40
        while size > 22 and pen.textlength(shown(title, 110), font=_font(size)) > SIZE[0] - 2 * _MARGIN:
            size -= 2
        pen.text((_MARGIN, 40), shown(title, 110), font=_font(size), fill=_INK)
        if public is not None:
            self._draw_figures(pen, public)
            self._draw_seats(pen, public)
        out = io.BytesIO()
        image.quantize(_COLORS, dither=Image.Dither.NONE).save(out, "PNG")
        return out.getvalue()

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

    def _draw_figures(self, pen: ImageDraw.ImageDraw, public: Data) -> None:
        """Draw the figures where the last scene has them, side by side where several are at one place."""
        scene = _last_scene(public)
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


def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    found = _FONTS.get(size)
    if found is None:
        found = _FONTS[size] = ImageFont.load_default(size)
    return found


_FONTS: Final[dict[int, Any]] = {}


def _draw_seat(pen: ImageDraw.ImageDraw, x: float, y: float, seat: int) -> None:
    pen.ellipse((x - 14, y - 14, x + 14, y + 14), fill=_SEATS[seat % len(_SEATS)], outline=_INK, width=2)
    colour = "#ffffff" if seat % len(_SEATS) in _DARK else "#000000"
    pen.text((x, y), str(seat), font=_font(19), fill=colour, anchor="mm")


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


def _polygons(land: str) -> list[list[tuple[float, float]]]:
    """Return the corners of SVG path data of lines (M, l and z alone, as `engine.atlas` writes)."""
    found = []
    for part in land.split("M"):
        values = [float(each) for each in _NUMBER.findall(part)]
        x = y = 0.0
        points = []
        for dx, dy in zip(values[::2], values[1::2], strict=False):
            x, y = x + dx, y + dy
            points.append((x, y))
        if len(points) > 2:
            found.append(points)
    return found


def _last_scene(public: Data) -> Any:
    scene = deepcopy(public["start"])
    if scene is not None:
        for step in public["steps"]:
            follow(scene, step[3])
    return scene
