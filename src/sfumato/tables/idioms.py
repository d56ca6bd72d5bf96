"""What people write of data frames, and what to write of a private table in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import RowsNotShownError
from sfumato.refusal import text
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sfumato.refusal import Given

_COUNT = "agg(n=sf.count()).release(epsilon=1)"
_GROUPS = f"group_by('sex').{_COUNT}"
_INSTEAD: tuple[tuple[Given, tuple[str, ...]], ...] = (
    (
        text("ask about them, as in {example}", example=_COUNT),
        (
            *("head", "tail", "sample", "iloc", "loc", "at", "iat", "values", "itertuples"),
            *("iterrows", "to_pandas", "to_numpy", "to_dict", "to_csv", "to_parquet", "collect"),
            *("show", "fetchall", "rows", "iter_rows", "__iter__", "__array__"),
        ),
    ),
    (
        text("their number is a query, too: {example}", example=_COUNT),
        ("shape", "size", "__len__", "nrows", "height", "count"),
    ),
    (
        mark("ask for what you need, as in agg(mean=sf.mean('age'), spread=sf.std('age'))"),
        (*("describe", "info", "mean", "std", "var", "corr", "cov", "hist"),),
    ),
    (text("write {example}", example="agg(total=sf.sum('age')).release(epsilon=1)"), ("sum",)),
    (
        text(
            "people are counted, as in {example}", example="agg(n=sf.people()).release(epsilon=1)"
        ),
        ("nunique",),
    ),
    (mark("name only what you ask for: no other column is read"), ("drop",)),
    (text("the types are in {example}", example="table.schema"), ("dtypes",)),
    (
        mark("ask for ranks, as in agg(age=sf.tables.quantiles('age', [0.25, 0.5, 0.75]))"),
        (*("median", "quantile", "min", "max"),),
    ),
    (
        text("write {example}", example=_GROUPS),
        ("groupby", "value_counts", "unique", "pivot_table"),
    ),
    (
        mark(
            "name a column in a query, as in agg(age=sf.mean('age')) or filter(sf.col('age') > 60)"
        ),
        (*("__getitem__", "select", "get"),),
    ),
    (
        mark("write with_columns(old=sf.col('age') >= 65)"),
        (*("assign", "__setitem__", "apply", "map", "replace", "astype", "fillna", "rename"),),
    ),
    (mark("write filter(sf.col('age') >= 65)"), ("where", "dropna", "drop_duplicates")),
    (
        mark("write join(sf.public('regions.csv'), on='zip') for what anybody may see"),
        ("merge",),
    ),
    (
        mark("sort the answer: query.sort_by('n', descending=True)"),
        ("sort_values", "sort", "order_by"),
    ),
    (mark("draw the answer: release.plot()"), ("plot", "boxplot")),
)
#: What asks for each aggregate of data frames: a function of a column, or of all rows.
AGGREGATES = {
    **dict.fromkeys(("count", "size"), "sf.count()"),
    **dict.fromkeys(("mean", "sum", "median", "std"), ""),
    "var": "variance",
    "min": "minimum",
    "max": "maximum",
    "nunique": "sf.people()",
}
#: What to write in the place of each word.
IDIOMS = {word: instead for instead, words in _INSTEAD for word in words}


def rows_not_shown(word: str, columns: Iterable[str]) -> RowsNotShownError:
    """Return the error about a word of data frames that a private table does not have.

    Parameters
    ----------
    word
        What was written.
    columns
        The columns of the table.
    """
    spelt = {"__getitem__": "[…]", "__len__": "len", "__iter__": "iteration"}
    return RowsNotShownError(
        "E-ROWS-NOT-SHOWN",
        "a private table has no {word}, since its rows are not shown",
        "{instead} (columns: {columns})",
        word=spelt.get(word, word),
        instead=IDIOMS[word],
        columns=", ".join(columns) or mark("none"),
    )


def column_not_shown(name: str) -> RowsNotShownError:
    """Return the error about a column that is asked for as an attribute of its table."""
    return RowsNotShownError(
        "E-ROWS-NOT-SHOWN",
        "a private table does not show its column {name!r}",
        "write {column} in a query, as in filter({column} == …) or agg(…)",
        name=name,
        column=f"sf.col({name!r})",
    )


def groups_not_shown(word: str) -> RowsNotShownError:
    """Return the error about a word of data frames that groups of a private table do not have."""
    return RowsNotShownError(
        "E-ROWS-NOT-SHOWN",
        "groups of a private table have no {word}, since their rows are not shown",
        "write {example}",
        word=word,
        example=f"agg(answer={_asked(word, 'age')}).release(epsilon=1)",
    )


def expression_alone(word: str, column: str) -> RowsNotShownError:
    """Return the error about an aggregate that is asked of an expression, and of no table."""
    return RowsNotShownError(
        "E-ROWS-NOT-SHOWN",
        "an expression is about one row and has no {word}",
        "write {example}",
        word=word,
        example=f"agg(answer={_asked(word, column)})",
    )


def _asked(word: str, column: str) -> str:
    """Return the aggregate of a column, or of all rows, that is meant by a word."""
    meant = AGGREGATES[word] or word
    return meant if meant.endswith(")") else f"sf.{meant}({column!r})"
