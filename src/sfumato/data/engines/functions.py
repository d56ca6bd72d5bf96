"""Functions of an engine, called by the names that it has for them."""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import ibis.expr.types as ir


def call(name: str, gives: str, *given: Any) -> ir.Value:
    """Return what a function of the engine gives, of values that it takes as they are."""
    import ibis

    values = [each if isinstance(each, ibis.Value) else ibis.literal(each) for each in given]
    types = tuple(str(each.type()) for each in values)
    found: ir.Value = _function(name, types, gives)(*values)
    return found


@functools.cache
def _function(name: str, types: tuple[str, ...], gives: str) -> Any:
    import ibis

    def function(*_: Any) -> Any: ...

    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    names = [inspect.Parameter(f"given{place}", kind) for place in range(len(types))]
    function.__signature__ = inspect.Signature(names)  # type: ignore[attr-defined]
    return ibis.udf.scalar.builtin(function, name=name, signature=(types, gives))
