"""A sensitivity as a value: both norms, the relation it holds for, and how it was obtained."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from sfumato.errors import InputError
from sfumato.mechanisms.base import ONE_ROW
from sfumato.numeric import any_float, shown
from sfumato.privacy import Relation, read_relation, written
from sfumato.privacy.calibration import short_above
from sfumato.privacy.events import literal, positive
from sfumato.refusal import Argument

#: About so many digits are right: a root that is rounded is a short decimal.
_DIGITS = 18
_LONGEST = 40


def root_above(squared: Fraction) -> Fraction:
    """Return the root of a rational of 0 or more: exact where it is rational, else rounded up."""
    return _enclosed(squared)[1]


def root_below(squared: Fraction) -> Fraction:
    """Return the root of a rational of 0 or more: exact where it is rational, else rounded down."""
    return _enclosed(squared)[0]


def show_root(squared: Fraction) -> str:
    """Return the root of a rational as a person would write it."""
    below, above = _enclosed(squared)
    rational = below == above
    length = above if rational else squared
    if len(shown(length)) > _LONGEST:
        return f"about {any_float(above)!r}"
    if rational:
        return shown(length)
    return f"√{shown(length)}" if length.denominator == 1 else f"√({shown(length)})"


def _enclosed(squared: Fraction) -> tuple[Fraction, Fraction]:
    above, below = squared.numerator, squared.denominator
    exact = Fraction(math.isqrt(above), math.isqrt(below))
    if exact**2 == squared:
        return exact, exact
    scale = 10 ** max(0, _DIGITS + (below.bit_length() - above.bit_length()) * 30103 // 200000)
    floor = math.isqrt(above * scale**2 // below)
    return Fraction(floor, scale), Fraction(floor + 1, scale)


#: In which norm a change is measured.
Norm = Literal["l1", "l2"]


@dataclass(frozen=True, init=False, repr=False)
class Sensitivity:
    """The most by which one change of the table moves a query, in the L1 and the L2 norm.

    The global sensitivity of :cite:p:`dwork2014`, definitions 3.1 and 3.8.  Lengths are kept by
    their squares, which are rational where the length itself is not, as √2 for a histogram.

    Parameters
    ----------
    l1, l2
        The sensitivity in either norm, 0 or more.  Since no vector is longer in L2 than in L1,
        an L1 sensitivity alone bounds both; an L2 sensitivity alone says nothing of L1.
    l1_squared, l2_squared
        The squares of the same, where the length is irrational; give one of both.
    relation
        Which tables are neighbours.
    basis
        How it is known, in words.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.mechanisms.sensitivity import Sensitivity
    >>> print(Sensitivity(l1=2, l2_squared=2, relation=sf.privacy.Substitute()))
    2 in L1, √2 in L2 (substitute one row), declared
    """

    l1_squared: Fraction | None
    l2_squared: Fraction
    relation: Relation
    basis: str

    def __init__(
        self,
        *,
        l1: Any = None,
        l2: Any = None,
        l1_squared: Any = None,
        l2_squared: Any = None,
        relation: Relation = ONE_ROW,
        basis: str = "declared",
    ) -> None:
        first = _read_square(l1, l1_squared, "l1")
        second = _read_square(l2, l2_squared, "l2")
        if first is None and second is None:
            raise InputError(
                "E-ARGUMENT-MISSING", "a sensitivity needs a length", "write Sensitivity(l1=1), say"
            )
        least = min(each for each in (first, second) if each is not None)
        known = read_relation(relation)
        self.__dict__.update(l1_squared=first, l2_squared=least, relation=known, basis=basis)

    @property
    def l1(self) -> Fraction | None:
        """The L1 sensitivity, rounded up where it is irrational; None where it is not known.

        Examples
        --------
        >>> from sfumato.mechanisms.sensitivity import Sensitivity
        >>> Sensitivity(l1=0.1).l1
        Fraction(1, 10)
        """
        return None if self.l1_squared is None else root_above(self.l1_squared)

    @property
    def l2(self) -> Fraction:
        """The L2 sensitivity, rounded up where it is irrational.

        Examples
        --------
        >>> from sfumato.mechanisms.sensitivity import Sensitivity
        >>> float(Sensitivity(l2_squared=2).l2)
        1.4142135623730951
        """
        return root_above(self.l2_squared)

    @property
    def norms(self) -> tuple[Norm, ...]:
        """The norms of the claim, without L2 where its bound follows from that in L1.

        Examples
        --------
        >>> from sfumato.mechanisms.sensitivity import Sensitivity
        >>> Sensitivity(l1=1).norms, Sensitivity(l1=2, l2=1).norms, Sensitivity(l2=1).norms
        (('l1',), ('l1', 'l2'), ('l2',))
        """
        if self.l1_squared is None:
            return ("l2",)
        return ("l1",) if self.l1_squared == self.l2_squared else ("l1", "l2")

    def squared(self, norm: Norm) -> Fraction:
        """Return the exact square of the sensitivity in a norm.

        Examples
        --------
        >>> from sfumato.mechanisms.sensitivity import Sensitivity
        >>> Sensitivity(l1=3).squared("l2")
        Fraction(9, 1)
        """
        found = self.l1_squared if read_norm(norm) == "l1" else self.l2_squared
        if found is None:
            raise InputError(
                "E-SENSITIVITY-NORM",
                "this sensitivity is known in L2 only",
                "declare l1= too, or use a mechanism for L2, such as Gaussian noise",
            )
        return found

    def __repr__(self) -> str:
        lengths = [
            f"{norm}={literal(length)}" if length**2 == square else f"{norm}_squared={square}"
            for norm, length, square in (
                ("l1", self.l1, self.l1_squared),
                ("l2", self.l2, self.l2_squared),
            )
            if length is not None and square is not None
        ]
        return (
            f"Sensitivity({', '.join(lengths)}, relation={self.relation!r}, basis={self.basis!r})"
        )

    def __str__(self) -> str:
        first = "" if self.l1_squared is None else f"{show_root(self.l1_squared)} in L1, "
        return f"{first}{show_root(self.l2_squared)} in L2 ({self.relation}), {self.basis}"


def _read_square(length: Any, square: Any, name: str) -> Fraction | None:
    if length is not None and square is not None:
        raise InputError(
            "E-ARGUMENT-CONFLICT",
            "{name} and {name}_squared say the same",
            "give one of both",
            name=name,
        )
    if square is not None:
        return _read_length(square, f"{name}_squared")
    return None if length is None else _read_length(length, name) ** 2


def _read_length(value: Any, name: str) -> Fraction:
    number = written(value, name)
    if number < 0:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{name} must be 0 or more, not {value}",
            "a sensitivity is a length",
            name=Argument(name),
            value=shown(value),
        )
    return number


def read_norm(norm: Any) -> Norm:
    """Return the name of a norm, or refuse what is none."""
    if norm == "l1":
        return "l1"
    if norm == "l2":
        return "l2"
    raise InputError(
        "E-ARGUMENT-CHOICE",
        "norm must be 'l1' or 'l2', not {norm}",
        "write norm='l1'",
        norm=shown(norm),
    )


def positive_sensitivity(value: Any, *, norm: Norm, relation: Any) -> Fraction:
    """Return the exact number above 0 in what a mechanism is given as ``sensitivity=``."""
    return positive(plain_sensitivity(value, norm=norm, relation=relation), "sensitivity")


def plain_sensitivity(value: Any, *, norm: Norm, relation: Any) -> Any:
    """Return the number in what a mechanism is given as ``sensitivity=``.

    Parameters
    ----------
    value
        A :class:`Sensitivity`, of which the length in the mechanism's norm is taken, rounded up to
        twelve digits where it is irrational.  Anything else is handed back as it is.
    norm
        The norm that the mechanism's noise is made for.
    relation
        The mechanism's relation: a sensitivity that holds for another one is refused.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.mechanisms.sensitivity import clipped_sum, plain_sensitivity
    >>> ages = clipped_sum(0, 110)
    >>> plain_sensitivity(ages.sensitivity, norm="l1", relation=sf.privacy.AddRemove())
    110
    >>> plain_sensitivity(0.5, norm="l1", relation=sf.privacy.AddRemove())
    0.5
    """
    if isinstance(getattr(value, "sensitivity", None), Sensitivity):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "sensitivity= was given a whole statistic",
            "write sensitivity=….sensitivity",
        )
    if not isinstance(value, Sensitivity):
        return value
    if value.relation != read_relation(relation):
        raise InputError(
            "E-RELATION-OTHER",
            "the sensitivity is for “{relation}” and the mechanism for “{other_relation}”",
            "give both the same relation=",
            relation=value.relation,
            other_relation=relation,
        )
    squared = value.squared(norm)
    length = root_above(squared)
    if length == 0:
        raise InputError(
            "E-SENSITIVITY-ZERO",
            "the sensitivity is 0: neighbours have the same answer, which needs no noise",
        )
    if length**2 != squared:
        return short_above(length)
    return length.numerator if length.denominator == 1 else length
