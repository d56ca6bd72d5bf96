"""M-INFO-4: a mechanism seen as a channel."""

from __future__ import annotations

import copy
import itertools
import math
import pickle
from dataclasses import FrozenInstanceError
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.errors import InputError
from sfumato.information import (
    Channel,
    capacity,
    epsilon_bounds,
    leakage,
    maximal_leakage,
)
from sfumato.numeric import Ln

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDING = 1e-12
RANDOMIZED_RESPONSE = [[Fraction(2, 3), Fraction(1, 3)], [Fraction(1, 3), Fraction(2, 3)]]


def binary_entropy(x: float) -> float:
    return -x * math.log2(x) - (1 - x) * math.log2(1 - x)


def k_ary_response(inputs: int, ratio: float) -> np.ndarray:
    weights = np.ones((inputs, inputs)) + (ratio - 1) * np.eye(inputs)
    matrix: np.ndarray = np.divide(weights, inputs - 1 + ratio)
    return matrix


def subset_selection(inputs: int, size: int, ratio: float) -> np.ndarray:
    """Report a random subset of a size; those that hold the input are ratio times as likely."""
    columns = [
        [ratio if each in subset else 1.0 for each in range(inputs)]
        for subset in itertools.combinations(range(inputs), size)
    ]
    weights = np.array(columns).T
    matrix: np.ndarray = np.divide(weights, weights.sum(axis=1, keepdims=True))
    return matrix


@st.composite
def matrices(draw: st.DrawFn, rows: int | None = None) -> np.ndarray:
    shape = (rows or draw(st.integers(1, 5)), draw(st.integers(1, 5)))
    counts = draw(
        st.lists(
            st.lists(st.integers(0, 9), min_size=shape[1], max_size=shape[1]).filter(any),
            min_size=shape[0],
            max_size=shape[0],
        )
    )
    weights = np.array(counts, dtype=float)
    matrix: np.ndarray = np.divide(weights, weights.sum(axis=1, keepdims=True))
    return matrix


@st.composite
def private_matrices(draw: st.DrawFn) -> tuple[np.ndarray, float]:
    """A channel whose entries in a column differ by at most a factor e^epsilon."""
    epsilon = draw(st.floats(0.05, 4))
    rows, columns = draw(st.integers(2, 4)), draw(st.integers(1, 5))
    exponents = draw(
        st.lists(
            st.lists(st.floats(0, 1), min_size=rows, max_size=rows),
            min_size=columns,
            max_size=columns,
        )
    )
    matrix = np.exp(epsilon * np.array(exponents)).T / (columns * math.exp(epsilon))
    rest = (1 - matrix.sum(axis=1))[:, np.newaxis]
    matrix = np.hstack([matrix, rest / 2, rest / 2])
    possible = matrix[:, matrix.max(axis=0) > 1e-12]
    ratios = possible.max(axis=0) / np.maximum(possible.min(axis=0), 1e-300)
    return matrix, float(np.log(ratios.max()))


@pytest.mark.parametrize(
    ("channel", "expected"),
    [
        (RANDOMIZED_RESPONSE, 1 - binary_entropy(1 / 3)),
        ([[2, 1], [1, 2]], 1 - binary_entropy(1 / 3)),
        ([[0.75, 0.25, 0.0], [0.0, 0.25, 0.75]], 0.75),
        ([[1.0, 0.0], [0.5, 0.5]], math.log2(5 / 4)),
        (np.eye(7), math.log2(7)),
        ([[0.3, 0.7], [0.3, 0.7]], 0.0),
        ([[0.3, 0.7]], 0.0),
        ([[1, 0], [0, 1], [1, 1]], 1.0),
        ([[0.9, 0.1], [0.1, 0.9], [0.5, 0.5]], 1 - binary_entropy(0.1)),
    ],
    ids=["rr", "counts", "erasure", "z", "noiseless", "useless", "one", "spare", "spare noisy"],
)
def test_known_capacities(channel: object, expected: float) -> None:
    found = capacity(channel)  # type: ignore[arg-type]
    assert found.converged
    assert found.gap <= 1e-9
    assert found.lower - ROUNDING <= expected <= found.upper + ROUNDING


