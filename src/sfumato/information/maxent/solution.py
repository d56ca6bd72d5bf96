"""The distribution of greatest entropy: find, prove, hand over."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import arb

from sfumato.information.distribution import Distribution
from sfumato.information.maxent.constraints import Constraint, Marginal
from sfumato.information.maxent.dual import DualProblem, Solution, minimise_dual
from sfumato.information.maxent.feasibility import (
    Face,
    check_feasible,
    check_shared_marginals,
    conflict,
    extreme_face,
    far_enough,
    hidden_zeros,
)
from sfumato.information.maxent.system import Support, System, as_support, compile_system
from sfumato.numeric import (
    Enclosure,
    check_base,
    check_tolerance,
    float_above,
    float_below,
    working_precision,
)
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping

    from scipy.sparse import csr_array

    from sfumato.information.validate import Floats


_BITS = 128
#: The solver goes this much further than asked: at quadratic convergence it costs nothing.
_MARGIN = 1e-3
#: An outcome this much rarer than the mean one makes it worth asking whether it can occur.
_RARE = 1e-6


@dataclass(frozen=True, eq=False)
class MaximumEntropy:
    """A distribution of greatest entropy, with the proof.

    Attributes
    ----------
    distribution
        The distribution, labelled by the support.
    entropy
        ``lower`` is the entropy of the distribution, rounded down.  No distribution that
        violates each constraint by no more than this one does has more than ``upper``.
    multipliers
        The dual variables by name: a number for a moment, an array for a marginal.  In units
        of the base: p is proportional to base ** -(sum of multiplier × function), and a
        multiplier is how much the greatest entropy grows when the bound grows by one.
    residual
        The greatest violation of any constraint, rounded up: in probability for a marginal,
        as a share of half the range of its function for a moment.
    iterations
        How many Newton steps were taken.
    converged
        Whether gap and residual are within the tolerance; the bounds are true either way.
    shape
        How many values each variable takes; the number of outcomes where there is one list.

    Examples
    --------
    >>> from sfumato.information import maximum_entropy, moment
    >>> die = maximum_entropy(range(1, 7), [moment("mean", lambda face: face, equals=3.5)])
    >>> dict(die.multipliers)
    {'mean': 0.0}
    >>> print(die)
    entropy 2.58496250072 of 6 outcomes, proved within 4.4e-16; constraints met within 0
    """

    distribution: Distribution
    entropy: Enclosure
    multipliers: Mapping[str, float | Floats]
    residual: float
    iterations: int
    converged: bool
    shape: tuple[int, ...]

    def __post_init__(self) -> None:
        frozen = {name: _read_only(value) for name, value in self.multipliers.items()}
        object.__setattr__(self, "multipliers", MappingProxyType(frozen))

    def __reduce__(self) -> tuple[type[MaximumEntropy], tuple[Any, ...]]:
        """Pickle and copy by building anew, so that the multipliers stay read-only."""
        held = {**vars(self), "multipliers": dict(self.multipliers)}
        return MaximumEntropy, tuple(held.values())

    @property
    def gap(self) -> float:
        """How far the entropy may be from the greatest.

        Examples
        --------
        >>> from sfumato.information import maximum_entropy, moment
        >>> maximum_entropy("ab", [moment("a", [1, 0], equals=0.25)]).gap < 1e-9
        True
        """
        return self.entropy.width

    @property
    def table(self) -> Floats:
        """The probabilities as an array with one axis a variable, in the order of the support.

        Examples
        --------
        >>> from sfumato.information import marginal, maximum_entropy
        >>> free = maximum_entropy({"x": [0, 1], "y": "ab"}, [marginal("x", [0.5, 0.5])])
        >>> free.table
        array([[0.25, 0.25],
               [0.25, 0.25]])
        """
        table = self.distribution.probabilities.reshape(self.shape)
        table.setflags(write=False)
        return table

    def __str__(self) -> str:
        note = "" if self.converged else tr(" (wider than asked)")
        return tr(
            "entropy {lower:.12g} of {distribution} outcomes, proved within {gap:.2g}; "
            "constraints met within {residual:.2g}{note}",
            lower=self.entropy.lower,
            distribution=len(self.distribution),
            gap=self.gap,
            residual=self.residual,
            note=note,
        )


def _read_only(value: float | Floats) -> float | Floats:
    if not isinstance(value, np.ndarray):
        return value
    held = value.copy()
    held.setflags(write=False)
    return held


def certify(
    system: System, probabilities: Floats, multipliers: Floats, base: float
) -> tuple[Enclosure, float]:
    """Evaluate both sides of weak duality in ball arithmetic, at whatever point was found.

    The greatest entropy (in the base asked for) lies in the enclosure, up to the residual.

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
        return Enclosure(*ends), float(worst) * (1 + 1e-15)


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


