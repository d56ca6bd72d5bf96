"""What differential privacy allows of ranks, and which ε ranks prove.

A canary r is drawn uniformly from N texts and put into the training data; a model trained on them
ranks all N, the likeliest first, and where scores are equal the last rank of them is taken, so that
whatever the model is, at most k texts have a rank of at most k.  Let p be the probability that the
canary has.

*On average.*  For training data without the canary, or with a fixed text in its place, the model
says nothing about r: it ranks r among the first k with probability at most k/N, on average over r.
Under (ε, δ) a probability q becomes at most f(q) = min(e^ε·q + δ, 1 - e^-ε·(1 - δ - q)) with the
canary :cite:p:`kairouz2015composition`, and f is concave, so p ≤ f(k/N), by Jensen's inequality.
That holds for adding or removing the canary, and for substituting it.

*Given the model.*  Under ε, for substituting the canary, all N texts are neighbours in its place,
so that given the model, no text is more than e^ε times as likely to be the canary as another; of
the k texts that come first one is it with probability at most s = k·e^ε/(k·e^ε + N - k), whatever
the model is.  Let other canaries, drawn independently, be in the same training data.  The same
holds given the model and the canaries before, since the ones after are averaged over: so the number
of canaries among the first k of one model is stochastically below a binomial with probability s,
as :cite:t:`steinke2023auditing` prove of guesses with two outcomes.  Where ε is about adding or
removing, substituting is a removal and an addition, and 2ε takes its place.

A canary that is ranked among n others, drawn independently for it alone, is one of N = n + 1 texts
of which any is as likely to be the canary: all the above holds with that N.

Proof: :doc:`/proofs/exposure`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.audit.blackbox.bounds import epsilon_below, probability_below
from sfumato.audit.comparison import Claim, read_claim
from sfumato.numeric import (
    Ln,
    as_ball,
    digits_below,
    float_above,
    float_below,
    read_count,
    working_precision,
)
from sfumato.privacy import (
    AddRemove,
    Relation,
    Substitute,
    best_true_positive_rate,
    read_relation,
)
from sfumato.translation import tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.privacy.theorems import EpsilonLike, NumberLike


_BITS = 128
_DIGITS = 4
#: Ranks are taken one by one up to here, and then in steps of a hundredth.
_SINGLE, _STEP = 100, 0.01


@dataclass(frozen=True)
class RankTest:
    """How many canaries are among the first texts, and which ε that proves.

    Attributes
    ----------
    rank, size
        The greatest rank that counts, and of how many texts.
    hits, canaries
        How many canaries have it, and of how many.
    share
        A lower bound on the probability that a canary has it.
    epsilon
        The ε that it proves, rounded down; 0 where it proves none.
    """

    rank: int
    size: int
    hits: int
    canaries: int
    share: float
    epsilon: float

    def __str__(self) -> str:
        said = tr_n(
            "{hits:,} of 1 canary is among the first {rank:,} of {size:,}",
            "{hits:,} of {canaries:,} canaries are among the first {rank:,} of {size:,}",
            self.canaries,
            hits=self.hits,
            canaries=self.canaries,
            rank=self.rank,
            size=self.size,
        )
        bits = digits_below(math.log2(self.size / self.rank), _DIGITS)
        return tr("{said}: an exposure of {bits} bits or more", said=said, bits=bits)


def best_test(
    ranks: Sequence[int],
    size: int,
    *,
    delta: Fraction,
    relation: Relation,
    together: bool,
    alpha: Fraction,
) -> RankTest:
    """Return the test that proves most, of one for each whole number of bits.

    The ranks that are tested are fixed beforehand; each has its part of alpha, so that by the union
    bound all hold at once except with probability alpha.

    Parameters
    ----------
    ranks, size
        The rank of each canary, of so many texts.
    delta, relation
        What the ε is proved for.
    together
        Whether all canaries were in the training data of one model.
    alpha
        The probability with which the greatest bound may exceed the truth.
    """
    tried = [size >> bits for bits in range(1, size.bit_length())]
    level = float_below(alpha / len(tried))
    tests = []
    for rank in tried:
        hits = sum(each <= rank for each in ranks)
        share = probability_below(hits, len(ranks), level)
        chance = Fraction(rank, size)
        epsilon = _proved(share, chance, delta, relation, together=together)
        tests.append(RankTest(rank, size, hits, len(ranks), share, epsilon))
    return max(tests, key=lambda test: (test.epsilon, test.hits, -test.rank))


def _proved(
    share: float, chance: Fraction, delta: Fraction, relation: Relation, *, together: bool
) -> float:
    """Return an ε under which a share that is so great cannot be."""
    if not delta and (together or isinstance(relation, Substitute)):
        odds = Fraction(share) / (1 - Fraction(share)) * (1 - chance) / chance
        changes = 1 if isinstance(relation, Substitute) else 2
        with working_precision(_BITS):
            return float_below(Ln(odds).ball() / changes) if odds > 1 else 0.0
    found = epsilon_below(share, float_above(chance), delta)
    missed = epsilon_below(float_below(1 - chance), math.nextafter(1 - share, 1), delta)
    return max(found, missed)


def allowed_rank_share(claim: Claim, relation: Relation, chance: Fraction) -> float:
    """Return how often a canary is among the first texts at most, on average; rounded up.

    Parameters
    ----------
    claim, relation
        The guarantee.
    chance
        Which share of all texts those first ones are.
    """
    if claim.delta or not isinstance(relation, Substitute):
        return best_true_positive_rate(
            epsilon=claim.epsilon, delta=claim.delta, false_positive_rate=chance
        )
    with working_precision(_BITS):
        rest = (-as_ball(claim.epsilon)).exp() * as_ball(1 / chance - 1)
        return min(1.0, float_above(1 / (1 + rest)))


def allowed_exposure(
    size: int,
    *,
    epsilon: EpsilonLike,
    delta: NumberLike = 0,
    relation: Relation | None = None,
) -> float:
    """Return the greatest mean exposure of a canary that a guarantee allows, in bits, rounded up.

    A canary that is drawn uniformly from N texts has a rank of at most k with probability at most
    f(k/N), where f(q) = min(e^ε·q + δ, 1 - e^-ε·(1 - δ - q)); for substitution and δ = 0 with at
    most k·e^ε/(k·e^ε + N - k).  The mean of log₂ N - log₂ rank is the sum of the probability of
    a rank of at most k times log₂((k + 1)/k).  The bound exceeds that sum by 0.015 at most; without
    any privacy it is log₂ N.

    Parameters
    ----------
    size
        How many texts the canary is drawn from.
    epsilon, delta, relation
        The guarantee; for adding or removing one record unless told.

    Examples
    --------
    >>> from sfumato.audit import allowed_exposure
    >>> [round(allowed_exposure(10_000, epsilon=epsilon), 2) for epsilon in (0, 1, 5)]
    [1.45, 2.64, 8.55]
    """
    most = read_count(size, "size", least=2)
    claim, kind = read_claim(epsilon, delta), read_one_relation(relation)
    return mean_allowed(claim, kind, most)


def mean_allowed(claim: Claim, relation: Relation, size: int) -> float:
    """Return the greatest mean exposure that a claim allows: the sum over steps of ranks.

    In a step all ranks are taken to be as likely as its last.
    """
    total, rank = Fraction(0), 1
    while rank < size:
        after = rank + 1 if rank < _SINGLE else min(rank + int(_STEP * rank), size)
        share = allowed_rank_share(claim, relation, Fraction(after - 1, size))
        bits = math.nextafter(math.log2(after / rank), math.inf)
        total += Fraction(share) * Fraction(bits)
        rank = after
    return min(float_above(total), math.nextafter(math.log2(size), math.inf))


def read_one_relation(relation: Any) -> Relation:
    """Return the relation that was given; adding or removing one record, where none was."""
    return AddRemove() if relation is None else read_relation(relation)
