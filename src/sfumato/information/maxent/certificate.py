"""The proof that a distribution has the greatest entropy, up to a stated gap."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from flint import arb

from sfumato.numeric import Enclosure, float_above, float_below, working_precision

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scipy.sparse import csr_array

    from sfumato.information.intake import Floats
    from sfumato.information.maxent.system import System

__all__ = ["Certificate", "certify"]

_BITS = 128


@dataclass(frozen=True)
class Certificate:
    """The greatest entropy lies in ``entropy`` (in the base asked for), up to ``residual``."""

    entropy: Enclosure
    residual: float


def certify(system: System, probabilities: Floats, multipliers: Floats, base: float) -> Certificate:
    """Evaluate both sides of weak duality in ball arithmetic, at whatever point was found.

    With r_j the violation of row j by the point, every q that violates no row by more has
    H(q) ≤ ln Σ exp(-λ·a_i) + λ·b + Σ |λ_j|·r_j, and the point itself is such a q.
    """
    with working_precision(_BITS):
        unit = arb(base).log()
        residuals = _residuals(system, probabilities)
        upper = _dual_value(system, multipliers)
        for multiplier, residual in zip(multipliers.tolist(), residuals, strict=True):
            upper += arb(abs(multiplier)) * residual
        lower = _entropy(probabilities)
        ends = max(float_below(lower / unit), 0.0), float_above(upper / unit)
        worst = np.max(np.array(residuals) / system.scales, initial=0.0)
        return Certificate(Enclosure(*ends), float(worst) * (1 + 1e-15))


def _residuals(system: System, probabilities: Floats) -> list[float]:
    """Return by how much the point violates each row, rounded up."""
    held = [arb(each) for each in probabilities.tolist()]
    total = sum(held, arb(0))
    residuals = []
    for row, bound, equal in zip(
        _entries(system.matrix), system.bounds.tolist(), system.equal.tolist(), strict=True
    ):
        mean = sum((arb(value) * held[column] for column, value in row), arb(0)) / total
        excess = mean - arb(bound)
        residuals.append(max(0.0, float_above(abs(excess) if equal else excess)))
    return residuals


def _dual_value(system: System, multipliers: Floats) -> arb:
    weights = [arb(each) for each in multipliers.tolist()]
    offset = sum((w * arb(b) for w, b in zip(weights, system.bounds.tolist(), strict=True)), arb(0))
    partition = arb(0)
    for outcome in _entries(system.matrix.T.tocsr()):
        partition += (offset - sum((arb(v) * weights[j] for j, v in outcome), arb(0))).exp()
    return partition.log()


def _entropy(probabilities: Floats) -> arb:
    """Return the entropy in nats of floats divided by their exact sum."""
    held = [arb(each) for each in probabilities[probabilities > 0].tolist()]
    total = sum(held, arb(0))
    return total.log() - sum((each * each.log() for each in held), arb(0)) / total


def _entries(matrix: csr_array) -> Iterator[Iterator[tuple[int, float]]]:
    """Iterate over the rows of a sparse matrix, each as (column, value) pairs."""
    starts = matrix.indptr.tolist()
    columns, values = matrix.indices.tolist(), np.asarray(matrix.data, dtype=float).tolist()
    for start, end in pairwise(starts):
        yield zip(columns[start:end], values[start:end], strict=True)
