"""How far apart are two distributions: Rényi, Kullback–Leibler, max, hockey-stick, statistical.

Finite distributions give numbers; continuous ones (objects with a ``cdf``) give enclosures.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal, Protocol, overload

from sfumato.errors import InputError
from sfumato.information.arrays import array_divergence, array_max_divergence, log_divergence
from sfumato.information.continuous import measures
from sfumato.information.continuous.adapters import is_continuous
from sfumato.information.likelihood import (
    MaxWitness,
    StickWitness,
    greatest_excess,
    matched,
    max_witness,
    stick_witness,
)
from sfumato.numeric import Enclosure, Ln, check_base, check_epsilon, check_order, check_probability

if TYPE_CHECKING:
    from decimal import Decimal
    from fractions import Fraction

    from sfumato.information.distribution import DistributionLike


class HasCdf(Protocol):
    """A continuous distribution: ours, a frozen one of SciPy, or any object with a ``cdf``."""

    def cdf(self, x: Any, /) -> Any:
        """Return the probability of outcomes up to ``x``."""


@overload
def renyi_divergence(
    p: DistributionLike,
    q: DistributionLike,
    *,
    order: float | Fraction | Decimal,
    base: float = ...,
) -> float: ...
@overload
def renyi_divergence(
    p: HasCdf, q: HasCdf, *, order: float | Fraction | Decimal, base: float = ...
) -> Enclosure: ...
def renyi_divergence(
    p: Any, q: Any, *, order: float | Fraction | Decimal, base: float = math.e
) -> float | Enclosure:
    """Return the Rényi divergence of an order: log(Σ p^α q^(1-α)) / (α - 1).

    The limits are exact: order 0 is -log Q(support of P), order 1 is Kullback–Leibler,
    order ∞ the max divergence.  Where P puts mass on an outcome that Q excludes, orders 1 and
    above are infinite :cite:p:`vanerven2014`.

    Parameters
    ----------
    p, q
        Two finite distributions over the same outcomes, or two continuous ones.
    order
        0 or more; ``math.inf`` for the max divergence.
    base
        Of the logarithm: ``math.e`` gives nats, 2 bits.

    Returns
    -------
    float or Enclosure
        An enclosure for continuous distributions.

    Examples
    --------
    >>> from sfumato.information import renyi_divergence
    >>> round(renyi_divergence([1/2, 1/4, 1/8, 1/8], [1/4] * 4, order=2), 6)
    0.318454
    """
    alpha, unit = check_order(order), check_base(base)
    if is_continuous(p) or is_continuous(q):
        return measures.renyi(p, q, order=order, base=unit)
    left, right = matched(p, q)
    if left.underflows or right.underflows:
        return log_divergence(left, right, alpha, unit)
    return array_divergence(left.probabilities, right.probabilities, alpha, unit)


@overload
def kl_divergence(p: DistributionLike, q: DistributionLike, *, base: float = ...) -> float: ...
@overload
def kl_divergence(p: HasCdf, q: HasCdf, *, base: float = ...) -> Enclosure: ...
def kl_divergence(p: Any, q: Any, *, base: float = math.e) -> float | Enclosure:
    """Return the Kullback–Leibler divergence (relative entropy): Σ p log(p/q).

    Infinite where P puts mass on an outcome that Q excludes :cite:p:`kullback1951`.

    Parameters
    ----------
    p, q
        Two finite distributions over the same outcomes, or two continuous ones.
    base
        Of the logarithm: ``math.e`` gives nats, 2 bits.

    Examples
    --------
    >>> from sfumato.information import kl_divergence
    >>> kl_divergence([1/2, 1/4, 1/8, 1/8], [1/4] * 4, base=2)
    0.25
    """
    divergence: float | Enclosure = renyi_divergence(p, q, order=1, base=base)
    return divergence


@overload
def max_divergence(
    p: DistributionLike,
    q: DistributionLike,
    *,
    delta: float | Fraction | Decimal = ...,
    base: float = ...,
    witness: Literal[False] = ...,
) -> float: ...
@overload
def max_divergence(
    p: DistributionLike,
    q: DistributionLike,
    *,
    delta: float | Fraction | Decimal = ...,
    base: float = ...,
    witness: Literal[True],
) -> MaxWitness: ...
@overload
def max_divergence(
    p: HasCdf, q: HasCdf, *, delta: float | Fraction | Decimal = ..., base: float = ...
) -> Enclosure: ...
def max_divergence(
    p: Any,
    q: Any,
    *,
    delta: float | Fraction | Decimal = 0,
    base: float = math.e,
    witness: bool = False,
) -> float | Enclosure | MaxWitness:
    """Return the δ-approximate max divergence: the greatest log((P(S) - δ) / Q(S)).

    The maximum runs over events S with P(S) > δ, and -∞ says that there is none.  A mechanism is
    (ε, δ)-differentially private exactly if this is at most ε between its outputs on any two
    neighbouring inputs, both ways :cite:p:`dwork2014`.  Rationals (Fractions, Decimals, counts) are
    compared exactly.

    Parameters
    ----------
    p, q
        Two finite distributions over the same outcomes, or two continuous ones.
    delta
        From 0 to 1.
    base
        Of the logarithm: ``math.e`` gives nats, 2 bits.
    witness
        Also return an event that attains the maximum, and the ratio exactly.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from sfumato.information import max_divergence
    >>> smoker = {"yes": Fraction(2, 3), "no": Fraction(1, 3)}
    >>> other = {"yes": Fraction(1, 3), "no": Fraction(2, 3)}
    >>> max_divergence(smoker, other)
    0.6931471805599453
    >>> found = max_divergence(smoker, other, delta=Fraction(1, 10), witness=True)
    >>> found.ratio, found.event
    (Fraction(17, 10), ('yes',))
    """
    slack, unit = check_probability(delta, "delta"), check_base(base)
    if is_continuous(p) or is_continuous(q):
        _no_event(witness)
        return measures.maximum(p, q, delta=slack, base=unit)
    left, right = matched(p, q)
    if witness:
        return max_witness(left, right, slack, unit)
    if slack == 0 and not (left.is_exact and right.is_exact):
        return array_max_divergence(left.probabilities, right.probabilities, unit)
    return max_witness(left, right, slack, unit).value


@overload
def hockey_stick(
    p: DistributionLike,
    q: DistributionLike,
    *,
    epsilon: float | Fraction | Decimal | Ln,
    witness: Literal[False] = ...,
) -> float | Fraction: ...
@overload
def hockey_stick(
    p: DistributionLike,
    q: DistributionLike,
    *,
    epsilon: float | Fraction | Decimal | Ln,
    witness: Literal[True],
) -> StickWitness: ...
@overload
def hockey_stick(
    p: HasCdf, q: HasCdf, *, epsilon: float | Fraction | Decimal | Ln
) -> Enclosure: ...
def hockey_stick(
    p: Any, q: Any, *, epsilon: float | Fraction | Decimal | Ln, witness: bool = False
) -> float | Fraction | Enclosure | StickWitness:
    """Return the hockey-stick divergence: the greatest P(S) - e^ε Q(S) over events S.

    It is the least δ for which P(S) ≤ e^ε Q(S) + δ holds for every event.  Rationals are compared
    with e^ε exactly; the answer is a Fraction where it is rational, that is at ``epsilon=0`` and
    at ``epsilon=Ln(r)``, and otherwise the float nearest to the true value.

    Parameters
    ----------
    p, q
        Two finite distributions over the same outcomes, or two continuous ones.
    epsilon
        Any number, infinities included, or ``Ln(2)`` for ln 2 exactly.
    witness
        Also return an event that attains the maximum.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from sfumato.numeric import Ln
    >>> from sfumato.information import hockey_stick
    >>> yes, no = [Fraction(2, 3), Fraction(1, 3)], [Fraction(1, 3), Fraction(2, 3)]
    >>> hockey_stick(yes, no, epsilon=Ln("3/2"))
    Fraction(1, 6)
    >>> hockey_stick(yes, no, epsilon=0.5)
    0.11709290976662395
    """
    limit = check_epsilon(epsilon)
    if is_continuous(p) or is_continuous(q):
        _no_event(witness)
        return measures.hockey_stick(p, q, epsilon=limit)
    left, right = matched(p, q)
    if witness:
        return stick_witness(left, right, limit)
    return greatest_excess(left, right, limit)


@overload
def statistical_distance(p: DistributionLike, q: DistributionLike) -> float | Fraction: ...
@overload
def statistical_distance(p: HasCdf, q: HasCdf) -> Enclosure: ...
def statistical_distance(p: Any, q: Any) -> float | Fraction | Enclosure:
    """Return the statistical (total variation) distance: the greatest P(S) - Q(S) over events S.

    A Fraction where both distributions are exact.

    Examples
    --------
    >>> from sfumato.information import statistical_distance
    >>> statistical_distance([2, 1], [1, 2])
    Fraction(1, 3)
    """
    if is_continuous(p) or is_continuous(q):
        return measures.statistical_distance(p, q)
    return greatest_excess(*matched(p, q), 0)


def _no_event(witness: bool) -> None:  # noqa: FBT001
    if witness:
        raise InputError(
            "E-ARGUMENT-CONFLICT",
            "a witness event is named for finite distributions only",
            "leave witness out",
        )
