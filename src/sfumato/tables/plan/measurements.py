"""What is added up over rows: whole numbers on a grid, and how far one person moves their sum."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil, isqrt
from typing import TYPE_CHECKING

from sfumato.privacy import Person, Substitute
from sfumato.translation import in_english, tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sfumato.data.policy import Limits
    from sfumato.privacy import Relation
    from sfumato.tables.expressions import Expression
    from sfumato.tables.tree.rows import Question

#: A value is measured in at most 2^24 steps on each side of its centre.
GRID_BITS = 24
#: People over the limit count in part: their rows have weights in steps of 2^-16.
FINE_BITS = 16
_ROOT_BITS = 10


@dataclass(frozen=True)
class Factor:
    """A column of numbers, clipped between bounds and shifted.

    Parameters
    ----------
    text
        The column in words: what tells two factors apart.
    low, high
        The bounds: what lies beyond counts as the nearest.
    shift
        What is subtracted after clipping.
    complete
        Whether a missing value counts as the middle of the bounds; else its row adds nothing.
    whole
        Whether the values are whole numbers.
    is_open
        Whether other bounds than these will be found privately.
    of
        The column.
    """

    text: str
    low: Fraction
    high: Fraction
    of: Expression = field(compare=False, repr=False)
    shift: Fraction = Fraction(0)
    complete: bool = False
    whole: bool = False
    is_open: bool = False

    @property
    def middle(self) -> Fraction:
        """The middle of the bounds, a whole number where the values are whole."""
        middle = (self.low + self.high) / 2
        return Fraction(middle.__floor__()) if self.whole else middle

    @property
    def ends(self) -> tuple[Fraction, Fraction]:
        """The least and the greatest value after the shift."""
        return self.low - self.shift, self.high - self.shift


def product_ends(factors: tuple[Factor, ...]) -> tuple[Fraction, Fraction]:
    """Return the least and the greatest product of one factor or two; a square is not below 0."""
    first = factors[0].ends
    if len(factors) == 1:
        return first
    products = [left * right for left in first for right in factors[1].ends]
    least = Fraction(0) if factors[0] == factors[1] else min(products)
    return least, max(products)


@dataclass(frozen=True)
class Measurement:
    """A sum over rows of whole numbers, each of at most ``most`` in size, in steps of a grid.

    A row adds the product of its factors minus the centre, rounded to the grid; 1 where there
    are no factors.  A row in which one of ``present`` is missing adds nothing.

    Parameters
    ----------
    factors
        What is multiplied.
    centre
        What is subtracted from the product.
    step
        The unit of the grid: a power of two, or 1.
    most
        The most that a row adds, in steps.
    present
        The columns that must not be missing, in words.
    weighing
        What of a person is limited: "rows", "people" for each group once, or "value" for the
        sizes of what the rows add.
    turned
        Whether a row adds what is left of the most instead: ``most`` less what it would add.
    absent
        Whether a row adds 1 where one of the columns *is* missing.
    together
        What it is measured together with: of all measurements of that name a row adds, relative to
        their ``most``, at most one in all, so that they share what is spent.
    needed
        The columns that must not be missing.
    """

    factors: tuple[Factor, ...] = ()
    centre: Fraction = Fraction(0)
    step: Fraction = Fraction(1)
    most: int = 1
    present: tuple[str, ...] = ()
    weighing: str = "rows"
    turned: bool = False
    absent: bool = False
    together: str = ""
    needed: tuple[Expression, ...] = field(default=(), compare=False, repr=False)

    @property
    def size(self) -> Fraction:
        """The most that a row adds."""
        return self.most * self.step

    @property
    def is_open(self) -> bool:
        """Whether it depends on bounds that are found privately."""
        return any(each.is_open for each in self.factors)

    @property
    def limited_by(self) -> str:
        """Which limit it has: one for rows, one for people, one for each sum limited by value."""
        with in_english():
            return str(self) if self.weighing == "value" else self.weighing

    def __str__(self) -> str:
        if self.weighing == "people":
            return tr("the number of privacy units")
        if not self.factors:
            listed = tr(" and ").join(self.present)
            given = tr(" without {listed}", listed=listed) if self.absent else ""
            given = given or (tr(" with {listed}", listed=listed) if listed else "")
            return tr("the number of rows{given}", given=given)
        product = " · ".join(_factor_text(each) for each in self.factors)
        if self.turned:
            return tr(
                "the sum of ({high} - {product})",
                high=_number(self.factors[0].high),
                product=product,
            )
        return tr("the sum of {product}", product=_away(product, self.centre))


def counting(*needed: Expression, weighing: str = "rows") -> Measurement:
    """Return the number of rows in which some columns are not missing."""
    return Measurement(present=tuple(map(str, needed)), needed=needed, weighing=weighing)


def of_factors(
    *factors: Factor,
    needed: tuple[Expression, ...],
    centre: Fraction = Fraction(0),
    weighing: str = "rows",
) -> Measurement:
    """Return the sum of a product over rows, on the finest grid of no more than 2^25 steps."""
    low, high = product_ends(factors)
    size = max(abs(low - centre), abs(high - centre))
    whole = all(each.whole and each.shift.denominator == 1 for each in factors)
    step = grid_step(size, whole=whole and centre.denominator == 1)
    return Measurement(
        factors=factors,
        centre=centre,
        step=step,
        most=max(ceil(size / step), 1),
        present=tuple(map(str, needed)),
        weighing=weighing,
        needed=needed,
    )


def parts_of(
    column: Factor, *, needed: tuple[Expression, ...], weighing: str = "rows"
) -> tuple[Measurement, Measurement]:
    """Return what a column is above its lower bound, and what it is below its upper one.

    A row adds as much to both together as the bounds are apart, whatever its value: so both are
    measured for the price of one, and their sum is a number of rows.
    """
    upper = of_factors(column, needed=needed, centre=column.low, weighing=weighing)
    # Whatever tells two columns apart tells apart what is measured together with them.
    upper = replace(upper, together=repr((column, upper.present, weighing)))
    return upper, replace(upper, turned=True)


def without(*parts: Measurement) -> Measurement:
    """Return the number of rows in which what two parts are of is missing, measured with them."""
    upper = parts[0]
    return Measurement(
        present=upper.present,
        weighing=upper.weighing,
        absent=True,
        together=upper.together,
        needed=upper.needed,
    )


def grid_step(size: Fraction, *, whole: bool) -> Fraction:
    """Return the unit in which values of up to a size are measured."""
    if whole and size <= 2**GRID_BITS:
        return Fraction(1)
    scaled = size / 2**GRID_BITS
    exponent = scaled.numerator.bit_length() - scaled.denominator.bit_length() - 1
    while Fraction(2) ** exponent < scaled:
        exponent += 1
    return Fraction(2**exponent) if exponent >= 0 else Fraction(1, 2**-exponent)


def _factor_text(factor: Factor) -> str:
    return _away(factor.text, factor.shift)


def _away(text: str, amount: Fraction) -> str:
    """Return a text less a number, with the sign that a reader would write."""
    if not amount:
        return text
    return f"({text} {'-' if amount > 0 else '+'} {_number(abs(amount))})"


def _number(value: Fraction) -> str:
    return f"{float(value):g}"


@dataclass(frozen=True)
class ContributionLimit:
    """The most of one person, in rows or in groups.

    Parameters
    ----------
    weighing
        What is limited: "rows", "people" or "value".
    most
        So many rows, or groups; None where it is chosen privately.
    norm
        "l1": the sum over groups; "l2": the root of the sum of squares.
    """

    weighing: str
    most: Fraction | None
    norm: str = "l1"

    @property
    def is_chosen(self) -> bool:
        """Whether the limit has yet to be chosen, privately."""
        return self.most is None


@dataclass(frozen=True)
class ChosenLimit:
    """A limit that was chosen privately, and what it is expected to leave out.

    Parameters
    ----------
    most
        The limit.
    left_out
        Which share of everything is expected not to count for it; an estimate, from the same
        noisy histogram.
    at_most
        The same, with an allowance for the noise of the histogram.
    """

    most: int
    left_out: float
    at_most: float


@dataclass(frozen=True)
class Contribution:
    """What one unit of privacy adds at most.

    Parameters
    ----------
    relation
        Which tables are neighbours.
    limits
        What limits each measurement, by ``Measurement.limited_by``;
        none where each row is protected by itself.
    """

    relation: Relation
    limits: dict[str, ContributionLimit]

    @property
    def column(self) -> str | None:
        """The column of the person's id; None where each row is protected by itself."""
        unit = self.relation.unit
        return unit.column if isinstance(unit, Person) else None

    def chosen_by(self) -> dict[str, list[str]]:
        """Return the limits that are yet to be chosen, those of one kind of histogram together."""
        found: dict[str, list[str]] = {}
        for name, each in self.limits.items():
            if each.is_chosen:
                kept = name if each.weighing in {"people", "value"} else "rows"
                found.setdefault(kept, []).append(name)
        return found

    def with_limits(self, chosen: Mapping[str, ChosenLimit]) -> Contribution:
        """Return it with limits that were chosen privately."""
        limits = {
            name: replace(each, most=Fraction(chosen[name].most)) if name in chosen else each
            for name, each in self.limits.items()
        }
        return Contribution(self.relation, limits)

    @property
    def fine(self) -> int:
        """How many fine steps a step of a measurement has."""
        return 1 if self.column is None else 2**FINE_BITS

    def sensitivity(self, measurement: Measurement) -> Fraction:
        """Return the most by which one change moves a measurement, in fine steps."""
        changes = histogram_sensitivity(self.relation)
        if self.column is None:
            return changes * measurement.most
        most = self.limits[measurement.limited_by].most
        return changes * measurement.most * self.fine * (most or Fraction(1))


