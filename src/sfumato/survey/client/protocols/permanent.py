"""A permanent answer for repeated surveys, and a fresh report of it each time."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.survey.client.protocols.base import Protocol
from sfumato.survey.client.protocols.bits import are_bits, bit, written_bits
from sfumato.survey.client.protocols.unary import Unary
from sfumato.survey.client.ratios import Loss  # noqa: TC001 (a field's type)

if TYPE_CHECKING:
    from sfumato.survey.client.draws import Draws
    from sfumato.survey.client.protocols.base import Report

__all__ = ["Permanent"]

_HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Permanent(Protocol):
    """Bits drawn once for an answer and kept, and flipped afresh in each report (RAPPOR).

    All reports of an answer together tell no more than ``lifetime``, for they are made from its
    permanent bits alone; one report tells no more than ``loss``.  The permanent bits are those
    of optimised unary encoding, and so one report is as exact as optimised unary encoding is.

    Parameters
    ----------
    lifetime
        What all reports of one answer may tell together, above ``loss``.
    """

    lifetime: Loss

    name = "permanent"
    theorem = (
        "Reports made from permanent bits that are ln(L)-differentially private are together "
        "ln(L)-differentially private for substituting one answer (post-processing), and one "
        "of them is ln(E)-differentially private."
    )
    citations = ("erlingsson2014rappor", "arcolezi2022longitudinal")

    @property
    def hit(self) -> Fraction:
        """One half: the answer's permanent bit is a fair coin."""
        return _HALF

    @property
    def miss(self) -> Fraction:
        """The probability of a 1 for one given other choice."""
        return 1 / (self.loss.ratio + 1)

    @property
    def kept(self) -> Fraction:
        """The probability that a report shows a permanent bit as it is."""
        rare = self._drawn.miss
        return (1 - rare - self.miss) / (1 - 2 * rare)

    @property
    def _drawn(self) -> Unary:
        return Unary(self.choices, self.lifetime)

    def draw_permanent(self, answer: int, draws: Draws) -> str:
        """Return the permanent bits of an answer, to be kept by the person."""
        return self._drawn.randomize(answer, draws)

    def report(self, permanent: str, draws: Draws) -> str:
        """Return one report of permanent bits."""
        kept = self.kept
        shown = (bit(permanent, place) == draws.chance(kept) for place in range(self.choices))
        return written_bits(shown)

    def randomize(self, answer: int, draws: Draws) -> str:
        """Return the first report of an answer, whose permanent bits are then forgotten."""
        return self.report(self.draw_permanent(answer, draws), draws)

    def supports(self, report: Report, choice: int) -> bool:
        """Return whether the choice's bit is 1."""
        return bit(report, choice)

    def allows(self, report: object) -> bool:
        """Return whether these are bits, one for each choice."""
        return are_bits(report, self.choices)
