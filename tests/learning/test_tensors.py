"""Points in a tensor give what points in an array give, bit for bit, on every device here.

The tests run on the processor, and on a CUDA device too where there is one (M-LLOYD-2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.errors import InputError
from sfumato.learning import L1Ball
from sfumato.learning.kmeans.points import tensors
from sfumato.learning.kmeans.points.arrays import ArrayPoints
from sfumato.learning.kmeans.points.grid import most_levels
from sfumato.learning.kmeans.points.tensors import TensorPoints, tensor_points
from sfumato.learning.kmeans.space import Ball, GridBox, space_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

pytestmark = pytest.mark.full

DEVICES = ["cpu", "cuda"] if torch.cuda.is_available() else ["cpu"]
on_each_device = pytest.mark.parametrize("device", DEVICES)

BOUNDS = [-1.0, 0.1, 3.7e5, 1e-9]


def boxes(draw: st.DrawFn, dimensions: int) -> GridBox:
    low = np.array(
        draw(st.lists(st.sampled_from(BOUNDS), min_size=dimensions, max_size=dimensions))
    )
    width, reach = draw(st.sampled_from([1e-3, 1.0, 77.7])), draw(st.sampled_from([1, 2, 8]))
    if draw(st.booleans()):
        ball = L1Ball(radius=width, center=low)
        return space_of(*ball.ends(dimensions), reach=reach, domain=ball)
    return space_of(low, low + width, reach=reach)


def values_in(space: GridBox, rows: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Points around a box; few different ones, so that many are as near to two centres."""
    coarse = rng.integers(-5, 6, size=(rows, space.dimensions)) / 4
    fine = rng.normal(size=(rows, space.dimensions))
    places = np.where(rng.random((rows, 1)) < 0.5, coarse, fine)
    values: NDArray[np.float64] = space.middle + places * (space.high - space.low) / 2
    strange = rng.random(values.shape) < 0.05
    values[strange] = rng.choice([np.nan, np.inf, -np.inf, 0.0, -0.0, 1e308], strange.sum())
    return values


def centres_in(space: GridBox, many: int, rng: np.random.Generator) -> NDArray[np.int64]:
    shape = (many, space.dimensions)
    coarse = rng.integers(-4, 5, shape) / 4 * space.unit
    fine = rng.uniform(-space.reach, space.reach, shape) * space.unit
    return space.held(coarse if rng.random() < 0.5 else fine)


def weights_of(rows: int, rng: np.random.Generator) -> NDArray[np.float64]:
    return rng.integers(0, 1025, rows).astype(np.float64)


