"""Whether noise hides what one change can move, and what events cost in all."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil, erfc, exp, sqrt

from sfumato.audit.certificate.document import DocumentPart, refute
from sfumato.errors import InputError
from sfumato.numeric import digits_above
from sfumato.privacy import ApproxDP, Guarantee, PureDP, ZeroConcentratedDP
from sfumato.privacy.events import (
    Approximate,
    DiscreteLaplace,
    Event,
    Exponential,
    Laplace,
    PermuteAndFlip,
    Pure,
    ZeroConcentrated,
)
from sfumato.privacy.theorems import zcdp_to_delta
from sfumato.translation import tr

#: σ is the least multiple of 2^-20 that is enough.
_SIGMA = Fraction(1, 2**20)
#: From this σ on, the tail of whole numbers is that of all numbers from half a step before.
_COARSE = 8
_FARTHEST = 40
#: Far more than sums of costs have that a plan divides.
_MOST_BITS = 20_000
_SHOWN = 6


@dataclass(frozen=True)
class WholeNumberNoise:
    """Whole-number noise.

    Parameters
    ----------
    kind
        "discrete_laplace" or "discrete_gaussian".
    spread
        The scale, or σ, in fine steps.
    """

    kind: str
    spread: Fraction

    @property
    def is_gaussian(self) -> bool:
        """Whether it is Gaussian."""
        return self.kind == "discrete_gaussian"

    def beyond(self, steps: int) -> float:
        """Return how likely it is that the noise is greater than so many steps in size."""
        if self.is_gaussian and self.spread < _COARSE:
            return _summed(float(self.spread), steps)
        if self.is_gaussian:
            return erfc(float((steps + Fraction(1, 2)) / self.spread) / sqrt(2))
        return 2 * exp(-float((steps + 1) / self.spread)) / (1 + exp(-1 / float(self.spread)))


@lru_cache(maxsize=1024)
def _summed(sigma: float, steps: int) -> float:
    """Return how likely whole-number Gaussian noise is greater than so many steps, exactly."""
    weights = [exp(-((step / sigma) ** 2) / 2) for step in range(ceil(_FARTHEST * sigma) + 1)]
    return 2 * sum(weights[steps + 1 :]) / (weights[0] + 2 * sum(weights[1:]))


def read_noise(part: DocumentPart) -> WholeNumberNoise:
    """Return what was added."""
    kind = part["noise"].text("discrete_laplace", "discrete_gaussian")
    field = "scale" if kind == "discrete_laplace" else "sigma"
    found = WholeNumberNoise(kind, part.record("noise", field)[field].fraction())
    if found.spread <= 0:
        refute("{name} is not above 0", part)
    return found


def check_noise(noise: WholeNumberNoise, sensitivity: Fraction, event: Event, name: str) -> None:
    """Check that noise is what an event says, on what one change can move.

    Laplace noise of scale b on a sensitivity S in the norm L1 costs ε = S/b; Gaussian noise of σ
    on a sensitivity in L2 costs ρ = S²/(2σ²), in any number of dimensions.
    """
    if noise.is_gaussian:
        _check_gaussian(noise.spread, sensitivity, event, name)
    else:
        _check_laplace(noise.spread, sensitivity, event, name)


def _check_laplace(scale: Fraction, sensitivity: Fraction, event: Event, name: str) -> None:
    match event:
        case DiscreteLaplace():
            same = event.scale == scale and Fraction(event.sensitivity) == sensitivity
        case Pure():
            same = event.epsilon == sensitivity / scale
        case _:
            same = False
    if not same:
        spent = float(sensitivity / scale)
        refute(
            "{name}: its noise costs ε = {spent:.6g}, and its event says something else",
            name=name,
            spent=spent,
        )


def _check_gaussian(sigma: Fraction, sensitivity: Fraction, event: Event, name: str) -> None:
    if not isinstance(event, ZeroConcentrated) or event.rho <= 0:
        refute("{name}: Gaussian noise is charged as a ρ, and the event is none", name=name)
    spent = sensitivity**2 / (2 * sigma**2)
    if spent == event.rho:
        return
    least = sensitivity**2 / (2 * event.rho)
    on_the_grid = (sigma / _SIGMA).denominator == 1
    if not (on_the_grid and sigma**2 >= least > (sigma - _SIGMA) ** 2):
        refute(
            "{name}: its noise costs ρ = {spent:.6g}, and its event says something else",
            name=name,
            spent=float(spent),
        )


@dataclass(frozen=True)
class SpentCost:
    """What was spent: an ε with a δ, a ρ, or whichever of both is known.

    Parameters
    ----------
    epsilon, rho
        None where there is none.
    delta
        Beside ε.
    """

    epsilon: Fraction | None
    rho: Fraction | None
    delta: Fraction = Fraction(0)

    def __add__(self, other: SpentCost) -> SpentCost:
        return SpentCost(
            _sum(self.epsilon, other.epsilon),
            _sum(self.rho, other.rho),
            _sum(self.delta, other.delta) or Fraction(0),
        )

    def times(self, count: int) -> SpentCost:
        """Return what it costs to do it so many times."""
        epsilon, rho = (None if each is None else each * count for each in (self.epsilon, self.rho))
        return SpentCost(epsilon, rho, self.delta * count)


#: What costs nothing.
NOTHING = SpentCost(Fraction(0), Fraction(0))


def cost_of(event: Event) -> SpentCost:
    """Return what an event costs, exactly.

    What is ε-differentially private is ε²/2-zero-concentrated :cite:p:`bun2016concentrated`; a
    choice by the exponential mechanism, whose losses lie in an interval of length ε, ε²/8
    :cite:p:`dong2020optimal`.
    """
    return sum((_single(step).times(count) for step, count in event.parts()), NOTHING)


def _single(event: Event) -> SpentCost:
    match event:
        case DiscreteLaplace() | Laplace():
            return _pure(Fraction(event.sensitivity) / event.scale)
        case Pure() | PermuteAndFlip():
            return _pure(_rational(event.epsilon))
        case Exponential():
            epsilon = _rational(event.epsilon)
            return SpentCost(epsilon, epsilon**2 / 8)
        case ZeroConcentrated():
            return SpentCost(None, event.rho)
        case Approximate():
            return SpentCost(_rational(event.epsilon), None, event.delta)
    raise InputError(
        "E-CERTIFICATE-CONTENT",
        "the event “{event:.80}” is none of a query of a table",
        event=event.describe(),
    )


def keeps(guarantee: Guarantee, events: list[Event]) -> str:
    """Return by which sum events keep a guarantee together, in words; refute it where they do not.

    What is chosen with a δ is composed by adding ε and δ, everything else by adding ε, or ρ; the
    ρ of all others together becomes an (ε, δ) at what is left of ε, by the best order.
    """
    costs = [cost_of(each) for each in events]
    whole = sum(costs, NOTHING)
    match guarantee:
        case PureDP():
            return _pure_sum(whole, guarantee)
        case ZeroConcentratedDP():
            if whole.rho is None or whole.rho > guarantee.exact_rho:
                refute("the steps together do not keep {guarantee}", guarantee=guarantee)
            return f"their ρ add up to {_at_most(whole.rho)}"
        case ApproxDP():
            return _approximate(costs, whole, guarantee)
    raise InputError(
        "E-CERTIFICATE-CONTENT",
        "{guarantee} is not a guarantee about an answer",
        guarantee=guarantee,
    )


def _pure_sum(whole: SpentCost, guarantee: PureDP) -> str:
    if whole.epsilon is None or whole.delta or whole.epsilon > _rational(guarantee.exact_epsilon):
        refute("the steps together do not keep {guarantee}", guarantee=guarantee)
    return f"their ε add up to {_at_most(whole.epsilon)}"


def _approximate(costs: list[SpentCost], whole: SpentCost, guarantee: ApproxDP) -> str:
    epsilon, delta = _rational(guarantee.exact_epsilon), guarantee.exact_delta
    if whole.epsilon is not None and whole.epsilon <= epsilon and whole.delta <= delta:
        return tr(
            "their ε add up to {epsilon}, and δ to {delta}",
            epsilon=_at_most(whole.epsilon),
            delta=_at_most(whole.delta),
        )
    chosen = sum((each for each in costs if each.rho is None), NOTHING)
    others = sum((each for each in costs if each.rho is not None), NOTHING)
    left = None if chosen.epsilon is None else epsilon - chosen.epsilon
    if left is None or others.rho is None or left < 0:
        refute("the steps together do not keep {guarantee}", guarantee=guarantee)
    spent = chosen.delta + Fraction(zcdp_to_delta(rho=others.rho, epsilon=left))
    if spent > delta:
        refute(
            "the steps together do not keep {guarantee}: their δ is {spent:.6g}",
            guarantee=guarantee,
            spent=float(spent),
        )
    return f"their ρ of {_at_most(others.rho)} is a δ of {_at_most(spent)}"


def _at_most(cost: Fraction) -> str:
    return digits_above(cost, _SHOWN)


def _pure(epsilon: Fraction) -> SpentCost:
    return SpentCost(epsilon, epsilon**2 / 2)


def _rational(epsilon: object) -> Fraction:
    if not isinstance(epsilon, Fraction):
        refute("an ε is not a rational number")
    return epsilon


def _sum(one: Fraction | None, other: Fraction | None) -> Fraction | None:
    if one is None or other is None:
        return None
    found = one + other
    if found.denominator.bit_length() > _MOST_BITS:
        refute("the costs of the steps have too many digits to be added up")
    return found
