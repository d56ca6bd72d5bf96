"""A step by the table of its own profile, where its moments fade too slowly."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.privacy.accounting.direct import direct_profile
from sfumato.privacy.accounting.parallel import opposite
from sfumato.privacy.loss import Direction, LossBracket, profile_bracket

if TYPE_CHECKING:
    from sfumato.privacy.events import Event

_CELLS = 1 << 12
#: Where the table stops: beyond, so much is counted as lost.
_NEGLIGIBLE = Fraction(1, 10**13)
_FARTHEST = 1e3


def tabulated_step(event: Event, change: Direction) -> LossBracket | None:
    """Return losses on a lattice around that of a step; None where it has no formula."""
    there, back = direct_profile(event, change), direct_profile(event, opposite(change))
    if there is None or back is None:
        return None
    ends = [each.epsilon(_NEGLIGIBLE, _FARTHEST).upper for each in (there, back)]
    return profile_bracket(
        lambda x: there.delta(Fraction(x)),
        lambda x: back.delta(Fraction(x)),
        greatest=max(ends),
        cells=_CELLS,
    )
