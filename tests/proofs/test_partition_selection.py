"""Partition selection: the closed form is the rule, its two inequalities, and several groups."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod
from typing import TYPE_CHECKING

import sfumato as sf
from sfumato.mechanisms.choices.partition_selection import KeepRule
from sfumato.numeric import as_ball
from tests.proofs.inequalities import prove, prove_equal
from tests.proofs.test_definitions import hockey_stick

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flint import arb

ALMOST = Fraction(99, 100)
RULES = [
    KeepRule(Fraction(1), Fraction(1, 10**5)),
    KeepRule(Fraction(1, 5), Fraction(1, 100)),
    KeepRule(Fraction(3), Fraction(1, 3)),
]


def counts() -> Iterator[tuple[KeepRule, int]]:
    for rule in RULES:
        yield from ((rule, count) for count in range(rule.end + 2))


def least(rule: KeepRule, count: int, delta: Fraction) -> arb:
    """The least of the three terms."""
    factor, shown, allowed = as_ball(rule.epsilon).exp(), rule.probability(count), as_ball(delta)
    first, second = factor * shown + allowed, 1 - (1 - shown - allowed) / factor
    return first.min(second).min(as_ball(1))


def test_selection_rule() -> None:
    prove_equal(
        counts(),
        lambda rule, count: rule.probability(count + 1),
        lambda rule, count: least(rule, count, rule.delta),
        twin=lambda rule, count: least(rule, count, ALMOST * rule.delta),
    )


def test_selection_shown() -> None:
    def bound(rule: KeepRule, count: int, share: Fraction) -> arb:
        return as_ball(rule.epsilon).exp() * rule.probability(count) + as_ball(share * rule.delta)

    prove(
        counts(),
        lambda rule, count: rule.probability(count + 1),
        lambda rule, count: bound(rule, count, Fraction(1)),
        twin=lambda rule, count: bound(rule, count, ALMOST),
    )


def test_selection_hidden() -> None:
    def bound(rule: KeepRule, count: int, share: Fraction) -> arb:
        hidden = 1 - rule.probability(count + 1)
        return as_ball(rule.epsilon).exp() * hidden + as_ball(share * rule.delta)

    prove(
        counts(),
        lambda rule, count: 1 - rule.probability(count),
        lambda rule, count: bound(rule, count, Fraction(1)),
        twin=lambda rule, count: bound(rule, count, ALMOST),
    )


def test_selection_groups() -> None:
    """Decisions with rational probabilities; δ' of each is the greater of both orders."""
    decisions = [
        (Fraction(1, 5), Fraction(1, 2)),
        (Fraction(0), Fraction(1, 7)),
        (Fraction(9, 10), Fraction(1)),
    ]
    factor = Fraction(3, 2)

    def both(shown: Fraction) -> tuple[Fraction, Fraction]:
        return shown, 1 - shown

    def together(chosen: tuple[tuple[Fraction, Fraction], ...], side: int) -> list[Fraction]:
        return [
            prod(each, start=Fraction(1))
            for each in product(*(both(pair[side]) for pair in chosen))
        ]

    def lost(chosen: tuple[tuple[Fraction, Fraction], ...], side: int) -> Fraction:
        return hockey_stick(
            together(chosen, side), together(chosen, 1 - side), factor ** len(chosen)
        )

    def bound(chosen: tuple[tuple[Fraction, Fraction], ...], side: int) -> Fraction:
        kept = (1 - hockey_stick(both(p[side]), both(p[1 - side]), factor) for p in chosen)
        return 1 - prod(kept, start=Fraction(1))

    prove(
        (
            (chosen, side)
            for size in (1, 2, 3)
            for chosen in product(decisions, repeat=size)
            for side in (0, 1)
        ),
        lost,
        bound,
        twin=lambda chosen, side: ALMOST * bound(chosen, side),
    )


def test_the_shares_of_several_groups_come_to_no_more_than_delta() -> None:
    for partitions, delta in product((1, 2, 7), (Fraction(1, 10**6), Fraction(1, 2))):
        made = sf.mechanisms.PartitionSelection(epsilon=1, delta=delta, partitions=partitions)
        assert 1 - (1 - made.rule.delta) ** partitions <= delta
        assert made.rule.epsilon * partitions == 1
