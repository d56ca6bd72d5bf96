"""The verb ``entropy``: how uncertain columns of a table are."""

from __future__ import annotations

from typing import Annotated

from sfumato import application
from sfumato.cli.arguments import (
    Base,
    Columns,
    File,
    Json,
    Order,
    Weights,
    flag,
    read_base,
    read_names,
    read_order,
    setting,
)
from sfumato.cli.failures import explained
from sfumato.cli.output import working, write_fitted
from sfumato.cli.surface import options_named
from sfumato.errors import InputError

Given = Annotated[
    list[str],
    setting("NAMES", "Columns that somebody knows already, separated by commas.", default=False),
]
Code = Annotated[bool, flag("--code", "Print a code of the values instead, beside the entropy.")]


@explained()
@options_named("weights")
def entropy(
    file: File,
    *,
    columns: Columns,
    given: Given = [],  # noqa: B006
    order: Order = "1",
    base: Base = "2",
    weights: Weights = "",
    code: Code = False,
    json: Json = False,
) -> None:
    """Measure the entropy of columns, alone or given others: how uncertain they are.

    The outcomes are the combinations of values that occur in the columns. 0 bits: there is only
    one. 1 bit: as uncertain as a fair coin. --order 0, 1, 2 and inf give the Hartley, Shannon,
    collision and min-entropy. --code says each value in bits: a Huffman code, which shows them.
    The figures are exact, not private: they are for the data owner.
    """
    if code:
        if given or weights or read_order(order) != 1 or read_base(base) != 2:
            raise InputError(
                "E-OPTION-CONFLICT",
                "--code takes no --given, --weights, --order or --base",
                "write --columns and --code alone",
            )
        with working(file):
            coded = application.code_columns(file, columns=read_names(columns))
        write_fitted(coded, json=json)
        return
    with working(file):
        report = application.measure_entropy(
            file,
            columns=read_names(columns),
            given=read_names(given),
            order=read_order(order),
            base=read_base(base),
            weights=weights or None,
        )
    write_fitted(report, json=json)
