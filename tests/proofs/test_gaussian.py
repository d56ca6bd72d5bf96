"""Gaussian noise: its curve, that it grows with the move, and the classical calibration."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

from flint import acb, arb

from sfumato.numeric import as_ball
from tests.proofs.inequalities import prove, prove_equal

if TYPE_CHECKING:
    from collections.abc import Callable

EPSILONS = [Fraction(0), Fraction(1, 10), Fraction(1), Fraction(4)]
MOVES = [Fraction(1, 8), Fraction(1, 2), Fraction(1), Fraction(3)]
#: Beyond so many deviations there is less than the slack.
FAR = 60
FINE, TINY = arb(2) ** -200, arb(2) ** -2000


def upper(at: arb) -> arb:
    """1 - Φ."""
    return (at / arb(2).sqrt()).erfc() / 2


def curve(epsilon: Any, move: Any) -> arb:
    """δ(ε, μ), by Φ."""
    level, mu = as_ball(epsilon), as_ball(move)
    return upper(level / mu - mu / 2) - level.exp() * upper(mu / 2 + level / mu)


def density(at: acb) -> acb:
    return (-at * at / 2).exp() / (2 * acb.pi()).sqrt()


def test_gaussian_curve() -> None:
    def integral(epsilon: Fraction, move: Fraction) -> arb:
        level, mu = acb(as_ball(epsilon)), acb(as_ball(move))
        start = level / mu - mu / 2

        def excess(z: acb, _analytic: bool) -> acb:  # noqa: FBT001 - as it is called
            return density(z) - level.exp() * density(z + mu)

        return acb.integral(excess, start, start + FAR, rel_tol=FINE, abs_tol=TINY).real

    prove_equal(
        product(EPSILONS, MOVES),
        integral,
        curve,
        twin=lambda epsilon, move: curve(epsilon, move * Fraction(99, 100)),
    )


def test_gaussian_monotone() -> None:
    prove(
        (
            (epsilon, *pair)
            for epsilon in EPSILONS
            for pair in product(MOVES, repeat=2)
            if pair[0] <= pair[1]
        ),
        lambda epsilon, shorter, _longer: curve(epsilon, shorter),
        lambda epsilon, _shorter, longer: curve(epsilon, longer),
        twin=lambda epsilon, _shorter, longer: curve(epsilon, longer * Fraction(99, 100)),
    )


def test_gaussian_tail() -> None:
    def bound(at: Fraction) -> arb:
        return as_ball(-at * at / 2).exp() / 2

    prove(
        [(Fraction(each, 16),) for each in range(200)],
        lambda at: upper(as_ball(at)),
        bound,
        twin=lambda at: bound(at) * as_ball(Fraction(99, 100)),
    )


def test_gaussian_classical() -> None:
    """Also where δ is near 1 and the deviations c are near their least, √(2 ln 1.25)."""

    def needed(epsilon: Fraction, delta: Fraction) -> arb:
        deviations = (2 * as_ball(Fraction(5, 4) / delta).log()).sqrt()
        level = as_ball(epsilon)
        return curve(epsilon, level / deviations)

    def with_constant(constant: Fraction) -> Callable[[Fraction, Fraction], arb]:
        """The noise is as before; less is claimed of it."""
        return lambda _epsilon, delta: as_ball(delta * constant / Fraction(5, 4))

    epsilons = [Fraction(1, 1000), Fraction(1, 2), Fraction(9, 10), Fraction(1)]
    deltas = [Fraction(1, 10**30), Fraction(1, 10**6), Fraction(1, 20), Fraction(1, 2)]
    prove(
        product(epsilons, [*deltas, Fraction(9, 10), Fraction(999, 1000)]),
        needed,
        with_constant(Fraction(5, 4)),
        twin=with_constant(Fraction(1, 5)),
    )


def test_the_classical_steps_hold_where_the_tail_bound_does_not() -> None:
    """t < 0 only where c² < 1/2, and then t > -0.09: both are decided at their ends."""
    least = (2 * as_ball(Fraction(5, 4)).log()).sqrt()
    assert least - 1 / (2 * least) > as_ball(Fraction(-9, 100))
    assert upper(as_ball(Fraction(-9, 100))) < as_ball(Fraction(6, 10))
    assert as_ball(Fraction(6, 10)) < as_ball(Fraction(5, 4)) * as_ball(Fraction(-1, 4)).exp()
    assert as_ball(Fraction(1, 2)).exp() / 2 < as_ball(Fraction(5, 4))
