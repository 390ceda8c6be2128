"""A matplotlib figure as SVG that stands within a page: its colours are the page's, in light and in dark.

A figure is drawn with stand-in colours, each of which becomes a class of site.css. No style stands in the markup, so
that the pages' security policy can forbid it, and no id that is not referred to, so that several fit on one page.
"""

from __future__ import annotations

import io
import re
import warnings
from typing import Any, Final
from xml.etree import ElementTree

import matplotlib
from matplotlib.figure import Figure

INK: Final = "#010000"
FAINT: Final = "#010001"
SERIES: Final = tuple(f"#0200{number:02x}" for number in range(1, 7))
"""Of the lines and bars of a chart."""
DASHES: Final = ("-", "--", "-.", ":", (0, (6, 1, 1, 1, 1, 1)), (0, (1, 1)))
"""By series, so that no line is known by its colour alone."""
_CLASSES: Final = {INK: "ink", FAINT: "faint", **{colour: f"c{n}" for n, colour in enumerate(SERIES, start=1)}}
_KEPT: Final = {
    "fill-opacity",
    "font-size",
    "font-weight",
    "stroke-dasharray",
    "stroke-dashoffset",
    "stroke-linecap",
    "stroke-linejoin",
    "stroke-opacity",
    "stroke-width",
    "text-anchor",
}
_SETTINGS: Final[dict[str, Any]] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "arena",
    "text.parse_math": False,
    "font.size": 12,
    "font.family": "DejaVu Sans",
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": INK,
    "axes.facecolor": "none",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": False,
    "axes.unicode_minus": True,
    "figure.facecolor": "none",
    "figure.dpi": 72,
    "grid.color": FAINT,
    "grid.linewidth": 0.6,
    "xtick.color": INK,
    "ytick.color": INK,
    "path.simplify": True,
    "path.simplify_threshold": 0.3,
}
_NUMBER: Final = re.compile(r"-?\d+\.\d+")
_REFERENCE: Final = re.compile(r"#([\w-]+)")
_SPACE: Final = re.compile(r"\s+")


def settings() -> Any:
    """To draw within: the same on every machine, whatever its own settings of the library are."""
    chosen: dict[Any, Any] = {**matplotlib.rcParamsDefault}
    chosen.update(_SETTINGS)
    return matplotlib.rc_context(chosen)


def figure(width: float, height: float) -> Figure:
    """An empty figure of so many CSS pixels."""
    return Figure(figsize=(width / 72, height / 72))


def inline(drawn: Figure, name: str, title: str, description: str, classes: str = "chart") -> str:
    """The figure as markup. `name` is its own on the page; `title` and `description` tell its facts in words.

    `classes`: of site.css.
    """
    out = io.StringIO()
    with warnings.catch_warnings():
        # Letters that the library's font lacks are in the reader's.
        warnings.simplefilter("ignore")
        drawn.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    tree = ElementTree.fromstring(out.getvalue())
    referred = set(_REFERENCE.findall(" ".join(_references(tree))))
    cleaned = _cleaned(tree, name, referred)
    assert cleaned is not None
    box = cleaned.attrib.get("viewBox", "")
    root = ElementTree.Element(
        "svg", {"viewBox": box, "role": "img", "class": classes, "aria-labelledby": f"{name}-title {name}-desc"}
    )
    ElementTree.SubElement(root, "title", {"id": f"{name}-title"}).text = title
    ElementTree.SubElement(root, "desc", {"id": f"{name}-desc"}).text = description
    root.extend(list(cleaned))
    return ElementTree.tostring(root, encoding="unicode")


def _references(tree: ElementTree.Element) -> list[str]:
    return [
        value
        for element in tree.iter()
        for key, value in element.attrib.items()
        if key.endswith(("href", "clip-path")) or "url(#" in value
    ]


def _cleaned(element: ElementTree.Element, name: str, referred: set[str]) -> ElementTree.Element | None:
    """A copy of the element and what is in it; None: nothing of it is needed."""
    tag = element.tag.rpartition("}")[2]
    if tag in ("metadata", "style"):
        return None
    copy = ElementTree.Element(tag, _attributes(element, name, referred))
    copy.text = (element.text or "").strip() or None
    for child in element:
        new = _cleaned(child, name, referred)
        if new is None:
            continue
        if new.tag == "g" and not new.attrib:
            copy.extend(list(new))
        else:
            copy.append(new)
    return None if tag in ("g", "defs") and not len(copy) else copy


def _attributes(element: ElementTree.Element, name: str, referred: set[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    classes: list[str] = []
    for key, value in element.attrib.items():
        key = key.rpartition("}")[2]
        if key == "id":
            if value in referred:
                found["id"] = f"{name}-{value}"
        elif key == "style":
            _styled(value, found, classes)
        elif key == "href":
            found["href"] = f"#{name}-{value.removeprefix('#')}"
        elif key == "clip-path":
            found["clip-path"] = value.replace("url(#", f"url(#{name}-")
        elif not (key == "transform" and value.startswith("rotate(-0 ")):
            found[key] = _short(value)
    if classes:
        found["class"] = " ".join(sorted(classes))
    return found


def _styled(style: str, found: dict[str, str], classes: list[str]) -> None:
    for part in style.split(";"):
        key, _, value = part.partition(":")
        key, value = key.strip(), value.strip()
        if key in ("fill", "stroke"):
            if value in _CLASSES:
                classes.append(f"{key[0]}-{_CLASSES[value]}")
            elif value == "none":
                found[key] = value
        elif key in _KEPT:
            found[key] = _short(value)


def _short(value: str) -> str:
    return _NUMBER.sub(lambda number: f"{float(number[0]):.1f}".removesuffix(".0"), _SPACE.sub(" ", value)).strip()
