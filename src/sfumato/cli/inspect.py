"""The verb ``inspect``: whether the cells of a table fit what is declared of them."""

from __future__ import annotations

from sfumato import application
from sfumato.cli.arguments import Json  # noqa: TC001, since the command line is read by it
from sfumato.cli.declarations import (
    Bounds,
    Keys,
    Limit,
    NameInDatabase,
    QuestionOptions,
    Table,
    Types,
    Unit,
)
from sfumato.cli.failures import explained
from sfumato.cli.output import working, write_fitted
from sfumato.cli.surface import in_shell_words


@explained()
def inspect(
    file: Table,
    *,
    table: NameInDatabase = "",
    unit: Unit = "",
    bounds: Bounds = [],  # noqa: B006, since the command line is read by it
    keys: Keys = [],  # noqa: B006
    types: Types = [],  # noqa: B006
    limit: Limit = [],  # noqa: B006
    json: Json = False,
) -> None:
    """Count the cells that do not fit what is declared: unreadable, beyond bounds, in no group.

    FILE is a policy, as init drafts it, or the table itself with options that declare. Private
    answers take unreadable cells for missing, clamp values to their bounds, and cannot say how
    many there are. The figures are exact, not private: they are for the data owner.
    """
    declared = QuestionOptions(
        table=table, unit=unit, bounds=bounds, keys=keys, types=types, limit=limit
    ).declared()
    with working(file), in_shell_words():
        report = application.inspect(file, **declared)
    write_fitted(report, json=json)
