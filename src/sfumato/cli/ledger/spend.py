"""The verb ``ledger spend``: charge for a release that is made elsewhere."""

from __future__ import annotations

from typing import Annotated

from sfumato import application
from sfumato.cli.arguments import Json, option, read_source, setting
from sfumato.cli.failures import explained
from sfumato.cli.ledger.arguments import Book, Delta, Place  # noqa: TC001
from sfumato.cli.output import say_aside, write_report
from sfumato.cli.surface import options_named
from sfumato.errors import InputError
from sfumato.translation import mark

Event = Annotated[
    str, option("FILE", "A JSON file of events, such as Gaussian noise; - reads standard input.")
]
Epsilon = Annotated[str, option("NUMBER", "A step by its ε: 0.1, or ln(2).")]
Rho = Annotated[str, option("NUMBER", "A step by its ρ of zCDP.")]
Analyst = Annotated[str, setting("NAME", "The analyst who gets the answer.")]
Purpose = Annotated[str, setting("TEXT", "The query in words.")]
Key = Annotated[
    str, option("TEXT", "Idempotency key: the same request with the same key is charged once.")
]
Receipt = Annotated[str, option("FILE", "Also write the receipt to a file, which is new.")]


@explained()
@options_named("epsilon", "delta", "rho", "event")
def spend(
    dataset: Book,
    *,
    event: Event = "",
    epsilon: Epsilon = "",
    delta: Delta = "",
    rho: Rho = "",
    analyst: Analyst,
    purpose: Purpose,
    key: Key = "",
    receipt: Receipt = "",
    ledger: Place = "",
    json: Json = False,
) -> None:
    """Charge in one step for a release that is made elsewhere, before it is made.

    Give one of --event, --epsilon and --rho. The charge is durable when the receipt is printed.
    Exit code 3 says that it exceeds the privacy budget left, and nothing was spent.

    The receipt is signed with the key in the file that the variable SFUMATO_SIGNING_KEY names, or
    in your own configuration folder; it is made on first use, and you are told.
    """
    cost = application.read_cost(
        event=read_source(event, mark("a JSON file of events")) if event else None,
        epsilon=epsilon or None,
        delta=delta or None,
        rho=rho or None,
    )
    if receipt == "-":
        raise InputError(
            "E-OPTION-CONFLICT",
            "--receipt takes a file",
            "--json writes the receipt to standard output",
        )
    report = application.spend(
        dataset,
        cost,
        analyst=analyst,
        purpose=purpose,
        place=ledger or None,
        key=key or None,
        receipt=receipt or None,
        notify=say_aside,
    )
    write_report(report, json=json, done=report.done())
