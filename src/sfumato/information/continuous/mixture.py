"""Finite mixtures, such as the output of a mechanism that runs on a random subsample.

With an integer order the power of the likelihood ratio is a binomial sum, and each term is the
moment generating function of a Gaussian :cite:p:`mironov2019sampled`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flint import acb, arb, fmpq

from sfumato.errors import InputError
from sfumato.information.continuous.distributions import (
    ContinuousDistribution,
    Number,
    is_distribution,
    plain_number,
    rational,
)
from sfumato.information.continuous.families import Gaussian
from sfumato.information.continuous.log_densities import Curve, Envelope, Piece, slope_gap
from sfumato.information.distribution import Distribution
from sfumato.numeric import as_fmpq, cached_property, exact
from sfumato.translation import mark

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.information.continuous.declared import AnyDistribution


_GREATEST_ORDER = 10_000
_TWO = 2


@dataclass(frozen=True)
class MixturePiece:
    """The logarithm of a weighted sum of densities."""

    weights: tuple[fmpq, ...]
    parts: tuple[Piece, ...]

    @cached_property
    def _log_weights(self) -> list[arb]:
        return [arb(weight).log() for weight in self.weights]

    def log_density(self, x: acb, *, analytic: bool = False) -> acb:
        """See ``Piece``; the greatest part is factored out, so that the sum stays near one."""
        logs = self._log_parts(x, analytic=analytic)
        top = max(logs, key=lambda each: float(each.real.mid()))
        rest = sum(((each - top).exp() for each in logs if each is not top), acb(1))
        return top + rest.log(analytic=analytic)

    def slope(self, x: arb) -> arb:
        """See ``Piece``: the parts' slopes averaged by their shares."""
        slopes = (part.slope(x) for part in self.parts)
        return _dot(self._shares(x)[1], slopes)

    def curvature(self, x: arb) -> arb:
        """See ``Piece``: the parts' curvatures averaged, and the variance of their slopes."""
        top, shares = self._shares(x)
        leans = [slope_gap(part, self.parts[top], x) for part in self.parts]
        mean = _dot(shares, leans)
        square = _dot(shares, (lean * lean for lean in leans))
        return _dot(shares, (part.curvature(x) for part in self.parts)) + square - mean * mean

    def tail(self, at: fmpq, direction: int) -> Envelope:
        """See ``Piece``; above, all parts at the slowest decay; below, the slowest parts alone."""
        logs = self._log_weights
        tails = [part.tail(at, direction) for part in self.parts]
        bend, fall = min((each.lower.bend, each.lower.fall) for each in tails)
        slowest = [
            log + each.lower.start
            for log, each in zip(logs, tails, strict=True)
            if (each.lower.bend, each.lower.fall) == (bend, fall)
        ]
        uppers = [log + each.upper.start for log, each in zip(logs, tails, strict=True)]
        return Envelope(
            Curve(_log_sum(slowest), fall, bend),
            Curve(
                _log_sum(uppers),
                min(each.upper.fall for each in tails),
                min(each.upper.bend for each in tails),
            ),
        )

    def _log_parts(self, x: acb, *, analytic: bool = False) -> list[acb]:
        return [
            log + part.log_density(x, analytic=analytic)
            for log, part in zip(self._log_weights, self.parts, strict=True)
        ]

    def _shares(self, x: arb) -> tuple[int, list[arb]]:
        """Return the number of the greatest part at the centre, and what share each part has."""
        logs = [each.real for each in self._log_parts(acb(x.mid()))]
        top = max(range(len(logs)), key=lambda i: float(logs[i].mid()))
        sizes = [
            (log - logs[top] + slope_gap(part, self.parts[top], x) * (x - x.mid())).exp()
            for log, part in zip(logs, self.parts, strict=True)
        ]
        total = sum(sizes, arb(0))
        return top, [_as_share(size / total) for size in sizes]


def _as_share(ball: arb) -> arb:
    whole = arb(0.5, 0.5)
    return ball.intersection(whole) if ball.is_finite() else whole


def _dot(shares: Iterable[arb], values: Iterable[arb]) -> arb:
    return sum((a * b for a, b in zip(shares, values, strict=True)), arb(0))


def _log_sum(logs: list[arb]) -> arb:
    top = max(logs, key=lambda each: float(each.mid()))
    rest = sum(((each - top).exp() for each in logs if each is not top), arb(0))
    return top + rest.log1p()


