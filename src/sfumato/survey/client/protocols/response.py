"""Randomized response: the truth, or one of the other choices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.survey.client.protocols.base import Protocol

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.survey.client.draws import Draws
    from sfumato.survey.client.protocols.base import Report

__all__ = ["Response"]


@dataclass(frozen=True)
class Response(Protocol):
    """Warner's randomized response for k choices; with two and 2/3 it is the book's."""

    name = "response"
    theorem = (
        "Telling the truth with probability E/(E + k - 1), and else one of the k - 1 other "
        "choices uniformly, is ln(E)-differentially private for substituting one answer."
    )
    citations = ("warner1965", "kairouz2016extremal")

    @property
    def hit(self) -> Fraction:
        """The probability of the truth."""
        return self.loss.ratio / (self.loss.ratio + self.choices - 1)

    @property
    def miss(self) -> Fraction:
        """The probability of one given other choice."""
        return 1 / (self.loss.ratio + self.choices - 1)

    def randomize(self, answer: int, draws: Draws) -> int:
        """Return one choice: the answer, or another."""
        if draws.chance(self.hit):
            return answer
        return (answer + 1 + draws.below(self.choices - 1)) % self.choices

    def supports(self, report: Report, choice: int) -> bool:
        """Return whether the report is this choice."""
        return report == choice

    def allows(self, report: object) -> bool:
        """Return whether the report is a choice."""
        return isinstance(report, int) and 0 <= report < self.choices
