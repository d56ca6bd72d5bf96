"""The shares of pairs of choices, one from each of two questions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import log, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.documents import check_known
from sfumato.errors import InputError
from sfumato.numeric import float_below
from sfumato.refusal import Argument
from sfumato.survey.client.questions import ChoiceQuestion
from sfumato.survey.collector.estimates import PairEstimates
from sfumato.survey.collector.shares import chance_above, read_confidence, unbiased_shares
from sfumato.survey.collector.tally import PairTally, Tally
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from sfumato.survey.client.protocols import Protocol
    from sfumato.survey.client.survey import Survey

    Floats = NDArray[np.float64]


#: The exponents that are tried: how many, and how far about the one that is best for many people.
_EXPONENTS, _AROUND = 400, 50.0
_MOST = 500.0
_ROWS = 4096
_ROUNDING = 2.0**-46


@dataclass(frozen=True, eq=False)
class PropertyClasses:
    """What a report says of people with two properties, with one of them, and with none.

    Parameters
    ----------
    values
        What a report may say.
    distributions
        How likely each of that is, a row for each kind of person: with neither property, with the
        second alone, with the first alone, and with both.  What is said has mean 1 for people
        with both, and 0 for all others.
    """

    values: Floats
    distributions: Floats

    @property
    def spread(self) -> float:
        """A variance that no mixture of the kinds exceeds."""
        means = np.array([0.0, 0.0, 0.0, 1.0])
        return float((self.distributions @ self.values**2 - means**2).max()) + 0.25

    def exponents(self, people: int, alpha: float) -> Floats:
        """Return exponents among which there is one that is nearly the best."""
        middle = sqrt(2 * log(1 / alpha) / (people * self.spread))
        grid = middle * np.geomspace(1 / _AROUND, _AROUND, _EXPONENTS)
        fitting: Floats = np.minimum(grid, _MOST / np.abs(self.values).max())
        return fitting


@dataclass(frozen=True, eq=False)
class Margins:
    """How many people have either property at most, for several such pairs of properties.

    Parameters
    ----------
    first, second
        A bound on the share of people who have the one, and who have the other.
    """

    first: Floats
    second: Floats


def share_below(
    means: Floats, people: int, alpha: float, kinds: PropertyClasses, most: Margins
) -> Floats:
    """Return lower bounds on the share of people with both properties.

    Let a share θ have both, p the first and q the second.  Independent reports have E exp(λ Σ) ≤
    (θ M11 + (p - θ) M10 + (q - θ) M01 + (1 - p - q + θ) M00)^n, each M being E exp(λ value) of one
    kind of people: by Jensen's inequality where people are as they are, and at once where they
    are drawn at random.  With bounds in place of p and q, where M10 and M01 are more than M00, that
    is at most a line in θ to the power n.  A mean of x or more has at most exp(-nλx) times that as
    its probability, and θ is excluded where this is at most alpha.

    Every λ excludes soundly, so that a grid of them costs width and never truth.

    Parameters
    ----------
    means
        The means of what the reports say, of several such pairs of properties.
    people
        How many reports there are.
    alpha
        The probability that one bound may be wrong, where the margins are right.
    kinds
        The distributions of one report.
    most
        The margins.
    """
    return np.concatenate(
        [part.max(axis=1, initial=0.0) for part in _ends(means, people, alpha, kinds, most, 1)]
    )


def share_above(
    means: Floats, people: int, alpha: float, kinds: PropertyClasses, most: Margins
) -> Floats:
    """Return upper bounds on the share of people with both properties."""
    return np.concatenate(
        [part.min(axis=1, initial=1.0) for part in _ends(means, people, alpha, kinds, most, -1)]
    )


def _ends(
    means: Floats, people: int, alpha: float, kinds: PropertyClasses, most: Margins, sign: int
) -> Iterator[Floats]:
    """Yield for some of the means at a time what each exponent excludes up to, or from."""
    grid = sign * kinds.exponents(people, alpha)
    lines = _Lines.of(kinds, grid)
    rate = log(1 / alpha) / people
    for start in range(0, means.size, _ROWS):
        block = slice(start, start + _ROWS)
        part = Margins(most.first[block], most.second[block])
        yield lines.crossed(means[block, None] * grid - rate, part, sign)


@dataclass(frozen=True, eq=False)
class _Lines:
    """For each exponent the line in θ: what E exp(λ value) is above 1."""

    none: Floats
    first: Floats
    second: Floats
    rise: Floats
    sizes: Floats

    @classmethod
    def of(cls, kinds: PropertyClasses, grid: Floats) -> _Lines:
        grown = np.expm1(np.outer(kinds.values, grid))
        none, second, first, both = kinds.distributions @ grown
        first, second = (np.maximum(each - none, 0.0) for each in (first, second))
        return cls(none, first, second, both - none - first - second, np.abs(grown).max(axis=0))

    def crossed(self, power: Floats, most: Margins, sign: int) -> Floats:
        """Return where the lines cross exp(power), less what may be rounding."""
        grown = np.expm1(power)
        start = self.none + np.outer(most.first, self.first) + np.outer(most.second, self.second)
        slack = _ROUNDING * (4 * self.sizes + np.abs(power) * (1 + np.abs(grown)) + np.abs(grown))
        useful = sign * self.rise > 4 * _ROUNDING * self.sizes
        rise = np.where(useful, self.rise, sign)
        found: Floats = np.where(useful, (grown - start - slack) / rise, -sign * np.inf)
        return found


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
    :func:`sfumato.survey.collector.pairs.share_below`.  A tenth of the probability of error goes
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


def _kinds(one: Protocol, other: Protocol) -> PropertyClasses:
    """Return the distributions of the product: with none of the choices, with one, with both."""
    coins = [
        np.array([[1 - p, p] for p in map(float, (each.miss, each.hit))]) for each in (one, other)
    ]
    distributions = [np.outer(a, b).ravel() for a in coins[0] for b in coins[1]]
    return PropertyClasses(np.outer(_said(one), _said(other)).ravel(), np.array(distributions))


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


def read_pairs(survey: Survey, pairs: Any) -> tuple[tuple[str, str], ...]:
    """Return pairs of questions with choices, each pair once."""
    given = list(pairs) if isinstance(pairs, Iterable) and not isinstance(pairs, str) else [pairs]
    return tuple(dict.fromkeys(_read_pair(survey, each) for each in given))


def _read_pair(survey: Survey, pair: Any) -> tuple[str, str]:
    are_names = isinstance(pair, (list, tuple)) and all(isinstance(each, str) for each in pair)
    names = tuple(pair) if are_names else ()
    check_known(names, survey.questions, "question")
    known = [name for name, each in survey.questions.items() if isinstance(each, ChoiceQuestion)]
    if len(names) != 2 or len({*names} & {*known}) != 2:
        raise _refusal(names, known)
    return names[0], names[1]


def _refusal(names: tuple[str, ...], known: list[str]) -> InputError:
    number = next((name for name in names if name not in known), None)
    have = ", ".join(map(repr, known)) or mark("none")
    if number is None:
        error = InputError(
            "E-QUESTION-KIND",
            "a pair is of two questions with choices, of which this survey has {have}",
            have=have,
        )
    else:
        error = InputError(
            "E-QUESTION-KIND",
            "{number!r} is a number, and a pair is of two questions with choices, of which this "
            "survey has {have}",
            number=number,
            have=have,
        )
    if len(known) > 1:
        error.refusal = error.refusal.adding(
            "write {pairs}, say", pairs=Argument("pairs", [tuple(known[:2])])
        )
    return error
