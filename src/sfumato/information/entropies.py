"""How uncertain is a distribution: Shannon and Rényi entropy, conditional, joint and mutual."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.information.arrays import (
    arimoto_entropy,
    array_cross_entropy,
    array_entropy,
    in_base,
    log_cross_entropy,
    log_entropy,
    logarithm,
    nonnegative,
)
from sfumato.information.distribution import DistributionLike, as_distribution
from sfumato.information.joint import Joint, JointLike, Variables, as_joint
from sfumato.information.likelihood import matched
from sfumato.numeric import Ln, check_base, check_order, check_probability, is_exact

if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal
    from fractions import Fraction


def information_content(probability: float | Fraction | Decimal, *, base: float = 2) -> float:
    """Return how surprising an event is: minus the logarithm of its probability.

    Parameters
    ----------
    probability
        From 0 (infinitely surprising) to 1 (no surprise).
    base
        Of the logarithm: 2 gives bits, ``math.e`` nats.

    Examples
    --------
    >>> from sfumato.information import information_content
    >>> information_content(1 / 8)
    3.0
    """
    value, unit = check_probability(probability, "probability"), check_base(base)
    if value == 0:
        return math.inf
    if is_exact(value):
        return in_base(float(-Ln(value)), unit)
    return -float(logarithm(unit)(float(value))) + 0.0


def entropy(p: DistributionLike | Joint, *, order: float = 1, base: float = 2) -> float:
    """Return the Rényi entropy of a distribution; order 1 is Shannon's.

    ========  ===========  ======================================
    order     name         value
    ========  ===========  ======================================
    0         Hartley      log of the number of possible outcomes
    1         Shannon      -Σ p log p :cite:p:`shannon1948`
    2         collision    -log Σ p²
    ∞         min-entropy  -log max p
    other α   Rényi        log(Σ p^α) / (1 - α)
    ========  ===========  ======================================

    The family is Rényi's :cite:p:`renyi1961`.

    Parameters
    ----------
    p
        Probabilities (floats, Fractions) or counts (integers): an array, a column or a mapping.
    order
        0 or more; ``math.inf`` for the min-entropy.  The limits are exact.
    base
        Of the logarithm: 2 gives bits, ``math.e`` nats.

    Examples
    --------
    >>> from sfumato.information import entropy
    >>> entropy([1/2, 1/4, 1/8, 1/8])
    1.75
    >>> entropy({"flu": 3, "cold": 1}, order=2)  # counts
    0.6780719051126377
    """
    alpha, unit = check_order(order), check_base(base)
    if isinstance(p, Joint):
        return array_entropy(p.weights(), alpha, unit)
    given = as_distribution(p, "p")
    if given.underflows:
        return log_entropy(given, alpha, unit)
    return array_entropy(given.probabilities, alpha, unit)


def cross_entropy(p: DistributionLike, q: DistributionLike, *, base: float = 2) -> float:
    """Return the mean code length of outcomes of ``p`` under a code made for ``q``: -Σ p log q.

    Infinite where ``q`` excludes an outcome that ``p`` allows.

    Examples
    --------
    >>> from sfumato.information import cross_entropy
    >>> cross_entropy([1/2, 1/4, 1/8, 1/8], [1/4, 1/4, 1/4, 1/4])
    2.0
    """
    unit = check_base(base)
    left, right = matched(p, q)
    if right.underflows:
        return log_cross_entropy(left, right, unit)
    return array_cross_entropy(left.probabilities, right.probabilities, unit)


def joint_entropy(
    joint: JointLike, *, variables: Variables | None = None, order: float = 1, base: float = 2
) -> float:
    """Return the entropy of several variables together.

    Parameters
    ----------
    joint
        A Joint, an array with one axis a variable, or a mapping from tuples to numbers.
    variables
        Which variables; all of them by default.
    order, base
        As for `entropy`.

    Examples
    --------
    >>> from sfumato.information import joint_entropy
    >>> joint_entropy([[1, 1], [1, 1]])
    2.0
    >>> joint_entropy([[1, 1], [1, 1]], variables=0)
    1.0
    """
    table = as_joint(joint)
    axes = None if variables is None else table.axes(variables)
    return array_entropy(table.weights(axes), check_order(order), check_base(base))


def conditional_entropy(
    joint: JointLike,
    *,
    given: Variables,
    of: Variables | None = None,
    order: float = 1,
    base: float = 2,
) -> float:
    """Return what stays uncertain about some variables once others are known.

    Order 1 is Shannon's H(X|Y) = H(X, Y) - H(Y).  For other orders this is Arimoto's
    conditional entropy :cite:p:`arimoto1977`, the one under which knowing more never raises
    uncertainty and whose order ∞ is minus the logarithm of the best guess's chance.

    Parameters
    ----------
    joint
        A Joint, an array with one axis a variable, or a mapping from tuples to numbers.
    given
        The variable, or variables, that are known.
    of
        The variables asked about; all the others by default.
    order, base
        As for `entropy`.

    Examples
    --------
    >>> from sfumato.information import Joint, conditional_entropy
    >>> survey = Joint([[30, 10], [20, 40]], variables=["smoker", "ill"])
    >>> round(conditional_entropy(survey, given="smoker"), 6)
    0.875489
    """
    table = as_joint(joint)
    known = table.axes(given)
    asked = _others(table, known) if of is None else table.axes(of)
    both = [*known, *(axis for axis in asked if axis not in known)]
    part = table if len(both) == len(table.variables) else table.marginal(*_names(table, both))
    known = part.axes(_names(table, known))
    alpha, checked_base = check_order(order), check_base(base)
    if alpha == 1:
        whole = array_entropy(part.weights(), 1, checked_base)
        return nonnegative(whole - array_entropy(part.weights(known), 1, checked_base))
    return nonnegative(
        arimoto_entropy(part.weights(), part.groups(known), alpha) / math.log(checked_base)
    )


def mutual_information(
    joint: JointLike,
    *,
    between: tuple[Variables, Variables] | None = None,
    given: Variables = (),
    base: float = 2,
) -> float:
    """Return how much two groups of variables tell about each other, given others.

    Parameters
    ----------
    joint
        A Joint, an array with one axis a variable, or a mapping from tuples to numbers.
    between
        The two groups, each one variable or several; a joint of two variables needs none.
    given
        Variables that are known: I(X; Y | Z).
    base
        Of the logarithm: 2 gives bits, ``math.e`` nats.

    Examples
    --------
    >>> from sfumato.information import mutual_information
    >>> mutual_information([[1, 0], [0, 1]])
    1.0
    >>> mutual_information([[1, 1], [1, 1]])
    0.0
    """
    table = as_joint(joint)
    left, right = _two_groups(table, between)
    known = table.axes(given)
    value = check_base(base)

    def uncertainty(*groups: Sequence[int]) -> float:
        axes = sorted({axis for group in groups for axis in group})
        whole = len(axes) == len(table.variables)
        return array_entropy(table.weights(None if whole else axes), 1, value) if axes else 0.0

    return nonnegative(
        uncertainty(left, known)
        + uncertainty(right, known)
        - uncertainty(left, right, known)
        - uncertainty(known)
    )


def _two_groups(table: Joint, between: Any) -> tuple[list[int], list[int]]:
    if between is None:
        if len(table.variables) != 2:
            raise InputError(
                "E-ARGUMENT-MISSING",
                "the table has {count} variables",
                "say which two groups to compare: between=('x', 'y')",
                count=len(table.variables),
            )
        return [0], [1]
    if not isinstance(between, (tuple, list)) or len(between) != 2:
        raise InputError(
            "E-ARGUMENT-TYPE",
            "between takes two groups of variables, such as between=('x', ['y', 'z'])",
        )
    left, right = between
    return table.axes(left), table.axes(right)


def _others(table: Joint, known: Sequence[int]) -> list[int]:
    rest = [axis for axis in range(len(table.variables)) if axis not in known]
    if not rest:
        raise InputError(
            "E-ARGUMENT-CONFLICT",
            "every variable is given, so nothing is left to be uncertain about",
            "give fewer",
        )
    return rest


def _names(table: Joint, axes: Sequence[int]) -> list[Any]:
    return [table.variables[axis] for axis in axes]
