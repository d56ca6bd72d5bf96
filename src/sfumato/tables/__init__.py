"""Queries of a private table: built, planned, and answered with confidence intervals."""

from typing import TYPE_CHECKING

from sfumato.doors import door

if TYPE_CHECKING:
    from sfumato.tables.certificate.certificate import Certificate
    from sfumato.tables.certificate.question import check_tree
    from sfumato.tables.charged import book_of
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
    from sfumato.tables.inspection import Inspection
    from sfumato.tables.notes import Note, Notes
    from sfumato.tables.opening import open, public, table
    from sfumato.tables.plan.plan import Plan
    from sfumato.tables.plan.render import expected_errors
    from sfumato.tables.private_table import PrivateTable
    from sfumato.tables.query import GroupedTable, Query
    from sfumato.tables.release.charge import price_of, release_plan
    from sfumato.tables.release.intervals import AnswerColumns, read_confidence
    from sfumato.tables.release.release import Release
    from sfumato.tables.release.render import (
        ShownAggregate,
        calendar_units,
        in_words,
        tables_in_words,
        with_intervals,
    )
    from sfumato.tables.run.inspection import inspect_cells
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
    from sfumato.tables.tree.public import PublicTable
    from sfumato.tables.tree.rows import JoinPeople, JoinPublic, Question, Step
    from sfumato.tables.tree.sampled import sample_aggregate

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
            "charged": "book_of",
            "explanation": "PlanExplanation",
            "expressions.nodes": "Expression coalesce col greatest least lit when",
            "inspection": "Inspection",
            "notes": "Note Notes",
            "opening": "open public table",
            "plan.plan": "Plan",
            "plan.render": "expected_errors",
            "private_table": "PrivateTable",
            "query": "GroupedTable Query",
            "release.charge": "price_of release_plan",
            "release.intervals": "AnswerColumns read_confidence",
            "release.release": "Release",
            "release.render": (
                "ShownAggregate calendar_units in_words tables_in_words with_intervals"
            ),
            "run.inspection": "inspect_cells",
            "tree.aggregates": (
                "Aggregate Count Histogram People Quantile Quantiles Sum TopK bin_labels"
            ),
            "tree.constructors": (
                "count covariance histogram maximum mean median minimum mode people quantile "
                "quantiles std sum top_k variance"
            ),
            "tree.public": "PublicTable",
            "tree.rows": "JoinPeople JoinPublic Question Step",
            "tree.sampled": "sample_aggregate",
        },
    )
