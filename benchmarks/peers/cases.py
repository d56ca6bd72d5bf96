"""What every accountant is asked: noise on values of sensitivity 1, composed, and a δ."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Part:
    """One mechanism, drawn `count` times, each on a Poisson sample of the given rate."""

    mechanism: str
    parameter: float
    count: int = 1
    rate: float = 1.0


@dataclass(frozen=True)
class Case:
    """The least ε at δ is asked of all parts together; a known value is kept to check answers."""

    name: str
    words: str
    delta: float
    parts: tuple[Part, ...]
    known: float | None = None

    @property
    def is_sampled(self) -> bool:
        """Whether any part runs on a sample."""
        return any(part.rate < 1 for part in self.parts)

    @property
    def is_one_gaussian(self) -> bool:
        """Whether a closed form answers the case."""
        (first, *others) = self.parts
        return not others and first == Part("gaussian", first.parameter)


def all_different(name: str, laplaces: int, gaussians: int) -> Case:
    """Return a case in which no two events are equal; its ε hardly depends on their number."""
    size = laplaces**0.5
    noises = [Part("laplace", (laplaces + index) / size) for index in range(laplaces)]
    normals = [Part("gaussian", (laplaces / 4 + index) / size) for index in range(gaussians)]
    words = f"{laplaces:,} Laplace and {gaussians:,} Gaussian, no two equal"
    return Case(name, words, 1e-6, (*noises, *normals))


FEW = all_different("few", 100, 10)
MANY = all_different("many", 10_000, 1_000)
COMPARED = (
    Case("G", "one Gaussian, σ=4", 1e-5, (Part("gaussian", 4),), known=0.926341503998),
    Case(
        "a",
        "10,000 Gaussian, σ=1, rate 0.01",
        1e-5,
        (Part("gaussian", 1, count=10_000, rate=0.01),),
    ),
    Case(
        "b",
        "1,000 Laplace, scale 10",
        1e-6,
        (Part("laplace", 10, count=1_000),),
        known=18.9502873675395582,
    ),
    Case(
        "c",
        "100 Gaussian, σ=5; 100 Laplace, scale 10; 50 randomized responses, ε=0.2",
        1e-6,
        (
            Part("gaussian", 5, count=100),
            Part("laplace", 10, count=100),
            Part("randomized response", 0.2, count=50),
        ),
    ),
    Case(
        "R1",
        "10,000 Gaussian, σ=4, rate 0.01",
        1e-5,
        (Part("gaussian", 4, count=10_000, rate=0.01),),
        known=0.9468668007643804,
    ),
    Case(
        "R2",
        "14,062 Gaussian, σ=1.1, rate 256/60,000",
        1e-5,
        (Part("gaussian", 1.1, count=14_062, rate=256 / 60_000),),
        known=2.381596921424397,
    ),
    Case(
        "R6",
        "500 Laplace, scale 10; 100 Gaussian, σ=20",
        1e-6,
        (Part("laplace", 10, count=500), Part("gaussian", 20, count=100)),
        known=12.6608027588444,
    ),
)
CASES = {case.name: case for case in (*COMPARED, FEW, MANY)}
