"""Adaptive steps add up (5.4, 5.5); Azuma's inequality (3.19), and the theorem it proves (3.20)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.audit.book.statement import BookStatement, Finding, answer, least, logarithm
from sfumato.audit.exact.datasets import Datasets
from sfumato.audit.exact.programs import unroll
from sfumato.audit.verification import verify
from sfumato.numeric import Ln
from sfumato.printing import counted
from sfumato.privacy import Substitute, compose, events
from sfumato.privacy.theorems import (
    advanced_composition,
    azuma_tail,
    azuma_threshold,
    basic_composition,
    optimal_delta,
)
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from sfumato.audit.verdict import Verdict

Table = tuple[int, ...]
Draw = Callable[[Any], Any]

_TABLES = Datasets([0, 1], size=2)
_TRUTHS = (Fraction(2, 3), Fraction(3, 4), Fraction(3, 5), Fraction(2, 3))


@dataclass(frozen=True)
class _Program:
    """Steps that may read the answers before them, and the guarantee of each."""

    run: Callable[[Table, Draw], Any]
    guarantees: tuple[Ln, ...]

    def total(self) -> Ln:
        return sum(self.guarantees[1:], self.guarantees[0])

    def verdict(self) -> Verdict:
        return verify(unroll(self.run), inputs=_TABLES, epsilon=self.total())

    def composed(self) -> bool:
        """Tell whether guarantees, too, add up to the total and to no less."""
        steps = [events.Pure(epsilon=each) for each in self.guarantees]
        together = compose(*steps, relation=Substitute())
        bounds = together.bounds(delta=0)
        return bounds.lower <= self.total() <= bounds.upper


def _guarantees(truths: tuple[Fraction, ...]) -> tuple[Ln, ...]:
    return tuple(Ln(truth / (1 - truth)) for truth in truths)


def _asking(truths: tuple[Fraction, ...]) -> _Program:
    """Return a survey that asks the first person again as long as the answer was yes."""

    def run(table: Table, draw: Draw) -> tuple[int, ...]:
        answers: list[int] = []
        for truth in truths:
            answers.append(draw(answer(table[0 if all(answers) else 1], truth)))
        return tuple(answers)

    return _Program(run, _guarantees(truths))


def _peeking(table: Table, draw: Draw) -> tuple[int, int]:
    """Ask once with noise; after a yes read the second row without any."""
    first = draw(answer(table[0], Fraction(2, 3)))
    return first, table[1] if first else draw(answer(table[1], Fraction(3, 4)))


def _overspending(table: Table, draw: Draw) -> tuple[int, ...]:
    """Ask three times; after two times yes the third has less noise than was guaranteed."""
    first, second = (draw(answer(table[0], truth)) for truth in _TRUTHS[:2])
    third = Fraction(4, 5) if first and second else Fraction(3, 5)
    return first, second, draw(answer(table[0], third))


def _check_steps(given: list[_Program]) -> Finding:
    verdicts = [each.verdict() for each in given]
    last, pairs = verdicts[-1], sum(each.pairs for each in verdicts)
    return Finding(
        holds=all(
            verdict and verdict.epsilon.exact == each.total() and each.composed()
            for verdict, each in zip(verdicts, given, strict=True)
        ),
        instances=pairs,
        figures=tr(
            "{pairs} of tables, all paths; {guarantees} steps that guarantee {total} in "
            "all have least ε {last}",
            pairs=counted(pairs, "pair"),
            guarantees=len(given[-1].guarantees),
            total=logarithm(given[-1].total()),
            last=least(last),
        ),
    )


TWO_STEPS = BookStatement(
    name="Proposition 5.4",
    where=mark("chapter, §5.2"),
    title=mark("two steps add up"),
    text=mark(
        "If A1 is ε1- and A2, which may read A1's output, is ε2-differentially private "
        "for each such output, then both outputs together are (ε1 + ε2)-differentially "
        "private."
    ),
    check=_check_steps,
    instance=[_asking(_TRUTHS[:2])],
    twin=[_Program(_peeking, _guarantees(_TRUTHS[:2]))],
    wrong=mark("a second step that reads a row without noise after one of the answers"),
)

MANY_STEPS = BookStatement(
    name="Proposition 5.5",
    where=mark("chapter, §5.2"),
    title=mark("many steps add up"),
    text=mark(
        "k steps, each of which may read all outputs before it and is ε_i-differentially "
        "private, are (ε_1 + … + ε_k)-differentially private together. (Printed with a "
        "sum up to n.)"
    ),
    check=_check_steps,
    instance=[_asking(_TRUTHS[:count]) for count in range(1, len(_TRUTHS) + 1)],
    twin=[_Program(_overspending, _guarantees(_TRUTHS[:3]))],
    wrong=mark("a third step that spends more than it guaranteed after two certain answers"),
)


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
        figures=tr(
            "{tails} of {walks} of {count} steps; closest {tail:.6f} against e^(-z²/2) = "
            "{bound:.6f}",
            tails=counted(len(found), "exact tail"),
            walks=counted(len(given), "walk"),
            count=_COUNT,
            tail=tail,
            bound=bound,
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
        figures=tr(
            "{compositions}; {count} × {epsilon:g} at δ' = {slack:g}: basic {basic:g}, "
            "this theorem {total:.6f}, where the worst mechanisms have δ = {case:.3g}",
            compositions=counted(len(found), "composition"),
            count=case.count,
            epsilon=float(case.epsilon),
            slack=float(case.slack),
            basic=basic,
            total=total,
            case=_least_delta(case, total),
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

AZUMA = BookStatement(
    name="Lemma 3.19",
    where=mark("chapter, part on composition"),
    title=mark("Azuma's inequality"),
    text=mark(
        "Azuma's inequality: if |C_i| ≤ α and E[C_i | C_1, …, C_{i-1}] ≤ β for i = 1 … k, "
        "then P[Σ C_i > kβ + z√k·α] ≤ e^{-z²/2} for every z > 0."
    ),
    check=_check_azuma,
    instance=_WALKS,
    twin=[_Walk(lambda _: _coin(Fraction(2, 3)), Fraction(0))],
    wrong=mark("steps that drift by 1/3, taken for steps without drift"),
)

ADVANCED = BookStatement(
    name="Theorem 3.20",
    where=mark("chapter, part on composition"),
    title=mark("advanced composition"),
    text=mark(
        "Advanced composition: k steps of ε-DP, each chosen after the answers before "
        "it, are (ε', δ')-differentially private with ε' = √(2k ln(1/δ'))·ε + kε(e^ε - 1)."
    ),
    check=_check_composition,
    instance=_Theorem(_advanced, _CASES),
    twin=_Theorem(_without_drift, _CASES[-1:]),
    wrong=mark("the term kε(e^ε - 1) left out"),
)
