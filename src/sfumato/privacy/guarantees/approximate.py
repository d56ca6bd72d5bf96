"""Approximate differential privacy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.privacy.events import fields
from sfumato.privacy.events.wording import literal, plain
from sfumato.privacy.guarantees.base import ONE_ROW
from sfumato.privacy.guarantees.pointwise import Point, PointwiseGuarantee, group_points
from sfumato.privacy.relation import read_relation

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.privacy.parameters import Epsilon
    from sfumato.privacy.relation import Relation
    from sfumato.privacy.theorems.reading import EpsilonLike, NumberLike

__all__ = ["ApproxDP"]


@dataclass(frozen=True, init=False, repr=False)
class ApproxDP(PointwiseGuarantee):
    """(ε, δ)-differential privacy: Pr[S] ≤ e^ε Pr'[S] + δ for every set S of outputs.

    Parameters
    ----------
    epsilon
        0 or more; ``Ln(2)`` for ln 2 exactly.
    delta
        0 or more and below 1.
    relation
        Which tables are neighbours.

    Attributes
    ----------
    exact_epsilon, exact_delta
        ε and δ, as Fractions; ε may be an ``Ln``.

    Examples
    --------
    >>> from sfumato.privacy.guarantees import ApproxDP
    >>> guarantee = ApproxDP(epsilon=1, delta=1e-6)
    >>> print(guarantee)
    (1, 1e-06)-DP (add or remove one row)
    >>> guarantee.epsilon(delta=1e-9)
    inf
    """

    exact_epsilon: Epsilon
    exact_delta: Fraction
    relation: Relation

    def __init__(
        self, *, epsilon: EpsilonLike, delta: NumberLike, relation: Relation = ONE_ROW
    ) -> None:
        self._keep(
            exact_epsilon=fields.epsilon(epsilon),
            exact_delta=fields.delta(delta),
            relation=read_relation(relation),
        )

    def _points(self) -> tuple[Point, ...]:
        return ((self.exact_epsilon, self.exact_delta),)

    def _amount(self) -> str:
        return f"({plain(self.exact_epsilon)}, {plain(self.exact_delta)})-DP"

    def _arguments(self) -> str:
        return f"epsilon={literal(self.exact_epsilon)}, delta={literal(self.exact_delta)}"

    def _group(self, size: int) -> ApproxDP:
        ((epsilon, delta),) = group_points(self.points, size)
        return ApproxDP(epsilon=epsilon, delta=delta, relation=self.relation.times(size))
