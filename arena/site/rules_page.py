"""Turn the rules that a game ships, `rules.md`, into HTML with an anchor for each rule."""

from __future__ import annotations

import re
from typing import Final

from arena.shipped.beside import rules_text
from engine.rules import Rules

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
