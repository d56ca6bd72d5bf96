"""Reading what an audit is asked for."""

from __future__ import annotations

import math
from numbers import Real
from typing import Any

from sfumato.errors import InputError
from sfumato.numeric import read_count, shown
from sfumato.refusal import Argument

__all__ = ["read_samples", "read_seed"]

_FEWEST = 100


def read_samples(samples: Any, name: str = "samples") -> int:
    """Return a number of draws: so many that events can be chosen on some and tested on others."""
    if not _is_enough(samples):
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{name} must be a whole number of {fewest} or more, not {samples}",
            "write 100_000, say",
            name=Argument(name),
            fewest=_FEWEST,
            samples=shown(samples),
        )
    return int(samples)


def _is_enough(samples: Any) -> bool:
    """Tell whether a number is whole and not too small; NaN and infinity are not."""
    if isinstance(samples, bool) or not isinstance(samples, Real):
        return False
    number: Any = samples
    return bool(_FEWEST <= number < math.inf) and bool(number == int(number))


def read_seed(seed: Any) -> int:
    """Return the seed of the choice of events: a whole number of 0 or more; None is 0."""
    return 0 if seed is None else read_count(seed, "seed", least=0)
