"""The distribution of greatest entropy: find, prove, hand over."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sfumato.information.distribution import Distribution
from sfumato.information.maxent.certificate import certify
from sfumato.information.maxent.constraints import Constraint, Marginal
from sfumato.information.maxent.dual import DualProblem, Solution, minimise_dual
from sfumato.information.maxent.faces import Face, extreme_face, far_enough
from sfumato.information.maxent.feasibility import (
    check_feasible,
    check_shared_marginals,
    conflict,
    hidden_zeros,
)
from sfumato.information.maxent.result import MaximumEntropy
from sfumato.information.maxent.support import as_support
from sfumato.information.maxent.system import System, compile_system
from sfumato.numeric import check_base, check_tolerance

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping

    from sfumato.information.intake import Floats
    from sfumato.information.maxent.support import Support

__all__ = ["maximum_entropy"]

#: The solver goes this much further than asked: at quadratic convergence it costs nothing.
_MARGIN = 1e-3
#: An outcome this much rarer than the mean one makes it worth asking whether it can occur.
_RARE = 1e-6


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
    proof = certify(system, probabilities, multipliers, base)
    return MaximumEntropy(
        distribution=Distribution(dict(zip(space.labels, probabilities.tolist(), strict=True))),
        entropy=proof.entropy,
        multipliers=_by_name(space, system, multipliers / math.log(base)),
        residual=proof.residual,
        iterations=found.iterations,
        converged=max(proof.entropy.width, proof.residual) <= tolerance,
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
