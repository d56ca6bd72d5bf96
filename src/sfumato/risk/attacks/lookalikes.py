"""Tables grouped in their engine into equivalence classes, and which of them fit each other."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sfumato.data import Source, gathered, in_memory, open_source, open_sources
from sfumato.errors import InputError
from sfumato.refusal import all_of
from sfumato.risk.attacks.cells import PublishedCell, read_cells, true_or_false, written
from sfumato.risk.attacks.pairing import fitting_pairs, only_equal_ones_fit
from sfumato.risk.attacks.sensitive import written_alike

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import ibis.expr.types as ir

    Relation = set[tuple[str, str]]


#: How many pairs of classes may fit before an attack is too broad to be of use.
MOST_PAIRS = 10_000_000


@dataclass(frozen=True)
class Lookalikes:
    """The rows of a table, counted by their quasi-identifiers.

    Attributes
    ----------
    source
        The table.
    on
        What others may know.
    keys
        The columns of ``cells`` and ``table`` that others may know, as text; a null is a star.
    cells
        One row a class and sensitive value: ``id``, the keys, ``value`` (null where it is empty)
        and the number ``n``.
    table
        One row a class: ``id``, the keys, and the number ``n``.
    columns
        For each key what may be behind the cells that occur, sorted.
    """

    source: Source
    on: tuple[str, ...]
    keys: tuple[str, ...]
    cells: ir.Table = field(repr=False)
    table: ir.Table = field(repr=False)
    columns: tuple[list[PublishedCell], ...] = field(repr=False)
    rows: int


def opened(*tables: Any) -> tuple[Source, ...]:
    """Return tables in one engine: paths, frames, or what is open already."""
    if not any(isinstance(each, Source) for each in tables):
        return open_sources(*tables)
    return gathered([each if isinstance(each, Source) else open_source(each) for each in tables])


@contextmanager
def keeping(source: Source) -> Iterator[Callable[[ir.Table], ir.Table]]:
    """Give a way to have the engine keep results, which are forgotten when the block ends."""
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
    """Refuse tables that have no column in common, besides the sensitive one."""
    shared = set.intersection(*(set(each.column_names) for each in sources)) - {sensitive}
    if not shared:
        raise InputError(
            "E-COLUMNS-NOT-SHARED",
            "{names} have no column in common to match people by",
            "name their columns alike",
            names=all_of(each.name for each in sources),
        )


def lookalikes_of(
    source: Source,
    on: Sequence[str],
    sensitive: str | None,
    keep: Callable[[ir.Table], ir.Table],
    *,
    beside: Sequence[Source],
    sharing: Sequence[Source] = (),
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
        The tables whose cells are compared, this one among them.
    sharing
        Those of them whose sensitive values are compared as well.
    who
        A column that says who a row is about; people with different names are different classes.
    """
    import ibis

    keys = tuple(f"key{place}" for place in range(len(on)))
    columns = {key: _known(source, name, beside) for key, name in zip(keys, on, strict=True)}
    secret = ibis.null("string") if sensitive is None else _secret(source, sensitive, sharing)
    named = ibis.literal("") if who is None else written(source.table[who]).fill_null("")
    rows = source.table.select(**columns, who=named, value=secret)
    people = [*keys, "who"]
    counted = rows.group_by([*people, "value"]).agg(n=rows.count())
    cells = keep(counted.mutate(id=ibis.dense_rank().over(ibis.window(order_by=people))))
    table = keep(cells.group_by(["id", *people]).agg(n=cells.n.sum()))
    total = source.fetch(table.aggregate(rows=table.n.sum())).to_pylist()[0]["rows"]
    if not total:
        raise InputError(
            "E-TABLE-EMPTY",
            "{source} has no rows below its header",
            "there is nothing to attack",
            source=source.name,
        )
    occurring = tuple(read_cells(_distinct(source, table, key)) for key in keys)
    return Lookalikes(source, tuple(on), keys, cells, table, occurring, int(total))


def _known(source: Source, name: str, beside: Sequence[Source]) -> ir.Value:
    columns = [each.table[name] for each in beside]
    return true_or_false(source.table[name], columns).fill_null("*")


def _secret(source: Source, name: str, sharing: Sequence[Source]) -> ir.Value:
    columns = [each.table[name] for each in sharing or [source]]
    return written_alike(source.table[name], columns, name)


def _distinct(source: Source, table: ir.Table, key: str) -> list[str]:
    return sorted(source.fetch(table.select(key).distinct())[key].to_pylist())


def fitting(left: Lookalikes, right: Lookalikes, keep: Callable[[ir.Table], ir.Table]) -> ir.Table:
    """Return which classes of two tables fit each other, as ``left`` and ``right``."""
    columns = zip(left.columns, right.columns, left.on, strict=True)
    relations = [_relation(ours, theirs, name) for ours, theirs, name in columns]
    pairs = keep(_joined(left, right, relations).limit(MOST_PAIRS + 1))
    count = left.source.fetch(pairs.aggregate(pairs=pairs.count())).to_pylist()[0]["pairs"]
    if count > MOST_PAIRS:
        raise InputError(
            "E-TOO-LARGE",
            "more than {most_pairs:,} pairs of {name} and {other_name} fit each other, too many "
            "to tell anybody apart",
            "name more columns that both have",
            most_pairs=MOST_PAIRS,
            name=left.source.name,
            other_name=right.source.name,
        )
    return pairs


def _relation(left: list[PublishedCell], right: list[PublishedCell], name: str) -> Relation:
    """Return which cells fit each other; nothing where only equal ones do."""
    if only_equal_ones_fit(left, right):
        return set()
    pairs = fitting_pairs(left, right, name=repr(name))
    return pairs if any(one != other for one, other in pairs) else set()


def _joined(left: Lookalikes, right: Lookalikes, relations: Sequence[Relation]) -> ir.Table:
    """Return the join of the classes, through a table of fitting cells where there is one."""
    ours = left.table.select(left="id", **{f"our_{key}": key for key in left.keys})
    theirs = right.table.select(right="id", **{f"their_{key}": key for key in right.keys}).view()
    conditions = []
    for key, relation in zip(left.keys, relations, strict=True):
        if not relation:
            conditions.append((f"our_{key}", f"their_{key}"))
            continue
        names = {f"one_{key}": "string", f"other_{key}": "string"}
        ones, others = zip(*sorted(relation), strict=True)
        cells = dict(zip(names, (list(ones), list(others)), strict=True))
        pairs = in_memory(cells, names)
        ours = ours.join(pairs, [(f"our_{key}", f"one_{key}")])
        conditions.append((f"other_{key}", f"their_{key}"))
    return ours.join(theirs, conditions).select("left", "right")
