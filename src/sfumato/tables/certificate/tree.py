"""A question as a document: what is done to rows, what is asked of them, what is done after."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.data.policy.document import column_document
from sfumato.errors import InputError
from sfumato.privacy.events.wording import plain
from sfumato.tables.columns import known_columns
from sfumato.tables.expressions import Expression, document
from sfumato.tables.release.fingerprint import code_digest
from sfumato.tables.run.content import written_value
from sfumato.tables.tree.after import Having, Head, NonNegative, SortBy
from sfumato.tables.tree.aggregates import (
    Count,
    Covariance,
    Deviation,
    Mean,
    People,
    Sum,
    Variance,
)
from sfumato.tables.tree.sampled import Sampled
from sfumato.tables.tree.selections import Histogram, Maximum, Minimum, Quantiles, TopK
from sfumato.tables.tree.steps import Declare, Derive, Filter

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.tables.tree.after import After
    from sfumato.tables.tree.aggregates import Aggregate
    from sfumato.tables.tree.question import Question
    from sfumato.tables.tree.steps import Step

__all__ = ["check_tree", "query_document"]

#: The fields of each kind of aggregate, which is the first that it is an instance of.
_AGGREGATES: tuple[tuple[type[Aggregate], str, tuple[str, ...]], ...] = (
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


def query_document(query: Question) -> dict[str, Any]:
    """Return the tree of a question, with the types of the columns that it starts from."""
    return {
        "columns": dict(query.table.schema),
        "steps": [
            _step(each, query, query.steps[: place + 1]) for place, each in enumerate(query.steps)
        ],
        "keys": list(query.keys),
        "aggregates": [aggregate_document(name, each) for name, each in query.aggregates],
        "after": [_after(each) for each in query.after],
    }


def check_tree(query: Question) -> None:
    """Refuse a question that a certificate cannot say; nothing is charged for it."""
    query_document(query)


def aggregate_document(name: str, aggregate: Aggregate) -> dict[str, Any]:
    """Return what is asked under a name, with all of its options."""
    for kind, word, names in _AGGREGATES:
        if isinstance(aggregate, kind):
            given = {each: _written(getattr(aggregate, each)) for each in names}
            columns = list(aggregate.answer_columns(name))
            known = {"name": name, "aggregate": word, "answers": columns} | given
            return known | _function(aggregate) if isinstance(aggregate, Sampled) else known
    message = f"a certificate cannot say what {aggregate} is; leave the certificate out"
    raise InputError(message)


def _function(asked: Sampled) -> dict[str, Any]:
    """Return how the answers of blocks are aggregated, and which function gave them."""
    return {"by": asked.aggregate, "code": code_digest(asked)}


def _step(step: Step, query: Question, until: tuple[Step, ...]) -> dict[str, Any]:
    for kind, write in _STEPS.items():
        if isinstance(step, kind):
            return write(step, query, until)
    message = f"a certificate cannot say “{step}” yet; leave the certificate out"
    raise InputError(message)


def _filter(step: Filter, _query: Question, _until: tuple[Step, ...]) -> dict[str, Any]:
    return {"step": "filter", "condition": document(step.condition)}


def _derive(step: Derive, query: Question, until: tuple[Step, ...]) -> dict[str, Any]:
    known = known_columns(query.table.policy, query.table.schema, until)
    columns = [
        {"name": name, "value": document(each), "type": known[name].type} for name, each in step
    ]
    return {"step": "derive", "columns": columns}


def _declare(step: Declare, _query: Question, _until: tuple[Step, ...]) -> dict[str, Any]:
    columns = [{"name": name, "declared": column_document(each)} for name, each in step.columns]
    return {"step": "declare", "columns": columns}


_STEPS: dict[type, Callable[[Any, Any, Any], dict[str, Any]]] = {
    Filter: _filter,
    Derive: _derive,
    Declare: _declare,
}


def _after(done: After) -> dict[str, Any]:
    match done:
        case SortBy():
            return {"after": "sort_by", "name": done.name, "descending": done.descending}
        case Head():
            return {"after": "head", "count": done.count}
        case Having():
            return {
                "after": "having",
                "name": done.name,
                "sign": done.sign,
                "value": _written(done.value),
            }
        case NonNegative():
            return {"after": "nonnegative"}


def _written(value: Any) -> Any:
    """Return an option as JSON can hold it, numbers exactly."""
    if isinstance(value, Expression):
        return document(value)
    if isinstance(value, Fraction):
        return plain(value)
    return [_written(each) for each in value] if isinstance(value, tuple) else written_value(value)
