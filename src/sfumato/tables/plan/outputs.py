"""From noisy sums to answers with error bars: post-processing, so free of charge."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.tables.plan.measurements import (
    Factor,
    Measurement,
    counting,
    of_factors,
    product_ends,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from sfumato.tables.expressions import Expression
    from sfumato.tables.plan.spans import Span

__all__ = [
    "CountOutput",
    "CovarianceOutput",
    "DeviationOutput",
    "MeanOutput",
    "Output",
    "SumOutput",
    "VarianceOutput",
]

#: How far a mean is expected from the middle of its bounds, as a share of half their distance.
_OFF_CENTRE = 0.5


@dataclass(frozen=True)
class Output(ABC):
    """One aggregate of a query, as it is made of measurements.

    Parameters
    ----------
    name
        The column of the answer.

    Examples
    --------
    >>> from sfumato.tables.plan.measurements import counting
    >>> from sfumato.tables.plan.outputs import CountOutput
    >>> [str(each) for each in CountOutput("n", counting()).measurements]
    ['the number of rows']
    """

    name: str

    @property
    @abstractmethod
    def measurements(self) -> tuple[Measurement, ...]:
        """What has to be measured for it."""

    @property
    @abstractmethod
    def importance(self) -> Mapping[Measurement, float]:
        """The share of each measurement's variance in that of the answer, relative to sizes."""

    @abstractmethod
    def value(self, sums: Mapping[Measurement, NDArray[np.float64]]) -> NDArray[np.float64]:
        """Return the answer for noisy sums, one a group."""

    @abstractmethod
    def span(self, spans: Mapping[Measurement, Span]) -> Span:
        """Return between which numbers the answer lies if each sum lies in its span."""

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
    """A number of rows or of people."""

    rows: Measurement

    @property
    def measurements(self) -> tuple[Measurement, ...]:
        """The count."""
        return (self.rows,)

    @property
    def importance(self) -> Mapping[Measurement, float]:
        """All of it."""
        return {self.rows: 1.0}

    @property
    def whole(self) -> bool:
        """A count is a whole number."""
        return True

    @property
    def is_never_negative(self) -> bool:
        """A count is not below 0."""
        return True

    def value(self, sums: Mapping[Measurement, NDArray[np.float64]]) -> NDArray[np.float64]:
        """Return the count, rounded."""
        return np.rint(sums[self.rows])

    def span(self, spans: Mapping[Measurement, Span]) -> Span:
        """Return the whole numbers in the span."""
        return spans[self.rows].whole()


@dataclass(frozen=True)
class SumOutput(Output):
    """A sum: measured as it is, or as a centred sum and a count that are measured anyway."""

    total: Measurement
    rows: Measurement | None = None

    @property
    def measurements(self) -> tuple[Measurement, ...]:
        """The sum, and the count where the sum is centred."""
        return (self.total,) if self.rows is None else (self.total, self.rows)

    @property
    def importance(self) -> Mapping[Measurement, float]:
        """By the sizes of what is added up."""
        if self.rows is None:
            return {self.total: 1.0}
        (column,) = self.total.factors
        whole = float(max(abs(column.low), abs(column.high)) ** 2)
        return {
            self.total: float(self.total.size**2) / whole,
            self.rows: float(self.total.centre**2) / whole,
        }

    def value(self, sums: Mapping[Measurement, NDArray[np.float64]]) -> NDArray[np.float64]:
        """Return the sum."""
        if self.rows is None:
            return sums[self.total]
        return sums[self.total] + float(self.total.centre) * sums[self.rows]

    def span(self, spans: Mapping[Measurement, Span]) -> Span:
        """Return the sum of spans."""
        if self.rows is None:
            return spans[self.total]
        return spans[self.total] + spans[self.rows].times(float(self.total.centre))

    @property
    def is_never_negative(self) -> bool:
        """A sum of what is not below 0 is not."""
        (column,) = self.total.factors
        return column.low >= 0


@dataclass(frozen=True)
class MeanOutput(Output):
    """A mean: a centred sum over a count."""

    total: Measurement
    rows: Measurement

    @classmethod
    def of(
        cls, name: str, column: Factor, needed: tuple[Expression, ...], weighing: str
    ) -> MeanOutput:
        """Return the mean of a column."""
        total = of_factors(column, needed=needed, centre=column.middle, weighing=weighing)
        return cls(name, total, counting(*needed, weighing=weighing))

    @property
    def measurements(self) -> tuple[Measurement, ...]:
        """The sum and the count."""
        return (self.total, self.rows)

    @property
    def importance(self) -> Mapping[Measurement, float]:
        """The count matters as far as the mean is off the centre."""
        return {self.total: 1.0, self.rows: _OFF_CENTRE**2}

    def value(self, sums: Mapping[Measurement, NDArray[np.float64]]) -> NDArray[np.float64]:
        """Return the mean, within its bounds."""
        mean = sums[self.total] / np.maximum(sums[self.rows], 1.0)
        return _bounded(mean + float(self.total.centre), self.total)

    def span(self, spans: Mapping[Measurement, Span]) -> Span:
        """Return the means of all sums and counts in the spans."""
        ratio = spans[self.total].over(spans[self.rows], float(self.total.size))
        return ratio.plus(float(self.total.centre)).within(*_ends(self.total))


