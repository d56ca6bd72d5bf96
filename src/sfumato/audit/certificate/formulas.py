"""What aggregates are made of, what sums must be for them, and what they come to, exactly."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING

from sfumato.audit.certificate.document import refute
from sfumato.audit.certificate.intervals import (
    Expected,
    noisy,
    of_mean,
    of_one,
    of_parts,
    of_share,
    within,
)
from sfumato.audit.certificate.measured import BoundedFactor, unshifted
from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.audit.certificate.intervals import Beyond
    from sfumato.audit.certificate.noise import WholeNumberNoise
    from sfumato.audit.certificate.question import AggregateColumn, AskedAggregate
    from sfumato.audit.certificate.setting import QuestionSetting
    from sfumato.audit.certificate.steps import Taken

    Sums = dict[int, Fraction]
    #: How an aggregate is read from the noisy sums of its steps, by their places.
    Formula = Callable[[Sums], Expected]

#: How far a root may be off, in units of the bounds' width.
_ROOT_OFF = 1000


def formula_for(asked: AskedAggregate, steps: list[Taken], setting: QuestionSetting) -> Formula:
    """Return how an aggregate is made of steps; others than it takes are refused."""
    if any(each.kind != "measure" for each in steps):
        refute("{name!r:.60} is made of steps that are no sums", asked)
    match asked.kind:
        case "people":
            return _people(asked, steps, setting)
        case "count":
            return _count(asked, steps, setting)
        case "sum":
            return _sum(asked, steps, setting)
        case "mean" if asked.part.get("rows") is not None:
            return _public_mean(asked, steps, setting)
        case "mean":
            return _plain_mean(_parts_of(asked, steps), setting)
        case "covariance":
            return _covariance(asked, steps)
    return _variance(asked, steps, is_root=asked.kind == "std")


@dataclass(frozen=True)
class ColumnParts:
    """What a column is above its lower bound, and below its upper one."""

    upper: Taken
    lower: Taken

    @property
    def column(self) -> BoundedFactor:
        """The column itself."""
        return self.upper.measured.factors[0]

    @property
    def size(self) -> Fraction:
        """The most that a row adds to a part."""
        return self.upper.measured.size

    def rows(self, sums: Sums) -> Fraction:
        """Return how many rows the parts are of."""
        return (sums[self.upper.place] + sums[self.lower.place]) / self.size

    def per_row(self, total: Fraction, sums: Sums) -> Fraction:
        """Return a sum over the same rows divided by how many they are, at least one."""
        return total / max(self.rows(sums), Fraction(1))

    def mean(self, sums: Sums) -> Fraction:
        """Return the mean that the parts come to, within the bounds."""
        low = self.column.low
        found = low + self.per_row(sums[self.upper.place], sums)
        return _clipped(found, low, low + self.size)


def _parts_of(asked: AskedAggregate, steps: list[Taken]) -> ColumnParts:
    """Return both parts of the column of an aggregate, over the rows that it is of."""
    if len(steps) != 2:
        refute(
            "{name!r:.60} is made of {count} parts, and not of {found}",
            asked,
            count=2,
            found=len(steps),
        )
    parts = _both_parts(asked, steps)
    _check_bounds(asked, parts.column, asked.columns[0])
    if parts.upper.measured.present != asked.present:
        refute("{name!r:.60} is of other rows than were measured", asked)
    return parts


def _both_parts(asked: AskedAggregate, steps: list[Taken]) -> ColumnParts:
    if len(steps) == 2:
        upper, lower = steps
        shapes = [(each.measured.part_of, each.measured.present) for each in steps]
        turned = [each.measured.turned for each in steps]
        if shapes[0] == shapes[1] and shapes[0][0] is not None and turned == [False, True]:
            if upper.noise != lower.noise:
                refute("{name!r:.60} is made of two parts of a column with different noise", asked)
            return ColumnParts(upper, lower)
    raise InputError(
        "E-CERTIFICATE-CONTENT",
        "{asked!r:.60} is not made of both parts of a column",
        asked=asked.name,
    )


def _of_factors(asked: AskedAggregate, steps: list[Taken], count: int) -> Taken:
    """Return the one step that is a sum of products of so many columns."""
    if len(steps) != 1 or len(steps[0].measured.factors) != count:
        refute("{name!r:.60} is made of other sums than its kind is", asked)
    if steps[0].measured.present != asked.present:
        refute("{name!r:.60} is of other rows than were measured", asked)
    return steps[0]


def _check_plain(asked: AskedAggregate, step: Taken, centre: Fraction) -> BoundedFactor:
    """Return the column of an aggregate, of which a step has to be the sum about a centre."""
    measured = step.measured
    if len(measured.factors) != 1 or measured.turned or measured.centre != centre:
        refute("{name!r:.60} is not the sum that was measured", asked)
    column = measured.factors[0]
    _check_bounds(asked, column, asked.columns[0])
    if column.shift != 0 or measured.present != asked.present:
        refute("{name!r:.60} is not the sum that was measured", asked)
    return column


def _check_bounds(asked: AskedAggregate, measured: BoundedFactor, column: AggregateColumn) -> None:
    """Check that what was measured is a column, between the bounds that are public."""
    if measured.of != column.of or (measured.low, measured.high) != column.bounds:
        refute("{name!r:.60} is measured of another column, or between other bounds", asked)


def _people(asked: AskedAggregate, steps: list[Taken], setting: QuestionSetting) -> Formula:
    if len(steps) != 1 or steps[0].measured.kind != "people":
        refute("{name!r:.60} counts people, and what was measured does not", asked)
    return _counting(steps[0], setting)


def _counting(step: Taken, setting: QuestionSetting) -> Formula:
    tail = _tail_of_one(step, setting)
    return lambda sums: noisy(sums[step.place], tail, whole=True, never_negative=True)


def _count(asked: AskedAggregate, steps: list[Taken], setting: QuestionSetting) -> Formula:
    """Return a number of rows: counted, or as the sum of parts of a column that are disjoint."""
    wanted = tuple(each.of for each in asked.columns)
    if len(steps) == 1 and steps[0].measured.kind == "rows":
        if steps[0].measured.present != wanted:
            refute("{name!r:.60} counts other rows than were measured", asked)
        return _counting(steps[0], setting)
    _check_counted(asked, steps, wanted)
    tail = _tail_of(steps, [1 / each.measured.size for each in steps], setting, asked)

    def formula(sums: Sums) -> Expected:
        rows = sum((sums[each.place] / each.measured.size for each in steps), Fraction(0))
        return noisy(rows, tail, whole=True, never_negative=True)

    return formula


def _check_counted(asked: AskedAggregate, steps: list[Taken], wanted: tuple[str, ...]) -> None:
    """Check that parts are disjoint, and all of the rows that are counted."""
    parts, rest = _both_parts(asked, steps[:2]), steps[2:]
    column, counted = parts.column, parts.upper.measured.present
    if rest and not (len(rest) == 1 and rest[0].measured.kind == "absent" and not wanted):
        refute("{name!r:.60} is made of more than its rows", asked)
    if rest and rest[0].measured.present != counted:
        refute("{name!r:.60} is made of rows that are not the others", asked)
    if not wanted and not rest and counted:
        refute("{name!r:.60} counts all rows, and only those with a value were measured", asked)
    if wanted and (wanted != (column.of,) or counted not in ((), wanted)):
        refute("{name!r:.60} counts other rows than were measured", asked)
    if counted != (() if column.complete else (column.of,)):
        refute("{name!r:.60} is made of parts of other rows than their own", asked)


def _sum(asked: AskedAggregate, steps: list[Taken], setting: QuestionSetting) -> Formula:
    if len(steps) == 1:
        (total,) = steps
        positive = _check_plain(asked, total, Fraction(0)).low >= 0
        alone = _tail_of_one(total, setting)
        return lambda sums: noisy(sums[total.place], alone, never_negative=positive)
    parts = _parts_of(asked, steps)
    low, size, farthest = parts.column.low, parts.size, parts.column.farthest
    tail = _tail_of(steps, [(low + size) / size, low / size], setting, asked)

    def formula(sums: Sums) -> Expected:
        value = low * parts.rows(sums) + sums[parts.upper.place]
        far = farthest * sum(abs(sums[each.place]) for each in steps) / size
        return noisy(value, tail, never_negative=low >= 0, far=far)

    return formula


def _plain_mean(parts: ColumnParts, setting: QuestionSetting) -> Formula:
    column, upper = parts.column, parts.upper
    tail = of_mean(noise_of(upper), _unit(upper, setting))
    ends = column.low, column.low + parts.size

    def formula(sums: Sums) -> Expected:
        missed = of_share(sums[upper.place], sums[parts.lower.place], ends, tail)
        return Expected(parts.mean(sums), missed=missed, far=column.farthest)

    return formula


def _public_mean(asked: AskedAggregate, steps: list[Taken], setting: QuestionSetting) -> Formula:
    rows = asked.part["rows"].whole(1)
    if len(steps) != 1 or setting.declared.person is not None or setting.groups != 1:
        refute("{name!r:.60} is a mean over a public number of rows, which it cannot be", asked)
    (total,) = steps
    centre = total.measured.centre
    column = _check_plain(asked, total, centre)
    ends, tail = (column.low, column.high), _tail_of_one(total, setting)

    def formula(sums: Sums) -> Expected:
        mean = centre + sums[total.place] / rows
        missed = within(mean, ends, Fraction(rows), tail)
        return Expected(_clipped(mean, *ends), missed=missed, far=column.farthest)

    return formula


def _variance(asked: AskedAggregate, steps: list[Taken], *, is_root: bool) -> Formula:
    parts = _parts_of(asked, steps[:2])
    squares = _of_factors(asked, steps[2:], 2)
    first, second = squares.measured.factors
    if first != second or unshifted(first) != parts.column:
        refute("{name!r:.60} is made of squares of something else", asked)
    most, centre = parts.size**2 / 4, squares.measured.centre
    # A root turns what is off by a share s of the most into what is off by the root of s.
    far = parts.size * _ROOT_OFF if is_root else parts.column.farthest**2

    def formula(sums: Sums) -> Expected:
        mean = parts.mean(sums) - first.shift
        squared = parts.per_row(sums[squares.place], sums) + centre
        found = _clipped(squared - mean**2, Fraction(0), most)
        return Expected(sqrt(found) if is_root else found, far=far)

    return formula


def _covariance(asked: AskedAggregate, steps: list[Taken]) -> Formula:
    parts = _parts_of(asked, steps[:2])
    products, second = _of_factors(asked, steps[2:3], 2), _of_factors(asked, steps[3:], 1)
    first, other = products.measured.factors
    _check_bounds(asked, other, asked.columns[1])
    if unshifted(first) != parts.column or products.measured.centre != 0:
        refute("{name!r:.60} is made of products of something else", asked)
    if second.measured.factors != (unshifted(other),) or second.measured.centre != other.shift:
        refute("{name!r:.60} is made of another sum than that of its second column", asked)
    if second.measured.turned:
        refute("{name!r:.60} is made of a sum that is turned", asked)
    most = parts.size * (other.high - other.low) / 4
    far = parts.column.farthest * other.farthest

    def formula(sums: Sums) -> Expected:
        mean = parts.mean(sums) - first.shift
        product, shifted = (parts.per_row(sums[each.place], sums) for each in (products, second))
        return Expected(_clipped(product - mean * shifted, -most, most), far=far)

    return formula


def _tail_of_one(step: Taken, setting: QuestionSetting) -> Beyond:
    """Return the tail of the noise of one sum, in natural units."""
    return of_one(noise_of(step), _unit(step, setting))


def _tail_of(
    steps: list[Taken], times: list[Fraction], setting: QuestionSetting, asked: AskedAggregate
) -> Beyond:
    """Return the tail of the noise of sums that are added up, each times a number."""
    units = [_unit(step, setting) * factor for step, factor in zip(steps, times, strict=True)]
    found = of_parts([noise_of(step) for step in steps], units)
    if found is None:
        refute("{name!r:.60} is made of parts whose noise is not of one kind and size", asked)
    return found


def noise_of(step: Taken) -> WholeNumberNoise:
    """Return the noise of a step that has some."""
    if step.noise is None:
        refute("steps[{place}] has no noise", place=step.place)
    return step.noise


def _unit(step: Taken, setting: QuestionSetting) -> Fraction:
    """Return how much a step of the noise is, in natural units."""
    return step.measured.grid / setting.fine


def _clipped(value: Fraction, low: Fraction, high: Fraction) -> Fraction:
    return min(max(value, low), high)
