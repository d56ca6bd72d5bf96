"""Distributions on the real line; their divergences are enclosed by valid bounds, or refused."""

from typing import TYPE_CHECKING

from sfumato.doors import door

if TYPE_CHECKING:
    from sfumato.information.continuous.declared import Declared
    from sfumato.information.continuous.distributions import ContinuousDistribution
    from sfumato.information.continuous.mixture import Mixture
    from sfumato.information.continuous.onesided import Exponential, Uniform
    from sfumato.information.continuous.symmetric import Gaussian, Laplace, Logistic

__all__ = [
    "ContinuousDistribution",
    "Declared",
    "Exponential",
    "Gaussian",
    "Laplace",
    "Logistic",
    "Mixture",
    "Uniform",
]

__getattr__, __dir__ = door(
    __name__,
    {
        "declared": "Declared",
        "distributions": "ContinuousDistribution",
        "mixture": "Mixture",
        "onesided": "Exponential Uniform",
        "symmetric": "Gaussian Laplace Logistic",
    },
)
