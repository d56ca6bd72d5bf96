"""The hash functions of local hashing, for many reports at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.survey.client.protocols import Hashing

    Whole = NDArray[np.int64]

__all__ = ["buckets_of"]


def buckets_of(protocol: Hashing, functions: Whole, choices: Whole) -> Whole:
    """Return the bucket into which each function puts the choice beside it; they broadcast.

    Examples
    --------
    >>> import numpy as np
    >>> from sfumato.survey.client.protocols import Hashing
    >>> from sfumato.survey.client.ratios import read_loss
    >>> from sfumato.survey.collector.hashes import buckets_of
    >>> buckets_of(Hashing(4, read_loss(1)), np.array([9]), np.arange(4))
    array([0, 2, 1, 3])
    """
    places = np.zeros(np.broadcast_shapes(functions.shape, choices.shape), dtype=np.int64)
    for prime, digits in zip(protocol.primes, protocol.digits, strict=True):
        functions, rows = np.divmod(functions, prime**digits)
        places *= prime
        places += _digit(prime, digits, rows, choices)
    return places


def _digit(prime: int, digits: int, rows: Whole, choices: Whole) -> Whole:
    """Return the digit of the bucket that belongs to one prime."""
    if prime == 2:
        return np.asarray(np.bitwise_count(rows & choices) & 1, dtype=np.int64)
    met = np.zeros(np.broadcast_shapes(rows.shape, choices.shape), dtype=np.int64)
    for _ in range(digits):
        rows, row = np.divmod(rows, prime)
        choices, digit = np.divmod(choices, prime)
        met += row * digit
    return met % prime


def hashing_counts(protocol: Hashing, reports: Whole, weights: Whole | None) -> Whole:
    choices = np.arange(protocol.choices)
    sums = np.zeros(protocol.choices, dtype=np.int64)
    step = max(1, (1 << 22) // protocol.choices)
    for start in range(0, len(reports), step):
        functions, buckets = np.divmod(reports[start : start + step, None], protocol.buckets)
        rows = buckets_of(protocol, functions, choices) == buckets
        if weights is None:
            sums += rows.sum(axis=0)
        else:
            sums += weights[start : start + step] @ rows.view(np.uint8)
    return sums
