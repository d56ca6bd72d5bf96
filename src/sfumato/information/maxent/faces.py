"""Outcomes that the constraints force to probability zero, and why.

Every reason is a direction in the space of multipliers: along it the dual value does not
grow, and the exponents of the outcomes that it rules out fall without end.  Going far enough
along it keeps the certificate a matter of finite multipliers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sfumato.information.intake import Floats
    from sfumato.information.maxent.system import Mask, System

__all__ = ["Face", "Reason", "extreme_face", "far_enough"]

#: How far, in nats, the weight of a ruled-out outcome is pushed below the total.
_FAR = 40.0


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
