"""Laws on the real line, whose divergences are enclosed by bounds that are right, or refused."""

from typing import TYPE_CHECKING

from sfumato.doors import door

if TYPE_CHECKING:
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

__getattr__, __dir__ = door(
    __name__,
    {
        "declared": "Declared",
        "laws": "Law",
        "mixture": "Mixture",
        "onesided": "Exponential Uniform",
        "symmetric": "Gaussian Laplace Logistic",
    },
)
