"""What sums have to be for an aggregate to be made of them, and what they come to."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.audit.certificate.parts import refute
from sfumato.errors import InputError

if TYPE_CHECKING:
    from sfumato.audit.certificate.asked import Asked, Column
    from sfumato.audit.certificate.measured import Factor
    from sfumato.audit.certificate.taken import Taken

    #: The noisy sums of one group, by the place of their step.
    Sums = dict[int, Fraction]

__all__ = [
    "at_least_one",
    "both_parts",
    "check_bounds",
    "check_plain",
    "clipped",
    "column_of",
    "farthest",
    "mean_of",
    "of_factors",
    "parts_of",
    "present_in",
    "rows_in",
]


def parts_of(
    asked: Asked, steps: list[Taken], count: int, present: tuple[str, ...]
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


def both_parts(asked: Asked, steps: list[Taken]) -> tuple[Taken, Taken]:
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
    asked: Asked,
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


def check_plain(asked: Asked, step: Taken, centre: Fraction) -> None:
    """Check that a step is the sum of the column of an aggregate, about a centre."""
    measured = step.measured
    if len(measured.factors) != 1 or measured.turned or measured.centre != centre:
        refute("{name!r:.60} is not the sum that was measured", name=asked.name)
    column = measured.factors[0]
    check_bounds(asked, column, asked.columns[0])
    if column.shift != 0 or measured.present != present_in(asked):
        refute("{name!r:.60} is not the sum that was measured", name=asked.name)


def check_bounds(asked: Asked, measured: Factor, column: Column) -> None:
    """Check that what was measured is a column, between the bounds that are public."""
    if measured.of != column.of or (measured.low, measured.high) != column.bounds:
        refute(
            "{name!r:.60} is measured of another column, or between other bounds", name=asked.name
        )


def present_in(asked: Asked) -> tuple[str, ...]:
    """Return what must not be missing in the rows of an aggregate of one column."""
    return asked.columns[0].present


def column_of(part: Taken) -> Factor:
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


def farthest(column: Factor) -> Fraction:
    """Return how great the values of a column can be."""
    return max(abs(column.low), abs(column.high))


def clipped(value: Fraction, low: Fraction, high: Fraction) -> Fraction:
    """Return a number, or the nearest between two others."""
    return min(max(value, low), high)
