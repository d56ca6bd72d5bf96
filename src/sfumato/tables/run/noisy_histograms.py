"""What is found by a noisy histogram before sums are added up: bounds of columns, and limits.

For bounds a bucket is an octave of one sign: from 1 to 2, from 2 to 4, from -4 to -2.  Each person
adds 1 in all, spread over the buckets of their rows, so that one person moves the histogram by at
most 1, however many rows they have; people with more than 65,536 rows add nothing.  The bounds hold
the buckets that rise above the noise for sure, and beyond them those next to these that rise above
the noise of one bucket.  For limits everybody is in one cell, by how much they have.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from math import ceil, floor, sqrt
from operator import add
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.data import PERSON, array_of, whole_numbers
from sfumato.tables.plan.bounds import BUCKETS, GREATEST_POWER, LEAST_POWER, OCTAVES, FoundBounds
from sfumato.tables.plan.measurements import (
    ChosenLimit,
    Contribution,
    counting,
    histogram_sensitivity,
)
from sfumato.tables.run.cells import edges_reached
from sfumato.tables.run.contribution_bounding import people_sizes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import ibis.expr.types as ir
    from numpy.typing import NDArray

    from sfumato.privacy import Relation
    from sfumato.tables.plan.bounds import FindBounds
    from sfumato.tables.plan.cells import LookAtCells
    from sfumato.tables.plan.measurements import Measurement
    from sfumato.tables.plan.outline import Outline
    from sfumato.tables.plan.partition_selection import Keys
    from sfumato.tables.plan.steps import ChooseLimit, Measure
    from sfumato.tables.run.rows import EngineRows


#: How likely it is that any empty bucket of all passes for sure.
_FALSE = Fraction(1, 10_000)
_CONFIDENCE = Fraction(19, 20)

#: The cells of the histogram: up to 1, up to 2, up to 4, …, and beyond the last.
_ENDS = 2.0 ** np.arange(21)
#: The limits to choose from: the ends of the cells, and the middles between them.
_LIMITS = np.array(sorted({*_ENDS.tolist(), *np.floor(_ENDS * 1.5).tolist()}))
#: Beyond the last cell that is surely full, others count as full if they are above the noise, too.
#: What a mistake costs grows with the end of the cell, so that it is the rarer the greater that is;
#: next to a cell that is surely full it matters less, since the limit is not far from there.
_MISTAKEN = 0.05 / np.append(_ENDS, 2 * _ENDS[-1]) ** 1.5
#: The noise of the three cells beyond a limit, relative to that of one: who is in them is not
#: seen in the noise.
_NEXT_CELLS = 3**0.5
#: How much a row that is left out matters to a mean, relative to a count.
_RATIO = 0.02


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


@dataclass(frozen=True, eq=False)
class NoisySizes:
    """A noisy histogram of how much people have.

    Parameters
    ----------
    people
        How many have up to 1, up to 2, up to 4, … and more.
    noise
        What the noise of a cell exceeds once in 20 times, and ever more rarely from cell to cell.
    usual
        What the noise of a cell exceeds once in ten times.
    """

    people: NDArray[np.float64]
    noise: NDArray[np.float64]
    usual: float = 0.0


def noisy_sizes(
    rows: EngineRows,
    keys: Keys,
    steps: Sequence[ChooseLimit],
    measurements: Mapping[str, Measurement],
    relation: Relation,
    *,
    source: Any,
) -> list[NoisySizes]:
    """Return a histogram of how much people have for each step, at the cost of the steps.

    Everybody is in one cell of each, so that adding or removing a person moves one count by one.

    Parameters
    ----------
    measurements
        What rows add up to, by the names of limits in value.
    """
    held = people_by_size(rows, keys, steps, measurements)
    return [_with_noise(held[each], each, relation, source) for each in steps]


def people_by_size(
    rows: EngineRows,
    keys: Keys,
    steps: Sequence[ChooseLimit],
    measurements: Mapping[str, Measurement],
) -> dict[ChooseLimit, NDArray[np.int64]]:
    """Return how many people have up to 1, up to 2, up to 4, … and more, for each step."""
    alike = [each for each in steps if each.weighing != "people"]
    once = [each for each in steps if each.weighing == "people"]
    held: dict[ChooseLimit, NDArray[np.int64]] = {}
    for chosen in (alike, once):
        if chosen:
            limited = [_limited(each, measurements) for each in chosen]
            held |= dict(zip(chosen, _in_cells(rows, keys, limited), strict=True))
    return held


def _limited(step: ChooseLimit, measurements: Mapping[str, Measurement]) -> Measurement:
    """Return what a limit is for."""
    by_value = step.weighing == "value"
    return measurements[step.names[0]] if by_value else counting(weighing=step.weighing)


def _with_noise(
    held: NDArray[np.int64], step: ChooseLimit, relation: Relation, source: Any
) -> NoisySizes:
    mechanism = step.share.noise(histogram_sensitivity(relation), len(held), relation)
    noisy = np.asarray(mechanism.release(held, source=source).value, dtype=np.float64)
    reach = [mechanism.error(confidence=1 - each) for each in _MISTAKEN.tolist()]
    return NoisySizes(noisy, np.array(reach), mechanism.error(confidence=0.9))


def least_error(sizes: NoisySizes, stake: Stake) -> ChosenLimit:
    """Return the limit for which what is left out and the noise together are least."""
    cells = np.arange(len(sizes.people))
    people = np.where(cells <= _last_full(sizes), sizes.people, 0.0).clip(0.0)
    above = np.append(np.cumsum(people[::-1])[::-1], 0.0)
    ends = np.concatenate([[0.0], _ENDS, [2 * _ENDS[-1]]])
    pieces = np.diff(ends) * (above[:-1] + above[1:]) / 2
    beyond = np.append(np.cumsum(pieces[::-1])[::-1], 0.0)
    missed, whole = np.interp(_LIMITS, ends, beyond), max(float(beyond[0]), 1.0)
    counted = np.maximum(whole - missed, 1.0) if stake.is_ratio else whole
    costs = stake.missed * missed / whole + stake.rate * _LIMITS / counted
    best = int(np.argmin(costs))
    limit, left_out = int(_LIMITS[best]), float(missed[best] / whole)
    unseen = _NEXT_CELLS * sizes.usual * limit / whole
    return ChosenLimit(limit, left_out, min(left_out + unseen, 1.0))


def _last_full(sizes: NoisySizes) -> int:
    """Return the last cell that somebody is in, as far as can be told."""
    surely = int(np.flatnonzero(sizes.people > sizes.noise).max(initial=0))
    beyond = sizes.people[surely + 1 :]
    nearby = np.flatnonzero(beyond > sizes.noise[1 : len(beyond) + 1])
    return surely + 1 + int(nearby.max(initial=-1))


def _in_cells(
    rows: EngineRows, keys: Keys, measurements: Sequence[Measurement]
) -> list[NDArray[np.int64]]:
    """Return the histogram of the sizes that each measurement has."""
    once = measurements[0].weighing == "people"
    sizes, columns = people_sizes(rows, keys, measurements, once=once, keep=True)
    names = [f"cell{place}" for place in range(len(measurements))]
    cells = sizes.select(
        **{
            name: _cell(sizes[columns[each]], each)
            for name, each in zip(names, measurements, strict=True)
        }
    )
    answer = rows.source.fetch(cells.group_by(names).agg(people=cells.count()))
    people = whole_numbers(answer["people"])
    found = []
    for name in names:
        held = np.zeros(len(_ENDS) + 1, dtype=np.int64)
        np.add.at(held, whole_numbers(answer[name]), people)
        found.append(held)
    return found


def _cell(size: ir.Value, measurement: Measurement) -> ir.Value:
    """Return how many ends of cells a size is beyond."""
    unit = float(measurement.most) if measurement.weighing == "value" else 1.0
    rounded = size.cast("float64")
    return reduce(add, ((rounded > end * unit).cast("int64") for end in _ENDS.tolist()))


@dataclass(frozen=True)
class Stake:
    """How a limit and what it leaves out enter into the expected error.

    Parameters
    ----------
    rate
        What a limit that is greater by one adds to the error of all groups together, in rows.
    missed
        How much a row that is left out adds to it.
    is_ratio
        Whether the error is relative to the rows that count, as that of a mean.
    """

    rate: float
    missed: float = 1.0
    is_ratio: bool = False


def stake_in(plan: Outline, name: str, cells: int) -> Stake:
    """Return what is at stake in one of a plan's limits, for so many groups."""
    one = {
        each: replace(limit, most=Fraction(1)) for each, limit in plan.contribution.limits.items()
    }
    contribution = Contribution(plan.contribution.relation, one)
    steps: tuple[Measure | LookAtCells, ...] = (*plan.measures, *plan.looks)
    noise: dict[Any, float] = {
        step.spent_on: step.typical_error(contribution, cells)
        for step in steps
        if step.limited_by == name
    }
    outputs = [each for each in plan.outputs if set(each.importance) & set(noise)]
    added = [
        sqrt(sum(noise.get(each, 0.0) ** 2 * share for each, share in output.importance.items()))
        for output in outputs
    ]
    misses = [1.0 if each.misses_rows else _RATIO for each in outputs]
    return Stake(
        rate=max(cells, 1) * sum(added) / len(added),
        missed=sum(misses) / len(misses),
        is_ratio=not any(each.misses_rows for each in outputs),
    )