def test_capacity_of_randomized_response_to_the_digits_of_the_mission() -> None:
    """M-INFO-4: 0.081704 bits, enclosed."""
    found = capacity(RANDOMIZED_RESPONSE)
    assert round(found.lower, 6) == round(found.upper, 6) == 0.081704
    assert found.prior.probabilities == pytest.approx([0.5, 0.5])


def test_bounds_are_true_and_not_merely_close() -> None:
    """The exact capacity 3/4 lies between bounds a few units in the last place apart."""
    found = capacity([[Fraction(3, 4), Fraction(1, 4), 0], [0, Fraction(1, 4), Fraction(3, 4)]])
    assert found.lower <= 0.75 <= found.upper
    assert found.gap < 1e-15


@pytest.mark.parametrize("inputs", [2, 3, 10])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_k_ary_response_in_closed_form(inputs: int, epsilon: float) -> None:
    ratio = math.exp(epsilon)
    top = ratio / (inputs - 1 + ratio)
    rest = (1 - top) / (inputs - 1)
    conditional = -top * math.log(top) - (1 - top) * math.log(rest)
    channel = k_ary_response(inputs, ratio)
    found = capacity(channel, base=math.e)
    assert found.lower - ROUNDING <= math.log(inputs) - conditional <= found.upper + ROUNDING
    assert leakage(channel, base=math.e) == pytest.approx(math.log(inputs) - conditional)
    assert maximal_leakage(channel, base=math.e) == pytest.approx(math.log(inputs * top))


def test_maximal_leakage_of_randomized_response() -> None:
    assert maximal_leakage(RANDOMIZED_RESPONSE) == pytest.approx(math.log2(4 / 3), abs=1e-15)


def test_rows_that_repeat_and_inputs_that_do_not_help() -> None:
    rng = np.random.default_rng(20240611)
    rows = rng.dirichlet(np.full(4, 0.5), size=6)
    once, thrice = capacity(rows), capacity(np.vstack([rows] * 3))
    assert thrice.converged
    assert abs(once.lower - thrice.lower) <= 2e-9


def test_a_slow_channel_converges_all_the_same() -> None:
    """Plain Blahut–Arimoto needs thousands of steps on rows that are nearly equal."""
    rng = np.random.default_rng(3)
    rows = 0.98 / 20 + 0.02 * rng.dirichlet(np.full(20, 0.3), size=30)
    found = capacity(rows, tolerance=1e-11)
    assert found.converged
    assert found.iterations < 400


def test_a_tolerance_out_of_reach_is_said_and_the_bounds_stay_true() -> None:
    found = capacity([[1.0, 0.0], [0.5, 0.5]], tolerance=1e-18)
    assert not found.converged
    assert "wider than asked" in str(found)
    assert found.lower <= math.log2(5 / 4) <= found.upper
    assert found.gap < 1e-13


def test_a_small_leak_keeps_its_digits() -> None:
    """Near equal rows: I = 2d² nats up to higher orders, far below the rounding of an entropy."""
    d = 2.0**-20
    channel = [[0.5 + d, 0.5 - d], [0.5 - d, 0.5 + d]]
    assert leakage(channel, base=math.e) == pytest.approx(2 * d**2, rel=1e-9)


@settings(deadline=None, max_examples=60)
@given(matrices(), st.data())
def test_order_of_the_three_measures(matrix: np.ndarray, data: st.DataObject) -> None:
    """M-INFO-4: leakage under any prior ≤ capacity ≤ maximal leakage."""
    weights = data.draw(
        st.lists(st.integers(0, 9), min_size=len(matrix), max_size=len(matrix)).filter(any)
    )
    found = capacity(matrix)
    assert found.lower <= found.upper
    assert leakage(matrix, weights) <= found.upper + ROUNDING
    assert leakage(matrix, found.prior) == pytest.approx(found.lower, abs=ROUNDING)
    assert found.lower <= maximal_leakage(matrix) + ROUNDING


