"""How a coin is tossed exactly: bits, and every random thing that is made of them."""

from sfumato.sampling.choice import choice
from sfumato.sampling.coin import bernoulli, bernoulli_exp, coin_of_ball
from sfumato.sampling.integers import (
    discrete_gaussian,
    discrete_laplace,
    geometric,
)
from sfumato.sampling.lazy import LazyUniform
from sfumato.sampling.reading import read_scale, read_source
from sfumato.sampling.reals import (
    add_gaussian,
    add_gaussian_exactly,
    add_laplace,
    add_laplace_exactly,
    grid,
)
from sfumato.sampling.source import BitSource, SeededSource, SystemSource, system_source
from sfumato.sampling.uniform import permutation, uniform_below

__all__ = [
    "BitSource",
    "LazyUniform",
    "SeededSource",
    "SystemSource",
    "add_gaussian",
    "add_gaussian_exactly",
    "add_laplace",
    "add_laplace_exactly",
    "bernoulli",
    "bernoulli_exp",
    "choice",
    "coin_of_ball",
    "discrete_gaussian",
    "discrete_laplace",
    "geometric",
    "grid",
    "permutation",
    "read_scale",
    "read_source",
    "system_source",
    "uniform_below",
]
