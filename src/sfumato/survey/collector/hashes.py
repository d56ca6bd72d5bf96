"""Local hashing for many reports at once: which choices they support, and how many do.

Let g be a power of one prime p, and a report a function with rows a of digits modulo p, one for
each factor, and as many digits b of a bucket.  It supports v where x = a·v - b is zero in each
factor.  Of all lines through the origin, (p^m - 1)/(p - 1) for m factors, all have s·x = 0 where
x is zero, and (p^(m-1) - 1)/(p - 1) where it is not.  So what is counted is s·a·v = s·b, for one
line s at a time; and that needs no more than how many reports have each s·a and s·b, which is
turned into counts for all v one digit at a time.  The work is that of the reports and that of
the choices, and not of both together.
"""

from __future__ import annotations

from functools import lru_cache, reduce
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.survey.collector.sums import blocks, column_sums, counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from sfumato.survey.client.protocols import Hashing

    Whole = NDArray[np.int64]

__all__ = ["buckets_of", "hashing_counts", "hashing_supports"]

#: Up to so many reports that differ, equal ones are put together first.
_MOST_KINDS = 1 << 20
#: The largest table of digits that is kept, and the largest that counts are turned in.
_MOST_DIGITS, _MOST_SUMS = 1 << 23, 1 << 26
#: Reports that are looked at together.
_PART = 1 << 15
#: Choices that are looked at together.
_FEW = 1 << 8


def buckets_of(protocol: Hashing, functions: Whole, choices: Whole) -> Whole:
    """Return the bucket into which each function puts the choice beside it."""
    places = np.zeros(len(functions), dtype=np.int64)
    for prime, digits in zip(protocol.primes, protocol.digits, strict=True):
        functions, rows = _split(functions, prime**digits)
        places = places * prime + _digit(prime, digits, rows, choices)
    return places


def hashing_supports(protocol: Hashing, reports: Whole) -> NDArray[np.bool_]:
    """Return for each report, in its row, which choices it supports."""
    return _supports(protocol, reports, range(protocol.choices))


def hashing_counts(protocol: Hashing, reports: Whole, weights: Whole | None = None) -> Whole:
    """Return how many people's reports support each choice."""
    kinds = protocol.functions * protocol.buckets
    if kinds <= min(len(reports), _MOST_KINDS):
        weights = counted(reports, kinds, weights)
        reports = np.arange(kinds)
    prime, digits = protocol.primes[0], protocol.digits[0]
    if len(set(protocol.primes)) == 1 and prime ** (digits + 2) <= _MOST_SUMS:
        return _counts_by_lines(protocol, reports, weights)
    return _counts_by_pairs(protocol, reports, weights)


