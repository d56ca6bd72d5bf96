"""Report noisy max: the candidate that is best after noise was added."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

from flint import arb, arb_poly, ctx, fmpz

from sfumato.mechanisms.choices.selection import Selection
from sfumato.numeric import as_ball, working_precision
from sfumato.privacy import events

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from sfumato.sampling import BitSource


_WORD_BITS = 64


@dataclass(frozen=True, init=False, repr=False)
class ReportNoisyMax(Selection):
    """The candidate with the greatest utility after Laplace noise of scale 2Δ/ε was added to each.

    Parameters
    ----------
    epsilon
        ε, what one release costs; above 0.
    sensitivity
        Δ, the most by which one change of the table moves any one utility; above 0.
    monotone
        Whether one change of the table never raises one utility and lowers another: then the
        noise has scale Δ/ε.
    relation
        What one change is.

    Notes
    -----
    Proof: :doc:`/proofs/report-noisy-max`.

    ε-differentially private, as claim 3.9 of :cite:p:`dwork2014` shows for counts: a change of the
    table moves the noise with which a candidate wins by at most 2Δ, or by Δ if all utilities move
    the same way.

    The noise is the textbook's continuous one.  Its digits are drawn as far as they are needed to
    tell who wins, so nothing is rounded, ties have probability zero, and the order of the
    candidates does not matter.  ``PermuteAndFlip`` is the same with exponential noise: never
    worse, and faster for many candidates.

    The error is a union bound: among n candidates the shortfall exceeds t = 2Δs/ε with
    probability at most (n - 1)(2 + s)e^{-s}/4, which is attained by two.

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
    >>> loudest = sf.mechanisms.ReportNoisyMax(epsilon=1, sensitivity=1, monotone=True)
    >>> loudest.release({"red": 30, "green": 4}).value in {"red", "green"}
    True
    >>> loudest.event
    Pure(epsilon=1)
    """

    theorem = (
        "The candidate of the greatest utility after independent Laplace noise of scale 2Δ/ε is an "
        "ε-differentially private choice where one change of the table moves no utility by more "
        "than Δ; with scale Δ/ε where all move the same way."
    )
    citations = ("dwork2014",)
    kind = events.Pure

    def _chosen(self, levels: Sequence[Fraction], source: BitSource) -> int:
        rivals = [_Rival(index, level, source) for index, level in enumerate(levels)]
        while len(rivals) > 1:
            rivals = _still_possible(rivals)
        return rivals[0].index

    def _probability(self, levels: Sequence[Fraction], index: int) -> arb:
        others = [level for place, level in enumerate(levels) if place != index]
        with working_precision(ctx.prec + len(levels)):
            return _wins(levels[index], others)

    def _miss(self, shortfall: arb, candidates: int) -> arb:
        return (candidates - 1) * (2 + shortfall) * (-shortfall).exp() / 4


class _Rival:
    """A candidate whose noise, of scale 1, is known to as many bits as were needed so far."""

    def __init__(self, index: int, level: Fraction, source: BitSource) -> None:
        self.index = index
        self._level, self._source = level, source
        self._sign = 2 * source.integer(1) - 1
        self._prefix = self.bits = 0

    def refine(self) -> None:
        """Draw more bits of the noise."""
        self._prefix = (self._prefix << _WORD_BITS) | self._source.integer(_WORD_BITS)
        self.bits += _WORD_BITS

    def ball(self) -> arb:
        """Return a ball around the noisy level; NaN where it is still unbounded."""
        uniform = arb(fmpz(2 * self._prefix + 1), 1) / arb(2) ** (self.bits + 1)
        return as_ball(self._level) - self._sign * uniform.log()


def _still_possible(rivals: Sequence[_Rival]) -> list[_Rival]:
    """Return those who may yet be the greatest, after more bits for each."""
    for rival in rivals:
        rival.refine()
    with working_precision(rivals[0].bits + _WORD_BITS):
        noisy = [rival.ball() for rival in rivals]
        best = reduce(arb.max, (ball.lower() for ball in noisy if ball.is_finite()), arb("-inf"))
    return [rival for rival, ball in zip(rivals, noisy, strict=True) if not ball < best]


def _wins(own: Fraction, others: Sequence[Fraction]) -> arb:
    """Return the probability that one noisy level exceeds all others.

    The integral of its density times their distribution functions, which between two levels is
    a sum of powers of w = e^{-x}.
    """
    points = sorted({own, *others})
    total = _before(points[0], [own, *others])
    for start, end in zip(points, [*points[1:], None], strict=True):
        total += _between(start, end, own, others)
    return total


def _before(first: Fraction, levels: Sequence[Fraction]) -> arb:
    """Return the part of the integral before the lowest level."""
    count = len(levels)
    depth = sum((first - level for level in levels), first * 0)
    return as_ball(depth).exp() / (count * arb(2) ** count)


def _between(
    start: Fraction, end: Fraction | None, own: Fraction, others: Sequence[Fraction]
) -> arb:
    """Return the part of the integral between two levels, or from the highest one on."""
    above = [level for level in others if level > start]
    below = [as_ball(level - start).exp() / 2 for level in others if level <= start]
    depth = sum((start - level for level in above), -abs(own - start))
    lowest = (-1 if own > start else 1) - len(above)
    parts = (
        coefficient * _power_integral(lowest + power, end if end is None else end - start, depth)
        for power, coefficient in enumerate(_product(below))
    )
    return sum(parts, arb(0)) / arb(2) ** (len(above) + 1)


def _product(rates: Sequence[arb]) -> list[arb]:
    """Return the coefficients of the product of 1 - rate·w, the constant first."""
    return arb_poly.from_roots(rates).coeffs()[::-1]


def _power_integral(power: int, length: Fraction | None, depth: Fraction) -> arb:
    """Return e^depth times the integral of w^(power - 1) from e^-length to 1; None is no end.

    It is greatest at one end of the integral, where the exponent is at most 0 for levels as here.
    """
    if length is None:
        return as_ball(depth).exp() / power
    if power == 0:
        return as_ball(depth).exp() * as_ball(length)
    greatest = as_ball(depth + max(-power, 0) * length).exp()
    return -greatest * as_ball(-abs(power) * length).expm1() / abs(power)
