"""Sample and aggregate: one answer differs at most, the scales, and mixtures over the blocks."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.mechanisms import SampleAndAggregate
from sfumato.mechanisms.estimators.blocks import BlockFunction, block_results
from tests.proofs.inequalities import prove
from tests.proofs.test_definitions import DISTRIBUTIONS, FACTORS, hockey_stick

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ALMOST = Fraction(99, 100)
BLOCKS = 3


def told(block: Sequence[int]) -> float:
    """What depends on every row and on their order, and fails on some blocks."""
    return sum((place + 1) * row for place, row in enumerate(block)) / (len(block) - 2)


def answers(rows: Sequence[int], places: Sequence[int]) -> list[tuple[Fraction, ...]]:
    bounds = ((Fraction(-50), Fraction(50)),)
    function = BlockFunction(told, bounds, is_vector=False, default=(Fraction(0),))
    return block_results(function, list(rows), np.array(places, dtype=np.int64), BLOCKS)


def test_one_changed_row_changes_one_answer_at_most() -> None:
    rows = [3, -1, 4, 7, -5]
    changed = 0
    for places in product(range(BLOCKS), repeat=len(rows)):
        before = answers(rows, places)
        others = [
            answers([9, *rows[1:]], places),
            answers(rows[1:], places[1:]),
            answers([*rows[:2], 8, *rows[2:]], [*places[:2], 1, *places[2:]]),
        ]
        for after in others:
            differing = sum(a != b for a, b in zip(before, after, strict=True))
            assert differing <= 1
            changed += differing
    assert changed > 100


def test_blocks_mean() -> None:
    """Every number of one answer moves from one bound to the other; the twin has more blocks."""
    bounds = [(0, 10), (-3, 1), (100, 101)]

    def moved(epsilon: Fraction, blocks: int, numbers: int) -> Fraction:
        made = SampleAndAggregate(len, epsilon=epsilon, bounds=bounds[:numbers], blocks=blocks)
        event: Any = made.event
        assert event.parameters["sensitivity"] == Fraction(numbers, blocks)
        scale = Fraction(event.parameters["scale"])
        return sum((Fraction(1, blocks) / scale for _ in range(numbers)), Fraction(0))

    prove(
        product([Fraction(1, 2), Fraction(3)], [1, 7, 50], [1, 2, 3]),
        moved,
        lambda epsilon, *_: epsilon,
        twin=lambda epsilon, *_: ALMOST * epsilon,
    )


def test_blocks_mixture() -> None:
    shares = [Fraction(0), Fraction(1, 4), Fraction(1, 2)]

    def mixed(share: Fraction, one: Any, other: Any) -> list[Fraction]:
        return [share * a + (1 - share) * b for a, b in zip(one, other, strict=True)]

    def cases() -> Iterator[tuple[Fraction, Fraction, Any, Any, Any, Any]]:
        for factor, share in product(FACTORS[1:3], shares):
            for p, q, p2, q2 in product(DISTRIBUTIONS[1:4], repeat=4):
                yield factor, share, p, q, p2, q2

    def bound(factor: Fraction, share: Fraction, p: Any, q: Any, p2: Any, q2: Any) -> Fraction:
        return share * hockey_stick(p, q, factor) + (1 - share) * hockey_stick(p2, q2, factor)

    prove(
        cases(),
        lambda factor, share, p, q, p2, q2: hockey_stick(
            mixed(share, p, p2), mixed(share, q, q2), factor
        ),
        bound,
        twin=lambda *case: ALMOST * bound(*case),
    )
