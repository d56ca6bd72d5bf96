"""Joins of private tables: what may stand beside what, and how much of a person counts then."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sfumato.data import asked_names, gathered
from sfumato.data.policy import Limits
from sfumato.errors import InputError, UnknownNameError
from sfumato.privacy import Person
from sfumato.refusal import Argument, Bare, Declaration, text
from sfumato.tables.tree.public import PublicTable
from sfumato.tables.tree.rows import Held, HeldRows, JoinPeople, JoinPublic, with_step
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sfumato.data import Source
    from sfumato.data.policy import Policy
    from sfumato.refusal import Given

_MOST_ROWS = 10**9
_WAYS = ("inner", "left")
_TABLES = Argument("tables", Bare("{'regions': sf.public('regions.csv')}"))


def joined(table: HeldRows, other: Any, on: Any, how: Any) -> HeldRows:
    """Return what a table becomes beside another, or say why the two cannot be joined."""
    if how not in _WAYS:
        raise InputError(
            "E-ARGUMENT-CHOICE",
            "{argument} must be 'inner' or 'left', not {how!r:.40}",
            "write how='inner', or 'left' to keep rows without a match",
            how=how,
            argument=Argument("how"),
        )
    if isinstance(other, PublicTable):
        return _beside_public(table, other, on, how)
    if isinstance(other, Held):
        return _beside_people(table, other, on, how)
    raise InputError(
        "E-ARGUMENT-TYPE",
        "join takes a public table or another private one, not {kind}",
        "write join(sf.public('regions.csv'), {on})",
        kind=type(other).__name__,
        on=Argument("on", "zip"),
    )


def given_tables(given: Any) -> dict[str, PublicTable | Held]:
    """Return the tables that a question may join by their names, or say what is none."""
    named = {} if given is None else given
    if not isinstance(named, Mapping) or not all(isinstance(name, str) for name in named):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "tables takes tables by their names, not {kind}",
            "write {example}, say",
            kind=type(given).__name__,
            example=_TABLES,
        )
    for name, each in named.items():
        if not isinstance(each, (PublicTable, Held)):
            raise InputError(
                "E-ARGUMENT-TYPE",
                "tables has {kind} by the name {name!r}, which is neither a public table nor "
                "a private one",
                "write {example}, say",
                kind=type(each).__name__,
                name=name[:60],
                example=_TABLES,
            )
    return dict(named)


def _beside_public(table: HeldRows, other: PublicTable, on: Any, how: str) -> HeldRows:
    known = table.steps.known
    pairs = _pairs(on)
    for ours, theirs in pairs:
        _check_there(ours, known, table.source.name)
        other.check_columns([theirs])
        _check_same_type(ours, known[ours].type, theirs, other)
    most = max(1, other.most_alike([theirs for _, theirs in pairs]))
    step = JoinPublic(other, pairs, how, most)
    renamed = text("rename it first, as in {renaming}", renaming=_renaming(step.taken, known))
    _check_apart(known, step.taken, renamed)
    if most > 1 and not isinstance(table.relation.unit, Person):
        raise InputError(
            "E-JOIN-MULTIPLIES",
            "{other} has {most:,} rows that are alike in {listed}, and one row would become "
            "as many",
            "where each row is another person's ({unit}), take a public table with one row a key",
            other=other.name,
            most=most,
            listed=", ".join((theirs for _, theirs in pairs)),
            unit=Argument("unit", "row"),
        )
    limits = _times(table.policy.limits, most)
    return with_step(table, step, policy=replace(table.policy, limits=limits))


def _beside_people(table: HeldRows, other: Held, on: Any, how: str) -> HeldRows:
    ids = _ids(table, other)
    _check_on(on, ids)
    _check_same_account(table.policy, other.policy)
    ours, theirs = list(_sources(table)), list(_sources(other))
    _check_not_itself(ours, theirs)
    _check_same_ids(table, other, ids)
    known, others = table.steps.known, other.steps.known
    taken = [each for each in others if each != ids[1]]
    _check_apart(known, taken, mark("give it another name in one of them, by with_columns"))
    held = [*ours, *theirs]
    moved = {id(old): new for old, new in zip(held, gathered(held), strict=True)}
    step = JoinPeople(_moved(other, moved), ids, how)
    kept = [
        each
        for each in other.policy.keysets
        if all(name in taken and others[name].declared for name in each.columns)
    ]
    policy = replace(
        table.policy,
        limits=_both(table.policy.limits, other.policy.limits),
        keysets=(*table.policy.keysets, *kept),
        allowance=table.policy.allowance or other.policy.allowance,
    )
    return with_step(_moved(table, moved), step, policy=policy)


def _pairs(on: Any) -> tuple[tuple[str, str], ...]:
    if on is None:
        raise InputError(
            "E-JOIN-COLUMNS",
            "it is not said which columns must be alike",
            "write {on}, say",
            on=Argument("on", "zip"),
        )
    ours, theirs = (on.keys(), on.values()) if isinstance(on, Mapping) else (on, on)
    pairs = tuple(zip(asked_names(ours, "on"), asked_names(theirs, "on"), strict=True))
    sides = [[pair[side] for pair in pairs] for side in (0, 1)]
    if not pairs or any(len(set(each)) < len(each) for each in sides):
        raise InputError(
            "E-JOIN-COLUMNS",
            "{on} names a column twice, or none",
            "write {example}, on=['zip', 'year'], say",
            on=Argument("on"),
            example=Argument("on", "zip"),
        )
    return pairs


def _check_there(name: str, known: Iterable[str], where: str) -> None:
    if name not in known:
        raise UnknownNameError(kind="column", name=name, known=known, where=where)


def _check_same_type(ours: str, kind: str, theirs: str, other: PublicTable) -> None:
    found = other.schema[theirs]
    if kind != found:
        declare = Declaration("types", theirs, kind, whose="public")
        if kind == "text":
            declare = Declaration("types", ours, found, whose="private")
        raise InputError(
            "E-JOIN-TYPES",
            "the column {ours!r} is of type {kind}, and {theirs!r} of {other} of type {found}",
            "declare one type for both, as in {declare}",
            ours=ours,
            kind=kind,
            theirs=theirs,
            other=other.name,
            found=found,
            declare=declare,
        )


def _check_apart(known: Iterable[str], taken: Iterable[str], write: Given) -> None:
    both = [each for each in taken if each in set(known)]
    if both:
        raise InputError(
            "E-COLUMN-TWICE",
            "both tables have a column {both!r}",
            "{write}",
            both=both[0],
            write=write,
        )


def _renaming(taken: Iterable[str], known: Iterable[str]) -> str:
    both = [each for each in taken if each in set(known)]
    return f"public.rename({{{both[0]!r}: {'other_' + both[0]!r}}})" if both else ""


def _ids(table: Held, other: Held) -> tuple[str, str]:
    units = table.relation.unit, other.relation.unit
    if type(table.relation) is not type(other.relation) or not all(
        isinstance(each, Person) for each in units
    ):
        raise InputError(
            "E-RELATION-OTHER",
            "one table is declared for “{relation}” and the other for “{other_relation}”",
            "two private tables are joined where in both the privacy unit is a person, and the "
            "neighbouring relation is the same",
            relation=table.relation,
            other_relation=other.relation,
        )
    one, two = (str(getattr(each, "column", "")) for each in units)
    return one, two


def _check_on(on: Any, ids: tuple[str, str]) -> None:
    if on is None or _pairs(on) == (ids,):
        return
    written = repr(ids[0]) if ids[0] == ids[1] else f"{{{ids[0]!r}: {ids[1]!r}}}"
    raise InputError(
        "E-JOIN-COLUMNS",
        "two private tables are joined by the person's id alone",
        "leave on out, or write on={written}",
        written=written,
    )


def _check_same_account(one: Policy, two: Policy) -> None:
    places = [(each.ledger and (each.ledger.path, each.ledger.book)) for each in (one, two)]
    if places[0] != places[1]:
        raise InputError(
            "E-JOIN-LEDGERS",
            "the two tables are charged to different books, and the privacy budget of a person is "
            "kept in one",
            "declare the same ledger and book for both",
        )


def _check_not_itself(ours: Sequence[Source], theirs: Sequence[Source]) -> None:
    if any(one.is_same_as(two) for one in ours for two in theirs):
        raise InputError(
            "E-JOIN-ITSELF",
            "a table cannot be joined with itself",
            "what its rows of one person have in common is per_person(…)",
        )


def _check_same_ids(table: Held, other: Held, ids: tuple[str, str]) -> None:
    """Refuse ids that an engine would have to convert before it could compare them."""
    one, two = (
        each.source.table.schema()[name] for each, name in zip((table, other), ids, strict=True)
    )
    whole = one.is_signed_integer() and two.is_signed_integer()
    if not whole and one.copy(nullable=True) != two.copy(nullable=True):
        raise InputError(
            "E-JOIN-TYPES",
            "the ids {ids!r} and {other_ids!r} are held as different types ({one} and {two}), and "
            "two people could become one",
            "store both as text, or both as whole numbers",
            ids=ids[0],
            other_ids=ids[1],
            one=one,
            two=two,
        )


def _sources(table: Held) -> Iterator[Source]:
    """Yield where the rows of a table are, and those of the tables that were joined to it."""
    yield table.source
    for step in table.steps:
        if isinstance(step, JoinPeople):
            yield from _sources(step.other)


def _moved(table: HeldRows, moved: Mapping[int, Source]) -> HeldRows:
    """Return a table that is where its rows are now, with the tables that were joined to it."""
    if all(moved[id(each)] is each for each in _sources(table)):
        return table
    steps = table.steps.stages[0]
    for step in table.steps:
        if isinstance(step, JoinPeople):
            step = replace(step, other=_moved(step.other, moved))  # noqa: PLW2901
        steps = steps.then(step)
    return replace(table, source=moved[id(table.source)], steps=steps)


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
