"""The verb ``attack difference``: whom exact figures give away by subtraction."""

from __future__ import annotations

from typing import Annotated

from sfumato import application
from sfumato.cli.arguments import File, Json, flag, read_names, read_whole, setting
from sfumato.cli.failures import explained
from sfumato.cli.output import working, write_fitted
from sfumato.cli.surface import options_named
from sfumato.errors import InputError
from sfumato.translation import mark

Publish = Annotated[
    list[str],
    setting(
        "NAMES",
        "The columns of one published table: department,sex. Once for each table.",
        default=False,
    ),
]
Where = Annotated[
    list[str],
    setting(
        "CONDITION",
        "A published set of people: 'age>=50 and sex=female'. Once for each set.",
        default=False,
    ),
]
Total = Annotated[bool, flag("--total", "The figure of everybody is published too.")]
Value = Annotated[str, setting("NAME", "A column whose sums are published too.", default=False)]
HideBelow = Annotated[str, setting("NUMBER", "Cells of fewer people are hidden.")]
AtLeast = Annotated[
    str,
    setting(
        "NUMBER",
        "A group of fewer people is small. [default: as --hide-below, or 5]",
        default=False,
    ),
]


@explained()
def difference(
    file: File,
    *,
    publish: Publish = [],  # noqa: B006
    where: Where = [],  # noqa: B006
    total: Total = False,
    value: Value = "",
    hide_below: HideBelow = "0",
    at_least: AtLeast = "",
    json: Json = False,
) -> None:
    """Subtract exact figures of tables that overlap, and see which small groups they give away.

    Say which tables and sets of people you plan to publish. What follows from their counts and
    sums is found by exact arithmetic, whatever the number of subtractions. The figures are exact,
    not private.
    """
    with (
        working(file, mark("subtracting")),
        options_named("publish", "where", "hide_below", "at_least"),
    ):
        report = application.risk.difference(
            file,
            publish=[*([[]] if total else []), *map(_columns_of, publish)],
            where=where,
            value=value or None,
            hide_below=read_whole(hide_below, "--hide-below"),
            at_least=read_whole(at_least, "--at-least") if at_least else None,
        )
    write_fitted(report, json=json)


def _columns_of(table: str) -> list[str]:
    names = read_names([table])
    if not names:
        raise InputError(
            "E-ARGUMENT-EMPTY",
            "a table without columns is named",
            "write --publish sex, or --total for all",
        )
    return names
