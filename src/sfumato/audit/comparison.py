"""What is proved about the outputs on one input against those on another, one way."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.numeric import any_float
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Hashable
    from fractions import Fraction

    from sfumato.audit.claim import Claim
    from sfumato.numeric import Enclosure, Ln
    from sfumato.privacy.parameters import Epsilon

__all__ = ["Comparison", "Interval", "Judgement", "Least", "WitnessEvent"]


@dataclass(frozen=True)
class Interval:
    """All outcomes from ``low`` to ``high``, both included; None is no end.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from sfumato.audit.comparison import Interval
    >>> print(Interval(None, Fraction(1, 2)))
    at most 0.5
    """

    low: Fraction | None
    high: Fraction | None

    def __str__(self) -> str:
        ends = (self.low, self.high)
        low, high = ("" if each is None else f"{any_float(each):.12g}" for each in ends)
        if not low:
            return tr("at most {high}", high=high) if high else tr("anything")
        if low == high:
            return low
        return (
            tr("from {low} to {high}", low=low, high=high)
            if high
            else tr("at least {low}", low=low)
        )


@dataclass(frozen=True)
class WitnessEvent:
    """A set of outcomes, with how likely it is under P and under Q.

    Attributes
    ----------
    outcomes
        The outcomes in it, or intervals of them.
    p, q
        Its probabilities: a Fraction where it is known exactly, else certified bounds.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from sfumato.audit.comparison import WitnessEvent
    >>> WitnessEvent(("yes",), Fraction(2, 3), Fraction(1, 3)).p
    Fraction(2, 3)
    """

    outcomes: tuple[Hashable, ...]
    p: Fraction | Enclosure
    q: Fraction | Enclosure


@dataclass(frozen=True)
class Least:
    """The least ε (or δ) that holds: certified bounds, and the number itself where it is known.

    Examples
    --------
    >>> from sfumato.audit.comparison import Least
    >>> from sfumato.numeric import Enclosure, Ln
    >>> Least(Enclosure(0.693, 0.694), Ln(2)).exact
    Ln(2)
    """

    bounds: Enclosure
    exact: Fraction | Ln | None = None


@dataclass(frozen=True)
class Judgement:
    """Whether a claim holds one way: True or False where that is proved, None where it is not.

    Attributes
    ----------
    holds
        Proved, refuted, or None for undecided.
    event
        Where refuted, an event that shows it; where it holds, the closest that was looked at, if
        any.  None for a Rényi claim, which no one event refutes.
    """

    holds: bool | None
    event: WitnessEvent | None = None


class Comparison(ABC):
    """The output distribution P on one input against the distribution Q on another, one way.

    Attributes
    ----------
    assumption
        What all answers rest on that was told and not proved, as a sentence; else empty.
    """

    assumption: str = ""

    @abstractmethod
    def least_epsilon(self, delta: Fraction) -> Least:
        """Return the least ε at which P(S) ≤ e^ε Q(S) + δ for every event S, and 0 at least."""

    @abstractmethod
    def least_delta(self, epsilon: Epsilon) -> Least:
        """Return the least δ at which P(S) ≤ e^ε Q(S) + δ for every event S."""

    @abstractmethod
    def renyi(self, order: Fraction) -> Least:
        """Return the Rényi divergence of an order above 1 of P from Q."""

    @abstractmethod
    def judge(self, claim: Claim) -> Judgement:
        """Decide a claim, or say that it is undecided; never guess."""
