"""Tables grouped in their engine into people who look alike, and which groups fit each other."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sfumato.data.weighing import compared_as
from sfumato.errors import InputError
from sfumato.risk.attacks.cells import read_cells
from sfumato.risk.attacks.pairing import fitting_pairs, only_equal_ones_fit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import ibis.expr.types as ir

    from sfumato.data import Source
    from sfumato.risk.attacks.cells import Cell

__all__ = [
    "MOST_PAIRS",
    "Lookalikes",
    "check_common",
    "fitting",
    "keeping",
    "lookalikes_of",
    "overlapping",
]

#: How many pairs of classes may fit before an attack is too broad to be of use.
MOST_PAIRS = 10_000_000


@dataclass(frozen=True)
class Lookalikes:
    """The rows of a table, counted by what others may know.

    Attributes
    ----------
    source
        The table.
    keys
        The columns of ``cells`` and ``table`` that others may know, as text; a null is a star.
    cells
        One row a class and sensitive value: ``id``, the keys, ``value`` and the number ``n``.
    table
        One row a class: ``id``, the keys, and the number ``n``.
    columns
        For each key what may be behind the cells that occur, sorted.
    """

    source: Source
    keys: tuple[str, ...]
    cells: ir.Table = field(repr=False)
    table: ir.Table = field(repr=False)
    columns: tuple[list[Cell], ...] = field(repr=False)
    rows: int


@contextmanager
def keeping(source: Source) -> Iterator[Callable[[ir.Table], ir.Table]]:
    """Give a way to have the engine keep results, which are forgotten when the block ends.

    Examples
    --------
    >>> from sfumato.data import open_source
    >>> from sfumato.risk.attacks.lookalikes import keeping
    >>> source = open_source("examples/hospital-a.csv")
    >>> with keeping(source) as keep:
    ...     source.fetch(keep(source.table.select("sex").distinct())).num_rows
    2
    """
    kept: list[ir.Table] = []

    def keep(query: ir.Table) -> ir.Table:
        kept.append(source.keep(query))
        return kept[-1]

    try:
        yield keep
    finally:
        for each in reversed(kept):
            source.forget(each)


def check_common(sources: Sequence[Source], sensitive: str | None = None) -> None:
    """Refuse tables that have no column in common, besides the sensitive one.

    Examples
    --------
    >>> import pandas as pd
    >>> from sfumato.data import open_sources
    >>> from sfumato.risk.attacks.lookalikes import check_common
    >>> check_common(open_sources(pd.DataFrame({"age": [56]}), pd.DataFrame({"sex": ["F"]})))
    Traceback (most recent call last):
        ...
    sfumato.errors.InputError: the table and the table have no column in common to match people \
