"""Invert one large matrix.

LAPACK, which numpy calls for it, takes almost three times as long as multiplying such matrices does. Made of products
of halves, the inverse takes no longer than one product (Strassen 1969, "Gaussian elimination is not optimal").
"""

from __future__ import annotations

from typing import Final

import numpy as np

from arena.rating.gaussian_tails import Floats

_AT_ONCE: Final = 64
"""Rows of a matrix that is not divided any more."""
_NOTHING: Final = 1e-100
"""Less is taken for 0. Where only a long chain of games links two bots, numbers come out that are too small for a float
to hold all their digits, and a product with these takes eight times as long."""


def inverse(matrix: Floats) -> Floats:
    """Return the inverse of a symmetric positive definite matrix, by row and column. It is symmetric to the last bit.

    Such a matrix can be halved anywhere, as no part of its diagonal is singular.
    """
    size = len(matrix)
    if size <= _AT_ONCE:
        found: Floats = np.linalg.inv(matrix).astype(np.float64, copy=False)
        return (found + found.T) / 2
    half = size // 2
    first = inverse(matrix[:half, :half])
    below = matrix[half:, :half]
    pulled = below @ first
    last = inverse(matrix[half:, half:] - pulled @ below.T)
    together = last @ pulled
    found = np.empty((size, size))
    corner = pulled.T @ together
    found[:half, :half] = first + (corner + corner.T) / 2
    found[half:, :half] = -together
    found[:half, half:] = -together.T
    found[half:, half:] = last
    found[np.abs(found) < _NOTHING] = 0.0
    return found
