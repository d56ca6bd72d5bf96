"""The table of people that everyone is asked about."""

from __future__ import annotations

QUASI = ("age", "sex", "zip", "smoker", "education")
SENSITIVE = "diagnosis"
MAKE = """
    COPY (
        SELECT
            20 + (random() * random() * 70)::INT AS age,
            CASE WHEN random() < 0.5 THEN 'F' ELSE 'M' END AS sex,
            '1901' || lpad((random() * 49)::INT::VARCHAR, 2, '0') AS zip,
            random() < 0.25 AS smoker,
            'education ' || (random() * random() * 9)::INT AS education,
            'diagnosis ' || (random() * random() * 20)::INT AS diagnosis
        FROM range({rows})
    ) TO '{path}' (FORMAT parquet)
"""
