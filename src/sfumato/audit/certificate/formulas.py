"""What aggregates are made of, what sums must be for them, and what they come to, exactly."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING

from sfumato.audit.certificate.document import refute
from sfumato.audit.certificate.intervals import around, of_mean, of_one, of_parts, of_share, within
from sfumato.audit.certificate.measured import unshifted
from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.audit.certificate.intervals import Beyond, Missed
    from sfumato.audit.certificate.measured import BoundedFactor
    from sfumato.audit.certificate.noise import WholeNumberNoise
    from sfumato.audit.certificate.question import AggregateColumn, AskedAggregate
    from sfumato.audit.certificate.setting import QuestionSetting
    from sfumato.audit.certificate.steps import Taken

    Sums = dict[int, Fraction]


def parts_of(
    asked: AskedAggregate, steps: list[Taken], count: int, present: tuple[str, ...]
) -> tuple[Taken, Taken]:
    """Return both parts of the column of an aggregate, over the rows that it is of."""
    if len(steps) != count:
        refute(
            "{name!r:.60} is made of {count} parts, and not of {found}",
            name=asked.name,
            count=count,
            found=len(steps),
        )
    upper, lower = both_parts(asked, steps)
    check_bounds(asked, column_of(upper), asked.columns[0])
    if upper.measured.present != present:
        refute("{name!r:.60} is of other rows than were measured", name=asked.name)
    return upper, lower


def both_parts(asked: AskedAggregate, steps: list[Taken]) -> tuple[Taken, Taken]:
    """Return what a column is above its lower bound, and below its upper one."""
    if len(steps) == 2:
        upper, lower = steps
        shapes = [(each.measured.part_of, each.measured.present) for each in steps]
        turned = [each.measured.turned for each in steps]
        if shapes[0] == shapes[1] and shapes[0][0] is not None and turned == [False, True]:
            if upper.noise != lower.noise:
                refute(
                    "{name!r:.60} is made of two parts of a column with different noise",
                    name=asked.name,
                )
            return upper, lower
    raise InputError(
        "E-CERTIFICATE-CONTENT",
        "{asked!r:.60} is not made of both parts of a column",
        asked=asked.name,
    )


def of_factors(
    asked: AskedAggregate,
    steps: list[Taken],
    count: int,
    present: tuple[str, ...],
    more: list[Taken] | tuple[()],
) -> Taken:
    """Return the one step that is a sum of products of so many columns."""
    if len(steps) != 1 or more or len(steps[0].measured.factors) != count:
        refute("{name!r:.60} is made of other sums than its kind is", name=asked.name)
    if steps[0].measured.present != present:
        refute("{name!r:.60} is of other rows than were measured", name=asked.name)
    return steps[0]


def check_plain(asked: AskedAggregate, step: Taken, centre: Fraction) -> None:
    """Check that a step is the sum of the column of an aggregate, about a centre."""
    measured = step.measured
    if len(measured.factors) != 1 or measured.turned or measured.centre != centre:
        refute("{name!r:.60} is not the sum that was measured", name=asked.name)
    column = measured.factors[0]
    check_bounds(asked, column, asked.columns[0])
    if column.shift != 0 or measured.present != present_in(asked):
        refute("{name!r:.60} is not the sum that was measured", name=asked.name)


def check_bounds(asked: AskedAggregate, measured: BoundedFactor, column: AggregateColumn) -> None:
    """Check that what was measured is a column, between the bounds that are public."""
    if measured.of != column.of or (measured.low, measured.high) != column.bounds:
        refute(
            "{name!r:.60} is measured of another column, or between other bounds", name=asked.name
        )


def present_in(asked: AskedAggregate) -> tuple[str, ...]:
    """Return what must not be missing in the rows of an aggregate of one column."""
    return asked.columns[0].present


def column_of(part: Taken) -> BoundedFactor:
    """Return the column of which a sum is a part."""
    return part.measured.factors[0]


def rows_in(upper: Taken, lower: Taken, sums: Sums) -> Fraction:
    """Return how many rows both parts of a column are of."""
    return (sums[upper.place] + sums[lower.place]) / upper.measured.size


def at_least_one(upper: Taken, lower: Taken, sums: Sums) -> Fraction:
    """Return how many rows both parts of a column are of, for a divisor."""
    return max(rows_in(upper, lower, sums), Fraction(1))


def mean_of(upper: Taken, lower: Taken, sums: Sums) -> Fraction:
    """Return the mean that both parts of a column come to, within its bounds."""
    low, size = column_of(upper).low, upper.measured.size
    return clipped(low + sums[upper.place] / at_least_one(upper, lower, sums), low, low + size)


def farthest(column: BoundedFactor) -> Fraction:
    """Return how great the values of a column can be."""
    return max(abs(column.low), abs(column.high))


def clipped(value: Fraction, low: Fraction, high: Fraction) -> Fraction:
    """Return a number, or the nearest between two others."""
    return min(max(value, low), high)


def missed_by(
    value: Callable[[Sums], Fraction], tail: Beyond, *, never_negative: bool
) -> Callable[[Sums], Missed]:
    """Return how likely an interval around a value misses."""
    return lambda sums: around(value(sums), tail, never_negative=never_negative)


def tail_of_one(step: Taken, setting: QuestionSetting) -> Beyond:
    """Return the tail of the noise of one sum, in natural units."""
    return of_one(_noise(step), _unit(step, setting))


def tail_of_mean(upper: Taken, setting: QuestionSetting) -> Beyond:
    """Return the tail of the noise in a mean of which both parts have equal noise."""
    return of_mean(_noise(upper), _unit(upper, setting))


def tail_of(
    steps: list[Taken], times: list[Fraction], setting: QuestionSetting, asked: AskedAggregate
) -> Beyond:
    """Return the tail of the noise of sums that are added up, each times a number."""
    units = [_unit(step, setting) * factor for step, factor in zip(steps, times, strict=True)]
    found = of_parts([_noise(step) for step in steps], units)
    if found is None:
        refute(
            "{name!r:.60} is made of parts whose noise is not of one kind and size", name=asked.name
        )
    return found


def _noise(step: Taken) -> WholeNumberNoise:
    if step.noise is None:
        refute("steps[{place}] has no noise", place=step.place)
    return step.noise


def _unit(step: Taken, setting: QuestionSetting) -> Fraction:
    """Return how much a step of the noise is, in natural units."""
    return step.measured.grid / setting.fine


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
    missed
        From the sums of a group to how likely an interval misses, where that is derived.
    far
        How great the numbers are that it is computed from: floats are off by a share of that.
    """

    value: Callable[[Sums], Fraction | float]
    whole: bool = False
    never_negative: bool = False
    missed: Callable[[Sums], Missed] | None = None
    far: Callable[[Sums], Fraction] = lambda _: Fraction(0)


