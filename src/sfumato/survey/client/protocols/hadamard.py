"""Hadamard response: a row of a Hadamard matrix in which the answer's sign is likelier +."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.survey.client.protocols.base import Protocol

if TYPE_CHECKING:
    from sfumato.survey.client.draws import Draws
    from sfumato.survey.client.protocols.base import Report

__all__ = ["Hadamard"]

_HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Hadamard(Protocol):
    """One whole number below the next power of two: a short report, decoded by a fast transform.

    The number y supports choice v where y and v + 1 have an even number of common bits: half of
    all numbers do, and for two choices those halves are independent.  The best of protocols up
    to ε = 1 or so, to a constant; above, a report of one sign wastes what ε allows.
    """

    name = "hadamard"
    theorem = (
        "One of the numbers that support the answer with probability E/(E + 1), and else one of "
        "those that do not, is ln(E)-differentially private for substituting one answer."
    )
    citations = ("acharya2019hadamard",)

    @property
    def order(self) -> int:
        """How many numbers there are: the least power of two above the number of choices."""
        return int(2 ** self.choices.bit_length())

    @property
    def parameters(self) -> dict[str, int]:
        """The order of the matrix."""
        return {"order": self.order}

    @property
    def hit(self) -> Fraction:
        """The probability that a report supports the answer."""
        return self.loss.ratio / (self.loss.ratio + 1)

    @property
    def miss(self) -> Fraction:
        """One half: two rows of the matrix agree in half of their places."""
        return _HALF

    def randomize(self, answer: int, draws: Draws) -> int:
        """Return one number."""
        supporting = draws.chance(self.hit)
        number = draws.below(self.order)
        if self.supports(number, answer) == supporting:
            return number
        column = answer + 1
        return number ^ (column & -column)

    def supports(self, report: Report, choice: int) -> bool:
        """Return whether the report and the choice have an even number of common bits."""
        return (int(report) & (choice + 1)).bit_count() % 2 == 0

    def allows(self, report: object) -> bool:
        """Return whether this is one of the numbers."""
        return isinstance(report, int) and 0 <= report < self.order
