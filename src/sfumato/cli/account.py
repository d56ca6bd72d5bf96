"""The verb ``account``: what events promise together."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from sfumato.cli.arguments import (  # noqa: TC001, since the command line is read by it
    Json,
    Relation,
)
from sfumato.cli.failures import explained
from sfumato.cli.output import working, write_json, write_lines
from sfumato.errors import InputError

if TYPE_CHECKING:
    from typing import TextIO

__all__ = ["account"]

Events = Annotated[
    str,
    typer.Argument(metavar="EVENTS", help="A JSON file of events; - reads standard input."),
]
Delta = Annotated[
    str, typer.Option(metavar="NUMBER", help="Find ε at this δ: 1e-6", show_default=False)
]
Epsilon = Annotated[
    str, typer.Option(metavar="NUMBER", help="Find δ at this ε: 1, or ln(2)", show_default=False)
]
Explain = Annotated[
    bool, typer.Option("--explain", help="Show what other methods of accounting would say.")
]


@explained()
def account(
    events: Events,
    *,
    delta: Delta = "",
    epsilon: Epsilon = "",
    relation: Relation = "",
    explain: Explain = False,
    json: Json = False,
) -> None:
    """Account for what was done: the privacy that events cost together.

    EVENTS lists what was done by public parameters alone, such as noise of a scale; no data is
    read. Give --delta or --epsilon. The answer is proved: an interval around the least value, its
    upper end first. Without --relation neighbours add or remove one row.
    """
    from sfumato.application.accounting import account_events

    with working(events):
        report = account_events(
            _standard_input() if events == "-" else events,
            delta=delta or None,
            epsilon=epsilon or None,
            relation=relation or None,
            explain=explain,
        )
    if json:
        write_json(report.as_dict())
    else:
        write_lines(*report.lines())


def _standard_input() -> TextIO:
    if sys.stdin is None:
        message = "standard input is closed; name a JSON file of events"
        raise InputError(message)
    return sys.stdin
