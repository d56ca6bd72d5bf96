"""Where a number lies among edges, told by comparisons, which are exact in every engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    import ibis.expr.types as ir


def edges_reached(value: ir.Value, edges: Sequence[Fraction | float], before: int = 0) -> ir.Value:
    """Return how many edges a value has reached, and as many as were before; by bisection."""
    import ibis

    if not edges:
        return ibis.literal(before, "int64")
    middle = len(edges) // 2
    reached = value >= ibis.literal(float(edges[middle]), "float64")
    above = edges_reached(value, edges[middle + 1 :], before + middle + 1)
    return ibis.ifelse(reached, above, edges_reached(value, edges[:middle], before))
