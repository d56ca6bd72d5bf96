"""What the definition says: both ways, and for single outcomes (propositions 5.1 and 5.2)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from sfumato.audit.book.instances import OutputDistribution, events, neighbours, noisy_count, survey
from sfumato.audit.book.statement import Finding, Statement
from sfumato.printing.wording import counted
from sfumato.translation import mark, tr

__all__ = ["BOTH_WAYS", "BY_OUTCOMES"]

Pair = tuple[OutputDistribution, OutputDistribution]

_MECHANISMS = (
    survey(1, Fraction(2, 3)),
    survey(2, Fraction(3, 4)),
    noisy_count(3, Fraction(1, 2)),
)
_PAIRS = [pair for mechanism in _MECHANISMS for pair in neighbours(mechanism)]
_TILTED: OutputDistribution = {"yes": Fraction(1, 4), "no": Fraction(3, 4)}
_EVEN: OutputDistribution = {"yes": Fraction(1, 2), "no": Fraction(1, 2)}


def _greatest_ratio(pairs: list[Pair]) -> Fraction:
    """Return e^ε: the greatest P(E)/Q(E), from the definition."""
    return max(a / b for p, q in pairs for a, b in events(p, q))


def _check_both_ways(pairs: list[Pair]) -> Finding:
    """Impose the definition on the pairs as they stand; look at the ratio from both sides."""
    factor = _greatest_ratio(pairs)
    ratios = [a / b for p, q in pairs for a, b in events(p, q)]
    least = min(ratios)
    return Finding(
        holds=1 / factor <= least,
        instances=len(ratios),
        figures=(
            tr(
                "{events} over {pairs}; e^ε = {factor}, least ratio {least}, e^-ε = {inverse}",
                events=counted(len(ratios), "event"),
                pairs=counted(len(pairs), "ordered pair"),
                factor=factor,
                least=least,
                inverse=1 / factor,
            )
        ),
    )


@dataclass(frozen=True)
class _Outcomes:
    """Pairs of distributions, and the δ with which single outcomes are compared."""

    pairs: list[Pair]
    delta: Fraction

    def by_outcomes(self, p: OutputDistribution, q: OutputDistribution) -> Fraction:
        return max((p[y] - self.delta) / q[y] for y in p)

    def by_events(self, p: OutputDistribution, q: OutputDistribution) -> Fraction:
        return max((a - self.delta) / b for a, b in events(p, q))


def _check_outcomes(given: _Outcomes) -> Finding:
    found = [(given.by_outcomes(p, q), given.by_events(p, q)) for p, q in given.pairs]
    single, together = (max(column) for column in zip(*found, strict=True))
    return Finding(
        holds=all(one == other for one, other in found),
        instances=len(found),
        figures=(
            tr(
                "{pairs} at δ = {delta}; greatest factor {single} by outcomes, {together} "
                "over all events",
                pairs=counted(len(found), "ordered pair"),
                delta=given.delta,
                single=single,
                together=together,
            )
        ),
    )


BOTH_WAYS = Statement(
    name="Proposition 5.1",
    title=mark("the ratio is bounded both ways"),
    text=(
        mark(
            "If A is ε-differentially private, then for neighbouring tables x, x' and every "
            "event E that can happen, e^-ε ≤ P(A(x) ∈ E)/P(A(x') ∈ E) ≤ e^ε."
        )
    ),
    check=_check_both_ways,
    instance=_PAIRS,
    twin=[(_TILTED, _EVEN)],
    wrong=mark("the definition imposed one way only"),
)

BY_OUTCOMES = Statement(
    name="Proposition 5.2",
    title=mark("discrete outputs, judged one by one"),
    text=(
        mark(
            "A mechanism with discrete outputs is ε-differentially private exactly if P(A(x) "
            "= y) ≤ e^ε P(A(x') = y) for all neighbouring tables and every single outcome y."
        )
    ),
    check=_check_outcomes,
    instance=_Outcomes(_PAIRS, Fraction(0)),
    twin=_Outcomes(_PAIRS, Fraction(1, 20)),
    wrong=mark("single outcomes taken to decide (ε, δ) with a δ above 0, too"),
)
