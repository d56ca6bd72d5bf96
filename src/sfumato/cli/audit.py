"""The verb ``audit``: what the outputs of any function tell about its guarantee."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from sfumato import application
from sfumato.cli.arguments import Html, Json, Plot, read_whole, setting
from sfumato.cli.failures import explained
from sfumato.cli.output import (
    check_files,
    ending_with,
    only_answers,
    progressing,
    write_page,
    write_picture,
    write_report,
)
from sfumato.cli.surface import options_named
from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator


Target = Annotated[
    str,
    typer.Argument(
        metavar="MODULE:FUNCTION",
        help="A function of a dataset, and of how many outputs to return.",
    ),
]
Dataset = Annotated[str, setting("DATA", "JSON such as '[0, 1]', a file, or module:name.")]
Epsilon = Annotated[str, setting("NUMBER", "The claimed ε: 1, or ln(2)")]
Delta = Annotated[str, setting("NUMBER", "The claimed δ.")]
Samples = Annotated[str, setting("NUMBER", "How many outputs for each dataset.")]
Alpha = Annotated[str, setting("NUMBER", "The probability of a false positive, at most.")]


@explained()
@options_named("epsilon", "delta", "samples", "alpha")
def audit(
    target: Target,
    *,
    d0: Dataset,
    d1: Dataset,
    epsilon: Epsilon,
    delta: Delta = "0",
    samples: Samples = "200000",
    alpha: Alpha = "1e-6",
    html: Html = "",
    plot: Plot = "",
    json: Json = False,
) -> None:
    """Audit a function of any library by its outputs on two neighbouring datasets.

    The answer is a lower bound on the true ε that is too high with probability at most --alpha.
    An audit that finds nothing proves nothing. Exit code 5 says that the claim is broken, 6 that
    no event was found to test.
    """
    check_files(html=html, plot=plot, spared=[d0, d1])
    with only_answers(), progressing(target) as progress, _naming_the_traceback():
        report = application.audit_target(
            target,
            d0=d0,
            d1=d1,
            epsilon=epsilon,
            delta=delta,
            samples=read_whole(samples, "--samples"),
            alpha=alpha,
            progress=progress,
        )
    write_report(report, json=json)
    kept = "proved" if report.tested else "undecided"
    with ending_with("refuted" if report.violated else kept):
        write_page(html, report.to_html)
        write_picture(plot, report.plot)


@contextmanager
def _naming_the_traceback() -> Iterator[None]:
    """Say how to see where a function of the user's own failed."""
    try:
        yield
    except InputError as error:
        if error.__cause__ is not None:
            error.refusal = error.refusal.adding(
                "SFUMATO_DEBUG=1 before the command shows where it failed"
            )
        raise
