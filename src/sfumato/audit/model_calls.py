"""What a model of the caller's gives when it is called: anything else than is needed is refused."""

from __future__ import annotations

import math
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError
from sfumato.refusal import Argument, text

if TYPE_CHECKING:
    from collections.abc import Callable


def called(function: Callable[..., Any], *given: Any, name: str) -> Any:
    """Return what a function of the caller gives; refuse one that raises, or ends the program."""
    try:
        return function(*given)
    except (Exception, SystemExit, GeneratorExit) as error:
        raise InputError(
            "E-FUNCTION-RAISED",
            "{name} raised {kind}",
            "call it alone to see why, and give one that returns",
            name=name,
            kind=type(error).__name__,
        ) from error


def as_number(returned: Any, name: str) -> float:
    """Return a number as a float; refuse at once what is none, before the model is called again."""
    single = np.ndim(returned) == 0 and not isinstance(returned, (str, bytes))
    with suppress(TypeError, ValueError, OverflowError):
        if single and not math.isnan(number := float(returned)):
            return number
    kind = type(returned).__name__
    raise InputError(
        "E-FUNCTION-RESULT",
        "{name} must return a number that a float can hold",
        "it returned {found}",
        name=name,
        found="NaN" if isinstance(returned, float) else text("a value of type {kind}", kind=kind),
    )


def check_callable(function: Any, name: str, example: str) -> None:
    """Refuse what cannot be called, with what to write."""
    if not callable(function):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "{name} must be a function, not {found}",
            "write {example}",
            name=Argument(name),
            found=text("a value of type {kind}", kind=type(function).__name__),
            example=example,
        )
