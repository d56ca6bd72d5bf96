"""What a search for violations of a declared sensitivity found, and what it proves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.errors import RefusedError
from sfumato.mechanisms.sensitivity.declared import (
    Norm,
    Sensitivity,
    show_root,
)
from sfumato.printing import fitted
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.mechanisms.sensitivity.tables import Lengths
    from sfumato.mechanisms.sensitivity.witness import Witness


_NORMS: tuple[Norm, ...] = ("l1", "l2")
_TAKE_EXACTLY = mark("give the function Fractions only and take report.exactly.sensitivity")
_MAKE_EXACT = mark("compute in Fractions and write the sensitivity as text, such as '1/3'")


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
        a witness, and of rounding, a proof.
    largest
        The exact squares of the greatest distances seen, in either norm.
    rounding
        Two tables whose outputs are farther apart than was declared by no more than floats round,
        None where there were none.
    exactly
        The report of the same search with all rows as Fractions: made where there is rounding, and
        the function then returns rationals.

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
    rounding: Witness | None = None
    exactly: SensitivityReport | None = None

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
    def holds(self) -> bool:
        """Whether it is proved that the function, as it computes, keeps what was declared.

        Examples
        --------
        >>> from sfumato.mechanisms.sensitivity import check_sensitivity
        >>> check_sensitivity(sum, sensitivity=2, domain=[0, 2], sizes=(0, 3)).holds
        True
        """
        return self.exhausted and self.witness is None and self.rounding is None

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
        if self.rounding is not None:
            exact = self.exactly is not None and self.exactly.rounding is None
            raise RefusedError(
                "E-SENSITIVITY-ROUNDED",
                "the sensitivity is exceeded by rounding: {reason}",
                "{advice}, or declare a little more",
                reason=self.rounding.reason,
                advice=_TAKE_EXACTLY if exact else _MAKE_EXACT,
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

    def lines(self, *, width: int | None = None) -> list[str]:
        r"""Return the verdict, and below it what shows it.

        Parameters
        ----------
        width
            How wide a line may be; None for lines as long as they come.

        Examples
        --------
        >>> from sfumato.mechanisms.sensitivity import check_sensitivity
        >>> report = check_sensitivity(sum, sensitivity=1, domain=[0, 2])
        >>> print(*report.lines(), sep="\n")
        violated (add or remove one row, L1)
          the outputs are 2 apart in L1, above the declared 1
          tables [] and [2], outputs 0 and 2
        """
        verdict, *shown_by = self._parts()
        said = [verdict, *(f"  {each}" for each in shown_by)]
        return said if width is None else fitted(said, width)

    def as_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON.

        Examples
        --------
        >>> from sfumato.mechanisms.sensitivity import check_sensitivity
        >>> found = check_sensitivity(len, sensitivity=1, domain=["a"], sizes=(0, 3)).as_dict()
        >>> found["verdict"], found["pairs"], found["greatest"]
        ('holds', 3, {'l1': '1', 'l2': '1'})
        """
        return {
            "verdict": self._verdict(),
            "claimed": str(self.claimed),
            "norm": self.norm,
            "pairs": self.pairs,
            "exhausted": self.exhausted,
            "greatest": {norm: show_root(self.largest.squared(norm)) for norm in _NORMS},
            "witness": self.witness and self.witness.as_dict(),
            "rounding": self.rounding and self.rounding.as_dict(),
            "exactly": self.exactly and self.exactly.as_dict(),
        }

    def _verdict(self) -> str:
        """Return one word, or three."""
        if self.witness is not None:
            return "violated"
        if self.rounding is not None:
            return "rounding"
        return "holds" if self.exhausted else "no violation found"

    def __str__(self) -> str:
        where = self._where()
        if self.witness is not None:
            return tr("violated {where}: {witness}", where=where, witness=self.witness)
        if self.rounding is not None:
            return tr(
                "rounding {where}: {witness}; {decided}",
                where=where,
                witness=self.rounding,
                decided=self._decided(),
            )
        return self._compared()

    def _parts(self) -> list[str]:
        if self.witness is not None:
            verdict = tr("violated {where}", where=self._where())
            return [verdict, self.witness.reason, self.witness.seen]
        if self.rounding is not None:
            verdict = tr("rounding {where}", where=self._where())
            return [verdict, self.rounding.reason, self.rounding.seen, self._decided()]
        return [self._compared()]

    def _where(self) -> str:
        return f"({self.claimed.relation}, {' and '.join(map(str.upper, self.claimed.norms))})"

    def _compared(self) -> str:
        seen = f"{self._where()}, {self._greatest()}"
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

    def _decided(self) -> str:
        """Say what rationals decide, or how to have them decide."""
        if self.rounding is not None and not self.rounding.in_floats:
            return tr("write the sensitivity as text or a Fraction, such as '1/3', to decide it")
        if self.exactly is None:
            return tr("a function that returns Fractions for Fractions would decide it")
        return tr("in Fractions: {report}", report=self.exactly)

    def _greatest(self) -> str:
        lengths = [(show_root(self.largest.squared(norm)), norm) for norm in self.claimed.norms]
        if len(lengths) == 1:
            return tr("the greatest distance is {lengths}", lengths=lengths[0][0])
        both = " and ".join(
            tr("{length} in {norm}", length=length, norm=norm.upper()) for length, norm in lengths
        )
        return tr("the greatest distances are {both}", both=both)