def formula_for(asked: AskedAggregate, steps: list[Taken], setting: QuestionSetting) -> Formula:
    """Return how an aggregate is made of steps; others than it takes are refused."""
    if any(each.kind != "measure" for each in steps):
        refute("{name!r:.60} is made of steps that are no sums", name=asked.name)
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
            upper, lower = parts_of(asked, steps, 2, present_in(asked))
            return _plain_mean(upper, lower, setting)
        case "covariance":
            return _covariance(asked, steps)
    return _variance(asked, steps, is_root=asked.kind == "std")


def _people(asked: AskedAggregate, steps: list[Taken], setting: QuestionSetting) -> Formula:
    if len(steps) != 1 or steps[0].measured.kind != "people":
        refute("{name!r:.60} counts people, and what was measured does not", name=asked.name)
    return _counting(steps[0], setting)


def _counting(step: Taken, setting: QuestionSetting) -> Formula:
    missed = missed_by(
        lambda sums: sums[step.place], tail_of_one(step, setting), never_negative=True
    )
    return Formula(lambda sums: sums[step.place], whole=True, never_negative=True, missed=missed)


def _plain_mean(upper: Taken, lower: Taken, setting: QuestionSetting) -> Formula:
    column, tail = column_of(upper), tail_of_mean(upper, setting)
    ends = column.low, column.low + upper.measured.size
    return Formula(
        lambda sums: mean_of(upper, lower, sums),
        missed=lambda sums: of_share(sums[upper.place], sums[lower.place], ends, tail),
        far=lambda _: farthest(column),
    )


def _count(asked: AskedAggregate, steps: list[Taken], setting: QuestionSetting) -> Formula:
    """Return a number of rows: counted, or as the sum of parts of a column that are disjoint."""
    wanted = tuple(each.of for each in asked.columns)
    if len(steps) == 1 and steps[0].measured.kind == "rows":
        if steps[0].measured.present != wanted:
            refute("{name!r:.60} counts other rows than were measured", name=asked.name)
        return _counting(steps[0], setting)
    _check_counted(asked, steps, wanted)
    tail = tail_of(steps, [1 / each.measured.size for each in steps], setting, asked)

    def value(sums: Sums) -> Fraction:
        return sum((sums[each.place] / each.measured.size for each in steps), Fraction(0))

    return Formula(
        value,
        whole=True,
        never_negative=True,
        missed=missed_by(value, tail, never_negative=True),
    )


