"""Taking a node of the parsed text apart, so that no part of it goes unseen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.tables.sql.refusals import refused_argument

if TYPE_CHECKING:
    from sqlglot.expressions import Expr


def kind(node: Any) -> str:
    """Return the name of a node's class."""
    return type(node).__name__


def only(node: Expr, *names: str) -> tuple[Any, ...]:
    """Return some arguments of a node, None for those left out; any other argument is refused."""
    given = {name.rstrip("_"): value for name, value in node.args.items() if _is_given(value)}
    for name in given:
        if name not in names:
            raise refused_argument(node, name)
    return tuple(given.get(name) for name in names)


def unbracketed(node: Expr) -> Expr:
    """Return what is inside the brackets around an expression."""
    while kind(node) == "Paren":
        (node,) = only(node, "this")
    return node


def _is_given(value: Any) -> bool:
    return value is not None and value is not False and value != []
