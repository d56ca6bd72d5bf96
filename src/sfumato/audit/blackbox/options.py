"""Reading what an audit is asked for."""

from __future__ import annotations

from numbers import Integral
from typing import Any

from sfumato.errors import InputError
from sfumato.numeric import shown
from sfumato.privacy.parameters import read_count

__all__ = ["read_samples", "read_seed"]

_FEWEST = 100


def read_samples(samples: Any, name: str = "samples") -> int:
    """Return a number of draws: so many that events can be chosen on some and tested on others.

    Examples
    --------
    >>> from sfumato.audit.blackbox.options import read_samples
    >>> read_samples(1_000)
    1000
    """
    size = read_count(samples, name)
    if size < _FEWEST:
        message = f"{name} must be {_FEWEST} or more, not {size}; write 100_000, say"
        raise InputError(message)
    return size


def read_seed(seed: Any) -> int:
    """Return the seed of the choice of events: a whole number of 0 or more; None is 0.

    Examples
    --------
    >>> from sfumato.audit.blackbox.options import read_seed
    >>> read_seed(7), read_seed(None)
    (7, 0)
    """
    if seed is None:
        return 0
    if isinstance(seed, bool) or not isinstance(seed, Integral) or seed < 0:
        message = f"seed must be a whole number of 0 or more, not {shown(seed)}; write 0, say"
        raise InputError(message)
    return int(seed)
