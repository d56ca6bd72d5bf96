"""Permute-and-flip."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from flint import arb, arb_poly

from sfumato.mechanisms.choices.selection import Selection
from sfumato.numeric import Disc, Exponentials, any_float, as_ball
from sfumato.privacy import events
from sfumato.sampling import BitSource, LazyUniform, uniform_below

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from numpy.typing import NDArray


_WORD_BITS = 64
#: The exact odds of more candidates have too many terms.
_MOST_EXACT = 8
#: e to a lower power is 0 to a float.
_LOWEST = -2000.0


@dataclass(frozen=True, init=False, repr=False)
class PermuteAndFlip(Selection):
    """A candidate that accepts with probability exp(-ε·shortfall/(2Δ)), the first in random order.

    Parameters
    ----------
    epsilon
        ε, what one release costs; above 0.
    sensitivity
        Δ, the most by which one change of the table moves any one utility; above 0.
    monotone
        Whether one change of the table never raises one utility and lowers another: then a
        candidate accepts with probability exp(-ε·shortfall/Δ).
    relation
        What one change is.

    Notes
    -----
    Proof: :doc:`/proofs/permute-and-flip`.

    ε-differentially private, and never worse than the exponential mechanism of the same ε:
    its expected shortfall is at most as large, and half as large at best
    :cite:p:`mckenna2020permute`.  It is the greatest of the utilities with independent exponential
    noise of scale 2Δ/ε, or Δ/ε if all move the same way :cite:p:`ding2021permute`.  Its losses may
    spread over more than ε, so of many choices the exponential mechanism composes better.

    All candidates toss a coin, and of those that accept, the best among them, one is drawn
    uniformly: the same as the first in a random order, with the same work for every outcome.  So
    P(r) = p_r E[1/(1 + K)], where K of the others accept, which takes quadratic time, not 2^n.
    Among n candidates the shortfall exceeds t with probability at most 1 - (1 - (1-p)^n)/(np),
    p = exp(-εt/(2Δ)), and with that where all but one lie just below t.

    ==============================  ========================================================
    Edge cases                      What happens
    ==============================  ========================================================
    a list or an array              the index of a candidate is released
    a mapping                       its key is released; the keys are public
    equal utilities                 equally likely
    NaN                             counts as 0
    ±infinity                       counts as the greatest float of that sign
    integers beyond 2**63, tiny     exact
    one candidate                   it is released
    none, or two dimensions         refused
    strings, booleans, complex      refused, and so is None
    ε given as a logarithm          rounded down by less than one part in 2**120
    ==============================  ========================================================

    Examples
    --------
    >>> import sfumato as sf
    >>> choice = sf.mechanisms.PermuteAndFlip(epsilon=1, sensitivity=1)
    >>> choice.release([3, 1, 2]).value in {0, 1, 2}
    True
    >>> print(choice.guarantee)
    1-DP (add or remove one row)
    """

    theorem = (
        "The first candidate, in a uniform random order, to accept with probability "
        "exp(-ε·shortfall/(2Δ)) is an ε-differentially private choice where one change of the "
        "table moves no utility by more than Δ; with exp(-ε·shortfall/Δ) where all move the same "
        "way."
    )
    citations = ("mckenna2020permute", "ding2021permute")
    kind = events.PermuteAndFlip

    def _chosen(self, levels: Sequence[Fraction], source: BitSource) -> int:
        willing = np.flatnonzero(_accepting(levels, source))
        return int(willing[uniform_below(len(willing), 1, source=source)[0]])

    def _probability(self, levels: Sequence[Fraction], index: int) -> arb:
        others = arb_poly([1])
        for place, level in enumerate(levels):
            if place != index:
                ball = as_ball(level)
                others *= arb_poly([-ball.expm1(), ball.exp()])
        return as_ball(levels[index]).exp() * others.integral()(arb(1))

    def _odds(self, levels: Sequence[Fraction]) -> list[Exponentials] | None:
        if len(levels) > _MOST_EXACT:
            return None
        return [_exact_probability(levels, index) for index in range(len(levels))]

    def _miss(self, shortfall: arb, candidates: int) -> arb:
        if shortfall == 0:
            return 1 - 1 / arb(candidates)
        p = (-shortfall).exp()
        return 1 + (candidates * (-p).log1p()).expm1() / (candidates * p)


def _exact_probability(levels: Sequence[Fraction], index: int) -> Exponentials:
    """Return e^level times the integral over t from 0 to 1 of the product of 1 - (1 - t) e^level.

    Each other candidate accepts or does not; K that accept give t^K, and that 1/(1 + K).
    """
    powers = [Exponentials(1)]
    for place, level in enumerate(levels):
        if place != index:
            accepts = Exponentials.exp(level)
            stays, grows = (
                [each * (1 - accepts) for each in powers],
                [each * accepts for each in powers],
            )
            zero = Exponentials(0)
            powers = [a + b for a, b in zip([*stays, zero], [zero, *grows], strict=True)]
    mean = Exponentials.sum(each / (count + 1) for count, each in enumerate(powers))
    return Exponentials.exp(levels[index]) * mean


def _accepting(levels: Sequence[Fraction], source: BitSource) -> NDArray[np.bool_]:
    """Toss a coin of probability e^level for each, exactly: one word, more where it is close."""
    words = source.words(len(levels))
    drawn = words * 2.0**-_WORD_BITS
    rough = np.maximum([any_float(level) for level in levels], _LOWEST)
    chance = Disc(rough, np.abs(rough) * 2.0**-52).exp()
    margin = chance.rad + 2.0**-50
    accepts = drawn < chance.mid
    for place in np.flatnonzero(np.abs(drawn - chance.mid) <= margin).tolist():
        number = LazyUniform(source, prefix=int(words[place]), bits=_WORD_BITS)
        accepts[place] = number.below(partial(_power_of_e, levels[place]))
    return np.asarray(accepts)


def _power_of_e(exponent: Fraction) -> arb:
    return as_ball(exponent).exp()
