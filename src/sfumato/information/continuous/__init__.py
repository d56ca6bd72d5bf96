"""Laws on the real line, whose divergences are enclosed by bounds that are right, or refused."""

from sfumato.information.continuous.declared import Declared
from sfumato.information.continuous.laws import Law
from sfumato.information.continuous.mixture import Mixture
from sfumato.information.continuous.onesided import Exponential, Uniform
from sfumato.information.continuous.symmetric import Gaussian, Laplace, Logistic

__all__ = [
    "Declared",
    "Exponential",
    "Gaussian",
    "Laplace",
    "Law",
    "Logistic",
    "Mixture",
    "Uniform",
]
