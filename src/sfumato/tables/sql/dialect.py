"""The dialect: which of the parser's nodes are read, and what to write in place of all others."""

from __future__ import annotations

import datetime as dt
import re
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.refusal import text
from sfumato.tables.expressions import Literal
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Iterable

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
#: All functions as SQL spells them, to name the nearest.
FUNCTIONS = (
    *("ABS", "CEIL", "EXP", "FLOOR", "GREATEST", "LEAST", "LN", "LOG10", "MOD", "POWER"),
    *("ROUND", "SIGN", "SQRT", "CLIP", "COALESCE", "NULLIF", "IF", "CAST", "TRY_CAST"),
    *("CONCAT", "CONTAINS", "ENDS_WITH", "LEFT", "LENGTH", "LOWER", "REPLACE", "RIGHT"),
    *("STARTS_WITH", "SUBSTRING", "TRIM", "UPPER", "ADD_DAYS", "DATE_PART", "DATE_TRUNC"),
    *("DATEDIFF", "DAYS_UNTIL", "EXTRACT", "YEAR", "QUARTER", "MONTH", "DAY", "ISODOW"),
    *("DAYOFYEAR", "HOUR", "MINUTE", "SECOND", "AVG", "COUNT", "SUM"),
)
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
_WHOLE = re.compile("[0-9]+")
_NUMBER = re.compile("([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?")
_MOST_DIGITS = 400
_READERS = {"date": dt.date.fromisoformat, "timestamp": dt.datetime.fromisoformat}
_FORMS = {
    "date": re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}"),
    "timestamp": re.compile(
        "[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?)?"
    ),
}


def kind(node: Any) -> str:
    """Return the name of a node's class."""
    return type(node).__name__


def only(node: Expr, *names: str) -> tuple[Any, ...]:
    """Return some arguments of a node, None for those left out; any other argument is refused."""
    given = {
        name.rstrip("_"): value
        for name, value in node.args.items()
        if value is not None and value is not False and value != []
    }
    for name in given:
        if name not in names:
            raise refused_argument(node, name)
    return tuple(given.get(name) for name in names)


def unbracketed(node: Expr) -> Expr:
    """Return what is inside the brackets around an expression."""
    while kind(node) == "Paren":
        (node,) = only(node, "this")
    return node


def identifier(node: Expr) -> tuple[str, bool]:
    """Return a name as it was written, and whether it was in quotes."""
    if kind(node) != "Identifier":
        raise refused_node(node)
    name, quoted = only(node, "this", "quoted")
    if not name:
        raise InputError("E-SQL-SYNTAX", "the SQL has an empty name in quotes", "write a name")
    return name, bool(quoted)


def matching(given: str, known: Iterable[str], *, quoted: bool) -> str | None:
    """Return the known name that was meant: the same, or the only one but for its case."""
    names = list(known)
    if given in names:
        return given
    alike = [each for each in names if each.casefold() == given.casefold()]
    return alike[0] if len(alike) == 1 and not quoted else None


def literal(node: Expr) -> str | int | float:
    """Return the text or the number that a literal holds."""
    text, is_text = only(node, "this", "is_string")
    return str(text) if is_text else number(str(text))


def number(text: str) -> int | float:
    """Return a number as Python has it, a whole one exactly."""
    if not _NUMBER.fullmatch(text) or len(text) > _MOST_DIGITS:
        raise InputError(
            "E-NUMBER-FORM",
            "the number {text!r} in the SQL cannot be read",
            "write at most 18 digits, as 1234.5",
            text=shortened(text),
        )
    return int(text) if _WHOLE.fullmatch(text) else float(text)


def whole(node: Expr) -> int | None:
    """Return the whole number that a node writes down, or None."""
    found = literal(node) if kind(node) == "Literal" else None
    return found if isinstance(found, int) else None


def moment(text: str, to: str) -> Literal:
    """Return a date or a timestamp that was written as text."""
    written = text.strip()
    try:
        found = _READERS[to](written) if _FORMS[to].fullmatch(written) else None
    except ValueError:
        found = None
    if found is None:
        form = "2024-01-31" if to == "date" else "2024-01-31 12:00:00"
        raise InputError(
            "E-SQL-SYNTAX",
            "the text {text!r} in the SQL is no {to}",
            "write it as {other_to} '{form}'",
            to=mark("date" if to == "date" else "timestamp"),
            text=shortened(text),
            other_to=to.upper(),
            form=form,
        )
    return Literal(found)


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
    known = _NODES.get(kind(node))
    if known is not None:
        return refusal(of=known[0], write=known[1])
    if _is(node, "AggFunc"):
        return refusal(of=text("{node} here", node=spelt(node)), write=_AGGREGATE)
    if _is(node, "Func"):
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
    between = "_" if _is(node, "Func") else " "
    return re.sub(r"(?<=[a-z])(?=[A-Z])", between, kind(node)).upper()


def shortened(text: str, most: int = 60) -> str:
    """Return a text that fits in a sentence."""
    return text if len(text) <= most else text[: most - 3] + "..."


def _is(node: Expr, ancestor: str) -> bool:
    """Tell whether a node is of a class of the parser, or of one below it."""
    return any(each.__name__ == ancestor for each in type(node).__mro__)
