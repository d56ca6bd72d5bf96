"""Reports of many people, drawn in arrays: one whole number each, or a bit for each choice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError
from sfumato.sampling import each_below, many_below, many_coins, read_source
from sfumato.survey.client.questions import ChoiceQuestion, Question
from sfumato.survey.collector.decoding import buckets_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray

    from sfumato.sampling import BitSource
    from sfumato.survey.client.protocols import (
        Hadamard,
        Hashing,
        Response,
        Subset,
        Unary,
        Window,
    )

    Whole = NDArray[np.int64]
    Bits = NDArray[np.uint8]


#: Numbers count in steps of 2**-53: times the at most 32 points they stay below 2**63.
_FINE = 53
_REST = np.int64(2**_FINE - 1)


def response(protocol: Response, answers: Whole, source: BitSource) -> Whole:
    """Return the answers, or others in their place."""
    told = many_coins(protocol.hit, len(answers), source=source)
    return _unless(told, answers, protocol.choices, source)


def hadamard(protocol: Hadamard, answers: Whole, source: BitSource) -> Whole:
    """Return one number below the order for each answer."""
    supporting = many_coins(protocol.hit, len(answers), source=source)
    numbers = many_below(protocol.order, len(answers), source=source)
    columns = answers + 1
    odd = np.bitwise_count(numbers & columns) & 1
    lowest = columns & -columns
    return np.asarray(numbers ^ (lowest * (odd == supporting)))


def hashing(protocol: Hashing, answers: Whole, source: BitSource) -> Whole:
    """Return a function and a bucket in one number for each answer."""
    functions = many_below(protocol.functions, len(answers), source=source)
    told = many_coins(protocol.hit, len(answers), source=source)
    buckets = buckets_of(protocol, functions, answers)
    return functions * protocol.buckets + _unless(told, buckets, protocol.buckets, source)


def window(protocol: Window, numbers: NDArray[np.float64], source: BitSource) -> Whole:
    """Return one mark for each number from 0 to 1."""
    points = rounded(numbers, protocol.points - 1, source)
    likely, others = protocol.width * protocol.loss.ratio, protocol.points - 1
    near = many_coins(likely / (likely + others), len(numbers), source=source)
    inside = points + many_below(protocol.width, len(numbers), source=source)
    outside = many_below(others, len(numbers), source=source)
    return np.where(near, inside, outside + protocol.width * (outside >= points))


def _unless(told: NDArray[np.bool_], truth: Whole, count: int, source: BitSource) -> Whole:
    """Return the truth where it is told, and one of the other numbers below a count elsewhere."""
    others = many_below(count - 1, len(truth), source=source)
    others += others >= truth
    return np.where(told, truth, others)


def rounded(numbers: NDArray[np.float64], steps: int, source: BitSource) -> Whole:
    """Round numbers from 0 to 1 to whole steps, up or down by a coin that keeps the mean."""
    places = np.rint(np.ldexp(numbers, _FINE)).astype(np.int64) * steps
    coins = (source.words(len(numbers)) >> np.uint64(64 - _FINE)).astype(np.int64)
    return np.asarray((places >> _FINE) + (coins < (places & _REST)))


#: Cells drawn at a time, so that they stay in the processor's cache; and people, if those are more.
_BLOCK, _PEOPLE = 1 << 18, 1 << 12


def unary(protocol: Unary, answers: Whole, source: BitSource) -> Bits:
    """Return a bit for each person and choice, by independent coins.

    The first report of a permanent answer is of the same kind: each of its bits is drawn and
    flipped apart from the others, which is one coin.
    """
    people, choices = len(answers), protocol.choices
    bits = many_coins(protocol.miss, people * choices, source=source).reshape(people, choices)
    bits[np.arange(people), answers] = many_coins(protocol.hit, people, source=source)
    return bits.view(np.uint8)


def subset(protocol: Subset, answers: Whole, source: BitSource) -> Bits:
    """Return a set of the protocol's size for each person."""
    taken = many_coins(protocol.hit, len(answers), source=source)
    sets = np.empty((len(answers), protocol.choices), dtype=np.uint8)
    step = max(_PEOPLE, _BLOCK // protocol.choices)
    for start in range(0, len(answers), step):
        some = slice(start, start + step)
        sets[some] = _sets_with(answers[some], taken[some], protocol, source).T
    return sets


def _sets_with(
    answers: Whole, taken: NDArray[np.bool_], protocol: Subset, source: BitSource
) -> NDArray[np.bool_]:
    """Return a column for each person: the answer where it is taken, and enough of the others.

    Of the others that are left, each is taken with the probability that leaves all sets alike.  The
    last choice waits in the row of the answer, until the answer's own bit is put there.
    """
    last, people = protocol.choices - 1, np.arange(len(answers))
    sets = np.empty((protocol.choices, len(answers)), dtype=np.bool_)
    draws = each_below(range(last, 0, -1), len(answers), source=source)
    wanted = (protocol.size - taken).astype(draws.dtype)
    for row, drawn in enumerate(draws):
        wanted -= np.less(drawn, wanted, out=sets[row])
    sets[last] = sets[np.minimum(answers, last - 1), people]
    sets[answers, people] = taken
    return sets


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
