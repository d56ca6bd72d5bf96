"""From noisy sums to answers with confidence intervals: post-processing, so free of charge."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from sfumato.tables.plan.measurements import Factor, of_factors, parts_of, product_ends
from sfumato.tables.plan.noise import Span

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from sfumato.tables.expressions import Expression
    from sfumato.tables.plan.measurements import Measurement
    from sfumato.tables.plan.noise import NoisySums

    Sums = Mapping[Measurement, NDArray[np.float64]]


@dataclass(frozen=True)
class Output(ABC):
    """One aggregate of a query, as it is made of measurements.

    Parameters
    ----------
    name
        The column of the answer.
    """

    name: str

    #: Whether rows that are left out are missed in it.
    misses_rows: ClassVar[bool] = False
    #: Whether it has a confidence interval.
    has_interval: ClassVar[bool] = True

    @property
    @abstractmethod
    def importance(self) -> Mapping[Measurement, float]:
        """The share of each measurement's variance in that of the answer, relative to sizes."""

    @property
    def measurements(self) -> tuple[Measurement, ...]:
        """What has to be measured for it."""
        return tuple(self.importance)

    @abstractmethod
    def value(self, sums: Sums) -> NDArray[np.float64]:
        """Return the answer for noisy sums, one a group."""

    @abstractmethod
    def bars(self, noisy: NoisySums, confidence: Fraction) -> Span:
        """Return between which numbers the answer lies, with a confidence."""

    @property
    def whole(self) -> bool:
        """Whether the answer is a whole number."""
        return False

    @property
    def is_never_negative(self) -> bool:
        """Whether the answer could not be below 0 without noise."""
        return False


@dataclass(frozen=True)
class CountOutput(Output):
    """A number of rows or of people, as the sum of disjoint parts of them."""

    parts: tuple[Measurement, ...]

    misses_rows = True

    @property
    def importance(self) -> Mapping[Measurement, float]:
        """The variances add up."""
        return dict.fromkeys(self.parts, 1.0)

    @property
    def whole(self) -> bool:
        """A count is a whole number."""
        return True

    @property
    def is_never_negative(self) -> bool:
        """A count is not below 0."""
        return True

    def value(self, sums: Sums) -> NDArray[np.float64]:
        """Return the count, rounded."""
        return np.rint(counted(self.parts, sums))

    def bars(self, noisy: NoisySums, confidence: Fraction) -> Span:
        """Return whole numbers around the count."""
        each = {part: 1 / float(part.size) for part in self.parts}
        return noisy.around(counted(self.parts, noisy.sums), each, confidence).whole()


@dataclass(frozen=True)
class SumOutput(Output):
    """A sum, measured as it is."""

    total: Measurement

    misses_rows = True

    @property
    def importance(self) -> Mapping[Measurement, float]:
        """All of it."""
        return {self.total: 1.0}

    @property
    def is_never_negative(self) -> bool:
        """A sum of what is not below 0 is not."""
        return self.total.factors[0].low >= 0

    def value(self, sums: Sums) -> NDArray[np.float64]:
        """Return the sum."""
        return sums[self.total]

    def bars(self, noisy: NoisySums, confidence: Fraction) -> Span:
        """Return numbers around the sum."""
        return noisy.around(noisy.sums[self.total], {self.total: 1.0}, confidence)


@dataclass(frozen=True)
class PartsOutput(Output):
    """An answer about a column of which both parts are measured.

    Parameters
    ----------
    upper, lower
        What the column is above its lower bound, and what it is below its upper one.
    """

    upper: Measurement
    lower: Measurement

    @property
    def parts(self) -> tuple[Measurement, Measurement]:
        """Both parts."""
        return self.upper, self.lower

    @property
    def low(self) -> float:
        """The lower bound of the column."""
        return float(self.upper.factors[0].low)

    @property
    def size(self) -> float:
        """How far apart the bounds are."""
        return float(self.upper.size)


