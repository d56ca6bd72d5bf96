"""What private tables do not answer, and what to write in its place."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.refusal import text
from sfumato.translation import mark

if TYPE_CHECKING:
    from sqlglot.expressions import Expr

    from sfumato.refusal import Given


COMPARISONS = {
    "EQ": "equal",
    "NEQ": "not_equal",
    "LT": "less",
    "LTE": "less_equal",
    "GT": "greater",
    "GTE": "greater_equal",
}
#: Functions of ``this``.
UNARY = {
    "Abs": "abs",
    "Ceil": "ceil",
    "Day": "day",
    "DayOfMonth": "day",
    "DayOfWeekIso": "weekday",
    "DayOfYear": "day_of_year",
    "Exp": "exp",
    "Floor": "floor",
    "Hour": "hour",
    "Length": "length",
    "Ln": "ln",
    "Lower": "lower",
    "Minute": "minute",
    "Month": "month",
    "Quarter": "quarter",
    "Second": "second",
    "Sign": "sign",
    "Sqrt": "sqrt",
    "Trim": "strip",
    "Upper": "upper",
    "Year": "year",
}
#: Functions of ``this`` and ``expression``.
BINARY = {
    "And": "and",
    "Contains": "contains",
    "EndsWith": "ends_with",
    "IntDiv": "floor_divide",
    "Left": "left",
    "Mod": "modulo",
    "Mul": "multiply",
    "Or": "or",
    "Pow": "power",
    "Right": "right",
    "StartsWith": "starts_with",
}
#: Functions of ``this`` and any number of ``expressions``.
SEVERAL = {"Coalesce": "coalesce", "Greatest": "greatest", "Least": "least"}
#: Functions that the parser does not know.
NAMED = ("add_days", "clip", "date_part", "days_until")
#: Functions of the present time.
CLOCKS = ("get_current_timestamp", "now", "transaction_timestamp")
#: Functions that write a date as text.
FORMATS = ("date_format", "format_date", "format_datetime", "format_timestamp", "formatdatetime")
#: All functions as SQL spells them, to name the nearest.
FUNCTIONS = (
    *("ABS", "CEIL", "EXP", "FLOOR", "GREATEST", "LEAST", "LN", "LOG10", "MOD", "POWER"),
    *("ROUND", "SIGN", "SQRT", "CLIP", "COALESCE", "NULLIF", "IF", "CAST", "TRY_CAST"),
    *("CONCAT", "CONTAINS", "ENDS_WITH", "LEFT", "LENGTH", "LOWER", "REPLACE", "RIGHT"),
    *("STARTS_WITH", "SUBSTRING", "TRIM", "UPPER", "ADD_DAYS", "DATE_PART", "DATE_TRUNC"),
    *("DATEDIFF", "DAYS_UNTIL", "EXTRACT", "YEAR", "QUARTER", "MONTH", "DAY", "ISODOW"),
    *("DAYOFYEAR", "HOUR", "MINUTE", "SECOND", "AVG", "COUNT", "SUM"),
)
#: What EXTRACT and DATE_PART take out of a date.
DATE_PARTS = {
    "year": "year",
    "quarter": "quarter",
    "month": "month",
    "day": "day",
    "isodow": "weekday",
    "dayofweek_iso": "weekday",
    "doy": "day_of_year",
    "dayofyear": "day_of_year",
    "hour": "hour",
    "minute": "minute",
    "second": "second",
}
#: The types of SQL, as the parser names them.
TYPES = {
    **dict.fromkeys(["TINYINT", "SMALLINT", "MEDIUMINT", "INT", "BIGINT"], "integer"),
    **dict.fromkeys(["FLOAT", "DOUBLE", "DECIMAL"], "number"),
    **dict.fromkeys(["TEXT", "VARCHAR", "CHAR", "NVARCHAR", "NCHAR"], "text"),
    **dict.fromkeys(["TIMESTAMP", "TIMESTAMPNTZ", "DATETIME"], "timestamp"),
    "BOOLEAN": "boolean",
    "DATE": "date",
}


_AGGREGATE = mark(
    "COUNT, SUM, AVG, VAR_POP, STDDEV_POP, COVAR_POP, MEDIAN, MIN, MAX or MODE alone in "
    "SELECT, and conditions on them in HAVING"
)
_ONE_SELECT = mark("one SELECT")
_INNER = mark("an inner SELECT after FROM, or a JOIN")
_TABLE = mark("the table's name after FROM")
_PLAIN = mark("columns, values and functions of them")
_KEYS = mark("the keys in GROUP BY, one query for each set of keys")
DATE_PARTS_ALONE = mark("YEAR(x), MONTH(x), DAY(x) or DATE_TRUNC('month', x)")
SUNDAY_FIRST = mark("a weekday that begins on Sunday")
WEEKDAY = mark("EXTRACT(ISODOW FROM x), in Spark DAYOFWEEK_ISO, in which Monday is 1")

#: Kinds of nodes, what they are called, and what to write in their place.
_FAMILIES = (
    ("Select Subquery Exists", mark("a subquery"), _INNER),
    ("Union Intersect Except", mark("a set operation"), _ONE_SELECT),
    ("Unnest Explode Lateral Values", mark("a table made in the query"), _TABLE),
    ("All Any", mark("ALL or ANY"), mark("IN with a list of values")),
    ("Placeholder Parameter", mark("a parameter"), mark("its value")),
    ("Rand Randn Uuid", mark("a random value"), _PLAIN),
    (
        "CurrentDate CurrentTime CurrentTimestamp Localtime Localtimestamp",
        mark("the present time"),
        mark("a date as DATE '2024-01-31'"),
    ),
    ("DayOfWeek", SUNDAY_FIRST, WEEKDAY),
    (
        "Dayname Monthname",
        mark("the name of a weekday or a month"),
        mark("EXTRACT(ISODOW FROM x), in Spark DAYOFWEEK_ISO, in which Monday is 1, or MONTH(x)"),
    ),
    ("Collate", "COLLATE", "LOWER(x) = 'a'"),
    ("LastDay", "LAST_DAY", "DATE_TRUNC('month', x)"),
    (
        "StrPosition",
        mark("the place of a text in another"),
        mark("CONTAINS(x, 'a') or STARTS_WITH(x, 'a')"),
    ),
    ("Corr", "CORR", mark("COVAR_POP(x, y), STDDEV_POP(x) and STDDEV_POP(y)")),
    (
        "GroupConcat ArrayAgg",
        mark("a list of the values of many rows"),
        mark("COUNT(*) and GROUP BY x"),
    ),
    ("TimeToStr ToChar", mark("a date written as text"), DATE_PARTS_ALONE),
    ("StrToTime StrToDate StrToUnix", mark("a text read by a format"), "CAST(x AS DATE)"),
    ("ILike", "ILIKE", "LOWER(x) LIKE 'a%'"),
    (
        "RegexpLike SimilarTo Glob",
        mark("a regular expression"),
        mark("LIKE, STARTS_WITH or CONTAINS"),
    ),
    ("NullSafeEQ NullSafeNEQ", "IS DISTINCT FROM", mark("= and IS NULL")),
    ("Rollup Cube GroupingSets Grouping", mark("a grouping set"), _KEYS),
    ("Star Columns", "*", mark("the keys and aggregates by name, or COUNT(*)")),
    ("StddevSamp", "STDDEV_SAMP", "STDDEV_POP"),
    ("CovarSamp", "COVAR_SAMP", "COVAR_POP"),
    ("JSONExtract JSONExtractScalar JSONBExtract", mark("a JSON operator"), _PLAIN),
    ("Bracket Dot Struct Array Tuple ToMap", mark("a value of several parts"), _PLAIN),
    ("Lambda PropertyEQ", mark("a lambda or a named argument"), _PLAIN),
    ("ByteString RawString National", mark("a text with a prefix"), mark("the text as 'text'")),
    ("Var", mark("a bare word here"), mark("a name, or a text in quotes")),
    ("Window", "OVER", mark("the aggregate alone, and GROUP BY")),
    ("Filter", "FILTER", mark("CASE WHEN condition THEN value END inside the aggregate")),
    ("Distinct", "DISTINCT", mark("COUNT(DISTINCT ...) of the person's column, or GROUP BY")),
    ("QueryTransform", "TRANSFORM", _PLAIN),
    ("ApproxTopK", "APPROX_TOP_K", mark("MODE(x), or COUNT(*) with GROUP BY x")),
    ("ArrayContainsAll ArrayContainedBy ArrayOverlaps", mark("an operator of arrays"), _PLAIN),
    ("JSONBContains JSONBContainsTopKey", mark("a JSON operator"), _PLAIN),
    ("PercentileDisc", "PERCENTILE_DISC", "PERCENTILE_CONT"),
    ("Quantile", "QUANTILE", "QUANTILE_CONT"),
    ("Escape", "ESCAPE", mark("a backslash before % or _")),
    ("Interval", mark("an interval here"), mark("it behind a date, as admitted + INTERVAL 7 DAY")),
    ("Fetch", "FETCH", "LIMIT 10"),
    ("Order", mark("an order inside an aggregate"), mark("the aggregate without it")),
)
_NODES = {kind: words for kinds, *words in _FAMILIES for kind in kinds.split()}
#: Parts of nodes, what they are called, and what to write in their place.
_ARGUMENTS = {
    "recursive": ("WITH RECURSIVE", "WITH"),
    "materialized": ("MATERIALIZED", mark("WITH without it")),
    "hint": (mark("a hint"), mark("the query without it")),
    "only": ("ONLY", mark("the table's name after FROM")),
    "version": (mark("a version of a table"), mark("the table's name after FROM")),
    "distribute": ("DISTRIBUTE BY", mark("the query without it")),
    "cluster": ("CLUSTER BY", "ORDER BY"),
    "sort": ("SORT BY", "ORDER BY"),
    "match_condition": ("MATCH_CONDITION", mark("ON v.zip = r.zip")),
    "joins": (mark("a join in brackets"), mark("FROM t JOIN u without them")),
    "laterals": ("LATERAL", _ONE_SELECT),
    "pivots": ("PIVOT", "GROUP BY"),
    "distinct": ("DISTINCT", "GROUP BY"),
    "into": ("INTO", _ONE_SELECT),
    "windows": ("WINDOW", "GROUP BY"),
    "qualify": ("QUALIFY", "HAVING"),
    "locks": ("FOR UPDATE", _ONE_SELECT),
    "sample": (mark("a sample"), mark("WHERE with a condition")),
    "offset": ("OFFSET", "LIMIT 10"),
    "limit_options": (mark("LIMIT with options"), "LIMIT 10"),
    "columns": (mark("columns named with the table"), mark("AS name after the table")),
    "query": (mark("a subquery"), _INNER),
    "field": (mark("IN without a list"), "IN (1, 2)"),
    "symmetric": ("SYMMETRIC", mark("BETWEEN with the lower value first")),
    "with": (mark("WITH here"), mark("WITH before SELECT")),
    "all": ("GROUP BY ALL", mark("the keys in GROUP BY")),
    "rollup": ("ROLLUP", _KEYS),
}


#: Endings of files, which some write in the place of a table.
_ENDINGS = {"csv", "parquet", "toml"}


def refusal(*, of: Given, write: Given) -> InputError:
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
        return refusal(of=text("{node} here", node=spelt(node)), write=_AGGREGATE)
    if _is_function(node):
        return refusal(
            of=text("the function {node}", node=spelt(node)),
            write=text("one of {functions}", functions=", ".join(FUNCTIONS)),
        )
    return refusal(of=spelt(node), write=_PLAIN)


def refused_argument(node: Expr, name: str) -> InputError:
    """Return the error about a part of a node that is not in the language."""
    if name == "db":
        return refusal(of=mark("a name with dots"), write=f"FROM {_plain_table(node)}")
    known = _ARGUMENTS.get(name)
    if known is not None:
        return refusal(of=known[0], write=known[1])
    return refusal(
        of=text("{node} with {replace}", node=spelt(node), replace=name.replace("_", " ")),
        write=text("{node} without it", node=spelt(node)),
    )


def _plain_table(node: Expr) -> str:
    """Return the name of a table without what stands before it, or the ending of its file."""
    name = str(node.name)
    return shortened(str(node.text("db")) if name.lower() in _ENDINGS else name)


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


def kind(node: Any) -> str:
    """Return the name of a node's class."""
    return type(node).__name__


def only(node: Expr, *names: str) -> tuple[Any, ...]:
    """Return some arguments of a node, None for those left out; any other argument is refused."""
    given = {name.rstrip("_"): value for name, value in node.args.items() if _is_given(value)}
    for name in given:
        if name not in names:
            raise refused_argument(node, name)
    return tuple(given.get(name) for name in names)


def unbracketed(node: Expr) -> Expr:
    """Return what is inside the brackets around an expression."""
    while kind(node) == "Paren":
        (node,) = only(node, "this")
    return node


def _is_given(value: Any) -> bool:
    return value is not None and value is not False and value != []
