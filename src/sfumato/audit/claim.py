"""What is claimed of a mechanism, as numbers that can be compared exactly."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sfumato.audit.naming import plain
from sfumato.errors import InputError
from sfumato.numeric import shown
from sfumato.privacy.parameters import Epsilon, read_delta, read_epsilon, written
from sfumato.refusal import Argument

__all__ = ["Claim", "read_claim"]


@dataclass(frozen=True)
class Claim:
    """P(S) ≤ e^ε Q(S) + δ for every event S; or, at an order, a Rényi divergence of at most ε.

    Attributes
    ----------
    epsilon
        A rational, or the logarithm of one.
    delta
        A rational; 0 for pure differential privacy.
    order
        The order of Rényi differential privacy; None for (ε, δ).

    Examples
    --------
    >>> from fractions import Fraction
    >>> from sfumato.audit.claim import Claim
    >>> print(Claim(Fraction(1), Fraction(1, 100000)))
    (1, 1e-05)-DP
    """

    epsilon: Epsilon
    delta: Fraction = Fraction(0)
    order: Fraction | None = None

    def __str__(self) -> str:
        epsilon = plain(self.epsilon)
        if self.order is not None:
            return f"({plain(self.order)}, {epsilon})-Rényi DP"
        return f"({epsilon}, {plain(self.delta)})-DP" if self.delta else f"{epsilon}-DP"


def read_claim(epsilon: Any, delta: Any = 0, order: Any = None) -> Claim:
    """Return a claim from what a person wrote: a float is the decimal that denotes it."""
    limit, failure = read_epsilon(epsilon), read_delta(delta)
    if order is None:
        return Claim(limit, failure)
    if failure:
        raise InputError(
            "E-ARGUMENT-CONFLICT",
            "a Rényi claim has an order and an epsilon, no delta",
            "leave order or delta out",
        )
    alpha = written(order, "order")
    if alpha <= 1:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{argument} must be above 1, not {order}",
            "for pure privacy leave it out",
            order=shown(order),
            argument=Argument("order"),
        )
    return Claim(limit, order=alpha)
