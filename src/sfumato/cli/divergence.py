"""The verb ``divergence``: how far apart two tables are."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated

import typer

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
)
from sfumato.cli.failures import explained
from sfumato.cli.output import working, write_json, write_lines
from sfumato.cli.wording import closing_lines, counted, figure, listed, setting

if TYPE_CHECKING:
    from sfumato.application import DivergenceReport

__all__ = ["divergence"]

_NAMES = {1: "Kullback-Leibler divergence", math.inf: "max divergence"}

P = Annotated[str, typer.Argument(metavar="P", help="A CSV or Parquet file.", show_default=False)]
Q = Annotated[
    str, typer.Argument(metavar="Q", help="Another, with the same columns.", show_default=False)
]
Delta = Annotated[
    str,
    typer.Option(metavar="NUMBER", help="The share that the max divergence may leave out."),
]


@explained()
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
    """Measure how far apart two tables are, as distributions of the same columns.

    The outcomes are the combinations of values that occur in the columns; without --columns,
    all that both files have. Order 1 is the Kullback-Leibler divergence. Infinity says that one
    file has outcomes which the other never shows. The figures are exact, not private: they are
    for the data owner.
    """
    from sfumato.application import measure_divergence

    with working(f"{p} and {q}"):
        report = measure_divergence(
            p,
            q,
            columns=read_names(columns) or None,
            order=read_order(order),
            base=read_base(base),
            delta=read_number(delta, "--delta", "a number from 0 to 1", {}),
            weights=weights or None,
        )
    if json:
        write_json(report.as_dict())
    else:
        write_lines(_headline(report), *_table(report), *_details(report), *closing_lines(report))


def _headline(report: DivergenceReport) -> str:
    return f"how far apart P and Q are in {listed(report.columns)}"


def _table(report: DivergenceReport) -> list[str]:
    name = _NAMES.get(report.order, f"Rényi divergence of order {setting(report.order)}")
    slack = f" leaving out {setting(report.delta)}" if report.delta else ""
    asked = (f"{name} ({report.unit})", figure(report.p_from_q), figure(report.q_from_p))
    rows = [
        ("", "P from Q", "Q from P"),
        *([] if report.order == math.inf and not report.delta else [asked]),
        (
            f"max divergence{slack} ({report.unit})",
            figure(report.max_p_from_q),
            figure(report.max_q_from_p),
        ),
        ("statistical distance", figure(report.statistical_distance), ""),
    ]
    width = max(len(first) for first, _, _ in rows)
    return [
        f"{first:<{width}}  {second:>12}  {third:>12}".rstrip() for first, second, third in rows
    ]


def _details(report: DivergenceReport) -> list[str]:
    p_rows, q_rows = report.rows
    summary = (
        f"{counted(p_rows, 'row')} in P, {q_rows:,} in Q; {counted(report.outcomes, 'outcome')}, "
        f"of which {report.only_in_p:,} only in P and {report.only_in_q:,} only in Q"
    )
    return [summary, *_reasons(report)]


def _reasons(report: DivergenceReport) -> list[str]:
    """Say why a divergence is infinite or negative."""
    both = (("P", "Q", report.max_p_from_q), ("Q", "P", report.max_q_from_p))
    endless = [
        f"infinity: {a} has outcomes that {b} never shows" for a, b, v in both if v == math.inf
    ]
    below = [f"negative: less that share, no event is likelier in {a}" for a, _, v in both if v < 0]
    return endless + below
