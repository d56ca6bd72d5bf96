"""Private trees: the growth of a split's probability, its sums, and whole trees."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

from flint import arb

import sfumato as sf
from sfumato.mechanisms import PrivateTree
from sfumato.mechanisms.privtree.noise import SplitNoise
from sfumato.numeric import as_ball
from tests.proofs.inequalities import prove, prove_equal

if TYPE_CHECKING:
    from collections.abc import Iterator

ALMOST = Fraction(99, 100)
SCALES = [Fraction(1, 10), Fraction(1), Fraction(7, 2), Fraction(20), Fraction(1000)]
LEADS = [-7, -1, 0, 1, 2, 5, 30]


def growth(scale: Fraction, lead: int) -> arb:
    """ρ, by the probabilities that the code uses."""
    noise = SplitNoise(scale)
    return (noise.split(lead + 1) / noise.split(lead)).log()


def formula(scale: Fraction, lead: int) -> arb:
    if lead <= 0:
        return as_ball(1 / scale)
    rate, power = as_ball(-1 / scale).exp(), as_ball(-lead / scale).exp()
    return ((1 - rate) * power / (1 + rate - power)).log1p()


def path(scale: Fraction, depth: int) -> arb:
    """ε₁, term by term."""
    noise = SplitNoise(scale)
    leads = (j * noise.step - noise.clamp for j in range(depth))
    return sum((formula(scale, lead) for lead in leads), arb(0))


def test_tree_growth() -> None:
    """Tails of 1/10 at 30 steps are 10^-130: they are compared where they are told from 1."""
    cases = [(scale, lead) for scale, lead in product(SCALES, LEADS) if lead < 12 * scale]
    prove_equal(cases, growth, formula, twin=lambda scale, lead: formula(ALMOST * scale, lead))


def test_tree_falls() -> None:
    prove(
        product(SCALES, LEADS),
        lambda scale, lead: formula(scale, lead + 1),
        formula,
        twin=lambda scale, lead: as_ball(ALMOST) * formula(scale, lead),
    )


def test_tree_rest() -> None:
    def bound(scale: Fraction, lead: int) -> arb:
        return -as_ball(-1 / scale).expm1() * as_ball(-lead / scale).exp()

    prove(
        ((scale, lead) for scale in SCALES for lead in (1, 2, 5, 30, 3000)),
        formula,
        bound,
        twin=lambda scale, lead: as_ball(ALMOST) * bound(scale, lead),
    )


def test_tree_leaf() -> None:
    def bound(scale: Fraction, lead: int, share: Fraction) -> arb:
        return as_ball(share / scale).exp() * SplitNoise(scale).unsplit(lead + 1)

    prove(
        product(SCALES, LEADS),
        lambda scale, lead: SplitNoise(scale).unsplit(lead),
        lambda scale, lead: bound(scale, lead, Fraction(1)),
        twin=lambda scale, lead: bound(scale, lead, ALMOST),
    )


def test_tree_ends() -> None:
    scales = [Fraction(each, 8) for each in range(1, 80)] + [Fraction(1000)]
    prove(
        [(scale,) for scale in scales],
        lambda scale: SplitNoise(scale).split(-SplitNoise(scale).clamp),
        lambda _: arb(2).sqrt() - 1,
        twin=lambda _: (arb(2).sqrt() - 1) * as_ball(Fraction(9, 10)),
    )
    assert all(SplitNoise(scale).clamp < SplitNoise(scale).step for scale in scales)


def test_tree_sum() -> None:
    """The code's enclosure of ε₁, also where the rest is bounded and not added up."""

    def enclosed(scale: Fraction, depth: int, share: Fraction) -> arb:
        return as_ball(share) * SplitNoise(scale).addition(depth).upper()

    depths = [1, 2, 12, 200]
    prove(
        product(SCALES, depths),
        path,
        lambda scale, depth: enclosed(scale, depth, Fraction(1)),
        twin=lambda scale, depth: enclosed(scale, depth, ALMOST),
    )
    prove(
        product(SCALES, depths),
        lambda scale, depth: enclosed(scale, depth, ALMOST),
        path,
        twin=lambda scale, depth: as_ball(ALMOST**2) * path(scale, depth),
    )


def test_tree_path() -> None:
    """All trees over four cells, a weight of 1 added to each; and twice the ε₁ of two levels."""
    tree = PrivateTree(epsilon=1, depth=2)

    def loss(counts: tuple[int, ...], place: int, grown: int) -> arb:
        after = [count + (at == place) for at, count in enumerate(counts)]
        one, other = tree.distribution(counts), tree.distribution(after)
        outcome = one.outcomes[grown]
        return (other.ball(outcome) / one.ball(outcome)).log()

    held = [0, tree.step - tree.clamp - 1, tree.step - tree.clamp, 40]
    trees = range(len(tree.distribution([0, 0, 0, 0]).outcomes))
    columns = [(first, 0, last, 0) for first, last in product(held, repeat=2)]
    prove(
        product(columns, range(4), trees),
        loss,
        lambda *_: path(tree.scale, 2),
        twin=lambda *_: as_ball(ALMOST) * path(tree.scale, 2),
    )
    prove(
        product(columns, range(4), trees),
        lambda *case: -loss(*case),
        lambda *_: 1 / tree.scale,
        twin=lambda *_: ALMOST / tree.scale,
    )


def test_the_noise_of_the_mechanism_costs_no_more_than_epsilon() -> None:
    """W weights at ε₁ each, and 1/λ more for each where a unit is substituted."""
    relations = [(sf.privacy.AddRemove(), 0), (sf.privacy.Substitute(), 1)]

    def cases() -> Iterator[tuple[Fraction, int, int, tuple[sf.privacy.Relation, int]]]:
        yield from product([Fraction(1, 10), Fraction(2)], [1, 5], [3, 60], relations)

    def cost(
        epsilon: Fraction, weight: int, depth: int, kind: tuple[sf.privacy.Relation, int]
    ) -> arb:
        relation, removed = kind
        made = PrivateTree(epsilon=epsilon, sensitivity=weight, depth=depth, relation=relation)
        return weight * (path(made.scale, depth) + as_ball(removed / made.scale))

    prove(
        cases(),
        cost,
        lambda epsilon, *_: epsilon,
        twin=lambda epsilon, *_: ALMOST * epsilon,
    )
