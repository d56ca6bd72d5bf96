"""A column of 0 and 1, reconstructed from many answers about subsets of the people.

Least squares minimises the sum of squared differences, after :cite:p:`dinur2003revealing` who show
that answers within less than the square root of the number of people give the column away; its
analysis for random questions is that of :cite:p:`kasiviswanathan2010price`.  The linear program
minimises the sum of absolute differences over columns from 0 to 1: it stands a share of answers
that are arbitrarily wrong :cite:p:`dwork2007price`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError, InternalError, MissingExtraError, UnknownNameError
from sfumato.numeric import read_count
from sfumato.printing import NotPrivate, counted, share
from sfumato.refusal import Argument
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]


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


@dataclass(frozen=True, kw_only=True)
class Reconstruction(NotPrivate):
    """A column that was reconstructed from answers about subsets.

    Attributes
    ----------
    method
        How: "least squares" or "linear program".
    answers
        How many answers were used.
    bits
        The column, 0 or 1 for each person.
    estimates
        The values before they were rounded; one near 1/2 is unsure.
    distance
        How far the answers of this column lie from those given, as a root mean square.
    truth
        The true column, where it was given.

    Examples
    --------
    >>> from sfumato.risk import reconstruct
    >>> reconstruct([[1, 1, 0], [0, 1, 1], [1, 0, 1]], [1, 2, 1]).bits
    (0, 1, 1)
    """

    method: str
    answers: int
    bits: tuple[int, ...]
    estimates: tuple[float, ...]
    distance: float
    truth: tuple[int, ...] | None = None

    @property
    def right(self) -> int | None:
        """How many values are right, where the truth was given.

        Examples
        --------
        >>> from sfumato.risk import reconstruct
        >>> reconstruct([[1, 0], [0, 1]], [1, 0], truth=[1, 1]).right
        1
        """
        if self.truth is None:
            return None
        return sum(found == true for found, true in zip(self.bits, self.truth, strict=True))

    @property
    def share_right(self) -> float | None:
        """Which share of the values is right, where the truth was given.

        Examples
        --------
        >>> from sfumato.risk import reconstruct
        >>> reconstruct([[1, 0], [0, 1]], [1, 0], truth=[1, 1]).share_right
        0.5
        """
        return None if self.right is None else self.right / len(self.bits)

    @property
    def share_guessed(self) -> float | None:
        """Which share is right if everybody is given the commoner value, without any answers.

        Examples
        --------
        >>> from sfumato.risk import reconstruct
        >>> reconstruct([[1, 0], [0, 1]], [1, 0], truth=[1, 1]).share_guessed
        1.0
        """
        if self.truth is None:
            return None
        ones = sum(self.truth)
        return max(ones, len(self.truth) - ones) / len(self.truth)

    def findings(self) -> list[str]:
        """Return what was found as sentences, the answer first.

        Examples
        --------
        >>> from sfumato.risk import reconstruct
        >>> for line in reconstruct([[1, 0], [0, 1]], [1, 0], truth=[1, 0]).findings():
        ...     print(line)
        reconstructed: 2 of 2 values (100 %)
        always guessing the commoner value: 50 %
        from 2 answers, by least squares
        the column's own answers lie within 0 of those given (root mean square)
        """
        apart = tr(
            "the column's own answers lie within {distance:.4g} of those given",
            distance=self.distance,
        )
        return [
            *self._answer(),
            tr(
                "from {answers}, by {method}",
                answers=counted(self.answers, "answer"),
                method=self.method,
            ),
            tr("{apart} (root mean square)", apart=apart),
        ]

    def figures(self) -> dict[str, Any]:
        """Return what was found, ready for JSON.

        Examples
        --------
        >>> from sfumato.risk import reconstruct
        >>> reconstruct([[1, 0], [0, 1]], [1, 0]).figures()["bits"]
        [1, 0]
        """
        return {
            "method": self.method,
            "people": len(self.bits),
            "answers": self.answers,
            "right": self.right,
            "share_right": self.share_right,
            "share_guessed": self.share_guessed,
            "distance": self.distance,
            "bits": list(self.bits),
        }

    def _answer(self) -> list[str]:
        if self.share_right is None or self.share_guessed is None:
            size, ones = len(self.bits), sum(self.bits)
            return [
                tr(
                    "a column of {values} was found, of which {ones:,} are 1",
                    values=counted(size, "value"),
                    ones=ones,
                )
            ]
        right = share(self.share_right)
        return [
            tr(
                "reconstructed: {right:,} of {values:,} values ({share})",
                right=self.right,
                values=len(self.bits),
                share=right,
            ),
            tr(
                "always guessing the commoner value: {share}",
                share=share(self.share_guessed),
            ),
        ]


def least_squares(queries: Numbers, answers: Numbers) -> Numbers:
    """Return the values nearest to 1/2 for everybody of those that fit the answers best."""
    centre = np.full(queries.shape[1], 0.5)
    away = np.linalg.lstsq(queries, answers - queries @ centre, rcond=None)[0]
    values: Numbers = centre + away
    return values


def linear_program(queries: Numbers, answers: Numbers) -> Numbers:
    """Return values from 0 to 1 with the least sum of absolute differences."""
    try:
        from scipy.optimize import linprog
        from scipy.sparse import block_array, csr_array, eye_array
    except ImportError:
        raise MissingExtraError(purpose=mark("a linear program"), extra="optimize") from None
    questions, people = queries.shape
    sums, slack = csr_array(queries), eye_array(questions)
    sides: Any = block_array([[sums, -slack], [-sums, -slack]])
    solved = linprog(
        np.concatenate([np.zeros(people), np.ones(questions)]),
        A_ub=sides,
        b_ub=np.concatenate([answers, -answers]),
        bounds=[(0, 1)] * people + [(0, None)] * questions,
        method="highs",
    )
    if solved.x is None:
        raise InternalError(
            "E-INTERNAL",
            "the linear program ended without a solution ({status})",
            status=solved.status,
        )
    values: Numbers = solved.x[:people]
    return values


_METHODS = {"least squares": least_squares, "linear program": linear_program}
_HALF = 0.5


def reconstruct(
    queries: Any,
    answers: Any,
    *,
    people: int | None = None,
    method: str = "auto",
    truth: Any = None,
) -> Reconstruction:
    """Find a column of 0 and 1 again from answers to "how many of these people have a 1".

    Each answer may be harmless and noisy; many of them determine the column, unless the noise
    grows with their number, as it does under differential privacy :cite:p:`dinur2003revealing`.

    Parameters
    ----------
    queries
        A matrix of 0 and 1 with a row for each question and a column for each person; or, with
        ``people``, a list of the people's numbers for each question.
    answers
        One number for each question, exact or noisy.
    people
        How many people there are, where the questions are lists of their numbers.
    method
        "least squares"; "linear program", which stands answers that are wrong by any amount, and
        uses that values lie from 0 to 1 (``pip install 'sfumato[optimize]'``); or "auto": the
        linear program where there are fewer answers than people, and least squares otherwise.
    truth
        The true column, to count how much of it was found.

    Examples
    --------
    >>> import numpy as np
    >>> from sfumato.risk import reconstruct
    >>> rng = np.random.default_rng(1)
    >>> smokers, asked = rng.integers(0, 2, 50), rng.integers(0, 2, (100, 50))
    >>> found = reconstruct(asked, asked @ smokers, truth=smokers)
    >>> found.right, found.share_right
    (50, 1.0)
    >>> found.lines()[0]
    'reconstructed: 50 of 50 values (100 %)'
    """
    if method not in ("auto", *_METHODS):
        known = ["auto", *_METHODS]
        raise UnknownNameError(kind="method", name=f"{method}", known=known, where="reconstruct")
    matrix = read_queries(queries, people)
    given = read_answers(answers, matrix.shape[0])
    true = None if truth is None else read_bits(truth, matrix.shape[1])
    chosen = _suited(matrix) if method == "auto" else method
    estimates = _METHODS[chosen](matrix, given)
    bits = (estimates > _HALF).astype(np.int64)
    return Reconstruction(
        method=chosen,
        answers=given.size,
        bits=tuple(bits.tolist()),
        estimates=tuple(estimates.tolist()),
        distance=float(np.sqrt(np.mean((matrix @ bits - given) ** 2))),
        truth=None if true is None else tuple(true.tolist()),
    )


def _suited(matrix: NDArray[np.float64]) -> str:
    questions, people = matrix.shape
    return "linear program" if questions < people else "least squares"
