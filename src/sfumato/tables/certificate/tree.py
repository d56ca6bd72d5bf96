"""A question as a document: what is done to rows, what is asked of them, what is done after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.tables.certificate.aggregates import aggregate_document
from sfumato.tables.certificate.rows import steps_document
from sfumato.tables.run.content import written_value
from sfumato.tables.tree.after import Having, Head, NonNegative, SortBy

if TYPE_CHECKING:
    from sfumato.tables.tree.after import After
    from sfumato.tables.tree.question import Question


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