@settings(deadline=None, max_examples=40)
@given(matrices(), st.data())
def test_post_processing_lowers_all_three(matrix: np.ndarray, data: st.DataObject) -> None:
    after = matrix @ data.draw(matrices(rows=matrix.shape[1]))
    after /= after.sum(axis=1, keepdims=True)
    assert capacity(after).lower <= capacity(matrix).upper
    assert leakage(after) <= leakage(matrix) + ROUNDING
    assert maximal_leakage(after) <= maximal_leakage(matrix) + ROUNDING


@settings(deadline=None, max_examples=60)
@given(private_matrices())
def test_epsilon_bounds_hold(drawn: tuple[np.ndarray, float]) -> None:
    matrix, epsilon = drawn
    bounds = epsilon_bounds(epsilon, inputs=len(matrix))
    assert leakage(matrix) <= bounds.leakage + ROUNDING
    assert capacity(matrix).lower <= bounds.capacity + ROUNDING
    assert maximal_leakage(matrix) <= bounds.maximal_leakage + ROUNDING


@pytest.mark.parametrize("inputs", [2, 3, 6])
@pytest.mark.parametrize("epsilon", [0.2, 1.0, 2.5])
def test_epsilon_bounds_are_attained_and_broken_by_a_twin(inputs: int, epsilon: float) -> None:
    """The best private channels reach the bounds; one that breaks ε by 1 % exceeds them."""
    bounds = epsilon_bounds(epsilon, inputs=inputs)
    for claimed, exceeds in ((epsilon, False), (1.01 * epsilon, True)):
        ratio = math.exp(claimed)
        response = k_ary_response(inputs, ratio)
        subsets = [subset_selection(inputs, d, ratio) for d in range(1, inputs)]
        leak = max(leakage(each) for each in subsets)
        assert maximal_leakage(response) == pytest.approx(bounds.maximal_leakage, rel=0.02)
        assert leak == pytest.approx(bounds.leakage, rel=0.03)
        assert (maximal_leakage(response) > bounds.maximal_leakage + ROUNDING) is exceeds
        assert (leak > bounds.leakage + ROUNDING) is exceeds
        if inputs == 2:
            assert (capacity(response).lower > bounds.capacity) is exceeds


@pytest.mark.parametrize("epsilon", [1e-6, 0.01, 0.5, 1, 3, 10, 100])
def test_epsilon_bounds_are_in_order(epsilon: float) -> None:
    """The capacity bound is below the maximal-leakage bound and ε·tanh(ε/2), and is near ε²/8."""
    for inputs in (2, 3, 10, 10**6):
        bounds = epsilon_bounds(epsilon, inputs=inputs, base=math.e)
        assert 0 < bounds.leakage <= bounds.capacity <= bounds.maximal_leakage
        assert bounds.maximal_leakage <= min(epsilon, math.log(inputs)) * (1 + 1e-15)
        assert bounds.capacity <= epsilon * math.tanh(epsilon / 2)
        assert bounds.capacity <= epsilon**2 / 8 * (1 + epsilon)


def test_epsilon_bounds_at_the_ends() -> None:
    nothing = epsilon_bounds(0, inputs=5)
    assert (nothing.leakage, nothing.capacity, nothing.maximal_leakage) == (0, 0, 0)
    assert epsilon_bounds(3.0, inputs=1) == nothing
    everything = epsilon_bounds(math.inf, inputs=8)
    assert everything.capacity == pytest.approx(3)
    tiny = epsilon_bounds(1e-300, inputs=3, base=math.e)
    assert tiny.capacity == 5e-324
    assert tiny.maximal_leakage == pytest.approx(2e-300 / 3)


def test_epsilon_bounds_round_up_at_an_exact_epsilon() -> None:
    """At ε = ln 2 exactly, randomized response at 2/3 lies on the bound, never above it."""
    bounds = epsilon_bounds(Ln(2), inputs=2)
    found = capacity(RANDOMIZED_RESPONSE)
    assert found.lower <= bounds.capacity <= found.upper + 1e-16


@pytest.mark.parametrize("rare", [1e-320, 5e-324, 1e-300, 1e-200])
def test_leakage_under_a_prior_beside_zero(rare: float) -> None:
    """A noiseless channel leaks the entropy of the prior: p·(1 - ln p) nats for tiny p."""
    expected = rare * (1 - math.log(rare))
    assert leakage([[1, 0], [0, 1]], [1.0, rare], base=math.e) == pytest.approx(
        expected, rel=1e-6, abs=1e-323
    )


