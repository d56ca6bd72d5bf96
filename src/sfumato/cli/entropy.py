"""The verb ``entropy``: how uncertain columns of a table are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.cli.arguments import (
    Base,
    Columns,
    File,
    Json,
    Order,
    Weights,
    read_base,
    read_names,
    read_order,
)
from sfumato.cli.failures import explained
from sfumato.cli.output import working, write_json, write_lines
from sfumato.cli.wording import closing_lines, counted, figure, listed, setting

if TYPE_CHECKING:
    from sfumato.application import EntropyReport

__all__ = ["entropy"]

_NAMES = {0: "Hartley entropy", 1: "entropy", 2: "collision entropy", float("inf"): "min-entropy"}

Given = Annotated[
    list[str],
    typer.Option(
        metavar="NAMES",
        help="Columns that somebody knows already, separated by commas.",
        show_default=False,
    ),
]


@explained()
def entropy(
    file: File,
    *,
    columns: Columns,
    given: Given = [],  # noqa: B006
    order: Order = "1",
    base: Base = "2",
    weights: Weights = "",
    json: Json = False,
) -> None:
    """Measure how uncertain columns are, perhaps once others are known.

    The outcomes are the combinations of values that occur in the columns. 0 bits: there is only
    one. 1 bit: as uncertain as a fair coin. --order 0, 1, 2 and inf give the Hartley, Shannon,
    collision and min-entropy. The figures are exact, not private: they are for the data owner.
    """
    from sfumato.application import measure_entropy

    with working(file):
        report = measure_entropy(
            file,
            columns=read_names(columns),
            given=read_names(given),
            order=read_order(order),
            base=read_base(base),
            weights=weights or None,
        )
    if json:
        write_json(report.as_dict())
    else:
        write_lines(_headline(report), *_details(report), *closing_lines(report))


def _headline(report: EntropyReport) -> str:
    name = _NAMES.get(report.order, f"Rényi entropy of order {setting(report.order)}")
    known = f" given {listed(report.given)}" if report.given else ""
    return f"{name} of {listed(report.columns)}{known}: {figure(report.value)} {report.unit}"


def _details(report: EntropyReport) -> list[str]:
    choices = f"{report.base**report.value:.4g}"
    lines = [f"as uncertain as a choice among {choices} equally likely outcomes"]
    if report.prior is not None and report.learned is not None:
        lines.append(
            f"knowing {listed(report.given)} lowers the uncertainty about "
            f"{listed(report.columns)} from {figure(report.prior)} to {figure(report.value)} "
            f"{report.unit}, by {figure(report.learned)}"
        )
    among = (
        ""
        if report.groups is None
        else f"; {counted(report.groups, 'group')} of rows that look alike"
    )
    lines.append(f"{counted(report.rows, 'row')}, {counted(report.outcomes, 'outcome')}{among}")
    return lines