def _counts_by_lines(protocol: Hashing, reports: Whole, weights: Whole | None) -> Whole:
    prime, digits, factors = protocol.primes[0], protocol.digits[0], len(protocol.primes)
    sums = np.zeros(prime ** (digits + 1), dtype=np.int64)
    for row_and_bucket, some in _on_lines(protocol, reports, weights):
        sums += counted(row_and_bucket, len(sums), some)
    people = len(reports) if weights is None else int(weights.sum())
    off_lines = people * ((prime ** (factors - 1) - 1) // (prime - 1))
    met = _met(prime, digits, sums)[: protocol.choices]
    return np.asarray((met - off_lines) // prime ** (factors - 1))


def _on_lines(
    protocol: Hashing, reports: Whole, weights: Whole | None
) -> Iterator[tuple[Whole, Whole | None]]:
    """Yield s·a and s·b in one number, for some reports and one line at a time."""
    prime, digits = protocol.primes[0], protocol.digits[0]
    for start in range(0, len(reports), _PART):
        rows, met = _parts(protocol, reports[start : start + _PART])
        some = None if weights is None else weights[start : start + _PART]
        for line in _lines(prime, len(protocol.primes)):
            row = _combined(prime, digits, line, rows)
            yield row * prime + _combined(prime, 1, line, met), some


def _counts_by_pairs(protocol: Hashing, reports: Whole, weights: Whole | None) -> Whole:
    """Look at each report and each choice, a few of the choices at a time."""
    sums = np.zeros(protocol.choices, dtype=np.int64)
    for first in range(0, protocol.choices, _FEW):
        some = range(first, min(first + _FEW, protocol.choices))
        for part in blocks(len(reports), len(some)):
            bits = _supports(protocol, reports[part], some).view(np.uint8)
            met = column_sums(bits, None if weights is None else weights[part])
            sums[some.start : some.stop] += met
    return sums


def _supports(protocol: Hashing, reports: Whole, choices: range) -> NDArray[np.bool_]:
    supports = np.ones((len(reports), len(choices)), dtype=np.bool_)
    rows, met = _parts(protocol, reports)
    for prime, digits, row, digit in zip(protocol.primes, protocol.digits, rows, met, strict=True):
        supports &= _digits_of(prime, digits, row, choices) == digit[:, None].astype(_kind(prime))
    return supports


def _parts(protocol: Hashing, reports: Whole) -> tuple[list[Whole], list[Whole]]:
    """Return for each prime factor the row of digits of a function, and the bucket's digit."""
    functions, buckets = _split(reports, protocol.buckets)
    rows: list[Whole] = []
    met: list[Whole] = []
    for prime, digits in zip(protocol.primes, protocol.digits, strict=True):
        functions, row = _split(functions, prime**digits)
        rows.append(row)
    for prime in reversed(protocol.primes):
        buckets, digit = _split(buckets, prime)
        met.insert(0, digit)
    return rows, met


def _lines(prime: int, factors: int) -> Iterator[tuple[int, ...]]:
    """Yield one point of each line through the origin: that whose first digit but zeros is 1."""
    points = product(range(prime), repeat=factors)
    return (point for point in points if next(filter(None, point), 0) == 1)


def _combined(prime: int, digits: int, line: tuple[int, ...], rows: list[Whole]) -> Whole:
    """Return the sum of the rows, each times its number, digit by digit without carrying."""
    if line.count(0) == len(line) - 1:
        return rows[line.index(1)]
    if prime == 2:
        return reduce(np.bitwise_xor, (row for s, row in zip(line, rows, strict=True) if s))
    total = np.zeros_like(rows[0])
    for place in (prime**each for each in range(digits)):
        digit = sum(s * (row // place) for s, row in zip(line, rows, strict=True)) % prime
        total += digit * place
    return total


def _met(prime: int, digits: int, sums: Whole) -> Whole:
    """Return for each v how many of the rows a and buckets b in the sums have a·v = b."""
    for _ in range(digits):
        waiting = sums.reshape(prime, -1, prime)
        turned = np.zeros((waiting.shape[1], prime, prime), dtype=np.int64)
        for row, digit in product(range(prime), repeat=2):
            turned[:, digit] += np.roll(waiting[row], -row * digit, axis=1)
        sums = turned.ravel()
    return sums.reshape(-1, prime)[:, 0]


def _digits_of(prime: int, digits: int, rows: Whole, choices: range) -> NDArray[Any]:
    """Return the bucket's digit of each row and choice: from a table, where that is small."""
    if prime**digits * len(choices) <= _MOST_DIGITS:
        return _digit_table(prime, digits, choices).take(rows, axis=0)
    return _digit_matrix(prime, digits, rows, choices)


@lru_cache(maxsize=8)
def _digit_table(prime: int, digits: int, choices: range) -> NDArray[Any]:
    """Return the digits for all rows, made from those of the rows with fewer digits."""
    table = np.zeros((1, len(choices)), dtype=_kind(prime))
    rest = np.arange(choices.start, choices.stop)
    for _ in range(digits):
        rest, digit = _split(rest, prime)
        parts = [table]
        for _ in range(prime - 1):
            more = parts[-1] + digit.astype(table.dtype)
            more -= (more >= prime) * table.dtype.type(prime)
            parts.append(more)
        table = np.concatenate(parts)
    return table


def _digit_matrix(prime: int, digits: int, rows: Whole, choices: range) -> NDArray[Any]:
    places = prime ** np.arange(digits)
    left = (rows[:, None] // places % prime).astype(np.float64)
    right = (np.arange(choices.start, choices.stop) // places[:, None] % prime).astype(np.float64)
    met = (left @ right).astype(np.uint32 if digits * prime**2 < 2**32 else np.int64)
    return np.asarray(_split(met, prime)[1], dtype=_kind(prime))


def _kind(prime: int) -> np.dtype[Any]:
    """Return a type for digits and for the sum of two."""
    return np.min_scalar_type(2 * prime)


def _digit(prime: int, digits: int, rows: Whole, choices: Whole) -> Whole:
    """Return the bucket's digit of each row and the choice beside it."""
    if prime == 2:
        return np.asarray(np.bitwise_count(rows & choices) & 1, dtype=np.int64)
    met = np.zeros(len(rows), dtype=np.int64)
    for _ in range(digits):
        rows, row = _split(rows, prime)
        choices, digit = _split(choices, prime)
        met += row * digit
    return met % prime


def _split(numbers: NDArray[Any], by: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return quotients and remainders; by a power of two they are shifts."""
    if by & (by - 1) == 0:
        return numbers >> (by.bit_length() - 1), numbers & (by - 1)
    quotients = numbers // by
    return quotients, numbers - quotients * by
