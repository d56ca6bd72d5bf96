"""Continuous outputs: densities decide (5.3); the Laplace mechanism (5.2), and the Gaussian one."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from typing import TYPE_CHECKING

from sfumato.audit.book.statement import BookStatement, ClaimedMechanism, Finding, check_claims
from sfumato.audit.exact.datasets import Datasets
from sfumato.audit.verification import verify
from sfumato.information import hockey_stick, max_divergence
from sfumato.information.continuous import (
    ContinuousDistribution,
    Gaussian,
    Laplace,
    Logistic,
    Mixture,
    Uniform,
)
from sfumato.numeric import cached_property
from sfumato.printing import counted
from sfumato.privacy.theorems import analytic_sigma, classical_sigma
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Table = tuple[Fraction, ...]

_SHIFTS = (Fraction(1), Fraction(1, 2), Fraction(3))
_BELOW = Fraction(99, 100)
#: The greatest excess of an event where it is 0, but for the radius of a ball.
_NO_EXCESS = 1e-30


@dataclass(frozen=True)
class _Densities:
    """Two distributions with densities, and the ε claimed of them."""

    p: ContinuousDistribution
    q: ContinuousDistribution
    epsilon: Fraction

    def by_densities(self, epsilon: Fraction) -> bool:
        """Tell whether h_x ≤ e^ε h_x' almost everywhere."""
        return max_divergence(self.p, self.q).upper <= epsilon

    def by_events(self, epsilon: Fraction) -> bool:
        """Tell whether P(E) ≤ e^ε Q(E) for every event E: the greatest excess is 0."""
        return hockey_stick(self.p, self.q, epsilon=epsilon).upper < _NO_EXCESS

    def agrees(self) -> bool:
        """Tell whether both say yes at ε and no just below it."""
        less = self.epsilon * _BELOW
        at = (self.by_densities(self.epsilon), self.by_events(self.epsilon))
        return at == (True, True) and not self.by_densities(less) and not self.by_events(less)


def _check_densities(given: list[_Densities]) -> Finding:
    greatest = max(given, key=lambda each: max_divergence(each.p, each.q).upper)
    found = max_divergence(greatest.p, greatest.q)
    return Finding(
        holds=all(each.agrees() for each in given),
        instances=len(given),
        figures=tr(
            "{pairs} of distributions, at ε and at 0.99 ε; greatest log ratio of "
            "the densities {upper:.6g} at claimed ε = {epsilon:g}",
            pairs=counted(len(given), "ordered pair"),
            upper=found.upper,
            epsilon=float(greatest.epsilon),
        ),
    )


def _both_ways(
    family: Callable[[Fraction, Fraction], ContinuousDistribution], scale: Fraction
) -> list[_Densities]:
    """Return pairs of shifted distributions whose log ratio reaches shift/scale and no more."""
    origin = Fraction(0)
    return [
        _Densities(family(a, scale), family(b, scale), shift / scale)
        for shift in _SHIFTS
        for a, b in ((origin, shift), (shift, origin))
    ]


def _with_a_spike() -> list[_Densities]:
    """Return Laplace distributions, one with a spike of width 1e-9, which no grid would show."""
    thin = Fraction(1, 10**9)
    start = Fraction(1, 3)
    spiked = Mixture(
        [1 - thin, thin], [Laplace(Fraction(0), Fraction(1)), Uniform(start, start + thin)]
    )
    return [_Densities(spiked, Laplace(Fraction(1), Fraction(1)), Fraction(1))]


@dataclass(frozen=True)
class _LaplaceMechanism:
    """A query on all tables of so many values, with noise for a share of its sensitivity."""

    query: Callable[[Table], Fraction]
    values: tuple[Fraction, ...]
    size: int
    epsilon: Fraction
    share: Fraction = Fraction(1)

    @cached_property
    def changes(self) -> list[tuple[Fraction, Fraction]]:
        """Return the query on any two tables that differ in one row."""
        return [
            (self.query((*rest, one)), self.query((*rest, other)))
            for rest in product(self.values, repeat=self.size - 1)
            for one, other in product(self.values, repeat=2)
        ]

    @property
    def sensitivity(self) -> Fraction:
        return max(abs(a - b) for a, b in set(self.changes))

    def greatest_divergence(self) -> float:
        """Return the greatest max divergence of the outputs, rounded up."""
        scale = self.share * self.sensitivity / self.epsilon
        return max(
            max_divergence(Laplace(a, scale), Laplace(b, scale)).upper for a, b in set(self.changes)
        )


def _check_laplace(given: list[_LaplaceMechanism]) -> Finding:
    found = [(each.greatest_divergence(), each) for each in given]
    pairs = sum(len(each.changes) for each in given)
    said = ", ".join(
        tr(
            "{epsilon:.6g} at sensitivity {sensitivity}",
            epsilon=epsilon,
            sensitivity=each.sensitivity,
        )
        for epsilon, each in found
    )
    return Finding(
        holds=all(epsilon == each.epsilon for epsilon, each in found),
        instances=pairs,
        figures=tr(
            "{pairs} of tables; greatest max divergence {said}",
            pairs=counted(pairs, "pair"),
            said=said,
        ),
    )


