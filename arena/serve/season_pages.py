"""Write the pages of a season after a round: its site, and for each submitter a report. Run as a program."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final, Literal, cast

from arena.common.labels import bot_name
from arena.common.regular_files import write_atomic
from arena.ledger import Ledger
from arena.reports.bot_report import bot_report, report_input
from arena.site import publish
from arena.site.report_pages import bot_report_page

REPORTS: Final = "reports"
"""The folder beside the site with a page for each submitter, which is for that submitter alone."""

GamesShown = Literal["live", "later", "now"]
"""When games are shown that the pages tell of: while they are played, later than their results, or with them."""


def write_pages(folder: Path, site: Path, title: str, games: GamesShown) -> None:
    """Publish a tournament of a season, and write a report on each bot in its field, unless it is the final.

    Args:
        folder: That of the tournament.
        site: Where it is published.
        title: Of the site.
        games: When games are shown.
    """
    publish(folder, site, title=title, live=games == "live", later=games == "later", league="/")
    if site.parent != folder:
        return
    (folder / REPORTS).mkdir(exist_ok=True)
    with Ledger.open(folder) as ledger, ledger.snapshot():
        found = report_input(ledger)
        for bot in ledger.field():
            page = bot_report_page(bot_report(ledger, bot, games=found), "/")
            write_atomic(folder / REPORTS / f"{bot_name(bot)}.html", page)


if __name__ == "__main__":
    write_pages(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], cast(GamesShown, sys.argv[4]))
