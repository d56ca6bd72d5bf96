"""Random distributions, channels and joint tables for property tests."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from hypothesis import strategies as st

if TYPE_CHECKING:
    from numpy.typing import NDArray

SIZES = st.integers(min_value=1, max_value=7)
ORDERS = st.one_of(
    st.sampled_from([0.0, 0.5, 1.0, 2.0, 10.0, float("inf")]),
    st.floats(min_value=0, max_value=50),
    st.floats(min_value=0.999, max_value=1.001),
)
EPSILONS = st.floats(min_value=0, max_value=5)


@st.composite
def counts(draw: st.DrawFn, size: int) -> list[int]:
    """Integer counts, zeros included, with a positive sum."""
    drawn = draw(st.lists(st.integers(0, 20), min_size=size, max_size=size))
    if sum(drawn) == 0:
        drawn[draw(st.integers(0, size - 1))] = 1
    return drawn


@st.composite
def rational_pairs(draw: st.DrawFn, most: int = 7) -> tuple[list[Fraction], list[Fraction]]:
    """Two exact distributions over the same few outcomes."""
    size = draw(st.integers(1, most))
    return fractions_of(draw(counts(size))), fractions_of(draw(counts(size)))


@st.composite
def float_pairs(draw: st.DrawFn) -> tuple[list[float], list[float]]:
    """Two distributions in floats over the same few outcomes."""
    p, q = draw(rational_pairs())
    return [float(each) for each in p], [float(each) for each in q]


@st.composite
def channels(draw: st.DrawFn, inputs: int) -> NDArray[np.float64]:
    """A matrix of conditional probabilities."""
    outputs = draw(SIZES)
    rows = [[float(each) for each in fractions_of(draw(counts(outputs)))] for _ in range(inputs)]
    return np.array(rows)


@st.composite
def tables(draw: st.DrawFn, dimensions: int = 3) -> NDArray[Any]:
    """A joint table of counts."""
    shape = tuple(draw(st.integers(1, 3)) for _ in range(dimensions))
    return np.array(draw(counts(int(np.prod(shape))))).reshape(shape)


def fractions_of(drawn: list[int]) -> list[Fraction]:
    """Counts over their sum."""
    return [Fraction(each, sum(drawn)) for each in drawn]
