"""What every question has: a name, what is asked, and a guarantee."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.survey.client.draws import distribution_of
from sfumato.survey.client.guarantee import guarantee_of

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.privacy import PureDP
    from sfumato.survey.client.draws import Draws
    from sfumato.survey.client.protocols import Report
    from sfumato.survey.client.ratios import Loss

__all__ = ["Asked"]


@dataclass(frozen=True)
class Asked(ABC):
    """A question of a survey.

    Parameters
    ----------
    name
        The question's name in files and results.
    text
        What people are asked.
    """

    name: str
    text: str

    @property
    @abstractmethod
    def loss(self) -> Loss:
        """What one report may tell."""

    @abstractmethod
    def read(self, answer: Any) -> Any:
        """Return an answer as its protocol takes it."""

    @abstractmethod
    def randomize(self, answer: Any, draws: Draws) -> Report:
        """Return one report of an answer that was read, as it is written into files."""

    @abstractmethod
    def neighbours(self) -> list[tuple[Any, Any]]:
        """Return pairs of answers, the most different ones among them."""

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """Return all that decides what a report means, for the digest."""

    @property
    def guarantee(self) -> PureDP:
        """What one report on this question guarantees its person."""
        return guarantee_of(self.loss)

    def distribution(self, answer: Any) -> dict[Report, Fraction]:
        """Return the exact probability of every report of an answer, where these are not too many.

        It is found by running the client's own code along every way its draws can fall, so that
        ``sf.verify(question)`` judges the code itself.
        """
        read = self.read(answer)
        return distribution_of(lambda draws: self.randomize(read, draws))
