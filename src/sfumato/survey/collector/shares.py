"""The shares of a question's choices: unbiased estimates, and intervals that cover."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from sfumato.errors import InputError
from sfumato.numeric import beta_above, beta_below, bracket_threshold, float_below, shown
from sfumato.refusal import Argument
from sfumato.survey.client.draws import read_fraction
from sfumato.survey.client.protocols import Response, Subset
from sfumato.survey.client.survey import Survey
from sfumato.survey.collector.estimates import PairEstimates, ShareEstimates

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.survey.client.protocols import Protocol
    from sfumato.survey.client.questions import ChoiceQuestion
    from sfumato.survey.collector.tally import Tally

    Floats = NDArray[np.float64]
    Counts = NDArray[np.int64]


Shares = TypeVar("Shares", ShareEstimates, PairEstimates)

_ROUNDING, _STEP = 1e-12, 1e-15


def made_consistent(found: Shares) -> Shares:
    """Return estimates that can all be true: within tightened intervals, and 1 together.

    Where the intervals as found leave no such shares, which happens only where one of them does
    not cover, they stay as they are, and the shares are the nearest that are 0 or more.
    """
    lower, upper = found.lower.ravel(), found.upper.ravel()
    if lower.sum() <= 1 <= upper.sum():
        lower, upper = tightened(lower, upper)
        shares = nearest_shares(found.shares.ravel(), lower, upper)
    else:
        shares = nearest_shares(found.shares.ravel(), np.zeros_like(lower), np.ones_like(upper))
    shape = found.shares.shape
    return replace(
        found,
        shares=shares.reshape(shape),
        lower=lower.reshape(shape),
        upper=upper.reshape(shape),
    )


def tightened(lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
    """Return intervals that cover as before, cut to what the others leave of a sum of 1.

    Wherever all true shares are in their intervals, they are in these as well.
    """
    least = 1 - (upper.sum() - upper) - _ROUNDING
    most = 1 - (lower.sum() - lower) + _ROUNDING
    return np.maximum(lower, least), np.minimum(upper, most)


def nearest_shares(shares: Floats, lower: Floats, upper: Floats) -> Floats:
    """Return the shares nearest to these that are within bounds and sum to 1.

    Nearest in Euclidean distance: all are moved by the same amount, and then into their bounds
    :cite:p:`wang2020consistency`.
    """

    def moved(by: float) -> Floats:
        return np.clip(shares - by, lower, upper)

    ends = float((shares - upper).min()) - 1, float((shares - lower).max()) + 1
    if moved(ends[0]).sum() <= 1:
        return upper
    if moved(ends[1]).sum() > 1:
        return lower
    found = bracket_threshold(lambda by: bool(moved(by).sum() <= 1), *ends, tolerance=_STEP)
    return moved(found.high)


#: What a division of floats may be off by, and more.
_COIN_ROUNDING = 1e-15


def chance_below(counts: Counts, coins: int, alpha: float) -> Floats:
    """Return lower bounds on the mean probability of coins; each fails with at most ``alpha``.

    The bounds of :cite:t:`clopper1934`.  Coins need not be alike: they only need to be independent.
    Beyond one from its mean, a count of unlike coins has no more mass than that of alike ones
    :cite:p:`hoeffding1956distribution`, and nearer than that nothing is excluded, for a count of a
    mean above 1 is no less than its mean with probability over 1/4 :cite:p:`greenberg2014tight`.
    Where the mean is at most 1, the probability of any coin at all is at most the sum of all
    probabilities: hence alpha/coins as the bound of a count of 1.

    Parameters
    ----------
    counts
        How many coins fell on the side, for each of several sides.
    coins
        How many there are.
    alpha
        The probability that one bound may be wrong, at most 1/4.
    """
    seen = np.maximum(np.asarray(counts, dtype=np.float64), 1.0)
    found = beta_below(seen, coins - seen + 1.0, alpha)
    found = np.where(seen == 1, alpha / coins * (1 - _COIN_ROUNDING), found)
    return np.where(np.asarray(counts) == 0, 0.0, found)


def chance_above(counts: Counts, coins: int, alpha: float) -> Floats:
    """Return upper bounds on the mean probability of coins; each fails with at most ``alpha``."""
    missed = np.maximum(coins - np.asarray(counts, dtype=np.float64), 1.0)
    found = beta_above(coins - missed + 1.0, missed, alpha)
    found = np.where(missed == 1, np.nextafter(1 - alpha / coins, 1.0), found)
    return np.where(np.asarray(counts) == coins, 1.0, found)


_SUREST = 1 - Fraction(1, 10**9)


def check_survey(survey: Any) -> None:
    """Refuse what is no survey; a path may be that of one."""
    if isinstance(survey, Survey):
        return
    if isinstance(survey, (str, PathLike)):
        path = shown(fspath(survey))
        raise InputError(
            "E-ARGUMENT-TYPE",
            "a survey is wanted, not the path of its file",
            "write sf.survey.read_survey({path})",
            path=path,
        )
    raise InputError(
        "E-ARGUMENT-TYPE",
        "a survey is wanted, not a value of type {kind}",
        "write sf.survey.read_survey('class.toml'), say",
        kind=type(survey).__name__,
    )


def read_confidence(confidence: Any) -> Fraction:
    """Return a confidence as it was written: at least one half, and at most 1 - 10^-9."""
    level = read_fraction(confidence)
    if level is None or not Fraction(1, 2) <= level <= _SUREST:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{argument} must be from 0.5 to 0.999999999, not {confidence}",
            "write 0.95, say",
            confidence=shown(confidence),
            argument=Argument("confidence"),
        )
    return level


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
