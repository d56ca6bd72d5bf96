"""What the mechanisms that add noise have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.mechanisms.base import Mechanism
from sfumato.numeric import Ln, as_ball, fraction_below, working_precision
from sfumato.privacy import ApproxDP
from sfumato.privacy.calibration.digits import short_above
from sfumato.privacy.events.fields import positive
from sfumato.privacy.usable import check_scale, usable_epsilon
from sfumato.refusal import Argument, Arguments, Bare

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.privacy import Relation
    from sfumato.privacy.parameters import Epsilon

__all__ = ["Additive", "read_guarantee", "read_sigma", "scale_and_epsilon"]

_BITS = 128


class Additive(Mechanism[Any, Any]):
    """A mechanism that adds noise to a number, or to each entry of an array."""

    sensitivity: Fraction | int

    def neighbours(self) -> list[tuple[Any, Any]]:
        """Return two values as far apart as one change moves them."""
        return [(0, self.sensitivity)]

    def _keep(self, **values: Any) -> None:
        self.__dict__.update(values)


def scale_and_epsilon(
    *, epsilon: Any, scale: Any, sensitivity: Fraction | int
) -> tuple[Fraction, Epsilon]:
    """Return the scale of Laplace noise and its ε, of which exactly one is given.

    The scale of an ε that is no rational is rounded up.  What leaves no noise is refused.
    """
    if (epsilon is None) == (scale is None):
        raise InputError(
            "E-ARGUMENT-CONFLICT",
            "give exactly one of epsilon and scale, such as {epsilon}",
            epsilon=Argument("epsilon", 1),
        )
    if scale is not None:
        given = positive(scale, "scale")
        check_scale(given, scale, "scale", sensitivity=sensitivity)
        return given, sensitivity / given
    level = usable_epsilon(epsilon)
    if isinstance(level, Ln):
        with working_precision(_BITS):
            needed = as_ball(sensitivity) / level.ball()
            return short_above(-fraction_below(-needed)), level
    return sensitivity / level, level


def read_sigma(sigma: Any, sensitivity: Fraction | int) -> Fraction:
    """Return the σ of Gaussian noise that is given; one that leaves no noise is refused."""
    given = positive(sigma, "sigma")
    check_scale(given, sigma, "sigma", sensitivity=sensitivity)
    return given


def read_guarantee(*, epsilon: Any, delta: Any, sigma: Any, relation: Relation) -> ApproxDP | None:
    """Return the (ε, δ) that Gaussian noise is asked to keep, None where its σ is given instead."""
    if sigma is not None and epsilon is None and delta is None:
        return None
    if sigma is not None or epsilon is None or delta is None:
        raise InputError(
            "E-ARGUMENT-CONFLICT",
            "give sigma alone, or epsilon and delta, such as {example}",
            example=Arguments((Argument("epsilon", 1), Argument("delta", Bare("1e-6")))),
        )
    return ApproxDP(epsilon=usable_epsilon(epsilon), delta=delta, relation=relation)
