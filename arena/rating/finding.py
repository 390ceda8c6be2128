"""What a test of a difference of two bots has found."""

from __future__ import annotations

from typing import Literal

Finding = Literal["better", "worse", "within", "unknown"]
"""The difference is above 0, below 0, or less than the margin to either side, or none of these is known."""
