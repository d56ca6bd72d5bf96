"""Smooth sensitivity: weights, spreads, and how densities change with centre and scale."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice, product
from typing import TYPE_CHECKING

import numpy as np

from sfumato.mechanisms import SmoothMedian
from sfumato.mechanisms.estimators.smooth_median import SortedColumn, decays
from sfumato.numeric import as_ball
from tests.proofs.inequalities import prove

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flint import arb

    Column = tuple[int, ...]

ALMOST = Fraction(99, 100)
BETAS = [Fraction(1, 20), Fraction(1, 2), Fraction(3)]
LOW, HIGH = 0, 5
POINTS = [Fraction(each, 4) for each in range(-60, 61)]


def made(column: Column) -> SortedColumn:
    return SortedColumn(np.sort(np.array(column, dtype=np.int64)), LOW, HIGH)


def neighbours() -> Iterator[tuple[Column, Column]]:
    """All columns of one to three values out of four, and those with another first value."""
    for size in (1, 2, 3):
        for column in product((0, 1, 3, 5), repeat=size):
            yield from ((column, (new, *column[1:])) for new in (0, 1, 3, 5))


def test_smooth_weights() -> None:
    weights = {beta: list(islice(decays(beta), 200)) for beta in BETAS}
    prove(
        product(BETAS, range(199)),
        lambda beta, k: weights[beta][k],
        lambda beta, k: as_ball(beta).exp() * weights[beta][k + 1],
        twin=lambda beta, k: as_ball(ALMOST * beta).exp() * weights[beta][k + 1],
    )


def test_smooth_move() -> None:
    prove(
        neighbours(),
        lambda one, other: abs(made(one).median - made(other).median),
        lambda one, _: made(one).spread(0),
        twin=lambda one, _: ALMOST * made(one).spread(0),
    )


def test_smooth_spread() -> None:
    """The twin forgets that a change may take a step of the distance."""
    prove(
        ((*pair, k) for pair in neighbours() for k in range(5)),
        lambda one, _, k: made(one).spread(k),
        lambda _, other, k: made(other).spread(k + 1),
        twin=lambda _, other, k: made(other).spread(k),
    )


def test_smooth_bound() -> None:
    prove(
        ((beta, *pair) for beta in BETAS for pair in neighbours()),
        lambda beta, one, _: made(one).smooth_bound(beta),
        lambda beta, _, other: as_ball(beta).exp() * as_ball(made(other).smooth_bound(beta)),
        twin=lambda beta, _, other: (
            as_ball(ALMOST * beta).exp() * as_ball(made(other).smooth_bound(beta))
        ),
    )


def test_smooth_cauchy_centre() -> None:
    """The points include the one at which the ratio is greatest, for a rational s."""

    def ratio(z: Fraction, s: Fraction) -> Fraction:
        return (1 + (z + s) ** 2) / (1 + z**2)

    def greatest(s: Fraction) -> arb:
        return (2 * (as_ball(s) / 2).asinh()).exp()

    #: s = 2 sinh(λ) is 3/2 for e^λ = 2, where the ratio is greatest at z = 1/2.
    moves = [Fraction(1, 10), Fraction(3, 2), Fraction(4)]
    for s in moves:
        assert greatest(s) <= as_ball(s).exp()
    prove(
        product(POINTS, moves),
        ratio,
        lambda _, s: greatest(s),
        twin=lambda _, s: as_ball(ALMOST) * greatest(s),
    )


def test_smooth_cauchy_scale() -> None:
    def loss(z: Fraction, dilation: Fraction) -> arb:
        factor, square = as_ball(dilation).exp(), as_ball(z * z)
        return abs((factor * (1 + square) / (factor * factor + square)).log())

    prove(
        product(POINTS, [Fraction(-2), Fraction(-1, 3), Fraction(1, 100), Fraction(1)]),
        loss,
        lambda _, dilation: abs(dilation),
        twin=lambda _, dilation: ALMOST * abs(dilation),
    )


def dilated(half: Fraction, beta: Fraction) -> arb:
    """e^{-z}(1 - e^{-β}) at z = (ε/2 + β)/(e^β - 1)."""
    point = as_ball(half + beta) / as_ball(beta).expm1()
    return (-point).exp() * -as_ball(-beta).expm1()


def test_smooth_laplace_scale() -> None:
    """Each term of the maximum, for dilations up to β; the crossing of β itself among them."""

    def term(half: Fraction, beta: Fraction, share: Fraction, at: Fraction | None) -> arb:
        dilation = share * beta
        crossing = as_ball(half + dilation) / as_ball(dilation).expm1()
        z = crossing if at is None else as_ball(at)
        return (-z).exp() - (as_ball(half) - z * as_ball(dilation).exp()).exp()

    cases = [
        (Fraction(1, 2), Fraction(1, 30)),
        (Fraction(1), Fraction(1, 2)),
        (Fraction(2), Fraction(2)),
    ]
    places = [None, *(each for each in POINTS if each >= 0)]
    prove(
        (
            (*case, share, at)
            for case, share, at in product(cases, [Fraction(1, 9), Fraction(1)], places)
        ),
        term,
        lambda half, beta, *_: dilated(half, beta),
        twin=lambda half, beta, *_: as_ball(ALMOST) * dilated(half, beta),
    )


def test_smooth_beta() -> None:
    """What the mechanism takes; a β greater by a hundredth would not do."""
    cases = [
        (Fraction(1, 2), Fraction(1, 10**6)),
        (Fraction(2), Fraction(1, 100)),
        (Fraction(8), Fraction(1, 10**9)),
    ]
    betas = {
        case: SmoothMedian(epsilon=case[0], delta=case[1], bounds=(0, 1)).beta for case in cases
    }
    assert all(beta <= epsilon / 2 for (epsilon, _), beta in betas.items())
    prove(
        [(dilated(case[0] / 2, betas[case]), case[1]) for case in cases],
        lambda lost, _: lost,
        lambda _, delta: delta,
        twin=lambda _, delta: ALMOST * delta,
    )
