"""Queries of a private table: built, planned, and answered with confidence intervals."""

from typing import TYPE_CHECKING

from sfumato.doors import door

if TYPE_CHECKING:
    from sfumato.tables.certificate.certificate import Certificate
    from sfumato.tables.expressions import Expression, coalesce, col, greatest, least, lit, when
    from sfumato.tables.grouped import GroupedTable
    from sfumato.tables.notes import Note, Notes
    from sfumato.tables.opening import open, table  # noqa: A004
    from sfumato.tables.plan.plan import Plan
    from sfumato.tables.private_table import PrivateTable
    from sfumato.tables.public_table import public
    from sfumato.tables.query import Query
    from sfumato.tables.release.release import Release
    from sfumato.tables.tree.asking import (
        count,
        covariance,
        mean,
        people,
        std,
        sum,  # noqa: A004
        variance,
    )
    from sfumato.tables.tree.public import PublicTable
    from sfumato.tables.tree.sampled import sample_aggregate
    from sfumato.tables.tree.selecting import (
        histogram,
        maximum,
        median,
        minimum,
        mode,
        quantile,
        quantiles,
        top_k,
    )

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

__getattr__, __dir__ = door(
    __name__,
    {
        "certificate.certificate": "Certificate",
        "expressions": "Expression coalesce col greatest least lit when",
        "grouped": "GroupedTable",
        "notes": "Note Notes",
        "opening": "open table",
        "plan.plan": "Plan",
        "private_table": "PrivateTable",
        "public_table": "public",
        "query": "Query",
        "release.release": "Release",
        "tree.asking": "count covariance mean people std sum variance",
        "tree.public": "PublicTable",
        "tree.sampled": "sample_aggregate",
        "tree.selecting": "histogram maximum median minimum mode quantile quantiles top_k",
    },
)
