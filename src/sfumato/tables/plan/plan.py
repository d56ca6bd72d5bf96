"""A plan: everything about an answer that is known before a row is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError, InternalError, UnknownNameError
from sfumato.privacy import Person
from sfumato.refusal import PYTHON, Argument, Call, Declaration
from sfumato.tables.notes import Notes
from sfumato.tables.plan.bounds import automatic_columns, finding
from sfumato.tables.plan.budget import QueryTarget, divide, importance_of, read_target
from sfumato.tables.plan.cells import Look, LookAtCells
from sfumato.tables.plan.measurements import (
    Contribution,
    Measurement,
    limits_are_chosen,
    limits_for,
)
from sfumato.tables.plan.notes import notes_of
from sfumato.tables.plan.outline import Outline, outputs_for
from sfumato.tables.plan.partition_selection import check_search, keys_for, search
from sfumato.tables.plan.render import lines_of
from sfumato.tables.plan.steps import ChooseLimit, Measure
from sfumato.tables.sample_aggregation import added_up, sampled_in, sampling
from sfumato.tables.tree.aggregates import People
from sfumato.tables.tree.rows import check_aggregates_ordered

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sfumato.refusal import Surface
    from sfumato.tables.column import KnownColumn
    from sfumato.tables.plan.budget import Division
    from sfumato.tables.plan.partition_selection import Keys
    from sfumato.tables.plan.steps import PrivateStep
    from sfumato.tables.tree.rows import Question

_LEAST_WEIGHT = 1e-6
_MOST_AGGREGATES = 100
#: An engine nests one query in another for each.
_MOST_STEPS = 50


@dataclass(frozen=True, eq=False, repr=False)
class Plan(Outline):
    """What a query costs and how exact its answer will be; no row was read for it.

    Its parts are those of an ``Outline``; ``Query.plan`` makes one.

    Examples
    --------
    >>> import pandas as pd
    >>> import sfumato as sf
    >>> visits = sf.table(pd.DataFrame({"id": [1, 1, 2]}), unit="id", limits={"rows": 10})
    >>> print(visits.agg(n=sf.count()).plan(epsilon=0.5).guarantee)
    0.5-DP (add or remove one id)
    """

    @property
    def notes(self) -> Notes:
        """What is to be known of an answer beside its figures.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> visits = sf.table(pd.DataFrame({"visitor": [1, 1, 2]}), unit="visitor",
        ...                   limits={"rows": 10})
        >>> print(visits.agg(n=sf.count()).plan(epsilon=1).notes.first)
        contributions above 10 rows of one visitor are scaled down, not dropped (contribution \
bounding), and the intervals do not cover that
        """
        return Notes.of(notes_of(self))

    def lines(self, *, surface: Surface = PYTHON, width: int | None = None) -> list[str]:
        """Return the plan as a tree, one line a branch.

        Parameters
        ----------
        surface
            How notes write their hints: as Python has them, or the shell.
        width
            How wide a line may be; longer ones are wrapped. None for any.

        Examples
        --------
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> table = sf.table(pd.DataFrame({"age": [61, 64]}), unit="row")
        >>> table.agg(n=sf.count()).plan(epsilon=1).lines()[0]
        'n = count(*) of the table'
        """
        return lines_of(self, [each.said(surface) for each in self.notes], width)

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        return f"<plan of {self.query}: {self.guarantee}>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


def make_plan(
    query: Question,
    *,
    epsilon: Any = None,
    delta: Any = None,
    rho: Any = None,
    noise: Any = "auto",
    weights: Mapping[str, float] | None = None,
) -> Plan:
    """Return what a query would do and cost; see ``Query.plan``."""
    target = read_target(epsilon=epsilon, delta=delta, rho=rho, noise=noise)
    columns = query.steps.known
    check_question(query, columns)
    keys = keys_for(query.keys, columns, query.table.policy.keysets)
    if not keys.are_known:
        check_search(query, columns, target)
    sampled = sampled_in(query, columns)
    summed, apart = added_up(query.aggregates), limits_are_chosen(query)
    outputs = outputs_for(summed, columns, norm=target.norm, apart=apart)
    check_aggregates_ordered(query)
    weighed = _read_weights(weights, query)
    importance = importance_of(outputs, weighed)
    contribution = _contribution(query, keys, importance, target)
    automatic = automatic_columns(query.aggregates, columns)
    division = divide(
        target,
        {**importance, **{name: weighed.get(name, 1.0) for name in sampled}},
        limits=list(contribution.chosen_by()),
        finds_keys=not keys.are_known,
        bounds=list(automatic),
    )
    bounding = (
        finding(automatic[name], share, columns, contribution)
        for name, share in division.bounds.items()
    )
    samplings = (
        sampling(name, each, query, division.measurements[name]) for name, each in sampled.items()
    )
    measuring = _measuring(keys, contribution, division)
    steps = (*search(query, division), *bounding, *measuring, *samplings)
    # With Laplace noise and declared groups no δ is needed.
    is_pure = keys.are_known and not target.is_gaussian
    guaranteed = replace(target, delta=None) if is_pure else target
    return Plan(
        query,
        target,
        keys,
        contribution,
        outputs,
        steps,
        guaranteed.guarantee(contribution.relation),
    )


def _contribution(
    query: Question, keys: Keys, measured: Iterable[Measurement | Look], target: QueryTarget
) -> Contribution:
    relation = query.table.relation
    if not isinstance(relation.unit, Person):
        return Contribution(relation, {})
    measurements = [each.rows if isinstance(each, Look) else each for each in measured]
    declared = query.table.policy.limits
    limits = limits_for(measurements, declared, groups=keys.count, norm=target.norm)
    return Contribution(relation, limits)


def _measuring(
    keys: Keys, contribution: Contribution, division: Division
) -> tuple[PrivateStep, ...]:
    """Return the steps that choose limits, add noise to sums, and look at cells."""
    chosen = [
        ChooseLimit(division.limits[kind], contribution.limits[names[0]].weighing, tuple(names))
        for kind, names in contribution.chosen_by().items()
    ]
    measures = [
        Measure(share, each, contribution, keys.count, _joint(each, division.measurements))
        for each, share in division.measurements.items()
        if isinstance(each, Measurement)
    ]
    looks = [
        LookAtCells(share, each, contribution, keys.count)
        for each, share in division.measurements.items()
        if isinstance(each, Look)
    ]
    return (*chosen, *measures, *looks)


def _joint(one: Measurement, all_of_them: Iterable[Any]) -> tuple[Measurement, ...]:
    """Return all that is measured together with a measurement, itself included.

    A row adds, relative to the most, at most one to both parts of one column and to the rows
    without it: no more than these may share what is spent.
    """
    measured = [each for each in all_of_them if isinstance(each, Measurement)]
    found = tuple(each for each in measured if one.together and each.together == one.together)
    kinds = {(each.turned, each.absent) for each in found}
    columns = {each.factors for each in found if not each.absent}
    if len(kinds) < len(found) or len(columns) > 1 or len({each.present for each in found}) > 1:
        raise InternalError(
            "E-INTERNAL", "what is measured together does not belong together: {found}", found=found
        )
    return found


def _read_weights(weights: Any, query: Question) -> dict[str, float]:
    if weights is None:
        return {}
    if not isinstance(weights, Mapping):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "weights must be a mapping from aggregates to numbers, such as {{'n': 2}}",
        )
    names = [name for name, _ in query.aggregates]
    for name, weight in weights.items():
        if name not in names:
            raise UnknownNameError(kind="aggregate", name=name, known=names)
        number = isinstance(weight, (int, float)) and not isinstance(weight, bool)
        if not number or not _LEAST_WEIGHT <= weight <= 1 / _LEAST_WEIGHT:
            raise InputError(
                "E-ARGUMENT-RANGE",
                "the weight of {name!r} must be a number from 0.000001 to 1,000,000",
                "write {weights}",
                name=name,
                weights=Declaration("weights", str(name), 2),
            )
    return {name: float(weight) for name, weight in weights.items()}


def check_question(query: Question, columns: Mapping[str, KnownColumn]) -> None:
    """Refuse a question that cannot be answered, whatever it may cost."""
    _check_steps(query)
    _check_keys(query, columns)
    _check_people(query)
    _check_public_rows(query)
    _check_columns(query)


def _check_steps(query: Question) -> None:
    """Refuse more steps than an engine can nest."""
    if len(query.steps) > _MOST_STEPS:
        raise InputError(
            "E-QUESTION-TOO-LARGE",
            "the query has {count:,} steps before its aggregates, of which {most_steps} "
            "are allowed",
            "join filters by &, and derive several columns at once",
            count=len(query.steps),
            most_steps=_MOST_STEPS,
        )


def _check_keys(query: Question, columns: Mapping[str, KnownColumn]) -> None:
    unit = query.table.relation.unit
    for name in query.keys:
        if name not in columns:
            raise UnknownNameError(
                kind="column", name=name, known=columns, where=query.table.source.name
            )
        if isinstance(unit, Person) and name == unit.column:
            raise InputError(
                "E-COLUMN-IS-UNIT",
                "rows are not grouped by the privacy unit {name!r}: each group would be one person",
                "group by another column",
                name=name,
            )
        if columns[name].type == "other":
            raise InputError(
                "E-COLUMN-TYPE",
                "rows cannot be grouped by {name!r}, which is of a type without an order",
                name=name,
            )


def _check_people(query: Question) -> None:
    asked = [name for name, each in query.aggregates if isinstance(each, People)]
    if asked and not isinstance(query.table.relation.unit, Person):
        raise InputError(
            "E-UNIT-IS-ROW",
            "{asked!r} counts people, and the privacy unit is the row",
            "write {call} for rows, or declare the column of the person's id, as in {unit}",
            asked=asked[0],
            unit=Argument("unit", "patient_id"),
            call=Call("count"),
        )


def _check_public_rows(query: Question) -> None:
    """Refuse a public number of rows for groups, and where a person's rows may count in part."""
    asked = [name for name, each in query.aggregates if getattr(each, "rows", None) is not None]
    if asked and (query.keys or isinstance(query.table.relation.unit, Person)):
        raise InputError(
            "E-AGGREGATE-NOT-HERE",
            "{asked!r} is a mean over a public number of rows, which is for a table without "
            "groups in which the row is the privacy unit ({unit})",
            "leave rows out, and they are counted privately",
            asked=asked[0],
            unit=Argument("unit", "row"),
        )


def _check_columns(query: Question) -> None:
    """Refuse two columns of one name, and more aggregates than anybody would read."""
    if len(query.aggregates) > _MOST_AGGREGATES:
        raise InputError(
            "E-QUESTION-TOO-LARGE",
            "the query has {count:,} aggregates, of which {most_aggregates} are allowed",
            "ask several queries",
            count=len(query.aggregates),
            most_aggregates=_MOST_AGGREGATES,
        )
    names = [*query.keys]
    for name, aggregate in query.aggregates:
        for column in aggregate.answer_columns(name):
            names += [column, f"{column}_low", f"{column}_high"]
    for name in names:
        if names.count(name) > 1:
            raise InputError(
                "E-COLUMN-TWICE",
                "the answer would have two columns {name!r}",
                "rename an aggregate",
                name=name,
            )
