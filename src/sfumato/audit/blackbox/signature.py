"""How a release is to be called, by its signature."""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["name_of_release", "takes_number"]

_NUMBERS = {"count", "draws", "n", "num", "samples", "size"}
_NO_NUMBERS = {"delta", "eps", "epsilon", "generator", "rng", "scale", "seed", "sensitivity"}
_PLACED = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def takes_number(release: Callable[..., Any]) -> bool:
    """Tell whether a release takes the number of draws as its second argument."""
    if not callable(release):
        raise _no_function(release)
    try:
        parameters = list(inspect.signature(release).parameters.values())
    except (TypeError, ValueError):
        return True
    placed = [each for each in parameters if each.kind in _PLACED]
    free = any(each.kind is inspect.Parameter.VAR_POSITIONAL for each in parameters)
    if not placed and not free:
        raise InputError(
            "E-FUNCTION-SIGNATURE",
            "release takes no dataset",
            "write a function release(dataset, n)",
        )
    number = len(placed) > 1 and _is_number(placed[1])
    _refuse_more(placed[2 if number else 1 :], parameters, number=number or free)
    return number or (free and len(placed) < 2)


def name_of_release(release: Any) -> str:
    """Return the module and the qualified name of a function, or of a callable object's type."""
    while isinstance(release, functools.partial):
        release = release.func
    named = release if hasattr(release, "__qualname__") else type(release)
    return f"{getattr(named, '__module__', None) or '?'}.{named.__qualname__}"


def _is_number(parameter: inspect.Parameter) -> bool:
    """Tell whether a second argument is how many draws to make."""
    needed = parameter.default is inspect.Parameter.empty and parameter.name not in _NO_NUMBERS
    return needed or parameter.name in _NUMBERS


def _refuse_more(
    rest: list[inspect.Parameter], parameters: list[inspect.Parameter], *, number: bool
) -> None:
    """Refuse a release that needs more than a dataset and a number of draws."""
    by_name = [each for each in parameters if each.kind is inspect.Parameter.KEYWORD_ONLY]
    needed = [each for each in (*rest, *by_name) if each.default is inspect.Parameter.empty]
    if not needed:
        return
    given = ("dataset", "n") if number else ("dataset",)
    added = [f"{each.name}={each.name}" if each in by_name else each.name for each in needed]
    raise InputError(
        "E-FUNCTION-SIGNATURE",
        "release needs {listed}, too",
        "write lambda {given}: release({other_listed})",
        listed=", ".join(each.name for each in needed),
        given=", ".join(given),
        other_listed=", ".join([*given, *added]),
    )


def _no_function(release: Any) -> InputError:
    name = type(release).__name__
    if hasattr(release, "release") or hasattr(release, "distribution"):
        return InputError(
            "E-ARGUMENT-TYPE",
            "release must be a function of a dataset, not a mechanism such as {kind}",
            "write lambda data: mechanism.release(data).value, or prove it: sf.verify(mechanism)",
            kind=name,
        )
    return InputError(
        "E-ARGUMENT-TYPE",
        "release must be a function of a dataset, not a {kind}",
        "write release(dataset, n)",
        kind=name,
    )
