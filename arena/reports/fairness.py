"""What files, answers and games say of bots that may not play for themselves alone. It accuses nobody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from arena.common.printable import counted, printable
from arena.ledger import Ledger
from arena.reports.collusion import Favour, favours
from arena.reports.duplicates import Alike, alike
from arena.standings import rated_results
from arena.standings.head_to_head import rating_inputs


class FairReport(msgspec.Struct):
    """What was found."""

    games: int
    favours: list[Favour]
    alike: list[Alike]
    asked: int
    """Bots whose decisions were compared."""
    notes: list[str]
    """Which bots could not be asked, and why."""

    def in_words(self) -> str:
        """Return the findings as text."""
        found = [each.in_words() for each in self.alike] + [each.in_words() for each in self.favours]
        asked = f" and the answers of {counted(self.asked, 'bot')}" if self.asked else ""
        none = f"Nothing that chance does not do, too, in {counted(self.games, 'game')}{asked}"
        return "\n".join(printable(f"{line}.") for line in [*(found or [none]), *self.notes])


def fair_report(ledger: Ledger, answers: Mapping[str, Sequence[int | None]], notes: Sequence[str] = ()) -> FairReport:
    """Look for favours and copies. `answers`: by version; those of the field are compared."""
    asked = {bot: found for bot in ledger.field() if (found := answers.get(bot))}
    fingerprints = {each.name: each.fingerprint for each in ledger.entrants() if each.left_out is None}
    games = rating_inputs(rated_results(ledger))
    return FairReport(len(games), favours(games), alike(fingerprints, asked), len(asked), list(notes))
