"""All animals: the wrong ones, and the right ones."""

from __future__ import annotations

from tests.audit.zoo import leaks, ours, scales, sparse, sums

__all__ = ["RIGHT", "WRONG"]

WRONG = (*scales.ANIMALS, *sums.ANIMALS, *sparse.ANIMALS, *leaks.ANIMALS)
RIGHT = (*(each.counterpart() for each in WRONG), *sparse.RIGHT, *ours.ANIMALS)
