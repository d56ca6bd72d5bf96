"""Comparing the outputs on two tables exactly: rounding neither hides nor invents a violation."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError
from sfumato.mechanisms.sensitivity.cells import total
from sfumato.mechanisms.sensitivity.roots import show_root
from sfumato.mechanisms.sensitivity.witness import Witness
from sfumato.numeric import exact

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.mechanisms.sensitivity.declared import Norm

__all__ = ["Judge", "Outcome"]

Table = tuple[Any, ...]
#: Exact; whole numbers as they are, since their arithmetic is faster.
Exact = int | Fraction


@dataclass(frozen=True)
class Outcome:
    """What a function did on a table: numbers, or what went wrong.

    Examples
    --------
    >>> from sfumato.mechanisms.sensitivity.judge import Outcome
    >>> Outcome.of(len, (1, 2)).numbers
    (2,)
    >>> Outcome.of(max, ()).failure
    'the function raised ValueError'
    """

    table: Table
    output: Any
    numbers: tuple[Exact, ...]
    failure: str | None = None

    @classmethod
    def of(cls, function: Callable[[list[Any]], Any], table: Table) -> Outcome:
        """Return what a function does on a table; whatever it raises is an outcome too.

        Examples
        --------
        >>> from sfumato.mechanisms.sensitivity.judge import Outcome
        >>> Outcome.of(lambda rows: [sum(rows), len(rows)], (1, 2)).numbers
        (3, 2)
        """
        try:
            output = function(list(table))
        except Exception as error:  # noqa: BLE001
            return cls(table, None, (), f"the function raised {type(error).__name__}")
        try:
            return cls(table, output, _numbers(output))
        except InputError:
            return cls(table, output, (), "the output is no finite number, nor a list of such")


def _numbers(output: Any) -> tuple[Exact, ...]:
    if isinstance(output, (np.ndarray, np.generic)):
        output = output.tolist()
    if isinstance(output, (list, tuple)):
        return tuple(number for each in output for number in _numbers(each))
    return (_number(output),)


def _number(output: Any) -> Exact:
    if isinstance(output, (int, Integral)):
        return int(output)
    if isinstance(output, (Real, Decimal)):
        return exact(output, "the output")
    message = f"the output is a {type(output).__name__}; return numbers"
    raise InputError(message)


@dataclass
class Judge:
    """Compares neighbours until one pair is a witness or the effort is spent.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from sfumato.mechanisms.sensitivity.judge import Judge
    >>> judge = Judge(sum, Fraction(1), "l1", effort=10)
    >>> judge.compare((1,), (1, 2))
    Fraction(4, 1)
    >>> judge.witness.reason
    'the outputs are 2 apart in L1, above the declared 1'
    """

    function: Callable[[list[Any]], Any]
    claimed_squared: Fraction
    norm: Norm
    effort: int
    pairs: int = 0
    largest_squared: Fraction = field(default_factory=Fraction)
    witness: Witness | None = None

    @property
    def done(self) -> bool:
        """Whether there is nothing left to do.

        Examples
        --------
        >>> from fractions import Fraction
        >>> from sfumato.mechanisms.sensitivity.judge import Judge
        >>> Judge(len, Fraction(1), "l1", effort=0).done
        True
        """
        return self.witness is not None or self.pairs >= self.effort

    def compare(self, table: Table, neighbour: Table) -> Fraction:
        """Return the squared distance of the outputs on two tables, and keep a witness.

        Examples
        --------
        >>> from fractions import Fraction
        >>> from sfumato.mechanisms.sensitivity.judge import Judge
        >>> Judge(len, Fraction(1), "l1", effort=10).compare((1,), (1, 2))
        Fraction(1, 1)
        """
        return self.weigh(Outcome.of(self.function, table), Outcome.of(self.function, neighbour))

    def weigh(self, one: Outcome, other: Outcome) -> Fraction:
        """Return the squared distance of two outcomes, and keep a witness.

        Examples
        --------
        >>> from fractions import Fraction
        >>> from sfumato.mechanisms.sensitivity.judge import Judge, Outcome
        >>> judge = Judge(max, Fraction(1), "l1", effort=10)
        >>> judge.weigh(Outcome.of(max, (1,)), Outcome.of(max, ()))
        Fraction(0, 1)
        >>> judge.witness.reason
        'the function raised ValueError'
        """
        self.pairs += 1
        failure = one.failure or other.failure or _unlike(one, other)
        squared = Fraction(0) if failure else self._distance_squared(one.numbers, other.numbers)
        self.largest_squared = max(self.largest_squared, squared)
        if failure is not None:
            self._keep(one, other, None, failure)
        elif squared > self.claimed_squared:
            apart, allowed = show_root(squared), show_root(self.claimed_squared)
            words = f"{apart} apart in {self.norm.upper()}, above the declared {allowed}"
            self._keep(one, other, squared, f"the outputs are {words}")
        return squared

    def _distance_squared(self, one: tuple[Exact, ...], other: tuple[Exact, ...]) -> Fraction:
        apart = [x - y if x > y else y - x for x, y in zip(one, other, strict=True)]
        if self.norm == "l1":
            return total(apart) ** 2
        return total([each**2 for each in apart])

    def _keep(self, one: Outcome, other: Outcome, squared: Fraction | None, reason: str) -> None:
        self.witness = Witness(one.table, other.table, one.output, other.output, squared, reason)


def _unlike(one: Outcome, other: Outcome) -> str | None:
    first, second = len(one.numbers), len(other.numbers)
    return None if first == second else f"the outputs have {first} and {second} numbers"
