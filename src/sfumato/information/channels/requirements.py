"""What a channel has to keep: a likelihood ratio, a maximal leakage, a mutual information.

Each requirement answers in the arithmetic it is asked in: floats where an optimum is sought,
rationals where a channel is judged, balls where a bound is proved.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from flint import arb, fmpq

from sfumato.numeric import (
    as_ball,
    as_fmpq,
    cached_property,
    fraction_below,
    working_precision,
)
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sfumato.information.validate import Floats

    #: A column up to its scale, as powers of the ratio: 0 at its greatest entry, None for zero.
    Ray = tuple[int | None, ...]
    #: A matrix with one row an input.
    Exact = Sequence[Sequence[fmpq]]


_BITS = 256
#: A rational this much below e^ε or 2^L, relatively, stands for it: it has few digits.
_NEAR = Fraction(1, 10**12)


class Requirement(ABC):
    """What is asked of a channel besides that its rows are distributions."""

    #: What it is called in a document.
    kind: ClassVar[str]

    @abstractmethod
    def kept_by(self, rows: Exact, prior: Sequence[fmpq]) -> bool:
        """Tell whether a channel keeps it; where it is decided by a bound, no is the safe side."""

    @abstractmethod
    def said(self) -> str:
        """Return it in words."""

    @abstractmethod
    def as_dict(self) -> dict[str, Any]:
        """Return it ready for JSON."""

    def floor(self, weights: Sequence[Sequence[Any]], ratio: Any) -> Any:  # noqa: ARG002
        """Return a lower bound of Σ p(y|x)·weights[x][y] over all channels that keep it."""
        return 0


@dataclass(frozen=True)
class NoRequirement(Requirement):
    """Any channel will do."""

    kind = "none"

    def kept_by(self, rows: Exact, prior: Sequence[fmpq]) -> bool:  # noqa: ARG002
        """Tell that it is kept."""
        return True

    def said(self) -> str:
        """Return it in words."""
        return tr("no privacy is asked for")

    def as_dict(self) -> dict[str, Any]:
        """Return it ready for JSON."""
        return {"kind": self.kind}


@dataclass(frozen=True)
class InformationBound(Requirement):
    """The mutual information between input and output is at most so many bits."""

    bits: Fraction

    kind = "information"

    def kept_by(self, rows: Exact, prior: Sequence[fmpq]) -> bool:
        """Tell whether a channel is proved to keep it."""
        with working_precision(_BITS):
            return bool(information_of(rows, prior) <= self.nats())

    def nats(self) -> arb:
        """Return the bound in nats, at the precision in force."""
        return as_ball(self.bits) * arb(2).log()

    def said(self) -> str:
        """Return it in words."""
        return tr("I(X;Y) is at most {bits:.6g}, in bits", bits=float(self.bits))

    def as_dict(self) -> dict[str, Any]:
        """Return it ready for JSON."""
        return {"kind": self.kind, "bits": str(self.bits)}


class LinearRequirement(Requirement):
    """A requirement under which the columns of a channel are mixtures of finitely many rays."""

    #: Bounds the sum of the greatest entries of all columns.
    cap: Fraction | None = None

    @property
    @abstractmethod
    def ratio(self) -> Fraction:
        """The ratio whose powers the entries of a ray are."""

    @abstractmethod
    def cheapest(self, weights: Sequence[Any], ratio: Any) -> list[tuple[Any, Ray]]:
        """Return rays for which the sum of weights is least, each with that sum.

        Every column that keeps the requirement has a sum of weights that is a mixture, with
        weights of 0 or more, of those of the rays, and none is below the least.
        """

    @abstractmethod
    def first_rays(self) -> Iterator[Ray]:
        """Return rays to begin with: one that is constant is among them."""

    @property
    def has_levels(self) -> bool:
        """Whether the entries of a ray are of two kinds: then a column is a mixture by levels."""
        return False

    def levels(self, column: Floats) -> Iterator[Ray]:
        """Return the rays of which a column is a mixture, where they have two kinds of entries."""
        near = np.unique(np.round(column, 9))
        low = self.cap is not None
        for level in near[near > 0] if low else near[1:]:
            high = column > level - 1e-9
            yield tuple(0 if each else (None if low else -1) for each in high)

    @abstractmethod
    def cone(self) -> Floats:
        """Return rows whose product with a column and its extra number is at most 0."""

    def beside(self, column: Floats) -> Floats:  # noqa: ARG002
        """Return the extra number that goes with a column, well within the cone, if it has one."""
        return np.zeros(0)

    def values(self, ray: Ray) -> list[fmpq]:
        """Return the entries of a ray."""
        powers = self._powers
        return [fmpq(0) if each is None else powers[-each] for each in ray]

    @cached_property
    def _powers(self) -> list[fmpq]:
        step, found = 1 / as_fmpq(self.ratio), [fmpq(1)]
        for _ in range(self.longest):
            found.append(found[-1] * step)
        return found

    @property
    def longest(self) -> int:
        """The greatest power of the ratio in a ray."""
        return 1


@dataclass(frozen=True)
class LeakageBound(LinearRequirement):
    """The maximal leakage is at most so many bits: Σ_y max_x p(y|x) ≤ 2^bits."""

    inputs: int
    bits: Fraction

    kind = "leakage"

    @property
    def ratio(self) -> Fraction:
        """Return 1: entries of a ray are 1 or 0."""
        return Fraction(1)

    @property
    def has_levels(self) -> bool:
        """Entries are 1 or 0."""
        return True

    @cached_property
    def cap(self) -> Fraction:  # type: ignore[override]
        """A rational that is at most 2^bits."""
        return simple_below(lambda: arb(2) ** as_ball(self.bits))

    def kept_by(self, rows: Exact, prior: Sequence[fmpq]) -> bool:  # noqa: ARG002
        """Tell whether a channel is proved to keep it."""
        total = sum((max(column) for column in zip(*rows, strict=True)), fmpq(0))
        with working_precision(_BITS):
            return total <= as_fmpq(self.cap) or bool(arb(total) <= arb(2) ** as_ball(self.bits))

    def cheapest(self, weights: Sequence[Any], ratio: Any) -> list[tuple[Any, Ray]]:  # noqa: ARG002
        """Return the inputs of negative weight, or the one of least weight."""
        least = min(weights)
        chosen = [each < 0 or (least >= 0 and each == least) for each in weights]
        value = sum((w for w, c in zip(weights, chosen, strict=True) if c), 0 * least)
        return [(value, tuple(0 if each else None for each in chosen))]

    def first_rays(self) -> Iterator[Ray]:
        """Return all inputs, and each by itself."""
        yield (0,) * self.inputs
        for own in range(self.inputs):
            yield tuple(0 if each == own else None for each in range(self.inputs))

    def floor(self, weights: Sequence[Sequence[Any]], ratio: Any) -> Any:  # noqa: ARG002
        """Return the cap times the least sum of negative weights of a column."""
        zero = 0 * weights[0][0]
        sums = (
            sum((lesser(each, zero) for each in column), zero)
            for column in zip(*weights, strict=True)
        )
        least = zero
        for each in sums:
            least = lesser(least, each)
        if isinstance(zero, arb):
            return least * arb(2) ** as_ball(self.bits)
        if isinstance(zero, float):
            return least * float(self.cap)
        return least * as_fmpq(self.cap)

    def cone(self) -> Floats:
        """Return p(y|x) - m_y for every input, where m_y is the extra number of a column."""
        return np.hstack([np.eye(self.inputs), -np.ones((self.inputs, 1))])

    def beside(self, column: Floats) -> Floats:
        """Return a little more than the greatest entry: the sum of all stays below the cap."""
        return np.array([column.max()])

    def said(self) -> str:
        """Return it in words."""
        return tr("the maximal leakage is at most {bits:.6g}, in bits", bits=float(self.bits))

    def as_dict(self) -> dict[str, Any]:
        """Return it ready for JSON."""
        return {"kind": self.kind, "bits": str(self.bits)}


def lesser(one: Any, other: Any) -> Any:
    """Return the lesser of two numbers; of balls, a ball around it."""
    return one.min(other) if isinstance(one, arb) else min(one, other)


def information_of(rows: Exact, prior: Sequence[fmpq]) -> arb:
    """Return I(X;Y) in nats, at the precision in force."""
    outputs = [
        sum((w * p for w, p in zip(prior, column, strict=True)), fmpq(0))
        for column in zip(*rows, strict=True)
    ]
    return _plogp(outputs, fmpq(1)) * -1 + sum(
        (_plogp(row, weight) for row, weight in zip(rows, prior, strict=True)), arb(0)
    )


def conditional_entropy_of(rows: Exact, prior: Sequence[fmpq]) -> arb:
    """Return H(Y|X) in nats, at the precision in force."""
    return -sum((_plogp(row, weight) for row, weight in zip(rows, prior, strict=True)), arb(0))


def _plogp(values: Sequence[fmpq], weight: fmpq) -> arb:
    """Return weight·Σ v·ln v."""
    balls = (arb(each) for each in values if each > 0)
    return arb(weight) * sum((each * each.log() for each in balls), arb(0))


def simple_below(ball: Callable[[], arb]) -> Fraction:
    """Return a rational of few digits that is at most a number above 1, and very near it."""
    with working_precision(_BITS):
        high = fraction_below(ball())
    low = high * (1 - _NEAR * min(Fraction(1), high - 1))
    return _simplest(low, high)


def _simplest(low: Fraction, high: Fraction) -> Fraction:
    """Return the rational of the least denominator from ``low`` to ``high``, both positive."""
    whole = -(-low.numerator // low.denominator)
    if whole <= high:
        return Fraction(whole)
    floor = whole - 1
    return floor + 1 / _simplest(1 / (high - floor), 1 / (low - floor))
