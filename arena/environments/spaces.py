"""The spaces of Gymnasium in which the observations of a game lie."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces

from arena.environments.stepped import SteppedSetup
from arena.features.values import LARGEST, FormColumn


def observation_space(setup: SteppedSetup) -> spaces.Dict:
    """Return the space of what `SteppedGame.observation` returns."""
    form = setup.form
    found: dict[str, spaces.Space[Any]] = {
        "observation": box(form.columns, form.observation_width - form.width),
        "action_mask": spaces.Box(0, 1, (setup.steps,), np.int8),
    }
    if setup.has_rows:
        row = box(form.actions.columns)
        low, high = (np.tile(bound, (setup.steps, 1)) for bound in (row.low, row.high))
        found["actions"] = spaces.Box(low, high, dtype=np.float32)
    return spaces.Dict(found)


def box(columns: Sequence[FormColumn], counts: int = 0) -> spaces.Box:
    """Return the space of so many numbers, and of some counts behind them."""
    low = [*(column.low for column in columns), *[0] * counts]
    high = [*(column.high for column in columns), *[LARGEST] * counts]
    return spaces.Box(np.array(low, np.float32), np.array(high, np.float32), dtype=np.float32)
