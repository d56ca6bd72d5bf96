"""The verb ``account``: what events guarantee together."""

from __future__ import annotations

from typing import Annotated

import typer

from sfumato import application
from sfumato.cli.arguments import Json, Plot, Relation, flag, read_source, setting
from sfumato.cli.failures import explained
from sfumato.cli.output import check_picture, working, write_picture, write_report
from sfumato.cli.surface import options_named
from sfumato.translation import mark

Events = Annotated[
    str, typer.Argument(metavar="EVENTS", help="A JSON file of events; - reads standard input.")
]
Delta = Annotated[str, setting("NUMBER", "Find ε at this δ: 1e-6", default=False)]
Epsilon = Annotated[str, setting("NUMBER", "Find δ at this ε: 1, or ln(2)", default=False)]
Explain = Annotated[bool, flag("--explain", "Show what other accountants would say.")]


@explained()
@options_named("epsilon", "delta")
def account(
    events: Events,
    *,
    delta: Delta = "",
    epsilon: Epsilon = "",
    relation: Relation = "",
    explain: Explain = False,
    plot: Plot = "",
    json: Json = False,
) -> None:
    """Compose events: the privacy that they cost together, by the accountant.

    EVENTS lists what was done by public parameters alone, such as the noise scale; no data is
    read. Give --delta or --epsilon. The answer is proved: an interval around the least value, its
    upper end first. Without --relation neighbours add or remove one row.
    """
    check_picture(plot, spared=[] if events == "-" else [events])
    with working(events):
        report = application.account_events(
            read_source(events, mark("a JSON file of events")),
            delta=delta or None,
            epsilon=epsilon or None,
            relation=relation or None,
            explain=explain,
        )
    write_report(report, json=json)
    write_picture(plot, report.plot)
