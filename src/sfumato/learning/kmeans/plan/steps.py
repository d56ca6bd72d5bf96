"""A private step of a plan: what it is, and what it spends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.privacy import events

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.privacy.events import Event

__all__ = ["Step"]


@dataclass(frozen=True)
class Step:
    """Something that is released in the course of a plan.

    Parameters
    ----------
    said
        What it is, in words.
    event
        What is done.
    epsilon, rho
        What it spends: one of them.
    times
        How often it is done.
    """

    said: str
    event: Event
    epsilon: Fraction | None = None
    rho: Fraction | None = None
    times: int = 1

    @property
    def charged(self) -> Event:
        """What is charged for all of its times."""
        return self.event if self.times == 1 else events.Repeated(self.event, count=self.times)

    def __str__(self) -> str:
        sign, amount = ("ρ", self.rho) if self.epsilon is None else ("ε", self.epsilon)
        often = "" if self.times == 1 else f"{self.times} × "
        return f"{often}{self.said}: {sign} = {float(amount or 0):.4g}"
