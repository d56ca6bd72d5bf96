"""How large a query becomes where a planner writes each column out in place of its name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    import ibis.expr.types as ir

__all__ = ["check_unfolded"]


def check_unfolded(query: ir.Table, *, most: int, title: str) -> None:
    """Refuse columns that are derived of each other so often that an engine would not end."""
    sizes = query.op().map(_size)
    if any(isinstance(each, int) and each > most for each in sizes.values()):
        raise InputError(
            "E-QUESTION-TOO-LARGE",
            "the columns that the query derives build on each other so often that {title} "
            "could take hours over it",
            "derive them in fewer steps, or ask a file or a frame",
            title=title,
        )


def _size(node: Any, found: Mapping[Any, Any], **of: Any) -> int | dict[str, int]:
    """Return of how many operations a value is, written out; of a table those of each column.

    What is added up, or kept apart by LIMIT, is not written out.
    """
    import ibis.expr.operations as ops

    if isinstance(node, ops.Field):
        return int(of["rel"][node.name])
    if not isinstance(node, ops.Relation):
        return 1 + sum(_inside(each, found) for each in node.args)
    if isinstance(node, (ops.Project, ops.JoinChain)):
        return dict(of["values"])
    if isinstance(node, (ops.Filter, ops.Distinct, ops.JoinReference)):
        return dict(of["parent"])
    return dict.fromkeys(node.schema, 1)


def _inside(argument: Any, found: Mapping[Any, Any]) -> int:
    """Return of how many operations an argument is; one that is no value counts for none."""
    import ibis.expr.operations as ops

    if isinstance(argument, tuple):
        return sum(_inside(each, found) for each in argument)
    return int(found[argument]) if isinstance(argument, ops.Value) else 0
