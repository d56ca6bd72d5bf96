"""What a distribution must offer so that ball arithmetic can enclose divergences from it."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Rational
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from sfumato.errors import InputError
from sfumato.numeric import as_fmpq, exact, shown
from sfumato.refusal import Argument

if TYPE_CHECKING:
    from flint import arb, fmpq

    from sfumato.information.continuous.log_densities import Piece


Number = float | Fraction | Decimal


@runtime_checkable
class ContinuousDistribution(Protocol):
    """A distribution on the real line that can be evaluated in balls.

    Numbers given to a distribution are exact: a float is the rational it stores.

    Examples
    --------
    >>> from sfumato.information.continuous import ContinuousDistribution, Gaussian
    >>> isinstance(Gaussian(0, 1), ContinuousDistribution)
    True
    """

    @property
    def breakpoints(self) -> tuple[Fraction, ...]:
        """At least two points, the scale of the distribution; between neighbours it is one formula.

        Examples
        --------
        >>> from sfumato.information.continuous import Uniform
        >>> Uniform(0, 1).breakpoints
        (Fraction(0, 1), Fraction(1, 1))
        """

    def piece(self, at: Number) -> Piece | None:
        """Return the formula that holds around a point, None where the density is zero.

        Examples
        --------
        >>> from sfumato.information.continuous import Uniform
        >>> Uniform(0, 1).piece(2) is None
        True
        """

    def cdf(self, x: arb) -> arb:
        """Return the probability of a value at most ``x``.

        Examples
        --------
        >>> from flint import arb
        >>> from sfumato.information.continuous import Uniform
        >>> Uniform(0, 1).cdf(arb(0.25))
        0.250000000000000
        """

    def survival(self, x: arb) -> arb:
        """Return the probability of a value above ``x``, accurate where it is small.

        Examples
        --------
        >>> from flint import arb
        >>> from sfumato.information.continuous import Uniform
        >>> Uniform(0, 1).survival(arb(0.25))
        0.750000000000000
        """


def rational(value: Number) -> fmpq:
    """Return a parameter as an exact rational of the ball-arithmetic library."""
    return as_fmpq(exact(value))


def is_distribution(value: object) -> bool:
    """Tell whether something is a distribution, and not the class of one."""
    return isinstance(value, ContinuousDistribution) and not isinstance(value, type)


def plain_number(value: Any, name: str) -> Number:
    """Return a parameter as an int, a float or a Fraction, so that ``==`` compares rationals.

    NumPy's narrow floats equal Python floats they do not denote.
    """
    if isinstance(value, str):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "{name} is text, not a number",
            "give an integer, a float or a Fraction",
            name=Argument(name),
        )
    number = exact(value, name)
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, (Rational, Decimal)):
        return number
    near = float(value)
    return near if near == number else number


def keep_exact(distribution: object, *names: str) -> None:
    """Replace the named parameters of a frozen distribution by plain numbers."""
    for name in names:
        object.__setattr__(distribution, name, plain_number(getattr(distribution, name), name))


def check_positive(value: Number, name: str) -> None:
    """Refuse a parameter that is not a finite number above zero."""
    if exact(value, name) <= 0:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{name} must be above 0, not {value}",
            "it is the spread of the distribution",
            name=Argument(name),
            value=shown(value),
        )
