"""A mass between two points of a lattice: split, on the chord, and merged with its neighbours."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from tests.proofs.finite import NEARLY, ONE
from tests.proofs.inequalities import prove, prove_equal

#: Losses by their exponentials: e^a, e^b, and e^x between.
LOW = [Fraction(1, 3), ONE, Fraction(5, 2)]
STEPS = [Fraction(11, 10), Fraction(2)]
WAYS = [Fraction(0), Fraction(1, 7), Fraction(1, 2), ONE]


def share(low: Fraction, high: Fraction, x: Fraction) -> Fraction:
    """What the right end gets."""
    return (1 - low / x) / (1 - low / high)


def cells() -> list[tuple[Fraction, Fraction, Fraction]]:
    found = []
    for low, step, way in product(LOW, STEPS, WAYS):
        high = low * step
        found.append((low, high, low + way * (high - low)))
    return found


def test_cell_split() -> None:
    """The twin splits in proportion to the way in e^x."""

    def kept(low: Fraction, high: Fraction, x: Fraction, right: Fraction) -> Fraction:
        return right / high + (1 - right) / low

    prove_equal(
        cells(),
        lambda _low, _high, x: 1 / x,
        lambda low, high, x: kept(low, high, x, share(low, high, x)),
        twin=lambda low, high, x: kept(low, high, x, (x - low) / (high - low)),
    )


def test_cell_chord() -> None:
    def chord(low: Fraction, high: Fraction, x: Fraction, t: Fraction) -> Fraction:
        return share(low, high, x) * (1 - t / high)

    prove(
        (
            (low, high, x, low + way * (high - low))
            for (low, high, x), way in product(cells(), WAYS)
        ),
        lambda _low, _high, x, t: max(1 - t / x, Fraction(0)),
        chord,
        twin=lambda *point: NEARLY * chord(*point),
    )


def test_cell_corner() -> None:
    """Of end masses l and r; the corner is at the ratio of the cell's P-mass to its Q-mass."""
    masses = [Fraction(1, 10), ONE, Fraction(7)]

    def deep(left: Fraction, right: Fraction, low: Fraction, high: Fraction) -> Fraction:
        corner = (left + right) / (left / low + right / high)
        return right * (1 - corner / high)

    def said(left: Fraction, right: Fraction, low: Fraction, high: Fraction) -> Fraction:
        fall = low / high
        return (1 - fall) * left * right / (left + fall * right)

    prove_equal(
        (
            (left, right, low, low * step)
            for left, right, low, step in product(masses, masses, LOW, STEPS)
        ),
        deep,
        said,
        twin=lambda left, right, low, high: (1 - low / high) * left * right / (left + right),
    )
