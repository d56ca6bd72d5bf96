"""SQL as a way to write a query of a private table: parsed, and never handed to an engine.

::

    [WITH name AS (SELECT ...), ...] SELECT keys and aggregates
    FROM table or (SELECT ...) [[LEFT] JOIN table ON columns are equal] [WHERE condition]
    [GROUP BY keys] [HAVING comparisons] [ORDER BY columns of the answer] [LIMIT rows]

Keys are columns or expressions, in GROUP BY also positions and names given in SELECT.  The answer
has every key, selected or not, before the aggregates.  HAVING compares columns of the answer with
numbers or texts, joined by AND.  A name without quotes fits a column that differs in case only.

An inner SELECT keeps rows, with columns of theirs or derived ones, or makes one row of each
person's by GROUP BY the person; it keeps the person's column.  A public table is joined on equal
columns, another private one on the person's.  The text is in the dialect of the table's engine.

==================================================  ==========================================
aggregate                                           question
==================================================  ==========================================
COUNT(*), COUNT(x), COUNT_IF(condition)             ``count``
COUNT(DISTINCT person), APPROX_COUNT_DISTINCT       ``people``
SUM, AVG, MEDIAN, MIN, MAX, MODE                    ``sum``, ``mean``, ``median``, ...
VARIANCE, VAR_POP, STDDEV, STDDEV_POP, COVAR_POP    with the number of rows as the divisor
QUANTILE_CONT(x, 0.9), APPROX_QUANTILE(x, 0.9)      ``quantile``
PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY x)      ``quantile``
SUM(x) FILTER (WHERE condition)                     of CASE WHEN condition THEN x END
==================================================  ==========================================

``CLIP(x, low, high)`` in an aggregate gives the bounds of x.

An aggregate that is given no name is called after what it is, as in ``count`` or ``mean_age``.

Expressions are those of ``sfumato.tables.expressions``, in the words of the dialect.
They never fail because of a row, and differ from an engine in this:

- ``/`` divides in double precision (whole numbers in PostgreSQL to a whole one), ``//`` and DIV
  round down, and dividing by zero gives null.
- CAST gives null for what cannot be cast, and cuts a number down to an integer; DECIMAL and
  NUMERIC are double precision.
- A date less a date is a number of days, and a text beside a date is read as one.
- A backslash in LIKE escapes ``%`` and ``_``.
"""

from sfumato.tables.sql.query import read_sql

__all__ = ["read_sql"]