@dataclass(frozen=True)
class VarianceOutput(Output):
    """A variance: the mean of squares about a centre, less the square of the mean."""

    squares: Measurement
    total: Measurement
    rows: Measurement

    @classmethod
    def of(
        cls, name: str, column: Factor, needed: tuple[Expression, ...], weighing: str
    ) -> VarianceOutput:
        """Return the variance of a column."""
        shifted = _shifted(column)
        middle = product_ends((shifted, shifted))[1] / 2
        centre = _rounded(middle, whole=column.whole)
        squares = of_factors(shifted, shifted, needed=needed, centre=centre, weighing=weighing)
        mean = MeanOutput.of(name, column, needed, weighing)
        return cls(name, squares, mean.total, mean.rows)

    @property
    def measurements(self) -> tuple[Measurement, ...]:
        """The squares, the sum and the count."""
        return (self.squares, self.total, self.rows)

    @property
    def importance(self) -> Mapping[Measurement, float]:
        """In units of the square of half the range."""
        return {self.squares: 0.25, self.total: (2 * _OFF_CENTRE) ** 2, self.rows: 0.25}

    def value(self, sums: Mapping[Measurement, NDArray[np.float64]]) -> NDArray[np.float64]:
        """Return the variance, not below 0 and not above what the bounds allow."""
        count = np.maximum(sums[self.rows], 1.0)
        squared = sums[self.squares] / count + float(self.squares.centre)
        return np.clip(squared - (sums[self.total] / count) ** 2, 0.0, self._most)

    def span(self, spans: Mapping[Measurement, Span]) -> Span:
        """Return the variances of all sums in the spans."""
        rows = spans[self.rows]
        squared = spans[self.squares].over(rows, float(self.squares.size))
        mean = spans[self.total].over(rows, float(self.total.size))
        return (squared.plus(float(self.squares.centre)) - mean.squared()).within(0.0, self._most)

    @property
    def _most(self) -> float:
        low, high = _ends(self.total)
        return (high - low) ** 2 / 4


@dataclass(frozen=True)
class DeviationOutput(VarianceOutput):
    """A standard deviation."""

    def value(self, sums: Mapping[Measurement, NDArray[np.float64]]) -> NDArray[np.float64]:
        """Return the root of the variance."""
        return np.sqrt(super().value(sums))

    def span(self, spans: Mapping[Measurement, Span]) -> Span:
        """Return the roots of the variances."""
        return super().span(spans).root()


@dataclass(frozen=True)
class CovarianceOutput(Output):
    """A covariance: the mean product about centres, less the product of the means."""

    products: Measurement
    first: Measurement
    second: Measurement
    rows: Measurement

    @classmethod
    def of(
        cls,
        name: str,
        columns: tuple[Factor, Factor],
        needed: tuple[Expression, ...],
        weighing: str,
    ) -> CovarianceOutput:
        """Return the covariance of two columns."""
        products = of_factors(*map(_shifted, columns), needed=needed, weighing=weighing)
        first, second = (MeanOutput.of(name, each, needed, weighing).total for each in columns)
        return cls(name, products, first, second, counting(*needed, weighing=weighing))

    @property
    def measurements(self) -> tuple[Measurement, ...]:
        """The products, both sums and the count."""
        return (self.products, self.first, self.second, self.rows)

    @property
    def importance(self) -> Mapping[Measurement, float]:
        """In units of the product of both half ranges."""
        shares = {self.products: 1.0, self.rows: _OFF_CENTRE**4}
        for each in (self.first, self.second):
            shares[each] = shares.get(each, 0.0) + _OFF_CENTRE**2
        return shares

    def value(self, sums: Mapping[Measurement, NDArray[np.float64]]) -> NDArray[np.float64]:
        """Return the covariance, within what the bounds allow."""
        count = np.maximum(sums[self.rows], 1.0)
        products = sums[self.products] / count
        means = sums[self.first] / count * (sums[self.second] / count)
        return np.clip(products - means, -self._most, self._most)

    def span(self, spans: Mapping[Measurement, Span]) -> Span:
        """Return the covariances of all sums in the spans."""
        rows = spans[self.rows]
        products, first, second = (
            spans[each].over(rows, float(each.size))
            for each in (self.products, self.first, self.second)
        )
        return (products - first.by(second)).within(-self._most, self._most)

    @property
    def _most(self) -> float:
        (low, high), (least, greatest) = _ends(self.first), _ends(self.second)
        return (high - low) * (greatest - least) / 4


def _shifted(column: Factor) -> Factor:
    return replace(column, shift=column.middle)


def _rounded(value: Fraction, *, whole: bool) -> Fraction:
    return Fraction(value.__floor__()) if whole else value


def _ends(total: Measurement) -> tuple[float, float]:
    (column,) = total.factors
    return float(column.low), float(column.high)


def _bounded(values: NDArray[np.float64], total: Measurement) -> NDArray[np.float64]:
    return np.clip(values, *_ends(total))
