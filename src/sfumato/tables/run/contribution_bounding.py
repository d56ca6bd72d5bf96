"""Exact sums over rows, in which nobody counts for more than the limit.

One query finds the people over the limit, and adds up by group both all rows and what the rows of
those people add too much, which is taken away.

The weight of a person over the limit is a whole number of fine steps, rounded down, so that the
sum of what their rows add, row by row in size, is at most the limit; see ``Contribution``.
"""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from math import floor
from operator import or_
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.data import PERSON, doubles

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import ibis.expr.types as ir
    import pyarrow as pa
    from numpy.typing import NDArray

    from sfumato.tables.plan.measurements import Contribution, Measurement
    from sfumato.tables.plan.partition_selection import Keys
    from sfumato.tables.run.rows import EngineRows


_WIDE = "decimal(38, 0)"

#: Makes up for the rounding of a division and a root in double precision, many times over.
_BELOW = 1 - 2.0**-40
_ABOVE = 1 + 2.0**-50
#: Whole numbers below are exact in double precision.
_EXACT = 2**53


def people_sizes(
    rows: EngineRows,
    keys: Keys,
    measurements: Sequence[Measurement],
    *,
    once: bool,
    keep: bool = False,
) -> tuple[ir.Table, dict[Measurement, str]]:
    """Return one row a person, and the column with the size of each measurement.

    That is what the rows add up to, each in size, where the measurement is limited by value, and
    otherwise the number of rows, or of groups.

    Parameters
    ----------
    once
        Whether groups are counted and not rows.
    keep
        Whether the engine keeps the table until the rows are closed, for whoever asks again.
    """
    by_value = tuple(dict.fromkeys(each for each in measurements if each.weighing == "value"))
    columns = dict.fromkeys(measurements, "size")
    columns |= {each: f"size{place}" for place, each in enumerate(by_value)}
    name = (keys, by_value, once)
    if name not in rows.kept:
        table = _sizes(rows, keys, by_value, once=once)
        if not keep:
            return table, columns
        rows.keep(name, table)
    return rows.kept[name], columns


def _sizes(
    rows: EngineRows, keys: Keys, by_value: Sequence[Measurement], *, once: bool
) -> ir.Table:
    owned = rows.grouped(keys, by_value)
    owned = owned.distinct() if once else owned
    added = {
        f"size{place}": owned[f"add{place}"].abs().sum().cast(_WIDE)
        for place in range(len(by_value))
    }
    return owned.group_by(PERSON).agg(size=owned.count(), **added)


def exact_sums(
    rows: EngineRows, keys: Keys, measurements: Sequence[Measurement], contribution: Contribution
) -> dict[Measurement, NDArray[Any]]:
    """Return each measurement for each group, in fine steps, as Python's whole numbers."""
    kinds: dict[str, list[Measurement]] = {}
    for each in measurements:
        kinds.setdefault(_kind(each, contribution), []).append(each)
    found: dict[Measurement, NDArray[Any]] = {}
    for kind, chosen in kinds.items():
        found |= _sums(rows, keys, chosen, contribution, once=kind == "people")
    return found


def _kind(measurement: Measurement, contribution: Contribution) -> str:
    """Return what can be added up in one pass: all but people, and sizes in another norm."""
    if measurement.weighing == "people" or not contribution.limits:
        return measurement.weighing
    return contribution.limits[measurement.limited_by].norm


def _sums(
    rows: EngineRows,
    keys: Keys,
    measurements: Sequence[Measurement],
    contribution: Contribution,
    *,
    once: bool,
) -> dict[Measurement, NDArray[Any]]:
    table = _once(rows.grouped(keys, ()), keys) if once else rows.grouped(keys, measurements)
    table, parts = added_and_lost(rows, keys, table, measurements, contribution, once=once)
    found = _by_group(rows, keys, table, parts)
    return {
        each: found[f"add{place}"] * contribution.fine - found.get(f"less{place}", 0)
        for place, each in enumerate(measurements)
    }


def added_and_lost(
    rows: EngineRows,
    keys: Keys,
    table: ir.Table,
    measurements: Sequence[Measurement],
    contribution: Contribution,
    *,
    once: bool,
) -> tuple[ir.Table, dict[str, ir.Value]]:
    """Return rows and what is to be added up of them.

    It is what each row adds, and where somebody could be over the limit what the rows of such
    people add too much, in fine steps; that is missing for the rows of others.
    """
    places = range(len(measurements))
    if contribution.column is None:
        return table, {f"add{place}": table[f"add{place}"] for place in places}
    over = _people_over(rows, keys, measurements, contribution, once=once)
    both = table.left_join(over, table[PERSON].identical_to(over.whose))
    parts = {f"add{place}": both[f"add{place}"] for place in places}
    return both, parts | {f"less{p}": both[f"add{p}"] * both[f"lost{p}"] for p in places}


