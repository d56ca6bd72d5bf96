"""Records and known facts as the attack sees them: persons, items, numbers and days."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.printing.wording import counted
from sfumato.translation import mark

if TYPE_CHECKING:
    import ibis.expr.types as ir

    from sfumato.data import Source
    from sfumato.data.weighing import View

__all__ = ["Roles", "check_cells", "check_whose", "plain"]

_DATE = r"^([0-9]{4}-[0-9]{2}-[0-9]{2})([ T][0-9:.,+Z -]*)?$"


@dataclass(frozen=True)
class Roles:
    """Which column says what.

    Attributes
    ----------
    item
        What was rated, bought or visited.
    person
        Whose record it is; of the known facts, who tells several people apart, if anything does.
    rating, day
        How it was rated and when; None where that is not used.
    """

    item: str
    person: str | None = None
    rating: str | None = None
    day: str | None = None

    @property
    def used(self) -> tuple[str, ...]:
        """The columns that are read."""
        named = (self.person, self.item, self.rating, self.day)
        return tuple(name for name in named if name is not None)


def plain(source: Source, roles: Roles, view: View) -> ir.Table:
    """Return a table's query with ``person``, ``item`` and, where used, ``rating`` and ``day``.

    Rows without a person or without an item are left out.
    """
    import ibis

    table = source.table
    who = ibis.literal(0) if roles.person is None else table[roles.person]
    values: dict[str, Any] = {"person": who, "item": view(table[roles.item])}
    if roles.rating is not None:
        values["rating"] = _number(table[roles.rating])
    if roles.day is not None:
        values["day"] = _day(table[roles.day])
    chosen = table.select(**values)
    return chosen.filter(chosen.person.notnull() & chosen.item.notnull())


def check_cells(source: Source, roles: Roles) -> str:
    """Refuse ratings and days that cannot be read; return how days are written, if they are."""
    source.check_columns(roles.used)
    if roles.rating is not None:
        column, wanted = source.table[roles.rating], mark("a number, such as 4 or 3.5")
        _check_type(source, roles.rating, wanted)
        bad = _is_filled(column) & _number(column).isnull()
        _refuse_some(source, bad, roles.rating, wanted)
    return "" if roles.day is None else _day_form(source, roles.day)


def check_whose(source: Source, name: str) -> None:
    """Refuse facts that do not say of whom they are, rather than leave them out."""
    missing = _count(source, ~_is_filled(source.table[name]))
    if missing:
        raise InputError(
            "E-CELLS-MISSING",
            "the known facts ({source}) have {missing} with nothing in {name!r}",
            "say whose they are, or leave them out",
            source=source.name,
            missing=counted(missing, "row"),
            name=name,
        )


def _day_form(source: Source, name: str) -> str:
    """Return "dated" or "numbered", "" if all are empty; refuse a column of neither, or of both."""
    column = source.table[name]
    wanted = mark("a day: YYYY-MM-DD, such as 2026-11-16, or a number of days")
    _check_type(source, name, wanted, dated=True)
    bad = _is_filled(column) & _day(column).isnull()
    _refuse_some(source, bad, name, wanted)
    filled = _count(source, _day(column).notnull())
    if not filled:
        return ""
    if column.type().is_temporal():
        return "dated"
    if not column.type().is_string():
        return "numbered"
    numbers = _count(source, _number(column).notnull())
    if 0 < numbers < filled:
        raise InputError(
            "E-COLUMN-TYPE",
            "the column {name!r} of {source} has days as dates and as numbers",
            "write all of them in one way",
            name=name,
            source=source.name,
        )
    return "numbered" if numbers else "dated"


def _check_type(source: Source, name: str, wanted: str, *, dated: bool = False) -> None:
    """Refuse a column of which no cell could be read."""
    kind = source.table[name].type()
    plain_type = kind.is_string() or kind.is_numeric() or kind.is_boolean() or kind.is_null()
    if not plain_type and not (dated and (kind.is_date() or kind.is_timestamp())):
        raise InputError(
            "E-COLUMN-TYPE",
            "the column {name!r} of {source} is of the type {kind}",
            "each cell should be {wanted}, or empty",
            name=name,
            source=source.name,
            kind=kind,
            wanted=wanted,
        )


def _number(column: ir.Value) -> ir.Value:
    """Return a number that is finite, or null."""
    import ibis

    text = column.strip() if column.type().is_string() else column
    number = text.try_cast("float64")
    finite = ~(number.isnan() | number.isinf())
    return ibis.cases((finite, number))


def _day(column: ir.Value) -> ir.Value:
    """Return a day as a number: of days since 1970 where it is a date."""
    import ibis

    if column.type().is_temporal():
        return column.cast("date").epoch_days().cast("float64")
    if not column.type().is_string():
        return _number(column)
    dated = column.strip().re_extract(_DATE, 1).try_cast("date")
    return ibis.coalesce(_number(column), dated.epoch_days().cast("float64"))


def _is_filled(column: ir.Value) -> ir.Value:
    """Tell which cells say something; an empty one is a rating or a day that is not known."""
    if column.type().is_string():
        return column.notnull() & (column.strip() != "")
    return column.notnull()


def _refuse_some(source: Source, bad: ir.Value, name: str, wanted: str) -> None:
    found = _count(source, bad)
    if found:
        raise InputError(
            "E-CELLS-UNREADABLE",
            "{found} of the column {name!r} of {source} cannot be read",
            "each should be {wanted}, or empty",
            found=counted(found, "cell"),
            name=name,
            source=source.name,
            wanted=wanted,
        )


def _count(source: Source, which: ir.Value) -> int:
    query = source.table.aggregate(found=which.sum().fill_null(0))
    return int(source.fetch(query)["found"][0].as_py())
