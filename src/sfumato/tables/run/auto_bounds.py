"""Finding bounds of a column by a noisy histogram of the sizes of its values.

A bucket is an octave of one sign: from 1 to 2, from 2 to 4, from -4 to -2.  Each person adds 1 in
all, spread over the buckets of their rows, so that one person moves the histogram by at most 1,
however many rows they have; people with more than 65,536 rows add nothing.  The bounds hold the
buckets that rise above the noise for sure, and beyond them those next to these that rise above
the noise of one bucket.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.data import PERSON, array_of
from sfumato.tables.plan.auto_bounds import (
    BUCKETS,
    GREATEST_POWER,
    LEAST_POWER,
    OCTAVES,
    FoundBounds,
)
from sfumato.tables.run.selection import edges_reached

if TYPE_CHECKING:
    import ibis.expr.types as ir
    from numpy.typing import NDArray

    from sfumato.tables.plan.auto_bounds import FindBounds
    from sfumato.tables.plan.partition_selection import Keys
    from sfumato.tables.run.rows import EngineRows


#: How likely it is that any empty bucket of all passes for sure.
_FALSE = Fraction(1, 10_000)
_CONFIDENCE = Fraction(19, 20)


def find_bounds(rows: EngineRows, keys: Keys, step: FindBounds, *, source: Any) -> FoundBounds:
    """Return bounds that hold nearly all values of a column, at the cost of the step."""
    held = held_in_buckets(rows, keys, step)
    mechanism = step.mechanism
    noisy = np.asarray(mechanism.release(held, source=source).value, dtype=np.float64)
    return bounds_in(
        noisy,
        sure=mechanism.error(confidence=1 - 2 * _FALSE / BUCKETS),
        likely=mechanism.error(confidence=_CONFIDENCE),
        whole=step.whole,
    )


def bounds_in(
    noisy: NDArray[np.float64], *, sure: float, likely: float, whole: bool
) -> FoundBounds:
    """Return the bounds to be seen in a noisy histogram.

    Parameters
    ----------
    noisy
        What is held in each bucket, from the most negative to the greatest.
    sure
        What no empty bucket of all exceeds.
    likely
        What an empty bucket seldom exceeds.
    whole
        Whether the bounds are to be whole numbers.
    """
    passed = np.flatnonzero(noisy > sure)
    if not passed.size:
        return FoundBounds(Fraction(0), Fraction(1), left_out=1.0, at_most=1.0, seen=False)
    first = _outward(noisy, int(passed[0]), -1, likely)
    last = _outward(noisy, int(passed[-1]), 1, likely)
    low, high = _ends(first - OCTAVES, last - OCTAVES)
    if whole:
        low, high = Fraction(floor(low)), Fraction(ceil(high))
    # One bucket alone holds more than that, whatever noise says of those between.
    inside = max(float(noisy[first : last + 1].sum()), sure)
    outside = max(float(noisy.sum()) - inside, 0.0)
    reach = likely * sqrt(BUCKETS - (last + 1 - first))
    return FoundBounds(low, high, outside / (inside + outside), min((outside + reach) / inside, 1))


def held_in_buckets(rows: EngineRows, keys: Keys, step: FindBounds) -> NDArray[np.int64]:
    """Return what people hold in each bucket, in fine steps; nobody holds more than 1 in all.

    Each of n rows of a person counts for 1/n, rounded down to fine steps.
    """
    sized = rows.grouped(keys, (), size=rows.value(step.of).cast("float64"))
    table = sized.mutate(bucket=_bucket(sized["size"])).drop("size")
    table = table.filter(table["bucket"].notnull())
    owned = table.mutate(owned=1) if PERSON not in table.columns else _with_owned(table)
    answer = rows.source.fetch(owned.group_by(["bucket", "owned"]).agg(rows=owned.count()))
    bucket, many, count = (array_of(answer[name]) for name in ("bucket", "owned", "rows"))
    held = np.zeros(BUCKETS, dtype=np.int64)
    np.add.at(held, bucket + OCTAVES, count * (step.contribution.fine // many))
    return held


def _with_owned(table: ir.Table) -> ir.Table:
    """Return the rows, each with how many rows its person has."""
    each = table.group_by(PERSON).agg(owned=table.count()).rename(whose=PERSON)
    return table.join(each, table[PERSON].identical_to(each["whose"]))


def _bucket(value: ir.Value) -> ir.Value:
    """Return in which octave a number is, with its sign; 0 for what is smaller than all."""
    import ibis

    octaves = [2.0**power for power in range(LEAST_POWER, GREATEST_POWER)]
    place = edges_reached(value.abs(), octaves)
    signed = ibis.ifelse(value < 0, -place, place)
    return ibis.ifelse(value.isnull(), ibis.null("int64"), signed)


def _outward(noisy: NDArray[np.float64], place: int, by: int, likely: float) -> int:
    """Return the last bucket in a direction before one that may be empty."""
    while 0 <= place + by < len(noisy) and noisy[place + by] > likely:
        place += by
    return place


def _ends(first: int, last: int) -> tuple[Fraction, Fraction]:
    """Return the least and the greatest number of some buckets."""
    if first == last == 0:
        return -(Fraction(2) ** LEAST_POWER), Fraction(2) ** LEAST_POWER
    return _least(first), -_least(-last)


def _least(bucket: int) -> Fraction:
    """Return the least number of a bucket; 0 for the one in the middle."""
    if bucket == 0:
        return Fraction(0)
    if bucket < 0:
        return -(Fraction(2) ** (LEAST_POWER - bucket))
    return Fraction(2) ** (LEAST_POWER + bucket - 1)
