"""Two lemmas on nearly indistinguishable distributions, made constructive.

Lemma 3.17 of :cite:p:`dwork2014` says that δ-approximate closeness is exact closeness after a small
change; here the changed distributions are computed, and checked against the claim.  Lemma 3.18
bounds the Kullback–Leibler divergence of close distributions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.errors import InputError, InternalError
from sfumato.information.distribution import Distribution, DistributionLike
from sfumato.information.likelihood import matched
from sfumato.numeric import (
    Ln,
    as_ball,
    check_base,
    check_epsilon,
    float_above,
    fraction_below,
    rational_exponential,
    shown,
    working_precision,
)
from sfumato.refusal import Argument

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence
    from decimal import Decimal


_BITS = 256
_MOST = 10_000


@dataclass(frozen=True)
class BoundedNeighbour:
    """Lemma 3.17, part 1: a distribution near P that exceeds Q nowhere by more than e^ε.

    Attributes
    ----------
    distribution
        Y', with Y' ≤ e^ε Q on every outcome, in Fractions.
    distance
        Its statistical distance from P, exactly: the least possible, which is the hockey-stick
        divergence at ε.  So D_∞^δ(P‖Q) ≤ ε exactly for δ ≥ ``distance``.

    Examples
    --------
    >>> from sfumato.numeric import Ln
    >>> from sfumato.information import bounded_neighbour
    >>> bounded_neighbour([3, 1], [1, 1], epsilon=Ln("5/4")).distance
    Fraction(1, 8)
    """

    distribution: Distribution
    distance: Fraction


@dataclass(frozen=True)
class BoundedPair:
    """Lemma 3.17, part 2: distributions near P and Q within a factor e^ε of each other, both ways.

    Attributes
    ----------
    p, q
        Y' and Z', in Fractions, with e^-ε Z' ≤ Y' ≤ e^ε Z' on every outcome.
    distance
        The greater of the statistical distances P to Y' and Q to Z': δ / (e^ε + 1).
    delta
        The greater of the two hockey-stick divergences at ε: the least δ for which
        D_∞^δ(P‖Q) ≤ ε and D_∞^δ(Q‖P) ≤ ε.

    Examples
    --------
    >>> from sfumato.numeric import Ln
    >>> from sfumato.information import bounded_pair
    >>> pair = bounded_pair([3, 1], [1, 1], epsilon=Ln("5/4"))
    >>> pair.delta, pair.distance
    (Fraction(3, 16), Fraction(1, 12))
    """

    p: Distribution
    q: Distribution
    distance: Fraction
    delta: Fraction


@dataclass(frozen=True)
class KLBounds:
    """What ε bounds of the Kullback–Leibler divergence, each rounded up.

    Attributes
    ----------
    textbook
        ε (e^ε - 1): lemma 3.18 of :cite:p:`dwork2014`.
    tight
        ε tanh(ε/2): attained by randomized response, so the least bound there is.

    Examples
    --------
    >>> from sfumato.information import kl_bounds
    >>> kl_bounds(1).tight
    0.4621171572600098
    """

    textbook: float
    tight: float


def bounded_neighbour(
    p: DistributionLike, q: DistributionLike, *, epsilon: float | Fraction | Decimal | Ln
) -> BoundedNeighbour:
    """Return the distribution nearest to P that is at most e^ε times Q on every outcome.

    What P has above e^ε Q is cut off and spread over the room below it.  All arithmetic is
    exact: floats are taken as the rationals they store, and an irrational e^ε is replaced by a
    rational that is below it by less than one part in 2^250, which keeps every claim true.
    Proof: :doc:`/proofs/near-distributions`.

    Parameters
    ----------
    p, q
        Two finite distributions over the same outcomes.
    epsilon
        0 or more; ``Ln(2)`` for ln 2 exactly.

    Examples
    --------
    >>> from sfumato.numeric import Ln
    >>> from sfumato.information import bounded_neighbour
    >>> bounded_neighbour([3, 1], [1, 1], epsilon=Ln("5/4")).distribution
    Distribution({0: 5/8, 1: 3/8})
    """
    first, second = matched(p, q)
    left, right = first.fractions, second.fractions
    caps = [_factor(epsilon) * b for b in right]
    cut = [min(a, cap) for a, cap in zip(left, caps, strict=True)]
    changed = _filled(cut, caps, 1 - _total(cut))
    distance = _distance(left, changed)
    _check(all(y <= cap for y, cap in zip(changed, caps, strict=True)))
    _check(distance == 1 - _total(cut))
    return BoundedNeighbour(_labelled(changed, first), distance)


def bounded_pair(
    p: DistributionLike, q: DistributionLike, *, epsilon: float | Fraction | Decimal | Ln
) -> BoundedPair:
    """Return distributions near P and Q that are within a factor e^ε of each other, both ways.

    Where the ratio is too great, both are moved to the nearest pair with ratio e^ε and the same
    sum; what that unbalances is made up where the lighter one lies below the other, by moving
    the two towards each other.  (The textbook prints only one direction of the conclusion; the
    equivalence needs both, and both hold here.)  Proof: :doc:`/proofs/near-distributions`.

    Parameters
    ----------
    p, q
        Two finite distributions over the same outcomes.
    epsilon
        0 or more; ``Ln(2)`` for ln 2 exactly.

    Examples
    --------
    >>> from sfumato.numeric import Ln
    >>> from sfumato.information import bounded_pair
    >>> pair = bounded_pair([3, 1], [1, 1], epsilon=Ln(2))
    >>> pair.p == pair.q, pair.delta
    (False, Fraction(0, 1))
    """
    first, second = matched(p, q)
    left, right = first.fractions, second.fractions
    factor = _factor(epsilon)
    moved = [_within(a, b, factor) for a, b in zip(left, right, strict=True)]
    changed_p, changed_q = _balanced([y for y, _ in moved], [z for _, z in moved])
    delta = max(_excess(left, right, factor), _excess(right, left, factor))
    distance = max(_distance(left, changed_p), _distance(right, changed_q))
    pairs = list(zip(changed_p, changed_q, strict=True))
    _check(all(y <= factor * z and z <= factor * y for y, z in pairs))
    _check(distance <= delta / (factor + 1))
    return BoundedPair(_labelled(changed_p, first), _labelled(changed_q, first), distance, delta)


def kl_bounds(epsilon: float | Fraction | Decimal | Ln, *, base: float = math.e) -> KLBounds:
    """Return what max divergences of at most ε, both ways, say about the KL divergence.

    Proof: :doc:`/proofs/advanced-composition`.

    Parameters
    ----------
    epsilon
        0 or more.
    base
        Of the logarithm in which the bounds are given; ε itself is in nats.

    Examples
    --------
    >>> from sfumato.numeric import Ln
    >>> from sfumato.information import kl_bounds
    >>> bounds = kl_bounds(Ln(2))
    >>> round(bounds.textbook, 6), round(bounds.tight, 6)
    (0.693147, 0.231049)
    """
    limit, unit = check_epsilon(epsilon, least=0), check_base(base)
    with working_precision(_BITS):
        value = as_ball(limit)
        scale = as_ball(unit).log() if unit != math.e else as_ball(1)
        textbook, tight = value * value.expm1(), value * (value / 2).tanh()
        return KLBounds(float_above(textbook / scale) + 0.0, float_above(tight / scale) + 0.0)


def _factor(epsilon: float | Fraction | Decimal | Ln) -> Fraction:
    """Return e^ε, or a rational just below it, but not below 1, where it is irrational."""
    limit = check_epsilon(epsilon, least=0)
    rational = rational_exponential(limit)
    if rational is not None:
        return rational
    if limit > _MOST:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{epsilon} must be at most {most} here, not {limit}",
            "write a smaller one",
            most=_MOST,
            limit=shown(limit),
            epsilon=Argument("epsilon"),
        )
    with working_precision(_BITS):
        return max(Fraction(1), fraction_below(as_ball(limit).exp()))


def _within(a: Fraction, b: Fraction, factor: Fraction) -> tuple[Fraction, Fraction]:
    """Return the pair with the sum of a and b whose ratio is brought within the factor."""
    low = (a + b) / (factor + 1)
    return min(max(a, low), a + b - low), min(max(b, low), a + b - low)


def _balanced(p: list[Fraction], q: list[Fraction]) -> tuple[list[Fraction], list[Fraction]]:
    """Move two measures of total mass 2 towards each other until each has mass one."""
    if _total(p) > 1:
        q, p = _balanced(q, p)
        return p, q
    short = 1 - _total(p)
    gaps = [max(Fraction(0), (z - y) / 2) for y, z in zip(p, q, strict=True)]
    share = short / _total(gaps) if short else Fraction(0)
    raised = [y + share * gap for y, gap in zip(p, gaps, strict=True)]
    lowered = [z - share * gap for z, gap in zip(q, gaps, strict=True)]
    return raised, lowered


def _filled(values: list[Fraction], caps: list[Fraction], amount: Fraction) -> list[Fraction]:
    """Spread an amount over the room between values and caps, in proportion to the room."""
    room = _total(caps) - _total(values)
    share = amount / room if amount else Fraction(0)
    return [value + share * (cap - value) for value, cap in zip(values, caps, strict=True)]


def _excess(p: Sequence[Fraction], q: Sequence[Fraction], factor: Fraction) -> Fraction:
    return _total([max(Fraction(0), a - factor * b) for a, b in zip(p, q, strict=True)])


def _total(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0))


def _distance(p: Sequence[Fraction], q: Sequence[Fraction]) -> Fraction:
    return _excess(p, q, Fraction(1))


def _labelled(values: list[Fraction], like: Distribution) -> Distribution:
    labels: Sequence[Hashable] = like.labels
    return Distribution(dict(zip(labels, values, strict=True)) if like.is_labelled else values)


def _check(claim: bool) -> None:  # noqa: FBT001
    if not claim:
        raise InternalError(
            "E-INTERNAL",
            "a constructed distribution does not meet its claim",
            "please report the input",
        )
