"""Sparse vector: the answers to a few counts under one noisy threshold, exactly.

Whole-number noise of P(k) ∝ r^abs(k) with a rational r is beyond d, or at it, with r^d/(1 + r).  So
beyond all counts the probability of a row of answers is a polynomial in r^abs(z), with z the noise
on the threshold, and the sum over all such z is one of geometric series.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from typing import TYPE_CHECKING

from sfumato.audit.book.statement import (
    BookStatement,
    ClaimedMechanism,
    OutputDistribution,
    check_claims,
)
from sfumato.audit.exact.datasets import Datasets
from sfumato.audit.verification import verify
from sfumato.numeric import Ln
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Sequence

    Answers = tuple[str, ...]

_ABOVE, _BELOW = "above", "below"
_ONE = Fraction(1)


@dataclass(frozen=True)
class _SparseVector:
    """Counts of rows compared with a noisy threshold, up to a number of positive answers.

    A substituted row moves each count by at most 1.  Both noises fall by a factor a step.
    """

    asked: str
    positives: int
    threshold: int
    threshold_falls: Fraction
    query_falls: Fraction

    def claim(self, times: int) -> ClaimedMechanism:
        """Return the claim of ε1 + ε2, where the noise on queries has so many times Δ/ε2."""
        factor = 1 / (self.threshold_falls * self.query_falls**times)
        tables = Datasets(sorted(set(self.asked)), size=2, ordered=False)
        return partial(verify, self.distribution, inputs=tables, epsilon=Ln(factor))

    def distribution(self, table: tuple[str, ...]) -> OutputDistribution:
        leads = [table.count(each) - self.threshold for each in self.asked]
        found = {answers: self._probability(leads, answers) for answers in self._rows()}
        return {answers: chance for answers, chance in found.items() if chance}

    def _rows(self) -> set[Answers]:
        """Return every row of answers: it ends with the last query, or the last positive one."""
        full = product((_ABOVE, _BELOW), repeat=len(self.asked))
        return {self._stopped(answers) for answers in full}

    def _stopped(self, answers: Answers) -> Answers:
        said = [place for place, each in enumerate(answers, start=1) if each == _ABOVE]
        return answers[: said[self.positives - 1]] if len(said) >= self.positives else answers

    def _probability(self, leads: Sequence[int], answers: Answers) -> Fraction:
        """Sum over the noise on the threshold: one by one up to all leads, then both tails."""
        far = max(abs(lead) for lead in leads) + 1
        near = sum(
            self.threshold_falls ** abs(z) * self._answered(leads, answers, z)
            for z in range(-far, far + 1)
        )
        tails = sum(self._tail(leads, answers, far, sign) for sign in (1, -1))
        return (near + tails) * (1 - self.threshold_falls) / (1 + self.threshold_falls)

    def _answered(self, leads: Sequence[int], answers: Answers, z: int) -> Fraction:
        found = _ONE
        for lead, answer in zip(leads, answers, strict=False):
            above = self._reached(z - lead)
            found *= above if answer == _ABOVE else 1 - above
        return found

    def _reached(self, steps: int) -> Fraction:
        """Return the probability that the noise on a query is at least so many steps."""
        if steps > 0:
            return self.query_falls**steps / (1 + self.query_falls)
        return 1 - self.query_falls ** (1 - steps) / (1 + self.query_falls)

    def _tail(self, leads: Sequence[int], answers: Answers, far: int, sign: int) -> Fraction:
        """Sum over z beyond ``far`` on one side, each answer b·r^abs(z) or 1 less that."""
        polynomial = [_ONE]
        for lead, answer in zip(leads, answers, strict=False):
            rare = self.query_falls ** (-lead if sign > 0 else 1 + lead) / (1 + self.query_falls)
            if (answer == _ABOVE) == (sign > 0):
                polynomial = [Fraction(0), *(rare * each for each in polynomial)]
            else:
                lower, upper = [*polynomial, Fraction(0)], [Fraction(0), *polynomial]
                polynomial = [a - rare * b for a, b in zip(lower, upper, strict=True)]
        ratios = [
            self.threshold_falls * self.query_falls**power for power in range(len(polynomial))
        ]
        return sum(
            (each * r ** (far + 1) / (1 - r) for each, r in zip(polynomial, ratios, strict=True)),
            Fraction(0),
        )


_HALF = Fraction(1, 2)
_CASES = (
    _SparseVector("ab", 1, 1, _HALF, _HALF),
    _SparseVector("aab", 1, 2, Fraction(1, 3), Fraction(2, 3)),
    _SparseVector("abba", 2, 1, _HALF, Fraction(4, 5)),
)
#: Algorithm 6 of those that Lyu, Su and Li compare: it never stops.
_ENDLESS = _SparseVector("aabb", 4, 1, _HALF, _HALF)

SPARSE_VECTOR = BookStatement(
    name="Sparse vector",
    title=mark("few answers above a noisy threshold"),
    text=mark(
        "With noise of scale Δ/ε1 on the threshold and 2cΔ/ε2 on each query, telling which "
        "queries are above the threshold until c of them are is (ε1 + ε2)-differentially private, "
        "however many are below."
    ),
    check=check_claims,
    instance=[case.claim(2 * case.positives) for case in _CASES],
    twin=[_ENDLESS.claim(1)],
    wrong=mark("noise of scale Δ/ε2 on each query, and no limit to the positive answers"),
    citation="lyu2017understanding",
)
