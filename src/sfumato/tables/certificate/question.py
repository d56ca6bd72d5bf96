"""A question as a document: what is done to rows, what is asked of them, and of the answer."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.data.policy import column_document
from sfumato.data.policy import document as policy_document
from sfumato.errors import InputError
from sfumato.privacy.events import plain
from sfumato.tables.expressions import Expression, document
from sfumato.tables.release.answer import written_value
from sfumato.tables.sample_aggregation import Sampled
from sfumato.tables.tree.aggregates import (
    Count,
    Covariance,
    Deviation,
    Having,
    Head,
    Histogram,
    Maximum,
    Mean,
    Minimum,
    NonNegative,
    People,
    Quantiles,
    SortBy,
    Sum,
    TopK,
    Variance,
)
from sfumato.tables.tree.rows import Declare, Derive, Filter, JoinPeople, JoinPublic, PerPerson

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.tables.tree.aggregates import After, Aggregate
    from sfumato.tables.tree.rows import Held, Question, Step


#: The fields of each kind of aggregate, which is the first that it is an instance of.
_KINDS: tuple[tuple[type[Aggregate], str, tuple[str, ...]], ...] = (
    (Count, "count", ("of",)),
    (People, "people", ()),
    (Sum, "sum", ("of", "bounds")),
    (Mean, "mean", ("of", "bounds", "rows")),
    (Variance, "variance", ("of", "bounds")),
    (Deviation, "std", ("of", "bounds")),
    (Covariance, "covariance", ("of", "other", "bounds", "other_bounds")),
    (Quantiles, "quantiles", ("of", "bounds", "ranks", "confidence")),
    (Minimum, "minimum", ("of", "bounds")),
    (Maximum, "maximum", ("of", "bounds")),
    (Histogram, "histogram", ("of", "edges")),
    (TopK, "top_k", ("of", "count", "values", "method")),
    (Sampled, "sample_aggregate", ("columns", "bounds", "blocks", "default")),
)
#: Of a public column with more values than these, they are said only where rows are grouped by it.
_MOST_VALUES = 1_000


def query_document(query: Question) -> dict[str, Any]:
    """Return the tree of a question, with the types of the columns that it starts from."""
    table = query.table
    return {
        "columns": dict(table.schema),
        "steps": steps_document(table, {*query.keys}),
        "keys": list(query.keys),
        "aggregates": [
            {**aggregate_document(name, each), "answers": list(each.answer_columns(name))}
            for name, each in query.aggregates
        ],
        "after": [_after(each) for each in query.after],
    }


def check_tree(query: Question) -> None:
    """Refuse a question that a certificate cannot say; nothing is charged for it."""
    query_document(query)


def aggregate_document(name: str, aggregate: Aggregate) -> dict[str, Any]:
    """Return what is asked under a name."""
    for kind, word, names in _KINDS:
        if isinstance(aggregate, kind):
            given = {each: written(getattr(aggregate, each)) for each in names}
            known = {"name": name, "aggregate": word} | given
            if isinstance(aggregate, Sampled):
                known |= {"by": aggregate.aggregate, "code": aggregate.code_digest}
            return known
    raise InputError(
        "E-CERTIFICATE-UNABLE",
        "a certificate cannot say what {aggregate} is",
        "leave the certificate out",
        aggregate=aggregate,
    )


def written(value: Any) -> Any:
    """Return an option as JSON can hold it, numbers exactly."""
    if isinstance(value, Expression):
        return document(value)
    if isinstance(value, Fraction):
        return plain(value)
    return [written(each) for each in value] if isinstance(value, tuple) else written_value(value)


def steps_document(table: Held, keys: set[str]) -> list[dict[str, Any]]:
    """Return what is done to the rows of a table, step by step.

    Parameters
    ----------
    table
        The table after the steps.
    keys
        What rows are grouped by in the end.
    """
    return [_step(after[-1], after.types, keys) for after in table.steps.stages[1:]]


def _step(step: Step, types: Mapping[str, str], keys: set[str]) -> dict[str, Any]:
    match step:
        case Filter():
            return {"step": "filter", "condition": document(step.condition)}
        case Derive():
            columns = [
                {"name": name, "value": document(each), "type": types[name]} for name, each in step
            ]
            return {"step": "derive", "columns": columns}
        case Declare():
            said = [
                {"name": name, "declared": column_document(each)} for name, each in step.columns
            ]
            return {"step": "declare", "columns": said}
        case JoinPublic():
            return _join_public(step, keys)
        case JoinPeople():
            return _join_people(step, keys)
        case PerPerson():
            columns = [
                {**aggregate_document(name, each), "type": types[name]}
                for name, each in step.columns
            ]
            return {"step": "per_person", "person": step.person, "columns": columns}
    raise InputError(
        "E-CERTIFICATE-UNABLE",
        "a certificate cannot say “{step}”",
        "leave the certificate out",
        step=step,
    )


def _join_public(step: JoinPublic, keys: set[str]) -> dict[str, Any]:
    return {
        "step": "join_public",
        "on": [list(pair) for pair in step.on],
        "how": step.how,
        "most": step.most,
        "digest": step.other.digest,
        "columns": [_public(step, name, keys) for name in step.other.columns],
    }


def _public(step: JoinPublic, name: str, keys: set[str]) -> dict[str, Any]:
    """Return what is public of a column of a public table."""
    column = step.other.column(name)
    ours = {theirs: ours for ours, theirs in step.on}.get(name, name)
    values = column.values
    listed = values if values and (len(values) <= _MOST_VALUES or ours in keys) else None
    return {
        "name": name,
        "type": column.type,
        "bounds": written(column.bounds),
        "values": written(listed),
        "missing": column.has_missing,
    }


def _join_people(step: JoinPeople, keys: set[str]) -> dict[str, Any]:
    return {
        "step": "join_people",
        "on": list(step.on),
        "how": step.how,
        "policy": policy_document(step.other.policy),
        "columns": dict(step.other.schema),
        "steps": steps_document(step.other, keys),
    }


def _after(done: After) -> dict[str, Any]:
    match done:
        case SortBy():
            return {"after": "sort_by", "name": done.name, "descending": done.descending}
        case Head():
            return {"after": "head", "count": done.count}
        case Having():
            given = {"name": done.name, "sign": done.sign, "value": written_value(done.value)}
            return {"after": "having", **given}
        case NonNegative():
            return {"after": "nonnegative"}