def test_a_prior_in_single_precision_is_divided_by_its_sum() -> None:
    prior = np.full(7, np.float32(1 / 7))
    assert leakage(np.eye(7), prior) == pytest.approx(math.log2(7), rel=1e-15)
    named = {key: prior[key] for key in range(7)}
    assert leakage(np.eye(7), named) == pytest.approx(math.log2(7), rel=1e-15)


EXTREMES = [0.0, 5e-324, 1e-320, 1e-300, 1e-250, 1e-100, 1e-16, 0.5]


@st.composite
def extreme_matrices(draw: st.DrawFn) -> np.ndarray:
    """Rows of one large entry and others at the edge of the floats; one row may repeat."""
    rows, columns = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    entry = st.lists(st.sampled_from(EXTREMES), min_size=columns, max_size=columns)
    weights = np.array(draw(st.lists(entry, min_size=rows, max_size=rows)))
    for row in weights:
        row[draw(st.integers(0, columns - 1))] = 1.0
    weights[-1] = weights[draw(st.integers(0, rows - 1))]
    return weights


@pytest.mark.full
@settings(deadline=None, max_examples=100)
@given(extreme_matrices(), st.data())
def test_entries_at_the_edge_of_the_floats(weights: np.ndarray, data: st.DataObject) -> None:
    """Nothing overflows, divides by zero or warns, and the order of the measures holds."""
    matrix = weights / weights.sum(axis=1, keepdims=True)
    found = capacity(matrix)
    assert found.converged
    assert 0 <= found.lower <= found.upper <= maximal_leakage(matrix) + 1e-9
    prior = data.draw(extreme_matrices().filter(lambda each: each.shape[1] == len(matrix)))[0]
    assert 0 <= leakage(matrix, prior / prior.sum()) <= found.upper + ROUNDING


def test_an_output_too_rare_for_half_of_it_to_be_a_float() -> None:
    found = capacity([[1.0, 0.0], [1.0, 5e-324]])
    assert found.converged
    assert 0 <= found.lower <= found.upper < 1e-30


def test_zero_has_no_sign() -> None:
    found = capacity([[1.0]])
    bounds = epsilon_bounds(0, inputs=3)
    measures = [maximal_leakage([[1.0]]), leakage([[1.0]]), bounds.capacity, bounds.leakage]
    assert [math.copysign(1, each) for each in (found.lower, found.upper, *measures)] == [1] * 6


@pytest.mark.parametrize("inputs", [10**25, 10**300, 10**2000])
def test_epsilon_bounds_of_very_many_inputs(inputs: int) -> None:
    """The best share of a subset is met ever more closely: f(d/k) comes up to its greatest."""
    many, fewer = (epsilon_bounds(1, inputs=each) for each in (inputs, 10**6))
    assert many.leakage == many.capacity == fewer.capacity
    assert many.leakage >= fewer.leakage
    assert many.maximal_leakage == pytest.approx(1 / math.log(2))


def test_epsilon_bounds_where_the_best_share_is_too_blurred_to_place() -> None:
    tiny = epsilon_bounds(Fraction(1, 10**2000), inputs=10**300)
    assert 0 < tiny.leakage <= tiny.capacity == 5e-324


@pytest.mark.parametrize("inputs", [np.int64(3), np.uint8(3)])
def test_any_integer_counts_inputs(inputs: Any) -> None:
    assert epsilon_bounds(1, inputs=inputs) == epsilon_bounds(1, inputs=3)


def test_the_labels_of_a_frame_are_inputs_and_outputs() -> None:
    rows = [[0.9, 0.1], [0.2, 0.8]]
    channel = Channel(pd.DataFrame(rows, index=["b", "a"], columns=["v", "u"]))
    assert (channel.inputs, channel.outputs) == (("b", "a"), ("v", "u"))
    assert channel.matrix.tolist() == rows
    plain, named = [0.7, 0.3], {"a": 0.3, "b": 0.7}
    assert leakage(channel, named) == leakage(rows, plain)
    numbered = Channel(pd.DataFrame(rows))
    assert (numbered.inputs, numbered.outputs) == ((0, 1), (0, 1))
    half = Channel(pd.DataFrame(rows, columns=["v", "u"]))
    assert (half.inputs, half.outputs) == ((0, 1), ("v", "u"))


