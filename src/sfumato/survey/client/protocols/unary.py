"""Optimised unary encoding: one coin for each choice."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.survey.client.protocols.base import Protocol
from sfumato.survey.client.protocols.bits import are_bits, bit, written_bits

if TYPE_CHECKING:
    from sfumato.survey.client.draws import Draws
    from sfumato.survey.client.protocols.base import Report

__all__ = ["Unary"]

_HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Unary(Protocol):
    """A bit for each choice: a fair coin for the answer, a rare 1 for each of the others."""

    name = "unary"
    theorem = (
        "Bits that are 1 with probability 1/2 for the answer and 1/(E + 1) for each other choice, "
        "independently, are ln(E)-differentially private for substituting one answer."
    )
    citations = ("wang2017locally",)

    @property
    def hit(self) -> Fraction:
        """One half: the bit of the answer is a fair coin."""
        return _HALF

    @property
    def miss(self) -> Fraction:
        """The probability of a 1 for one given other choice."""
        return 1 / (self.loss.ratio + 1)

    def randomize(self, answer: int, draws: Draws) -> str:
        """Return one bit for each choice."""
        chances = [self.miss] * self.choices
        chances[answer] = self.hit
        return written_bits(map(draws.chance, chances))

    def supports(self, report: Report, choice: int) -> bool:
        """Return whether the choice's bit is 1."""
        return bit(report, choice)

    def allows(self, report: object) -> bool:
        """Return whether these are bits, one for each choice."""
        return are_bits(report, self.choices)
