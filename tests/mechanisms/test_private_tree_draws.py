"""Private trees: draws and their distributions, an audit, the depth, great counts and refusals."""

from __future__ import annotations

from fractions import Fraction
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.errors import InputError
from sfumato.mechanisms import PrivateTree
from sfumato.sampling import SeededSource
from tests.cases import cases
from tests.mechanisms.noise_checks import refuses
from tests.mechanisms.small_trees import TABLES
from tests.refusing import raises_code
from tests.sampling.scripted import FALSE_ALARM, ScriptedSource, surprise

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray


# --- Draws -----------------------------------------------------------------------------------


@pytest.mark.full
def test_draws_follow_the_distribution() -> None:
    """With the twin, four fifths of the scale; false alarm at most 1e-6."""
    tree, table, draws = PrivateTree(epsilon="0.5"), [9, 2, 0, 0], 10_000
    source = SeededSource(3)
    found = [tree.release(table, source=source).value for _ in range(draws)]

    def doubt(mechanism: PrivateTree) -> float:
        chances = mechanism.distribution(table).probabilities()
        observed = [found.count(leaves) for leaves in chances]
        return surprise(observed, [each.upper for each in chances.values()])

    assert doubt(tree) > FALSE_ALARM
    twin = PrivateTree(epsilon="0.5")
    twin.__dict__["scale"] = tree.scale * Fraction(4, 5)
    assert doubt(twin) < FALSE_ALARM


def grown(tree: PrivateTree, cells: list[int], source: SeededSource) -> set[tuple[int, int]]:
    """A tree grown level by level, as one does whose cells are found on the way."""
    leaves, places, deepest = set(), [0], len(cells).bit_length() - 1
    for level in range(deepest):
        width = len(cells) >> level
        counts = [sum(cells[place * width : (place + 1) * width]) for place in places]
        split = tree.splits(np.array(counts, dtype=np.int64), level, source=source)
        leaves |= {(level, place) for place, go in zip(places, split, strict=True) if not go}
        kept = [place for place, go in zip(places, split, strict=True) if go]
        places = [2 * place + side for place in kept for side in (0, 1)]
    return leaves | {(deepest, place) for place in places}


@pytest.mark.parametrize("seed", range(5))
def test_levels_one_by_one_give_the_same_tree(seed: int) -> None:
    tree, cells = PrivateTree(epsilon="0.7", threshold=3), [3, 9, 0, 1, 40, 2, 2, 2] * 4
    released = tree.release(cells, source=SeededSource(seed)).value
    assert set(released) == grown(tree, cells, SeededSource(seed))
    assert released == tree.release(cells, source=SeededSource(seed)).value


@given(TABLES.filter(lambda cells: len(cells) > 1), st.integers(0, 10**6))
@settings(max_examples=20)
def test_leaves_cover_every_cell_once_from_left_to_right(cells: list[int], seed: int) -> None:
    leaves = PrivateTree(epsilon=3).release(cells, source=SeededSource(seed)).value
    widths = [len(cells) >> level for level, _ in leaves]
    starts = [place * width for (_, place), width in zip(leaves, widths, strict=True)]
    ends = [start + width for start, width in zip(starts, widths, strict=True)]
    assert [0, *ends] == [*starts, len(cells)]


def path_depths(tree: PrivateTree, counts: tuple[int, ...], source: SeededSource, size: int) -> Any:
    """How deep the first path goes, in many trees at once."""
    depths = np.zeros(size, dtype=np.int64)
    alive = np.arange(size)
    for level, cell_count in enumerate(counts):
        alive = alive[tree.splits(np.full(alive.size, cell_count), level, source=source)]
        depths[alive] += 1
    return depths


@pytest.mark.full
@pytest.mark.parametrize(("change", "violated"), [(None, False), ("step", True), ("scale", True)])
def test_an_audit_of_paths(change: str | None, violated: Any) -> None:
    """A unit of four steps; a right tree is accused with probability at most 1e-6.

    The twins that must be found out have no step, and half the noise.
    """
    tree = PrivateTree(epsilon=2, sensitivity=4)
    wrong = {"step": 0, "scale": tree.scale / 2}
    if change:
        tree.__dict__[change] = wrong[change]
    low = [max(tree.threshold, 0) + (tree.step if change != "step" else 0)] * 4
    seeds = count(1)

    def sampler(weight: int, size: int) -> NDArray[Any]:
        counts = tuple(each + weight for each in low)
        return np.asarray(path_depths(tree, counts, SeededSource(next(seeds)), size))

    assert sf.audit(sampler, 0, 4, epsilon=2, samples=200_000).violated is violated


