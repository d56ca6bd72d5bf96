"""Reports that are one whole number each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.sampling.sparing import many_below, many_coins
from sfumato.survey.collector.hashes import buckets_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.sampling import BitSource
    from sfumato.survey.client.protocols import Hadamard, Hashing, Response, Window

    Whole = NDArray[np.int64]

__all__ = ["hadamard", "hashing", "response", "rounded", "window"]

#: Numbers count in steps of 2**-53: times the at most 32 points they stay below 2**63.
_FINE = 53
_REST = np.int64(2**_FINE - 1)


def response(protocol: Response, answers: Whole, source: BitSource) -> Whole:
    """Return the answers, or others in their place."""
    told = many_coins(protocol.hit, len(answers), source=source)
    return _unless(told, answers, protocol.choices, source)


def hadamard(protocol: Hadamard, answers: Whole, source: BitSource) -> Whole:
    """Return one number below the order for each answer."""
    supporting = many_coins(protocol.hit, len(answers), source=source)
    numbers = many_below(protocol.order, len(answers), source=source)
    columns = answers + 1
    odd = np.bitwise_count(numbers & columns) & 1
    lowest = columns & -columns
    return np.asarray(numbers ^ (lowest * (odd == supporting)))


def hashing(protocol: Hashing, answers: Whole, source: BitSource) -> Whole:
    """Return a function and a bucket in one number for each answer."""
    functions = many_below(protocol.functions, len(answers), source=source)
    told = many_coins(protocol.hit, len(answers), source=source)
    buckets = buckets_of(protocol, functions, answers)
    return functions * protocol.buckets + _unless(told, buckets, protocol.buckets, source)


def window(protocol: Window, numbers: NDArray[np.float64], source: BitSource) -> Whole:
    """Return one mark for each number from 0 to 1."""
    points = rounded(numbers, protocol.points - 1, source)
    likely, others = protocol.width * protocol.loss.ratio, protocol.points - 1
    near = many_coins(likely / (likely + others), len(numbers), source=source)
    inside = points + many_below(protocol.width, len(numbers), source=source)
    outside = many_below(others, len(numbers), source=source)
    return np.where(near, inside, outside + protocol.width * (outside >= points))


def _unless(told: NDArray[np.bool_], truth: Whole, count: int, source: BitSource) -> Whole:
    """Return the truth where it is told, and one of the other numbers below a count elsewhere."""
    others = many_below(count - 1, len(truth), source=source)
    others += others >= truth
    return np.where(told, truth, others)


def rounded(numbers: NDArray[np.float64], steps: int, source: BitSource) -> Whole:
    """Round numbers from 0 to 1 to whole steps, up or down by a coin that keeps the mean."""
    places = np.rint(np.ldexp(numbers, _FINE)).astype(np.int64) * steps
    coins = (source.words(len(numbers)) >> np.uint64(64 - _FINE)).astype(np.int64)
    return np.asarray((places >> _FINE) + (coins < (places & _REST)))
