"""Whether the constraints are possible; if not, which clash; if so, what they forbid.

Every reason is a direction in the space of multipliers: along it the dual value does not
grow, and the exponents of the outcomes that it rules out fall without end.  Going far enough
along it keeps the certificate a matter of finite multipliers.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InfeasibleError
from sfumato.information.maxent.constraints import Marginal
from sfumato.information.maxent.dual import DualProblem, minimise_dual
from sfumato.information.maxent.system import Mask, Support, System, marginal_table
from sfumato.refusal import Given, text

if TYPE_CHECKING:
    from sfumato.information.validate import Floats


#: How far, in nats, the weight of a ruled-out outcome is pushed below the total.
_FAR = 40.0
#: Linear programs are solved up to this many nonzero coefficients.
_LARGEST_PROGRAM = 100_000
#: A contradiction smaller than this (rows scaled to coefficients of size 1) is called rounding.
_ROUNDING = 1e-8
_OPTIONS = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}


@dataclass(frozen=True)
class Reason:
    """A direction in the multipliers of the system, and the outcomes that it rules out."""

    direction: Floats
    ruled_out: Mask


@dataclass(frozen=True)
class Face:
    """The outcomes that can occur, and the reasons why the others cannot, in order."""

    possible: Mask
    reasons: tuple[Reason, ...]

    def narrowed(self, reason: Reason) -> Face:
        """Return the face without the outcomes that one more reason rules out."""
        return Face(self.possible & ~reason.ruled_out, (*self.reasons, reason))


def extreme_face(system: System) -> Face:
    """Rule out, again and again, what rows at the very end of their range forbid.

    A row whose bound is its least (or greatest) coefficient leaves only the outcomes with that
    coefficient.  A marginal cell of probability zero is the commonest case.
    """
    face = Face(np.ones(system.matrix.shape[1], dtype=bool), ())
    while face.possible.any():
        reason = _extreme_reason(system, face.possible)
        if not reason.ruled_out.any():
            break
        face = face.narrowed(reason)
    return face


def _extreme_reason(system: System, possible: Mask) -> Reason:
    columns = system.matrix[:, possible]
    lowest = columns.min(axis=1).toarray().ravel()
    highest = columns.max(axis=1).toarray().ravel()
    varies = lowest < highest
    at_least = varies & (system.bounds == lowest)
    at_most = varies & (system.bounds == highest) & system.equal
    direction = at_least.astype(np.float64) - at_most.astype(np.float64)
    at_zero = (direction != 0) & (system.bounds == 0)
    elsewhere = (direction != 0) & ~at_zero
    off_zero = (columns[at_zero] != 0).sum(axis=0) > 0
    off_bound = columns[elsewhere].toarray() != system.bounds[elsewhere, np.newaxis]
    ruled_out = np.zeros_like(possible)
    ruled_out[possible] = off_zero | off_bound.any(axis=0)
    return Reason(direction / system.scales, ruled_out)


def far_enough(system: System, face: Face, multipliers: Floats) -> Floats:
    """Return multipliers moved along the reasons until every ruled-out outcome is negligible.

    The last reason goes first: an earlier one outweighs whatever later ones do to the outcomes
    that it rules out.
    """
    exponents = -(system.matrix.T @ multipliers)
    enough = exponents[face.possible].max() - _FAR - np.log(len(exponents))
    moved = multipliers.copy()
    for reason in reversed(face.reasons):
        push = system.matrix.T @ reason.direction
        push -= push[face.possible].mean()
        wanted = exponents[reason.ruled_out] - enough
        length = max(float((wanted / push[reason.ruled_out]).max()), 0.0)
        moved += length * reason.direction
        exponents -= length * push
    return moved


def check_shared_marginals(support: Support, system: System) -> None:
    """Refuse two marginals that disagree on the variables they share, naming both."""
    marginals = [each for each in system.constraints if isinstance(each, Marginal)]
    for left, right in combinations(marginals, 2):
        shared = [each for each in left.variables if each in right.variables]
        if shared and _distance(left, right, shared, support) > _ROUNDING:
            listed = ", ".join(map(repr, shared))
            message = text(
                "the marginals {left!r} and {right!r} disagree on {listed}; make their totals "
                "over the other variables equal",
                left=left.name,
                right=right.name,
                listed=listed,
            )
            raise InfeasibleError(message, conflict=(left.name, right.name))


def _distance(left: Marginal, right: Marginal, shared: list[Any], support: Support) -> float:
    return float(
        np.abs(_collapsed(left, shared, support) - _collapsed(right, shared, support)).max()
    )


def _collapsed(marginal: Marginal, shared: list[Any], support: Support) -> Floats:
    """Return the totals over the variables that are not shared, axes in the order of ``shared``."""
    table = marginal_table(marginal, support)
    others = tuple(i for i, each in enumerate(marginal.variables) if each not in shared)
    kept = [each for each in marginal.variables if each in shared]
    totals: Floats = table.sum(axis=others)
    return totals.transpose([kept.index(each) for each in shared])


def check_feasible(system: System) -> None:
    """Refuse constraints that a linear program shows to be impossible, where one can be solved."""
    if system.matrix.nnz <= _LARGEST_PROGRAM and _clashes(system, system.without(set())):
        raise conflict(system)


def conflict(system: System) -> InfeasibleError:
    """Return the error that names a smallest set of constraints among some that clash.

    One constraint after another is left out; where the others still clash it is not needed.
    """
    dropped: set[int] = set()
    for position in range(len(system.constraints)):
        if _clashes(system, system.without(dropped | {position})):
            dropped.add(position)
    names = [each.name for i, each in enumerate(system.constraints) if i not in dropped]
    return InfeasibleError(_sentence(names), conflict=names)


def _sentence(names: list[str]) -> Given:
    if len(names) == 1:
        return text(
            "no distribution on this support meets the constraint {name!r}; mend or drop it",
            name=names[0],
        )
    return text(
        "no distribution meets the constraints {listed} and {last!r} together; mend or drop one of "
        "them",
        listed=", ".join(map(repr, names[:-1])),
        last=names[-1],
    )


def _clashes(system: System, kept: Mask) -> bool:
    """Tell whether some rows are impossible: by a linear program, or by the dual if too large."""
    if system.matrix.nnz <= _LARGEST_PROGRAM:
        return _violation(system, kept) > _ROUNDING
    rows = system.scaled_matrix[kept], system.scaled_bounds[kept], system.equal[kept]
    return minimise_dual(DualProblem(*rows), _ROUNDING).impossible


def _violation(system: System, kept: Mask) -> float:
    """Return the least total by which the kept rows must be violated: zero if they are possible."""
    from scipy.sparse import block_array, csr_array, eye_array

    equal, other = system.equal & kept, ~system.equal & kept
    size, rows = system.matrix.shape[1], int(equal.sum())
    more = int(other.sum())
    unit = csr_array(np.ones((1, size)))
    result = _program(
        np.concatenate([np.zeros(size), np.ones(2 * rows + more)]),
        equalities=block_array(
            [
                [system.scaled_matrix[equal], eye_array(rows), -eye_array(rows), None],
                [unit, None, None, csr_array((1, more))],
            ],
            format="csr",
        ),
        equal_to=np.append(system.scaled_bounds[equal], 1.0),
        inequalities=block_array(
            [[system.scaled_matrix[other], csr_array((more, 2 * rows)), -eye_array(more)]],
            format="csr",
        ),
        at_most=system.scaled_bounds[other],
        bounds=(0, None),
    )
    return float(result.fun) if result.status == 0 else 0.0


def hidden_zeros(system: System, face: Face) -> Reason | None:
    """Return why more outcomes are forced to zero, by one linear program; None if none are.

    It seeks p = (s + r) / t that meets the constraints with s between 0 and 1 and the greatest
    sum of s: then s is 1 where an outcome can occur and 0 where it cannot, and the dual
    solution is the direction that proves it.
    """
    if system.matrix.nnz > _LARGEST_PROGRAM:
        return None
    possible = np.flatnonzero(face.possible)
    result = _greatest_support(system, face)
    if result.status != 0:
        return None
    ruled_out = np.zeros_like(face.possible)
    ruled_out[possible] = result.x[: len(possible)] < 0.5
    scaled = np.zeros(len(system.bounds))
    scaled[system.equal] = -result.eqlin.marginals[:-1]
    scaled[~system.equal] = -result.ineqlin.marginals
    return Reason(scaled / system.scales, ruled_out) if ruled_out.any() else None


def _greatest_support(system: System, face: Face) -> Any:
    from scipy.sparse import csr_array, hstack, vstack

    rows = system.scaled_matrix[:, face.possible]
    count = rows.shape[1]
    last = -csr_array(system.scaled_bounds[:, np.newaxis])
    whole = hstack([rows, rows, last], format="csr")
    unit = csr_array(np.append(np.ones(2 * count), -1.0)[np.newaxis, :])
    return _program(
        np.concatenate([-np.ones(count), np.zeros(count + 1)]),
        equalities=vstack([whole[system.equal], unit], format="csr"),
        equal_to=np.zeros(int(system.equal.sum()) + 1),
        inequalities=whole[~system.equal],
        at_most=np.zeros(int((~system.equal).sum())),
        bounds=[(0, 1)] * count + [(0, None)] * count + [(1, None)],
    )


def _program(
    cost: Floats,
    *,
    equalities: Any,
    equal_to: Floats,
    inequalities: Any,
    at_most: Floats,
    bounds: Any,
) -> Any:
    from scipy import optimize

    linprog: Any = optimize.linprog
    return linprog(
        cost,
        A_eq=equalities,
        b_eq=equal_to,
        A_ub=inequalities if len(at_most) else None,
        b_ub=at_most if len(at_most) else None,
        bounds=bounds,
        method="highs",
        options=_OPTIONS,
    )
