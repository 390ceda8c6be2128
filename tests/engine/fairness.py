"""Whether worlds are drawn as often as they should be: Pearson's chi-square."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from typing import TypeVar

World = TypeVar("World", bound=Hashable)


def chi_square(found: Counter[World], expected: Counter[World]) -> tuple[float, int]:
    """The statistic and its degrees of freedom, rare worlds taken together; what must not occur must not."""
    assert not set(found) - set(expected)
    assert len(expected) > 1
    scale = sum(found.values()) / sum(expected.values())
    rows = [(found[each], number * scale) for each, number in expected.items() if number * scale >= 5]
    rare = [(found[each], number * scale) for each, number in expected.items() if number * scale < 5]
    if rare:
        rows.append((sum(seen for seen, _ in rare), sum(wanted for _, wanted in rare)))
    return sum((seen - wanted) ** 2 / wanted for seen, wanted in rows), len(rows) - 1


def critical(freedom: int, deviations: float = 3.09) -> float:
    """What chi-square exceeds as often as a normal variable these deviations, by default once in a thousand times.

    By Wilson and Hilferty.
    """
    spread = 2 / (9 * freedom)
    result: float = freedom * (1 - spread + deviations * spread**0.5) ** 3
    return result
