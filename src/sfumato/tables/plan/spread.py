"""Variances and covariances: means of products about a centre, less products of means."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.tables.plan.factors import Factor, product_ends
from sfumato.tables.plan.measurements import of_factors, parts_of
from sfumato.tables.plan.outputs import MeanOutput, counted, rows_in

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from sfumato.tables.expressions import Expression
    from sfumato.tables.plan.measurements import Measurement
    from sfumato.tables.plan.noisy import NoisySums
    from sfumato.tables.plan.outputs import Sums
    from sfumato.tables.plan.spans import Span


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
    def measurements(self) -> tuple[Measurement, ...]:
        """Both parts, and the squares."""
        return (self.upper, self.lower, self.squares)

    @property
    def importance(self) -> Mapping[Measurement, float]:
        """In units of the square of half the range."""
        return {self.upper: 1.0, self.lower: 1.0, self.squares: 0.25}

    def value(self, sums: Sums) -> NDArray[np.float64]:
        """Return the variance, not below 0 and not above what the bounds allow."""
        rows = np.maximum(counted((self.upper, self.lower), sums), 1.0)
        squared = sums[self.squares] / rows + float(self.squares.centre)
        mean = self._mean.value(sums) - self._middle
        return np.clip(squared - mean**2, 0.0, self._most)

    def bars(self, noisy: NoisySums, confidence: Fraction) -> Span:
        """Return the variances of all means and sums that fit, each with half of the error."""
        half = 1 - (1 - confidence) / 2
        spans = noisy.spans(self.measurements, half)
        rows = rows_in((self.upper, self.lower), spans)
        squared = spans[self.squares].over(rows, float(self.squares.size))
        mean = self._mean.bars(noisy, half).plus(-self._middle)
        return (squared.plus(float(self.squares.centre)) - mean.squared()).within(0.0, self._most)

    @property
    def _mean(self) -> MeanOutput:
        return MeanOutput(self.name, self.upper, self.lower)

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
    def measurements(self) -> tuple[Measurement, ...]:
        """Both parts of the first column, the products, and the sum of the second column."""
        return (self.upper, self.lower, self.products, self.second)

    @property
    def importance(self) -> Mapping[Measurement, float]:
        """In units of the product of both half ranges."""
        return {self.upper: 0.25, self.lower: 0.25, self.products: 1.0, self.second: 0.25}

    def value(self, sums: Sums) -> NDArray[np.float64]:
        """Return the covariance, within what the bounds allow."""
        rows = np.maximum(counted((self.upper, self.lower), sums), 1.0)
        mean = MeanOutput(self.name, self.upper, self.lower).value(sums) - self._middle
        found = sums[self.products] / rows - mean * (sums[self.second] / rows)
        return np.clip(found, -self._most, self._most)

    def bars(self, noisy: NoisySums, confidence: Fraction) -> Span:
        """Return the covariances of all means and sums that fit, each with half of the error."""
        half = 1 - (1 - confidence) / 2
        spans = noisy.spans(self.measurements, half)
        rows = rows_in((self.upper, self.lower), spans)
        products, second = (
            spans[each].over(rows, float(each.size)) for each in (self.products, self.second)
        )
        first = MeanOutput(self.name, self.upper, self.lower)
        mean = first.bars(noisy, half).plus(-self._middle)
        return (products - mean.by(second)).within(-self._most, self._most)

    @property
    def _middle(self) -> float:
        return float(self.products.factors[0].shift)

    @property
    def _most(self) -> float:
        column = self.second.factors[0]
        return self.size * float(column.high - column.low) / 4
