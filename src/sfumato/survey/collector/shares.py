"""The shares of a question's choices: unbiased estimates, and intervals that cover."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.numeric import float_below
from sfumato.survey.client.protocols import Response, Subset
from sfumato.survey.collector.binomial import chance_above, chance_below
from sfumato.survey.collector.estimates import ShareEstimates
from sfumato.survey.collector.reading import read_confidence

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.survey.client.protocols import Protocol
    from sfumato.survey.client.questions import ChoiceQuestion
    from sfumato.survey.collector.tally import Tally

    Floats = NDArray[np.float64]

__all__ = ["chance_of_error", "estimate_shares", "is_coin", "share_bounds", "unbiased_shares"]


def estimate_shares(
    question: ChoiceQuestion, tally: Tally, *, confidence: Any = 0.95
) -> ShareEstimates:
    """Return the shares of a question's choices among all answers.

    The estimates are those of :cite:t:`wang2017locally`: (supporters/n - miss)/(hit - miss).  For
    fixed answers the supporters of a choice are a sum of independent coins of mean probability miss
    + share · (hit - miss), so that bounds on that probability are bounds on the share; for people
    drawn at random the same bounds hold for the share in the population.  Bonferroni's inequality
    makes them hold for all choices of the question together.

    Parameters
    ----------
    question
        The question.
    tally
        How many of how many reports support each choice.
    confidence
        How often all intervals of the question cover, at least.
    """
    protocol = question.protocol
    alpha = chance_of_error(protocol, read_confidence(confidence))
    shares = unbiased_shares(protocol, tally)
    lower, upper = share_bounds(protocol, tally.counts, tally.people, alpha)
    outside = (lower > 1) | (upper < 0)
    return ShareEstimates(
        question.name,
        question.choices,
        shares,
        _standard_errors(protocol, shares, tally.people),
        np.clip(lower, 0.0, 1.0),
        np.clip(upper, 0.0, 1.0),
        tuple(question.choices[place] for place in np.flatnonzero(outside)),
    )


def unbiased_shares(protocol: Protocol, tally: Tally) -> Floats:
    """Return (supporters/n - miss)/(hit - miss) for each choice, rounded once."""
    miss, gap = protocol.miss, protocol.hit - protocol.miss
    slope = miss.denominator * gap.denominator
    start = tally.people * miss.numerator * gap.denominator
    unit = tally.people * miss.denominator * gap.numerator
    return np.array([(count * slope - start) / unit for count in tally.counts.tolist()])


def share_bounds(
    protocol: Protocol, counts: NDArray[np.int64], people: int, alpha: float
) -> tuple[Floats, Floats]:
    """Return bounds on shares, which may leave [0, 1]; each fails with at most ``alpha``."""
    miss, gap = float(protocol.miss), float(protocol.hit - protocol.miss)
    seen, places = np.unique(counts, return_inverse=True)
    places = places.reshape(np.shape(counts))
    low, high = chance_below(seen, people, alpha), chance_above(seen, people, alpha)
    return ((low - miss) / gap)[places], ((high - miss) / gap)[places]


def chance_of_error(protocol: Protocol, confidence: Fraction) -> float:
    """Return how often each end of each interval may be wrong."""
    intervals = 1 if is_coin(protocol) else protocol.choices
    return float_below((1 - confidence) / (2 * intervals))


def is_coin(protocol: Protocol) -> bool:
    """Return whether a report is one of two choices, so that one interval mirrors the other."""
    return isinstance(protocol, (Response, Subset)) and protocol.choices == 2


def _standard_errors(protocol: Protocol, shares: Floats, people: int) -> Floats:
    """Return the root of the exact variance, which is a line in the share, at the estimates."""
    none, every = (float(protocol.variance(Fraction(share))) for share in (0, 1))
    spread: Floats = np.sqrt((none + np.clip(shares, 0.0, 1.0) * (every - none)) / people)
    return spread
