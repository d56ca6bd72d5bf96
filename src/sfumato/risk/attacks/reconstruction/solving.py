"""Two ways to find the column whose answers come closest to those that were given.

Least squares minimises the sum of squared differences, after :cite:p:`dinur2003revealing` who show
that answers within less than the square root of the number of people give the column away; its
analysis for random questions is that of :cite:p:`kasiviswanathan2010price`.  The linear program
minimises the sum of absolute differences over columns from 0 to 1: it stands a share of answers
that are arbitrarily wrong :cite:p:`dwork2007price`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InternalError, MissingExtraError
from sfumato.translation import mark

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

__all__ = ["least_squares", "linear_program"]


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
