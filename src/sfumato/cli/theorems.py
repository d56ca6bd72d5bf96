"""The verb ``theorems``: the source chapter's statements, checked one by one."""

from __future__ import annotations

from typing import Annotated

from sfumato import application
from sfumato.cli.arguments import Json, flag
from sfumato.cli.failures import explained
from sfumato.cli.output import exit_with, progressing, terminal_width, write_json, write_lines
from sfumato.translation import tr

Details = Annotated[
    bool, flag("--details", "Say what was checked, and what is wrong with each false variant.")
]


Everything = Annotated[
    bool, flag("--all", "Compute every figure that the book prints, or comes to, as well.")
]


@explained()
def theorems(
    *, everything: Everything = False, details: Details = False, json: Json = False
) -> None:
    """Check every numbered statement of the book on concrete instances.

    Each check has a false variant, a deliberately wrong instance that must fail. Exit code 5
    says that one of them did not come out as it should.
    """
    with progressing(tr("the theorems")) as progress:
        report = application.check_theorems(figures=everything, progress=progress)
    if json:
        write_json(report.as_dict())
    else:
        write_lines(*report.lines(details=details, width=terminal_width()))
    exit_with("proved" if report.holds else "refuted")