@dataclass(frozen=True)
class SumOfPartsOutput(PartsOutput):
    """A sum, from the parts of a column that are measured for a mean anyway."""

    misses_rows = True

    @property
    def importance(self) -> Mapping[Measurement, float]:
        """By the bounds, relative to the greater one."""
        ends = self.low + self.size, self.low
        most = max(map(abs, ends))
        return {part: (end / most) ** 2 for part, end in zip(self.parts, ends, strict=True)}

    @property
    def is_never_negative(self) -> bool:
        """A sum of what is not below 0 is not."""
        return self.low >= 0

    def value(self, sums: Sums) -> NDArray[np.float64]:
        """Return the sum."""
        rows = counted(self.parts, sums)
        return np.asarray(self.low * rows + sums[self.upper])

    def bars(self, noisy: NoisySums, confidence: Fraction) -> Span:
        """Return numbers around the sum."""
        high = self.low + self.size
        each = {self.upper: high / self.size, self.lower: self.low / self.size}
        return noisy.around(self.value(noisy.sums), each, confidence)


@dataclass(frozen=True)
class MeanOutput(PartsOutput):
    """A mean: where between the bounds the parts put it."""

    @property
    def importance(self) -> Mapping[Measurement, float]:
        """Both parts matter alike, in units of half the range."""
        return dict.fromkeys(self.parts, 1.0)

    def value(self, sums: Sums) -> NDArray[np.float64]:
        """Return the mean, within its bounds."""
        rows = np.maximum(counted(self.parts, sums), 1.0)
        return np.clip(self.low + sums[self.upper] / rows, self.low, self.low + self.size)

    def bars(self, noisy: NoisySums, confidence: Fraction) -> Span:
        """Return the means that fit the parts, after Fieller :cite:p:`fieller1954ratios`.

        For the true share r of the upper part A in A + B, the noise of (1 - r)A - rB reaches
        hardly farther than that of one part, whatever r: one does not need an interval of each.
        """
        upper, lower = (noisy.sums[each] for each in self.parts)
        reach = noisy.reach_of_mixture(*self.parts, confidence)
        there = upper + lower > 0
        whole = np.where(there, upper + lower, 1.0)
        least, most = (upper - reach) / whole, (upper + reach) / whole
        share = Span(np.where(there, least, 0.0), np.where(there, most, 1.0)).within(0.0, 1.0)
        return share.times(self.size).plus(self.low)


@dataclass(frozen=True)
class PublicMeanOutput(SumOutput):
    """A mean over a public number of rows: only the sum is measured, about the middle."""

    rows: int

    def value(self, sums: Sums) -> NDArray[np.float64]:
        """Return the mean, within its bounds."""
        low, high = self._ends
        return np.clip(float(self.total.centre) + sums[self.total] / self.rows, low, high)

    def bars(self, noisy: NoisySums, confidence: Fraction) -> Span:
        """Return numbers around the mean."""
        around = noisy.around(noisy.sums[self.total], {self.total: 1.0}, confidence)
        return around.times(1 / self.rows).plus(float(self.total.centre)).within(*self._ends)

    @property
    def _ends(self) -> tuple[float, float]:
        column = self.total.factors[0]
        return float(column.low), float(column.high)


def counted(parts: tuple[Measurement, ...], sums: Sums) -> NDArray[np.float64]:
    """Return the number of rows of which some parts are, together."""
    return np.asarray(sum(sums[each] / float(each.size) for each in parts))


def rows_in(parts: tuple[Measurement, ...], spans: Mapping[Measurement, Span]) -> Span:
    """Return the numbers of rows of which some parts can be, together."""
    first, *others = (spans[each].times(1 / float(each.size)) for each in parts)
    return sum(others, first)


