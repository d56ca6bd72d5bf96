"""Reports in arrays, summed into tallies: which choices they support, and how many do.

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

from sfumato.survey.client.protocols import Hadamard, Hashing, Response
from sfumato.survey.client.questions import ChoiceQuestion, NumberQuestion, Question
from sfumato.survey.collector.tally import PairTally, Tally

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Whole = NDArray[np.int64]
    Reports = NDArray[Any]
    Weights = NDArray[np.int64]


#: Cells of a matrix that are looked at together.
_BLOCK = 1 << 20
#: As many ones as fit into a byte.
_BYTE = 255
_SLICE = 1 << 14


def blocks(rows: int, columns: int) -> Iterator[slice]:
    """Yield consecutive slices of rows, of about a million cells each."""
    step = max(1, _BLOCK // columns)
    return (slice(start, min(start + step, rows)) for start in range(0, rows, step))


def counted(numbers: NDArray[Any], bound: int, weights: Whole | None = None) -> Whole:
    """Return how many people sent each of the numbers below a bound."""
    if weights is None:
        return np.bincount(numbers, minlength=bound)
    # Sums of whole numbers are exact in floats here: there are fewer than 2**53 people.
    return np.bincount(numbers, weights, minlength=bound).astype(np.int64)


def column_sums(bits: NDArray[np.uint8], weights: Whole | None = None) -> Whole:
    """Return how many rows have a 1 in each column, each row counted by its weight."""
    if weights is not None:
        return _weighted_sums(bits, weights)
    columns = bits.shape[1]
    wide = max(1, min(_SLICE // columns, len(bits) // _BYTE))
    whole = len(bits) - len(bits) % (_BYTE * wide)
    sums: Whole = bits[whole:].sum(axis=0, dtype=np.int64)
    for start in range(0, whole, _BYTE * wide):
        slices = bits[start : start + _BYTE * wide].reshape(_BYTE, -1)
        few = np.add.reduce(slices, axis=0, dtype=np.uint8).reshape(wide, columns)
        sums += few.sum(axis=0, dtype=np.int64)
    return sums


def _weighted_sums(bits: NDArray[np.uint8], weights: Whole) -> Whole:
    sums = np.zeros(bits.shape[1], dtype=np.int64)
    for part in blocks(*bits.shape):
        sums += (weights[part].astype(np.float64) @ bits[part]).astype(np.int64)
    return sums


def joint_sums(
    rows: NDArray[np.uint8], columns: NDArray[np.uint8], weights: Whole | None = None
) -> Whole:
    """Return how many people have a 1 in each column of one matrix and of another."""
    # A block has fewer than 2**24 rows, and all rows together fewer than 2**53 people.
    kind = np.float32 if weights is None else np.float64
    left: NDArray[Any] = rows.astype(kind)
    if weights is not None:
        left *= weights[:, None]
    return np.asarray(left.T @ columns.astype(kind), dtype=np.int64)


def walsh(counts: Whole) -> Whole:
    """Return the Walsh-Hadamard transform of counts.

    At v it is the sum of the counts whose places have an even number of bits in common with v,
    less the sum of the others.
    """
    half = 1
    while half < len(counts):
        pairs = counts.reshape(-1, 2, half)
        counts = np.stack([pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]], axis=1).ravel()
        half *= 2
    return counts


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


def tally_of(question: Question, reports: Reports, weights: Weights | None = None) -> Tally:
    """Return the tally of many reports on one question.

    Parameters
    ----------
    question
        What was asked.
    reports
        Possible reports, in the form that ``parse`` and ``randomize_many`` give them.
    weights
        How many people sent each of the reports; one each, unless said otherwise.
    """
    people = len(reports) if weights is None else int(weights.sum())
    return Tally(people, _counts(question, reports, weights))


def pair_tally_of(
    first: ChoiceQuestion,
    first_reports: Reports,
    second: ChoiceQuestion,
    second_reports: Reports,
    weights: Weights | None = None,
) -> PairTally:
    """Return the joint tally of the reports of the same people on two questions."""
    both = np.zeros((len(first.choices), len(second.choices)), dtype=np.int64)
    for part in blocks(len(first_reports), sum(both.shape)):
        rows = support_matrix(first, first_reports[part])
        columns = support_matrix(second, second_reports[part])
        both += joint_sums(rows, columns, None if weights is None else weights[part])
    one, two = tally_of(first, first_reports, weights), tally_of(second, second_reports, weights)
    return PairTally(one.people, both, one.counts, two.counts)


def support_matrix(question: ChoiceQuestion, reports: Reports) -> NDArray[np.uint8]:
    """Return for each report, in its row, which choices it supports."""
    protocol, choices = question.protocol, np.arange(len(question.choices))
    if isinstance(protocol, Response):
        supports = reports[:, None] == choices
    elif isinstance(protocol, Hadamard):
        supports = np.bitwise_count(reports[:, None] & (choices + 1)) & 1 == 0
    elif isinstance(protocol, Hashing):
        supports = hashing_supports(protocol, reports)
    else:
        return reports
    return np.asarray(supports).view(np.uint8)


def _counts(question: Question, reports: Reports, weights: Weights | None) -> NDArray[np.int64]:
    protocol = question.protocol
    if isinstance(question, NumberQuestion):
        return counted(reports, question.protocol.marks, weights)
    if isinstance(protocol, Response):
        return counted(reports, protocol.choices, weights)
    if isinstance(protocol, Hadamard):
        sums = walsh(counted(reports, protocol.order, weights))
        return np.asarray((sums[0] + sums[1 : protocol.choices + 1]) // 2)
    if isinstance(protocol, Hashing):
        return hashing_counts(protocol, reports, weights)
    return column_sums(reports, weights)
