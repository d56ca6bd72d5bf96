"""The verb ``attack extraction``: which training texts a model returns word for word."""

from __future__ import annotations

from typing import Annotated

import typer

from sfumato import application
from sfumato.cli.arguments import Html, Json, Plot, option, read_whole, setting
from sfumato.cli.failures import explained
from sfumato.cli.output import (
    check_files,
    only_answers,
    progressing,
    write_fitted,
    write_page,
    write_picture,
)
from sfumato.cli.surface import options_named

Target = Annotated[
    str,
    typer.Argument(
        metavar="MODULE:FUNCTION",
        help="Takes the beginning of a text and a number of characters; returns what follows.",
    ),
]
Texts = Annotated[
    str, option("TEXTS", "What it was trained on: a file, one text a line; or module:name.")
]
Controls = Annotated[
    str, setting("TEXTS", "Texts of the same kind that it never saw.", default=False)
]
Prefix = Annotated[str, setting("NUMBER", "How many characters of each text it is given.")]
Suffix = Annotated[str, setting("NUMBER", "How many it is to go on with.")]
Near = Annotated[str, setting("NUMBER", "Which share of those may differ in a near copy.")]
Tries = Annotated[str, setting("NUMBER", "How often each text is tried.")]
Confidence = Annotated[str, setting("NUMBER", "Of each interval.")]


@explained()
@options_named("texts", "controls", "prefix", "suffix", "near", "tries", "confidence")
def extraction(
    target: Target,
    *,
    texts: Texts,
    controls: Controls = "",
    prefix: Prefix = "50",
    suffix: Suffix = "50",
    near: Near = "0.1",
    tries: Tries = "1",
    confidence: Confidence = "0.95",
    html: Html = "",
    plot: Plot = "",
    json: Json = False,
) -> None:
    """Count the training texts that a model goes on with word for word.

    The model is given the beginning of each text, and what it returns is compared with the rest.
    What it returns of texts that it never saw, --controls, is what anybody would guess, and no
    memory. The figures are exact, not private: they are for the owner of the model.
    """
    check_files(html=html, plot=plot, spared=[texts, controls])
    with only_answers(), progressing(target) as progress:
        report = application.extract_target(
            target,
            texts=texts,
            controls=controls or None,
            prefix=read_whole(prefix, "--prefix"),
            suffix=read_whole(suffix, "--suffix"),
            near=near,
            tries=read_whole(tries, "--tries"),
            confidence=confidence,
            progress=progress,
        )
    write_fitted(report, json=json)
    write_page(html, report.to_html)
    write_picture(plot, report.plot)