def maximum_entropy(
    support: Iterable[Hashable] | Mapping[Hashable, Iterable[Hashable]],
    constraints: Constraint | Iterable[Constraint] = (),
    *,
    base: float = 2,
    tolerance: float = 1e-9,
) -> MaximumEntropy:
    """Return the distribution of greatest entropy among those that meet linear constraints.

    It needs the optional part ``optimize`` (``pip install 'sfumato[optimize]'``).
    It assumes what the constraints say and nothing else :cite:p:`jaynes1957`.  The dual problem is
    solved by projected Newton steps.  Outcomes that the constraints force to probability 0 get
    exactly 0: those ruled out by a bound at the very end of its range (a zero cell of a
    marginal, a mean of 6 for a die) are found by comparing numbers, others by a linear program
    where the system has at most 100,000 nonzero coefficients.

    The certificate is weak duality.  For any multipliers λ, and r_j the violation of row j by
    the distribution returned, every q that violates no row by more than that has ::

        H(q) ≤ log Σ exp(-λ·a_i) + λ·b + Σ |λ_j|·r_j.

    The right side is ``entropy.upper`` and the entropy of the distribution returned is
    ``entropy.lower``; both are evaluated in ball arithmetic on the floats that were given and
    rounded outwards, so that no step of the solver need be trusted.

    Parameters
    ----------
    support
        The outcomes; or, for a table, a mapping from each variable to its values.
    constraints
        One or several, made by `moment` and `marginal`; read as floats.
    base
        Of the logarithm: 2 gives bits, ``math.e`` nats.
    tolerance
        How small to make the gap (in units of the base) and the residual.

    Raises
    ------
    InfeasibleError
        No distribution meets the constraints; its ``conflict`` names a smallest set of them
        that clashes.  A contradiction smaller than 1e-8 is put down to rounding.

    Examples
    --------
    >>> from sfumato.information import maximum_entropy, moment
    >>> die = maximum_entropy(range(1, 7), [moment("mean", lambda face: face, equals=4.5)])
    >>> die.distribution.probabilities.round(5)
    array([0.05435, 0.07877, 0.11416, 0.16545, 0.23977, 0.34749])
    >>> die.gap < 1e-9, round(die.multipliers["mean"], 5)
    (True, -0.53531)
    >>> maximum_entropy(range(1, 7), [moment("mean", lambda face: face, equals=7)])
    Traceback (most recent call last):
        ...
    sfumato.errors.InfeasibleError: no distribution on this support meets the constraint \
'mean'; mend or drop it
    """
    unit, asked = check_base(base), check_tolerance(tolerance)
    space = as_support(support)
    system = compile_system(space, constraints)
    check_shared_marginals(space, system)
    face, found = _found(system, asked * _MARGIN)
    return _result(space, system, face, found, unit, asked)


def _found(system: System, tolerance: float) -> tuple[Face, Solution]:
    """Return the outcomes that can occur and the solution on them."""
    face = extreme_face(system)
    if not face.possible.any():
        raise conflict(system)
    found = _solved(system, face, tolerance)
    if found.impossible:
        raise conflict(system)
    rare = found.probabilities.min() * len(found.probabilities) < _RARE
    if found.doubt <= tolerance and not rare:
        return face, found
    check_feasible(system)
    reason = hidden_zeros(system, face)
    if reason is None:
        return face, found
    narrow = face.narrowed(reason)
    again = _solved(system, narrow, tolerance)
    return (narrow, again) if again.doubt <= max(found.doubt, tolerance) else (face, found)


def _solved(system: System, face: Face, tolerance: float) -> Solution:
    columns = system.scaled_matrix[:, face.possible]
    return minimise_dual(DualProblem(columns, system.scaled_bounds, system.equal), tolerance)


def _result(
    space: Support, system: System, face: Face, found: Solution, base: float, tolerance: float
) -> MaximumEntropy:
    probabilities = np.zeros(space.size)
    probabilities[face.possible] = found.probabilities
    multipliers = far_enough(system, face, found.multipliers / system.scales)
    entropy, residual = certify(system, probabilities, multipliers, base)
    return MaximumEntropy(
        distribution=Distribution(dict(zip(space.labels, probabilities.tolist(), strict=True))),
        entropy=entropy,
        multipliers=_by_name(space, system, multipliers / math.log(base)),
        residual=residual,
        iterations=found.iterations,
        converged=max(entropy.width, residual) <= tolerance,
        shape=space.shape,
    )


def _by_name(space: Support, system: System, multipliers: Floats) -> dict[str, float | Floats]:
    named: dict[str, float | Floats] = {}
    for position, constraint in enumerate(system.constraints):
        own = system.owners == position
        values = (multipliers * system.signs)[own]
        if isinstance(constraint, Marginal):
            shape = [space.shape[axis] for axis in space.axes(constraint.variables)]
            named[constraint.name] = values.reshape(shape)
        else:
            named[constraint.name] = float(values.sum()) + 0.0
    return named
