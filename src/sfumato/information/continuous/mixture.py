"""Finite mixtures, such as the output of a mechanism that runs on a random subsample."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flint import arb, fmpq

from sfumato.errors import InputError
from sfumato.information.continuous.distributions import (
    ContinuousDistribution,
    Number,
    is_distribution,
    plain_number,
)
from sfumato.information.continuous.mixture_piece import MixturePiece
from sfumato.information.distribution import Distribution
from sfumato.numeric import as_fmpq, exact
from sfumato.numeric.cached import cached_property
from sfumato.translation import mark

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.information.continuous.pieces import Piece

__all__ = ["Mixture"]


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
