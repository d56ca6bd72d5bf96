"""What the proofs display, decided on a grid of parameters: in balls or rationals, with a twin."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from flint import arb

from sfumato.numeric import as_ball, working_precision

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Side = Callable[..., arb | Fraction | int]

BITS = 256
#: What equality up to the rounding of balls may come to, of the larger side.
SLACK = arb(2) ** -160


def prove(points: Iterable[tuple[Any, ...]], left: Side, right: Side, *, twin: Side) -> None:
    """Decide that left ≤ right at every point, and that left ≤ twin is false at one of them."""
    tried = list(points)
    assert tried
    with working_precision(BITS):
        assert [point for point in tried if not at_most(left(*point), right(*point))] == []
        assert any(is_more(left(*point), twin(*point)) for point in tried)


def prove_equal(points: Iterable[tuple[Any, ...]], left: Side, right: Side, *, twin: Side) -> None:
    """Decide that left = right up to slack at every point, and that the twin is not at one."""
    tried = list(points)
    assert tried
    with working_precision(BITS):
        assert [point for point in tried if not alike(left(*point), right(*point))] == []
        assert not all(alike(left(*point), twin(*point)) for point in tried)


def at_most(left: Any, right: Any) -> bool:
    """Whether one number is at most another, for certain, or exceeds it by no more than slack."""
    if isinstance(left, (Fraction, int)) and isinstance(right, (Fraction, int)):
        return left <= right
    low, high = as_ball(left), as_ball(right)
    return bool(low <= high + abs(high) * SLACK)


def is_more(left: Any, right: Any) -> bool:
    """Whether one number is above another, for certain."""
    return bool(as_ball(left) > as_ball(right))


def alike(left: Any, right: Any) -> bool:
    """Whether two numbers are equal, for certain up to slack."""
    return at_most(left, right) and at_most(right, left)