@dataclass(frozen=True, init=False)
class Mixture:
    """One of several distributions, picked at random.

    Parameters
    ----------
    weights
        Probabilities that sum to one, or counts; floats are divided by their exact sum.
    distributions
        As many distributions, of this module.

    Examples
    --------
    >>> from sfumato.numeric import Ln
    >>> from sfumato.information import max_divergence
    >>> from sfumato.information.continuous import Gaussian, Mixture
    >>> subsampled = Mixture([0.75, 0.25], [Gaussian(0, 1), Gaussian(1, 1)])
    >>> Ln("4/3") in max_divergence(Gaussian(0, 1), subsampled)
    True
    """

    weights: tuple[Number, ...]
    distributions: tuple[ContinuousDistribution, ...]

    def __init__(
        self, weights: Iterable[Number], distributions: Iterable[ContinuousDistribution]
    ) -> None:
        if not all(isinstance(each, Iterable) for each in (weights, distributions)):
            raise InputError(
                "E-ARGUMENT-TYPE", "a mixture takes a list of weights and a list of distributions"
            )
        given = tuple(weights)
        shares = tuple(plain_number(each, mark("a weight")) for each in given)
        object.__setattr__(self, "weights", shares)
        object.__setattr__(self, "distributions", tuple(distributions))
        if len(self.weights) != len(self.distributions):
            raise InputError(
                "E-LENGTHS-DIFFER",
                "a mixture needs a weight for each distribution, not {count} weights for "
                "{other_count} distributions",
                count=len(self.weights),
                other_count=len(self.distributions),
            )
        if not all(map(is_distribution, self.distributions)):
            raise InputError(
                "E-ARGUMENT-TYPE",
                "a mixture takes distributions such as Gaussian(0, 1) from "
                "sfumato.information.continuous",
                "write its parts so",
            )
        Distribution(given, name="weights")

    @cached_property
    def parts(self) -> list[tuple[fmpq, ContinuousDistribution]]:
        """The distributions with a positive weight, each with its exact share.

        Examples
        --------
        >>> from sfumato.information.continuous import Mixture, Uniform
        >>> [str(share) for share, _ in Mixture([1, 3], [Uniform(0, 1), Uniform(2, 3)]).parts]
        ['1/4', '3/4']
        """
        weights = [exact(each) for each in self.weights]
        total = sum(weights)
        parts = zip(weights, self.distributions, strict=True)
        return [(as_fmpq(weight / total), each) for weight, each in parts if weight > 0]

    @property
    def breakpoints(self) -> tuple[Fraction, ...]:
        """See ``ContinuousDistribution``.

        Examples
        --------
        >>> from sfumato.information.continuous import Mixture, Uniform
        >>> mixed = Mixture([1, 1], [Uniform(0, 2), Uniform(1, 3)])
        >>> [str(each) for each in mixed.breakpoints]
        ['0', '1', '2', '3']
        """
        return tuple(sorted({point for _, each in self.parts for point in each.breakpoints}))

    def piece(self, at: Number) -> Piece | None:
        """See ``ContinuousDistribution``.

        Examples
        --------
        >>> from sfumato.information.continuous import Mixture, Uniform
        >>> Mixture([1, 1], [Uniform(0, 1), Uniform(2, 3)]).piece(1.5) is None
        True
        """
        present = [(share, each.piece(at)) for share, each in self.parts]
        kept = [(share, piece) for share, piece in present if piece is not None]
        if not kept:
            return None
        return MixturePiece(tuple(share for share, _ in kept), tuple(piece for _, piece in kept))

    def cdf(self, x: arb) -> arb:
        """See ``ContinuousDistribution``.

        Examples
        --------
        >>> from flint import arb
        >>> from sfumato.information.continuous import Mixture, Uniform
        >>> Mixture([1, 3], [Uniform(0, 1), Uniform(2, 3)]).cdf(arb(1))
        0.250000000000000
        """
        return sum((share * each.cdf(x) for share, each in self.parts), arb(0))

    def survival(self, x: arb) -> arb:
        """See ``ContinuousDistribution``.

        Examples
        --------
        >>> from flint import arb
        >>> from sfumato.information.continuous import Mixture, Uniform
        >>> Mixture([1, 3], [Uniform(0, 1), Uniform(2, 3)]).survival(arb(1))
        0.750000000000000
        """
        return sum((share * each.survival(x) for share, each in self.parts), arb(0))


def renyi_of_mixture(p: AnyDistribution, q: AnyDistribution, order: fmpq) -> arb | None:
    """Return the Rényi divergence of an integer order from 2, or None for other pairs."""
    if order.q != 1 or not _TWO <= order <= _GREATEST_ORDER or not isinstance(q, Gaussian):
        return None
    parts = _shifts(p, q)
    if parts is None:
        return None
    return _moment(parts, int(order.p)).log() / (order - 1)


def _shifts(p: AnyDistribution, q: Gaussian) -> list[tuple[fmpq, fmpq]] | None:
    """Return the weights of two Gaussian parts and their shifts from q, in spreads of q."""
    if not isinstance(p, Mixture) or len(p.parts) != _TWO:
        return None
    spread, found = rational(q.sd), []
    for weight, distribution in p.parts:
        if not isinstance(distribution, Gaussian) or rational(distribution.sd) != spread:
            return None
        found.append((weight, (rational(distribution.mean) - rational(q.mean)) / spread))
    return found


def _moment(parts: list[tuple[fmpq, fmpq]], order: int) -> arb:
    """Return the mean of the ratio to the power of the order: a sum of positive terms."""
    (weight, shift), (other, step) = parts
    total, ways = arb(0), 1
    for k in range(order + 1):
        rest = order - k
        lean = rest * shift + k * step
        exponent = (lean * lean - rest * shift * shift - k * step * step) / 2
        total += ways * arb(weight) ** rest * arb(other) ** k * arb(exponent).exp()
        ways = ways * rest // (k + 1)
    return total