by; name their columns alike
    """
    shared = set.intersection(*(set(each.column_names) for each in sources)) - {sensitive}
    if not shared:
        names = " and ".join(each.name for each in sources)
        message = f"{names} have no column in common to match people by; name their columns alike"
        raise InputError(message)


def lookalikes_of(
    source: Source,
    on: Sequence[str],
    sensitive: str | None,
    keep: Callable[[ir.Table], ir.Table],
    *,
    beside: Sequence[Source] = (),
    who: str | None = None,
) -> Lookalikes:
    """Return the classes of a table.

    Parameters
    ----------
    source
        The table.
    on
        What others may know.
    sensitive
        What they must not; there may be none.
    keep
        From ``keeping``.
    beside
        The tables whose sensitive columns are compared, this one among them.
    who
        A column that says who a row is about; people with different names are different classes.
    """
    import ibis

    keys = tuple(f"key{place}" for place in range(len(on)))
    columns = {key: _text(source.table[name], "*") for key, name in zip(keys, on, strict=True)}
    secret = (
        ibis.literal("") if sensitive is None else _secret(source, beside or [source], sensitive)
    )
    named = ibis.literal("") if who is None else _text(source.table[who], "")
    rows = source.table.select(**columns, who=named, value=secret)
    people = [*keys, "who"]
    counted = rows.group_by([*people, "value"]).agg(n=rows.count())
    cells = keep(counted.mutate(id=ibis.dense_rank().over(ibis.window(order_by=people))))
    table = keep(cells.group_by(["id", *people]).agg(n=cells.n.sum()))
    total = source.fetch(table.aggregate(rows=table.n.sum())).to_pylist()[0]["rows"]
    if not total:
        message = f"{source.name} has no rows below its header; there is nothing to attack"
        raise InputError(message)
    occurring = tuple(read_cells(_distinct(source, table, key)) for key in keys)
    return Lookalikes(source, keys, cells, table, occurring, int(total))


def _text(column: ir.Value, instead: str) -> ir.Value:
    return column.cast("string").fill_null(instead)


def _secret(source: Source, sources: Sequence[Source], name: str) -> ir.Value:
    """Return the sensitive column as text that is equal in all tables where the values are."""
    columns = [each.table[name] for each in sources]
    text = min(columns, key=_is_number)
    number = max(
        (each for each in columns if each.type() != text.type()), key=_is_number, default=text
    )
    return _text(compared_as(text, number)(source.table[name]), "")


def _is_number(column: ir.Value) -> bool:
    return bool(column.type().is_numeric())


def _distinct(source: Source, table: ir.Table, key: str) -> list[str]:
    return sorted(source.fetch(table.select(key).distinct())[key].to_pylist())


def fitting(left: Lookalikes, right: Lookalikes, keep: Callable[[ir.Table], ir.Table]) -> ir.Table:
    """Return which classes of two tables fit each other, as ``left`` and ``right``."""
    return _checked(left, right, _relations(left, right), keep)


def overlapping(own: Lookalikes, keep: Callable[[ir.Table], ir.Table]) -> ir.Table | None:
    """Return which classes of a table fit each other; None if each fits only itself."""
    relations = _relations(own, own)
    return _checked(own, own, relations, keep) if any(relations) else None


def _checked(
    left: Lookalikes,
    right: Lookalikes,
    relations: Sequence[set[tuple[str, str]]],
    keep: Callable[[ir.Table], ir.Table],
) -> ir.Table:
    pairs = keep(_joined(left, right, relations).limit(MOST_PAIRS + 1))
    count = left.source.fetch(pairs.aggregate(pairs=pairs.count())).to_pylist()[0]["pairs"]
    if count > MOST_PAIRS:
        message = (
            f"more than {MOST_PAIRS:,} pairs of {left.source.name} and {right.source.name} fit "
            "each other, too many to tell anybody apart; name more columns that both have"
        )
        raise InputError(message)
    return pairs


def _relations(left: Lookalikes, right: Lookalikes) -> list[set[tuple[str, str]]]:
    columns = zip(left.columns, right.columns, strict=True)
    return [_relation(ours, theirs) for ours, theirs in columns]


def _relation(left: list[Cell], right: list[Cell]) -> set[tuple[str, str]]:
    """Return which cells fit each other; nothing where only equal ones do."""
    if only_equal_ones_fit(left, right):
        return set()
    pairs = fitting_pairs(left, right)
    return pairs if any(one != other for one, other in pairs) else set()


def _joined(
    left: Lookalikes, right: Lookalikes, relations: Sequence[set[tuple[str, str]]]
) -> ir.Table:
    """Return the join of the classes, through a table of fitting cells where there is one."""
    import ibis

    ours = left.table.select(left="id", **{f"our_{key}": key for key in left.keys})
    theirs = right.table.select(right="id", **{f"their_{key}": key for key in right.keys}).view()
    conditions = []
    for key, relation in zip(left.keys, relations, strict=True):
        if not relation:
            conditions.append((f"our_{key}", f"their_{key}"))
            continue
        names = {f"one_{key}": "string", f"other_{key}": "string"}
        pairs = ibis.memtable(_columns(relation, list(names)), schema=names)
        ours = ours.join(pairs, [(f"our_{key}", f"one_{key}")])
        conditions.append((f"other_{key}", f"their_{key}"))
    return ours.join(theirs, conditions).select("left", "right")


def _columns(relation: set[tuple[str, str]], names: list[str]) -> dict[str, list[str]]:
    ones, others = zip(*sorted(relation), strict=True)
    return dict(zip(names, (list(ones), list(others)), strict=True))
