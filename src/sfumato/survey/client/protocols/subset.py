"""Subset selection: some of the choices, the answer more often among them than another."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import floor
from typing import TYPE_CHECKING

from sfumato.survey.client.protocols.base import Protocol
from sfumato.survey.client.protocols.bits import are_bits, bit, written_bits

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.survey.client.draws import Draws
    from sfumato.survey.client.protocols.base import Report

__all__ = ["Subset"]


@dataclass(frozen=True)
class Subset(Protocol):
    """A set of w choices: the least variance that any protocol has, for every k and ε.

    w is k/(e^ε + 1), rounded to the side with the less variance; at w = 1 this is randomized
    response.  A report is a text of k bits, so it suits up to a thousand choices or so.
    """

    name = "subset"
    theorem = (
        "A set of w of the k choices, all sets with the answer alike and E times as likely as all "
        "sets without it, is ln(E)-differentially private for substituting one answer."
    )
    citations = ("ye2018optimal",)

    @property
    def size(self) -> int:
        """How many choices a report has."""
        return _best_size(self.choices, self.loss.ratio)

    @property
    def parameters(self) -> dict[str, int]:
        """The size of the sets."""
        return {"size": self.size}

    @property
    def hit(self) -> Fraction:
        """The probability that the set has the answer."""
        return _rates(self.choices, self.loss.ratio, self.size)[0]

    @property
    def miss(self) -> Fraction:
        """The probability that the set has one given other choice."""
        return _rates(self.choices, self.loss.ratio, self.size)[1]

    def randomize(self, answer: int, draws: Draws) -> str:
        """Return the bits of one set."""
        taken = draws.chance(self.hit)
        wanted, left = self.size - taken, self.choices - 1
        bits = []
        for choice in range(self.choices):
            if choice == answer:
                bits.append(taken)
                continue
            bits.append(wanted > 0 and draws.below(left) < wanted)
            wanted, left = wanted - bits[-1], left - 1
        return written_bits(bits)

    def supports(self, report: Report, choice: int) -> bool:
        """Return whether the set has the choice."""
        return bit(report, choice)

    def allows(self, report: object) -> bool:
        """Return whether this is a set of the right size."""
        return are_bits(report, self.choices) and str(report).count("1") == self.size


def _rates(choices: int, ratio: Fraction, size: int) -> tuple[Fraction, Fraction]:
    """Return how often a set of this size has the answer, and how often one other choice."""
    hit = size * ratio / (size * ratio + choices - size)
    return hit, (size - hit) / (choices - 1)


@lru_cache(maxsize=256)
def _best_size(choices: int, ratio: Fraction) -> int:
    def variance(size: int) -> Fraction:
        hit, miss = _rates(choices, ratio, size)
        return miss * (1 - miss) / (hit - miss) ** 2

    near = min(max(floor(choices / (1 + ratio)), 1), choices - 1)
    return min((near, min(near + 1, choices - 1)), key=variance)