def test_a_channel_cannot_be_changed_from_outside() -> None:
    rows = np.array([[0.9, 0.1], [0.2, 0.8]])
    channel = Channel({"a": rows[0], "b": rows[1]})
    rows[:] = 0.5
    assert channel.matrix[0, 0] == channel.rows[0].probabilities[0] == 0.9
    with pytest.raises(FrozenInstanceError):
        channel.matrix = rows  # type: ignore[misc]
    for each in (channel, copy.deepcopy(channel), pickle.loads(pickle.dumps(channel))):  # noqa: S301
        with pytest.raises(ValueError, match="read-only"):
            each.matrix[0, 0] = 1.0


def test_channels_and_results_survive_pickling() -> None:
    channel = Channel({"a": {"x": 1, "y": 2}, "b": {"y": 1}})
    for again in (pickle.loads(pickle.dumps(channel)), copy.deepcopy(channel)):  # noqa: S301
        assert (again.inputs, again.outputs) == (channel.inputs, channel.outputs)
        assert again.rows == channel.rows
        assert again.matrix.tolist() == channel.matrix.tolist()
    for result in (capacity(channel), epsilon_bounds(1, inputs=3)):
        assert pickle.loads(pickle.dumps(result)) == copy.deepcopy(result) == result  # noqa: S301


def test_rows_may_name_their_outputs() -> None:
    channel = Channel({"ill": {"yes": 0.75, "no": 0.25}, "well": {"no": 1.0}})
    assert channel.inputs == ("ill", "well")
    assert channel.outputs == ("yes", "no")
    assert channel.matrix.tolist() == [[0.75, 0.25], [0, 1]]
    assert capacity(channel).prior.labels == ("ill", "well")
    named, plain = {"well": 0.9, "ill": 0.1}, [0.1, 0.9]
    assert leakage(channel, named) == leakage(channel, plain) > 0


@pytest.mark.parametrize(
    ("channel", "sentence"),
    [
        ([], "the channel has no rows"),
        ([0.5, 0.5], "one row of probabilities an input"),
        (0.5, "one row of probabilities an input"),
        ("ab", "one row of probabilities an input"),
        ([[0.5, 0.6]], "row 0 of the channel sums to 1.1"),
        ({"a": [1.0], "b": [-1.0]}, "row 'b' of the channel has a negative entry"),
        ([[1.0], [0.5, 0.5]], "row 1 of the channel has 2 entries and row 0 has 1"),
        ({"a": {"x": 1}, "b": [1]}, "some rows of the channel name their outputs"),
        (pd.DataFrame([[1.0], [1.0]], index=["a", "a"]), "have the same label"),
        (pd.DataFrame(), "the channel has no rows"),
    ],
)
def test_bad_channels_get_one_sentence(channel: object, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        capacity(channel)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: leakage([[1, 0], [0, 1]], [1, 1, 1]), "the prior has 3 entries"),
        (lambda: leakage([[1, 0], [0, 1]], {2: 1}), "names an input that the channel does not"),
        (lambda: leakage([[1, 0], [0, 1]], base=1), "base must"),
        (lambda: capacity([[1, 0], [0, 1]], tolerance=0), "tolerance must be a positive number"),
        (lambda: capacity([[1, 0], [0, 1]], tolerance="x"), "tolerance must be a positive number"),  # type: ignore[arg-type]
        (lambda: epsilon_bounds(1, inputs=0), "inputs must be a whole number"),
        (lambda: epsilon_bounds(1, inputs=2.5), "inputs must"),  # type: ignore[arg-type]
        (lambda: epsilon_bounds(1, inputs=True), "inputs must"),
        (lambda: epsilon_bounds(-1, inputs=2), "epsilon must"),
    ],
)
def test_bad_arguments_get_one_sentence(call: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        call()
