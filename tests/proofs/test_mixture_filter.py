"""Mixtures over orders: their mean, what the filter admits, and how often they ever get great."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

from flint import arb

from sfumato.numeric import Ln, as_ball
from sfumato.privacy import ApproxDP, events
from sfumato.privacy.filters import MixtureFilter, Odometer
from tests.proofs.analysts import STRATEGIES, Strategy, growth
from tests.proofs.finite import NEARLY, ONE, ZERO
from tests.proofs.inequalities import prove

if TYPE_CHECKING:
    from sfumato.privacy.filters.mixture import MartingaleMixture

#: Orders and weights.
MIXTURE = [(2, Fraction(1, 2)), (3, Fraction(1, 4)), (6, Fraction(1, 4))]

Sums = tuple[Fraction, ...]


def value(loss: Fraction, known: Sums) -> Fraction:
    """M: from e^L, and e^((α-1)R) at each order."""
    orders = zip(MIXTURE, known, strict=True)
    return sum((w * loss ** (order - 1) / paid for (order, w), paid in orders), ZERO)


def mean(strategy: Strategy, most: int, stop: Fraction | None) -> Fraction:
    """The mean of M where it ends; or how likely it ever reaches ``stop``."""

    def at(loss: Fraction, known: Sums, step: int) -> Fraction:
        here = value(loss, known)
        if stop is not None and here >= stop:
            return ONE
        factor = strategy(loss, step) if step < most else ONE
        if factor == 1:
            return here if stop is None else ZERO
        paid = tuple(
            each * growth(factor, order) for (order, _), each in zip(MIXTURE, known, strict=True)
        )
        up, down = at(loss * factor, paid, step + 1), at(loss / factor, paid, step + 1)
        return (factor * up + down) / (factor + 1)

    return at(ONE, (ONE,) * len(MIXTURE), 0)


def test_mixture_mean() -> None:
    prove(
        product(STRATEGIES, [1, 4, 8]),
        lambda strategy, most: mean(strategy, most, None),
        lambda _strategy, _most: ONE,
        twin=lambda _strategy, _most: NEARLY,
    )


def test_ville() -> None:
    """Three quarters of it would be too little."""
    prove(
        product(STRATEGIES, [4, 7], [Fraction(9, 10), Fraction(2, 3), Fraction(1, 10)]),
        lambda strategy, most, delta: mean(strategy, most, 1 / delta),
        lambda _strategy, _most, delta: delta,
        twin=lambda _strategy, _most, delta: delta * Fraction(3, 4),
    )


EPSILON, DELTA = Fraction(1), Fraction(1, 10**6)


def admitted() -> list[tuple[MartingaleMixture, list[arb]]]:
    """The mixture of a budget that is as full as may be, and its sums of divergences."""
    found = []
    kinds = [
        events.Gaussian(sigma=40),
        events.Laplace(scale=100),
        events.Subsampled(events.Gaussian(sigma=2), rate="1/100"),
    ]
    for event in kinds:
        budget = MixtureFilter(ApproxDP(epsilon=EPSILON, delta=DELTA))
        budget.admit(events.Repeated(event, count=budget.remaining_count(event) or 1))
        sums = [amount.ball() for amount in budget.state.amounts[2:]]
        found.append((budget.mixture, sums))
    return found


def rule(mixture: MartingaleMixture, sums: list[arb], loss: arb) -> arb:
    terms = zip(mixture.orders, mixture.weights, sums, strict=True)
    return sum(
        (
            as_ball(w) * (as_ball(order - 1) * (loss - paid)).exp()
            for order, w, paid in terms
            if paid.is_finite()
        ),
        arb(0),
    )


def test_mixture_point() -> None:
    """With a tenth less of δ, some loss would break the condition."""
    losses = [EPSILON + Fraction(each, 200) for each in range(201)]

    def right(found: int, loss: Fraction, delta: Fraction) -> arb:
        return as_ball(delta) * rule(*full[found], as_ball(loss))

    full = admitted()
    prove(
        product(range(len(full)), losses),
        lambda _found, loss: -as_ball(EPSILON - loss).expm1(),
        lambda found, loss: right(found, loss, DELTA),
        twin=lambda found, loss: right(found, loss, DELTA * Fraction(9, 10)),
    )


def test_mixture_tangent() -> None:
    """Of two exponentials that rise and one that falls, from several points where it rises."""

    def curve(u: Fraction) -> arb:
        rising = as_ball(u / 2).exp() / 5 + as_ball(3 * u).exp() / 100
        return rising + as_ball(-u).exp() - 1

    def slope(u: Fraction) -> arb:
        rising = as_ball(u / 2).exp() / 10 + 3 * as_ball(3 * u).exp() / 100
        return rising - as_ball(-u).exp()

    places = [Fraction(4, 5), Fraction(1), Fraction(3, 2)]
    assert all(slope(v) >= 0 for v in places)
    prove(
        product(places, [Fraction(each, 8) for each in range(25)]),
        lambda v, _u: curve(v) - as_ball(v) * slope(v),
        lambda _v, u: curve(u),
        twin=lambda _v, u: curve(u) - as_ball(Fraction(1, 20)),
    )


def test_the_odometer_reads_where_the_mixture_reaches_one_over_delta() -> None:
    odometer = Odometer(delta=DELTA)
    odometer.spend(events.Repeated(events.Gaussian(sigma=40), count=60))
    found = odometer.epsilon()
    sums = [as_ball(order * Fraction(60, 2 * 40**2)) for order in odometer.mixture.orders]
    over = rule(odometer.mixture, sums, as_ball(found)) * as_ball(DELTA)
    assert over >= 1
    assert over < arb("1.000001")
    assert odometer.epsilon() < 60 * float(Ln(2))
