"""Questions: those answered by one of some choices, and those answered by a number."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError, UnknownNameError
from sfumato.refusal import Setting, any_of, text
from sfumato.survey.client.draws import Draws, Loss, distribution_of, read_fraction
from sfumato.survey.client.protocols import (
    Hadamard,
    Hashing,
    Permanent,
    Response,
    Subset,
    Unary,
)

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.privacy import PureDP
    from sfumato.survey.client.protocols import Protocol, Report, Window


_ONE_REPORT: dict[str, type[Protocol]] = {
    each.name: each for each in (Response, Subset, Unary, Hadamard, Hashing)
}

#: What a survey's file may name, besides ``auto``.
PROTOCOLS = (*_ONE_REPORT, Permanent.name)

#: The longest report of bits that ``auto`` asks people to send.
MOST_BITS = 1024


def choose_protocol(name: str, choices: int, loss: Loss, lifetime: Loss | None = None) -> Protocol:
    """Return the protocol of a name; ``auto`` takes the one of least variance.

    ``auto`` is subset selection, which has the least variance, summed over all choices, for
    every k and ε; it is randomized response where sets of one choice are best.  With more than
    1,024 choices it is local hashing, whose report is one number; where a lifetime is given, it
    is a permanent answer.
    """
    if name == "auto":
        name = _best(choices, loss, repeated=lifetime is not None)
    if name not in PROTOCOLS:
        raise UnknownNameError(kind="protocol", name=name, known=("auto", *PROTOCOLS))
    if name == Permanent.name:
        return _permanent(choices, loss, lifetime)
    if lifetime is not None:
        raise InputError(
            "E-SURVEY-LIFETIME",
            "a lifetime belongs to the protocol 'permanent', not to {name!r}",
            "leave one of the two out",
            name=name,
        )
    return _ONE_REPORT[name](choices, loss)


def _best(choices: int, loss: Loss, *, repeated: bool) -> str:
    if repeated:
        return Permanent.name
    if Subset(choices, loss).size == 1:
        return Response.name
    return Subset.name if choices <= MOST_BITS else Hashing.name


def _permanent(choices: int, loss: Loss, lifetime: Loss | None) -> Permanent:
    if lifetime is None:
        raise InputError(
            "E-SURVEY-LIFETIME",
            "the protocol 'permanent' needs a lifetime, what all reports of one answer may "
            "tell together",
            "write {lifetime}, say",
            lifetime=Setting("lifetime", "2"),
        )
    if lifetime.ratio <= loss.ratio:
        raise InputError(
            "E-SURVEY-LIFETIME",
            "a lifetime of {lifetime} is not above the epsilon of one report, {loss}",
            "write a larger lifetime",
            lifetime=lifetime,
            loss=loss,
        )
    return Permanent(choices, loss, lifetime)


def guarantee_of(loss: Loss) -> PureDP:
    """Return the guarantee for one person's answers; loads more than a client needs."""
    from sfumato.privacy import Person, PureDP, Substitute

    return PureDP(epsilon=loss.text, relation=Substitute(unit=Person()))


@dataclass(frozen=True)
class QuestionBase(ABC):
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


_FEW = 12
_MANY = 64


@dataclass(frozen=True)
class ChoiceQuestion(QuestionBase):
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

    Notes
    -----
    Proof: :doc:`/proofs/surveys`.

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


@dataclass(frozen=True)
class NumberQuestion(QuestionBase):
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

    Notes
    -----
    Proof: :doc:`/proofs/surveys`.

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


Question = ChoiceQuestion | NumberQuestion
