"""Disjoint groups, of which a change of the table reaches one; and two, where a unit is moved."""

from __future__ import annotations

from itertools import product

from tests.proofs.finite import FACTORS, FULL, FULL_PAIRS, PAIRS, hockey_stick, ratio, times
from tests.proofs.inequalities import prove_equal


def test_parallel_one_group() -> None:
    prove_equal(
        ((p, q, rest, factor) for (p, q), rest, factor in product(PAIRS, FULL, FACTORS)),
        lambda p, q, rest, factor: hockey_stick(times(p, rest), times(q, rest), factor),
        lambda p, q, _rest, factor: hockey_stick(p, q, factor),
        twin=lambda p, q, rest, factor: hockey_stick(times(p, rest), times(q, q), factor),
    )


def test_parallel_moved() -> None:
    prove_equal(
        ((p, q, r, s) for (p, q), (r, s) in product(FULL_PAIRS, repeat=2)),
        lambda p, q, r, s: ratio(times(p, r), times(q, s)),
        lambda p, q, r, s: ratio(p, q) * ratio(r, s),
        twin=lambda p, q, r, s: max(ratio(p, q), ratio(r, s)),
    )
