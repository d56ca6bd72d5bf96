"""Conditions on rows, as each dialect spells them."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import sfumato as sf
from sfumato.tables.expressions import coalesce, greatest, least, when
from tests.tables.sql.corpus.case import Legal, admitted, age, born, cost, sex, smoker, ward

if TYPE_CHECKING:
    from sfumato.tables.expressions import Expression


def _where(
    duckdb: str, condition: Expression, postgres: str | None = None, spark: str | None = None
) -> Legal:
    """A count of the rows of which a condition is true."""
    start = "SELECT COUNT(*) AS n FROM visits WHERE "
    return Legal(
        start + duckdb,
        lambda c: c.visits.filter(condition).agg(n=sf.count()),
        start + (postgres or duckdb),
        start + (spark or duckdb),
    )


EXPRESSIONS = (
    _where("age BETWEEN 18 AND 64", age.between(18, 64)),
    _where("age NOT BETWEEN 18 AND 64", ~age.between(18, 64)),
    _where(
        "ward IN ('A1', 'C3') AND sex NOT IN ('M')", ward.is_in(["A1", "C3"]) & ~sex.is_in(["M"])
    ),
    _where("ward LIKE '_1' OR ward NOT LIKE 'B%'", ward.like("_1") | ~ward.like("B%")),
    _where("smoker AND NOT age >= 60", smoker & ~(age >= 60)),
    _where("smoker IS NULL OR age IS NOT NULL", smoker.is_null() | age.is_not_null()),
    _where("age + 1 > cost * 2 - 3", age + 1 > cost * 2 - 3),
    _where("cost / 4 > 10", cost / 4 > 10),
    _where("age % 2 = 0 OR MOD(age, 3) = 1", ((age % 2) == 0) | ((age % 3) == 1)),
    _where("POWER(age, 2) > 900", age**2 > 900, postgres="age ^ 2 > 900"),
    _where("CASE sex WHEN 'F' THEN 0 ELSE 1 END = 1", when(sex == "F", 0).otherwise(1) == 1),
    _where(
        "IF(smoker, age, 0) > 30",
        when(smoker, age).otherwise(0) > 30,
        postgres="CASE WHEN smoker THEN age ELSE 0 END > 30",
    ),
    _where(
        "COALESCE(age, 0) < IFNULL(cost, 1)",
        coalesce(age, 0) < coalesce(cost, 1),
        postgres="COALESCE(age, 0) < COALESCE(cost, 1)",
        spark="NVL(age, 0) < IFNULL(cost, 1)",
    ),
    _where("NULLIF(age, 18) > 20", when(age == 18, None).otherwise(age) > 20),
    _where("LEAST(age, 50) < GREATEST(cost, 40)", least(age, 50) < greatest(cost, 40)),
    _where(
        "ABS(cost - 50) + ROUND(cost) + FLOOR(cost) + CEIL(cost) > SQRT(age)",
        abs(cost - 50) + cost.round() + cost.floor() + cost.ceil() > age.sqrt(),
        spark="ABS(cost - 50) + ROUND(cost) + FLOOR(cost) + CEILING(cost) > SQRT(age)",
    ),
    _where(
        "LN(age) + EXP(cost / 100) + LOG10(age) > 6",
        age.ln() + (cost / 100).exp() + age.log10() > 6,
        spark="LOG(age) + EXP(cost / 100) + LOG10(age) > 6",
        postgres="LN(age) + EXP(cost / 100) + LOG(10, age) > 6",
    ),
    _where(
        "LOWER(sex) = 'f' AND LENGTH(ward) = 2 AND SUBSTRING(ward, 2, 1) = '1'",
        (sex.lower() == "f") & (ward.length() == 2) & (ward.substring(2, 1) == "1"),
        postgres="LOWER(sex) = 'f' AND CHAR_LENGTH(ward) = 2 "
        "AND SUBSTRING(ward FROM 2 FOR 1) = '1'",
        spark="LCASE(sex) = 'f' AND CHAR_LENGTH(ward) = 2 AND SUBSTR(ward, 2, 1) = \"1\"",
    ),
    _where(
        "sex || '-' || ward = 'F-A1' OR STARTS_WITH(ward, 'C')",
        (sex + "-" + ward == "F-A1") | ward.starts_with("C"),
        spark="CONCAT(sex, '-', ward) = 'F-A1' OR STARTSWITH(ward, 'C')",
    ),
    _where(
        "CONCAT(sex, '-') = 'F-'",
        coalesce(sex, "") + "-" == "F-",
        spark="CONCAT(COALESCE(sex, ''), '-') = 'F-'",
    ),
    _where(
        "age::VARCHAR LIKE '4%' AND TRY_CAST(ward AS DATE) IS NULL",
        age.cast("text").like("4%") & ward.cast("date").is_null(),
        postgres="CAST(age AS TEXT) LIKE '4%' AND CAST(ward AS DATE) IS NULL",
        spark="STRING(age) LIKE '4%' AND TRY_CAST(ward AS DATE) IS NULL",
    ),
    _where(
        "EXTRACT(YEAR FROM born) = 1960 OR EXTRACT(isodow FROM born) = 1",
        (born.year() == 1960) | (born.weekday() == 1),
        postgres="DATE_PART('year', born) = 1960 OR EXTRACT(ISODOW FROM born) = 1",
        spark="YEAR(born) = 1960 OR EXTRACT(DAYOFWEEK_ISO FROM born) = 1",
    ),
    _where(
        "QUARTER(born) + MONTH(born) + DAY(born) > 12",
        born.quarter() + born.month() + born.day() > 12,
        postgres="EXTRACT(QUARTER FROM born) + EXTRACT(MONTH FROM born) "
        "+ EXTRACT(DAY FROM born) > 12",
        spark="QUARTER(born) + MONTH(born) + DAYOFMONTH(born) > 12",
    ),
    _where(
        "HOUR(admitted) >= 12 AND MINUTE(admitted) = 30",
        (admitted.hour() >= 12) & (admitted.minute() == 30),
        postgres="EXTRACT(HOUR FROM admitted) >= 12 AND EXTRACT(MINUTE FROM admitted) = 30",
    ),
    _where(
        "DATE_TRUNC('month', admitted) = TIMESTAMP '2024-02-01 00:00:00'",
        admitted.date_trunc("month") == dt.datetime(2024, 2, 1),
    ),
    _where(
        "born >= '1960-02-29' AND admitted < TIMESTAMP '2024-06-30 12:00:00'",
        (born >= dt.date(1960, 2, 29)) & (admitted < dt.datetime(2024, 6, 30, 12)),
    ),
    _where(
        "DATEDIFF('day', born, admitted) > 20000",
        born.days_until(admitted) > 20000,
        postgres="DAYS_UNTIL(born, admitted) > 20000",
        spark="DATEDIFF(admitted, born) > 20000",
    ),
    _where(
        "CAST(admitted AS DATE) - born > 20000",
        born.days_until(admitted.cast("date")) > 20000,
        spark="DATE(admitted) - born > 20000",
    ),
    _where(
        "born + INTERVAL 30 DAY > DATE '1990-01-01'",
        born.add_days(30) > dt.date(1990, 1, 1),
        postgres="born + INTERVAL '30 days' > DATE '1990-01-01'",
        spark="DATE_ADD(born, 30) > DATE '1990-01-01'",
    ),
    _where(
        "born - 7 > DATE '1990-01-01'",
        born.add_days(-7) > dt.date(1990, 1, 1),
        postgres="born - INTERVAL '7' DAY > DATE '1990-01-01'",
        spark="DATE_SUB(born, 7) > DATE '1990-01-01'",
    ),
)
