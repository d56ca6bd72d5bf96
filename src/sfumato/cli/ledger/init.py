"""The verb ``ledger init``: a book for a dataset, with budgets that never change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.cli.arguments import (  # noqa: TC001, since the command line is read by it
    Json,
    Relation,
)
from sfumato.cli.failures import explained
from sfumato.cli.ledger.arguments import (  # noqa: TC001, since the command line is read by it
    Book,
    Delta,
    Place,
)
from sfumato.cli.output import write_json, write_lines
from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["init"]

Epsilon = Annotated[
    str, typer.Option(metavar="NUMBER", help="The budget as ε: 1, or ln(2)", show_default=False)
]
Rho = Annotated[
    str, typer.Option(metavar="NUMBER", help="The budget as ρ of zCDP.", show_default=False)
]
Mu = Annotated[
    str, typer.Option(metavar="NUMBER", help="The budget as μ of Gaussian DP.", show_default=False)
]
Reserve = Annotated[
    str,
    typer.Option(metavar="SHARE", help="The share of δ kept for events with a δ of their own."),
]
Per = Annotated[
    str,
    typer.Option(
        metavar="PERIOD",
        help="Give the budgets anew each year, quarter, month, week or day.",
        show_default=False,
    ),
]
Total = Annotated[
    str,
    typer.Option(
        metavar="NUMBER", help="With --per: the budget over all periods.", show_default=False
    ),
]
TotalDelta = Annotated[
    str,
    typer.Option(metavar="NUMBER", help="With --total: its δ, if not --delta.", show_default=False),
]
EachAnalyst = Annotated[
    str,
    typer.Option(metavar="NUMBER", help="What each analyst may spend of it.", show_default=False),
]
Analyst = Annotated[
    list[str],
    typer.Option(
        metavar="NAME=NUMBER", help="What one analyst may spend instead.", show_default=False
    ),
]


@explained()
def init(
    dataset: Book,
    *,
    epsilon: Epsilon = "",
    delta: Delta = "",
    rho: Rho = "",
    mu: Mu = "",
    reserve: Reserve = "0",
    per: Per = "",
    total: Total = "",
    total_delta: TotalDelta = "",
    each_analyst: EachAnalyst = "",
    analyst: Analyst = [],  # noqa: B006, since the command line is read by it
    relation: Relation = "",
    ledger: Place = "",
    json: Json = False,
) -> None:
    """Open the book of a dataset, and say what that promises.

    Give one of --epsilon, --rho and --mu; all budgets are of that kind. The ledger is made if
    there is none. Budgets never change. Without --relation neighbours add or remove one row.
    """
    from sfumato.application.ledger.budgets import read_kind
    from sfumato.application.ledger.opening import open_book

    kind = read_kind(
        epsilon=epsilon or None,
        delta=delta or None,
        rho=rho or None,
        mu=mu or None,
        relation=relation or None,
    )
    report = open_book(
        dataset,
        kind,
        place=ledger or None,
        reserve=reserve,
        per=per or None,
        total=total or None,
        total_delta=total_delta or None,
        each_analyst=each_analyst or None,
        analysts=_read_analysts(analyst),
    )
    if json:
        write_json(report.as_dict())
    else:
        write_lines(*report.lines())


def _read_analysts(given: Sequence[str]) -> dict[str, str]:
    """Return what each analyst may spend, by name; a name may hold an equals sign."""
    found: dict[str, str] = {}
    for text in given:
        name, _, number = text.rpartition("=")
        if not name or not number or name in found:
            message = f"--analyst takes NAME=NUMBER, once a name; {text[:60]!r} is not"
            raise InputError(message)
        found[name] = number
    return found
