"""What a search for violations found: a witness that anyone can check, or none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.errors import RefusedError
from sfumato.mechanisms.sensitivity.declared import Sensitivity
from sfumato.mechanisms.sensitivity.roots import root_below, show_root
from sfumato.numeric import shown
from sfumato.translation import tr

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.mechanisms.sensitivity.declared import Norm
    from sfumato.mechanisms.sensitivity.lengths import Lengths

__all__ = ["SensitivityReport", "Witness"]


@dataclass(frozen=True)
class Witness:
    """Two neighbouring tables on which a declared sensitivity is wrong.

    Attributes
    ----------
    table, neighbour
        The two tables, in the order in which the function was given their rows.
    output, neighbour_output
        What the function returned; None where it raised.
    distance_squared
        The exact square of the distance of the outputs, in the norm that the reason names; None
        where they have none, because the function raised, returned no finite numbers, or returned
        numbers in another shape.
    reason
        What is wrong, in words.

    Examples
    --------
    >>> from sfumato.mechanisms.sensitivity import check_sensitivity
    >>> witness = check_sensitivity(sum, sensitivity=1, domain=[100, 101]).witness
    >>> witness.table, witness.neighbour, witness.distance
    ((), (100,), Fraction(100, 1))
    """

    table: tuple[Any, ...]
    neighbour: tuple[Any, ...]
    output: Any
    neighbour_output: Any
    distance_squared: Fraction | None
    reason: str

    @property
    def distance(self) -> Fraction | None:
        """The distance of the outputs, rounded down where it is irrational.

        Examples
        --------
        >>> from sfumato.mechanisms.sensitivity import check_sensitivity
        >>> check_sensitivity(sum, sensitivity=1, domain=[0, 2]).witness.distance
        Fraction(2, 1)
        """
        return None if self.distance_squared is None else root_below(self.distance_squared)

    def __str__(self) -> str:
        tables = tr(
            "{table} and {neighbour}",
            table=shown(list(self.table)),
            neighbour=shown(list(self.neighbour)),
        )
        outputs = tr(
            "{output} and {neighbour_output}",
            output=shown(self.output),
            neighbour_output=shown(self.neighbour_output),
        )
        return tr(
            "{reason}; tables {tables}, outputs {outputs}",
            reason=self.reason,
            tables=tables,
            outputs=outputs,
        )


@dataclass(frozen=True)
class SensitivityReport:
    """The outcome of a search for neighbours that violate a declared sensitivity.

    Attributes
    ----------
    claimed
        The sensitivity that was declared.
    norm
        The norm in which the search climbed.
    witness
        The violation that was found, None where there was none.
    pairs
        How many pairs of neighbours were compared.
    exhausted
        Whether these were all pairs of the declared domain and sizes: only then is the absence of
        a witness a proof.
    largest
        The exact squares of the greatest distances seen, in either norm.

    Examples
    --------
    >>> from sfumato.mechanisms.sensitivity import check_sensitivity
    >>> print(check_sensitivity(len, sensitivity=1, domain=["a", "b"], sizes=(0, 3)))
    holds: all 12 pairs of neighbours were compared (add or remove one row, L1), \
the greatest distance is 1
    >>> print(check_sensitivity(len, sensitivity=1, domain=(0, 1), effort=2000))
    no violation found in 2,000 pairs, which is no proof (add or remove one row, L1), \
the greatest distance is 1
    """

    claimed: Sensitivity
    norm: Norm
    witness: Witness | None
    pairs: int
    exhausted: bool
    largest: Lengths

    @property
    def violated(self) -> bool:
        """Whether a violation was found.

        Examples
        --------
        >>> from sfumato.mechanisms.sensitivity import check_sensitivity
        >>> check_sensitivity(max, sensitivity=1, domain=(0, 1)).violated  # max([]) raises
        True
        """
        return self.witness is not None

    @property
    def largest_squared(self) -> Fraction:
        """The exact square of the greatest distance seen, in the report's norm.

        Examples
        --------
        >>> from sfumato.mechanisms.sensitivity import check_sensitivity
        >>> check_sensitivity(len, sensitivity=2, domain=[0, 1], sizes=(0, 3)).largest_squared
        Fraction(1, 1)
        """
        return self.largest.squared(self.norm)

    @property
    def sensitivity(self) -> Sensitivity:
        """The declared sensitivity, saying that it was checked; refused where it is wrong.

        Examples
        --------
        >>> from sfumato.mechanisms.sensitivity import check_sensitivity
        >>> print(check_sensitivity(len, sensitivity=1, domain=(0, 1), effort=500).sensitivity)
        1 in L1, 1 in L2 (add or remove one row), declared, no violation found in 500 pairs
        """
        if self.witness is not None:
            raise RefusedError(
                "E-SENSITIVITY-WRONG",
                "the sensitivity is wrong: {reason}",
                reason=self.witness.reason,
            )
        found = (
            tr("holds on all {pairs:,} pairs of its domain", pairs=self.pairs)
            if self.exhausted
            else tr("no violation found in {pairs:,} pairs", pairs=self.pairs)
        )
        return Sensitivity(
            l1_squared=self.claimed.l1_squared,
            l2_squared=self.claimed.l2_squared,
            relation=self.claimed.relation,
            basis=f"{self.claimed.basis}, {found}",
        )

    def __str__(self) -> str:
        where = f"({self.claimed.relation}, {' and '.join(map(str.upper, self.claimed.norms))})"
        if self.witness is not None:
            return tr("violated {where}: {witness}", where=where, witness=self.witness)
        seen = f"{where}, {self._greatest()}"
        if self.exhausted:
            return tr(
                "holds: all {pairs:,} pairs of neighbours were compared {seen}",
                pairs=self.pairs,
                seen=seen,
            )
        return tr(
            "no violation found in {pairs:,} pairs, which is no proof {seen}",
            pairs=self.pairs,
            seen=seen,
        )

    def _greatest(self) -> str:
        lengths = [(show_root(self.largest.squared(norm)), norm) for norm in self.claimed.norms]
        if len(lengths) == 1:
            return tr("the greatest distance is {lengths}", lengths=lengths[0][0])
        both = " and ".join(
            tr("{length} in {norm}", length=length, norm=norm.upper()) for length, norm in lengths
        )
        return tr("the greatest distances are {both}", both=both)
