"""Report noisy max: how far thresholds move, tails of Laplace noise, and the ratio."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

import sfumato as sf
from sfumato.information import continuous
from sfumato.numeric import as_ball
from tests.proofs.inequalities import prove
from tests.proofs.test_exponential_mechanism import EPSILON, moves

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flint import arb

ALMOST = Fraction(99, 100)
#: Noise of the other candidates.
NOISE = [(Fraction(0), Fraction(0)), (Fraction(7, 2), Fraction(-1, 3)), (Fraction(-5), Fraction(2))]


def test_noisy_max_threshold() -> None:
    """In units of Δ = 1; the twin allows everybody what monotone utilities move by."""

    def threshold(utilities: Sequence[int], noise: Sequence[Fraction]) -> Fraction:
        noisy = [u + z for u, z in zip(utilities[1:], noise, strict=True)]
        return max(noisy) - utilities[0]

    def moved(
        _monotone: bool,  # noqa: FBT001
        utilities: Sequence[int],
        by: Sequence[int],
        noise: Sequence[Fraction],
    ) -> Fraction:
        after = [u + each for u, each in zip(utilities, by, strict=True)]
        return threshold(after, noise) - threshold(utilities, noise)

    prove(
        ((*case, noise) for case in moves() for noise in NOISE),
        moved,
        lambda monotone, *_: 1 if monotone else 2,
        twin=lambda *_: 1,
    )


def test_noisy_max_tail() -> None:
    def above(at: Fraction, scale: Fraction) -> arb:
        return continuous.Laplace(0, scale).survival(as_ball(at))

    places = [Fraction(each, 3) for each in (-30, -4, -1, 0, 1, 20)]
    prove(
        product(places, [Fraction(0), Fraction(1, 2), Fraction(7)], [Fraction(1, 2), Fraction(3)]),
        lambda at, _shift, scale: above(at, scale),
        lambda at, shift, scale: as_ball(shift / scale).exp() * above(at + shift, scale),
        twin=lambda at, shift, scale: (
            as_ball(ALMOST * shift / scale).exp() * above(at + shift, scale)
        ),
    )


def test_noisy_max_ratio() -> None:
    """The twin claims nine tenths of ε; with few candidates all of it is only neared."""

    def chance(monotone: bool, utilities: Sequence[int], c: int) -> arb:  # noqa: FBT001
        choice = sf.mechanisms.ReportNoisyMax(epsilon=EPSILON, sensitivity=1, monotone=monotone)
        return choice.distribution(utilities).ball(c)

    def moved(utilities: Sequence[int], by: Sequence[int]) -> list[int]:
        return [u + each for u, each in zip(utilities, by, strict=True)]

    prove(
        ((*case, c) for case in moves() for c in range(3)),
        lambda monotone, utilities, _by, c: chance(monotone, utilities, c),
        lambda monotone, utilities, by, c: (
            as_ball(EPSILON).exp() * chance(monotone, moved(utilities, by), c)
        ),
        twin=lambda monotone, utilities, by, c: (
            as_ball(ALMOST * EPSILON).exp() * chance(monotone, moved(utilities, by), c)
        ),
    )
