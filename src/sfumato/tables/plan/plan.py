"""A plan: everything about an answer that is known before a row is read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError, InternalError, UnknownNameError
from sfumato.privacy import Person
from sfumato.refusal import PYTHON, Declaration
from sfumato.tables.comparison import check_aggregates_ordered
from sfumato.tables.notes import Notes
from sfumato.tables.plan.assembling import outputs_for
from sfumato.tables.plan.auto_bounds import automatic_columns, finding
from sfumato.tables.plan.budget import divide, importance_of
from sfumato.tables.plan.contribution import Contribution, limits_are_chosen, limits_for
from sfumato.tables.plan.measurements import Measurement
from sfumato.tables.plan.notes import notes_of
from sfumato.tables.plan.outline import Outline
from sfumato.tables.plan.partition_selection import check_search, keys_for, search
from sfumato.tables.plan.render import lines_of
from sfumato.tables.plan.sampled import added_up, sampled_in, sampling
from sfumato.tables.plan.selection import Look, LookAtCells
from sfumato.tables.plan.steps import ChooseLimit, Measure
from sfumato.tables.plan.target import QueryTarget, read_target
from sfumato.tables.plan.validate import check_question

if TYPE_CHECKING:
    from sfumato.refusal import Surface
    from sfumato.tables.plan.budget import Division
    from sfumato.tables.plan.partition_selection import Keys
    from sfumato.tables.plan.steps import PrivateStep
    from sfumato.tables.tree.rows import Question


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


_LEAST_WEIGHT = 1e-6


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
    contribution = _contribution(query, keys, list(map(_counted, importance)), target)
    automatic = automatic_columns(query.aggregates, columns)
    division = divide(
        target,
        {**importance, **{name: weighed.get(name, 1.0) for name in sampled}},
        limits=list(contribution.chosen_by()),
        finds_keys=not keys.are_known,
        bounds=list(automatic),
    )
    steps = (
        *search(query, division),
        *(
            finding(automatic[name], share, columns, contribution)
            for name, share in division.bounds.items()
        ),
        *_measuring(keys, contribution, division),
        *(
            sampling(name, each, query, division.measurements[name])
            for name, each in sampled.items()
        ),
    )
    guarantee = _guaranteed(target, keys).guarantee(contribution.relation)
    return Plan(query, target, keys, contribution, outputs, steps, guarantee)


def _contribution(
    query: Question, keys: Keys, measurements: list[Measurement], target: QueryTarget
) -> Contribution:
    relation = query.table.relation
    if not isinstance(relation.unit, Person):
        return Contribution(relation, {})
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


def _counted(spending: Measurement | Look) -> Measurement:
    """Return by what a person is limited: what is measured, or the rows that are looked at."""
    return spending.rows if isinstance(spending, Look) else spending


def _guaranteed(target: QueryTarget, keys: Keys) -> QueryTarget:
    """Return what is guaranteed: with Laplace noise and declared groups no δ is needed."""
    return target if target.is_gaussian or not keys.are_known else replace(target, delta=None)


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
