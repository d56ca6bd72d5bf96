"""SQL as a way to write a query of a private table: parsed, and never handed to an engine.

::

    SELECT keys and aggregates FROM table [WHERE condition] [GROUP BY keys]
    [HAVING comparisons] [ORDER BY columns of the answer] [LIMIT rows]

Keys are columns or expressions, in GROUP BY also positions and names given in SELECT.  The answer
has every key, selected or not, before the aggregates.  HAVING compares columns of the answer with
numbers or texts, joined by AND.  A name without quotes fits a column that differs in case only.

==================================================  ==========================================
aggregate                                           question
==================================================  ==========================================
COUNT(*), COUNT(x)                                  ``count``
COUNT(DISTINCT person)                              ``people``
SUM, AVG, MEDIAN, MIN, MAX, MODE                    ``sum``, ``mean``, ``median``, ...
VARIANCE, VAR_POP, STDDEV, STDDEV_POP, COVAR_POP    with the number of rows as the divisor
QUANTILE_CONT(x, 0.9)                               ``quantile``
PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY x)      ``quantile``
==================================================  ==========================================

``CLIP(x, low, high)`` in an aggregate gives the bounds of x.

An aggregate that is given no name is called after what it is, as in ``count`` or ``mean_age``.

Expressions are those of ``sfumato.tables.expressions``, in the words of DuckDB and PostgreSQL.
They never fail because of a row, and differ from an engine in this:

- ``/`` divides in double precision, ``//`` rounds down, and dividing by zero gives null.
- CAST gives null for what cannot be cast, and cuts a number down to an integer; DECIMAL and
  NUMERIC are double precision.
- A date less a date is a number of days, and a text beside a date is read as one.
- A backslash in LIKE escapes ``%`` and ``_``.
"""

from sfumato.tables.sql.query import read_sql

__all__ = ["read_sql"]
