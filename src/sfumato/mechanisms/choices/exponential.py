"""The exponential mechanism."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flint import arb

from sfumato.mechanisms.choices.selection import Selection
from sfumato.numeric import Exponentials, as_ball
from sfumato.privacy import events
from sfumato.sampling import BitSource, choice

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction


@dataclass(frozen=True, init=False, repr=False)
class Exponential(Selection):
    """A candidate drawn with odds of exp(ε·utility / (2Δ)): the exponential mechanism.

    Parameters
    ----------
    epsilon
        ε, what one release costs; above 0.
    sensitivity
        Δ, the most by which one change of the table moves any one utility; above 0.
    monotone
        Whether one change of the table never raises one utility and lowers another: then the
        odds are exp(ε·utility/Δ).
    relation
        What one change is.

    Notes
    -----
    Proof: :doc:`/proofs/exponential-mechanism`.

    ε-differentially private by :cite:p:`mcsherry2007mechanism`: a change multiplies each weight
    by at most e^{ε/2}, and the sum of the weights by at most as much.  The losses even lie in an
    interval of length ε :cite:p:`dong2020optimal`, which makes it compose better than
    ``PermuteAndFlip``, whose single choices are better.  If all utilities move the same way, each
    weight changes by a factor from 1 to e^ε, or all by one from e^{-ε} to 1, and so does the sum.

    The exponents are rationals, so no utility is too large or too small, and the distribution of
    what is drawn is the one that is stated, not one near it.  Its error is that of the worst
    utilities: among n candidates the shortfall exceeds t with probability at most x/(1 + x), where
    x = (n - 1) exp(-εt/(2Δ)), and with that where all but one lie just below t.

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
    >>> from sfumato.sampling import SeededSource
    >>> votes = {"red": 30, "green": 4, "blue": 25}
    >>> favourite = sf.mechanisms.Exponential(epsilon=1, sensitivity=1, monotone=True)
    >>> print(favourite.release(votes, source=SeededSource(1)))
    'red' NOT PRIVATE, drawn from a seed, 1-DP (add or remove one row)
    >>> round(favourite.distribution(votes).probability("red").upper, 6)
    0.993307
    """

    theorem = (
        "Drawing with odds of exp(ε·utility/(2Δ)) is ε-differentially private where one change of "
        "the table moves no utility by more than Δ; with odds of exp(ε·utility/Δ) where all move "
        "the same way."
    )
    citations = ("mcsherry2007mechanism", "dong2020optimal")
    kind = events.Exponential

    def _chosen(self, levels: Sequence[Fraction], source: BitSource) -> int:
        return int(choice(levels, 1, source=source)[0])

    def _probability(self, levels: Sequence[Fraction], index: int) -> arb:
        odds = [as_ball(level).exp() for level in levels]
        return odds[index] / sum(odds, arb(0))

    def _odds(self, levels: Sequence[Fraction]) -> list[Exponentials]:
        return [Exponentials.exp(level) for level in levels]

    def _miss(self, shortfall: arb, candidates: int) -> arb:
        worse = (candidates - 1) * (-shortfall).exp()
        return worse / (1 + worse)
