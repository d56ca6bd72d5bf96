"""Count and sum by group, people bounded: ours, and what bounding needs in the bare engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sfumato as sf
from benchmarks.groupby.task import GROUPS, HIGH, LOW, MOST_ROWS
from benchmarks.measure import Row, side_by_side

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.engines.held import Held

STEPS = 1 << 20
PLAIN = "SELECT grp, COUNT(*), SUM(x) FROM {table} GROUP BY grp"
#: What each person adds to each group, between bounds and in whole steps; nothing is done to it.
BOUNDED = """
    SELECT grp, SUM(n), SUM(s) FROM (
        SELECT person, grp, COUNT(*) AS n,
               SUM(CAST(ROUND(LEAST(GREATEST(x, {low}), {high}) * {steps}) AS BIGINT)) AS s
        FROM {table} GROUP BY person, grp
    ) AS t GROUP BY grp
"""
DECLARED = {
    "unit": "person",
    "bounds": {"x": (LOW, HIGH)},
    "keys": {"grp": list(range(GROUPS))},
    "limits": {"rows": MOST_ROWS},
}
OURS = "sfumato"
OTHERS = ("bare bounded aggregate", "plain GROUP BY, not private")


def race(engine: str, held: Held) -> Row:
    """Return our time on an engine, and those of the bare engine."""
    data, words = held.data
    private = sf.table(data, **words, **DECLARED)
    asked = private.group_by("grp").agg(n=sf.count(), s=sf.sum("x"))
    contestants: dict[str, Callable[[], Any]] = {
        OURS: lambda: asked.release(epsilon=1),
        OTHERS[0]: lambda: _answered(held, BOUNDED),
        OTHERS[1]: lambda: _answered(held, PLAIN),
    }
    return side_by_side(engine, contestants, rounds=3)


def _answered(held: Held, sql: str) -> None:
    answer = held.ask(sql.format(table=held.name, low=LOW, high=HIGH, steps=STEPS))
    if len(answer) != GROUPS:
        message = f"the bare engine found {len(answer)} groups of {GROUPS}"
        raise AssertionError(message)
