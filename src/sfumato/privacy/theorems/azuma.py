"""Azuma's inequality: how far a sum of bounded steps strays above its drift.

Lemma 3.19 of :cite:p:`dwork2014`, with a bound and a drift for each step.  Let
|C_i| ≤ a_i and E[C_i | C_1, …, C_{i-1}] ≤ β_i.  Given the past, C_i lies in an interval of length
2a_i, so by Hoeffding's lemma :cite:p:`hoeffding1963` E[exp(s(C_i - β_i)) | past] ≤ exp(s² a_i²/2).
Multiply these up, and by Markov's inequality at s = t/Σa_i²

    Pr[Σ C_i ≥ Σ β_i + t] ≤ exp(-t² / (2 Σ a_i²)),

which for equal bounds and t = z√k·a is the textbook's e^{-z²/2}.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.numeric import as_ball
from sfumato.privacy.parameters import read_positive, written
from sfumato.privacy.theorems.certified import NumberLike, least_float, read_probability
from sfumato.privacy.theorems.composition import NumbersLike, read_list, read_matching

if TYPE_CHECKING:
    from collections.abc import Iterable


def azuma_tail(
    *, bounds: Iterable[NumberLike], threshold: NumberLike, drift: NumbersLike = 0
) -> float:
    """Return a bound, rounded up, on the probability that the sum reaches a threshold.

    Proof: :doc:`/proofs/advanced-composition`.

    Parameters
    ----------
    bounds
        a_i, above 0: what the absolute value of each step does not exceed.
    threshold
        What the sum is asked to reach; with no drift, how far it strays.
    drift
        β_i, which the mean of a step, given the earlier ones, does not exceed: one number for all
        steps, or one for each.

    Examples
    --------
    >>> from sfumato.privacy.theorems import azuma_tail
    >>> round(azuma_tail(bounds=[1] * 100, threshold=30), 6)
    0.011109
    """
    squares, expected = _read_steps(bounds, drift)
    deviation = written(threshold, "threshold") - expected
    if deviation <= 0:
        return 1.0
    return least_float(lambda: as_ball(-deviation * deviation / (2 * squares)).exp())


def azuma_threshold(
    *, bounds: Iterable[NumberLike], probability: NumberLike, drift: NumbersLike = 0
) -> float:
    """Return the threshold, rounded up, that the sum reaches with at most a given probability.

    Σ β_i + √(2 ln(1/p) Σ a_i²): the inverse of :func:`azuma_tail`.
    Proof: :doc:`/proofs/advanced-composition`.

    Parameters
    ----------
    bounds
        a_i, above 0: what the absolute value of each step does not exceed.
    probability
        p, above 0 and below 1.
    drift
        β_i, which the mean of a step, given the earlier ones, does not exceed: one number for all
        steps, or one for each.

    Examples
    --------
    >>> from sfumato.privacy.theorems import azuma_threshold
    >>> round(azuma_threshold(bounds=[1] * 100, probability=0.01), 6)
    30.348543
    """
    squares, expected = _read_steps(bounds, drift)
    chance = read_probability(probability, "probability")
    return least_float(
        lambda: as_ball(expected) + (-2 * as_ball(chance).log() * as_ball(squares)).sqrt()
    )


def _read_steps(bounds: Iterable[NumberLike], drift: NumbersLike) -> tuple[Fraction, Fraction]:
    """Return the sum of the squared bounds, and the sum of the drifts."""
    sizes = [read_positive(each, "a bound") for each in read_list(bounds, "bounds")]
    drifts = [written(each, "a drift") for each in read_matching(drift, "drift", len(sizes))]
    return sum((size * size for size in sizes), Fraction(0)), sum(drifts, Fraction(0))
