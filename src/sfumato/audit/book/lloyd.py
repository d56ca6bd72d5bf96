"""The private algorithm of Lloyd as the source prints it (theorem 5.3).

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

from sfumato.audit.book.statement import Finding, Statement
from sfumato.privacy import Substitute, compose, events
from sfumato.translation import mark, tr

__all__ = ["LLOYD"]

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


def _check(given: _Lloyd) -> Finding:
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


LLOYD = Statement(
    name="Theorem 5.3",
    title=mark("private Lloyd"),
    text=(
        mark(
            "Lloyd's algorithm on rows of the L1 unit ball, with Lap(2/ε') on counts and sums "
            "in each of T rounds and ε' = ε/(2T), is ε-differentially private: ε/T a round. "
            "(It is said to reach the optimum; Lloyd's algorithm reaches a local one.)"
        )
    ),
    check=_check,
    instance=_Lloyd(epsilon=Fraction(1), rounds=5, size=3),
    twin=_Lloyd(epsilon=Fraction(1), rounds=5, size=3, sensitivity=Fraction(1)),
    wrong=mark("noise for sensitivity 1 in place of 2"),
)