def _once(table: ir.Table, keys: Keys) -> ir.Table:
    """Return each person once in each group."""
    import ibis

    return table.select([PERSON, *keys.columns]).distinct().mutate(add0=ibis.literal(1, "int64"))


def _by_group(
    rows: EngineRows,
    keys: Keys,
    table: ir.Table,
    parts: Mapping[str, ir.Value],
) -> dict[str, NDArray[Any]]:
    """Add parts up for each group, and return them in the order of the keys."""
    names = keys.columns
    cast = {name: each.sum().cast(_WIDE) for name, each in parts.items()}
    query = table.group_by(names).agg(**cast) if names else table.aggregate(**cast)
    answer = rows.source.fetch(query)
    places = {row: place for place, row in enumerate(keys.rows or ())}
    order = [places.get(row) for row in key_rows(answer, names)]
    return {name: _placed(answer[name], order, len(places)) for name in parts}


def key_rows(answer: pa.Table, names: Sequence[str]) -> list[tuple[Any, ...]]:
    """Return the keys of the rows of an answer."""
    if not names:
        return [()] * answer.num_rows
    return list(zip(*(answer[name].to_pylist() for name in names), strict=True))


def _placed(column: Any, order: Sequence[int | None], size: int) -> NDArray[Any]:
    values = np.zeros(size, dtype=object)
    for place, value in zip(order, column.to_pylist(), strict=True):
        if place is not None and value is not None:
            values[place] = int(value)
    return values


def _people_over(
    rows: EngineRows,
    keys: Keys,
    measurements: Sequence[Measurement],
    contribution: Contribution,
    *,
    once: bool,
) -> ir.Table:
    """Return the people over a limit, and how many fine steps of weight each loses by it."""
    limits = {each: _limit_of(each, contribution) for each in measurements}
    rooted = contribution.limits[measurements[0].limited_by].norm == "l2"
    if rooted and keys.names:
        people = _roots(rows, keys, min(limits.values()), once=once)
        columns = dict.fromkeys(measurements, "size")
    else:
        people, columns = people_sizes(rows, keys, measurements, once=once)
        people = people.filter(_is_beyond(people, columns, limits))
    lost = {
        f"lost{place}": _lost_weight(
            people[columns[each]].cast("float64"), limits[each], contribution.fine
        )
        for place, each in enumerate(measurements)
    }
    return people.select(whose=people[PERSON], **lost)


def _is_beyond(
    people: ir.Table, columns: Mapping[Measurement, str], limits: Mapping[Measurement, Fraction]
) -> ir.Value:
    """Return who has more than one of the limits."""
    different = dict.fromkeys((columns[each], most) for each, most in limits.items())
    return reduce(or_, (people[name] > floor(most) for name, most in different))


def _roots(rows: EngineRows, keys: Keys, most: Fraction, *, once: bool) -> ir.Table:
    """Return the people who have more than a limit, as the root of the sum of squares."""
    owned = rows.grouped(keys, ())
    owned = owned.distinct() if once else owned
    counted = owned.group_by(PERSON).agg(size=owned.count())
    over = counted.filter(counted["size"] > floor(most))
    theirs = owned.semi_join(over, owned[PERSON].identical_to(over[PERSON]))
    cells = theirs.group_by([PERSON, *keys.columns]).agg(rows=theirs.count())
    squares = cells.group_by(PERSON).agg(square=(cells["rows"] * cells["rows"]).sum().cast(_WIDE))
    beyond = squares.filter(squares["square"] > floor(most**2))
    return beyond.select(PERSON, size=beyond["square"].cast("float64").sqrt() * _ABOVE)


def _limit_of(measurement: Measurement, contribution: Contribution) -> Fraction:
    """Return the most rows of a person, or the most that they add up to, in steps."""
    most = contribution.limits[measurement.limited_by].most or Fraction(0)
    return most * measurement.most if measurement.weighing == "value" else most


def _lost_weight(size: ir.Value, most: Fraction, fine: int) -> ir.Value:
    """Return by how many fine steps a person of a size weighs less than a whole.

    The weight is at most fine · most / size: the quotient is lowered by more than its rounding.
    Within the limit nothing is lost.
    """
    import ibis

    whole, nothing = ibis.literal(fine, "int64"), ibis.literal(0, "int64")
    weight = doubles.floor(ibis.literal(float(most * fine) * _BELOW, "float64") / size)
    return ibis.ifelse(size > _surely_within(most), whole - weight, nothing)


def _surely_within(most: Fraction) -> float:
    """Return a number that a size does not exceed, rounded, unless it is within the limit.

    Whole numbers below 2^53 are exact; others, and roots, may have been rounded.
    """
    exact = most.denominator == 1 and most < _EXACT
    return float(most) if exact else float(most) * _BELOW
