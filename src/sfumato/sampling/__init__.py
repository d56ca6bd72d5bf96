"""How a coin is tossed exactly: bits, and every random thing that is made of them."""

from typing import TYPE_CHECKING

from sfumato.doors import door
from sfumato.sampling.choice import choice

if TYPE_CHECKING:
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

__getattr__, __dir__ = door(
    __name__,
    {
        "coin": "bernoulli bernoulli_exp coin_of_ball",
        "integers": "discrete_gaussian discrete_laplace geometric",
        "lazy": "LazyUniform",
        "reading": "read_scale read_source",
        "reals": "add_gaussian add_gaussian_exactly add_laplace add_laplace_exactly grid",
        "source": "BitSource SeededSource SystemSource system_source",
        "uniform": "permutation uniform_below",
    },
)
