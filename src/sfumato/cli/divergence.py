"""The verb ``divergence``: how far apart two tables are."""

from __future__ import annotations

from typing import Annotated

import typer

from sfumato import application
from sfumato.cli.arguments import (
    Base,
    Columns,
    Json,
    Order,
    Weights,
    read_base,
    read_names,
    read_number,
    read_order,
    setting,
)
from sfumato.cli.failures import explained
from sfumato.cli.output import working, write_fitted
from sfumato.cli.surface import options_named
from sfumato.translation import mark, tr

P = Annotated[str, typer.Argument(metavar="P", help="A CSV or Parquet file.", show_default=False)]
Q = Annotated[
    str, typer.Argument(metavar="Q", help="Another, with the same columns.", show_default=False)
]
Delta = Annotated[str, setting("NUMBER", "The probability that the max divergence may leave out.")]


@explained()
@options_named("weights")
def divergence(
    p: P,
    q: Q,
    *,
    columns: Columns = [],  # noqa: B006
    order: Order = "1",
    base: Base = "e",
    delta: Delta = "0",
    weights: Weights = "",
    json: Json = False,
) -> None:
    """Measure the divergence of two tables, as distributions of the same columns.

    The outcomes are the combinations of values that occur in the columns; without --columns,
    all that both files have. Order 1 is the Kullback-Leibler divergence. Infinity says that one
    file has outcomes which the other never shows. The figures are exact, not private: they are
    for the data owner.
    """
    with working(tr("{p} and {q}", p=p, q=q)):
        report = application.measure_divergence(
            p,
            q,
            columns=read_names(columns) or None,
            order=read_order(order),
            base=read_base(base),
            delta=read_number(delta, "--delta", mark("a number from 0 to 1"), {}),
            weights=weights or None,
        )
    write_fitted(report, json=json)
