"""Joins of private tables: what may stand beside what, and how much of a person counts then."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sfumato.data import gathered
from sfumato.data.names import asked_names
from sfumato.data.policy import Limits
from sfumato.errors import InputError, UnknownNameError
from sfumato.privacy import Person
from sfumato.tables.columns import known_columns
from sfumato.tables.tree.public import PublicTable
from sfumato.tables.tree.question import Held
from sfumato.tables.tree.steps import JoinPeople, JoinPublic

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sfumato.data import Source
    from sfumato.data.policy import Policy
    from sfumato.tables.tree.steps import Step

__all__ = ["Joined", "given_tables", "joined"]

_MOST_ROWS = 10**9
_WAYS = ("inner", "left")
_GIVEN = "write tables={'regions': sf.public('regions.csv')}, say"


@dataclass(frozen=True)
class Joined:
    """What a private table becomes by a join: its policy, where it is, and its steps."""

    policy: Policy
    source: Source
    steps: tuple[Step, ...]


def joined(table: Held, steps: tuple[Step, ...], other: Any, on: Any, how: Any) -> Joined:
    """Return what a table becomes beside another, or say why the two cannot be joined."""
    if how not in _WAYS:
        message = f"how is {how!r:.40}; write how='inner', or 'left' to keep rows without a match"
        raise InputError(message)
    if isinstance(other, PublicTable):
        return _beside_public(table, steps, other, on, how)
    if isinstance(other, Held):
        return _beside_people(table, steps, other, on, how)
    message = (
        f"join takes a public table or another private one, not {type(other).__name__}; write "
        "join(sf.public('regions.csv'), on='zip')"
    )
    raise InputError(message)


def given_tables(given: Any) -> dict[str, PublicTable | Held]:
    """Return the tables that a question may join by their names, or say what is none."""
    named = {} if given is None else given
    if not isinstance(named, Mapping) or not all(isinstance(name, str) for name in named):
        message = f"tables takes tables by their names, not {type(given).__name__}; {_GIVEN}"
        raise InputError(message)
    for name, each in named.items():
        if not isinstance(each, (PublicTable, Held)):
            message = (
                f"tables has {type(each).__name__} by the name {name[:60]!r}, which is neither a "
                f"public table nor a private one; {_GIVEN}"
            )
            raise InputError(message)
    return dict(named)


def _beside_public(
    table: Held, steps: tuple[Step, ...], other: PublicTable, on: Any, how: str
) -> Joined:
    known = known_columns(table.policy, table.schema, steps)
    pairs = _pairs(on)
    for ours, theirs in pairs:
        _check_there(ours, known, table.source.name)
        other.check_columns([theirs])
        _check_same_type(ours, known[ours].type, theirs, other)
    most = max(1, other.most_alike([theirs for _, theirs in pairs]))
    step = JoinPublic(other, pairs, how, most)
    _check_apart(known, step.taken, f"rename it first, as in {_renaming(step.taken, known)}")
    if most > 1 and not isinstance(table.relation.unit, Person):
        message = (
            f"{other.name} has {most:,} rows that are alike in "
            f"{', '.join(theirs for _, theirs in pairs)}, and one row would become as many; where "
            "each row is another person's (unit='row'), take a public table with one row a key"
        )
        raise InputError(message)
    limits = _times(table.policy.limits, most)
    return Joined(replace(table.policy, limits=limits), table.source, (*steps, step))


def _beside_people(table: Held, steps: tuple[Step, ...], other: Held, on: Any, how: str) -> Joined:
    ids = _ids(table, other)
    _check_on(on, ids)
    _check_same_account(table.policy, other.policy)
    theirs: tuple[Step, ...] = getattr(other, "steps", ())
    _check_not_itself([table.source, *_sources(steps)], [other.source, *_sources(theirs)])
    _check_same_ids(table, other, ids)
    ours = known_columns(table.policy, table.schema, steps)
    found = known_columns(other.policy, other.schema, theirs)
    taken = [each for each in found if each != ids[1]]
    _check_apart(ours, taken, "give it another name in one of them, by with_columns")
    held = [table.source, *_sources(steps), other.source, *_sources(theirs)]
    moved = {id(old): new for old, new in zip(held, gathered(held), strict=True)}
    step = JoinPeople(
        other.policy, moved[id(other.source)], other.schema, _moved(theirs, moved), ids, how
    )
    kept = [
        each
        for each in other.policy.keysets
        if all(name in taken and found[name].declared for name in each.columns)
    ]
    policy = replace(
        table.policy,
        limits=_both(table.policy.limits, other.policy.limits),
        keysets=(*table.policy.keysets, *kept),
        allowance=table.policy.allowance or other.policy.allowance,
    )
    return Joined(policy, moved[id(table.source)], (*_moved(steps, moved), step))


def _pairs(on: Any) -> tuple[tuple[str, str], ...]:
    if on is None:
        message = "it is not said which columns must be alike; write on='zip', say"
        raise InputError(message)
    ours, theirs = (on.keys(), on.values()) if isinstance(on, Mapping) else (on, on)
    pairs = tuple(zip(asked_names(ours, "on"), asked_names(theirs, "on"), strict=True))
    sides = [[pair[side] for pair in pairs] for side in (0, 1)]
    if not pairs or any(len(set(each)) < len(each) for each in sides):
        message = "on names a column twice, or none; write on='zip', on=['zip', 'year'], say"
        raise InputError(message)
    return pairs


def _check_there(name: str, known: Iterable[str], where: str) -> None:
    if name not in known:
        raise UnknownNameError(kind="column", name=name, known=known, where=where)


def _check_same_type(ours: str, kind: str, theirs: str, other: PublicTable) -> None:
    found = other.schema[theirs]
    if kind != found:
        declare = f"types={{{theirs!r}: {kind!r}}} of the public table"
        if kind == "text":
            declare = f"types={{{ours!r}: {found!r}}} of the private table"
        message = (
            f"the column {ours!r} is of type {kind}, and {theirs!r} of {other.name} of type "
            f"{found}; declare one type for both, as in {declare}"
        )
        raise InputError(message)


def _check_apart(known: Iterable[str], taken: Iterable[str], write: str) -> None:
    both = [each for each in taken if each in set(known)]
    if both:
        message = f"both tables have a column {both[0]!r}; {write}"
        raise InputError(message)


def _renaming(taken: Iterable[str], known: Iterable[str]) -> str:
    both = [each for each in taken if each in set(known)]
    return f"public.rename({{{both[0]!r}: {'other_' + both[0]!r}}})" if both else ""


def _ids(table: Held, other: Held) -> tuple[str, str]:
    units = table.relation.unit, other.relation.unit
    if type(table.relation) is not type(other.relation) or not all(
        isinstance(each, Person) for each in units
    ):
        message = (
            f"one table protects “{table.relation}” and the other “{other.relation}”; two private "
            "tables are joined where both protect people, against the same change"
        )
        raise InputError(message)
    one, two = (str(getattr(each, "column", "")) for each in units)
    return one, two


def _check_on(on: Any, ids: tuple[str, str]) -> None:
    if on is None or _pairs(on) == (ids,):
        return
    written = repr(ids[0]) if ids[0] == ids[1] else f"{{{ids[0]!r}: {ids[1]!r}}}"
    message = (
        f"two private tables are joined by the person's id alone; leave on out, or write "
        f"on={written}"
    )
    raise InputError(message)


def _check_same_account(one: Policy, two: Policy) -> None:
    places = [(each.ledger and (each.ledger.path, each.ledger.book)) for each in (one, two)]
    if places[0] != places[1]:
        message = (
            "the two tables are charged to different books, and what is told of a person is kept "
            "in one; declare the same ledger and book for both"
        )
        raise InputError(message)


def _check_not_itself(ours: Sequence[Source], theirs: Sequence[Source]) -> None:
    if any(one.is_same_as(two) for one in ours for two in theirs):
        message = (
            "a table cannot be joined with itself; what its rows of one person have in common is "
            "per_person(…)"
        )
        raise InputError(message)


def _check_same_ids(table: Held, other: Held, ids: tuple[str, str]) -> None:
    """Refuse ids that an engine would have to convert before it could compare them."""
    one, two = (
        each.source.table.schema()[name] for each, name in zip((table, other), ids, strict=True)
    )
    whole = one.is_signed_integer() and two.is_signed_integer()
    if not whole and one.copy(nullable=True) != two.copy(nullable=True):
        message = (
            f"the ids {ids[0]!r} and {ids[1]!r} are held as different types ({one} and {two}), "
            "and two people could become one; store both as text, or both as whole numbers"
        )
        raise InputError(message)


def _sources(steps: Iterable[Step]) -> Iterator[Source]:
    for step in steps:
        if isinstance(step, JoinPeople):
            yield step.source
            yield from _sources(step.steps)


def _moved(steps: Iterable[Step], moved: Mapping[int, Source]) -> tuple[Step, ...]:
    return tuple(
        replace(each, source=moved[id(each.source)], steps=_moved(each.steps, moved))
        if isinstance(each, JoinPeople)
        else each
        for each in steps
    )


def _times(limits: Limits, most: int) -> Limits:
    """Return how much of a person counts where each row may become several.

    A limit on rows grows with them; limits on groups say nothing of groups by other columns.
    """
    if most == 1:
        return limits
    rows = limits.rows * most if isinstance(limits.rows, int) else limits.rows
    within = not isinstance(rows, int) or rows <= _MOST_ROWS
    return Limits(rows=rows if within else None)


def _both(ours: Limits, theirs: Limits) -> Limits:
    """Return how much of a person counts of their rows in two tables, each beside each.

    Where they have one row in one table, the limits of the other hold.  Else the limits on rows
    multiply, and what is not declared in both is chosen privately.
    """
    if theirs.rows == 1:
        return ours
    if ours.rows == 1:
        return theirs
    return _times(Limits(rows=ours.rows), theirs.rows) if isinstance(theirs.rows, int) else Limits()
