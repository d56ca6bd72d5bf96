"""The queries by hand that ours are set against: of each figure, those that may be the fastest.

They hold for any number of sensitive values.  With few, a bit or a column for each value would be
faster than a count of distinct values, and than distances.
"""

from __future__ import annotations

from benchmarks.risk.people import QUASI, SENSITIVE

__all__ = ["BY_HAND"]

_KEYS = ", ".join(QUASI)
_CELLS = f"SELECT {_KEYS}, {SENSITIVE}, count(*) AS n FROM people GROUP BY ALL"  # noqa: S608
_DISTANCES = f"""
    SELECT max(t) FROM (
        SELECT sum(greatest(0, n / size - s)) AS t
        FROM cells JOIN classes USING ({_KEYS}) JOIN whole USING ({SENSITIVE})
        GROUP BY {_KEYS}
    )"""  # noqa: S608
BY_HAND = {
    "k": [f"SELECT min(n) FROM (SELECT count(*) AS n FROM people GROUP BY {_KEYS})"],  # noqa: S608
    "l": [
        f"""
        SELECT
            min(distinct_values), min(ln(size) - logs / size), max(most / size),
            sum(size) FILTER (WHERE distinct_values = 1)
        FROM (
            SELECT
                count(*) AS distinct_values, sum(n) AS size, max(n) AS most, sum(n * ln(n)) AS logs
            FROM ({_CELLS}) GROUP BY {_KEYS}
        )""",  # noqa: S608
    ],
    "l, distinct alone": [
        f"""
        SELECT min(n) FROM (
            SELECT count(DISTINCT {SENSITIVE}) AS n FROM people GROUP BY {_KEYS}
        )""",  # noqa: S608
        f"SELECT min(n) FROM (SELECT count(*) AS n FROM ({_CELLS}) GROUP BY {_KEYS})",  # noqa: S608
    ],
    "t": [
        f"""
        WITH cells AS ({_CELLS}),
            whole AS (
                SELECT {SENSITIVE}, count(*) / (SELECT count(*) FROM people) AS s
                FROM people GROUP BY ALL
            ),
            classes AS (SELECT {_KEYS}, count(*) AS size FROM people GROUP BY ALL)
        {_DISTANCES}""",  # noqa: S608
        f"""
        WITH cells AS MATERIALIZED ({_CELLS}),
            whole AS (
                SELECT {SENSITIVE}, sum(n) / (SELECT sum(n) FROM cells) AS s
                FROM cells GROUP BY ALL
            ),
            classes AS (SELECT {_KEYS}, sum(n) AS size FROM cells GROUP BY ALL)
        {_DISTANCES}""",  # noqa: S608
    ],
}
