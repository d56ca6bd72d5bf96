"""The verb ``attack homogeneity``: who looks only like people with one sensitive value."""

from __future__ import annotations

from typing import Annotated

from sfumato import application
from sfumato.cli.arguments import (
    File,
    Json,
    Quasi,
    SensitiveColumn,
    read_names,
    read_number,
    setting,
)
from sfumato.cli.failures import explained
from sfumato.cli.output import working, write_fitted
from sfumato.cli.surface import options_named
from sfumato.translation import mark

Certainty = Annotated[
    str, setting("SHARE", "The share of an equivalence class that has one value.")
]


@explained()
def homogeneity(
    file: File,
    *,
    quasi: Quasi,
    sensitive: SensitiveColumn,
    certainty: Certainty = "1",
    json: Json = False,
) -> None:
    """Find equivalence classes that share a sensitive value, so that nobody need be re-identified.

    A table can be k-anonymous and still give such a value away. --certainty 0.9 finds also
    classes in which nine of ten have one value. The figures are exact, not private.
    """
    with working(file), options_named("quasi", "sensitive", "certainty"):
        report = application.risk.homogeneity(
            file,
            quasi=read_names(quasi),
            sensitive=sensitive,
            certainty=read_number(
                certainty, "--certainty", mark("a number above 0 and up to 1"), {}
            ),
        )
    write_fitted(report, json=json)
