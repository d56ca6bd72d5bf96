"""How aggregates are made of what was measured, and what they come to, exactly."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING

from sfumato.audit.certificate.measured import unshifted
from sfumato.audit.certificate.parts import refute
from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.audit.certificate.asked import Asked, Column
    from sfumato.audit.certificate.measured import Factor
    from sfumato.audit.certificate.setting import Setting
    from sfumato.audit.certificate.taken import Taken

    #: The noisy sums of one group, by the place of their step.
    Sums = dict[int, Fraction]

__all__ = ["Formula", "formula_for"]

_ROOT_OFF = 1000


@dataclass(frozen=True)
class Formula:
    """How an aggregate is read from noisy sums.

    Parameters
    ----------
    value
        From the sums of a group to its answer.
    whole
        Whether the answer is rounded to a whole number.
    never_negative
        Whether it could not be below 0 without noise.
    alone
        The one step that it is, where it is no more than that.
    far
        How great the numbers are that it is computed from: floats are off by a share of that.
    """

    value: Callable[[Sums], Fraction | float]
    whole: bool = False
    never_negative: bool = False
    alone: Taken | None = None
    far: Callable[[Sums], Fraction] = lambda _: Fraction(0)


def formula_for(asked: Asked, steps: list[Taken], setting: Setting) -> Formula:
    """Return how an aggregate is made of steps; others than it takes are refused."""
    if any(each.kind != "measure" for each in steps):
        refute(f"{asked.name!r:.60} is made of steps that are no sums")
    match asked.kind:
        case "people":
            return _people(asked, steps)
        case "count":
            return _count(asked, steps)
        case "sum":
            return _sum(asked, steps)
        case "mean" if asked.part.get("rows") is not None:
            return _public_mean(asked, steps, setting)
        case "mean":
            upper, lower = _parts(asked, steps, 2, _present(asked))
            far = _farthest(_column(upper))
            return Formula(lambda sums: _mean(upper, lower, sums), far=lambda _: far)
        case "covariance":
            return _covariance(asked, steps)
    return _variance(asked, steps, is_root=asked.kind == "std")


def _people(asked: Asked, steps: list[Taken]) -> Formula:
    if len(steps) != 1 or steps[0].measured.kind != "people":
        refute(f"{asked.name!r:.60} counts people, and what was measured does not")
    return _counting(steps[0])


def _counting(step: Taken) -> Formula:
    return Formula(lambda sums: sums[step.place], whole=True, never_negative=True, alone=step)


def _count(asked: Asked, steps: list[Taken]) -> Formula:
    """Return a number of rows: counted, or as the sum of parts of a column that are disjoint."""
    wanted = tuple(each.of for each in asked.columns)
    if len(steps) == 1 and steps[0].measured.kind == "rows":
        if steps[0].measured.present != wanted:
            refute(f"{asked.name!r:.60} counts other rows than were measured")
        return _counting(steps[0])
    upper, _ = _both_parts(asked, steps[:2])
    column, rest = _column(upper), steps[2:]
    counted = upper.measured.present
    if rest and not (len(rest) == 1 and rest[0].measured.kind == "absent" and not wanted):
        refute(f"{asked.name!r:.60} is made of more than its rows")
    if rest and rest[0].measured.present != counted:
        refute(f"{asked.name!r:.60} is made of rows that are not the others")
    if not wanted and not rest and counted:
        refute(f"{asked.name!r:.60} counts all rows, and only those with a value were measured")
    if wanted and (wanted != (column.of,) or counted not in ((), wanted)):
        refute(f"{asked.name!r:.60} counts other rows than were measured")
    if counted != (() if column.complete else (column.of,)):
        refute(f"{asked.name!r:.60} is made of parts of other rows than their own")
    return Formula(
        lambda sums: sum((sums[each.place] / each.measured.size for each in steps), Fraction(0)),
        whole=True,
        never_negative=True,
    )


def _sum(asked: Asked, steps: list[Taken]) -> Formula:
    if len(steps) == 1:
        (total,) = steps
        _check_plain(asked, total, Fraction(0))
        low = total.measured.factors[0].low
        return Formula(lambda sums: sums[total.place], never_negative=low >= 0, alone=total)
    upper, lower = _parts(asked, steps, 2, _present(asked))
    low, far = _column(upper).low, _farthest(_column(upper))
    return Formula(
        lambda sums: low * _rows(upper, lower, sums) + sums[upper.place],
        never_negative=low >= 0,
        far=lambda sums: far * sum(abs(sums[each.place]) for each in steps) / upper.measured.size,
    )


def _public_mean(asked: Asked, steps: list[Taken], setting: Setting) -> Formula:
    rows = asked.part["rows"].whole(1)
    if len(steps) != 1 or setting.declared.person is not None or setting.groups != 1:
        refute(f"{asked.name!r:.60} is a mean over a public number of rows, which it cannot be")
    (total,) = steps
    centre = total.measured.centre
    _check_plain(asked, total, centre)
    column = total.measured.factors[0]
    return Formula(
        lambda sums: _clip(centre + sums[total.place] / rows, column.low, column.high),
        far=lambda _: _farthest(column),
    )


def _variance(asked: Asked, steps: list[Taken], *, is_root: bool) -> Formula:
    upper, lower = _parts(asked, steps[:2], 2, _present(asked))
    squares = _of_factors(asked, steps[2:3], 2, _present(asked), steps[3:])
    first, second = squares.measured.factors
    if first != second or unshifted(first) != _column(upper):
        refute(f"{asked.name!r:.60} is made of squares of something else")
    most, centre = upper.measured.size**2 / 4, squares.measured.centre

    def value(sums: Sums) -> Fraction | float:
        mean = _mean(upper, lower, sums) - first.shift
        squared = sums[squares.place] / _at_least_one(upper, lower, sums) + centre
        found = _clip(squared - mean**2, Fraction(0), most)
        return sqrt(found) if is_root else found

    # A root turns what is off by a share s of the most into what is off by the root of s.
    far = upper.measured.size * _ROOT_OFF if is_root else _farthest(_column(upper)) ** 2
    return Formula(value, far=lambda _: far)


def _covariance(asked: Asked, steps: list[Taken]) -> Formula:
    present = tuple(dict.fromkeys(asked.columns[0].present + asked.columns[1].present))
    upper, lower = _parts(asked, steps[:2], 2, present)
    products = _of_factors(asked, steps[2:3], 2, present, steps[4:])
    second = _of_factors(asked, steps[3:4], 1, present, ())
    first, other = products.measured.factors
    _check_bounds(asked, other, asked.columns[1])
    if unshifted(first) != _column(upper) or products.measured.centre != 0:
        refute(f"{asked.name!r:.60} is made of products of something else")
    if second.measured.factors != (unshifted(other),) or second.measured.centre != other.shift:
        refute(f"{asked.name!r:.60} is made of another sum than that of its second column")
    if second.measured.turned:
        refute(f"{asked.name!r:.60} is made of a sum that is turned")
    most = upper.measured.size * (other.high - other.low) / 4

    def value(sums: Sums) -> Fraction:
        rows = _at_least_one(upper, lower, sums)
        mean = _mean(upper, lower, sums) - first.shift
        found = sums[products.place] / rows - mean * (sums[second.place] / rows)
        return _clip(found, -most, most)

    far = _farthest(_column(upper)) * _farthest(unshifted(other))
    return Formula(value, far=lambda _: far)


def _parts(
    asked: Asked, steps: list[Taken], count: int, present: tuple[str, ...]
) -> tuple[Taken, Taken]:
    """Return both parts of the column of an aggregate, over the rows that it is of."""
    if len(steps) != count:
        refute(f"{asked.name!r:.60} is made of {count} parts, and not of {len(steps)}")
    upper, lower = _both_parts(asked, steps)
    _check_bounds(asked, _column(upper), asked.columns[0])
    if upper.measured.present != present:
        refute(f"{asked.name!r:.60} is of other rows than were measured")
    return upper, lower


def _both_parts(asked: Asked, steps: list[Taken]) -> tuple[Taken, Taken]:
    """Return what a column is above its lower bound, and below its upper one."""
    if len(steps) == 2:
        upper, lower = steps
        shapes = [(each.measured.part_of, each.measured.present) for each in steps]
        turned = [each.measured.turned for each in steps]
        if shapes[0] == shapes[1] and shapes[0][0] is not None and turned == [False, True]:
            return upper, lower
    message = f"{asked.name!r:.60} is not made of both parts of a column"
    raise InputError(message)


def _of_factors(
    asked: Asked,
    steps: list[Taken],
    count: int,
    present: tuple[str, ...],
    more: list[Taken] | tuple[()],
) -> Taken:
    """Return the one step that is a sum of products of so many columns."""
    if len(steps) != 1 or more or len(steps[0].measured.factors) != count:
        refute(f"{asked.name!r:.60} is made of other sums than its kind is")
    if steps[0].measured.present != present:
        refute(f"{asked.name!r:.60} is of other rows than were measured")
    return steps[0]


def _check_plain(asked: Asked, step: Taken, centre: Fraction) -> None:
    """Check that a step is the sum of the column of an aggregate, about a centre."""
    measured = step.measured
    if len(measured.factors) != 1 or measured.turned or measured.centre != centre:
        refute(f"{asked.name!r:.60} is not the sum that was measured")
    column = measured.factors[0]
    _check_bounds(asked, column, asked.columns[0])
    if column.shift != 0 or measured.present != _present(asked):
        refute(f"{asked.name!r:.60} is not the sum that was measured")


def _check_bounds(asked: Asked, measured: Factor, column: Column) -> None:
    """Check that what was measured is a column, between the bounds that are public."""
    bounds = column.bounds or (Fraction(0), Fraction(1))
    if measured.of != column.of or (measured.low, measured.high) != bounds:
        refute(f"{asked.name!r:.60} is measured of another column, or between other bounds")


def _present(asked: Asked) -> tuple[str, ...]:
    return asked.columns[0].present


def _column(part: Taken) -> Factor:
    return part.measured.factors[0]


def _rows(upper: Taken, lower: Taken, sums: Sums) -> Fraction:
    return (sums[upper.place] + sums[lower.place]) / upper.measured.size


def _at_least_one(upper: Taken, lower: Taken, sums: Sums) -> Fraction:
    return max(_rows(upper, lower, sums), Fraction(1))


def _mean(upper: Taken, lower: Taken, sums: Sums) -> Fraction:
    low, size = _column(upper).low, upper.measured.size
    return _clip(low + sums[upper.place] / _at_least_one(upper, lower, sums), low, low + size)


def _farthest(column: Factor) -> Fraction:
    return max(abs(column.low), abs(column.high))


def _clip(value: Fraction, low: Fraction, high: Fraction) -> Fraction:
    return min(max(value, low), high)
