"""Group privacy: what a guarantee about one person says about several at once.

The parameters come from the guarantee to one unit of privacy; the results hold for tables that
differ by ``size`` units.  For additive noise, accounting with ``size`` times the sensitivity is
never worse than any of these.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.numeric import as_ball, read_count, shown
from sfumato.privacy.parameters import read_delta, read_epsilon
from sfumato.privacy.theorems.certified import (
    EpsilonLike,
    NumberLike,
    least_float,
    multiple_above,
    read_nonnegative,
    read_order,
    rounded_up,
)
from sfumato.privacy.theorems.composition import Bound

if TYPE_CHECKING:
    from fractions import Fraction

    from flint import arb


@dataclass(frozen=True)
class RenyiBound:
    """A Rényi guarantee: the divergence of order ``order`` is at most ``epsilon``, rounded up.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from sfumato.privacy.theorems import RenyiBound
    >>> RenyiBound(order=Fraction(4), epsilon=0.5).epsilon
    0.5
    """

    order: Fraction
    epsilon: float


def pure_group(*, epsilon: EpsilonLike, size: int) -> float:
    """Return the ε of a group under an ε-differentially private mechanism: size · ε.

    Theorem 2.2 of :cite:p:`dwork2014`.  Proof: :doc:`/proofs/group-privacy`.

    Examples
    --------
    >>> from sfumato.privacy.theorems import pure_group
    >>> pure_group(epsilon=0.5, size=3)
    1.5
    """
    level, people = read_epsilon(epsilon), read_count(size, "size")
    return multiple_above(level, people)


def approximate_group(*, epsilon: EpsilonLike, delta: NumberLike, size: int) -> Bound:
    """Return what an (ε, δ) guarantee says about a group: (kε, δ (e^{kε} - 1)/(e^ε - 1)).

    One step from table to table multiplies by e^ε and adds δ, so k of them add
    δ (1 + e^ε + … + e^{(k-1)ε}); lemma 2.2 of :cite:p:`vadhan2017complexity` rounds that sum up.
    Proof: :doc:`/proofs/group-privacy`.

    Parameters
    ----------
    epsilon, delta
        The guarantee to one unit.
    size
        k, how many units may differ.

    Examples
    --------
    >>> from sfumato.privacy.theorems import approximate_group
    >>> print(approximate_group(epsilon=1, delta=1e-6, size=2))
    (2, 3.71828e-06)
    """
    level, failure, people = read_epsilon(epsilon), read_delta(delta), read_count(size, "size")

    def grown() -> arb:
        if level == 0:
            return as_ball(people * failure)
        ball = as_ball(level)
        return as_ball(failure) * (people * ball).expm1() / ball.expm1()

    total = least_float(grown) if failure else 0.0
    return Bound(pure_group(epsilon=level, size=people), min(1.0, total))


def zcdp_group(*, rho: NumberLike, size: int) -> float:
    """Return the ρ of a group under ρ-zero-concentrated differential privacy: size² · ρ.

    By the triangle inequality of :cite:p:`bun2016concentrated` for Rényi divergences.
    Proof: :doc:`/proofs/group-privacy`.

    Examples
    --------
    >>> from sfumato.privacy.theorems import zcdp_group
    >>> zcdp_group(rho=0.5, size=3)
    4.5
    """
    divergence, people = read_nonnegative(rho, "rho"), read_count(size, "size")
    return rounded_up(people * people * divergence)


def gaussian_group(*, mu: NumberLike, size: int) -> float:
    """Return the μ of a group under μ-Gaussian differential privacy: size · μ.

    Tight, by :cite:p:`dong2022gaussian`: noise on k times the distance is no better.
    Proof: :doc:`/proofs/group-privacy`.

    Examples
    --------
    >>> from sfumato.privacy.theorems import gaussian_group
    >>> gaussian_group(mu=0.5, size=3)
    1.5
    """
    distance, people = read_nonnegative(mu, "mu"), read_count(size, "size")
    return rounded_up(people * distance)


def renyi_group(*, order: NumberLike, epsilon: EpsilonLike, size: int) -> RenyiBound:
    """Return what a Rényi guarantee (α, ε) says about a group of 2^c: (α/2^c, 3^c ε).

    Proposition 2 of :cite:p:`mironov2017renyi`, for α ≥ 2^{c+1}.  By the weak triangle inequality
    D_β(P‖Q) ≤ (β - 1/2)/(β - 1) D_{2β}(P‖R) + D_{2β-1}(R‖Q), which for β ≥ 2 is at most
    (3/2 + 1) ε: one doubling of the group halves the order and multiplies ε by less than 3.
    Proof: :doc:`/proofs/group-privacy`.

    Parameters
    ----------
    order, epsilon
        The guarantee to one unit.
    size
        How many units may differ; one that is no power of two is answered for the next one.

    Examples
    --------
    >>> from sfumato.privacy.theorems import renyi_group
    >>> renyi_group(order=8, epsilon=0.1, size=4)
    RenyiBound(order=Fraction(2, 1), epsilon=0.9)
    """
    alpha, level, people = read_order(order), read_epsilon(epsilon), read_count(size, "size")
    doublings = (people - 1).bit_length()
    if alpha < 2 ** (doublings + 1):
        raise InputError(
            "E-GROUP-TOO-LARGE",
            "a group of {people} needs a Rényi order of {given} or more, not {order}",
            "give the guarantee at a greater order",
            people=shown(people),
            given=shown(2 ** (doublings + 1)),
            order=shown(order),
        )
    return RenyiBound(alpha / 2**doublings, multiple_above(level, 3**doublings))
