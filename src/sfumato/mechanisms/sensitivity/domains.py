"""Reading what a row may be."""

from __future__ import annotations

import math
from numbers import Number
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.mechanisms.sensitivity.cells import Bounds
from sfumato.mechanisms.sensitivity.interval import Interval
from sfumato.mechanisms.sensitivity.rows import Columns, Listed
from sfumato.numeric import float_above, float_below, shown

if TYPE_CHECKING:
    from sfumato.mechanisms.sensitivity.rows import Domain

__all__ = ["read_domain"]


def read_domain(domain: Any) -> Domain:
    """Return the domain that is described by two ends, a list, or a tuple of such columns."""
    if isinstance(domain, (list, range)) and len(domain):
        return Listed(tuple(domain))
    if isinstance(domain, tuple) and len(domain) == 2 and _are_numbers(domain):
        return _read_interval(*domain)
    if isinstance(domain, tuple) and domain and not _are_numbers(domain):
        return Columns(tuple(map(read_domain, domain)))
    raise InputError(
        "E-ARGUMENT-TYPE",
        "domain must say what a row may be, not {domain}",
        "write (0, 110) for numbers between two ends, ['a', 'b'] or range(10) for listed "
        "values, or a tuple of one such a column",
        domain=shown(domain),
    )


def _are_numbers(values: tuple[Any, ...]) -> bool:
    return all(isinstance(each, (Number, str)) for each in values)


def _read_interval(lower: Any, upper: Any) -> Interval:
    bounds = Bounds.between(lower, upper)
    interval = Interval(float_above(bounds.lower) + 0.0, float_below(bounds.upper) + 0.0)
    if not -math.inf < interval.lower <= interval.upper < math.inf:
        raise InputError(
            "E-DOMAIN-EMPTY",
            "no float lies in {bounds}",
            "give a wider interval, or a list of values",
            bounds=bounds,
        )
    return interval
