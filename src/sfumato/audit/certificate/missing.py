"""How likely the interval of an aggregate misses, from the noise of its sums."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.audit.certificate.bars import around
from sfumato.audit.certificate.parts import refute
from sfumato.audit.certificate.tails import of_mean, of_one, of_parts

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from sfumato.audit.certificate.asked import Asked
    from sfumato.audit.certificate.bars import Missed
    from sfumato.audit.certificate.noise import Noise
    from sfumato.audit.certificate.setting import Setting
    from sfumato.audit.certificate.shapes import Sums
    from sfumato.audit.certificate.tails import Beyond
    from sfumato.audit.certificate.taken import Taken

__all__ = ["missed_by", "tail_of", "tail_of_mean", "tail_of_one"]


def missed_by(
    value: Callable[[Sums], Fraction], tail: Beyond, *, never_negative: bool
) -> Callable[[Sums], Missed]:
    """Return how likely an interval around a value misses."""
    return lambda sums: around(value(sums), tail, never_negative=never_negative)


def tail_of_one(step: Taken, setting: Setting) -> Beyond:
    """Return the tail of the noise of one sum, in natural units."""
    return of_one(_noise(step), _unit(step, setting))


def tail_of_mean(upper: Taken, setting: Setting) -> Beyond:
    """Return the tail of the noise in a mean of which both parts have equal noise."""
    return of_mean(_noise(upper), _unit(upper, setting))


def tail_of(steps: list[Taken], times: list[Fraction], setting: Setting, asked: Asked) -> Beyond:
    """Return the tail of the noise of sums that are added up, each times a number."""
    units = [_unit(step, setting) * factor for step, factor in zip(steps, times, strict=True)]
    found = of_parts([_noise(step) for step in steps], units)
    if found is None:
        refute(
            "{name!r:.60} is made of parts whose noise is not of one kind and size", name=asked.name
        )
    return found


def _noise(step: Taken) -> Noise:
    if step.noise is None:
        refute("steps[{place}] has no noise", place=step.place)
    return step.noise


def _unit(step: Taken, setting: Setting) -> Fraction:
    """Return how much a step of the noise is, in natural units."""
    return step.measured.grid / setting.fine