def histogram_sensitivity(relation: Relation) -> Fraction:
    """Return how far one change moves a histogram in which everybody is in one cell."""
    return Fraction(2 if isinstance(relation, Substitute) else 1)


def limits_are_chosen(query: Question) -> bool:
    """Tell whether it is chosen privately how many rows of a person count."""
    declared = query.table.policy.limits
    by_group = declared.rows_per_group is not None and (
        declared.groups is not None or not query.keys
    )
    is_person = isinstance(query.table.relation.unit, Person)
    return is_person and not isinstance(declared.rows, int) and not by_group


def limits_for(
    measurements: Iterable[Measurement], declared: Limits, *, groups: int | None, norm: str
) -> dict[str, ContributionLimit]:
    """Return what limits each measurement, from what is declared and how many groups there are."""
    known = [each for each in (declared.groups, groups) if each is not None]
    most_groups = min(known) if known else None
    found = {}
    for each in measurements:
        own = "l1" if each.weighing in {"value", "choice"} else norm
        limit = _people if each.weighing == "people" else _rows
        found[each.limited_by] = ContributionLimit(
            each.weighing, limit(declared, most_groups, own), own
        )
    return found


def _rows(declared: Limits, groups: int | None, norm: str) -> Fraction | None:
    given = []
    if isinstance(declared.rows, int):
        given.append(Fraction(declared.rows))
    if groups is not None and declared.rows_per_group is not None:
        across = root_above(Fraction(groups)) if norm == "l2" else Fraction(groups)
        given.append(declared.rows_per_group * across)
    return min(given) if given else None


def _people(declared: Limits, groups: int | None, norm: str) -> Fraction | None:
    given = [Fraction(each) for each in (groups, declared.rows) if isinstance(each, int)]
    most = min(given) if given else None
    return most if most is None or norm == "l1" else root_above(most)


def root_above(number: Fraction, bits: int = _ROOT_BITS) -> Fraction:
    """Return a square root, rounded up to a multiple of a power of two."""
    scaled = (number * 4**bits).__ceil__()
    root = isqrt(scaled)
    return Fraction(root + (root * root < scaled), 2**bits)
