"""What can be calibrated: the kinds of events with one number to find."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError, UnknownNameError
from sfumato.numeric import shown
from sfumato.privacy import events as ev
from sfumato.privacy.parameters import read_positive
from sfumato.refusal import Argument
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.privacy.events import Event
    from sfumato.privacy.parameters import Epsilon


_DIGITS = 12
_UP = Context(prec=_DIGITS, rounding=ROUND_CEILING)
_DOWN = Context(prec=_DIGITS, rounding=ROUND_FLOOR)


def short_above(number: Fraction) -> Fraction:
    """Return the least decimal of twelve digits that is not below a number."""
    return _cut(number, _UP)


def short_below(number: Fraction) -> Fraction:
    """Return the greatest decimal of twelve digits that is not above a number."""
    return _cut(number, _DOWN)


def is_short(number: Fraction) -> bool:
    """Tell whether a number is a decimal of at most twelve digits, or the ratio of two of them."""
    ratio = max(abs(number.numerator), number.denominator) < 10**_DIGITS
    return ratio or short_above(number) == number


def _cut(number: Fraction, context: Context) -> Fraction:
    return Fraction(context.divide(Decimal(number.numerator), Decimal(number.denominator)))


@dataclass(frozen=True)
class CalibratedKind:
    """A kind of event, and the number that decides what it costs.

    Noise is counted in sensitivities: σ/Δ or b/Δ, and 1/ε for a choice.  More of it costs less,
    but for discrete Gaussian noise of a σ below about 1, where a little more may cost more.

    Attributes
    ----------
    event
        The class of the event.
    parameter
        The number to find: "sigma" or "scale" for noise, "epsilon" for a choice.
    whole
        Whether sensitivities are whole numbers of grid steps.
    pure
        Whether one step has an ε of its own at δ = 0, which is one over the noise.
    """

    event: type[Event]
    parameter: str
    whole: bool = False
    pure: bool = True

    @property
    def is_choice(self) -> bool:
        """Whether something is chosen at random, and no noise added."""
        return self.parameter == "epsilon"

    def sensitivity(self, given: Any) -> Fraction:
        """Return a sensitivity that the kind can have, exactly."""
        value = read_positive(given, "sensitivity")
        if self.is_choice and value != 1:
            raise InputError(
                "E-SENSITIVITY-NOT-TAKEN",
                "{kind} has no sensitivity of its own, so it cannot be {given}",
                "leave it out, and divide the utilities by {given}",
                kind=self.event.__name__,
                given=shown(given),
            )
        if self.whole and value.denominator != 1:
            raise InputError(
                "E-SENSITIVITY-NOT-WHOLE",
                "{sensitivity} must be a whole number of grid steps for {kind}, not {given}",
                "write {ceil}, or make the grid finer",
                kind=self.event.__name__,
                given=shown(given),
                ceil=shown(ceil(value)),
                sensitivity=Argument("sensitivity"),
            )
        return value

    def value(self, noise: Fraction, sensitivity: Fraction) -> Fraction:
        """Return the number to find for an amount of noise, cut to few digits on the safe side."""
        return short_below(1 / noise) if self.is_choice else short_above(noise * sensitivity)

    def step(self, value: Epsilon, sensitivity: Fraction) -> Event:
        """Return the event with this number."""
        build: Callable[..., Event] = self.event
        if self.is_choice:
            return build(epsilon=value)
        width = sensitivity.numerator if self.whole else sensitivity
        return build(**{self.parameter: value, "sensitivity": width})


_KINDS = {
    kind.event.name: kind
    for kind in (
        CalibratedKind(ev.Laplace, "scale"),
        CalibratedKind(ev.DiscreteLaplace, "scale", whole=True),
        CalibratedKind(ev.Gaussian, "sigma", pure=False),
        CalibratedKind(ev.DiscreteGaussian, "sigma", whole=True, pure=False),
        CalibratedKind(ev.RandomizedResponse, "epsilon"),
        CalibratedKind(ev.Exponential, "epsilon"),
        CalibratedKind(ev.PermuteAndFlip, "epsilon"),
    )
}


def find_kind(given: Any) -> CalibratedKind:
    """Return the kind of an event's class or name."""
    if isinstance(given, type) and issubclass(given, ev.Event):
        name = getattr(given, "name", given.__name__)
    elif isinstance(given, str):
        name = given.strip().lower().replace("-", "_")
    else:
        raise InputError(
            "E-ARGUMENT-TYPE",
            "calibrate takes a kind of event, not {given}",
            "write sf.privacy.events.Gaussian",
            given=shown(given),
        )
    if name not in _KINDS:
        raise UnknownNameError(
            kind=mark("mechanism"),
            name=name[:60].replace("_", "-"),
            known=[each.replace("_", "-") for each in _KINDS],
        )
    return _KINDS[name]
