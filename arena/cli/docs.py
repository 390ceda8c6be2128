"""`arena docs`: show the documentation that comes with the arena."""

from __future__ import annotations

import io
import os
import pydoc
import shutil
import sys
from pathlib import Path
from typing import Annotated, Final

import typer

from arena.cli.options import words
from arena.cli.terminal import can_clear, say, table
from arena.common.allowed_words import suggested
from arena.shipped.pages import pages, text_of

_WIDEST: Final = 120
"""Columns. Longer lines are tiring to read."""
_CODE: Final = "ansi_dark"
"""The colours of code, on whatever ground the terminal has."""


EXAMPLES: Final = ("arena docs", "arena docs protocol", "arena docs bot-toml > bot-toml.md")


def command(
    page: Annotated[
        str | None, typer.Argument(help="One of the pages listed.", autocompletion=words(pages), metavar="PAGE")
    ] = None,
) -> None:
    """List the pages of documentation, or show one of them. A terminal shows it laid out, in a pager."""
    found = pages()
    if page is None:
        say(table(("page", "what it is about"), [(name, each.title) for name, each in found.items()]))
        return
    if page not in found:
        there = f"there are {', '.join(found)}{suggested(page, found)}"
        raise typer.BadParameter(f"there is no page {page}: {there}", param_hint="PAGE")
    text = text_of(found[page]).rstrip()
    if not sys.stdout.isatty():
        say(text)
        return
    with_styles = _shows_styles()
    if with_styles:
        os.environ["LESS"] = f"{os.environ.get('LESS', '')} -R".strip()  # else it would show their codes
    pydoc.pager(_rendered(text, min(shutil.get_terminal_size().columns, _WIDEST), with_styles))


def _shows_styles() -> bool:
    """Return whether the pager that is used is known to show bold and colours."""
    chosen = os.environ.get("MANPAGER") or os.environ.get("PAGER") or "less"
    return can_clear() and Path(chosen.split()[0]).name == "less" and shutil.which("less") is not None


def _rendered(markdown: str, width: int, with_styles: bool) -> str:
    """Return a page as a terminal shows it: headings, tables and code in their shapes."""
    from rich.console import Console  # only on a terminal, because loading rich takes long
    from rich.markdown import Markdown

    out = io.StringIO()
    terminal = Console(
        file=out, width=width, force_terminal=with_styles, color_system="auto" if with_styles else None, emoji=False
    )
    terminal.print(Markdown(markdown, code_theme=_CODE, hyperlinks=False))
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())
