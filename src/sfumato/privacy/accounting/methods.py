"""Every method of accounting as a row of a table: its theorem, what it uses, what it gives.

All of them bound the same two quantities from above, so the least one may be used; but one of
them holds only for choices that were fixed in advance, and says so.  What is an approximation,
such as the central limit of many steps, is no bound, and not here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flint import arb

from sfumato.numeric import as_ball, working_precision
from sfumato.privacy.guarantees.base import holds_as_printed
from sfumato.privacy.parameters import written
from sfumato.privacy.theorems.bounded_range import bounded_range_delta, bounded_range_epsilon
from sfumato.privacy.theorems.certified import least_float, rounded_up
from sfumato.privacy.theorems.conversion import (
    renyi_to_delta,
    renyi_to_epsilon,
    zcdp_to_delta,
    zcdp_to_epsilon,
)
from sfumato.privacy.theorems.optimal import optimal_delta, optimal_epsilon
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from sfumato.privacy.accounting.accumulators import Choices, Divergences, KnownSteps, Labels
    from sfumato.privacy.parameters import Epsilon
    from sfumato.privacy.theorems.composition import StepGuarantees

    Drift = Callable[[arb], arb]

#: Up to so many different ε are added up exactly.
_MOST_EXACT = 1000
#: Up to so many outcomes are summed: of equal steps, and of different ones.
_MOST_OUTCOMES = (100_000, 1 << 15)


@dataclass(frozen=True)
class Method:
    """A theorem that bounds ε at a δ, and δ at an ε.

    Attributes
    ----------
    name
        What it is called.
    citation
        Where it is proved: a key of the bibliography.
    reason
        What it uses of the steps, and what it loses.
    uses
        What it needs, out of what is known; a sentence where that is not to be had.
    epsilon, delta
        The bounds, from what it needs; infinity, and 1, where it guarantees nothing.
    """

    name: str
    citation: str
    reason: str
    uses: Callable[[KnownSteps], Any]
    epsilon: Callable[[Any, Fraction], float]
    delta: Callable[[Any, Epsilon], float]


def _optimal_epsilon(labels: Labels, delta: Fraction) -> float:
    if not _has_few_outcomes(labels):
        return labels.worst.epsilon(delta=delta)
    return holds_as_printed(optimal_epsilon(**_listed(labels), total_delta=delta)).upper


def _optimal_delta(labels: Labels, epsilon: Epsilon) -> float:
    if not _has_few_outcomes(labels):
        return labels.worst.delta(epsilon=epsilon)
    return holds_as_printed(optimal_delta(**_listed(labels), total_epsilon=epsilon)).upper


def _has_few_outcomes(labels: Labels) -> bool:
    """Tell whether the theorem's own sum over outcomes is short; else the accountant serves."""
    counts = labels.counts.values()
    return math.prod(count + 1 for count in counts) <= _MOST_OUTCOMES[len(counts) > 1]


