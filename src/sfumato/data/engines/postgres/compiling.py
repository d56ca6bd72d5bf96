"""From a query of Ibis to the SQL of PostgreSQL.

Only values that cannot fail on any row are moved so; the parts of a guard, which could, stay
behind their conditions.
"""

from __future__ import annotations

import functools
from itertools import count
from typing import TYPE_CHECKING, Any

from sfumato.data.engines.postgres.meanings import MEANINGS
from sfumato.data.engines.postgres.ranges import ANY, Range, name_of, range_of

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping

    import ibis.expr.types as ir


def written(query: ir.Table, *, pretty: bool) -> str:
    """Return a query, rewritten already, in the words of PostgreSQL."""
    compiler = _compiler()
    return str(compiler.to_sqlglot(query).sql(dialect=compiler.dialect, pretty=pretty))


def fenced(table: ir.Table) -> ir.Table:
    """Return a table whose columns the server works out before it works with them.

    Otherwise it would write each of them out wherever it is used.
    """
    import ibis.expr.operations as ops

    found: ir.Table = ops.Limit(table.op(), n=None, offset=0).to_expr()
    return found


@functools.cache
def _compiler() -> Any:
    import sqlglot as sg
    from ibis.backends.sql.compilers import PostgresCompiler

    class Compiler(PostgresCompiler):  # type: ignore[misc]
        __slots__ = ()

        def visit_Limit(self, op: Any, *, parent: Any, n: Any, offset: Any) -> Any:  # noqa: N802
            if n is None and offset == 0:
                return sg.select("*").from_(parent).offset(0)
            return super().visit_Limit(op, parent=parent, n=n, offset=offset)

    return Compiler()


_NAME = "worked_out"


def staged(root: Any, repeated: set[Any]) -> Any:
    """Return a query in which repeated values are columns of their own."""
    import ibis.expr.operations as ops

    known = {each for each in repeated if not _is_simple(each)}

    def replace(node: Any, changed: Mapping[str, Any] | None) -> Any:
        new = node.__recreate__(changed) if changed else node
        if node in known:
            known.add(new)
        if isinstance(node, ops.Project):
            return _projected(new, known)
        return _filtered(new, known) if isinstance(node, ops.Filter) else new

    return root.replace(replace) if known else root


def _is_simple(value: Any) -> bool:
    """Tell whether a value is a column or a constant, which may as well be repeated."""
    import ibis.expr.operations as ops

    return isinstance(value, (ops.Field, ops.Literal)) or (
        isinstance(value, ops.Cast) and isinstance(value.arg, (ops.Field, ops.Literal))
    )


def _projected(project: Any, known: set[Any]) -> Any:
    import ibis.expr.operations as ops

    values = dict(project.values)
    parent, done = _worked_out(project.parent, list(values.values()), known)
    return ops.Project(parent, dict(zip(values, done, strict=True)))


def _filtered(rows: Any, known: set[Any]) -> Any:
    import ibis.expr.operations as ops

    columns = [ops.Field(rows.parent, name) for name in rows.parent.schema]
    predicates = list(rows.predicates)
    parent, done = _worked_out(rows.parent, [*columns, *predicates], known)
    if parent is rows.parent:
        return rows
    found = ops.Filter(parent, done[len(columns) :])
    return ops.Project(found, {name: ops.Field(found, name) for name in rows.parent.schema})


def _worked_out(parent: Any, values: list[Any], known: set[Any]) -> tuple[Any, list[Any]]:
    """Return a table with more columns, and the values in terms of it, innermost first."""
    waiting = _inside(values, known)
    while waiting:
        left = set(waiting)
        innermost = [each for each in waiting if _inside([each], left) == [each]]
        table, places = _with_columns(parent, values, innermost)
        values = [_moved(each, places) for each in values]
        waiting = [_moved(each, places) for each in waiting if each not in places]
        parent = table
    return parent, values


def _with_columns(
    parent: Any, values: Iterable[Any], more: list[Any]
) -> tuple[Any, dict[Any, Any]]:
    """Return a table with some values as columns, and where its columns are now."""
    import ibis.expr.operations as ops

    used = {each.name for value in values for each in value.find(ops.Field, filter=ops.Value)}
    columns = {name: ops.Field(parent, name) for name in parent.schema if name in used}
    named = dict(zip(_free_names(parent.schema), more, strict=False))
    table = fenced(ops.Project(parent, columns | named).to_expr()).op()
    places = {each: ops.Field(table, name) for name, each in (columns | named).items()}
    return table, places


def _free_names(taken: Container[str]) -> Iterator[str]:
    """Return names that no column has, one after the other."""
    return (name for name in map(f"{_NAME}{{}}".format, count()) if name not in taken)


def _moved(value: Any, places: Mapping[Any, Any]) -> Any:
    import ibis.expr.operations as ops

    return value.replace(places, filter=ops.Value)


def _inside(values: Iterable[Any], wanted: Container[Any]) -> list[Any]:
    """Return those wanted that are parts of values, each once, in the order they are met."""
    import ibis.expr.operations as ops

    parts = (each for value in values for each in value.find(ops.Value, filter=ops.Value))
    return list(dict.fromkeys(each for each in parts if each in wanted))


def rewritten(query: ir.Table) -> ir.Table:
    """Return a query that means to PostgreSQL what the given one means to the embedded engine."""
    rewriting = _Rewriting()
    found = query.op().replace(rewriting)
    result: ir.Table = staged(found, rewriting.repeated).to_expr()
    return result


class _Rewriting:
    """Replaces operations from the leaves up, and remembers what is known of each."""

    def __init__(self) -> None:
        #: Between what the numbers lie that were rewritten so far.
        self._ranges: dict[Any, Range] = {}
        #: What a guard repeats, which is better worked out once.
        self.repeated: set[Any] = set()

    def __call__(self, node: Any, changed: Mapping[str, Any] | None) -> Any:
        new = node.__recreate__(changed) if changed else node
        rule = MEANINGS.get(name_of(new))
        made = None if rule is None else rule(new, self._range)
        if made is None:
            self._note(new, new)
            return new
        replaced, repeated = made
        self.repeated.update(repeated)
        self._note(new, replaced)
        return replaced

    def _note(self, plain: Any, replaced: Any) -> None:
        if hasattr(plain, "dtype"):
            self._ranges[replaced] = range_of(plain, self._ranges)

    def _range(self, node: Any) -> Range:
        return self._ranges.get(node, ANY)
