"""Find what a game ships beside its code, and turn its rules, `rules.md`, into HTML with an anchor for each rule."""

from __future__ import annotations

import os
import re
import sys
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from engine.rules import Rules

_MOST: Final = 500_000
"""Characters. Longer rules are left out."""
_RULE: Final = re.compile(r"<strong>([A-Z]{1,3}-\d+)</strong>")
_HEADING: Final = re.compile(r"<h2>(.*?)</h2>")
_TITLE: Final = re.compile(r"<h1>.*?</h1>")
_REGION: Final = '<div class="scroll" tabindex="0" role="region" aria-label="Table {}"><table>'


def rules_page(rules: Rules) -> tuple[list[tuple[str, str]], str]:
    """Return the ids and titles of the sections, and the rules as HTML; nothing if the game ships none.

    A plug-in's text is no more trusted than a bot's name: HTML in it is shown as text, and links lead nowhere else.
    """
    text = rules_text(rules)
    if not text:
        return [], ""
    from markdown_it import MarkdownIt  # of an extra, which the rules alone do without

    html = MarkdownIt("commonmark", {"html": False}).enable("table").disable(["link", "image", "autolink"]).render(text)
    html = _RULE.sub(r'<strong id="\1">\1</strong>', html)
    headings: list[tuple[str, str]] = []

    def heading(found: re.Match[str]) -> str:
        headings.append((f"section-{len(headings) + 1}", re.sub("<.*?>", "", found[1])))
        return f'<h2 id="{headings[-1][0]}">{found[1]}</h2>'

    html = _HEADING.sub(heading, _TITLE.sub("", html, count=1))
    first, *rest = html.split("<table>")
    tables = [f"{_REGION.format(number)}{each}" for number, each in enumerate(rest, start=1)]
    return headings, first + "".join(tables).replace("</table>", "</table></div>")


def shipped_beside(rules: Rules, name: str) -> Traversable:
    """Return the file of that name beside the module of a game, whether or not it is there."""
    module = sys.modules[type(rules).__module__]
    if module.__package__:
        return files(module.__package__).joinpath(name)
    # A module alone is no package, and before Python 3.12 `files` refuses those.
    file = getattr(module, "__file__", None)
    return Path(os.devnull if file is None else file).with_name(name)


def rules_text(rules: Rules) -> str:
    """Return the rules as they are shipped, in Markdown; empty if the game ships none."""
    try:
        text = shipped_beside(rules, "rules.md").read_text("utf-8")
    except (OSError, TypeError, ValueError, ModuleNotFoundError, UnicodeDecodeError):
        return ""
    return text if len(text) <= _MOST else ""
