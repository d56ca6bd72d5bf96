"""What may be spent on a table in all."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.data.policy.wording import refusal
from sfumato.errors import InputError
from sfumato.privacy import AddRemove, ApproxDP, Guarantee, PureDP, ZeroConcentratedDP
from sfumato.privacy.parameters import read_delta, read_epsilon, read_positive
from sfumato.privacy.usable import check_usable
from sfumato.translation import mark

if TYPE_CHECKING:
    from sfumato.privacy import Relation
    from sfumato.privacy.parameters import Epsilon

__all__ = ["Allowance"]

_FORM = mark("write epsilon = 1, epsilon = 1 and delta = 1e-6, or rho = 0.1")


@dataclass(frozen=True)
class Allowance:
    """What may be spent on a table: ε, ε with δ, or ρ; the table's relation makes it a guarantee.

    Parameters
    ----------
    epsilon, delta
        Of pure privacy, or of approximate privacy where there is a δ.
    rho
        Of zero-concentrated privacy.

    Examples
    --------
    >>> from sfumato.data.policy import Allowance
    >>> from sfumato.privacy import AddRemove, Person
    >>> print(Allowance(epsilon=3, delta=1e-6).under(AddRemove(unit=Person("patient_id"))))
    (3, 1e-06)-DP (add or remove one patient_id)
    """

    epsilon: Epsilon | None = None
    delta: Fraction | None = None
    rho: Fraction | None = None

    def __post_init__(self) -> None:
        if self.epsilon is None and self.rho is None:
            raise InputError("E-BUDGET-FORM", "a budget has neither epsilon nor rho", _FORM)
        if self.epsilon is not None and self.rho is not None:
            raise InputError("E-BUDGET-FORM", "a budget has both epsilon and rho", _FORM)
        if self.rho is not None and self.delta is not None:
            raise InputError("E-BUDGET-FORM", "a budget of rho has no delta of its own", _FORM)
        self._keep_exactly()
        self.under(AddRemove())

    @classmethod
    def of(cls, guarantee: Any) -> Allowance:
        """Return the amounts of a guarantee.

        Examples
        --------
        >>> from sfumato.data.policy import Allowance
        >>> from sfumato.privacy import PureDP
        >>> Allowance.of(PureDP(epsilon=3)) == Allowance(epsilon=3)
        True
        """
        match guarantee:
            case PureDP():
                return cls(epsilon=guarantee.exact_epsilon)
            case ApproxDP():
                return cls(epsilon=guarantee.exact_epsilon, delta=guarantee.exact_delta)
            case ZeroConcentratedDP():
                return cls(rho=guarantee.exact_rho)
        raise refusal(
            guarantee,
            what="budget",
            allowed=mark("pure, approximate or zero-concentrated"),
            write="{'epsilon': 1}",
        )

    def under(self, relation: Relation) -> Guarantee:
        """Return the guarantee under a relation.

        Examples
        --------
        >>> from sfumato.data.policy import Allowance
        >>> from sfumato.privacy import Substitute
        >>> print(Allowance(rho=0.1).under(Substitute()))
        0.1-zCDP (substitute one row)
        """
        if self.rho is not None:
            return ZeroConcentratedDP(rho=self.rho, relation=relation)
        epsilon = Fraction(0) if self.epsilon is None else self.epsilon
        if self.delta is None:
            return PureDP(epsilon=epsilon, relation=relation)
        return ApproxDP(epsilon=epsilon, delta=self.delta, relation=relation)

    def _keep_exactly(self) -> None:
        if self.epsilon is not None:
            epsilon = read_epsilon(self.epsilon, "epsilon", above_zero=True)
            check_usable(epsilon, self.epsilon)
            object.__setattr__(self, "epsilon", epsilon)
        if self.rho is not None:
            rho = read_positive(self.rho, "rho")
            check_usable(rho, self.rho, "rho")
            object.__setattr__(self, "rho", rho)
        if self.delta is not None:
            object.__setattr__(self, "delta", read_delta(self.delta) or None)
