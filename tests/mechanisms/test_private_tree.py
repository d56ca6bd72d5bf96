"""Private trees: the distribution, the proof by brute force, and the noise that is enough."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.mechanisms import PrivateTree
from sfumato.mechanisms.privtree.noise import SplitNoise, calibrated
from sfumato.numeric import Ln, as_ball, working_precision
from tests.mechanisms.noise_checks import keeps, worst_ratio
from tests.mechanisms.small_trees import TABLES

BITS = 192
SLACK = arb(2) ** -100
EPSILONS = st.sampled_from([Fraction(1, 20), Fraction(1, 3), Fraction(1), Fraction(5, 2)])
RELATIONS = st.sampled_from(
    [sf.privacy.AddRemove(), sf.privacy.Substitute(), sf.privacy.AddRemove(2)]
)
SCALES = st.fractions("1/20", 60, max_denominator=50)


# --- The distribution -----------------------------------------------------------------------------


def decided_chance(tree: PrivateTree, cell_count: int, level: int, *, split: bool) -> float:
    """How likely a cell is split, or not, by the definition and a sum over the noise."""
    value = max(cell_count - level * tree.step, tree.threshold - tree.clamp)
    reach = math.ceil(45 * tree.scale) + abs(tree.threshold - value) + 2
    weights = {k: math.exp(-abs(k) / float(tree.scale)) for k in range(-reach, reach + 1)}
    found = [each for k, each in weights.items() if (value + k > tree.threshold) == split]
    return math.fsum(found) / math.fsum(weights.values())


def tree_chance(tree: PrivateTree, cells: list[int], leaves: Any, level: int, place: int) -> float:
    """How likely the part of a tree below a cell is."""
    deepest = min(len(cells).bit_length() - 1, tree.depth)
    if level == deepest:
        return 1.0
    width = len(cells) >> level
    split = (level, place) not in leaves
    inside = sum(cells[place * width : (place + 1) * width])
    chance = decided_chance(tree, inside, level, split=split)
    if not split:
        return chance
    below = (tree_chance(tree, cells, leaves, level + 1, 2 * place + side) for side in (0, 1))
    return chance * math.prod(below)


@given(EPSILONS, TABLES, st.integers(-5, 9), st.integers(1, 4))
@settings(max_examples=30)
def test_the_distribution_is_that_of_the_definition(
    epsilon: Fraction, cells: list[int], threshold: int, depth: int
) -> None:
    tree = PrivateTree(epsilon=epsilon, threshold=threshold, depth=depth)
    distribution = tree.distribution(cells)
    chances = [tree_chance(tree, cells, set(leaves), 0, 0) for leaves in distribution.outcomes]
    assert math.fsum(chances) == pytest.approx(1)
    for leaves, chance in zip(distribution.outcomes, chances, strict=True):
        assert distribution.probability(leaves).upper == pytest.approx(chance, rel=1e-9, abs=1e-300)


# --- The proof --------------------------------------------------------------------------------


@given(SCALES)
def test_what_a_weight_of_one_can_do_falls_with_the_count(scale: Fraction) -> None:
    """ρ falls, and is 1/λ up to the bar: the lemma behind the sum."""
    noise = SplitNoise(scale)
    with working_precision(BITS):
        chances = [noise.split(lead).log() for lead in range(-5, 12)]
        growth = [high - low for low, high in pairwise(chances)]
        assert all(later <= earlier + SLACK for earlier, later in pairwise(growth))
        assert all(abs(each - noise.removal()) < SLACK for each in growth[:6])


@given(SCALES)
def test_empty_cells_are_split_less_than_every_other_time(scale: Fraction) -> None:
    noise = SplitNoise(scale)
    with working_precision(BITS):
        assert noise.split(-noise.clamp) < arb(2).sqrt() - 1


@given(SCALES, st.integers(1, 40))
def test_the_cost_is_the_sum_along_the_worst_path(scale: Fraction, depth: int) -> None:
    noise = SplitNoise(scale)
    with working_precision(BITS):
        leads = [j * noise.step - noise.clamp for j in range(depth)]
        each = [noise.split(lead + 1).log() - noise.split(lead).log() for lead in leads]
        assert abs(noise.addition(depth) - sum(each, arb(0))) < SLACK


@given(SCALES)
def test_many_levels_cost_what_their_rest_is_bounded_by(scale: Fraction) -> None:
    noise = SplitNoise(scale)
    with working_precision(BITS):
        some, all_levels = noise.addition(128), noise.addition(10**9)
        assert all_levels.upper() >= some.upper()
        assert all_levels.rad() < 1e-20 * some


@st.composite
def neighbouring_tables(draw: Any, weight: int, removed: int) -> tuple[list[int], list[int]]:
    """Tables between which so much weight is spread over any cells, and so much taken away."""
    one = draw(TABLES)
    places = st.integers(0, len(one) - 1)
    other = list(one)
    for place in draw(st.lists(places, max_size=weight)):
        other[place] += 1
    for place in draw(st.lists(places, max_size=removed)):
        other[place] = max(other[place] - 1, 0)
    return one, other


@given(st.data(), EPSILONS, st.integers(1, 4), RELATIONS, st.integers(-4, 10), st.integers(1, 4))
def test_no_tree_tells_neighbours_apart_better_than_guaranteed(
    data: Any, epsilon: Fraction, weight: int, relation: Any, threshold: int, depth: int
) -> None:
    """Every tree of up to eight cells, in both directions; units of several steps."""
    tree = PrivateTree(
        epsilon=epsilon, sensitivity=weight, relation=relation, threshold=threshold, depth=depth
    )
    moved = weight * relation.count
    taken = moved if isinstance(relation, sf.privacy.Substitute) else 0
    one, other = data.draw(neighbouring_tables(moved, taken))
    first, second = tree.distribution(one), tree.distribution(other)
    assert keeps(first, second, first.outcomes, epsilon)
    assert keeps(second, first, first.outcomes, epsilon)


def loss(tree: Any, one: Any, other: Any) -> float:
    """The greatest privacy loss of any tree, in either direction."""
    distributions = tree.distribution(one), tree.distribution(other)
    with working_precision(BITS):
        both = (
            worst_ratio(*distributions, distributions[0].outcomes),
            worst_ratio(*distributions[::-1], distributions[0].outcomes),
        )
        return float(both[0].max(both[1]).log())


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("epsilon", ["0.01", "0.5", "1", "8"])
@pytest.mark.parametrize("threshold", [0, 40])
def test_the_cost_is_attained(epsilon: str, depth: int, threshold: int) -> None:
    tree = PrivateTree(epsilon=epsilon, depth=depth, threshold=threshold)
    attained = [loss(tree, *pair) for pair in tree.neighbours()]
    assert max(attained) == pytest.approx(tree.cost.upper, rel=1e-9)


def test_a_substitution_attains_what_both_halves_cost() -> None:
    """But for the first cell, which both units have in common where there is one root."""
    tree = PrivateTree(epsilon="0.1", depth=3, relation=sf.privacy.Substitute())
    noise = SplitNoise(tree.scale)
    with working_precision(BITS):
        both = float(noise.addition(2) + noise.removal())
    attained = max(loss(tree, *pair) for pair in tree.neighbours())
    assert attained == pytest.approx(both, rel=1e-9)
    assert 0.9 * float(tree.epsilon) < attained


def test_several_steps_of_one_unit_come_near_the_sum_of_their_costs() -> None:
    """Four steps in four cells: a quarter of the guarantee would not do."""
    tree = PrivateTree(epsilon=4, depth=3, sensitivity=4)
    spread = [2, 0, 2, 0, 2, 0, 2, 0], [3, 0, 3, 0, 3, 0, 3, 0]
    assert 1 < loss(tree, *spread) <= tree.cost.upper
    assert 2.5 < loss(tree, *tree.neighbours()[0]) <= tree.cost.upper


@pytest.mark.parametrize(
    ("name", "value"), [("step", 0), ("scale", Fraction("0.924")), ("clamp", 4)]
)
def test_wrong_variants_are_found_out(name: str, value: Any) -> None:
    """The power of the tests above: no step, half the noise, too deep a floor."""
    tree = PrivateTree(epsilon=1)
    tree.__dict__[name] = value
    tables = [([at, *[0] * 7], [at + 1, *[0] * 7]) for at in range(5)]
    assert max(loss(tree, *pair) for pair in tables) > 1.05


# --- Calibration ------------------------------------------------------------------------------


@given(
    st.fractions("1/1000000", 10**6, max_denominator=10**6),
    st.integers(1, 50),
    st.integers(1, 100),
    RELATIONS,
)
def test_noise_is_enough_and_hardly_more(
    epsilon: Fraction, weight: int, depth: int, relation: Any
) -> None:
    """Where the step goes from 1 to 2, at λ = 1.5/ln 2, the cost jumps down to 0.6706 of itself."""
    tree = PrivateTree(epsilon=epsilon, sensitivity=weight, depth=depth, relation=relation)
    assert tree.cost.upper <= epsilon
    assert tree.cost.lower > Fraction(67, 100) * epsilon
    removed = 1 if isinstance(relation, sf.privacy.Substitute) else 0
    assert 1 <= tree.scale * epsilon / (weight * relation.count) <= Fraction("2.21") + removed
    assert 0 <= tree.clamp < tree.step


@pytest.mark.parametrize(
    ("epsilon", "factor"), [("1e-6", 1.9498), ("1e-3", 1.9498), ("1", 1.85), ("1e6", 1.00001)]
)
def test_figures(epsilon: str, factor: float) -> None:
    """The first proof of PrivTree needs a scale of 3/ε."""
    tree = PrivateTree(epsilon=epsilon)
    assert float(tree.scale) * float(epsilon) == pytest.approx(factor, rel=2e-3)
    assert tree.cost.upper >= 0.99999 * float(epsilon)


def test_scales_are_short() -> None:
    scale = PrivateTree(epsilon="1/3").scale
    assert scale.denominator.bit_length() + scale.numerator.bit_length() < 60


def test_calibration_is_done_once() -> None:
    assert calibrated(Fraction(1), 1, 0, 60) is calibrated(Fraction(1), 1, 0, 60)


def test_a_logarithm_is_rounded_down() -> None:
    tree = PrivateTree(epsilon=Ln(2))
    assert tree.event == sf.privacy.events.Pure(epsilon=Ln(2))
    with working_precision(BITS):
        assert arb(tree.cost.upper) < as_ball(Ln(2))
