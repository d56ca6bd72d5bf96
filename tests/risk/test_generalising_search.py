"""The search finds the best of all ways to make whole columns coarser (M-RISK-3)."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any, get_args

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from sfumato.risk.generalising.lattice import Lattice, Node, climb_and_descend, search_all
from sfumato.risk.generalising.losses import LossName
from sfumato.risk.generalising.partition import Targets
from tests.risk.generalised import Row, Way, as_cells, as_ladders, every_way, tables

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Trees = list[list[list[int]]]

wishes = st.builds(
    Targets,
    k=st.integers(1, 4),
    l=st.sampled_from([None, None, 1.5, 2, 3]),
    t=st.sampled_from([None, None, 0.2, 0.4]),
    diversity=st.sampled_from(["distinct", "entropy"]),
)


def rank(way: Way, loss: str) -> tuple[Any, ...]:
    rounded = float(f"{way.losses[loss]:.10g}") + 0.0
    return abs(rounded) if abs(rounded) > 1e-9 else 0.0, way.left_out, sum(way.point), way.point


def lattice_of(rows: Sequence[Row], trees: Trees, targets: Targets, limit: int) -> Lattice:
    return Lattice(as_cells(rows, trees), as_ladders(trees), targets, limit)


def same(node: Node | None, way: Way | None, loss: LossName) -> bool:
    if node is None or way is None:
        return (node is None) == (way is None)
    near = node.losses.of(loss) == pytest.approx(way.losses[loss], abs=1e-9)
    return near and (node.point, node.left_out) == (way.point, way.left_out)


@pytest.mark.full
@settings(max_examples=150, deadline=None)
@given(tables(), wishes, st.integers(0, 6), st.sampled_from(get_args(LossName)))
def test_the_search_agrees_with_looking_at_every_way(
    table: tuple[list[Row], Trees], targets: Targets, limit: int, loss: LossName
) -> None:
    rows, trees = table
    limit = min(limit, len(rows) - 1)
    ways = list(every_way(rows, trees, targets, limit))
    best = min(ways, key=lambda way: rank(way, loss), default=None)
    lattice = lattice_of(rows, trees, targets, limit)
    found = search_all(lattice, loss)
    assert same(found, best, loss), (found, best)
    assert lattice.checked <= lattice.size


@settings(max_examples=60, deadline=None)
@given(tables(), wishes, st.integers(0, 6), st.sampled_from(get_args(LossName)))
def test_every_node_is_what_counting_row_by_row_says(
    table: tuple[list[Row], Trees], targets: Targets, limit: int, loss: LossName
) -> None:
    rows, trees = table
    lattice = lattice_of(rows, trees, targets, min(limit, len(rows) - 1))
    reached = {way.point: way for way in every_way(rows, trees, targets, lattice.limit)}
    for point in points(lattice):
        node = lattice.check(point)
        assert node.reaches == (point in reached)
        assert not node.reaches or same(node, reached[point], loss)


@pytest.mark.full
@settings(max_examples=60, deadline=None)
@given(tables(), wishes, st.integers(0, 6))
def test_what_rules_nodes_out_is_true_of_all_of_them(
    table: tuple[list[Row], Trees], targets: Targets, limit: int
) -> None:
    """Below a hopeless node none reaches; above a node none loses less than its floor."""
    rows, trees = table
    lattice = lattice_of(rows, trees, targets, min(limit, len(rows) - 1))
    nodes = [lattice.check(point) for point in points(lattice)]
    for low in nodes:
        for high in nodes:
            if all(a <= b for a, b in zip(low.point, high.point, strict=True)):
                assert not (high.hopeless and low.reaches)
                for loss in get_args(LossName):
                    assert low.floors.of(loss) <= high.losses.of(loss) * (1 + 1e-9) + 1e-9


def points(lattice: Lattice) -> Iterator[tuple[int, ...]]:
    return product(*(range(levels) for levels in lattice.shape))


class Careless(Lattice):
    """The twin: takes every failure for one that finer nodes share, whatever may be left out."""

    def check(self, point: tuple[int, ...]) -> Node:
        node = super().check(point)
        return replace(node, hopeless=not node.reaches)


#: As it is, only the row that differs is far from the others, and is left out; in coarser classes
#: it takes others with it.
CROOKED: tuple[list[Row], Trees] = (
    [((0, 0), 0), ((0, 1), 1), ((1, 0), 0), ((1, 1), 0), ((2, 0), 0), ((2, 1), 0)],
    [[[0, 1, 2], [0, 0, 1]], [[0, 1], [0, 0]]],
)


def test_closeness_with_rows_left_out_must_not_rule_out_finer_nodes() -> None:
    """Some table has a best node below one that fails; a careless search passes it by."""
    rows, trees = CROOKED
    found = [
        search_all(kind(as_cells(rows, trees), as_ladders(trees), Targets(1, t=0.2), 1), "entropy")
        for kind in (Lattice, Careless)
    ]
    assert [node.point for node in found if node is not None] == [(0, 0), (1, 1)]


@settings(max_examples=60, deadline=None)
@given(tables(), wishes, st.integers(0, 6))
@example(CROOKED, Targets(2), 1)
def test_the_heuristic_reaches_what_can_be_reached(
    table: tuple[list[Row], Trees], targets: Targets, limit: int
) -> None:
    rows, trees = table
    limit = min(limit, len(rows) - 1)
    lattice = lattice_of(rows, trees, targets, limit)
    found, best = climb_and_descend(lattice, "entropy"), search_all(lattice, "entropy")
    if found is not None:
        assert best is not None
        assert found.reaches
        assert best.losses.entropy <= found.losses.entropy + 1e-9
    else:
        assume(limit == 0 or (targets.t is None and targets.diversity == "distinct"))
        assert best is None
