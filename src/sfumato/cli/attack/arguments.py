"""The options that the attacks share."""

from __future__ import annotations

from typing import Annotated

from sfumato.cli.arguments import setting

On = Annotated[
    list[str],
    setting(
        "NAMES",
        "Quasi-identifiers: what others may know, separated by commas: age,sex",
        default=False,
    ),
]
Sensitive = Annotated[
    str, setting("NAME", "The sensitive attribute: a column that nobody should learn.")
]
