"""Finding the groups that may be shown, where even their names are private."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any

from sfumato.tables.plan.keys import Keys, ordered
from sfumato.tables.run.bounding import key_rows
from sfumato.tables.run.rows import PERSON

if TYPE_CHECKING:
    from collections.abc import Sequence

    import ibis.expr.types as ir

    from sfumato.tables.plan.steps import FindKeys
    from sfumato.tables.run.rows import Rows

__all__ = ["find_keys", "people_in_groups"]

_BETWEEN = "\x1f"
_MISSING = "\x1e"


def find_keys(rows: Rows, keys: Keys, step: FindKeys, *, source: Any) -> Keys:
    """Return the groups that may be shown, at the cost of the step.

    Each person counts in at most so many groups; of more, those with the smallest digests of the
    person and the group are taken, which is the same choice on every engine.
    """
    people = people_in_groups(rows, keys, step.groups)
    kept = step.mechanism.release(people, source=source).value
    return Keys(keys.names, ordered(list(kept)))


def people_in_groups(rows: Rows, keys: Keys, most: int) -> dict[tuple[Any, ...], int]:
    """Return how many people are in each group, everybody in at most so many of them."""
    names = [f"key{place}" for place in range(len(keys.names))]
    table = rows.grouped(keys, ())
    counted = table if PERSON not in table.columns else _few_groups(table, names, most)
    answer = rows.source.fetch(counted.group_by(names).agg(people=counted.count()))
    return dict(zip(key_rows(answer, names), answer["people"].to_pylist(), strict=True))


def _few_groups(table: ir.Table, names: Sequence[str], most: int) -> ir.Table:
    """Return each person once in each of at most so many groups."""
    pairs = table.select([PERSON, *names]).distinct()
    counted = pairs.group_by(PERSON).agg(groups=pairs.count())
    many = counted.filter(counted.groups > most)
    few = pairs.anti_join(many, pairs[PERSON].identical_to(many[PERSON]))
    return few.select(list(names)).union(_drawn(pairs, many, names, most))


def _drawn(pairs: ir.Table, many: ir.Table, names: Sequence[str], most: int) -> ir.Table:
    import ibis

    theirs = pairs.semi_join(many, pairs[PERSON].identical_to(many[PERSON]))
    digest = _text(theirs, [PERSON, *names]).hexdigest("md5")
    ranked = theirs.mutate(digest=digest)
    place = ibis.row_number().over(
        ibis.window(group_by=PERSON, order_by=[ranked.digest, *(ranked[each] for each in names)])
    )
    placed = ranked.mutate(place=place)
    return placed.filter(placed.place < most).select(list(names))


def _text(table: ir.Table, names: Sequence[str]) -> ir.Value:
    """Return the values of some columns in one text, in which they can be told apart."""
    import ibis

    parts = [ibis.coalesce(table[name].cast("string"), _MISSING) for name in names]
    return reduce(lambda left, right: left + _BETWEEN + right, parts)
