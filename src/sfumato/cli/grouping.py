"""Options that several verbs share, as the fields of one data class."""

from __future__ import annotations

import inspect
from dataclasses import MISSING, fields, is_dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, get_type_hints

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def grouping(verb: Callable[..., None]) -> Callable[..., None]:
    """Let a verb take options of a data class together, where it names that as one argument."""
    hints = get_type_hints(verb, include_extras=True)
    signature = inspect.signature(verb)
    groups = {name: _options(kind) for name, kind in hints.items() if is_dataclass(kind)}

    @wraps(verb)
    def reading(*words: Any, **given: Any) -> None:
        made = {
            name: hints[name](**{each: given.pop(each) for each in options if each in given})
            for name, options in groups.items()
        }
        verb(*words, **made, **given)

    together = [
        option
        for name, each in signature.parameters.items()
        for option in groups.get(name, {name: each.replace(annotation=hints[name])}).values()
    ]
    vars(reading)["__signature__"] = signature.replace(parameters=together)
    reading.__annotations__ = {each.name: each.annotation for each in together}
    return reading


def _options(group: Any) -> Mapping[str, inspect.Parameter]:
    hints = get_type_hints(group, include_extras=True)
    return {
        each.name: inspect.Parameter(
            each.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=each.default if each.default_factory is MISSING else each.default_factory(),
            annotation=hints[each.name],
        )
        for each in fields(group)
    }
