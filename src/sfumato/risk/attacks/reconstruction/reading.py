"""Queries about subsets of the people, the answers to them, and the truth if it is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError
from sfumato.numeric import read_count
from sfumato.printing.wording import counted
from sfumato.refusal import Argument
from sfumato.translation import mark

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["read_answers", "read_bits", "read_queries"]

_MATRIX = mark("a matrix of 0 and 1 with a row for each query and a column for each person")
_SETS = mark("lists of people's numbers, such as [[0, 2], [1, 2]], with people=3")
_ROWS_AND_COLUMNS = 2
#: Above it a float no longer tells one count from the next.
_GREATEST = 2.0**53
#: How many cells a matrix may have: 2 GB of them.
_LARGEST = 250_000_000


def read_queries(queries: Any, people: Any = None) -> NDArray[np.float64]:
    """Return queries as a matrix of 0 and 1: a row a query, a column a person."""
    matrix = (
        _as_matrix(queries) if people is None else _from_sets(queries, read_count(people, "people"))
    )
    if not matrix.size:
        raise InputError(
            "E-ARGUMENT-EMPTY",
            "there is no query, or nobody to ask about",
            "give {matrix}",
            matrix=_MATRIX,
        )
    return matrix


def read_answers(answers: Any, queries: int) -> NDArray[np.float64]:
    """Return one answer for each query, as floats."""
    row = _numbers(answers)
    if row is None or row.ndim != 1 or not (np.abs(row) <= _GREATEST).all():
        raise InputError(
            "E-ANSWER-FORM",
            "answers must be a list of finite numbers, one for each query, and none beyond 2^53",
        )
    if row.size != queries:
        raise InputError(
            "E-LENGTHS-DIFFER",
            "there are {queries:,} queries and {size:,} answers",
            "give one for each",
            queries=queries,
            size=row.size,
        )
    return row


def read_bits(column: Any, people: int) -> NDArray[np.int64]:
    """Return a column of 0 and 1, one for each person."""
    bits = _numbers(column)
    if bits is None or bits.ndim != 1 or not np.isin(bits, (0, 1)).all():
        raise InputError(
            "E-COLUMN-NOT-BINARY", "the true column must be a list of 0 and 1, one for each person"
        )
    if bits.size != people:
        raise InputError(
            "E-LENGTHS-DIFFER",
            "the queries are about {people:,} people and the column has {size:,} values",
            "give one for each",
            people=people,
            size=bits.size,
        )
    return bits.astype(np.int64)


def _as_matrix(queries: Any) -> NDArray[np.float64]:
    matrix = _numbers(queries)
    square = matrix is not None and matrix.ndim == _ROWS_AND_COLUMNS
    if matrix is None or not square or not np.isin(matrix, (0, 1)).all():
        raise InputError(
            "E-ARGUMENT-TYPE",
            "{queries} must be {matrix}, or {sets}",
            matrix=_MATRIX,
            sets=_SETS,
            queries=Argument("queries"),
        )
    return matrix


def _from_sets(queries: Any, people: int) -> NDArray[np.float64]:
    try:
        sets = [np.asarray([*each]) for each in queries]
    except TypeError:
        sets = [np.asarray([""])]
    if len(sets) * people > _LARGEST:
        raise InputError(
            "E-TOO-LARGE",
            "{count} about {people:,} people are too many",
            "keep their product below {largest:,}",
            count=counted(len(sets), "query"),
            people=people,
            largest=_LARGEST,
        )
    matrix = np.zeros((len(sets), people))
    for row, members in zip(matrix, sets, strict=True):
        fits = members.dtype.kind in "iu" and np.all((members >= 0) & (members < people))
        if members.size and not fits:
            raise InputError(
                "E-ARGUMENT-TYPE",
                "{queries} must be {sets}",
                "a number is from 0 to {people:,} here",
                sets=_SETS,
                people=people - 1,
                queries=Argument("queries"),
            )
        row[members.astype(np.int64)] = 1
    return matrix


def _numbers(values: Any) -> NDArray[np.float64] | None:
    try:
        found = np.asarray(values)
    except ValueError:
        return None
    return found.astype(np.float64) if found.dtype.kind in "iufb" else None
