"""Rényi and zero-concentrated differential privacy."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.numeric import (
    Enclosure,
    any_float,
    as_ball,
    exact,
    float_above,
    fraction_below,
    shown,
    working_precision,
)
from sfumato.printing import all_of_these
from sfumato.privacy.events import fields
from sfumato.privacy.events.base import literal, plain
from sfumato.privacy.guarantees.base import ONE_ROW, Guarantee
from sfumato.privacy.guarantees.hull import least_value
from sfumato.privacy.relation import read_relation
from sfumato.privacy.theorems.conversion import (
    renyi_to_delta,
    renyi_to_epsilon,
    zcdp_to_delta,
    zcdp_to_epsilon,
)
from sfumato.privacy.theorems.gaussian import gaussian_delta, gaussian_epsilon
from sfumato.privacy.theorems.group import renyi_group
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from sfumato.privacy.parameters import Epsilon
    from sfumato.privacy.relation import Relation
    from sfumato.privacy.theorems.certified import NumberLike

    Curve = Callable[[float], float]
    Table = tuple[tuple[Fraction, Fraction], ...]


#: Where the best order of a function is first looked for: above 1 by powers of two.
_ORDERS = tuple(1 + 2.0**power for power in range(-10, 41))
_MOST_SHOWN = 3


@dataclass(frozen=True, init=False, repr=False)
class RenyiDP(Guarantee):
    """Rényi privacy: the divergence of each order α is at most ε(α).

    A relaxation of pure DP, which is the order infinity :cite:p:`mironov2017renyi`.  What a table
    says about an order between two of its own follows from the convexity of (α - 1) D_α in α
    :cite:p:`vanerven2014`; it says nothing about orders above its greatest.
    Proof: :doc:`/proofs/renyi-privacy`.

    Parameters
    ----------
    curve
        A mapping from orders above 1 to bounds, or pairs; or a function that returns an upper bound
        for any order it is given.
    relation
        Which tables are neighbours.

    Attributes
    ----------
    curve
        The function, or the pairs as Fractions by rising order.

    Examples
    --------
    >>> from sfumato.privacy.guarantees import RenyiDP
    >>> guarantee = RenyiDP({8: 0.5})
    >>> print(guarantee)
    (8, 0.5)-RDP (add or remove one row)
    >>> round(guarantee.epsilon(delta=1e-5), 6)
    1.714109
    >>> gaussian = RenyiDP(lambda order: order / 2)
    >>> round(gaussian.epsilon(delta=1e-5), 6)
    4.728387
    """

    curve: Table | Curve
    relation: Relation

    def __init__(
        self,
        curve: Mapping[Any, NumberLike] | Iterable[tuple[NumberLike, NumberLike]] | Curve,
        *,
        relation: Relation = ONE_ROW,
    ) -> None:
        kept = curve if callable(curve) else fields.curve(curve)
        self._keep(curve=kept, relation=read_relation(relation))

    def _amount(self) -> str:
        if callable(self.curve):
            return tr("RDP by a curve")
        pairs = [f"({plain(order)}, {plain(bound)})-RDP" for order, bound in self.curve]
        if len(pairs) <= _MOST_SHOWN:
            return all_of_these(pairs)
        return tr(
            "{first} to {last} at {count:,} orders",
            first=pairs[0],
            last=pairs[-1],
            count=len(pairs),
        )

    def _arguments(self) -> str:
        return repr(self.curve) if callable(self.curve) else literal(self.curve)

    def _epsilon_bounds(self, delta: Fraction) -> Enclosure:
        def epsilon(order: Fraction, bound: Fraction) -> float:
            return renyi_to_epsilon(order=order, renyi=bound, delta=delta)

        return Enclosure(0.0, self._best(epsilon))

    def _delta_bounds(self, epsilon: Epsilon) -> Enclosure:
        def delta(order: Fraction, bound: Fraction) -> float:
            return renyi_to_delta(order=order, renyi=bound, epsilon=epsilon)

        return Enclosure(0.0, min(1.0, self._best(delta)))

    def _best(self, converted: Callable[[Fraction, Fraction], float]) -> float:
        """Return the least figure that any order gives."""
        if not callable(self.curve):
            return min(converted(order, bound) for order, bound in self.curve)
        curve = self.curve

        def figure(order: float) -> float:
            bound = _bound(curve, order)
            return math.inf if bound is None else converted(Fraction(order), bound)

        return least_value(figure, _ORDERS)

    def _renyi_bound(self, order: Fraction) -> float | Fraction:
        if callable(self.curve):
            bound = _bound(self.curve, float_above(order))
        else:
            bound = _between(self.curve, order)
        return math.inf if bound is None else bound

    def _group(self, size: int) -> RenyiDP:
        relation = self.relation.times(size)
        if callable(self.curve):
            return RenyiDP(_GroupCurve(self.curve, size), relation=relation)
        great_enough = 2 ** ((size - 1).bit_length() + 1)
        usable = [pair for pair in self.curve if pair[0] >= great_enough] or self.curve[-1:]
        grown = [renyi_group(order=order, epsilon=bound, size=size) for order, bound in usable]
        return RenyiDP([(each.order, each.epsilon) for each in grown], relation=relation)

    def _follows_from(self, stronger: Guarantee) -> bool:
        if callable(self.curve):
            return False
        return all(
            stronger._renyi_bound(order) <= bound  # noqa: SLF001 - of another guarantee
            for order, bound in self.curve
        )


@dataclass(frozen=True)
class _GroupCurve:
    """The Rényi curve of a group, from that of one unit."""

    curve: Curve
    size: int

    def __call__(self, order: float) -> float:
        """Return the bound at an order; below 2 that at 2 serves, since divergences rise."""
        before = max(order, 2.0) * 2 ** (self.size - 1).bit_length()
        bound = _bound(self.curve, before)
        if bound is None:
            return math.inf
        return renyi_group(order=Fraction(before), epsilon=bound, size=self.size).epsilon


def _bound(curve: Curve, order: float) -> Fraction | None:
    """Return what a function guarantees at an order, or None where it guarantees nothing."""
    try:
        given = curve(order)
    except ArithmeticError:
        return None
    value = any_float(given)
    if not value >= 0:
        raise InputError(
            "E-FUNCTION-RESULT",
            "the curve gave {given} at order {order:g}",
            "it must return a bound of 0 or more, or math.inf",
            given=shown(given),
            order=order,
        )
    return None if math.isinf(value) else exact(given)


def _between(table: Table, order: Fraction) -> Fraction | None:
    """Return the best bound at an order that convexity gives from a table, or None above it."""
    known = [(Fraction(1), Fraction(0)), *((each, (each - 1) * bound) for each, bound in table)]
    left = [point for point in known if point[0] < order]
    right = [point for point in known if point[0] >= order]
    chords = (
        low + (high - low) * (order - start) / (end - start)
        for (start, low), (end, high) in product(left, right)
    )
    best = min(chords, default=None)
    return None if best is None else best / (order - 1)


_BITS = 128
_NONE = Enclosure(0.0, 0.0)


@dataclass(frozen=True, init=False, repr=False)
class ZeroConcentratedDP(Guarantee):
    """ρ-zero-concentrated privacy: the Rényi divergence of every order α is at most αρ.

    The upper figures come from the best order; the lower ones from the Gaussian mechanism with
    μ = √(2ρ), which has this guarantee :cite:p:`bun2016concentrated`.
    Proof: :doc:`/proofs/zero-concentrated-privacy`.

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
