"""A question that is answered by one of some choices."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.refusal import any_of, text
from sfumato.survey.client.questions.base import Asked

if TYPE_CHECKING:
    from sfumato.survey.client.draws import Draws
    from sfumato.survey.client.protocols import Protocol, Report
    from sfumato.survey.client.ratios import Loss

__all__ = ["ChoiceQuestion"]

_FEW = 12
_MANY = 64


@dataclass(frozen=True)
class ChoiceQuestion(Asked):
    """A question that is answered by one of some choices.

    Parameters
    ----------
    name
        The question's name in files and results.
    text
        What people are asked.
    choices
        The answers there are.
    protocol
        How an answer is randomised.

    Examples
    --------
    >>> import sfumato as sf
    >>> survey = sf.Survey({"cheated": {"choices": ["yes", "no"], "truth": "2/3"}})
    >>> survey.questions["cheated"].protocol.name
    'response'
    """

    choices: tuple[str, ...]
    protocol: Protocol

    @property
    def loss(self) -> Loss:
        """What one report may tell.

        Examples
        --------
        >>> import sfumato as sf
        >>> survey = sf.Survey({"cheated": {"choices": ["yes", "no"], "truth": "2/3"}})
        >>> survey.questions["cheated"].loss.text
        'ln(2)'
        """
        return self.protocol.loss

    @cached_property
    def _places(self) -> dict[str, int]:
        return {choice: place for place, choice in enumerate(self.choices)}

    def read(self, answer: Any) -> int:
        """Return the place of an answer among the choices.

        Examples
        --------
        >>> import sfumato as sf
        >>> survey = sf.Survey({"cheated": {"choices": ["yes", "no"], "truth": "2/3"}})
        >>> survey.questions["cheated"].read("no")
        1
        >>> survey.questions["cheated"].read("perhaps")
        Traceback (most recent call last):
            ...
        sfumato.errors.InputError: that is no answer to 'cheated'; write 'yes' or 'no'
        """
        place = self._places.get(answer if isinstance(answer, str) else str(answer))
        if place is None or isinstance(answer, bool):
            more = len(self.choices) - _FEW
            others = [text("{more:,} more", more=more)] if more > 0 else []
            raise InputError(
                "E-ANSWER-FORM",
                "that is no answer to {name!r}",
                "write {allowed}",
                name=self.name,
                allowed=any_of([*map(repr, self.choices[:_FEW]), *others]),
            )
        return place

    def randomize(self, answer: int, draws: Draws) -> Report:
        """Return one report of an answer, as it is written into files.

        Examples
        --------
        >>> import sfumato as sf
        >>> from sfumato.survey.client.draws import distribution_of
        >>> survey = sf.Survey({"cheated": {"choices": ["yes", "no"], "truth": "2/3"}})
        >>> distribution_of(lambda draws: survey.questions["cheated"].randomize(0, draws))
        {'no': Fraction(1, 3), 'yes': Fraction(2, 3)}
        """
        return self.written(self.protocol.randomize(answer, draws))

    def written(self, report: Report) -> Report:
        """Return a report as it is written: a choice by its word, and all else as it is.

        Examples
        --------
        >>> import sfumato as sf
        >>> survey = sf.Survey({"cheated": {"choices": ["yes", "no"], "truth": "2/3"}})
        >>> survey.questions["cheated"].written(0)
        'yes'
        """
        if self.protocol.name == "response":
            return self.choices[int(report)]
        return report

    def neighbours(self) -> list[tuple[str, str]]:
        """Return every two answers, for ``sf.verify(question)``; of over 64, those side by side.

        Examples
        --------
        >>> import sfumato as sf
        >>> survey = sf.Survey({"cheated": {"choices": ["yes", "no"], "truth": "2/3"}})
        >>> print(sf.verify(survey.questions["cheated"]))
        proved: ln(2)-DP holds on ...
        """
        if len(self.choices) > _MANY:
            return list(pairwise(self.choices))
        return list(combinations(self.choices, 2))

    def describe(self) -> dict[str, Any]:
        """Return all that decides what a report means, for the digest.

        Examples
        --------
        >>> import sfumato as sf
        >>> survey = sf.Survey({"cheated": {"choices": ["yes", "no"], "truth": "2/3"}})
        >>> survey.questions["cheated"].describe()["ratio"]
        '2'
        """
        lifetime = getattr(self.protocol, "lifetime", None)
        return {
            "text": self.text,
            "choices": list(self.choices),
            "protocol": self.protocol.name,
            "ratio": str(self.loss.ratio),
            "epsilon": self.loss.text,
            **({} if lifetime is None else {"lifetime": lifetime.text}),
            **self.protocol.parameters,
        }