def _check_counted(asked: AskedAggregate, steps: list[Taken], wanted: tuple[str, ...]) -> None:
    """Check that parts are disjoint, and all of the rows that are counted."""
    upper, _ = both_parts(asked, steps[:2])
    column, rest = column_of(upper), steps[2:]
    counted = upper.measured.present
    if rest and not (len(rest) == 1 and rest[0].measured.kind == "absent" and not wanted):
        refute("{name!r:.60} is made of more than its rows", name=asked.name)
    if rest and rest[0].measured.present != counted:
        refute("{name!r:.60} is made of rows that are not the others", name=asked.name)
    if not wanted and not rest and counted:
        refute(
            "{name!r:.60} counts all rows, and only those with a value were measured",
            name=asked.name,
        )
    if wanted and (wanted != (column.of,) or counted not in ((), wanted)):
        refute("{name!r:.60} counts other rows than were measured", name=asked.name)
    if counted != (() if column.complete else (column.of,)):
        refute("{name!r:.60} is made of parts of other rows than their own", name=asked.name)


def _sum(asked: AskedAggregate, steps: list[Taken], setting: QuestionSetting) -> Formula:
    if len(steps) == 1:
        (total,) = steps
        check_plain(asked, total, Fraction(0))
        low = total.measured.factors[0].low
        missed = missed_by(
            lambda sums: sums[total.place], tail_of_one(total, setting), never_negative=low >= 0
        )
        return Formula(lambda sums: sums[total.place], never_negative=low >= 0, missed=missed)
    upper, lower = parts_of(asked, steps, 2, present_in(asked))
    low, far, size = column_of(upper).low, farthest(column_of(upper)), upper.measured.size
    tail = tail_of(steps, [(low + size) / size, low / size], setting, asked)

    def value(sums: Sums) -> Fraction:
        return low * rows_in(upper, lower, sums) + sums[upper.place]

    return Formula(
        value,
        never_negative=low >= 0,
        missed=missed_by(value, tail, never_negative=low >= 0),
        far=lambda sums: far * sum(abs(sums[each.place]) for each in steps) / upper.measured.size,
    )


def _public_mean(asked: AskedAggregate, steps: list[Taken], setting: QuestionSetting) -> Formula:
    rows = asked.part["rows"].whole(1)
    if len(steps) != 1 or setting.declared.person is not None or setting.groups != 1:
        refute(
            "{name!r:.60} is a mean over a public number of rows, which it cannot be",
            name=asked.name,
        )
    (total,) = steps
    centre = total.measured.centre
    check_plain(asked, total, centre)
    column = total.measured.factors[0]
    ends, tail = (column.low, column.high), tail_of_one(total, setting)
    return Formula(
        lambda sums: clipped(centre + sums[total.place] / rows, *ends),
        missed=lambda sums: within(centre + sums[total.place] / rows, ends, Fraction(rows), tail),
        far=lambda _: farthest(column),
    )


def _variance(asked: AskedAggregate, steps: list[Taken], *, is_root: bool) -> Formula:
    upper, lower = parts_of(asked, steps[:2], 2, present_in(asked))
    squares = of_factors(asked, steps[2:3], 2, present_in(asked), steps[3:])
    first, second = squares.measured.factors
    if first != second or unshifted(first) != column_of(upper):
        refute("{name!r:.60} is made of squares of something else", name=asked.name)
    most, centre = upper.measured.size**2 / 4, squares.measured.centre

    def value(sums: Sums) -> Fraction | float:
        mean = mean_of(upper, lower, sums) - first.shift
        squared = sums[squares.place] / at_least_one(upper, lower, sums) + centre
        found = clipped(squared - mean**2, Fraction(0), most)
        return sqrt(found) if is_root else found

    # A root turns what is off by a share s of the most into what is off by the root of s.
    far = upper.measured.size * _ROOT_OFF if is_root else farthest(column_of(upper)) ** 2
    return Formula(value, far=lambda _: far)


def _covariance(asked: AskedAggregate, steps: list[Taken]) -> Formula:
    present = tuple(dict.fromkeys(asked.columns[0].present + asked.columns[1].present))
    upper, lower = parts_of(asked, steps[:2], 2, present)
    products = of_factors(asked, steps[2:3], 2, present, steps[4:])
    second = of_factors(asked, steps[3:4], 1, present, ())
    first, other = products.measured.factors
    check_bounds(asked, other, asked.columns[1])
    if unshifted(first) != column_of(upper) or products.measured.centre != 0:
        refute("{name!r:.60} is made of products of something else", name=asked.name)
    if second.measured.factors != (unshifted(other),) or second.measured.centre != other.shift:
        refute(
            "{name!r:.60} is made of another sum than that of its second column", name=asked.name
        )
    if second.measured.turned:
        refute("{name!r:.60} is made of a sum that is turned", name=asked.name)
    most = upper.measured.size * (other.high - other.low) / 4

    def value(sums: Sums) -> Fraction:
        rows = at_least_one(upper, lower, sums)
        mean = mean_of(upper, lower, sums) - first.shift
        found = sums[products.place] / rows - mean * (sums[second.place] / rows)
        return clipped(found, -most, most)

    far = farthest(column_of(upper)) * farthest(unshifted(other))
    return Formula(value, far=lambda _: far)
