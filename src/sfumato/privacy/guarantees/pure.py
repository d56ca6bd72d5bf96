"""Pure differential privacy."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.privacy.events import fields
from sfumato.privacy.events.wording import literal, plain
from sfumato.privacy.guarantees.base import ONE_ROW
from sfumato.privacy.guarantees.pointwise import Point, PointwiseGuarantee
from sfumato.privacy.guarantees.reading import multiple
from sfumato.privacy.relation import read_relation

if TYPE_CHECKING:
    from sfumato.privacy.parameters import Epsilon
    from sfumato.privacy.relation import Relation
    from sfumato.privacy.theorems.reading import EpsilonLike

__all__ = ["PureDP"]


@dataclass(frozen=True, init=False, repr=False)
class PureDP(PointwiseGuarantee):
    """ε-differential privacy: no output is more than e^ε times likelier than on a neighbour.

    Parameters
    ----------
    epsilon
        0 or more; ``Ln(2)`` for ln 2 exactly.
    relation
        Which tables are neighbours.

    Attributes
    ----------
    exact_epsilon
        ε, as a Fraction or an ``Ln``.

    Examples
    --------
    >>> from sfumato.privacy.guarantees import PureDP
    >>> guarantee = PureDP(epsilon=0.1)
    >>> guarantee
    PureDP(epsilon=0.1, relation=AddRemove(count=1, unit=Row()))
    >>> round(guarantee.delta(epsilon=0), 6)
    0.049958
    """

    exact_epsilon: Epsilon
    relation: Relation

    def __init__(self, *, epsilon: EpsilonLike, relation: Relation = ONE_ROW) -> None:
        self._keep(exact_epsilon=fields.epsilon(epsilon), relation=read_relation(relation))

    def _points(self) -> tuple[Point, ...]:
        return ((self.exact_epsilon, Fraction(0)),)

    def _amount(self) -> str:
        return f"{plain(self.exact_epsilon)}-DP"

    def _arguments(self) -> str:
        return f"epsilon={literal(self.exact_epsilon)}"

    def _group(self, size: int) -> PureDP:
        return PureDP(
            epsilon=multiple(self.exact_epsilon, size), relation=self.relation.times(size)
        )
