"""What a search for violations found: a witness that anyone can check, or none."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError, RefusedError
from sfumato.mechanisms.sensitivity.declared import Norm, Sensitivity, root_below, show_root
from sfumato.mechanisms.sensitivity.tables import Lengths, entries, is_number
from sfumato.numeric import exact, shown
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Callable


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


Table = tuple[Any, ...]
#: Exact; whole numbers as they are, since their arithmetic is faster.
Exact = int | Fraction
#: How many there are along each axis; where rows differ, the shape of each.
Shape = tuple[Any, ...]


@dataclass(frozen=True)
class Outcome:
    """What a function did on a table: numbers, or what went wrong."""

    table: Table
    output: Any
    numbers: tuple[Exact, ...] = ()
    shape: Shape = ()
    failure: str | None = None

    @classmethod
    def of(cls, function: Callable[[list[Any]], Any], table: Table) -> Outcome:
        """Return what a function does on a table; whatever it raises is an outcome too."""
        try:
            output = function(list(table))
        except Exception as error:  # noqa: BLE001
            return cls(
                table, None, failure=tr("the function raised {name}", name=type(error).__name__)
            )
        try:
            return cls(table, output, *_read(output))
        except InputError:
            failure = mark("the output is no finite number, nor a list of such")
            return cls(table, output, failure=failure)

    def is_like(self, other: Outcome) -> bool:
        """Tell whether nothing tells two outcomes apart but the table."""
        mine = (self.numbers, self.shape, self.failure)
        return mine == (other.numbers, other.shape, other.failure)


def _read(output: Any) -> tuple[tuple[Exact, ...], Shape]:
    if isinstance(output, (np.ndarray, np.generic)):
        return tuple(map(_number, entries(output.ravel()))), output.shape
    if not isinstance(output, (list, tuple)):
        return (_number(output),), ()
    parts = [_read(each) for each in output]
    numbers = chain.from_iterable(found for found, _ in parts)
    return tuple(numbers), _shape([shape for _, shape in parts])


def _shape(parts: list[Shape]) -> Shape:
    first = parts[0] if parts else ()
    return (len(parts), *first) if all(each == first for each in parts) else tuple(parts)


def _number(output: Any) -> Exact:
    if isinstance(output, bool) or (is_number(output) and isinstance(output, Integral)):
        return int(output)
    if is_number(output):
        return exact(output, mark("the output"))
    raise InputError(
        "E-FUNCTION-RESULT", "the output is a {kind}", "return numbers", kind=type(output).__name__
    )


@dataclass
class Judge:
    """Compares neighbours until one pair is a witness or the effort is spent.

    Each pair is held against all norms of the claim; the distances given back are in one of them.
    """

    function: Callable[[list[Any]], Any]
    claimed: Sensitivity
    norm: Norm
    effort: int
    pairs: int = 0
    largest: Lengths = field(default_factory=Lengths)
    witness: Witness | None = None

    @property
    def done(self) -> bool:
        """Whether there is nothing left to do."""
        return self.witness is not None or self.pairs >= self.effort

    def compare(self, table: Table, neighbour: Table) -> Fraction:
        """Return the squared distance of the outputs on two tables, and keep a witness."""
        return self.weigh(Outcome.of(self.function, table), Outcome.of(self.function, neighbour))

    def weigh(self, one: Outcome, other: Outcome) -> Fraction:
        """Return the squared distance of two outcomes, and keep a witness."""
        self.pairs += 1
        failure = one.failure or other.failure or _unlike(one, other)
        if failure is not None:
            self._keep(one, other, None, failure)
            return Fraction(0)
        apart = Lengths.of([x - y for x, y in zip(one.numbers, other.numbers, strict=True)])
        self.largest = self.largest.longest(apart)
        for norm in self.claimed.norms:
            self._hold_against_claim(one, other, apart.squared(norm), norm)
        return apart.squared(self.norm)

    def _hold_against_claim(
        self, one: Outcome, other: Outcome, squared: Fraction, norm: Norm
    ) -> None:
        allowed = self.claimed.squared(norm)
        if self.witness is None and squared > allowed:
            far, near = show_root(squared), show_root(allowed)
            words = tr(
                "{far} apart in {norm}, above the declared {near}",
                far=far,
                norm=norm.upper(),
                near=near,
            )
            self._keep(one, other, squared, tr("the outputs are {words}", words=words))

    def _keep(self, one: Outcome, other: Outcome, squared: Fraction | None, reason: str) -> None:
        self.witness = Witness(one.table, other.table, one.output, other.output, squared, reason)


def _unlike(one: Outcome, other: Outcome) -> str | None:
    if one.shape == other.shape:
        return None
    return tr(
        "the outputs have the shapes {one} and {other}",
        one=shown(one.shape),
        other=shown(other.shape),
    )
