"""What people write of data frames, and what to write of a private table in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import RowsNotShownError
from sfumato.refusal import text
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sfumato.refusal import Given

__all__ = ["IDIOMS", "rows_not_shown"]

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
        ("shape", "size", "__len__", "nrows", "height"),
    ),
    (
        mark("ask for what you need, as in agg(mean=sf.mean('age'), spread=sf.std('age'))"),
        (*("describe", "info", "mean", "sum", "std", "var", "corr", "cov", "hist"),),
    ),
    (
        mark("ask for ranks, as in agg(age=sf.tables.quantiles('age', [0.25, 0.5, 0.75]))"),
        (*("median", "quantile", "min", "max"),),
    ),
    (
        text("write {example}", example=_GROUPS),
        ("groupby", "value_counts", "nunique", "unique", "pivot_table", "count"),
    ),
    (
        mark("name a column in a query, as in agg(age=sf.mean('age')) or sf.col('age') > 60"),
        (*("__getitem__", "select", "get"),),
    ),
    (
        mark("write with_columns(old=sf.col('age') >= 65)"),
        (*("assign", "__setitem__", "apply", "map", "replace", "astype", "fillna", "rename"),),
    ),
    (mark("write filter(sf.col('age') >= 65)"), ("where", "dropna", "drop_duplicates")),
    (mark("write join(sf.public('regions.csv'), on='zip')"), ("merge",)),
    (
        mark("sort the answer: query.sort_by('n', descending=True)"),
        ("sort_values", "sort", "order_by"),
    ),
    (mark("draw the answer: release.plot()"), ("plot", "boxplot")),
)
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
