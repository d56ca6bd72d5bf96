"""What every protocol for a question with choices can say of itself, and texts of bits.

A text of bits begins with a letter, which keeps programs that guess at types from reading a number.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from sfumato.survey.client.draws import Loss  # noqa: TC001 (a field's type)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sfumato.survey.client.draws import Draws


Report = int | str


@dataclass(frozen=True)
class Protocol(ABC):
    """One way of randomising one of k answers, by what its reports *support*.

    A report supports some of the choices.  That of a person whose answer is v supports v with
    probability ``hit``, and each other choice with probability ``miss``; both are exact, and the
    same for all choices.  So (supporters/n - miss)/(hit - miss) is an unbiased estimate of
    the share of a choice, whatever the protocol :cite:p:`wang2017locally`.

    Parameters
    ----------
    choices
        How many answers there are, numbered from 0.
    loss
        What one report may tell.
    """

    choices: int
    loss: Loss

    name: ClassVar[str]
    theorem: ClassVar[str]
    citations: ClassVar[tuple[str, ...]]

    @property
    @abstractmethod
    def hit(self) -> Fraction:
        """The probability that a report supports the true answer."""

    @property
    @abstractmethod
    def miss(self) -> Fraction:
        """The probability that a report supports one given other answer."""

    @abstractmethod
    def randomize(self, answer: int, draws: Draws) -> Report:
        """Return one report of a person with this answer."""

    @abstractmethod
    def supports(self, report: Report, choice: int) -> bool:
        """Return whether a report supports a choice."""

    @abstractmethod
    def allows(self, report: object) -> bool:
        """Return whether this is a report that the protocol can give."""

    @property
    def parameters(self) -> dict[str, int]:
        """What was chosen for these choices and this ε, for the survey's digest."""
        return {}

    def variance(self, share: Fraction = Fraction(0)) -> Fraction:
        """Return n times the variance of the estimate of a choice with this share of the answers.

        It is that of drawing the reports alone: the people and their answers stay as they are.
        """
        drawn = share * self.hit * (1 - self.hit) + (1 - share) * self.miss * (1 - self.miss)
        return drawn / (self.hit - self.miss) ** 2


_MARK = "b"


def written_bits(bits: Iterable[bool]) -> str:
    """Return the text of some bits."""
    return _MARK + "".join("1" if each else "0" for each in bits)


def bit(text: object, place: int) -> bool:
    """Return one of the bits that a text writes."""
    return str(text)[1 + place] == "1"


def are_bits(text: object, count: int) -> bool:
    """Return whether this is a text of so many bits."""
    return (
        isinstance(text, str)
        and len(text) == count + 1
        and text[0] == _MARK
        and set(text[1:]) <= {"0", "1"}
    )
