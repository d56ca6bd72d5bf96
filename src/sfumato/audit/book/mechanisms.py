"""Mechanisms of the source: randomized response (theorem 5.1) and private Lloyd (5.3).

Rows lie in the L1 unit ball.  Every round publishes, for each centre, how many rows are nearest to
it and their sum, each coordinate with Laplace noise of scale 2/ε' where ε' = ε/(2T).  Given the
centres of the round before, the published vector has independent coordinates, so its greatest log
ratio between two tables is exactly the L1 change of counts and sums over the scale.  Drawing a
centre again where the noisy count is below 1 reads nothing but what is published.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from typing import TYPE_CHECKING

from sfumato.audit.book.statement import BookStatement, Finding, answer, least
from sfumato.audit.exact.datasets import Datasets
from sfumato.audit.exact.independent import each
from sfumato.audit.verification import verify
from sfumato.numeric import Ln
from sfumato.printing.wording import counted
from sfumato.privacy import Substitute, compose, events
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from sfumato.audit.verdict import Verdict

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


def _check_surveys(given: _Surveys) -> Finding:
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


RANDOMIZED_RESPONSE = BookStatement(
    name="Theorem 5.1",
    title=mark("randomized response is ln 2-DP"),
    text=(
        mark(
            "Randomized response, in which everybody tells the truth with probability 2/3 and "
            "else the opposite, is ln 2-differentially private, whatever the number of people."
        )
    ),
    check=_check_surveys,
    instance=_Surveys(Fraction(2, 3)),
    twin=_Surveys(Fraction(3, 4)),
    wrong=mark("the truth told with probability 3/4"),
)


Row = tuple[Fraction, ...]
Published = list[Fraction]

_HALF, _ONE, _ZERO = Fraction(1, 2), Fraction(1), Fraction(0)
_ROWS: tuple[Row, ...] = (
    (_ONE, _ZERO),
    (-_ONE, _ZERO),
    (_ZERO, _ONE),
    (_HALF, -_HALF),
    (_HALF, _ZERO),
    (_ZERO, _ZERO),
)


@dataclass(frozen=True)
class _Lloyd:
    """Private Lloyd on all tables of so many rows, given any two of the rows as centres."""

    epsilon: Fraction
    rounds: int
    size: int
    sensitivity: Fraction = Fraction(2)

    @property
    def scale(self) -> Fraction:
        """The noise of one round: 2/ε' with ε' = ε/(2T)."""
        return self.sensitivity * 2 * self.rounds / self.epsilon

    def divergences(self) -> list[Fraction]:
        """Return the max divergence of a round, for all neighbouring tables and centres."""
        return [
            _distance(_published((*rest, one), near), _published((*rest, other), near)) / self.scale
            for near in map(_nearest, combinations(_ROWS, 2))
            for rest in combinations_with_replacement(_ROWS, self.size - 1)
            for one, other in combinations(_ROWS, 2)
        ]


def _nearest(centres: tuple[Row, ...]) -> dict[Row, int]:
    """Return the centre that each row is nearest to; of two as near, the first."""
    return {row: min(range(len(centres)), key=lambda j: _squared(row, centres[j])) for row in _ROWS}


def _published(table: tuple[Row, ...], nearest: dict[Row, int]) -> Published:
    """Return the counts and sums of the rows nearest to each centre, without noise."""
    found: Published = [_ZERO] * (2 * (1 + len(_ROWS[0])))
    for row in table:
        start = nearest[row] * (1 + len(row))
        for place, value in enumerate((_ONE, *row), start):
            found[place] += value
    return found


def _squared(row: Row, centre: Row) -> Fraction:
    return sum(((a - b) ** 2 for a, b in zip(row, centre, strict=True)), _ZERO)


def _distance(one: Published, other: Published) -> Fraction:
    return sum((abs(a - b) for a, b in zip(one, other, strict=True)), _ZERO)


def _check_lloyd(given: _Lloyd) -> Finding:
    found = given.divergences()
    round_bound, greatest = given.epsilon / given.rounds, max(found)
    total = compose(events.Pure(epsilon=greatest), count=given.rounds, relation=Substitute())
    return Finding(
        holds=greatest <= round_bound and total.delta(epsilon=given.epsilon) == 0,
        instances=len(found),
        figures=(
            tr(
                "{found:,} pairs of tables with centres; a round costs at most {greatest} "
                "where ε/T = {round_bound}, {rounds} rounds {together}",
                found=len(found),
                greatest=greatest,
                round_bound=round_bound,
                rounds=given.rounds,
                together=greatest * given.rounds,
            )
        ),
    )


LLOYD = BookStatement(
    name="Theorem 5.3",
    title=mark("private Lloyd"),
    text=(
        mark(
            "Lloyd's algorithm on rows of the L1 unit ball, with Lap(2/ε') on counts and sums "
            "in each of T rounds and ε' = ε/(2T), is ε-differentially private: ε/T a round. "
            "(It is said to reach the optimum; Lloyd's algorithm reaches a local one.)"
        )
    ),
    check=_check_lloyd,
    instance=_Lloyd(epsilon=Fraction(1), rounds=5, size=3),
    twin=_Lloyd(epsilon=Fraction(1), rounds=5, size=3, sensitivity=Fraction(1)),
    wrong=mark("noise for sensitivity 1 in place of 2"),
)
