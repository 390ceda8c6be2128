"""Draw the reliability diagram of `docs/ratings.md` as SVG."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Final, NamedTuple

from arena.rating import REACH, half
from arena.rating.held_out import HeldOutCalibration, ReliabilityBin

_SIZE: Final = 240
"""Of the plot in a panel, in CSS pixels."""
_LEFT: Final = 52
_TOP: Final = 34
_RIGHT: Final = 22
_BELOW: Final = 50
_LEAST_DOT: Final = 2.5
_LARGEST_DOT: Final = 6.5
_TICKS: Final = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
_LOWEST: Final = 0.35
"""The lower end of the scale upwards: a bin with few pairs may lie below one half."""
_STYLE: Final = (
    "text{font:12px system-ui,sans-serif;fill:#1a1a1a}.q{fill:#555b63}.t{font-weight:600;font-size:13px}"
    ".g{stroke:#e3e6ea}.d{stroke:#555b63;stroke-dasharray:4 3}.e{stroke:#0072b2;stroke-width:1.5}.p{fill:#0072b2}"
    ".b{fill:#fff}"
    "@media(prefers-color-scheme:dark){text{fill:#f2f2f2}.q{fill:#aab2bd}.g{stroke:#2c3239}.d{stroke:#aab2bd}"
    ".e{stroke:#56b4e9}.p{fill:#56b4e9}.b{fill:#15181c}}"
)


class _Spot(NamedTuple):
    x: float
    y: float


def reliability_chart(panels: Mapping[str, HeldOutCalibration]) -> str:
    """Return a reliability diagram as an SVG document.

    Each dot stands for the pairs of bots with about the same forecast: across is how often the likelier bot should
    finish ahead, upwards how often it did, with its interval of 95 %. Its area grows with the number of
    pairs. Where forecasts are right, dots lie on the diagonal.

    Args:
        panels: By heading; drawn from left to right.
    """
    width, height = len(panels) * (_LEFT + _SIZE + _RIGHT), _TOP + _SIZE + _BELOW
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img"><title>Reliability diagram</title><desc>{escape(_in_words(panels))}</desc>'
        f'<style>{_STYLE}</style><rect class="b" width="{width}" height="{height}"/>'
    ]
    for number, (heading, found) in enumerate(panels.items()):
        parts += _panel(heading, found, number * (_LEFT + _SIZE + _RIGHT) + _LEFT)
    return "\n".join([*parts, "</svg>", ""])


def _panel(heading: str, found: HeldOutCalibration, left: float) -> Iterator[str]:
    def at(forecast: float, observed: float) -> _Spot:
        across = (forecast - _TICKS[0]) / (_TICKS[-1] - _TICKS[0])
        upwards = (min(1.0, max(_LOWEST, observed)) - _LOWEST) / (1 - _LOWEST)
        return _Spot(round(left + _SIZE * across, 1), round(_TOP + _SIZE * (1 - upwards), 1))

    bottom = _TOP + _SIZE
    yield f'<text class="t" x="{left}" y="{_TOP - 14}">{escape(heading)}</text>'
    yield f'<text class="q" x="{left + _SIZE}" y="{_TOP - 14}" text-anchor="end">{found.games:,} games held out</text>'
    for tick in (0.4, *_TICKS):
        y = at(0.5, tick).y
        yield f'<path class="g" d="M{left} {y}H{left + _SIZE}"/>'
        yield f'<text class="q" x="{left - 6}" y="{y + 4}" text-anchor="end">{100 * tick:.0f} %</text>'
    for tick in _TICKS:
        x = at(tick, 1.0).x
        yield f'<path class="g" d="M{x} {_TOP}V{bottom}"/>'
        yield f'<text class="q" x="{x}" y="{bottom + 17}" text-anchor="middle">{100 * tick:.0f} %</text>'
    low, high = at(0.5, 0.5), at(1.0, 1.0)
    yield f'<path class="d" d="M{low.x} {low.y}L{high.x} {high.y}"/>'
    across, middle = left + _SIZE / 2, _TOP + _SIZE / 2
    yield f'<text class="q" x="{across}" y="{bottom + 38}" text-anchor="middle">forecast for the likelier bot</text>'
    yield (
        f'<text class="q" transform="rotate(-90 {left - 40} {middle})" x="{left - 40}" y="{middle}" '
        'text-anchor="middle">finished ahead</text>'
    )
    most = max(each.pairs for each in found.bins)
    for each in found.bins:
        reach = REACH * min(each.observed.error, 1.0)
        top, spot = at(each.forecast, each.observed.value + reach), at(each.forecast, each.observed.value)
        end = at(each.forecast, each.observed.value - reach)
        size = max(_LEAST_DOT, round(_LARGEST_DOT * (each.pairs / most) ** 0.5, 1))
        yield f'<path class="e" d="M{top.x} {top.y}V{end.y}"/>'
        words = f"<title>{escape(_bin_in_words(each))}</title>"
        yield f'<circle class="p" cx="{spot.x}" cy="{spot.y}" r="{size}">{words}</circle>'


def _bin_in_words(found: ReliabilityBin) -> str:
    error = half(100 * found.observed.error, 1) if found.observed.error <= 1 else ""
    observed = f"{100 * found.observed.value:.1f}{error} %"
    return f"forecast {100 * found.forecast:.1f} %, observed {observed} of {found.pairs:,} pairs"


def _in_words(panels: Mapping[str, HeldOutCalibration]) -> str:
    return " ".join(f"{heading}: {'; '.join(map(_bin_in_words, found.bins))}." for heading, found in panels.items())
