"""Constraints as frozen values: moments and marginals."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from numbers import Real
from typing import Any

from sfumato.errors import InputError
from sfumato.information.validate import split_labels
from sfumato.refusal import text

_COEFFICIENTS = (
    "give a function of the outcome, or one number an outcome in the order of the support"
)


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
    function: Callable[[Any], float] | tuple[Number, ...]
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
Number = float | Fraction | Decimal


def moment(
    name: str,
    function: Callable[[Any], float] | Iterable[Number],
    *,
    equals: Number | None = None,
    at_least: Number | None = None,
    at_most: Number | None = None,
) -> Moment:
    """Return the constraint that the mean of a function equals a number, or has bounds.

    Parameters
    ----------
    name
        What to call it: in the multipliers, and where it contradicts others.
    function
        A function of an outcome, or one number an outcome, in the order of the support.  On a
        table of several variables the outcome is a mapping from the variable to its value.
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
    _check_name(name)
    if (equals is None) == (at_least is None and at_most is None):
        raise InputError(
            "E-ARGUMENT-CONFLICT",
            "the moment {name!r} needs either equals=, or at_least= and at_most= or one of them",
            name=name,
        )
    held = function if callable(function) else _coefficients(function, name)
    if equals is not None:
        at_least = at_most = equals
    low = -math.inf if at_least is None else _bound(at_least, name)
    high = math.inf if at_most is None else _bound(at_most, name)
    if low > high:
        raise InputError(
            "E-BOUNDS-ORDER",
            "the moment {name!r} is at least {low:g} and at most {high:g}",
            "swap the two",
            name=name,
            low=low,
            high=high,
        )
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
        variables) to numbers, in which a missing combination has probability 0.  The labels of
        a column or frame are values: its index of the first variable, its columns of the second.
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
    called = ", ".join(map(str, names)) if name is None else name
    _check_name(called)
    if not names or not _are_distinct(names):
        raise InputError(
            "E-ARGUMENT-EMPTY",
            "a marginal needs one or more variables, each named once",
            'write marginal("x", ...) or marginal(["x", "y"], ...)',
        )
    return Marginal(called, names, table)


def as_constraints(given: Constraint | Iterable[Constraint]) -> tuple[Constraint, ...]:
    """Return one constraint, or several, as a tuple; refuse names that repeat."""
    alone = isinstance(given, (Moment, Marginal)) or not isinstance(given, Iterable)
    listed: tuple[Any, ...] = (given,) if alone else tuple(given)  # type: ignore[arg-type]
    if not all(isinstance(each, (Moment, Marginal)) for each in listed):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "a constraint is made by moment(...) or marginal(...)",
            "give one or a list of them",
        )
    names = [each.name for each in listed]
    if len(set(names)) < len(names):
        repeated = next(name for name in names if names.count(name) > 1)
        raise InputError(
            "E-ARGUMENT-TWICE",
            "two constraints are called {repeated!r}",
            "give each its own name",
            repeated=repeated,
        )
    return listed


def _check_name(name: Any) -> None:
    if not isinstance(name, str):
        raise InputError("E-ARGUMENT-TYPE", 'the name of a constraint must be text, such as "mean"')


def _are_distinct(names: tuple[Hashable, ...]) -> bool:
    try:
        return len(set(names)) == len(names)
    except TypeError:
        return False


def _coefficients(values: Any, name: str) -> tuple[Number, ...]:
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "the moment {name!r} is neither of a function nor of a list of numbers",
            _COEFFICIENTS,
            name=name,
        )
    if split_labels(values, text("the moment {name!r}", name=name))[0] is not None:
        raise InputError(
            "E-ARGUMENT-TYPE",
            "the numbers of the moment {name!r} are labelled",
            _COEFFICIENTS,
            name=name,
        )
    return tuple(values)


def _bound(value: Any, name: str) -> float:
    number = math.nan
    if isinstance(value, (Real, Decimal)) and not isinstance(value, bool):
        try:
            number = float(value)
        except (OverflowError, ValueError):
            number = math.nan
    if not math.isfinite(number):
        raise InputError(
            "E-NUMBER-NOT-FINITE",
            "a bound of the moment {name!r} is not a finite number in the range of floats",
            "give such a number",
            name=name,
        )
    return number