def _listed(labels: Labels) -> dict[str, Any]:
    """Return the labels as a short list of ε and of δ, and how often it is repeated."""
    times = math.gcd(*labels.counts.values())
    each = [label for label, count in labels.counts.items() for _ in range(count // times)]
    epsilons, deltas = zip(*each, strict=True)
    return {"epsilon": epsilons, "delta": deltas, "count": times}


def _basic_epsilon(labels: Labels, delta: Fraction) -> float:
    if labels.steps.delta_sum() > delta:
        return math.inf
    with working_precision(128):
        exact = len(labels.counts) <= _MOST_EXACT
        return rounded_up(labels.steps.epsilon_sum() if exact else _epsilon_ball(labels.steps))


def _basic_delta(labels: Labels, epsilon: Epsilon) -> float:
    if len(labels.counts) <= _MOST_EXACT:
        holds = labels.steps.sum_is_within(epsilon)
    else:
        with working_precision(128):
            holds = bool(_epsilon_ball(labels.steps) <= as_ball(epsilon))
    return rounded_up(labels.steps.delta_sum()) if holds else 1.0


def _epsilon_ball(steps: StepGuarantees) -> arb:
    """Add up in balls: exact sums of thousands of rationals have thousands of digits."""
    return steps.sum_of(lambda level: level)


def _textbook_drift(level: arb) -> arb:
    return level * level.expm1()


def _least_drift(level: arb) -> arb:
    return level * (level / 2).tanh()


def _azuma_epsilon(drift: Drift) -> Callable[[Labels, Fraction], float]:
    """Return Σ drift + √(2 ln(1/δ') Σ ε²) as a function of the labels and of δ = Σ δ + δ'."""

    def epsilon(labels: Labels, delta: Fraction) -> float:
        steps, slack = labels.steps, delta - labels.steps.delta_sum()
        if slack <= 0:
            return math.inf
        return least_float(
            lambda: steps.sum_of(drift) + (-2 * as_ball(slack).log() * _squares(steps)).sqrt()
        )

    return epsilon


def _azuma_delta(drift: Drift) -> Callable[[Labels, Epsilon], float]:
    """Return Σ δ + exp(-(ε - Σ drift)² / (2 Σ ε²)), the inverse."""

    def delta(labels: Labels, epsilon: Epsilon) -> float:
        steps = labels.steps
        if not steps.epsilons:
            return rounded_up(steps.delta_sum())

        def total() -> arb:
            beyond = (as_ball(epsilon) - steps.sum_of(drift)).max(arb(0))
            return as_ball(steps.delta_sum()) + (-(beyond**2) / (2 * _squares(steps))).exp()

        return least_float(total)

    return delta


def _squares(steps: StepGuarantees) -> arb:
    return steps.sum_of(lambda level: level * level)


def _choices_epsilon(choices: Choices, delta: Fraction) -> float:
    found = bounded_range_epsilon(epsilon=choices.epsilon, count=choices.count, total_delta=delta)
    return holds_as_printed(found).upper


def _choices_delta(choices: Choices, epsilon: Epsilon) -> float:
    found = bounded_range_delta(epsilon=choices.epsilon, count=choices.count, total_epsilon=epsilon)
    return holds_as_printed(found).upper


def _renyi_epsilon(divergences: Divergences, delta: Fraction) -> float:
    return divergences.best(
        lambda order, bound: renyi_to_epsilon(order=order, renyi=bound, delta=delta)
    )


def _renyi_delta(divergences: Divergences, epsilon: Epsilon) -> float:
    return divergences.best(
        lambda order, bound: renyi_to_delta(order=order, renyi=bound, epsilon=epsilon)
    )


def _classical_renyi_epsilon(divergences: Divergences, delta: Fraction) -> float:
    """Return r + ln(1/δ)/(α - 1) at the best order α, with r the bound on the divergence."""
    if delta == 0:
        return math.inf

    def figure(order: float, bound: float) -> float:
        above, level = written(order) - 1, written(bound)
        return least_float(lambda: as_ball(level) - as_ball(delta).log() / as_ball(above))

    return divergences.best(figure)


def _classical_renyi_delta(divergences: Divergences, epsilon: Epsilon) -> float:
    """Return e^{(α - 1)(r - ε)} at the best order, the inverse."""

    def figure(order: float, bound: float) -> float:
        above, level = written(order) - 1, written(bound)

        def delta() -> arb:
            return (as_ball(above) * (as_ball(level) - as_ball(epsilon))).exp()

        return least_float(delta)

    return divergences.best(figure)


def _simple_zcdp_epsilon(rho: Fraction, delta: Fraction) -> float:
    """Return ρ + 2√(ρ ln(1/δ))."""
    if delta == 0:
        return math.inf if rho else 0.0
    return least_float(lambda: as_ball(rho) + 2 * (-as_ball(rho) * as_ball(delta).log()).sqrt())


def _simple_zcdp_delta(rho: Fraction, epsilon: Epsilon) -> float:
    """Return e^{-(ε - ρ)²/(4ρ)} above ρ, the inverse."""
    if rho == 0:
        return 0.0

    def delta() -> arb:
        beyond = (as_ball(epsilon) - as_ball(rho)).max(arb(0))
        return (-(beyond**2) / (4 * as_ball(rho))).exp()

    return least_float(delta)


METHODS: tuple[Method, ...] = (
    Method(
        mark("optimal composition"),
        "kairouz2015composition",
        mark("ε and δ of each step; the best that uses only these"),
        lambda known: known.labels,
        _optimal_epsilon,
        _optimal_delta,
    ),
    Method(
        mark("advanced composition, tight"),
        "kairouz2015composition",
        mark("ε and δ of each step; Azuma, with the least drift"),
        lambda known: known.labels,
        _azuma_epsilon(_least_drift),
        _azuma_delta(_least_drift),
    ),
    Method(
        mark("advanced composition"),
        "dwork2010boosting",
        mark("ε and δ of each step; Azuma, with a loose drift"),
        lambda known: known.labels,
        _azuma_epsilon(_textbook_drift),
        _azuma_delta(_textbook_drift),
    ),
    Method(
        mark("basic composition"),
        "dwork2014",
        mark("adds up the ε and the δ"),
        lambda known: known.labels,
        _basic_epsilon,
        _basic_delta,
    ),
    Method(
        mark("bounded range, non-adaptive"),
        "dong2020optimal",
        mark("only if all choices were fixed in advance"),
        lambda known: known.choices,
        _choices_epsilon,
        _choices_delta,
    ),
    Method(
        mark("Rényi, improved"),
        "canonne2020discrete",
        mark("one Rényi order; the conversion loses a constant"),
        lambda known: known.divergences,
        _renyi_epsilon,
        _renyi_delta,
    ),
    Method(
        mark("Rényi, classical"),
        "mironov2017renyi",
        mark("one Rényi order; the conversion loses more"),
        lambda known: known.divergences,
        _classical_renyi_epsilon,
        _classical_renyi_delta,
    ),
    Method(
        mark("zero-concentrated, improved"),
        "canonne2020discrete",
        mark("ρ of each step; then as Rényi"),
        lambda known: known.rho,
        lambda rho, delta: zcdp_to_epsilon(rho=rho, delta=delta),
        lambda rho, epsilon: zcdp_to_delta(rho=rho, epsilon=epsilon),
    ),
    Method(
        mark("zero-concentrated, simple"),
        "bun2016concentrated",
        mark("ρ of each step; ε = ρ + 2√(ρ ln(1/δ))"),
        lambda known: known.rho,
        _simple_zcdp_epsilon,
        _simple_zcdp_delta,
    ),
)
