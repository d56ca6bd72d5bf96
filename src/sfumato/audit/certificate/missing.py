"""How likely the error bar of an aggregate misses, from the noise of its sums."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.audit.certificate.bars import around, of_one, of_parts
from sfumato.audit.certificate.parts import refute

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from sfumato.audit.certificate.bars import Beyond, Missed
    from sfumato.audit.certificate.setting import Setting
    from sfumato.audit.certificate.shapes import Sums
    from sfumato.audit.certificate.taken import Taken

__all__ = ["missed_by", "tail_of", "tail_of_one"]


def missed_by(
    value: Callable[[Sums], Fraction], tail: Beyond | None, *, never_negative: bool
) -> Callable[[Sums], Missed] | None:
    """Return how likely a bar around a value misses, if the tail of its noise is known."""
    if tail is None:
        return None
    return lambda sums: around(value(sums), tail, never_negative=never_negative)


def tail_of_one(step: Taken, setting: Setting) -> Beyond:
    """Return the tail of the noise of one sum, in natural units."""
    if step.noise is None:
        refute(f"steps[{step.place}] has no noise")
    return of_one(step.noise, step.measured.grid / setting.fine)


def tail_of(steps: list[Taken], times: list[Fraction], setting: Setting) -> Beyond | None:
    """Return the tail of the noise of sums that are added up, each times a number."""
    noises = [step.noise for step in steps if step.noise is not None]
    if len(noises) < len(steps):
        refute("a sum has no noise")
    units = [
        step.measured.grid / setting.fine * factor
        for step, factor in zip(steps, times, strict=True)
    ]
    return of_parts(noises, units)
