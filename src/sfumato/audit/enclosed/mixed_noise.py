"""Two mixtures of one noise around several whole numbers, exactly.

Beyond all of these numbers every part falls by the same factor from one outcome to the next.  So
the ratio of two such mixtures is the same on all of either side, and each side counts as one
outcome of a finite distribution with exact odds.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.audit.comparison import Comparison, Interval
from sfumato.audit.enclosed.forms import OddsShape, has
from sfumato.audit.exact.finite import compare_finite
from sfumato.errors import InputError
from sfumato.numeric import Exponentials

if TYPE_CHECKING:
    #: The probability of each part, and its log-odds.
    MixedShape = list[tuple[Fraction, OddsShape]]

#: Mixtures of numbers farther apart are not laid out.
_MOST_OUTCOMES = 1 << 10


def compare_mixed_noise(p: Any, q: Any, *, effort: int) -> Comparison | None:
    """Return the exact comparison; None where one is no such mixture, or is too wide.

    Parameters
    ----------
    p, q
        Distributions with a ``shape``, or mixtures (``parts``) of such, without a bend.
    effort
        The most bits that balls are refined to.
    """
    if not (_is_mixture(p) or _is_mixture(q)):
        return None
    one, other = _mixed_shape(p), _mixed_shape(q)
    shapes = [shape for _, shape in one + other]
    if not one or not other or len({each.family for each in shapes}) > 1:
        return None
    if any(each.period > 1 for each in shapes):
        raise InputError(
            "E-DISTRIBUTIONS-DIFFER",
            "mixtures of noise in stairs are not compared",
            "verify a mechanism with Laplace noise in its place",
        )
    low, high = min(each.core[0] for each in shapes), max(each.core[1] for each in shapes)
    if high - low > _MOST_OUTCOMES:
        return None
    return compare_finite(_odds(one, low, high), _odds(other, low, high), effort=effort)


def _is_mixture(distribution: Any) -> bool:
    """Tell whether a distribution has parts, each with an exact probability."""
    parts = getattr(distribution, "parts", None)
    return isinstance(parts, (list, tuple)) and all(
        isinstance(each, tuple) and len(each) == 2 and isinstance(each[0], Fraction)
        for each in parts
    )


def _mixed_shape(distribution: Any) -> MixedShape:
    """Return the parts of a mixture, none where one of them is of another form."""
    parts = distribution.parts if _is_mixture(distribution) else [(Fraction(1), distribution)]
    if not all(has(each, "shape") and not each.shape.bend for _, each in parts):
        return []
    return [(chance, each.shape) for chance, each in parts]


def _odds(parts: MixedShape, low: int, high: int) -> dict[Any, Exponentials]:
    """Return the odds of each number from one to another, and of all beyond on either side.

    All are multiplied by 1 - e^-fall, of which the sum of a tail is the inverse.
    """
    _, first = parts[0]
    step, rest = first.step, 1 - Exponentials.exp(-first.fall)
    inside = {k * step: rest * _at(parts, k) for k in range(low, high + 1)}
    below, above = Interval(None, (low - 1) * step), Interval((high + 1) * step, None)
    return {below: _at(parts, low - 1), **inside, above: _at(parts, high + 1)}


def _at(parts: MixedShape, k: int) -> Exponentials:
    return Exponentials.sum(Exponentials({shape.level(k): chance}) for chance, shape in parts)
