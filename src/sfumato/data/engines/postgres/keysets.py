"""Public rows that a query brings along, as lists in its text: no table is made for them."""

from __future__ import annotations

from typing import Any

__all__ = ["unnested"]


def unnested(memory: Any) -> Any:
    """Return a table of Ibis in memory as lists that the server unnests side by side."""
    import ibis
    import ibis.expr.operations as ops

    rows = memory.data.to_pyarrow(memory.schema)
    lists = {
        name: ibis.literal(_listed(rows[name].to_pylist())).cast(f"array<{_kind(kind)}>")
        for name, kind in memory.schema.items()
    }
    return ops.DummyTable({name: ops.Unnest(each) for name, each in lists.items()})


def _kind(kind: Any) -> str:
    return str(kind.copy(nullable=True))


def _listed(values: list[Any]) -> str:
    """Return values as PostgreSQL writes an array."""
    return "{" + ",".join(map(_written, values)) + "}"


def _written(value: Any) -> str:
    if value is None:
        return "NULL"
    text = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'
