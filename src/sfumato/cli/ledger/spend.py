"""The verb ``ledger spend``: charge for a release that is made elsewhere."""

from __future__ import annotations

from typing import Annotated

import typer

from sfumato.cli.arguments import Json  # noqa: TC001, since the command line is read by it
from sfumato.cli.failures import explained
from sfumato.cli.ledger.arguments import (  # noqa: TC001, since the command line is read by it
    Book,
    Delta,
    Place,
)
from sfumato.cli.output import write_json, write_lines

__all__ = ["spend"]

Event = Annotated[
    str,
    typer.Option(metavar="FILE", help="A JSON file of events.", show_default=False),
]
Epsilon = Annotated[
    str, typer.Option(metavar="NUMBER", help="A step by its ε: 0.1, or ln(2)", show_default=False)
]
Rho = Annotated[
    str, typer.Option(metavar="NUMBER", help="A step by its ρ of zCDP.", show_default=False)
]
Analyst = Annotated[str, typer.Option(metavar="NAME", help="Who is told.")]
Why = Annotated[str, typer.Option(metavar="TEXT", help="The query in words.")]
Key = Annotated[
    str | None,
    typer.Option(
        metavar="TEXT",
        help="Names the request: the same one with the same key is charged once.",
        show_default=False,
    ),
]
Receipt = Annotated[
    str, typer.Option(metavar="FILE", help="Also write the receipt to a file.", show_default=False)
]


@explained()
def spend(
    dataset: Book,
    *,
    event: Event = "",
    epsilon: Epsilon = "",
    delta: Delta = "",
    rho: Rho = "",
    analyst: Analyst,
    why: Why,
    key: Key = None,
    receipt: Receipt = "",
    ledger: Place = "",
    json: Json = False,
) -> None:
    """Charge in one step for a release that is made elsewhere, before it is made.

    Give one of --event, --epsilon and --rho. The charge is durable when the receipt is printed.
    Exit code 3 says that it does not fit what is left, and nothing was spent.
    """
    from sfumato.application.ledger.budgets import read_cost
    from sfumato.application.ledger.spending import spend as charge

    report = charge(
        dataset,
        read_cost(
            event=event or None, epsilon=epsilon or None, delta=delta or None, rho=rho or None
        ),
        analyst=analyst,
        purpose=why,
        place=ledger or None,
        key=key,
        receipt=receipt or None,
    )
    if json:
        write_json(report.as_dict())
    else:
        write_lines(*report.lines())
