"""`arena docs`: show the documentation that comes with the arena."""

from __future__ import annotations

import pydoc
import sys
from typing import Annotated

import typer

from arena.cli.terminal import examples, say, table
from arena.common.allowed_words import suggested
from arena.shipped.pages import pages, text_of


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("docs", epilog=examples("arena docs", "arena docs protocol", "arena docs bot-toml > bot-toml.md"))(
        command
    )


def _names(incomplete: str) -> list[str]:
    return [name for name in pages() if name.startswith(incomplete)]


def command(
    page: Annotated[
        str | None, typer.Argument(help="One of the pages listed.", autocompletion=_names, metavar="PAGE")
    ] = None,
) -> None:
    """List the pages of documentation, or show one of them. A terminal shows it in a pager."""
    found = pages()
    if page is None:
        say(table(("page", "what it is about"), [(name, each.title) for name, each in found.items()]))
        return
    if page not in found:
        there = f"there are {', '.join(found)}{suggested(page, found)}"
        raise typer.BadParameter(f"there is no page {page}: {there}", param_hint="PAGE")
    text = text_of(found[page]).rstrip()
    if sys.stdout.isatty():
        pydoc.pager(text)
    else:
        say(text)
