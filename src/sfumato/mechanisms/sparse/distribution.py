"""The exact probability of a row of answers of the sparse vector technique, in closed form.

With z the noise on the threshold, an answer to a query d steps above the threshold is "above" with
the probability that noise reaches z - d.  Between the leads d this is one term of the form b·r^z or
b·r^-z, or 1 minus one; so the product over all queries is a sum of powers of r^z, and the sum over
z is one of geometric series.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from flint import arb

from sfumato.mechanisms.distributions.integers import least_whole
from sfumato.numeric import as_ball, working_precision

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from fractions import Fraction


_BITS = 256


def answer_patterns(queries: int, positives: int) -> Iterator[tuple[bool, ...]]:
    """Yield every row of answers: it ends with the last query, or the last positive answer."""
    if queries == 0 or positives == 0:
        yield ()
        return
    for rest in answer_patterns(queries - 1, positives):
        yield (False, *rest)
    for rest in answer_patterns(queries - 1, positives - 1):
        yield (True, *rest)


@dataclass(frozen=True)
class AnswersDistribution:
    """How likely answers are, with discrete Laplace noise on the threshold and on each query.

    Parameters
    ----------
    threshold_scale, query_scale
        Of the noises, in steps of the grid.
    """

    threshold_scale: Fraction
    query_scale: Fraction

    def probability(self, leads: Sequence[int], answers: Sequence[bool]) -> arb:
        """Return a ball around the probability of answers to the first queries.

        Parameters
        ----------
        leads
            By how many steps each query lies above the threshold.
        answers
            Whether each is said to be above.
        """
        asked = list(zip(leads, answers, strict=False))
        cuts: list[int | None] = [None, *sorted({0, *(lead for lead, _ in asked)}), None]
        total = sum((self._stretch(asked, *ends) for ends in pairwise(cuts)), arb(0))
        return total * (as_ball(1 / self.threshold_scale) / 2).tanh()

    def reach(self, missed: Fraction) -> int:
        """Return the least lead that is told from its opposite but for a small probability."""
        with working_precision(_BITS):
            rare = as_ball(missed)
            return least_whole(lambda lead: self.probability([-lead], [True]) <= rare, least=1)

    def _stretch(
        self, asked: Sequence[tuple[int, bool]], after: int | None, until: int | None
    ) -> arb:
        """Return the sum over threshold noises beyond one cut up to the next, unnormalised."""
        sign = 1 if after is not None and after >= 0 else -1
        powers: Mapping[int, arb] = {0: arb(1)}
        for lead, answer in asked:
            beyond = after is not None and lead <= after
            powers = self._times(powers, lead, answer=answer, beyond=beyond)
        total = arb(0)
        for power, weight in powers.items():
            rate = -sign / self.threshold_scale - power / self.query_scale
            total += weight * _geometric(rate, after, until)
        return total

    def _times(
        self, powers: Mapping[int, arb], lead: int, *, answer: bool, beyond: bool
    ) -> dict[int, arb]:
        """Multiply by the probability of an answer, where the threshold is or is not beyond."""
        likelier = answer != beyond
        step, start = (1, -lead) if beyond else (-1, lead + 1)
        term = self._ratio(start) / (1 + self._ratio(1))
        product: dict[int, arb] = defaultdict(arb)
        for power, weight in powers.items():
            product[power + step] += -weight * term if likelier else weight * term
            if likelier:
                product[power] += weight
        return product

    def _ratio(self, power: int) -> arb:
        return as_ball(-power / self.query_scale).exp()


def _geometric(rate: Fraction, after: int | None, until: int | None) -> arb:
    """Return the sum of e^{rate·z} over whole z beyond one number up to another; None is no end."""
    slope = as_ball(rate)
    if after is None:
        return _power(rate, until) / -(-slope).expm1()
    if until is None:
        return _power(rate, after + 1) / -slope.expm1()
    if rate == 0:
        return arb(until - after)
    return _power(rate, after + 1) * (slope * (until - after)).expm1() / slope.expm1()


def _power(rate: Fraction, at: int | None) -> arb:
    return as_ball(rate * (at or 0)).exp()
