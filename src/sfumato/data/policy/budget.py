"""What may be spent on a table in all, and where what was spent is kept."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.data.policy.render import refusal
from sfumato.errors import InputError
from sfumato.privacy import (
    AddRemove,
    ApproxDP,
    Guarantee,
    PureDP,
    ZeroConcentratedDP,
    check_usable,
    read_delta,
    read_epsilon,
    read_positive,
)
from sfumato.translation import mark

if TYPE_CHECKING:
    from sfumato.privacy import Epsilon, Relation


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


_PASSWORD = re.compile(r"://[^/@]*:[^/@]*@|password=", re.IGNORECASE)


@dataclass(frozen=True)
class LedgerPlace:
    """Which book of which ledger keeps account of a table; None where it is not declared.

    Parameters
    ----------
    path
        The path of a file, or ``postgresql://user@host/database`` without a password.
    book
        The name of the book in it.
    analyst
        Who asks, where nobody else is named.

    Examples
    --------
    >>> from sfumato.data.policy import LedgerPlace
    >>> LedgerPlace(path="ledger.db", book="patients").analyst is None
    True
    """

    path: str | None = None
    book: str | None = None
    analyst: str | None = None

    def __post_init__(self) -> None:
        if isinstance(self.path, Path):
            object.__setattr__(self, "path", str(self.path))
        for each in fields(self):
            given = getattr(self, each.name)
            if given is not None and not _is_name(given):
                raise refusal(
                    given, what=each.name, allowed=mark("text"), write=_EXAMPLES[each.name]
                )
        if self.path is not None and _PASSWORD.search(self.path):
            raise InputError(
                "E-ADDRESS-PASSWORD",
                "path has a password in it, which a policy should not",
                "write postgresql://user@host/database and keep the password in PGPASSWORD",
            )

    def inside(self, folder: Path) -> LedgerPlace:
        """Return the place with a path that no longer depends on where the policy lies.

        Examples
        --------
        >>> from pathlib import Path
        >>> from sfumato.data.policy import LedgerPlace
        >>> LedgerPlace(path="ledger.db").inside(Path("clinic")).path == str(
        ...     Path("clinic") / "ledger.db")
        True
        """
        if self.path is None or "://" in self.path or self.path.startswith("~"):
            return self
        return LedgerPlace(str(folder / self.path), self.book, self.analyst)


_EXAMPLES = {"path": '"ledger.db"', "book": '"patients"', "analyst": '"ada"'}


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip()) and value.isprintable()
