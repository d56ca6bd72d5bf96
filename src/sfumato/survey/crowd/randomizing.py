"""The reports of many people, drawn at once from the client's distributions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError
from sfumato.sampling import read_source
from sfumato.survey.client.questions import ChoiceQuestion
from sfumato.survey.crowd.numbers import hadamard, hashing, response, window
from sfumato.survey.crowd.sets import subset, unary

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray

    from sfumato.sampling import BitSource
    from sfumato.survey.client.questions import Question

__all__ = ["randomize_many"]

_WAYS: dict[str, Callable[[Any, NDArray[Any], BitSource], NDArray[Any]]] = {
    "response": response,
    "hadamard": hadamard,
    "hashing": hashing,
    "window": window,
    "unary": unary,
    "permanent": unary,
    "subset": subset,
}


def randomize_many(
    question: Question, answers: ArrayLike, *, source: BitSource | None = None
) -> NDArray[Any]:
    """Return a report for each of many answers to one question.

    Each report is distributed exactly as the client's, and they are independent.

    Parameters
    ----------
    question
        What was asked.
    answers
        The places of the answers among the choices; for a number, where it lies between the
        bounds, from 0 to 1, which counts to the next multiple of 2**-53.
    source
        Where random bits come from; the operating system, unless said otherwise.

    Returns
    -------
    NDArray
        For reports of bits a matrix of 0 and 1 with a row for each person, and a whole number
        for each person else; a choice that is told by its word is here its place.
    """
    read = _read_places if isinstance(question, ChoiceQuestion) else _read_numbers
    way = _WAYS[question.protocol.name]
    return way(question.protocol, read(question, answers), read_source(source))


def _read_places(question: Any, answers: ArrayLike) -> NDArray[np.int64]:
    places = np.asarray(answers)
    count = len(question.choices)
    whole = places.ndim == 1 and (places.dtype.kind in "iu" or not places.size)
    if not whole or (places.size and not 0 <= places.min() <= places.max() < count):
        raise InputError(
            "E-ANSWER-FORM",
            "the answers to {question!r} must be places of its choices",
            "write a list of whole numbers from 0 to {count}",
            question=question.name,
            count=count - 1,
        )
    return places.astype(np.int64, copy=False)


def _read_numbers(question: Any, answers: ArrayLike) -> NDArray[np.float64]:
    numbers = np.asarray(answers)
    real = numbers.ndim == 1 and (numbers.dtype.kind in "fiu" or not numbers.size)
    if not real or not ((numbers >= 0) & (numbers <= 1)).all():
        raise InputError(
            "E-ANSWER-FORM",
            "the answers to {question!r} must say where they lie between the bounds",
            "write a list of numbers from 0 to 1",
            question=question.name,
        )
    return numbers.astype(np.float64, copy=False)
