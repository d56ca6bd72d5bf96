"""Declarations that contradict the functions they are about, told by a few points."""

from __future__ import annotations

import math
from contextlib import suppress
from itertools import combinations
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError, NoEnclosureError
from sfumato.information.continuous.declared import Declared
from sfumato.information.continuous.declared_pair import DeclaredPair, single
from sfumato.numeric import any_float

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from flint import arb

    from sfumato.information.continuous.cells import Cell
    from sfumato.information.continuous.distributions import ContinuousDistribution

__all__ = ["refuse_contradictions"]

#: Each stretch between breakpoints is halved so often.
_HALVINGS = 3
#: Below it the logarithm of a density that was a float before has lost its digits.
_UNDERFLOW = -700


def refuse_contradictions(
    p: Declared | ContinuousDistribution, q: Declared | ContinuousDistribution
) -> None:
    """Refuse a pair of which the declaration and the functions cannot both be right.

    All that is used was declared: how far the functions may be from the truth, that ``log p/q``
    is monotone on a stretch, and that the functions belong to distributions with these supports.  A
    pair that passes may still be declared wrongly between the points that are looked at.
    """
    pair = DeclaredPair(p, q)
    stretches = [_parts(cell, _HALVINGS) for cell in pair.cells]
    points = [any_float(part.high) for parts in stretches for part in parts]
    declared = [each for each in (p, q) if isinstance(each, Declared)]
    for distribution in declared:
        _refuse_silence(distribution, points)
        _refuse_wrong_ends(distribution)
    for parts in stretches:
        if not pair.is_singular(parts[0]):
            with suppress(NoEnclosureError, OverflowError):
                seen = [part for part in parts if all(_is_seen(each, part) for each in declared)]
                _refuse_turns(pair, seen)
                _refuse_another_density(pair, seen)


def _parts(cell: Cell, halvings: int) -> list[Cell]:
    """Return a stretch cut into parts, in order."""
    parts = [cell]
    for _ in range(halvings):
        parts = [half for part in parts for half in part.split()]
    return parts


def _refuse_silence(distribution: Declared, points: Sequence[float]) -> None:
    """Refuse functions that give no number anywhere, which would be cut finer and finer."""
    low, high = distribution.support
    inside = [point for point in points if low < point < high]
    for name, function in (("cdf", distribution.cdf), ("log_density", distribution.log_density)):
        if inside and all(math.isnan(_value(function, point, name)) for point in inside):
            raise InputError(
                "E-FUNCTION-RESULT",
                "{name} gives no number at any of the {count} points that were tried between "
                "{min} and {max}",
                "give a function of a float that does, or declare the support",
                name=name,
                count=len(inside),
                min=min(inside),
                max=max(inside),
            )


def _value(function: Callable[[float], Any], point: float, name: str) -> float:
    """Return the number that a function gives at a point, NaN where it gives none."""
    try:
        given = function(point)
    except (ValueError, ArithmeticError):
        return math.nan
    return single(given, name)


def _is_seen(distribution: Declared, part: Cell) -> bool:
    """Tell whether a density is large enough for floats at the finite ends of a part."""
    ends = [float(end) for end in (part.low, part.high) if not isinstance(end, float)]
    return not any(
        _value(distribution.log_density, end, "log_density") < _UNDERFLOW for end in ends
    )


def _refuse_wrong_ends(distribution: Declared) -> None:
    """Refuse a distribution function that is not 0 and 1 at the ends of a finite support."""
    for end, due in zip(distribution.support, (0, 1), strict=True):
        point = any_float(end)
        if math.isinf(point) or point != end:
            continue
        value = _value(distribution.cdf, point, "cdf")
        if math.isfinite(value) and not distribution.blurred(value).contains(due):
            raise InputError(
                "E-DISTRIBUTION-INCONSISTENT",
                "the declaration contradicts the functions: cdf is {value:.6g} at {point}, "
                "an end of the support, and must be {due} there",
                "give a cdf that reaches it, or declare the support that the distribution has",
                value=value,
                point=point,
                due=due,
            )


def _refuse_turns(pair: DeclaredPair, parts: Sequence[Cell]) -> None:
    """Refuse a stretch on which the log-ratio surely rises somewhere and falls elsewhere."""
    ends = [end for part in parts for end in pair.at_ends(part)]
    known: list[arb] = [each for each in ends if each is not None]
    steps = list(combinations(known, 2))
    if any(one < other for one, other in steps) and any(one > other for one, other in steps):
        raise InputError(
            "E-DISTRIBUTION-INCONSISTENT",
            "the declaration contradicts the functions: log p/q both rises and falls "
            "from {low} to {high}",
            "declare its turns as breakpoints, and the limits that it has",
            **_ends(parts),
        )


def _refuse_another_density(pair: DeclaredPair, parts: Sequence[Cell]) -> None:
    """Refuse probabilities whose ratio lies outside all ratios of the densities."""
    for part in parts:
        (least, most), (p, q) = pair.log_ratio(part), pair.masses(part)
        if p > most.exp() * q or p < least.exp() * q:
            raise InputError(
                "E-DISTRIBUTION-INCONSISTENT",
                "the declaration contradicts the functions: the ratio of the probabilities "
                "that cdf gives from {low} to {high} is none that the densities have there",
                "give the cdf and the log_density of one distribution, and declare the turns as "
                "breakpoints",
                **_ends([part]),
            )


def _ends(parts: Sequence[Cell]) -> dict[str, float]:
    return {"low": any_float(parts[0].low), "high": any_float(parts[-1].high)}