def _sum(table: Table) -> Fraction:
    return sum(table, Fraction(0))


def _mean(table: Table) -> Fraction:
    return _sum(table) / len(table)


def _queries(share: Fraction) -> list[_LaplaceMechanism]:
    shares = tuple(Fraction(step, 4) for step in range(5))
    return [
        _LaplaceMechanism(_mean, shares, 4, Fraction(1), share),
        _LaplaceMechanism(_sum, shares, 3, Fraction(1, 2), share),
        _LaplaceMechanism(max, shares, 3, Fraction(2), share),
    ]


def gaussian_sum(sigma: Fraction) -> Callable[[tuple[int, ...]], Gaussian]:
    """Return the sum of a table with Gaussian noise."""
    return lambda table: Gaussian(Fraction(sum(table)), sigma)


def _gaussian_claims(
    calibration: Callable[[Fraction, Fraction], Fraction], epsilons: Iterable[Fraction]
) -> list[ClaimedMechanism]:
    """Return claims of (ε, δ) for sums of zeros and ones, whose L2 sensitivity is 1."""
    return [
        partial(
            verify,
            gaussian_sum(calibration(epsilon, delta)),
            inputs=Datasets([0, 1], size=2),
            epsilon=epsilon,
            delta=delta,
        )
        for epsilon in epsilons
        for delta in _DELTAS
    ]


def _classical(epsilon: Fraction, delta: Fraction) -> Fraction:
    """Return √(2 ln(1.25/δ))/ε, also for an ε for which nothing is proved of it."""
    half = Fraction(1, 2)
    return Fraction(classical_sigma(epsilon=half, delta=delta)) * half / epsilon


def _analytic(epsilon: Fraction, delta: Fraction) -> Fraction:
    return Fraction(analytic_sigma(epsilon=epsilon, delta=delta))


def _too_small(epsilon: Fraction, delta: Fraction) -> Fraction:
    return _analytic(epsilon, delta) * Fraction(999, 1000)


_DELTAS = (Fraction(1, 100), Fraction(1, 10**5), Fraction(1, 10**9))
_SMALL = (Fraction(1, 10), Fraction(1, 2), Fraction(99, 100))
_LARGE = (Fraction(1), Fraction(5), Fraction(10))
BY_DENSITIES = BookStatement(
    name="Proposition 5.3",
    where=mark("chapter, §5.2"),
    title=mark("densities are judged point by point"),
    text=mark(
        "A mechanism whose outputs have densities h_x is ε-differentially private exactly "
        "if h_x(y) ≤ e^ε h_x'(y) for all neighbouring tables and almost every y."
    ),
    check=_check_densities,
    instance=[*_both_ways(Laplace, Fraction(1, 2)), *_both_ways(Logistic, Fraction(2))],
    twin=_with_a_spike(),
    wrong=mark("a Laplace density with a spike of width 1e-9, claimed 1-DP"),
)

LAPLACE = BookStatement(
    name="Theorem 5.2",
    where=mark("chapter, §5.3.2"),
    title=mark("the Laplace mechanism"),
    text=mark(
        "f(x) + Lap(GS/ε), where GS is the greatest |f(x) - f(x')| over neighbouring "
        "tables, is ε-differentially private for every ε > 0; the mean of n values in [0, "
        "1] has GS = 1/n."
    ),
    check=_check_laplace,
    instance=_queries(Fraction(1)),
    twin=_queries(Fraction(1, 2)),
    wrong=mark("noise for half the sensitivity"),
)

CLASSICAL_GAUSSIAN = BookStatement(
    name="Theorem A.1",
    title=mark("the classical Gaussian mechanism"),
    text=mark(
        "f(x) + N(0, σ²) with σ ≥ Δ√(2 ln(1.25/δ))/ε, where Δ is the L2 sensitivity, is "
        "(ε, δ)-differentially private for 0 < ε < 1. (Often used for any ε.)"
    ),
    check=check_claims,
    instance=_gaussian_claims(_classical, _SMALL),
    twin=_gaussian_claims(_classical, _LARGE[-1:]),
    wrong=mark("the same σ for ε = 10"),
    citation="dwork2014",
)

ANALYTIC_GAUSSIAN = BookStatement(
    name="Theorem 8",
    title=mark("the analytic Gaussian mechanism"),
    text=mark(
        "f(x) + N(0, σ²), where Δ is the L2 sensitivity, is (ε, δ)-differentially private "
        "exactly if Φ(Δ/(2σ) - εσ/Δ) - e^ε Φ(-Δ/(2σ) - εσ/Δ) ≤ δ, for every ε ≥ 0."
    ),
    check=check_claims,
    instance=_gaussian_claims(_analytic, (*_SMALL, *_LARGE)),
    twin=_gaussian_claims(_too_small, (*_SMALL, *_LARGE)),
    wrong=mark("σ smaller by a thousandth"),
    citation="balle2018improving",
)
