"""The shares of pairs of choices, one from each of two questions."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.numeric import float_below
from sfumato.survey.collector.chernoff import Laws, mean_above, mean_below
from sfumato.survey.collector.estimates import PairEstimates
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


def estimate_pairs(
    first: ChoiceQuestion, second: ChoiceQuestion, tally: PairTally, *, confidence: Any = 0.95
) -> PairEstimates:
    """Return the share of each pair of choices among all answers.

    The two answers of a person are randomised independently, so that the product of what the two
    reports say, (A - miss)/(hit - miss) of each, has mean 1 for those with both choices and 0 for
    all others.  Its mean over all people is an estimate without bias.  It takes four values, whose
    laws are known for each kind of person; the intervals are those of
    :func:`sfumato.survey.collector.chernoff.mean_below`, at a level shared among the pairs.

    Parameters
    ----------
    first, second
        The questions.
    tally
        How many reports support each choice, and each pair of them.
    confidence
        How often all intervals cover, at least.

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> from sfumato.survey.collector.pairs import estimate_pairs
    >>> from sfumato.survey.collector.tally import PairTally
    >>> choices = {"choices": ["yes", "no"], "truth": "2/3"}
    >>> survey = sf.Survey({"cheated": choices, "copied": choices})
    >>> both = np.array([[300, 200], [200, 200]])
    >>> tally = PairTally(900, both, both.sum(axis=1), both.sum(axis=0))
    >>> print(estimate_pairs(*survey.questions.values(), tally)["yes", "yes"])
    0.6667 (0.3838 to 0.966)
    """
    one, other, people = first.protocol, second.protocol, tally.people
    shares = unbiased_pairs(one, other, tally)
    alpha = float_below((1 - read_confidence(confidence)) / (2 * one.choices * other.choices))
    lower, upper = (
        np.clip(each, 0.0, 1.0) for each in pair_bounds(one, other, shares, people, alpha)
    )
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
    """Return the estimates, computed with whole numbers and rounded once.

    Examples
    --------
    >>> import numpy as np
    >>> from sfumato.survey.client.protocols import Response
    >>> from sfumato.survey.client.ratios import read_loss
    >>> from sfumato.survey.collector.pairs import unbiased_pairs
    >>> from sfumato.survey.collector.tally import PairTally
    >>> coin, both = Response(2, read_loss("ln(2)")), np.array([[5, 1], [1, 2]])
    >>> unbiased_pairs(coin, coin, PairTally(9, both, both.sum(axis=1), both.sum(axis=0)))
    array([[ 2., -1.],
           [-1.,  1.]])
    """
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
    one: Protocol, other: Protocol, shares: Floats, people: int, alpha: float
) -> tuple[Floats, Floats]:
    """Return bounds on shares of pairs, each wrong with chance at most ``alpha``.

    Examples
    --------
    >>> import numpy as np
    >>> from sfumato.survey.client.protocols import Response
    >>> from sfumato.survey.client.ratios import read_loss
    >>> from sfumato.survey.collector.pairs import pair_bounds
    >>> coin = Response(2, read_loss("ln(2)"))
    >>> [each.round(3) for each in pair_bounds(coin, coin, np.array([0.5]), 10_000, 0.025)]
    [array([0.428]), array([0.574])]
    """
    laws = _laws(one, other)
    low, high = (each(shares.ravel(), people, alpha, laws) for each in (mean_below, mean_above))
    return low.reshape(shares.shape), high.reshape(shares.shape)


def _laws(one: Protocol, other: Protocol) -> Laws:
    """Return the laws of the product for people with both choices, with one, and with none."""
    said = [_said(each) for each in (one, other)]
    coins = [
        np.array([[1 - p, p] for p in map(float, (each.miss, each.hit))]) for each in (one, other)
    ]
    products = [np.outer(a, b).ravel() for a in coins[0] for b in coins[1]]
    return Laws(np.outer(*said).ravel(), np.array(products[:3]), np.array(products[3:]))


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
