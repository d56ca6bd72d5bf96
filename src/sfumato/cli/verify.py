"""The verb ``verify``: an exact verdict on a table of output probabilities."""

from __future__ import annotations

from typing import Annotated

import typer

from sfumato import application
from sfumato.cli.arguments import Json, setting
from sfumato.cli.failures import explained
from sfumato.cli.output import exit_with, working, write_fitted
from sfumato.cli.surface import options_named
from sfumato.translation import mark

Table = Annotated[
    str,
    typer.Argument(
        metavar="TABLE", help="A CSV file: one line an input, one column an output of it."
    ),
]
Epsilon = Annotated[str, setting("NUMBER", "The claimed ε: 1, or ln(2)")]
Delta = Annotated[str, setting("NUMBER", "The claimed δ.")]
Order = Annotated[str, setting("NUMBER", "Claim Rényi DP at this order.", default=False)]
Neighbours = Annotated[str, setting("NAME", "Neighbouring relation: substitute, add-remove, all.")]


@explained()
@options_named("epsilon", "delta", "order")
def verify(
    table: Table,
    *,
    epsilon: Epsilon,
    delta: Delta = "0",
    order: Order = "",
    relation: Neighbours = "substitute",
    json: Json = False,
) -> None:
    """Decide exactly whether a mechanism with few outputs keeps its guarantee.

    TABLE has the probability of each output (1/3, 0.25, or counts) for each input. An input that
    is a table of several rows has ; between them. Exit code 0 says proved, 5 refuted, 6 undecided.
    """
    with working(table, mark("verifying")):
        verdict = application.verify_table(
            table, epsilon=epsilon, delta=delta, order=order or None, relation=relation
        )
    write_fitted(verdict, json=json)
    exit_with(verdict.status)
