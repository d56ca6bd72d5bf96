"""Distributions in general: what they say of a probability lies within 0 and 1, and informs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from flint import arb

from sfumato.mechanisms import FiniteDistribution
from sfumato.numeric import Enclosure, as_ball

if TYPE_CHECKING:
    from collections.abc import Callable

THIRD = 1 / 3


@pytest.mark.parametrize(
    ("ball", "found"),
    [
        (arb("nan"), Enclosure(0.0, 1.0)),
        (arb(0, arb("inf")), Enclosure(0.0, 1.0)),
        (arb(0.5, 2), Enclosure(0.0, 1.0)),
        (arb(0, 0.25), Enclosure(0.0, 0.25)),
        (arb(1, 0.25), Enclosure(0.75, 1.0)),
        (arb(0), Enclosure(0.0, 0.0)),
        (arb(1), Enclosure(1.0, 1.0)),
    ],
)
def test_a_probability_lies_within_zero_and_one(ball: arb, found: Enclosure) -> None:
    distribution = FiniteDistribution(["only"], [lambda: ball])
    assert distribution.probability("only").lower == pytest.approx(found.lower, abs=1e-9)
    assert distribution.probability("only").upper == pytest.approx(found.upper, abs=1e-9)
    assert 0 <= distribution.cdf("only").lower <= distribution.cdf("only").upper <= 1


def cancelling(bits: int) -> Callable[[], arb]:
    """Return a third, computed with so many bits of cancellation."""
    return lambda: (as_ball(1) / 3 + arb(2) ** bits) - arb(2) ** bits


@pytest.mark.parametrize("bits", [0, 100, 300, 1500])
def test_more_digits_are_taken_where_the_first_are_lost(bits: int) -> None:
    distribution = FiniteDistribution(["only"], [cancelling(bits)])
    assert THIRD in distribution.probability("only")
    assert distribution.probability("only").width < 1e-15
    assert distribution.cdf("only") == distribution.probability("only")
