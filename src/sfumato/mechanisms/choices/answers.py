"""Reading the answers to a survey: each is one of a few public ones."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from sfumato.errors import InputError
from sfumato.mechanisms.values.kinds import refuse_masked
from sfumato.numeric import shown
from sfumato.refusal import any_of, text
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["Answers", "NamedAnswers", "NumberedAnswers", "read_answers"]

_MOST_ANSWERS = 1_000_000
_MOST_SHOWN = 12


class Answers(ABC):
    """The answers that may be given, and how each is written as a number from 0 on."""

    names: Sequence[Any]
    _advice: ClassVar[str] = ""

    @property
    @abstractmethod
    def written(self) -> int | tuple[Any, ...]:
        """The answers as a person writes them: how many there are, or each."""

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

    @property
    def written(self) -> int:
        """How many there are."""
        return len(self.names)

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

    @property
    def written(self) -> tuple[Any, ...]:
        """Each of them."""
        return self.names

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
        if (bool in kinds and len(kinds) > 1) or not all(map(_is_number, kinds)):
            return None
    elif not hasattr(value, "__array__") and not isinstance(value, Integral):
        return None
    refuse_masked(value)
    array = np.asarray(value)
    return array if array.ndim <= 1 else None


def _is_number(kind: type) -> bool:
    return issubclass(kind, (Integral, np.bool_))
