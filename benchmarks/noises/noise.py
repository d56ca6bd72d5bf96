"""The noise that every contestant is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SCALES = (1, 10, 1_000, 1_000_000)
#: A Gaussian mechanism of ε = 1 and this δ adds noise of σ = sensitivity: Φ(-1/2) - e Φ(-3/2).
EPSILON, DELTA = 1.0, 0.12693673750664397


@dataclass(frozen=True)
class Noise:
    """Noise of a distribution and a scale, on whole numbers or on reals."""

    kind: Literal["integer", "real"]
    distribution: Literal["Laplace", "Gaussian"]
    scale: int

    @property
    def is_whole(self) -> bool:
        """Whether the noise is a whole number."""
        return self.kind == "integer"

    @property
    def shape(self) -> tuple[str, str]:
        """The kind and the distribution, without the scale."""
        return self.kind, self.distribution

    def __str__(self) -> str:
        return f"{self.kind} {self.distribution}, scale {self.scale:g}"


SHAPES: tuple[tuple[Literal["integer", "real"], Literal["Laplace", "Gaussian"]], ...] = (
    ("integer", "Laplace"),
    ("integer", "Gaussian"),
    ("real", "Laplace"),
    ("real", "Gaussian"),
)
NOISES = tuple(Noise(*shape, scale) for shape in SHAPES for scale in SCALES)
#: What a single number is released with.
SINGLE = tuple(Noise(*shape, scale) for shape in SHAPES for scale in (10, 1_000_000))
