"""Promises read as one (ε, δ) each, in words for a title."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sfumato.charts.promises.points import delta_to_read
from sfumato.numeric.digits import digits_above

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.privacy import Guarantee

__all__ = ["common_delta", "is_nothing", "of_relation", "reading", "readings"]

_MOST_SAID = 4


def is_nothing(epsilon: float) -> bool:
    """Tell whether an ε promises nothing."""
    return not math.isfinite(epsilon)


def of_relation(promises: Mapping[str, Guarantee]) -> str:
    """Return one promise in words; of several, between which tables they hold."""
    if len(promises) == 1:
        return "".join(map(str, promises.values()))
    said = {str(each.relation) for each in promises.values()}
    if len(said) == 1:
        return f"neighbours: {said.pop()}"
    return "neighbours: " + "; ".join(f"{name}: {each.relation}" for name, each in promises.items())


def common_delta(promises: Mapping[str, Guarantee]) -> float:
    """Return one δ at which to compare promises: the greatest that any of them is read at."""
    return max(map(delta_to_read, promises.values()))


def readings(
    promises: Mapping[str, Guarantee], delta: float | None
) -> dict[str, tuple[float, float]]:
    """Return (ε, δ) of each promise, at one δ for all."""
    at = common_delta(promises) if delta is None else float(delta)
    return {name: (each.epsilon(delta=at), at) for name, each in promises.items()}


def reading(promises: Mapping[str, Guarantee], delta: float | None) -> str:
    """Return what several promises say at one δ, in one sentence."""
    found = readings(promises, delta)
    at = digits_above(next(iter(found.values()))[1], 4)
    if len(found) > _MOST_SAID:
        levels = [level for level, _ in found.values()]
        return f"at δ = {at}: ε from {_said(min(levels))} to {_said(max(levels))}"
    listed = ", ".join(f"{_said(level)} for {name}" for name, (level, _) in found.items())
    return f"at δ = {at}: ε = {listed}"


def _said(level: float) -> str:
    return "∞" if is_nothing(level) else digits_above(level, 4)
