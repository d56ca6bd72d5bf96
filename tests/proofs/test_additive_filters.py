"""Means over all paths of an analyst who chooses by what came before, and stops by it."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

from sfumato.numeric import as_ball
from sfumato.privacy import ApproxDP
from sfumato.privacy.filters import AdvancedFilter
from tests.proofs.analysts import STRATEGIES, Strategy, growth
from tests.proofs.finite import NEARLY, ONE, ZERO
from tests.proofs.inequalities import prove, prove_equal

if TYPE_CHECKING:
    from flint import arb


def stopped_mean(strategy: Strategy, order: int, most: int) -> Fraction:
    """The mean of e^((α-1)(L - R)) over all paths of at most so many steps."""

    def mean(loss: Fraction, known: Fraction, step: int) -> Fraction:
        factor = strategy(loss, step) if step < most else ONE
        if factor == 1:
            return loss ** (order - 1) / known
        after = known * growth(factor, order)
        up, down = mean(loss * factor, after, step + 1), mean(loss / factor, after, step + 1)
        return (factor * up + down) / (factor + 1)

    return mean(ONE, ONE, 0)


def test_stopped_mean() -> None:
    """For randomized response it is 1 on the nose, however the steps are chosen."""
    prove(
        product(STRATEGIES, [2, 3, 7], [1, 4, 8]),
        stopped_mean,
        lambda _strategy, _order, _most: ONE,
        twin=lambda _strategy, _order, _most: NEARLY,
    )


def test_the_mean_of_a_cleverly_ended_game_is_more_where_steps_are_not_paid_for() -> None:
    """Without R the mean grows: that is what has to be paid."""
    unpaid = stopped_mean(STRATEGIES[0], 2, 4) * growth(Fraction(3, 2), 2) ** 4
    assert unpaid > 1


SLACKS = [Fraction(1, 10**9), Fraction(1, 100)]
BUDGETS = [Fraction(1, 10), ONE, Fraction(20)]


def spread(slack: Fraction) -> arb:
    return -2 * as_ball(slack).log()


def test_advanced_condition() -> None:
    def left(total: Fraction, slack: Fraction) -> arb:
        rho = as_ball(total / 2)
        return rho + 2 * (rho * spread(slack) / 2).sqrt()

    def right(total: Fraction, slack: Fraction, drift: Fraction) -> arb:
        return (spread(slack) * as_ball(total)).sqrt() + as_ball(drift * total)

    prove_equal(
        product(BUDGETS, SLACKS),
        left,
        lambda total, slack: right(total, slack, Fraction(1, 2)),
        twin=lambda total, slack: right(total, slack, ZERO),
    )


def test_advanced_limit() -> None:
    """The filter admits one pure step of that ε, and none that is greater by a hundredth."""

    def root(epsilon: Fraction, slack: Fraction) -> arb:
        start, level = spread(slack), as_ball(epsilon)
        return 2 * level / ((start + 2 * level).sqrt() + start.sqrt())

    def spent(epsilon: Fraction, slack: Fraction, share: Fraction) -> arb:
        found = root(epsilon, slack) * as_ball(share)
        return spread(slack).sqrt() * found + found * found / 2

    for epsilon, slack in product(BUDGETS, SLACKS):
        left = AdvancedFilter(ApproxDP(epsilon=epsilon, delta=slack)).remaining()
        exact = root(epsilon, slack)
        assert exact * as_ball(NEARLY) < as_ball(left.exact_epsilon) <= exact
    prove_equal(
        product(BUDGETS, SLACKS),
        lambda epsilon, slack: spent(epsilon, slack, ONE),
        lambda epsilon, _slack: epsilon,
        twin=lambda epsilon, slack: spent(epsilon, slack, NEARLY),
    )
