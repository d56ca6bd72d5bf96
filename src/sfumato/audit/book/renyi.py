"""Rényi differential privacy: its composition, and what it implies for (ε, δ)."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from sfumato.audit.book.densities import gaussian_sum
from sfumato.audit.book.statement import BookStatement, ClaimedMechanism, answer, check_claims
from sfumato.audit.exact.datasets import Datasets
from sfumato.audit.exact.programs import unroll
from sfumato.audit.verification import verify
from sfumato.numeric import Ln
from sfumato.privacy.theorems import renyi_to_epsilon
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Callable

_TABLES = Datasets([0, 1], size=2)
_ORDER = Fraction(2)
_TRUTHS = (Fraction(2, 3), Fraction(3, 4), Fraction(3, 5), Fraction(4, 5))


def _program(truths: tuple[Fraction, ...]) -> Any:
    """Return a survey of the first person, in which each answer is truer after a yes."""

    def run(table: tuple[int, ...], draw: Callable[[Any], Any]) -> tuple[int, ...]:
        answers: list[int] = []
        for truth in truths:
            told = truth if all(answers) else Fraction(1, 2)
            answers.append(draw(answer(table[0], told)))
        return tuple(answers)

    return unroll(run)


def _divergence(truth: Fraction) -> Ln:
    """Return the Rényi divergence of one answer: at order 2, the logarithm of a rational."""
    step = {row: answer(row, truth) for row in (0, 1)}
    found = verify(step, order=_ORDER, epsilon=0).epsilon.exact
    return found if isinstance(found, Ln) else Ln(1)


def _composed(count: int, counted: int) -> ClaimedMechanism:
    """Return so many steps, with the divergences of some of them added up."""
    divergences = [_divergence(truth) for truth in _TRUTHS[:counted]]
    return partial(
        verify,
        _program(_TRUTHS[:count]),
        inputs=_TABLES,
        order=_ORDER,
        epsilon=sum(divergences[1:], divergences[0]),
    )


_DELTAS = (Fraction(1, 100), Fraction(1, 10**5), Fraction(1, 10**9))
_ORDERS = (Fraction(3, 2), Fraction(2), Fraction(20))
_SIGMAS = (Fraction(1), Fraction(4))


def _gaussian_divergence(sigma: Fraction, order: Fraction) -> Fraction:
    """Return the Rényi divergence of sums that differ by 1 with Gaussian noise."""
    return order / (2 * sigma**2)


def _premises() -> list[ClaimedMechanism]:
    """Return the claims from which the conversion starts."""
    return [
        partial(
            verify,
            gaussian_sum(sigma),
            inputs=_TABLES,
            order=order,
            epsilon=_gaussian_divergence(sigma, order),
        )
        for sigma in _SIGMAS
        for order in _ORDERS
    ]


def _converted(
    conversion: Callable[[Fraction, Fraction, Fraction], Fraction],
) -> list[ClaimedMechanism]:
    """Return the claims of (ε, δ) at which it ends."""
    return [
        partial(
            verify,
            gaussian_sum(sigma),
            inputs=_TABLES,
            epsilon=conversion(order, _gaussian_divergence(sigma, order), delta),
            delta=delta,
        )
        for sigma in _SIGMAS
        for order in _ORDERS
        for delta in _DELTAS
    ]


def _sharp(order: Fraction, renyi: Fraction, delta: Fraction) -> Fraction:
    """Return the ε of the sharper conversion, which is less than r + ln(1/δ)/(α - 1)."""
    return Fraction(renyi_to_epsilon(order=order, renyi=renyi, delta=delta))


RENYI_COMPOSITION = BookStatement(
    name="Proposition 1",
    title=mark("Rényi divergences of two steps add up"),
    text=mark(
        "If A1 is (α, r1)- and A2, which may read A1's output, is (α, r2)-Rényi "
        "differentially private for each such output, then both outputs together are "
        "(α, r1 + r2)-Rényi differentially private."
    ),
    check=check_claims,
    instance=[_composed(count, count) for count in range(1, len(_TRUTHS) + 1)],
    twin=[_composed(count, count - 1) for count in range(2, len(_TRUTHS) + 1)],
    wrong=mark("the last step forgotten in the sum"),
    citation="mironov2017renyi",
)

RENYI_CONVERSION = BookStatement(
    name="Proposition 3",
    title=mark("from Rényi DP to (ε, δ)"),
    text=mark(
        "(α, r)-Rényi differential privacy implies (ε, δ)-differential privacy with ε = r + "
        "ln(1/δ)/(α - 1) for every δ between 0 and 1; and with the lesser ε = r + "
        "ln((α - 1)/α) - (ln δ + ln α)/(α - 1), which is checked."
    ),
    check=check_claims,
    instance=[*_premises(), *_converted(_sharp)],
    twin=_converted(lambda _order, renyi, _delta: renyi),
    wrong=mark("the term ln(1/δ)/(α - 1) left out"),
    citation="mironov2017renyi",
)
