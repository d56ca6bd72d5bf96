"""Rows that break engines, and expressions that break on them when written bare."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.tables.expressions import Expression, coalesce, col, lit, when

if TYPE_CHECKING:
    from collections.abc import Callable

CANARY = "CANARY-7f3a"

#: One column of each kind, its worst cells first; every text carries the canary.
ROWS = """
    CREATE TABLE nasty AS SELECT * FROM (VALUES
    (1, 9223372036854775807::BIGINT, 'nan'::DOUBLE, 'CANARY-7f3a', '12CANARY-7f3a', DATE 'infinity',
     TIMESTAMP 'infinity', 170141183460469231731687303715884105727::HUGEINT,
     18446744073709551615::UBIGINT, 99999999999999999999999999999999999999::DECIMAL(38, 0)),
    (2, (-9223372036854775807 - 1)::BIGINT, 'inf'::DOUBLE, '', 'CANARY-7f3a', DATE '-infinity',
     TIMESTAMP '-infinity', (-170141183460469231731687303715884105727 - 1)::HUGEINT, 0, 0.1),
    (3, 0, '-inf'::DOUBLE, '∞CANARY-7f3a', '1e999', DATE '9999-12-31',
     TIMESTAMP '9999-12-31 23:59:59.999999', 0, 1, -1),
    (4, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
    (5, 1, 1e300, '2024-02-30CANARY-7f3a', 'CANARY-7f3a', DATE '0001-01-01',
     TIMESTAMP '0001-01-01', 1, 2, 3),
    (6, -5, 0.0, 'CANARY-7f3a 99999999999999999999', '-0', DATE '5877642-06-25 (BC)',
     TIMESTAMP '290000-01-01', -1, 3, 2)
    ) AS v(id, i, x, s, t, d, m, h, u, c)
"""

i, x, s, t, d, m, h, u, c = (col(name) for name in "ixstdmhuc")

#: An expression, and what a person would have written in bare SQL, which raises on the rows above.
RAISING: list[tuple[Expression, str]] = [
    (i + 1, "i + 1"),
    (i - 2, "i - 2"),
    (i * i, "i * i"),
    (i * 2, "i * 2"),
    (-i, "-i"),
    (abs(i), "abs(i)"),
    (i // 0, "i // 0"),
    (i % 0, "i % 0"),
    (lit(1) // i, "1 // (i - i)"),
    (i % (i - i), "i % (i - i)"),
    (x // 0, "x // 0"),
    (x.cast("integer"), "CAST(x AS BIGINT)"),
    ((x * 1e10).cast("integer"), "CAST(x * 1e10 AS BIGINT)"),
    (x.floor(), "CAST(floor(x) AS BIGINT)"),
    (x.ceil(), "CAST(ceil(x) AS BIGINT)"),
    (x.round(), "CAST(round(x) AS BIGINT)"),
    ((i * 1.0).cast("integer"), "CAST(i::DOUBLE AS BIGINT)"),
    (h.cast("integer"), "CAST(h AS BIGINT)"),
    (u.cast("integer"), "CAST(u AS BIGINT)"),
    (c.cast("integer"), "CAST(c AS BIGINT)"),
    (h + 1, "h + 1"),
    (h - h - 1, "h - 1"),
    (h * h, "h * h"),
    (-h, "-h"),
    (abs(h), "abs(h)"),
    (h // 0, "h // 0"),
    (h % 0, "h % 0"),
    (u + 1, "u + 1::UBIGINT"),
    (u - 2, "u - 2::UBIGINT"),
    (u * u, "u * u"),
    (u % 0, "u % 0"),
    (u // 0, "u // 0"),
    (c * c, "c * c"),
    (s.cast("integer"), "CAST(s AS BIGINT)"),
    (s.cast("number"), "CAST(s AS DOUBLE)"),
    (s.cast("date"), "CAST(s AS DATE)"),
    (s.cast("timestamp"), "CAST(s AS TIMESTAMP)"),
    (s.cast("boolean"), "CAST(s AS BOOLEAN)"),
    (t.cast("integer"), "CAST(t AS BIGINT)"),
    (t.cast("number"), "CAST(t AS DOUBLE)"),
    (t.cast("boolean"), "CAST(t AS BOOLEAN)"),
    (t.cast("date"), "CAST(t AS DATE)"),
    (s.cast("number") + 1, "s::INT + 1"),
    (1 / s.cast("number"), "1 / s::INT"),
    (s.right(20).cast("integer"), "CAST(right(s, 20) AS BIGINT)"),
    (s.left(10).cast("date"), "CAST(left(s, 10) AS DATE)"),
    (s.cast("date").year(), "year(strptime(s, '%Y-%m-%d'))"),
    (s.cast("date").add_days(1), "CAST(s AS DATE) + 1"),
    (d.add_days(i), "d + i::INT"),
    (d.add_days(i.sign()), "d + to_days(i::INT)"),
    (d.date_trunc("month"), "date_trunc('month', d)"),
    (d.date_trunc("year"), "date_trunc('year', d)"),
    (d.cast("timestamp"), "CAST(d AS TIMESTAMP)"),
    (d > m, "d::TIMESTAMP > m"),
    (m.add_days(i), "m + to_days(i::INT)"),
    (m.add_days(2_000_000), "m + to_days(2000000)"),
]

#: What else may be around an expression, in ours and in bare SQL.
AROUND: list[tuple[Callable[[Expression], Expression], str]] = [
    (lambda e: e, "{0}"),
    (lambda e: e.is_null(), "({0}) IS NULL"),
    (lambda e: when(col("id") < 9, e).otherwise(None), "CASE WHEN id < 9 THEN {0} END"),
    (lambda e: coalesce(None, e), "coalesce(NULL, {0})"),
    (lambda e: ~(e == e), "NOT ({0}) = ({0})"),
]

#: What gives NaN or an infinity in the bare engine, and numbers or null here.
NOT_FINITE: list[Expression] = [
    *(x + x, x * x, x - x, x / 0, x % 0, x / x, x**2, x**0.5, x**-1, x**x, 0 / x, 1 / x),
    *(x.sqrt(), x.ln(), x.log10(), x.exp(), x.round(3), (x * 0).exp(), (-x).sqrt(), (x - 1).ln()),
    *(i / 0, i / i, i**i, i.sqrt(), i.ln(), i.exp(), i * 1e300, (i * 1e300).sqrt() * 1e200),
    *(t.cast("number") * 2, (t.cast("number") / 0).exp(), (x + i) * (x - i), h * h * h * h * h),
]


def arranged() -> list[tuple[Expression, str]]:
    """Every raising expression with everything around it."""
    made: list[tuple[Any, str]] = [
        (wrap(expression), shape.format(bare))
        for wrap, shape in AROUND
        for expression, bare in RAISING
    ]
    return made
