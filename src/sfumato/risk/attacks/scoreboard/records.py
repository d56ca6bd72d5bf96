"""Records and known facts as the attack sees them: persons, items, numbers and days."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError
from sfumato.numeric import read_count
from sfumato.printing import counted
from sfumato.translation import mark

if TYPE_CHECKING:
    import ibis.expr.types as ir
    import pyarrow as pa
    from numpy.typing import NDArray

    from sfumato.data import Source, View


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


#: How unequal people's activity is, and from which rank on popularity falls as one over the rank.
_ACTIVITY, _HEAD = 0.8, 20
_FIRST_DAY, _DAYS = "2020-01-01", 2000
_MOST_RATINGS, _MOST_ITEMS, _LEAST_AVERAGE = 50_000_000, 10_000_000, 10
_LEAST_STARS, _MOST_STARS = 1, 5


def sparse_ratings(
    *, people: int = 500, items: int = 2000, average: int = 40, seed: int = 0
) -> pa.Table:
    """Make up ratings: few items are popular, few people are busy, everybody rates in a while.

    Popularity falls with the rank of an item as in the law of Zipf and Mandelbrot, how much a
    person rates has a long tail, and a person's ratings lie within some months.  The columns are
    ``user``, ``film``, ``stars`` and ``date``; nobody rates a film twice.  It is a model of nobody:
    it has the sparsity on which such attacks live.

    Parameters
    ----------
    people, items
        How many there are; an item that nobody rates does not occur.
    average
        How many items a person rates, about; at least 10, and at most half of all.
    seed
        The same seed makes the same ratings.

    Examples
    --------
    >>> from sfumato.risk import sparse_ratings
    >>> table = sparse_ratings(people=3, items=100, average=10)
    >>> table.column_names, len(set(table["user"].to_pylist()))
    (['user', 'film', 'stars', 'date'], 3)
    """
    import pyarrow as pa

    crowd, shelf = read_count(people, "people"), read_count(items, "items", least=20)
    mean, start = read_count(average, "average"), read_count(seed, "seed", least=0)
    _check_size(crowd, shelf, mean)
    rng = np.random.default_rng(start)
    counts = _activity(rng, crowd, shelf, mean)
    user = np.repeat(np.arange(crowd), counts)
    film = _films(rng, counts, shelf)
    return pa.table(
        {
            "user": [f"u{number}" for number in user],
            "film": [f"film {number}" for number in film],
            "stars": _stars(rng, user, film, crowd, shelf),
            "date": _dates(rng, user, crowd),
        }
    )


def _check_size(people: int, items: int, average: int) -> None:
    """Refuse more ratings than a memory holds, before it is asked for them."""
    ratings = people * min(max(average, _LEAST_AVERAGE), items // 2)
    if ratings > _MOST_RATINGS or items > _MOST_ITEMS:
        raise InputError(
            "E-TOO-LARGE",
            "{ratings:,} ratings of {items:,} items are too many to make up",
            "keep people times average below {most_ratings:,} and items below {most_items:,}",
            ratings=ratings,
            items=items,
            most_ratings=_MOST_RATINGS,
            most_items=_MOST_ITEMS,
        )


def _activity(rng: np.random.Generator, people: int, items: int, average: int) -> NDArray[np.int64]:
    spread = rng.lognormal(-(_ACTIVITY**2) / 2, _ACTIVITY, people)
    most = max(1, items // 2)
    return np.clip(np.rint(average * spread), min(_LEAST_AVERAGE, most), most).astype(np.int64)


def _films(rng: np.random.Generator, counts: NDArray[np.int64], items: int) -> NDArray[np.int64]:
    """Return the items of each person, drawn without replacement by their popularity."""
    popularity = 1 / (_HEAD + np.arange(items))
    shares = popularity / popularity.sum()
    drawn = [rng.choice(items, count, replace=False, p=shares) for count in counts]
    return np.concatenate(drawn).astype(np.int64)


def _stars(
    rng: np.random.Generator,
    user: NDArray[np.int64],
    film: NDArray[np.int64],
    people: int,
    items: int,
) -> NDArray[np.int64]:
    """Return ratings: how kind the person is, how good the film is, and taste."""
    kind, good = rng.normal(0, 0.5, people), rng.normal(3.5, 0.5, items)
    exact = kind[user] + good[film] + rng.normal(0, 0.9, user.size)
    return np.clip(np.rint(exact), _LEAST_STARS, _MOST_STARS).astype(np.int64)


def _dates(rng: np.random.Generator, user: NDArray[np.int64], people: int) -> Any:
    begin, span = rng.uniform(0, _DAYS, people), 30 + rng.exponential(180, people)
    days = np.floor(begin[user] + rng.random(user.size) * span[user]).astype(np.int64)
    return np.datetime64(_FIRST_DAY, "D") + days
