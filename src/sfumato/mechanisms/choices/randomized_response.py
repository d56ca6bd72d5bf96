"""Randomized response: the truth, unless a coin says otherwise."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import partial
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from sfumato.errors import InputError
from sfumato.mechanisms.base import PureMechanism
from sfumato.mechanisms.distributions.output import FiniteDistribution
from sfumato.mechanisms.values import refuse_masked
from sfumato.numeric import Exponentials, Ln, as_ball, read_count, shown, working_precision
from sfumato.privacy import Epsilon, Relation, Substitute, events, read_confidence, usable_epsilon
from sfumato.refusal import Argument, Bare, any_of, text
from sfumato.sampling import BitSource, bernoulli, coin_of_ball, uniform_below
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from fractions import Fraction

    from flint import arb
    from numpy.typing import NDArray

    from sfumato.privacy.events import Event

    Chance = Fraction | Callable[[], arb]


_MOST_ANSWERS = 1_000_000
_MOST_SHOWN = 12
_BITS = 256


class Answers(ABC):
    """The answers that may be given, and how each is written as a number from 0 on."""

    names: Sequence[Any]
    _advice: ClassVar[str] = ""

    @abstractmethod
    def codes(self, value: Any) -> NDArray[np.int64]:
        """Return the number of one answer, in an array of no dimension, or those of several."""

    @abstractmethod
    def named(self, codes: NDArray[np.int64], *, like: Any) -> Any:
        """Return the answers of some numbers: one where ``like`` is one, else an array."""

    def _refused(self) -> InputError:
        shown, more = self.names[:_MOST_SHOWN], len(self.names) - _MOST_SHOWN
        others = [text("one of {more:,} more", more=more)] if more > 0 else []
        return InputError(
            "E-ANSWER-FORM",
            "an answer must be {allowed}, and what was given is none of them",
            "give one answer, or a list of one for each person{advice}",
            allowed=any_of([*map(repr, shown), *others]),
            advice=self._advice,
        )


@dataclass(frozen=True)
class NumberedAnswers(Answers):
    """The answers 0, 1, ..., k - 1; where there are two, False and True as well."""

    names: range
    _advice = mark(", or name the answers by categories=['yes', 'no']")

    def codes(self, value: Any) -> NDArray[np.int64]:
        """Return the numbers themselves, if all are among the answers."""
        array = _row(value)
        known = "iub" if len(self.names) == 2 else "iu"
        if array is None or array.dtype.kind not in known:
            raise self._refused()
        if array.size and not (array.min() >= 0 and array.max() < len(self.names)):
            raise self._refused()
        return array.astype(np.int64)

    def named(self, codes: NDArray[np.int64], *, like: Any) -> Any:
        """Return the numbers, as booleans where booleans were given."""
        given = np.asarray(like).dtype
        found = codes.astype(np.bool_) if given.kind == "b" else codes
        return found if found.ndim else found.item()


@dataclass(frozen=True)
class NamedAnswers(Answers):
    """Answers that have a name of their own."""

    names: tuple[Any, ...]

    def codes(self, value: Any) -> NDArray[np.int64]:
        """Return the place of each answer among the names."""
        refuse_masked(value)
        listed = value.tolist() if hasattr(value, "__array__") else value
        several = isinstance(listed, (list, tuple))
        given = listed if several else [listed]
        if bool in set(map(type, given)) and bool not in set(map(type, self.names)):
            raise self._refused()
        places = {name: place for place, name in enumerate(self.names)}
        try:
            found = np.array([places[each] for each in given], dtype=np.int64)
        except (KeyError, TypeError):
            raise self._refused() from None
        return found if several else found.reshape(())

    def named(self, codes: NDArray[np.int64], *, like: Any) -> Any:  # noqa: ARG002
        """Return the names: one, or an array of them."""
        return self._table[codes] if codes.ndim else self.names[int(codes)]

    @property
    def _table(self) -> NDArray[Any]:
        alike = len(set(map(type, self.names))) == 1
        return np.array(self.names, dtype=None if alike else object)


def read_answers(categories: Any) -> Answers:
    """Return the answers that may be given: so many, or those of a list."""
    if isinstance(categories, Integral) and not isinstance(categories, bool):
        _check_number(int(categories), categories)
        return NumberedAnswers(range(int(categories)))
    names = tuple(categories) if isinstance(categories, (list, tuple)) else ()
    if not names or not all(isinstance(name, (str, int)) for name in names):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "categories must be a number of answers or a list of them, not {categories}",
            "write 2 or ['yes', 'no']",
            categories=shown(categories),
        )
    if len(set(names)) < len(names):
        raise InputError("E-ARGUMENT-TWICE", "categories names an answer twice", "write each once")
    _check_number(len(names), categories)
    return NamedAnswers(names)


def _check_number(count: int, categories: Any) -> None:
    if not 2 <= count <= _MOST_ANSWERS:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "there must be from 2 to {most_answers:,} answers, which {categories} does not give",
            "write categories=2, say",
            most_answers=_MOST_ANSWERS,
            categories=shown(categories),
        )


def _row(value: Any) -> NDArray[Any] | None:
    """Return one answer or a row of them as an array; None for what is neither."""
    if isinstance(value, (list, tuple)):
        kinds = set(map(type, value))
        if not kinds:
            return np.empty(0, dtype=np.int64)
        numbers = all(issubclass(kind, (Integral, np.bool_)) for kind in kinds)
        if not numbers or (bool in kinds and len(kinds) > 1):
            return None
    elif not hasattr(value, "__array__") and not isinstance(value, Integral):
        return None
    refuse_masked(value)
    array = np.asarray(value)
    return array if array.ndim <= 1 else None


_ONE_ANSWER: Relation = Substitute()


@dataclass(frozen=True, init=False, repr=False)
class RandomizedResponse(PureMechanism[Any, Any]):
    """Each person answers truthfully with some probability, and else with another answer.

    Which of the other answers is drawn uniformly.  Give ``truth`` or ``epsilon``.

    Parameters
    ----------
    truth
        The probability of the true answer: above 1/k, which is guessing, and below 1.
    epsilon
        ε, above 0: the truth is told with probability e^ε/(e^ε + k - 1).
    categories
        The answers there are: a number k for 0, 1, ..., k - 1, or a list of words or whole
        numbers.  With the default of 2, True and False are answers as well.
    relation
        ``Substitute`` of one row or one person: a person's answer is replaced by another.  That
        somebody answered at all is not hidden, so nothing is guaranteed for adding or removing.

    Attributes
    ----------
    answers
        The answers there are.

    Notes
    -----
    Proof: :doc:`/proofs/randomized-response`.

    ε-differentially private for one person's answer with ε = ln(q(k-1)/(1-q)), where q is the
    probability of the truth: of two answers that a person may have, the one makes what is
    released at most q/((1-q)/(k-1)) times likelier than the other.  The survey design is that of
    :cite:p:`warner1965`; for k answers it tells the most of all ε-private answers where ε is
    large :cite:p:`kairouz2016extremal`.

    An array is answered for each person independently.  Event and guarantee are those of one
    person: a change of one answer changes one of the independent releases.

    ==============================  ========================================================
    Edge cases                      What happens
    ==============================  ========================================================
    one answer                      one answer is released
    a list or an array              an array of one answer for each person
    True and False                  released as such, where there are two numbered answers
    an empty list                   an empty array
    an answer that is none of them  refused, without showing it; the public ones are named
    NaN, None, 2**63, nested lists  refused: no such answer
    ==============================  ========================================================

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.sampling import SeededSource
    >>> coin = sf.mechanisms.RandomizedResponse(truth="2/3")
    >>> print(coin.guarantee)
    ln(2)-DP (substitute one row)
    >>> coin.release([True, False, True, True], source=SeededSource(2)).value
    array([ True, False, False, False])
    >>> coin.distribution(True).exact(False)
    Fraction(1, 3)
    """

    epsilon: Epsilon
    categories: int | tuple[Any, ...]
    relation: Relation
    answers: Answers = field(repr=False, compare=False)

    theorem = (
        "Telling the truth with probability e^ε/(e^ε + k - 1), and else another of k answers "
        "uniformly, is ε-differentially private for substituting one person's answer."
    )
    citations = ("warner1965", "kairouz2016extremal")

    def __init__(
        self,
        *,
        truth: Any = None,
        epsilon: Any = None,
        categories: Any = 2,
        relation: Relation = _ONE_ANSWER,
    ) -> None:
        answers = read_answers(categories)
        names = answers.names
        self._keep(
            epsilon=_read_event(truth, epsilon, len(names)).epsilon,
            categories=len(names) if isinstance(names, range) else names,
            answers=answers,
            relation=_read_one_person(relation),
        )

    @property
    def truth(self) -> Fraction | None:
        """The probability of the true answer; None where it is irrational, for a rational ε.

        Examples
        --------
        >>> import sfumato as sf
        >>> sf.mechanisms.RandomizedResponse(epsilon=sf.numeric.Ln(3)).truth
        Fraction(3, 4)
        """
        if not isinstance(self.epsilon, Ln):
            return None
        return self.epsilon.argument / (self.epsilon.argument + len(self.answers.names) - 1)

    def __repr__(self) -> str:
        return super().__repr__().replace(f", relation={_ONE_ANSWER!r}", "")

    def event_at(self, distance: int) -> Event:
        """Return what a release does, seen by tables in which so many answers differ.

        Examples
        --------
        >>> import sfumato as sf
        >>> sf.mechanisms.RandomizedResponse(truth="2/3").event_at(1)
        RandomizedResponse(epsilon=Ln(2), categories=2)
        """
        one = events.RandomizedResponse(epsilon=self.epsilon, categories=len(self.answers.names))
        times = read_count(distance, "distance")
        return one if times == 1 else events.Repeated(one, count=times)

    def neighbours(self) -> list[tuple[Any, Any]]:
        """Return the first two answers; any two are alike.

        Examples
        --------
        >>> import sfumato as sf
        >>> sf.mechanisms.RandomizedResponse(truth="2/3", categories=["yes", "no"]).neighbours()
        [('yes', 'no')]
        """
        first, second, *_ = self.answers.names
        return [(first, second)]

    def distribution(self, value: Any) -> FiniteDistribution[Any]:
        """Return the exact output distribution for one answer.

        Examples
        --------
        >>> import sfumato as sf
        >>> sf.mechanisms.RandomizedResponse(truth=0.75, categories=4).distribution(2).exact(0)
        Fraction(1, 12)
        """
        code = self.answers.codes(value)
        if code.ndim:
            raise InputError("E-ARGUMENT-TYPE", "give one answer", "write distribution(0), say")
        places = [np.array(place) for place in range(len(self.answers.names))]
        outcomes = [self.answers.named(place, like=value) for place in places]
        truth, lie = self._chances()
        told = [bool(place == code) for place in places]
        return FiniteDistribution(
            outcomes, [truth if true else lie for true in told], partial(self._odds, told)
        )

    def _odds(self, told: Sequence[bool]) -> list[Exponentials] | None:
        """Return exact odds, e^ε against 1, where the probabilities are irrational."""
        if isinstance(self.epsilon, Ln):
            return None
        return [Exponentials.exp(self.epsilon if true else 0) for true in told]

    def _chances(self) -> tuple[Chance, Chance]:
        """Return the probabilities of the true answer and of each other one."""
        if self.truth is None:
            return self._truth_ball, self._lie_ball
        return self.truth, (1 - self.truth) / (len(self.answers.names) - 1)

    def _truth_ball(self) -> arb:
        return 1 / (1 + (len(self.answers.names) - 1) * (-as_ball(self.epsilon)).exp())

    def _lie_ball(self) -> arb:
        return 1 / (as_ball(self.epsilon).exp() + len(self.answers.names) - 1)

    def error(self, *, confidence: Any = 0.95) -> float:
        """Return 0.0 where one answer is true with the confidence, else 1.0: it may be any other.

        What a survey of many estimates from such answers has an error of its own.

        Examples
        --------
        >>> import sfumato as sf
        >>> coin = sf.mechanisms.RandomizedResponse(truth="2/3")
        >>> coin.error(confidence=0.6), coin.error(confidence=0.95)
        (0.0, 1.0)
        """
        sure = read_confidence(confidence)
        with working_precision(_BITS):
            told = self._truth_ball() >= as_ball(sure)
        return 0.0 if told or (self.truth is not None and self.truth >= sure) else 1.0

    def _draw(self, value: Any, source: BitSource) -> Any:
        codes = self.answers.codes(value)
        return self.answers.named(self._randomized(codes, source), like=value)

    def _randomized(self, codes: NDArray[np.int64], source: BitSource) -> NDArray[np.int64]:
        given, count = codes.reshape(-1), len(self.answers.names)
        lies = np.flatnonzero(~self._told(given.size, source))
        steps = 1 + uniform_below(count - 1, lies.size, source=source)
        given[lies] = (given[lies] + steps) % count
        return given.reshape(codes.shape)

    def _told(self, size: int, source: BitSource) -> NDArray[np.bool_]:
        if self.truth is None:
            return coin_of_ball(self._truth_ball, size, source=source)
        return bernoulli(self.truth, size, source=source)


def _read_event(truth: Any, epsilon: Any, categories: int) -> events.RandomizedResponse:
    if (truth is None) == (epsilon is None):
        raise InputError(
            "E-ARGUMENT-CONFLICT",
            "randomized response takes either truth or epsilon",
            "write {truth}, say",
            truth=Argument("truth", "2/3"),
        )
    if truth is not None:
        return events.RandomizedResponse.of_truth(truth, categories=categories)
    return events.RandomizedResponse(epsilon=usable_epsilon(epsilon), categories=categories)


def _read_one_person(relation: Any) -> Relation:
    if not isinstance(relation, Substitute) or relation.count != 1:
        raise InputError(
            "E-RELATION-OTHER",
            "randomized response protects what one person answered, not for {relation}",
            "write {example}",
            relation=shown(relation),
            example=Argument("relation", Bare("sf.privacy.Substitute()")),
        )
    return relation
