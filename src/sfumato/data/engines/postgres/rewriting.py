"""What operations of Ibis mean to the embedded engine, in words that mean it to PostgreSQL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.data.engines.postgres.meanings import MEANINGS
from sfumato.data.engines.postgres.ranges import ANY, Range, name_of, range_of
from sfumato.data.engines.postgres.staging import staged

if TYPE_CHECKING:
    from collections.abc import Mapping

    import ibis.expr.types as ir

__all__ = ["rewritten"]


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
