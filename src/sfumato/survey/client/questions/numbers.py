"""A question that is answered by a bounded number."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.survey.client.questions.base import Asked
from sfumato.survey.client.ratios import read_fraction

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.survey.client.draws import Draws
    from sfumato.survey.client.protocols import Window
    from sfumato.survey.client.ratios import Loss

__all__ = ["NumberQuestion"]


@dataclass(frozen=True)
class NumberQuestion(Asked):
    """A question that is answered by a number between two bounds, for the mean of all.

    Parameters
    ----------
    name
        The question's name in files and results.
    text
        What people are asked.
    bounds
        The lower and the upper one; a number outside of them counts as the nearer one.
    protocol
        How a number is randomised.

    Examples
    --------
    >>> import sfumato as sf
    >>> survey = sf.Survey({"hours": {"bounds": (0, 24), "epsilon": 1}})
    >>> survey.questions["hours"].protocol.name
    'window'
    """

    bounds: tuple[Fraction, Fraction]
    protocol: Window

    @property
    def loss(self) -> Loss:
        """What one report may tell.

        Examples
        --------
        >>> import sfumato as sf
        >>> survey = sf.Survey({"hours": {"bounds": (0, 24), "epsilon": 1}})
        >>> survey.questions["hours"].loss.text
        '1'
        """
        return self.protocol.loss

    def read(self, answer: Any) -> Fraction:
        """Return where a number lies between the bounds, from 0 to 1.

        Examples
        --------
        >>> import sfumato as sf
        >>> survey = sf.Survey({"hours": {"bounds": (0, 24), "epsilon": 1}})
        >>> survey.questions["hours"].read(6)
        Fraction(1, 4)
        """
        number, (lower, upper) = read_fraction(answer), self.bounds
        if number is None:
            raise InputError(
                "E-ANSWER-FORM",
                "that is no answer to {name!r}",
                "write a number from {lower:g} to {upper:g}",
                name=self.name,
                lower=float(lower),
                upper=float(upper),
            )
        return (min(max(number, lower), upper) - lower) / (upper - lower)

    def randomize(self, answer: Fraction, draws: Draws) -> int:
        """Return one report of an answer: a mark.

        Examples
        --------
        >>> import sfumato as sf
        >>> from fractions import Fraction
        >>> from sfumato.survey.client.draws import distribution_of
        >>> survey = sf.Survey({"hours": {"bounds": (0, 24), "epsilon": "ln(2)"}})
        >>> distribution_of(lambda draws: survey.questions["hours"].randomize(Fraction(0), draws))
        {1: Fraction(1, 3), 0: Fraction(2, 3)}
        """
        return self.protocol.randomize(answer, draws)

    def neighbours(self) -> list[tuple[Fraction, Fraction]]:
        """Return every two of the points to which answers are rounded, for ``sf.verify``.

        The distribution of an answer between two points is a mixture of theirs, so no other pair of
        answers is further apart.

        Examples
        --------
        >>> import sfumato as sf
        >>> survey = sf.Survey({"hours": {"bounds": (0, 24), "epsilon": "ln(2)"}})
        >>> survey.questions["hours"].neighbours()
        [(Fraction(0, 1), Fraction(24, 1))]
        """
        steps, (lower, upper) = self.protocol.points - 1, self.bounds
        points = (lower + (upper - lower) * each / steps for each in range(steps + 1))
        return list(combinations(points, 2))

    def describe(self) -> dict[str, Any]:
        """Return all that decides what a report means, for the digest.

        Examples
        --------
        >>> import sfumato as sf
        >>> survey = sf.Survey({"hours": {"bounds": (0, 24), "epsilon": 1}})
        >>> survey.questions["hours"].describe()["upper"]
        '24'
        """
        lower, upper = self.bounds
        return {
            "text": self.text,
            "lower": str(lower),
            "upper": str(upper),
            "protocol": self.protocol.name,
            "ratio": str(self.loss.ratio),
            "epsilon": self.loss.text,
            **self.protocol.parameters,
        }
