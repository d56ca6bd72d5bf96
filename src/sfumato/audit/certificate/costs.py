"""What events cost: exact sums where there are, a rigorous bound where ρ becomes ε and δ."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.audit.certificate.parts import refute
from sfumato.errors import InputError
from sfumato.numeric.digits import digits_above
from sfumato.privacy import ApproxDP, PureDP, ZeroConcentratedDP
from sfumato.privacy.events import (
    Approximate,
    DiscreteLaplace,
    Exponential,
    Laplace,
    PermuteAndFlip,
    Pure,
    ZeroConcentrated,
)
from sfumato.privacy.theorems import zcdp_to_delta
from sfumato.translation import tr

if TYPE_CHECKING:
    from sfumato.privacy import Guarantee
    from sfumato.privacy.events import Event

__all__ = ["Cost", "cost_of", "keeps"]

#: Far more than sums of costs have that a plan divides.
_MOST_BITS = 20_000
_SHOWN = 6


@dataclass(frozen=True)
class Cost:
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

    def __add__(self, other: Cost) -> Cost:
        return Cost(
            _sum(self.epsilon, other.epsilon),
            _sum(self.rho, other.rho),
            _sum(self.delta, other.delta) or Fraction(0),
        )

    def times(self, count: int) -> Cost:
        """Return what it costs to do it so many times."""
        epsilon, rho = (None if each is None else each * count for each in (self.epsilon, self.rho))
        return Cost(epsilon, rho, self.delta * count)


#: What costs nothing.
NOTHING = Cost(Fraction(0), Fraction(0))


def cost_of(event: Event) -> Cost:
    """Return what an event costs, exactly.

    What is ε-differentially private is ε²/2-zero-concentrated :cite:p:`bun2016concentrated`; a
    choice by the exponential mechanism, whose losses lie in an interval of length ε, ε²/8
    :cite:p:`dong2020optimal`.
    """
    return sum((_single(step).times(count) for step, count in event.parts()), NOTHING)


def _single(event: Event) -> Cost:
    match event:
        case DiscreteLaplace() | Laplace():
            return _pure(Fraction(event.sensitivity) / event.scale)
        case Pure() | PermuteAndFlip():
            return _pure(_rational(event.epsilon))
        case Exponential():
            epsilon = _rational(event.epsilon)
            return Cost(epsilon, epsilon**2 / 8)
        case ZeroConcentrated():
            return Cost(None, event.rho)
        case Approximate():
            return Cost(_rational(event.epsilon), None, event.delta)
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


def _pure_sum(whole: Cost, guarantee: PureDP) -> str:
    if whole.epsilon is None or whole.delta or whole.epsilon > _rational(guarantee.exact_epsilon):
        refute("the steps together do not keep {guarantee}", guarantee=guarantee)
    return f"their ε add up to {_at_most(whole.epsilon)}"


def _approximate(costs: list[Cost], whole: Cost, guarantee: ApproxDP) -> str:
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


def _pure(epsilon: Fraction) -> Cost:
    return Cost(epsilon, epsilon**2 / 2)


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
