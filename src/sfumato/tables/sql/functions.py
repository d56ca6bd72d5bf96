"""Which nodes of the parsed text are functions of the row-expression language."""

from __future__ import annotations

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
