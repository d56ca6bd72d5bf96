"""The dual problem, solved by projected Newton steps.

For multipliers λ (0 or more on inequality rows) the dual value is
D(λ) = ln Σ exp(-λ·a_i) + λ·b.  It is convex, its gradient is b - A·p with p ∝ exp(-λ·a_i),
and its Hessian is the covariance of the rows under p.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np

from sfumato.numeric import log_sum_exp

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from sfumato.information.maxent.system import Mask
    from sfumato.information.validate import Floats


_MOST_STEPS = 300
#: A step without progress is a step at the limit of floats: stop after this many.
_PATIENCE = 8
#: Up to this many rows the Newton system is dense; above it, conjugate gradients.
_DENSE_ROWS = 600
_DAMPING = 1e-3
_RIDGE = 1e-15
_ROUNDING = 1e-14
#: Entropies are 0 or more, so a dual value this far below 0 proves that nothing is feasible.
_IMPOSSIBLE = -1e-3


@dataclass(frozen=True)
class DualProblem:
    """Rows restricted to the outcomes that can occur."""

    matrix: csr_array
    bounds: Floats
    equal: Mask


@dataclass(frozen=True)
class _DualPoint:
    multipliers: Floats
    value: float
    probabilities: Floats
    gradient: Floats
    doubt: float


@dataclass(frozen=True)
class Solution:
    """Where the search ended.

    ``doubt`` is the gap in nats plus the worst residual; ``impossible`` tells that the dual
    value fell below every entropy.
    """

    multipliers: Floats
    probabilities: Floats
    doubt: float
    impossible: bool
    iterations: int


def minimise_dual(problem: DualProblem, tolerance: float) -> Solution:
    """Return the multipliers of least dual value, and the distribution that they give."""
    point = best = _evaluate(problem, np.zeros(len(problem.bounds)))
    idle = iterations = 0
    while best.doubt > tolerance and idle < _PATIENCE and iterations < _MOST_STEPS:
        if point.value < _IMPOSSIBLE:
            best = point
            break
        last, point = point, _step(problem, point)
        iterations += 1
        idle = 0 if _is_better(point, last) or point.doubt < best.doubt else idle + 1
        best = min(best, point, key=lambda each: each.doubt)
    impossible = best.value < _IMPOSSIBLE
    return Solution(best.multipliers, best.probabilities, best.doubt, impossible, iterations)


def _is_better(point: _DualPoint, last: _DualPoint) -> bool:
    return point.value < last.value - _ROUNDING * (1 + abs(last.value))


def _evaluate(problem: DualProblem, multipliers: Floats) -> _DualPoint:
    exponents = -(problem.matrix.T @ multipliers)
    log_total = log_sum_exp(exponents)
    probabilities = np.exp(exponents - log_total)
    gradient = problem.bounds - problem.matrix @ probabilities
    violation = np.where(problem.equal, np.abs(gradient), np.maximum(-gradient, 0.0))
    gap = float(np.abs(multipliers) @ (np.abs(gradient) + violation))
    return _DualPoint(
        multipliers=multipliers,
        value=log_total + float(multipliers @ problem.bounds),
        probabilities=probabilities,
        gradient=gradient,
        doubt=gap + float(violation.max(initial=0.0)),
    )


def _step(problem: DualProblem, point: _DualPoint) -> _DualPoint:
    """Take a Newton step on the free multipliers and back off until the dual value falls."""
    direction = _direction(problem, point)
    share = 1.0
    while True:
        moved = point.multipliers + share * direction
        tried = _evaluate(problem, np.where(problem.equal, moved, np.maximum(moved, 0.0)))
        guaranteed = 1e-4 * float(point.gradient @ (tried.multipliers - point.multipliers))
        if tried.value <= point.value + guaranteed + _ROUNDING * (1 + abs(point.value)):
            return tried
        share /= 2
        if share < 1e-12:
            return point


def _direction(problem: DualProblem, point: _DualPoint) -> Floats:
    """Return the step: Newton's where a multiplier is free, back to 0 where it is held there."""
    nearly_zero = point.multipliers <= min(1e-3, point.doubt)
    held = ~problem.equal & nearly_zero & (point.gradient > 0)
    direction = np.where(held, -point.multipliers, 0.0)
    free = ~held
    if free.any():
        direction[free] = _newton(problem.matrix[free], point.probabilities, -point.gradient[free])
    return direction


def _newton(matrix: csr_array, probabilities: Floats, right: Floats) -> Floats:
    """Solve (covariance + damping)·x = right; the damping fades with the gradient."""
    damping = _DAMPING * float(np.linalg.norm(right))
    weighted = matrix.multiply(probabilities).tocsr()
    mean = matrix @ probabilities
    if len(right) <= _DENSE_ROWS:
        covariance = (weighted @ matrix.T).toarray() - np.outer(mean, mean)
        damping += _RIDGE * max(float(np.trace(covariance)), 1e-300)
        return cast("Floats", np.linalg.solve(covariance + damping * np.eye(len(right)), right))
    return _conjugate_gradients(matrix, weighted, mean, damping, right)


def _conjugate_gradients(
    matrix: csr_array, weighted: csr_array, mean: Floats, damping: float, right: Floats
) -> Floats:
    from scipy.sparse.linalg import LinearOperator, cg

    damping = max(damping, 1e-300)
    diagonal = weighted.multiply(matrix).sum(axis=1) - mean**2 + damping
    transposed = matrix.T.tocsr()

    def covariance(x: Floats) -> Floats:
        product: Floats = weighted @ (transposed @ x) - mean * (mean @ x) + damping * x
        return product

    size = (len(right), len(right))
    accuracy = min(0.1, float(np.linalg.norm(right)) ** 0.5)
    solved, _ = cg(
        LinearOperator(size, matvec=covariance, dtype=np.float64),
        right,
        rtol=max(accuracy, 1e-6),
        maxiter=500,
        M=LinearOperator(size, matvec=lambda x: x / diagonal, dtype=np.float64),
    )
    return cast("Floats", solved)
