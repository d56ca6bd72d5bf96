"""Randomized response is ln 2-differentially private (theorem 5.1)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.audit.book.instances import answer
from sfumato.audit.book.statement import Finding, Statement
from sfumato.audit.book.wording import least
from sfumato.audit.exact.datasets import Datasets
from sfumato.audit.exact.independent import each
from sfumato.audit.verification import verify
from sfumato.numeric import Ln
from sfumato.printing.wording import counted
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from sfumato.audit.verdict import Verdict

__all__ = ["RANDOMIZED_RESPONSE"]

_CLAIM = Ln(2)
_MOST_PEOPLE = 20


@dataclass(frozen=True)
class _Surveys:
    """Surveys in which everybody tells the truth with a given probability."""

    truth: Fraction

    def verdict(self, people: int) -> Verdict:
        """Judge the claim on all pairs of neighbouring tables of so many people."""
        mechanism = each(lambda row: answer(row, self.truth))
        return verify(mechanism, inputs=Datasets([0, 1], size=people), epsilon=_CLAIM)


def _check(given: _Surveys) -> Finding:
    verdicts = [given.verdict(people) for people in range(1, _MOST_PEOPLE + 1)]
    last, pairs = verdicts[-1], sum(verdict.pairs for verdict in verdicts)
    return Finding(
        holds=all(verdict and verdict.epsilon.exact == _CLAIM for verdict in verdicts),
        instances=pairs,
        figures=(
            tr(
                "surveys of 1 to {most_people} people, {pairs} of tables; least ε {last}",
                most_people=_MOST_PEOPLE,
                pairs=counted(pairs, "pair"),
                last=least(last),
            )
        ),
    )


RANDOMIZED_RESPONSE = Statement(
    name="Theorem 5.1",
    title=mark("randomized response is ln 2-DP"),
    text=(
        mark(
            "Randomized response, in which everybody tells the truth with probability 2/3 and "
            "else the opposite, is ln 2-differentially private, whatever the number of people."
        )
    ),
    check=_check,
    instance=_Surveys(Fraction(2, 3)),
    twin=_Surveys(Fraction(3, 4)),
    wrong=mark("the truth told with probability 3/4"),
)