@dataclass(frozen=True)
class VarianceOutput(MeanOutput):
    """A variance: the mean of squares about a centre, less the square of the mean."""

    squares: Measurement

    @classmethod
    def of(
        cls, name: str, column: Factor, needed: tuple[Expression, ...], weighing: str
    ) -> VarianceOutput:
        """Return the variance of a column."""
        upper, lower = parts_of(column, needed=needed, weighing=weighing)
        shifted = replace(column, shift=column.middle)
        centre = product_ends((shifted, shifted))[1] / 2
        # With bounds that are yet to be found it stays apart from the products of a covariance.
        if column.whole and not column.is_open:
            centre = Fraction(centre.__floor__())
        squares = of_factors(shifted, shifted, needed=needed, centre=centre, weighing=weighing)
        return cls(name, upper, lower, squares)

    @property
    def importance(self) -> Mapping[Measurement, float]:
        """In units of the square of half the range."""
        return {self.upper: 1.0, self.lower: 1.0, self.squares: 0.25}

    def value(self, sums: Sums) -> NDArray[np.float64]:
        """Return the variance, not below 0 and not above what the bounds allow."""
        rows = np.maximum(counted(self.parts, sums), 1.0)
        squared = sums[self.squares] / rows + float(self.squares.centre)
        mean = super().value(sums) - self._middle
        return np.clip(squared - mean**2, 0.0, self._most)

    def bars(self, noisy: NoisySums, confidence: Fraction) -> Span:
        """Return the variances of all means and sums that fit, each with half of the error."""
        half = 1 - (1 - confidence) / 2
        spans = noisy.spans(self.measurements, half)
        rows = rows_in(self.parts, spans)
        squared = spans[self.squares].over(rows, float(self.squares.size))
        mean = super().bars(noisy, half).plus(-self._middle)
        return (squared.plus(float(self.squares.centre)) - mean.squared()).within(0.0, self._most)

    @property
    def _middle(self) -> float:
        return float(self.squares.factors[0].shift)

    @property
    def _most(self) -> float:
        return self.size**2 / 4


@dataclass(frozen=True)
class DeviationOutput(VarianceOutput):
    """A standard deviation."""

    def value(self, sums: Sums) -> NDArray[np.float64]:
        """Return the root of the variance."""
        return np.sqrt(super().value(sums))

    def bars(self, noisy: NoisySums, confidence: Fraction) -> Span:
        """Return the roots of the variances."""
        return super().bars(noisy, confidence).root()


@dataclass(frozen=True)
class CovarianceOutput(MeanOutput):
    """A covariance: the mean product about centres, less the product of the means."""

    products: Measurement
    second: Measurement

    @classmethod
    def of(
        cls,
        name: str,
        columns: tuple[Factor, Factor],
        needed: tuple[Expression, ...],
        weighing: str,
    ) -> CovarianceOutput:
        """Return the covariance of two columns."""
        first, second = columns
        shifted = (replace(each, shift=each.middle) for each in columns)
        products = of_factors(*shifted, needed=needed, weighing=weighing)
        total = of_factors(second, needed=needed, centre=second.middle, weighing=weighing)
        return cls(name, *parts_of(first, needed=needed, weighing=weighing), products, total)

    @property
    def importance(self) -> Mapping[Measurement, float]:
        """In units of the product of both half ranges."""
        return {self.upper: 0.25, self.lower: 0.25, self.products: 1.0, self.second: 0.25}

    def value(self, sums: Sums) -> NDArray[np.float64]:
        """Return the covariance, within what the bounds allow."""
        rows = np.maximum(counted(self.parts, sums), 1.0)
        mean = super().value(sums) - self._middle
        found = sums[self.products] / rows - mean * (sums[self.second] / rows)
        return np.clip(found, -self._most, self._most)

    def bars(self, noisy: NoisySums, confidence: Fraction) -> Span:
        """Return the covariances of all means and sums that fit, each with half of the error."""
        half = 1 - (1 - confidence) / 2
        spans = noisy.spans(self.measurements, half)
        rows = rows_in(self.parts, spans)
        products, second = (
            spans[each].over(rows, float(each.size)) for each in (self.products, self.second)
        )
        mean = super().bars(noisy, half).plus(-self._middle)
        return (products - mean.by(second)).within(-self._most, self._most)

    @property
    def _middle(self) -> float:
        return float(self.products.factors[0].shift)

    @property
    def _most(self) -> float:
        column = self.second.factors[0]
        return self.size * float(column.high - column.low) / 4
