"""The numbers and events of a verdict in words."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.audit.comparison import Interval
from sfumato.audit.naming import name_of
from sfumato.numeric import Enclosure, any_float, shown
from sfumato.numeric.digits import digits_above, digits_below
from sfumato.printing.wording import any_of_these
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Hashable

    from sfumato.audit.comparison import Least

__all__ = ["MOST_LISTED", "say_least", "say_outcomes", "say_probability"]

#: How many outcomes of an event are listed.
MOST_LISTED = 6

_DIGITS = 12
_SHARE_DIGITS = 9


def say_least(found: Least) -> str:
    """Return a least value: its name where it is known, and digits rounded up."""
    low, high = found.bounds.lower, found.bounds.upper
    if found.exact is not None:
        near, named = f"{any_float(found.exact):.{_DIGITS}g}", name_of(found.exact)
        return near if named == near or len(named) > 2 * len(near) else f"{named} = {near}"
    if low == math.inf:
        return tr("infinite")
    if high == math.inf:
        return tr("at least {low}", low=digits_below(low, _DIGITS))
    above, below = digits_above(high, _DIGITS), digits_below(low, _DIGITS)
    agree = float(above) - float(below) <= 2 * 10.0 ** -(_DIGITS - 1) * abs(float(above))
    return above if agree else tr("between {below} and {above}", below=below, above=above)


def say_probability(value: Fraction | Enclosure) -> str:
    """Return a probability: as a fraction where that is short, else as digits."""
    if isinstance(value, Fraction):
        short = value.denominator < 10**6
        return str(value) if short else repr(float(value))
    low, high = (f"{each:.{_SHARE_DIGITS}g}" for each in (value.lower, value.upper))
    return low if low == high else str(value)


def say_outcomes(outcomes: tuple[Hashable, ...]) -> str:
    """Return an event, a few of its outcomes listed."""
    listed = [
        str(each) if isinstance(each, Interval) else shown(each) for each in outcomes[:MOST_LISTED]
    ]
    if (more := len(outcomes) - MOST_LISTED) > 0:
        listed.append(tr("{more:,} more", more=more))
    return tr("the output {listed}", listed=any_of_these(listed))