# --- Depth, sizes and refusals ----------------------------------------------------------------


def test_no_cell_of_the_last_level_is_split() -> None:
    tree = PrivateTree(epsilon=1, depth=2)
    assert tree.release([10**6] * 16).value == tuple((2, place) for place in range(4))
    assert not tree.splits([10**9] * 3, 2, source=ScriptedSource()).any()
    assert tree.splits([10**9] * 3, 1).all()
    assert len(tree.distribution([1] * 16).outcomes) == 5


def test_one_cell_is_its_own_tree() -> None:
    tree = PrivateTree(epsilon=1)
    assert tree.release([5], source=ScriptedSource()).value == ((0, 0),)
    assert tree.distribution([5]).probability(((0, 0),)).lower == 1


@pytest.mark.parametrize(
    "cells",
    [
        [2**70, 0],
        [2**62, 2**62],
        np.array([2**63 - 1, 2**63 - 1]),
        np.array([2**64 - 1, 7], np.uint64),
        np.array([200, 0], np.uint8),
        pd.Series([200, None], dtype="Int64"),
    ],
)
@pytest.mark.parametrize("threshold", [0, -(2**70)])
def test_great_counts_are_split_and_never_wrap(cells: Any, threshold: int) -> None:
    tree = PrivateTree(epsilon=1, threshold=threshold)
    assert tree.release(cells).value == ((1, 0), (1, 1))
    assert tree.splits(cells, 0)[0]


@pytest.mark.parametrize("threshold", [2**70, 2**62])
def test_below_a_bar_beyond_all_counts_all_cells_are_alike(threshold: int) -> None:
    tree = PrivateTree(epsilon=1, threshold=threshold)
    full, empty = (
        tree.splits(np.full(50, each), 0, source=SeededSource(1)) for each in (2**63 - 1, 0)
    )
    assert (full == empty).all()


def test_counts_below_zero_count_as_none() -> None:
    tree, seeds = PrivateTree(epsilon=1), range(20)
    drawn = [
        [tree.release(cells, source=SeededSource(seed)).value for seed in seeds]
        for cells in ([-5, 3], [0, 3], [None, 3])
    ]
    assert drawn[0] == drawn[1] == drawn[2]


def test_noise_of_any_scale_is_drawn() -> None:
    great = PrivateTree(epsilon="1e-12", sensitivity=10**5)
    assert great.splits(np.zeros(50, dtype=np.int64), 59).shape == (50,)
    with raises_code("E-EPSILON-TOO-SMALL", "epsilon"):
        PrivateTree(epsilon="1e-12", sensitivity=10**7)


@cases(
    "wrong",
    [
        *([1.5, 2.0], [True, False], ["a", "b"], "12", {"a": 1}, None, np.ones(2), 1.5),
        *(5, [], [1, 2, 3], [[1, 2], [3, 4]], np.array([1, 2], "m8[s]")),
        *(pd.DataFrame({"n": [1, 2]}), np.ma.array([1, 2], mask=[False, True])),
    ],
)
def test_what_no_counts_of_cells_are(wrong: Any) -> None:
    tree = PrivateTree(epsilon=1)
    refuses(lambda: tree.release(wrong, source=ScriptedSource()))
    refuses(lambda: tree.distribution(wrong))


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda tree: tree.release([1.5, 2]), "whole numbers"),
        (lambda tree: tree.release([1, 2, 3]), "power of two, not over counts of shape"),
        (lambda tree: tree.distribution([0] * 32), "at most 16 cells"),
        (lambda tree: tree.splits([1], -1), "level"),
        (lambda tree: tree.splits([1], 0.5), "level"),
        (lambda tree: tree.splits(["a"], 0), "whole numbers"),
        (lambda tree: tree.splits([1], 0, source=7), "source"),
    ],
)
def test_refusals_are_one_sentence(ask: Callable[[PrivateTree], Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        ask(PrivateTree(epsilon=1))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"threshold": 0.5}, "threshold must be a whole number"),
        ({"depth": 0}, "depth must be a whole number"),
        ({"sensitivity": 1.5}, "sensitivity must be a whole number"),
        ({"epsilon": 10**7}, "epsilon must be from"),
    ],
)
def test_wrong_parameters_are_named(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        PrivateTree(**{"epsilon": 1, **wrong})


def test_shapes_are_kept() -> None:
    tree = PrivateTree(epsilon=1)
    assert tree.splits(np.zeros((2, 3), dtype=np.int64), 0).shape == (2, 3)
    assert tree.splits([], 0).shape == (0,)
    assert tree.splits(10**6, 0).tolist() is True
