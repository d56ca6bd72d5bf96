"""What private tables do not answer, and what to write in its place."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.tables.sql.functions import FUNCTIONS

if TYPE_CHECKING:
    from sqlglot.expressions import Expr

    from sfumato.refusal import Given

__all__ = [
    "DATE_PARTS_ALONE",
    "SUNDAY_FIRST",
    "WEEKDAY",
    "refusal",
    "refused_argument",
    "refused_node",
    "shortened",
    "spelt",
]

_AGGREGATE = (
    "COUNT, SUM, AVG, VAR_POP, STDDEV_POP, COVAR_POP, MEDIAN, MIN, MAX or MODE alone in SELECT, "
    "and conditions on them in HAVING"
)
_ONE_SELECT = "one SELECT"
_INNER = "an inner SELECT after FROM, or a JOIN"
_TABLE = "the table's name after FROM"
_PLAIN = "columns, values and functions of them"
_KEYS = "the keys in GROUP BY, one query for each set of keys"
DATE_PARTS_ALONE = "YEAR(x), MONTH(x), DAY(x) or DATE_TRUNC('month', x)"
SUNDAY_FIRST = "a weekday that begins on Sunday"
WEEKDAY = "EXTRACT(ISODOW FROM x), in Spark DAYOFWEEK_ISO, in which Monday is 1"
_PERSON = "COUNT(DISTINCT ...) of the person's column"

#: Kinds of nodes, what they are called, and what to write in their place.
_FAMILIES = (
    ("Select Subquery Exists", "a subquery", _INNER),
    ("Union Intersect Except", "a set operation", _ONE_SELECT),
    ("Unnest Explode Lateral Values", "a table made in the query", _TABLE),
    ("All Any", "ALL or ANY", "IN with a list of values"),
    ("Placeholder Parameter", "a parameter", "its value"),
    ("Rand Randn Uuid", "a random value", _PLAIN),
    (
        "CurrentDate CurrentTime CurrentTimestamp Localtime Localtimestamp",
        "the present time",
        "a date as DATE '2024-01-31'",
    ),
    ("DayOfWeek", SUNDAY_FIRST, WEEKDAY),
    ("Dayname Monthname", "the name of a weekday or a month", f"{WEEKDAY}, or MONTH(x)"),
    ("Collate", "COLLATE", "LOWER(x) = 'a'"),
    ("LastDay", "LAST_DAY", "DATE_TRUNC('month', x)"),
    ("StrPosition", "the place of a text in another", "CONTAINS(x, 'a') or STARTS_WITH(x, 'a')"),
    ("Corr", "CORR", "COVAR_POP(x, y), STDDEV_POP(x) and STDDEV_POP(y)"),
    ("GroupConcat ArrayAgg", "a list of the values of many rows", "COUNT(*) and GROUP BY x"),
    ("TimeToStr ToChar", "a date written as text", DATE_PARTS_ALONE),
    ("StrToTime StrToDate StrToUnix", "a text read by a format", "CAST(x AS DATE)"),
    ("ILike", "ILIKE", "LOWER(x) LIKE 'a%'"),
    ("RegexpLike SimilarTo Glob", "a regular expression", "LIKE, STARTS_WITH or CONTAINS"),
    ("NullSafeEQ NullSafeNEQ", "IS DISTINCT FROM", "= and IS NULL"),
    ("Rollup Cube GroupingSets Grouping", "a grouping set", _KEYS),
    ("Star Columns", "*", "the keys and aggregates by name, or COUNT(*)"),
    ("StddevSamp", "STDDEV_SAMP", "STDDEV_POP"),
    ("CovarSamp", "COVAR_SAMP", "COVAR_POP"),
    ("JSONExtract JSONExtractScalar JSONBExtract", "a JSON operator", _PLAIN),
    ("Bracket Dot Struct Array Tuple ToMap", "a value of several parts", _PLAIN),
    ("Lambda PropertyEQ", "a lambda or a named argument", _PLAIN),
    ("ByteString RawString National", "a text with a prefix", "the text as 'text'"),
    ("Var", "a bare word here", "a name, or a text in quotes"),
    ("Window", "OVER", "the aggregate alone, and GROUP BY"),
    ("Filter", "FILTER", "CASE WHEN condition THEN value END inside the aggregate"),
    ("Distinct", "DISTINCT", f"{_PERSON}, or GROUP BY"),
    ("QueryTransform", "TRANSFORM", _PLAIN),
    ("ApproxTopK", "APPROX_TOP_K", "MODE(x), or COUNT(*) with GROUP BY x"),
    ("ArrayContainsAll ArrayContainedBy ArrayOverlaps", "an operator of arrays", _PLAIN),
    ("JSONBContains JSONBContainsTopKey", "a JSON operator", _PLAIN),
    ("PercentileDisc", "PERCENTILE_DISC", "PERCENTILE_CONT"),
    ("Quantile", "QUANTILE", "QUANTILE_CONT"),
    ("Escape", "ESCAPE", "a backslash before % or _"),
    ("Interval", "an interval here", "it behind a date, as admitted + INTERVAL 7 DAY"),
    ("Fetch", "FETCH", "LIMIT 10"),
    ("Order", "an order inside an aggregate", "the aggregate without it"),
)
_NODES = {kind: words for kinds, *words in _FAMILIES for kind in kinds.split()}
#: Parts of nodes, what they are called, and what to write in their place.
_ARGUMENTS = {
    "recursive": ("WITH RECURSIVE", "WITH"),
    "materialized": ("MATERIALIZED", "WITH without it"),
    "hint": ("a hint", "the query without it"),
    "only": ("ONLY", "the table's name after FROM"),
    "version": ("a version of a table", "the table's name after FROM"),
    "distribute": ("DISTRIBUTE BY", "the query without it"),
    "cluster": ("CLUSTER BY", "ORDER BY"),
    "sort": ("SORT BY", "ORDER BY"),
    "match_condition": ("MATCH_CONDITION", "ON v.zip = r.zip"),
    "joins": ("a join in brackets", "FROM t JOIN u without them"),
    "laterals": ("LATERAL", _ONE_SELECT),
    "pivots": ("PIVOT", "GROUP BY"),
    "distinct": ("DISTINCT", "GROUP BY"),
    "into": ("INTO", _ONE_SELECT),
    "windows": ("WINDOW", "GROUP BY"),
    "qualify": ("QUALIFY", "HAVING"),
    "locks": ("FOR UPDATE", _ONE_SELECT),
    "sample": ("a sample", "WHERE with a condition"),
    "offset": ("OFFSET", "LIMIT 10"),
    "limit_options": ("LIMIT with options", "LIMIT 10"),
    "db": ("a name with dots", "the name behind the last dot"),
    "columns": ("columns named with the table", "AS name after the table"),
    "query": ("a subquery", _INNER),
    "field": ("IN without a list", "IN (1, 2)"),
    "symmetric": ("SYMMETRIC", "BETWEEN with the lower value first"),
    "with": ("WITH here", "WITH before SELECT"),
    "all": ("GROUP BY ALL", "the keys in GROUP BY"),
    "rollup": ("ROLLUP", _KEYS),
}


def refusal(*, of: str, write: Given) -> InputError:
    """Return the error about something that is not in the language."""
    return InputError(
        "E-SQL-UNSUPPORTED",
        "{of} is not part of the SQL that private tables answer",
        "write {write}",
        of=of,
        write=write,
    )


def refused_node(node: Expr) -> InputError:
    """Return the error about a node of the parsed text."""
    known = _NODES.get(type(node).__name__)
    if known is not None:
        return refusal(of=known[0], write=known[1])
    if _is_aggregate(node):
        return refusal(of=f"{spelt(node)} here", write=_AGGREGATE)
    if _is_function(node):
        return refusal(of=f"the function {spelt(node)}", write=f"one of {', '.join(FUNCTIONS)}")
    return refusal(of=spelt(node), write=_PLAIN)


def refused_argument(node: Expr, name: str) -> InputError:
    """Return the error about a part of a node that is not in the language."""
    known = _ARGUMENTS.get(name)
    if known is not None:
        return refusal(of=known[0], write=known[1])
    return refusal(
        of=f"{spelt(node)} with {name.replace('_', ' ')}", write=f"{spelt(node)} without it"
    )


def spelt(node: Expr) -> str:
    """Return what a node is, in words."""
    between = "_" if _is_function(node) else " "
    return re.sub(r"(?<=[a-z])(?=[A-Z])", between, type(node).__name__).upper()


def shortened(text: str, most: int = 60) -> str:
    """Return a text that fits in a sentence."""
    return text if len(text) <= most else text[: most - 3] + "..."


def _is_function(node: Expr) -> bool:
    from sqlglot.expressions import Func

    return isinstance(node, Func)


def _is_aggregate(node: Expr) -> bool:
    from sqlglot.expressions import AggFunc

    return isinstance(node, AggFunc)
