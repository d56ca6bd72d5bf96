"""A repeated step by the table of its own profile, where its moments fade too slowly."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from sfumato.privacy.accounting.direct import direct_profile
from sfumato.privacy.accounting.parallel import opposite
from sfumato.privacy.loss import TabulatedLosses, profile_bracket

if TYPE_CHECKING:
    from sfumato.privacy.events import Event
    from sfumato.privacy.loss import Change

__all__ = ["Tabulated", "tabulated_step"]

_CELLS = 1 << 12
#: Where the table stops: beyond, so much is counted as lost.
_NEGLIGIBLE = Fraction(1, 10**13)
_FARTHEST = 1e3


class Tabulated(NamedTuple):
    """Two distributions around that of a step, each so many times."""

    upper: TabulatedLosses
    lower: TabulatedLosses


def tabulated_step(event: Event, count: int, change: Change) -> Tabulated | None:
    """Return losses on a lattice around a step, so many times; None where it has no formula."""
    there, back = direct_profile(event, change), direct_profile(event, opposite(change))
    if there is None or back is None:
        return None
    ends = [each.epsilon(_NEGLIGIBLE, _FARTHEST).upper for each in (there, back)]
    laid = profile_bracket(
        lambda x: there.delta(Fraction(x)),
        lambda x: back.delta(Fraction(x)),
        greatest=max(ends),
        cells=_CELLS,
    )
    return Tabulated(TabulatedLosses(laid.upper, count), TabulatedLosses(laid.lower, count))
