"""Queries of a private table: built, planned, and answered with confidence intervals."""

from typing import TYPE_CHECKING

from sfumato.doors import door

if TYPE_CHECKING:
    from sfumato.tables.certificate.certificate import Certificate
    from sfumato.tables.certificate.question import check_tree
    from sfumato.tables.explanation import PlanExplanation
    from sfumato.tables.expressions.nodes import (
        Expression,
        coalesce,
        col,
        greatest,
        least,
        lit,
        when,
    )
    from sfumato.tables.inspection import Inspection, inspect_cells
    from sfumato.tables.notes import Note, Notes
    from sfumato.tables.opening import open, table
    from sfumato.tables.plan.budget import book_of
    from sfumato.tables.plan.plan import Plan
    from sfumato.tables.plan.render import expected_errors
    from sfumato.tables.private_table import PrivateTable
    from sfumato.tables.query import GroupedTable, Query
    from sfumato.tables.release.answer import AnswerColumns
    from sfumato.tables.release.charge import price_of, release_plan
    from sfumato.tables.release.release import Release
    from sfumato.tables.render import (
        ShownAggregate,
        calendar_units,
        in_words,
        tables_in_words,
        with_intervals,
    )
    from sfumato.tables.sample_aggregation import sample_aggregate
    from sfumato.tables.tree.aggregates import (
        Aggregate,
        Count,
        Histogram,
        People,
        Quantile,
        Quantiles,
        Sum,
        TopK,
        bin_labels,
    )
    from sfumato.tables.tree.constructors import (
        count,
        covariance,
        histogram,
        maximum,
        mean,
        median,
        minimum,
        mode,
        people,
        quantile,
        quantiles,
        std,
        sum,
        top_k,
        variance,
    )
    from sfumato.tables.tree.public import PublicTable, public
    from sfumato.tables.tree.rows import JoinPeople, JoinPublic, Question, Step

__all__ = [
    "Certificate",
    "Expression",
    "GroupedTable",
    "Note",
    "Notes",
    "Plan",
    "PrivateTable",
    "PublicTable",
    "Query",
    "Release",
    "coalesce",
    "col",
    "count",
    "covariance",
    "greatest",
    "histogram",
    "least",
    "lit",
    "maximum",
    "mean",
    "median",
    "minimum",
    "mode",
    "open",
    "people",
    "public",
    "quantile",
    "quantiles",
    "sample_aggregate",
    "std",
    "sum",
    "table",
    "top_k",
    "variance",
    "when",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = door(
        __name__,
        {
            "certificate.certificate": "Certificate",
            "certificate.question": "check_tree",
            "explanation": "PlanExplanation",
            "expressions.nodes": "Expression coalesce col greatest least lit when",
            "inspection": "Inspection inspect_cells",
            "notes": "Note Notes",
            "opening": "open table",
            "plan.budget": "book_of",
            "plan.plan": "Plan",
            "plan.render": "expected_errors",
            "private_table": "PrivateTable",
            "query": "GroupedTable Query",
            "release.answer": "AnswerColumns",
            "release.charge": "price_of release_plan",
            "release.release": "Release",
            "render": "ShownAggregate calendar_units in_words tables_in_words with_intervals",
            "sample_aggregation": "sample_aggregate",
            "tree.aggregates": (
                "Aggregate Count Histogram People Quantile Quantiles Sum TopK bin_labels"
            ),
            "tree.constructors": (
                "count covariance histogram maximum mean median minimum mode people quantile "
                "quantiles std sum top_k variance"
            ),
            "tree.public": "PublicTable public",
            "tree.rows": "JoinPeople JoinPublic Question Step",
        },
    )
