"""Random events for property tests: every kind, nested a few levels deep."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from sfumato.numeric import Ln
from sfumato.privacy.events import (
    Approximate,
    Composed,
    DiscreteGaussian,
    DiscreteLaplace,
    Event,
    Exponential,
    FixedSizeSubsampled,
    Gaussian,
    Laplace,
    Pair,
    Parallel,
    PermuteAndFlip,
    Pure,
    RandomizedResponse,
    Renyi,
    Repeated,
    Shuffled,
    SparseVector,
    Subsampled,
    ZeroConcentrated,
)

COUNTS = st.integers(1, 10**12)
POSITIVE = st.one_of(
    st.fractions(min_value=Fraction(1, 10**6), max_value=10**6),
    st.floats(min_value=1e-300, max_value=1e300),
)
BOUNDS = st.one_of(st.fractions(min_value=0, max_value=100), st.floats(0, 1e6))
ORDERS = st.fractions(min_value=Fraction(1001, 1000), max_value=1000)
EPSILONS = st.one_of(POSITIVE, st.fractions(min_value=Fraction(11, 10), max_value=100).map(Ln))
SHARES = st.fractions(min_value=Fraction(1, 10**6), max_value=1)

STEPS: st.SearchStrategy[Event] = st.one_of(
    st.builds(Laplace, scale=POSITIVE, sensitivity=POSITIVE),
    st.builds(DiscreteLaplace, scale=POSITIVE, sensitivity=COUNTS),
    st.builds(Gaussian, sigma=POSITIVE, sensitivity=POSITIVE),
    st.builds(DiscreteGaussian, sigma=POSITIVE, sensitivity=COUNTS),
    st.builds(RandomizedResponse, epsilon=EPSILONS, categories=st.integers(2, 100)),
    st.builds(Exponential, epsilon=EPSILONS),
    st.builds(PermuteAndFlip, epsilon=EPSILONS),
    st.builds(SparseVector, threshold_epsilon=EPSILONS, answers_epsilon=EPSILONS, positives=COUNTS),
    st.builds(Pure, epsilon=EPSILONS),
    st.builds(Approximate, epsilon=EPSILONS, delta=st.floats(0, 0.5)),
    st.lists(st.tuples(st.integers(1, 9), st.integers(0, 9)), min_size=1, max_size=4)
    .filter(lambda drawn: any(there for _, there in drawn))
    .map(lambda drawn: Pair(*zip(*drawn, strict=True))),
)
GUARANTEES: st.SearchStrategy[Event] = st.one_of(
    st.builds(ZeroConcentrated, rho=BOUNDS),
    st.builds(Renyi, st.dictionaries(ORDERS, BOUNDS, min_size=1, max_size=4)),
)
POISSON = st.recursive(
    st.builds(Subsampled, STEPS, rate=SHARES),
    lambda inner: st.builds(Subsampled, inner, rate=SHARES),
    max_leaves=2,
)
AMPLIFIED: st.SearchStrategy[Event] = st.one_of(
    POISSON,
    st.builds(
        FixedSizeSubsampled,
        STEPS,
        size=st.integers(1, 100),
        population=st.integers(100, 10**9),
    ),
    st.builds(
        Shuffled,
        st.one_of(
            st.builds(RandomizedResponse, epsilon=EPSILONS), st.builds(Pure, epsilon=EPSILONS)
        ),
        population=st.integers(2, 10**9),
    ),
)


def structures(inner: st.SearchStrategy[Event]) -> st.SearchStrategy[Event]:
    """Events made of those drawn."""
    some = st.lists(inner, min_size=1, max_size=3)
    return st.one_of(
        some.map(lambda drawn: Composed(*drawn)),
        some.map(lambda drawn: Parallel(*drawn)),
        st.builds(Repeated, inner, count=COUNTS),
    )


EVENTS = st.recursive(st.one_of(STEPS, GUARANTEES, AMPLIFIED), structures, max_leaves=6)
