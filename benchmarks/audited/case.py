"""What is asked of a package: outputs on two neighbouring values, and the guarantee for them."""

from __future__ import annotations

from dataclasses import dataclass

EPSILON, DELTA = 1.0, 1e-5
#: Normal noise that keeps them at sensitivity 1, rounded up.
SIGMA = 3.7306317


@dataclass(frozen=True)
class Case:
    """A mechanism of a package at ε = 1 and sensitivity 1.

    Parameters
    ----------
    mechanism
        What the package calls it.
    delta
        0 for pure differential privacy.
    is_whole
        Whether it is given whole numbers, not reals.
    """

    mechanism: str
    delta: float = 0.0
    is_whole: bool = False

    @property
    def values(self) -> tuple[float, float]:
        """The answers on two neighbouring tables."""
        return (0, 1) if self.is_whole else (0.0, 1.0)

    def __str__(self) -> str:
        return f"{self.mechanism}, {'whole' if self.is_whole else 'real'}"
