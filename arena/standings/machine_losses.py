"""Which machines of a cluster lose games on time far more often than the others: perhaps they are slow or overloaded.

A bot that is slow is so on every machine, and a game goes to whichever machine has a core free. So if all machines were
alike, the games that were lost on time would lie among all games of a machine and of the others as if drawn at random.
How likely it is that so many or more of them fall on one machine, Fisher's exact test says: R. A. Fisher, *Journal of
the Royal Statistical Society* 85 (1922), pages 87 to 94. There is one test for each machine, for which each chance is
multiplied by their number (Bonferroni's inequality; O. J. Dunn, *Journal of the American Statistical Association* 56
(1961), pages 52 to 64).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import exp, lgamma
from typing import Final, NamedTuple

from arena.common.printable import counted, printable
from arena.ledger import Ledger

ERROR: Final = 0.01
"""How likely it is at most that of machines that are alike any is named."""
TIMES: Final = 2
"""So many times as often as the others a machine that is named loses games on time."""


class MachineLosses(NamedTuple):
    """The games of one machine, and those of the others."""

    name: str
    games: int
    late: int
    """Games in which a bot answered late."""
    elsewhere: int
    late_elsewhere: int

    def chance(self) -> float:
        """Return how likely so many late games or more are, if machines are alike."""
        return upper_tail(self.late, self.games, self.late + self.late_elsewhere, self.games + self.elsewhere)

    def __str__(self) -> str:
        """Describe the losses in words."""
        return (
            f"{printable(self.name)}: {self.late} of {counted(self.games, 'game')} were lost on time, elsewhere "
            f"{self.late_elsewhere} of {self.elsewhere}"
        )


def upper_tail(found: int, drawn: int, marked: int, all_: int) -> float:
    """Return the chance to find so many marked ones or more when `drawn` of `all_` are drawn, of which some are marked.

    That is the upper tail of the hypergeometric distribution.
    """

    def log_comb(n: int, k: int) -> float:
        return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)

    every = log_comb(all_, drawn)
    numbers = range(max(found, drawn + marked - all_, 0), min(drawn, marked) + 1)
    return min(1.0, sum(exp(log_comb(marked, k) + log_comb(all_ - marked, drawn - k) - every) for k in numbers))


def losses_by_machine(ledger: Ledger) -> list[MachineLosses]:
    """Return what is lost on time on each machine that has a name."""
    if len(ledger.named_machines()) < 2:
        return []
    late = set(ledger.games_with_fault("late"))
    games: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    for game, machine in ledger.machines_of_games().items():
        games[machine] += 1
        lost[machine] += game in late
    return compared(games, lost, set(ledger.settings.without_machines))


def compared(games: Mapping[str, int], late: Mapping[str, int], without: set[str]) -> list[MachineLosses]:
    """Compare each machine with all others. Those left out are compared with the others, and with them nobody."""
    used = [name for name in games if name not in without]
    found = []
    for name in sorted(games):
        others = [each for each in used if each != name]
        rest = sum(games[each] for each in others), sum(late[each] for each in others)
        found.append(MachineLosses(name, games[name], late[name], *rest))
    return found


def slow_machines(ledger: Ledger) -> list[MachineLosses]:
    """Return the machines that lose games on time far more often than the others, and are not left out yet."""
    without = set(ledger.settings.without_machines)
    found = [each for each in losses_by_machine(ledger) if each.name not in without]
    return [each for each in found if is_slow(each, len(found))]


def is_slow(each: MachineLosses, machines: int) -> bool:
    """Return whether a machine, of so many, loses games on time far more often than the others."""
    if not each.elsewhere or each.late * each.elsewhere < TIMES * each.late_elsewhere * each.games:
        return False
    return each.late > 0 and each.chance() * machines < ERROR


def slow_machines_in_words(ledger: Ledger) -> list[str]:
    """Say in a line each which machines these are, and what can be done."""
    return [
        f"machine {each}: far more often than by chance. To leave its games out: --without-machine "
        f"{printable(each.name)}"
        for each in slow_machines(ledger)
    ]
