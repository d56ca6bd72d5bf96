"""Zero-concentrated differential privacy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.numeric import Enclosure, as_ball, fraction_below, working_precision
from sfumato.privacy.events import fields
from sfumato.privacy.events.wording import literal, plain
from sfumato.privacy.guarantees.base import ONE_ROW, Guarantee
from sfumato.privacy.relation import read_relation
from sfumato.privacy.theorems.conversion import zcdp_to_delta, zcdp_to_epsilon
from sfumato.privacy.theorems.gaussian import gaussian_delta, gaussian_epsilon

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.privacy.parameters import Epsilon
    from sfumato.privacy.relation import Relation
    from sfumato.privacy.theorems.reading import NumberLike

__all__ = ["ZeroConcentratedDP"]

_BITS = 128
_NONE = Enclosure(0.0, 0.0)


@dataclass(frozen=True, init=False, repr=False)
class ZeroConcentratedDP(Guarantee):
    """ρ-zero-concentrated privacy: the Rényi divergence of every order α is at most αρ.

    The upper figures come from the best order; the lower ones from the Gaussian mechanism with
    μ = √(2ρ), which has this guarantee :cite:p:`bun2016concentrated`.

    Parameters
    ----------
    rho
        0 or more.
    relation
        Which tables are neighbours.

    Attributes
    ----------
    exact_rho
        ρ, as a Fraction.

    Examples
    --------
    >>> from sfumato.privacy.guarantees import ZeroConcentratedDP
    >>> guarantee = ZeroConcentratedDP(rho=0.5)
    >>> print(guarantee)
    0.5-zCDP (add or remove one row)
    >>> round(guarantee.epsilon(delta=1e-5), 6), guarantee.renyi(8)
    (4.728387, 4.0)
    """

    exact_rho: Fraction
    relation: Relation

    def __init__(self, *, rho: NumberLike, relation: Relation = ONE_ROW) -> None:
        self._keep(exact_rho=fields.rational_epsilon(rho, "rho"), relation=read_relation(relation))

    def _amount(self) -> str:
        return f"{plain(self.exact_rho)}-zCDP"

    def _arguments(self) -> str:
        return f"rho={literal(self.exact_rho)}"

    def _epsilon_bounds(self, delta: Fraction) -> Enclosure:
        if self.exact_rho == 0:
            return _NONE
        lower = gaussian_epsilon(mu=self._gaussian_mu(), delta=delta).lower
        return Enclosure(lower, zcdp_to_epsilon(rho=self.exact_rho, delta=delta))

    def _delta_bounds(self, epsilon: Epsilon) -> Enclosure:
        if self.exact_rho == 0:
            return _NONE
        lower = gaussian_delta(mu=self._gaussian_mu(), epsilon=epsilon).lower
        return Enclosure(lower, zcdp_to_delta(rho=self.exact_rho, epsilon=epsilon))

    def _gaussian_mu(self) -> Fraction:
        """Return a μ, just below √(2ρ), of a Gaussian mechanism that has this guarantee."""
        with working_precision(_BITS):
            return fraction_below(as_ball(2 * self.exact_rho).sqrt())

    def _renyi_bound(self, order: Fraction) -> Fraction:
        return order * self.exact_rho

    def _rho(self) -> Fraction:
        return self.exact_rho

    def _group(self, size: int) -> ZeroConcentratedDP:
        return ZeroConcentratedDP(rho=self.exact_rho * size**2, relation=self.relation.times(size))

    def _follows_from(self, stronger: Guarantee) -> bool:
        return stronger._rho() <= self.exact_rho  # noqa: SLF001 - of another guarantee
