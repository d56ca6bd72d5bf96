"""Gaussian differential privacy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flint import arb

from sfumato.numeric import Enclosure, as_ball, float_below, working_precision
from sfumato.privacy.events import fields
from sfumato.privacy.events.base import literal, plain
from sfumato.privacy.guarantees.base import ONE_ROW, Guarantee, holds_as_printed
from sfumato.privacy.relation import read_relation
from sfumato.privacy.theorems.gaussian import gaussian_delta, gaussian_epsilon

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.privacy.parameters import Epsilon
    from sfumato.privacy.relation import Relation
    from sfumato.privacy.theorems.certified import NumberLike


_BITS = 128
_NONE = Enclosure(0.0, 0.0)


@dataclass(frozen=True, init=False, repr=False)
class GaussianDP(Guarantee):
    """μ-Gaussian privacy: neighbours are as hard to tell apart as N(0, 1) from N(μ, 1).

    Noise of standard deviation σ on a value of L2 sensitivity Δ has μ = Δ/σ
    :cite:p:`dong2022gaussian`.  Proof: :doc:`/proofs/gaussian-privacy`.

    Parameters
    ----------
    mu
        0 or more.
    relation
        Which tables are neighbours.

    Attributes
    ----------
    exact_mu
        μ, as a Fraction.

    Examples
    --------
    >>> from sfumato.privacy.guarantees import GaussianDP
    >>> guarantee = GaussianDP(mu=1)
    >>> print(guarantee)
    1-GDP (add or remove one row)
    >>> round(guarantee.epsilon(delta=1e-5), 6), round(guarantee.delta(epsilon=1), 6)
    (4.377178, 0.126937)
    """

    exact_mu: Fraction
    relation: Relation

    def __init__(self, *, mu: NumberLike, relation: Relation = ONE_ROW) -> None:
        self._keep(exact_mu=fields.rational_epsilon(mu, "mu"), relation=read_relation(relation))

    def _amount(self) -> str:
        return f"{plain(self.exact_mu)}-GDP"

    def _arguments(self) -> str:
        return f"mu={literal(self.exact_mu)}"

    def _epsilon_bounds(self, delta: Fraction) -> Enclosure:
        if self.exact_mu == 0:
            return _NONE
        return holds_as_printed(gaussian_epsilon(mu=self.exact_mu, delta=delta))

    def _delta_bounds(self, epsilon: Epsilon) -> Enclosure:
        if self.exact_mu == 0:
            return _NONE
        return holds_as_printed(gaussian_delta(mu=self.exact_mu, epsilon=epsilon))

    def _renyi_bound(self, order: Fraction) -> Fraction:
        return order * self.exact_mu**2 / 2

    def _rho(self) -> Fraction:
        return self.exact_mu**2 / 2

    def _mu(self) -> Fraction:
        return self.exact_mu

    def _tradeoff(self, false_positive_rate: Fraction) -> float:
        """Return Φ(Φ⁻¹(1 - α) - μ), rounded down."""
        if false_positive_rate in (0, 1):
            return 1.0 - float(false_positive_rate)
        with working_precision(_BITS):
            threshold = (2 * as_ball(false_positive_rate)).erfcinv()
            rate = (as_ball(self.exact_mu) / arb(2).sqrt() - threshold).erfc() / 2
            return max(0.0, float_below(rate))

    def _group(self, size: int) -> GaussianDP:
        return GaussianDP(mu=self.exact_mu * size, relation=self.relation.times(size))

    def _follows_from(self, stronger: Guarantee) -> bool:
        return stronger._mu() <= self.exact_mu  # noqa: SLF001 - of another guarantee