@st.composite
def both(draw: st.DrawFn) -> tuple[ArrayPoints, TensorPoints, np.random.Generator]:
    """The same points in an array and in a tensor, and what else to draw from."""
    space = boxes(draw, draw(st.integers(1, 40)))
    rows = draw(st.sampled_from([0, 1, 2, 31, 33, 500, 4099]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    values = values_in(space, rows, rng)
    weights = weights_of(rows, rng) if draw(st.booleans()) else None
    array = ArrayPoints(space, space.whole(values), weights)
    return array, tensor_points(torch.as_tensor(values), space, weights), rng


def moved(points: TensorPoints, device: str) -> TensorPoints:
    weights = None if points.weights is None else points.weights.to(device)
    return TensorPoints(points.space, points.steps.to(device), weights)


def balls(space: GridBox) -> list[Ball | None]:
    radii = [1, space.unit // 3, space.unit * 2, 10**15]
    return [None, *(Ball(radius, norm) for radius in radii for norm in ("l1", "l2"))]


def equal(found: Any, wanted: Any) -> bool:
    return all(
        found_part.dtype == wanted_part.dtype and np.array_equal(found_part, wanted_part)
        for found_part, wanted_part in zip(vars(found).values(), vars(wanted).values(), strict=True)
    )


@on_each_device
@given(points=both(), many=st.integers(1, 200))
def test_totals_equal_those_of_an_array(device: str, points: Any, many: int) -> None:
    array, tensor, rng = points
    centres = centres_in(array.space, many, rng)
    assert tensor.fine == array.fine
    for ball in balls(array.space):
        found = moved(tensor, device).totals(centres, ball=ball)
        assert equal(found, array.totals(centres, ball=ball))


@on_each_device
@given(points=both(), draw=st.data())
def test_cells_equal_those_of_an_array(device: str, points: Any, draw: st.DataObject) -> None:
    array, tensor, rng = points
    level = draw.draw(st.integers(0, most_levels(array.space)))
    above = draw.draw(st.integers(0, level))
    outer = array.cells(above, inside=np.zeros(1, dtype=np.int64), above=0).names
    inside = rng.permutation(outer)[: 1 + len(outer) // 2]
    found = moved(tensor, device).cells(level, inside=inside, above=above)
    assert equal(found, array.cells(level, inside=inside, above=above))


@on_each_device
@given(points=both())
def test_points_are_brought_into_a_ball_as_those_of_an_array(device: str, points: Any) -> None:
    array, tensor, _ = points
    assert np.array_equal(moved(tensor, device).steps.cpu().numpy(), array.steps)
    assert (np.abs(array.steps).sum(axis=1) <= array.space.radius).all()


@on_each_device
@pytest.mark.parametrize("kind", ["float16", "bfloat16", "float32", "float64"])
def test_every_type_of_float_is_read_as_it_is(device: str, kind: str) -> None:
    space = space_of(np.array([-1.0, 0.0, 0.3]), np.array([1.0, 7.0, 0.4]))
    values = torch.as_tensor(values_in(space, 70_000, np.random.default_rng(1)))
    values = values.to(getattr(torch, kind)).requires_grad_()
    wanted = space.whole(values.detach().double().numpy())
    assert np.array_equal(tensor_points(values.to(device), space).steps.cpu().numpy(), wanted)


@on_each_device
@pytest.mark.parametrize("reach", [1, 31])
@pytest.mark.parametrize("corner", [-1, 1])
def test_the_largest_sums_are_exact(device: str, reach: int, corner: int) -> None:
    """Every point in one corner, and the centre in the other, as far as it may be."""
    space = space_of(-np.ones(3), np.ones(3), reach=reach)
    values = torch.full((300_001, 3), float(corner), device=device)
    centres = np.full((1, 3), -corner * reach * space.unit)
    points = tensor_points(values, space)
    for ball, far in ((None, 1), (Ball(10**15), 1 + reach)):
        found = points.totals(centres, ball=ball)
        assert found.counts.tolist() == [300_001]
        assert found.sums.tolist() == [[300_001 * corner * far * space.unit] * 3]


@on_each_device
def test_several_chunks_and_programs_add_up(device: str) -> None:
    rng = np.random.default_rng(3)
    space = space_of(-np.ones(5), np.ones(5))
    values = values_in(space, 150_001, rng)
    tensor = tensor_points(torch.as_tensor(values, device=device), space)
    array = ArrayPoints(space, space.whole(values))
    centres = centres_in(space, 11, rng)
    for ball in (None, Ball(space.unit), Ball(space.unit // 2, "l2")):
        wanted = array.totals(centres, ball=ball)
        assert equal(tensor.totals(centres, ball=ball), wanted)
        assert equal(tensors.add_up(tensor.steps, None, centres, ball), wanted)


def test_one_step_more_would_be_seen() -> None:
    space = space_of(-np.ones(2), np.ones(2))
    values = values_in(space, 100, np.random.default_rng(4))
    array, tensor = (
        ArrayPoints(space, space.whole(values)),
        tensor_points(torch.tensor(values), space),
    )
    tensor.steps[7, 1] += 1
    centres = centres_in(space, 3, np.random.default_rng(5))
    assert not equal(tensor.totals(centres, ball=None), array.totals(centres, ball=None))


def model() -> sf.KMeans:
    return sf.KMeans(n_clusters=2, epsilon=1, bounds=(0, 1), random_state=3)


@pytest.mark.filterwarnings("ignore:random_state is for tests")
def test_tensors_have_the_centres_of_arrays() -> None:
    rng = np.random.default_rng(6)
    points = np.concatenate([rng.normal(0.2, 0.05, (800, 2)), rng.normal(0.8, 0.05, (800, 2))])
    wanted = model().fit(points)
    for tensor in (torch.as_tensor(points), torch.tensor(points).requires_grad_()):
        fitted = model().fit(tensor)
        assert not hasattr(fitted, "feature_names_in_")
        assert fitted.cluster_centers_.tolist() == wanted.cluster_centers_.tolist()
        assert fitted.predict(tensor).tolist() == wanted.predict(points).tolist()


@pytest.mark.parametrize(
    "tensor",
    [
        torch.full((5, 2), 0.7321 + 1j),
        torch.full((5, 2), 0.7321).to_sparse(),
        torch.zeros(7, 0),
        torch.full((3,), 0.7321),
    ],
    ids=["complex", "sparse", "without columns", "of one dimension"],
)
def test_a_tensor_of_another_kind_is_refused(tensor: torch.Tensor) -> None:
    with pytest.raises(InputError) as caught:
        model().fit(tensor)
    assert "\n" not in str(caught.value)
    assert "0.7321" not in str(caught.value)
