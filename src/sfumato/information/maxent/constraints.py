"""Constraints as frozen values: moments and marginals."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

from sfumato.errors import InputError

__all__ = ["Constraint", "Marginal", "Moment", "marginal", "moment"]


@dataclass(frozen=True)
class Moment:
    """The mean of a function of the outcome is a number, or lies between two.

    Examples
    --------
    >>> from sfumato.information import moment
    >>> moment("mean", lambda face: face, equals=4.5).name
    'mean'
    """

    name: str
    function: Callable[[Any], float] | tuple[float, ...]
    at_least: float
    at_most: float


@dataclass(frozen=True, eq=False)
class Marginal:
    """Some variables of a table have a known joint distribution.

    Examples
    --------
    >>> from sfumato.information import marginal
    >>> marginal(["age", "sex"], [[3, 1], [2, 2]]).name
    'age, sex'
    """

    name: str
    variables: tuple[Hashable, ...]
    table: Any


Constraint = Moment | Marginal


def moment(
    name: str,
    function: Callable[[Any], float] | Iterable[float],
    *,
    equals: float | None = None,
    at_least: float | None = None,
    at_most: float | None = None,
) -> Moment:
    """Return the constraint that the mean of a function equals a number, or has bounds.

    Parameters
    ----------
    name
        What to call it: in the multipliers, and where it contradicts others.
    function
        A function of an outcome, or one number an outcome.  On a table of several variables
        the outcome is a mapping from the variable to its value.
    equals
        The mean; or else give one or both bounds.
    at_least, at_most
        The bounds on the mean.

    Examples
    --------
    >>> from sfumato.information import maximum_entropy, moment
    >>> die = maximum_entropy(range(1, 7), [moment("mean", lambda face: face, at_least=4.5)])
    >>> die.distribution.probabilities.round(4)
    array([0.0544, 0.0788, 0.1142, 0.1654, 0.2398, 0.3475])
    """
    bounds = (equals, at_least, at_most)
    if (equals is None) == (at_least is None and at_most is None):
        message = (
            f"the moment {name!r} needs either equals=, or at_least= and at_most= or one of them"
        )
        raise InputError(message)
    if not all(each is None or _is_finite(each) for each in bounds):
        message = f"a bound of the moment {name!r} is not a finite number; give a number"
        raise InputError(message)
    held = function if callable(function) else tuple(function)
    if equals is not None:
        return Moment(name, held, float(equals), float(equals))
    low = -math.inf if at_least is None else float(at_least)
    high = math.inf if at_most is None else float(at_most)
    if low > high:
        message = f"the moment {name!r} is at least {low:g} and at most {high:g}; swap the two"
        raise InputError(message)
    return Moment(name, held, low, high)


def marginal(
    variables: Hashable | Sequence[Hashable], table: Any, *, name: str | None = None
) -> Marginal:
    """Return the constraint that some variables of a table have a known joint distribution.

    Parameters
    ----------
    variables
        One variable, or several.
    table
        Probabilities or integer counts: an array with one axis a variable, in the order of
        ``variables``, or a mapping from values (tuples of values where there are several
        variables) to numbers, in which a missing combination has probability 0.
    name
        What to call it; the names of the variables by default.

    Examples
    --------
    >>> from sfumato.information import marginal, maximum_entropy
    >>> both = maximum_entropy(
    ...     {"sex": ["F", "M"], "smoker": ["yes", "no"]},
    ...     [marginal("sex", {"F": 3, "M": 1}), marginal("smoker", [0.2, 0.8])],
    ... )
    >>> both.table.round(3)
    array([[0.15, 0.6 ],
           [0.05, 0.2 ]])
    """
    alone = isinstance(variables, str) or not isinstance(variables, Sequence)
    names = (variables,) if alone else tuple(variables)  # type: ignore[arg-type]
    if not names or len(set(names)) < len(names):
        message = "a marginal needs one or more variables, each named once"
        raise InputError(message)
    return Marginal(", ".join(map(str, names)) if name is None else name, names, table)


def _is_finite(value: Any) -> bool:
    return not isinstance(value, bool) and isinstance(value, Real) and math.isfinite(value)
