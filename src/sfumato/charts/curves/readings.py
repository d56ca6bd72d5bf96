"""Guarantees read as one (ε, δ) each, in words for a title."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sfumato.charts.curves.points import delta_to_read
from sfumato.numeric.digits import digits_above
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.privacy import Guarantee

__all__ = ["common_delta", "is_nothing", "of_relation", "reading", "readings"]

_MOST_SAID = 4


def is_nothing(epsilon: float) -> bool:
    """Tell whether an ε guarantees nothing."""
    return not math.isfinite(epsilon)


def of_relation(guarantees: Mapping[str, Guarantee]) -> str:
    """Return one guarantee in words; of several, between which tables they hold."""
    if len(guarantees) == 1:
        return "".join(map(str, guarantees.values()))
    said = {str(each.relation) for each in guarantees.values()}
    if len(said) == 1:
        return tr("neighbours: {pop}", pop=said.pop())
    listed = "; ".join(f"{name}: {each.relation}" for name, each in guarantees.items())
    return tr("neighbours: {pop}", pop=listed)


def common_delta(guarantees: Mapping[str, Guarantee]) -> float:
    """Return one δ at which to compare guarantees: the greatest that any of them is read at."""
    return max(map(delta_to_read, guarantees.values()))


def readings(
    guarantees: Mapping[str, Guarantee], delta: float | None
) -> dict[str, tuple[float, float]]:
    """Return (ε, δ) of each guarantee, at one δ for all."""
    at = common_delta(guarantees) if delta is None else float(delta)
    return {name: (each.epsilon(delta=at), at) for name, each in guarantees.items()}


def reading(guarantees: Mapping[str, Guarantee], delta: float | None) -> str:
    """Return what several guarantees say at one δ, in one sentence."""
    found = readings(guarantees, delta)
    at = digits_above(next(iter(found.values()))[1], 4)
    if len(found) > _MOST_SAID:
        levels = [level for level, _ in found.values()]
        return tr(
            "at δ = {at}: ε from {low} to {high}",
            at=at,
            low=_said(min(levels)),
            high=_said(max(levels)),
        )
    listed = ", ".join(
        tr("{level} for {name}", level=_said(level), name=name)
        for name, (level, _) in found.items()
    )
    return tr("at δ = {at}: ε = {listed}", at=at, listed=listed)


def _said(level: float) -> str:
    return "∞" if is_nothing(level) else digits_above(level, 4)
