"""The groups that may be shown where nobody declared them: how many people each has, with noise."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any

from sfumato.data import PERSON
from sfumato.tables.plan.partition_selection import Keys, ordered
from sfumato.tables.run.contribution_bounding import key_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    import ibis.expr.types as ir

    from sfumato.tables.plan.steps import FindKeys
    from sfumato.tables.run.rows import EngineRows

_BETWEEN = "\x1f"
_MISSING = "\x1e"


def find_keys(rows: EngineRows, keys: Keys, step: FindKeys, *, source: Any) -> Keys:
    """Return the groups that may be shown, at the cost of the step.

    Each person counts in at most so many groups; of more, those with the smallest digests of the
    person and the group are taken, which is the same choice on every engine.
    """
    people = people_in_groups(rows, keys, step.groups)
    kept = step.mechanism.release(people, source=source).value
    return Keys(keys.names, ordered(list(kept)))


def people_in_groups(rows: EngineRows, keys: Keys, most: int) -> dict[tuple[Any, ...], int]:
    """Return how many people are in each group, everybody in at most so many of them."""
    names = keys.columns
    table = rows.grouped(keys, ())
    if PERSON in table.columns:
        counted = _people(table, names, most)
    else:
        counted = table.group_by(names).agg(people=table.count())
    answer = rows.source.fetch(counted)
    people = map(int, answer["people"].to_pylist())
    return dict(zip(key_rows(answer, names), people, strict=True))


def _people(table: ir.Table, names: Sequence[str], most: int) -> ir.Table:
    """Count everybody in all of their groups, and take away those beyond so many.

    So people within the limit, who are most, are neither ranked nor looked up.
    """
    pairs = table.select([PERSON, *names]).distinct()
    found = pairs.group_by(names).agg(people=pairs.count())
    beyond = _beyond(pairs, names, most)
    taken = beyond.group_by(names).agg(people=-beyond.count())
    both = found.union(taken)
    return both.group_by(names).agg(people=both.people.sum())


def _beyond(pairs: ir.Table, names: Sequence[str], most: int) -> ir.Table:
    """Return the groups of people who are in too many, but for those that they count in."""
    import ibis

    counted = pairs.group_by(PERSON).agg(groups=pairs.count())
    many = counted.filter(counted.groups > most)
    theirs = pairs.semi_join(many, pairs[PERSON].identical_to(many[PERSON]))
    digest = _text(theirs, [PERSON, *names]).hexdigest("md5")
    ranked = theirs.mutate(digest=digest)
    place = ibis.row_number().over(
        ibis.window(group_by=PERSON, order_by=[ranked.digest, *(ranked[each] for each in names)])
    )
    placed = ranked.mutate(place=place)
    return placed.filter(placed.place >= most)


def _text(table: ir.Table, names: Sequence[str]) -> ir.Value:
    """Return the values of some columns in one text, in which they can be told apart."""
    import ibis

    parts = [ibis.coalesce(table[name].cast("string"), _MISSING) for name in names]
    return reduce(lambda left, right: left + _BETWEEN + right, parts)
