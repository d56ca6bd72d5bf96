"""How a coin is tossed exactly: bits, and every random thing that is made of them."""

from typing import TYPE_CHECKING

from sfumato.doors import door
from sfumato.sampling.choice import choice

if TYPE_CHECKING:
    from sfumato.sampling.coin import bernoulli, bernoulli_exp, coin_of_ball
    from sfumato.sampling.integers import discrete_gaussian, discrete_laplace, geometric
    from sfumato.sampling.reals import (
        add_gaussian,
        add_gaussian_exactly,
        add_laplace,
        add_laplace_exactly,
        grid,
        nearest_finite,
    )
    from sfumato.sampling.source import BitSource, SeededSource, SystemSource, system_source
    from sfumato.sampling.stepped_sampler import each_below, many_below, many_coins
    from sfumato.sampling.stepped_weights import GaussianDecay
    from sfumato.sampling.uniform import (
        LazyUniform,
        permutation,
        read_scale,
        read_size,
        read_source,
        uniform_below,
    )

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

if not TYPE_CHECKING:
    __getattr__, __dir__ = door(
        __name__,
        {
            "coin": "bernoulli bernoulli_exp coin_of_ball",
            "integers": "discrete_gaussian discrete_laplace geometric",
            "reals": (
                "add_gaussian add_gaussian_exactly add_laplace add_laplace_exactly grid "
                "nearest_finite"
            ),
            "source": "BitSource SeededSource SystemSource system_source",
            "stepped_sampler": "each_below many_below many_coins",
            "stepped_weights": "GaussianDecay",
            "uniform": "LazyUniform permutation read_scale read_size read_source uniform_below",
        },
    )
