"""The verb ``calibrate``: the noise that a guarantee needs."""

from __future__ import annotations

from typing import Annotated

import typer

from sfumato import application
from sfumato.cli.arguments import Json, Plot, Relation, read_whole, setting
from sfumato.cli.failures import explained
from sfumato.cli.output import check_picture, write_picture, write_report
from sfumato.cli.surface import options_named

Kind = Annotated[
    str,
    typer.Argument(
        metavar="KIND",
        help="gaussian, laplace, discrete-gaussian, discrete-laplace, randomized-response, "
        "exponential or permute-and-flip.",
    ),
]
Epsilon = Annotated[str, setting("NUMBER", "The ε to keep: 1, or ln(2)")]
Delta = Annotated[str, setting("NUMBER", "The δ to keep.")]
Sensitivity = Annotated[
    str, setting("NUMBER", "Sensitivity: the most by which neighbours change the value.")
]
Count = Annotated[str, setting("NUMBER", "How many times the mechanism will run.")]
Rate = Annotated[
    str,
    setting(
        "NUMBER",
        "Subsampling: the probability of a row to be in each Poisson sample.",
        default=False,
    ),
]


@explained()
@options_named("epsilon", "delta", "sensitivity", "rate")
def calibrate(
    kind: Kind,
    *,
    epsilon: Epsilon,
    delta: Delta = "0",
    sensitivity: Sensitivity = "1",
    count: Count = "1",
    rate: Rate = "",
    relation: Relation = "",
    plot: Plot = "",
    json: Json = False,
) -> None:
    """Find the least noise scale that keeps a guarantee.

    KIND is the noise to add, or how to choose; for a choice the greatest ε of one step is found.
    The number is rounded to the safe side, and proved to keep the guarantee as printed. With --json
    the answer has a document of events that the verb account reads.
    """
    check_picture(plot)
    report = application.calibrate_noise(
        kind,
        epsilon=epsilon,
        delta=delta,
        sensitivity=sensitivity,
        count=read_whole(count, "--count"),
        rate=rate or None,
        relation=relation or None,
    )
    write_report(report, json=json)
    write_picture(plot, report.plot)
