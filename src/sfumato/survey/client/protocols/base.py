"""What every protocol for a question with choices can say of itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from sfumato.survey.client.ratios import Loss  # noqa: TC001 (a field's type)

if TYPE_CHECKING:
    from sfumato.survey.client.draws import Draws

__all__ = ["Protocol", "Report"]

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
