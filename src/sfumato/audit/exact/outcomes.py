"""What can come out: outcomes that are told apart, one NaN being like another."""

from __future__ import annotations

import math
from decimal import Decimal
from numbers import Real
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from sfumato.refusal import Given

__all__ = ["check_outcomes", "one_nan"]


def one_nan(outcome: Any) -> Any:
    """Return an outcome with one NaN for every NaN in it, as no NaN equals another."""
    if type(outcome) is tuple:
        return tuple(map(one_nan, outcome))
    return math.nan if isinstance(outcome, (Real, Decimal)) and outcome != outcome else outcome


def check_outcomes(outcomes: Iterable[Any], where: Given) -> tuple[Hashable, ...]:
    """Return outcomes, each of which is named once; ``where`` says whose they are."""
    try:
        listed = tuple(outcomes)
        found = tuple(map(one_nan, listed)) if set(map(type, listed)) - {int, str} else listed
        repeated = len(set(found)) < len(found)
    except TypeError:
        raise InputError(
            "E-OUTCOMES-ALIKE",
            "the distribution for {where} has outcomes that cannot be told apart",
            "name them",
            where=where,
        ) from None
    if repeated:
        raise InputError(
            "E-OUTCOMES-ALIKE",
            "the distribution for {where} names an outcome twice",
            "add up its probabilities",
            where=where,
        )
    return found
