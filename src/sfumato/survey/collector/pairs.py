"""The shares of pairs of choices, one from each of two questions."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.numeric import float_below
from sfumato.survey.collector.binomial import chance_above
from sfumato.survey.collector.chernoff import Kinds, Margins, share_above, share_below
from sfumato.survey.collector.pair_estimates import PairEstimates
from sfumato.survey.collector.reading import read_confidence
from sfumato.survey.collector.shares import unbiased_shares
from sfumato.survey.collector.tally import Tally

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.survey.client.protocols import Protocol
    from sfumato.survey.client.questions import ChoiceQuestion
    from sfumato.survey.collector.tally import PairTally

    Floats = NDArray[np.float64]

__all__ = ["estimate_pairs", "pair_bounds", "unbiased_pairs"]

#: Of the probability of error, what goes to bounds on the shares of single choices.
_MARGINS = 0.1


def estimate_pairs(
    first: ChoiceQuestion, second: ChoiceQuestion, tally: PairTally, *, confidence: Any = 0.95
) -> PairEstimates:
    """Return the share of each pair of choices among all answers.

    The two answers of a person are randomised independently, so that the product of what the two
    reports say, (A - miss)/(hit - miss) of each, has mean 1 for those with both choices and 0 for
    all others.  Its mean over all people is an unbiased estimate.  It takes four values, whose
    distributions are known for each kind of person; the intervals are those of
    :func:`sfumato.survey.collector.chernoff.share_below`.  A tenth of the probability of error goes
    to bounds on the shares of the single choices, and the rest is shared among the pairs.

    Parameters
    ----------
    first, second
        The questions.
    tally
        How many reports support each choice, and each pair of them.
    confidence
        How often all intervals cover, at least.
    """
    one, other, people = first.protocol, second.protocol, tally.people
    shares = unbiased_pairs(one, other, tally)
    bounds = pair_bounds(one, other, tally, float_below(1 - read_confidence(confidence)))
    lower, upper = (np.clip(each, 0.0, 1.0) for each in bounds)
    return PairEstimates(
        (first.name, second.name),
        first.choices,
        second.choices,
        shares,
        np.sqrt(_variances(one, other, tally, shares) / people),
        lower,
        upper,
    )


def unbiased_pairs(one: Protocol, other: Protocol, tally: PairTally) -> Floats:
    """Return the estimates, computed with whole numbers and rounded once."""
    bottoms = one.miss.denominator, other.miss.denominator
    tops = one.miss.numerator, other.miss.numerator
    gap = (one.hit - one.miss) * (other.hit - other.miss)
    both, first, second = (each.astype(object) for each in (tally.both, tally.first, tally.second))
    counted = (
        both * (bottoms[0] * bottoms[1])
        - first[:, None] * (bottoms[0] * tops[1])
        - second[None, :] * (tops[0] * bottoms[1])
        + tally.people * tops[0] * tops[1]
    )
    unit = tally.people * bottoms[0] * bottoms[1] * gap.numerator
    return np.asarray(counted * gap.denominator / unit, dtype=np.float64)


def pair_bounds(
    one: Protocol, other: Protocol, tally: PairTally, error: float
) -> tuple[Floats, Floats]:
    """Return bounds on the shares of all pairs: any is wrong with probability at most ``error``."""
    shares, kinds = unbiased_pairs(one, other, tally), _kinds(one, other)
    level = _MARGINS * error / (one.choices + other.choices)
    first = _most(one, tally.first, tally.people, level)
    second = _most(other, tally.second, tally.people, level)
    most = Margins(np.repeat(first, second.size), np.tile(second, first.size))
    alpha = (1 - _MARGINS) * error / (2 * shares.size)
    low, high = (
        each(shares.ravel(), tally.people, alpha, kinds, most).reshape(shares.shape)
        for each in (share_below, share_above)
    )
    return low, np.maximum(low, np.minimum(high, np.minimum.outer(first, second)))


def _most(protocol: Protocol, counts: NDArray[np.int64], people: int, alpha: float) -> Floats:
    """Return upper bounds on the shares of single choices."""
    high = chance_above(counts, people, alpha)
    return np.clip((high - float(protocol.miss)) / float(protocol.hit - protocol.miss), 0.0, 1.0)


def _kinds(one: Protocol, other: Protocol) -> Kinds:
    """Return the distributions of the product: with none of the choices, with one, with both."""
    coins = [
        np.array([[1 - p, p] for p in map(float, (each.miss, each.hit))]) for each in (one, other)
    ]
    distributions = [np.outer(a, b).ravel() for a in coins[0] for b in coins[1]]
    return Kinds(np.outer(_said(one), _said(other)).ravel(), np.array(distributions))


def _said(protocol: Protocol) -> Floats:
    """Return what a report says of a choice: where it does not support it, and where it does."""
    gap = protocol.hit - protocol.miss
    return np.array([float(-protocol.miss / gap), float((1 - protocol.miss) / gap)])


def _variances(one: Protocol, other: Protocol, tally: PairTally, shares: Floats) -> Floats:
    """Return n times the exact variances for fixed answers, at the estimated shares."""
    rows = unbiased_shares(one, Tally(tally.people, tally.first))[:, None]
    columns = unbiased_shares(other, Tally(tally.people, tally.second))[None, :]
    both = np.clip(shares, 0.0, 1.0)
    row_only, column_only = (np.clip(each - both, 0.0, 1.0 - both) for each in (rows, columns))
    neither = np.clip(1 - both - row_only - column_only, 0.0, 1.0)
    (none1, all1), (none2, all2) = _squares(one), _squares(other)
    spread: Floats = (
        both * (all1 * all2 - 1)
        + row_only * all1 * none2
        + column_only * none1 * all2
        + neither * none1 * none2
    )
    return spread


def _squares(protocol: Protocol) -> tuple[float, float]:
    """Return the mean square of what a report says, of other choices and of the true one."""
    return float(protocol.variance()), float(protocol.variance(Fraction(1)) + 1)
