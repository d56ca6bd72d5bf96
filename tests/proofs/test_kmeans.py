"""Private k-means: weights of people, how far counts and sums move, pulled distances, budgets."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

import sfumato as sf
from sfumato.learning.kmeans.lloyd import noise_of_sums
from sfumato.learning.kmeans.plan import Rounds, TableChange
from sfumato.learning.kmeans.points.arrays import ArrayPoints
from sfumato.learning.kmeans.points.grid import WEIGHT_BITS, person_weights
from sfumato.learning.kmeans.space import Ball, pulled_in, space_of
from sfumato.mechanisms import DiscreteGaussian
from tests.proofs.inequalities import prove, prove_equal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from sfumato.learning.kmeans.points.grid import Totals

    #: The points of each of some people.
    Owned = list[list[list[float]]]

ALMOST = Fraction(99, 100)
FINE = 1 << WEIGHT_BITS
SPACE = space_of(np.array([-1.0, 0.0]), np.array([1.0, 10.0]))
RADIUS = SPACE.dimensions * SPACE.unit
CENTRES = SPACE.held(SPACE.unit * np.array([[-0.5, 0.0], [0.5, 0.5], [1.0, -1.0]]))
LIMIT = 2
#: Somebody's points: one, many in different corners, and none.
PEOPLE = [
    [[1.0, 10.0]],
    [[-1.0, 0.0]] * 3,
    [[1.0, 0.0], [-1.0, 10.0], [0.3, 5.0], [9.0, -4.0]],
    [],
]


def test_kmeans_weights() -> None:
    """By the code's weights, in 1/1024."""

    def together(rows: int, limit: int) -> int:
        weights = person_weights(np.zeros(rows, dtype=np.int64), limit)
        return int(weights.sum())

    prove(
        product([1, 2, 3, 7, 1023, 5000], [1, 2, 9]),
        together,
        lambda _, limit: limit * FINE,
        twin=lambda _, limit: ALMOST * limit * FINE,
    )


def totals(*people: list[list[float]], ball: Ball | None = None) -> Totals:
    """Of some others and of some people, as the code adds them up."""
    others = [[[0.1, 3.0]], [[-0.2, 7.0], [0.8, 8.0]]]
    owned = [*others, *people]
    rows = np.array([row for each in owned for row in each])
    whose = np.array([place for place, each in enumerate(owned) for _ in each], dtype=np.int64)
    points = ArrayPoints(SPACE, SPACE.whole(rows), person_weights(whose, LIMIT))
    return points.totals(CENTRES, ball=ball)


def changes() -> Iterator[tuple[TableChange, Owned, Owned]]:
    """Somebody is added, and somebody is substituted; weights in 1/1024."""
    added = TableChange(sf.privacy.AddRemove(), weight=LIMIT, fine=FINE)
    substituted = TableChange(sf.privacy.Substitute(), weight=LIMIT, fine=FINE)
    yield from ((added, [], [each]) for each in PEOPLE)
    yield from ((substituted, [one], [other]) for one, other in product(PEOPLE, repeat=2))


def distance(one: NDArray[np.int64], other: NDArray[np.int64]) -> int:
    return int(np.abs(one - other).sum())


def test_kmeans_counts() -> None:
    """The twin takes every change for one that adds or removes."""
    prove(
        changes(),
        lambda _, one, other: distance(totals(*one).counts, totals(*other).counts),
        lambda change, *_: change.counts,
        twin=lambda change, *_: change.one,
    )


def test_kmeans_sums() -> None:
    """In the whole box, and in a ball around centres."""
    balls = [(None, RADIUS), (Ball(SPACE.unit // 3), SPACE.unit // 3)]

    def moved(one: Owned, other: Owned, ball: Ball | None) -> int:
        return distance(totals(*one, ball=ball).sums, totals(*other, ball=ball).sums)

    prove(
        ((*change, *ball) for change in changes() for ball in balls),
        lambda _, one, other, ball, _radius: moved(one, other, ball),
        lambda change, _one, _other, _ball, radius: change.sums(radius),
        twin=lambda change, _one, _other, _ball, radius: ALMOST * change.one * radius,
    )


def test_kmeans_pull() -> None:
    """In the L1 norm, and squared in the L2 norm, at distances around the radius and far out."""
    vectors = [
        [base * a // 7, base * b // 7, base * c // 7 + off]
        for base in (700, 10**6)
        for a, b, c in ((7, 0, 0), (3, -4, 0), (2, 2, -3), (-1, 5, 6))
        for off in (-1, 0, 1)
    ]

    def pulled(vector: list[int], radius: int, norm: str) -> list[int]:
        found = pulled_in(np.array([vector], dtype=np.float64), Ball(radius, norm))
        return [int(each) for each in found[0]]

    def size(vector: list[int], radius: int, norm: str) -> int:
        found = pulled(vector, radius, norm)
        return sum(map(abs, found)) if norm == "l1" else sum(each * each for each in found)

    def most(_vector: list[int], radius: int, norm: str) -> int:
        return radius if norm == "l1" else radius**2

    prove(
        product(vectors, [1, 500, 700, 10**6], ["l1", "l2"]),
        size,
        most,
        twin=lambda *case: ALMOST * most(*case),
    )


def test_kmeans_budget() -> None:
    """The shares of all steps, of the textbook's algorithm and of the others, come to ε."""

    def spent(method: str, rounds: int, epsilon: Fraction) -> Fraction:
        model = sf.KMeans(
            n_clusters=3, epsilon=epsilon, bounds=(0, 1), method=method, rounds=rounds
        )
        steps = model.plan(dimensions=2).steps
        return sum((Fraction(each.epsilon or 0) * each.times for each in steps), Fraction(0))

    prove_equal(
        product(["lloyd", "rounds", "grid", "tree"], [1, 3], [Fraction(1, 7), Fraction(2)]),
        spent,
        lambda _method, _rounds, epsilon: epsilon,
        twin=lambda _method, _rounds, epsilon: ALMOST * epsilon,
    )


def test_kmeans_sigma() -> None:
    rhos = [Fraction(1, 1000), Fraction(1, 3)]

    def spent(change: TableChange, radius: int, rho: Fraction) -> Fraction:
        noise = noise_of_sums(Rounds(1, Fraction(1), rho=rho), change, radius, 6)
        assert isinstance(noise, DiscreteGaussian)
        return Fraction(change.sums(radius) ** 2) / (2 * noise.sigma**2)

    made = [TableChange(sf.privacy.AddRemove()), TableChange(sf.privacy.Substitute(), 3, FINE)]
    prove(
        product(made, [1, 40, 10**6], rhos),
        spent,
        lambda _change, _radius, rho: rho,
        twin=lambda _change, _radius, rho: ALMOST * rho,
    )
