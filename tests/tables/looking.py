"""Small private tables, the cells of their rows, and the distribution of what is chosen there."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

import pandas as pd
from flint import arb

import sfumato as sf
from sfumato.numeric import as_ball, working_precision
from sfumato.tables.run.cells import exact_cells
from sfumato.tables.run.rows import EngineRows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from sfumato.tables import Plan, PrivateTable, Query

    Visit = tuple[str, str, Any]
    Distributions = tuple[dict[Any, arb], dict[Any, arb]]

BITS = 192


def visits(rows: Iterable[Visit], **declared: Any) -> PrivateTable:
    """A table of visits: who, in which ward, and a number."""
    frame = pd.DataFrame(list(rows), columns=["id", "ward", "x"])
    frame = frame.astype({"id": str, "ward": str, "x": "int64"})
    given = {
        "unit": "id",
        "bounds": {"x": (0, 3)},
        "keys": {"ward": ["a", "b"]},
        "limits": {"rows": 2},
    }
    return sf.table(frame, **{**given, **declared})


def cells_of(query: Query, plan: Plan) -> NDArray[np.int64]:
    """The exact cells of the first step of a plan that looks at them."""
    rows = EngineRows(query.table)
    return exact_cells(rows, plan.keys, plan.looks[0].look.tally, plan.contribution)


def together(distributions: Sequence[Any]) -> dict[tuple[Any, ...], arb]:
    """The distribution of choices made in each group by itself."""
    with working_precision(BITS):
        chances = [
            {each: distribution.ball(each) for each in distribution.outcomes}
            for distribution in distributions
        ]
        return {
            outcome: prod(
                (chance[each] for chance, each in zip(chances, outcome, strict=True)),
                start=arb(1),
            )
            for outcome in product(*chances)
        }


def keeps(one: dict[Any, arb], other: dict[Any, arb], epsilon: Any) -> bool:
    """Whether no outcome is more than e^ε times likelier on one side, to some fifty digits."""
    with working_precision(BITS):
        factor = as_ball(epsilon).exp() * (1 + arb(2) ** -150)
        pairs = [(one[each], other[each]) for each in one]
        return all(p <= factor * q and q <= factor * p for p, q in pairs)


def both_distributions(
    neighbours: Iterable[PrivateTable], ask: Callable[[PrivateTable], Query], choice: Any
) -> Distributions:
    """The distribution of what is chosen in all groups, on each of two tables."""
    one, other = (_distribution(ask(table), choice) for table in neighbours)
    return one, other


def _distribution(query: Query, choice: Any) -> dict[tuple[Any, ...], arb]:
    plan = query.plan(epsilon=1)
    return together([choice(plan).distribution(group) for group in cells_of(query, plan)])
