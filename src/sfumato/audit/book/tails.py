"""Azuma's inequality, and the composition theorem that it proves: lemma 3.19, theorem 3.20."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from sfumato.audit.book.statement import Finding, Statement
from sfumato.printing.wording import counted
from sfumato.privacy.theorems import (
    advanced_composition,
    azuma_tail,
    azuma_threshold,
    basic_composition,
    optimal_delta,
)
from sfumato.translation import mark, tr

__all__ = ["ADVANCED", "AZUMA"]

Steps = Callable[[Fraction], dict[Fraction, Fraction]]

_ONE, _HALF = Fraction(1), Fraction(1, 2)
_COUNT = 24


@dataclass(frozen=True)
class _Walk:
    """Steps of absolute value at most 1 whose distribution may depend on the sum so far."""

    steps: Steps
    drift: Fraction

    def distribution(self) -> dict[Fraction, Fraction]:
        """Return the distribution of the sum of all steps, exactly."""
        found = {Fraction(0): _ONE}
        for _ in range(_COUNT):
            after: dict[Fraction, Fraction] = {}
            for total, weight in found.items():
                for step, chance in self.steps(total).items():
                    after[total + step] = after.get(total + step, Fraction(0)) + weight * chance
            found = after
        return found

    def tails(self) -> list[tuple[float, float]]:
        """Return the probability of straying so far above the drift, and Azuma's bound."""
        sums = self.distribution().items()
        return [
            (float(sum(p for total, p in sums if total >= threshold)), self.bound(threshold))
            for threshold in (_COUNT * self.drift + away for away in range(1, _COUNT))
        ]

    def bound(self, threshold: Fraction) -> float:
        return azuma_tail(bounds=[1] * _COUNT, threshold=threshold, drift=self.drift)


def _coin(up: Fraction, size: Fraction = _ONE) -> dict[Fraction, Fraction]:
    return {size: up, -size: 1 - up}


def _stopping(total: Fraction) -> dict[Fraction, Fraction]:
    """Step fairly until 6 is reached, and stay there."""
    return {Fraction(0): _ONE} if total >= 6 else _coin(_HALF)


def _cautious(total: Fraction) -> dict[Fraction, Fraction]:
    """Step fairly, by half as much while behind."""
    return _coin(_HALF, _HALF if total < 0 else _ONE)


def _check_azuma(given: list[_Walk]) -> Finding:
    found = [tail for walk in given for tail in walk.tails()]
    tail, bound = max(found, key=lambda each: each[0] / each[1])
    return Finding(
        holds=all(tail <= bound for tail, bound in found),
        instances=len(found),
        figures=(
            tr(
                "{tails} of {walks} of {count} steps; closest {tail:.6f} against e^(-z²/2) = "
                "{bound:.6f}",
                tails=counted(len(found), "exact tail"),
                walks=counted(len(given), "walk"),
                count=_COUNT,
                tail=tail,
                bound=bound,
            )
        ),
    )


@dataclass(frozen=True)
class _Composition:
    """So many ε-private steps, and the probability δ' with which a bound may fail."""

    epsilon: Fraction
    count: int
    slack: Fraction


@dataclass(frozen=True)
class _Theorem:
    """A formula for the ε of the whole, and what it is used on."""

    formula: Callable[[_Composition], float]
    cases: tuple[_Composition, ...]


def _advanced(case: _Composition) -> float:
    return advanced_composition(epsilon=case.epsilon, count=case.count, slack=case.slack).epsilon


def _without_drift(case: _Composition) -> float:
    return azuma_threshold(bounds=[case.epsilon] * case.count, probability=case.slack)


def _least_delta(case: _Composition, total: float) -> float:
    """Return the exact δ of the worst mechanisms, which is randomized response, at a total ε."""
    return optimal_delta(epsilon=case.epsilon, count=case.count, total_epsilon=total).upper


def _check_composition(given: _Theorem) -> Finding:
    found = [(case, given.formula(case)) for case in given.cases]
    case, total = found[0]
    basic = basic_composition(epsilon=case.epsilon, count=case.count).epsilon
    return Finding(
        holds=all(_least_delta(each, level) <= each.slack for each, level in found),
        instances=len(found),
        figures=(
            tr(
                "{compositions}; {count} × {epsilon:g} at δ' = {slack:g}: basic {basic:g}, "
                "this theorem {total:.6f}, where the worst mechanisms have δ = {case:.3g}",
                compositions=counted(len(found), "composition"),
                count=case.count,
                epsilon=float(case.epsilon),
                slack=float(case.slack),
                basic=basic,
                total=total,
                case=_least_delta(case, total),
            )
        ),
    )


_SMALL = Fraction(1, 10**6)
_CASES = (
    _Composition(Fraction(1, 10), 100, _SMALL),
    _Composition(Fraction(1, 100), 1000, Fraction(1, 10**9)),
    _Composition(_HALF, 20, Fraction(1, 10)),
    _Composition(_ONE, 500, _SMALL),
)
_WALKS = [
    _Walk(lambda _: _coin(_HALF), Fraction(0)),
    _Walk(lambda _: _coin(Fraction(2, 3)), Fraction(1, 3)),
    _Walk(_stopping, Fraction(0)),
    _Walk(_cautious, Fraction(0)),
]

AZUMA = Statement(
    name="Lemma 3.19",
    title=mark("Azuma's inequality"),
    text=(
        mark(
            "Azuma's inequality: if |C_i| ≤ α and E[C_i | C_1, …, C_{i-1}] ≤ β for i = 1 … k, "
            "then P[Σ C_i > kβ + z√k·α] ≤ e^{-z²/2} for every z > 0."
        )
    ),
    check=_check_azuma,
    instance=_WALKS,
    twin=[_Walk(lambda _: _coin(Fraction(2, 3)), Fraction(0))],
    wrong=mark("steps that drift by 1/3, taken for steps without drift"),
)

ADVANCED = Statement(
    name="Theorem 3.20",
    title=mark("advanced composition"),
    text=(
        mark(
            "Advanced composition: k ε-private steps, each chosen after the answers before "
            "it, are (ε', δ')-differentially private with ε' = √(2k ln(1/δ'))·ε + kε(e^ε - 1)."
        )
    ),
    check=_check_composition,
    instance=_Theorem(_advanced, _CASES),
    twin=_Theorem(_without_drift, _CASES[-1:]),
    wrong=mark("the term kε(e^ε - 1) left out"),
)
