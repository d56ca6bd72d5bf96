"""Reconstruction: what many answers about subsets give away together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import UnknownNameError
from sfumato.risk.attacks.reconstruction.reading import read_answers, read_bits, read_queries
from sfumato.risk.attacks.reconstruction.report import Reconstruction
from sfumato.risk.attacks.reconstruction.solving import least_squares, linear_program

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["reconstruct"]

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
