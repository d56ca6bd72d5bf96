"""Expressions in SQL: each builds the tree that the fluent surface builds."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction

import sfumato as sf
from sfumato.tables.expressions import (
    Expression,
    FunctionCall,
    coalesce,
    greatest,
    least,
    lit,
    when,
)
from sfumato.tables.tree.aggregates import Covariance, Quantile
from tests.cases import cases
from tests.tables.sql.clinic import asked, clinic, where

age, cost, sex, ward, smoker, born, admitted = map(
    sf.col, ["age", "cost", "sex", "ward", "smoker", "born", "admitted"]
)

CONDITIONS: dict[str, Expression] = {
    "age + 1 > 2 - cost": age + 1 > 2 - cost,
    "age * -2 / 3 <= 7": age * -2 / 3 <= 7,
    "age % 2 = 0 OR MOD(age, 3) = 1": ((age % 2) == 0) | ((age % 3) == 1),
    "age // 2 == 3": (age // 2) == 3,
    "age ** 2 > POWER(cost, 2)": age**2 > cost**2,
    "-age < +5": -age < 5,
    "NOT smoker AND NOT (age >= 18)": ~smoker & ~(age >= 18),
    "smoker": smoker,
    "smoker = TRUE": smoker == True,  # noqa: E712
    "age BETWEEN 18 AND 64": age.between(18, 64),
    "age NOT BETWEEN 18 AND 64": ~age.between(18, 64),
    "ward IN ('A', 'it''s')": ward.is_in(["A", "it's"]),
    "age NOT IN (1, -2, 3.5)": ~age.is_in([1, -2, 3.5]),
    "ward LIKE 'A%'": ward.like("A%"),
    "ward NOT LIKE 'A\\%_'": ~ward.like("A\\%_"),
    "age IS NULL": age.is_null(),
    "age IS NOT NULL AND NOT sex IS NULL": age.is_not_null() & sex.is_not_null(),
    "CASE WHEN age < 18 THEN 'child' WHEN age < 65 THEN 'adult' ELSE 'elder' END = 'child'": (
        when(age < 18, "child").when(age < 65, "adult").otherwise("elder") == "child"
    ),
    "CASE sex WHEN 'F' THEN 0 WHEN 'M' THEN 1 END = 1": (
        when(sex == "F", 0).when(sex == "M", 1).otherwise(None) == 1
    ),
    "IF(smoker, 1, 2) = 1": when(smoker, 1).otherwise(2) == 1,
    "CAST(ward AS INT) > 1 AND ward::DOUBLE > TRY_CAST(ward AS DECIMAL(9, 2))": (
        (ward.cast("integer") > 1) & (ward.cast("number") > ward.cast("number"))
    ),
    "age::VARCHAR = '1' AND CAST(age AS BOOLEAN) AND ward::DATE IS NULL": (
        (age.cast("text") == "1") & age.cast("boolean") & ward.cast("date").is_null()
    ),
    "TRY_CAST(ward AS TIMESTAMP) IS NULL": ward.cast("timestamp").is_null(),
    "COALESCE(age, 0) = IFNULL(cost, 1)": coalesce(age, 0) == coalesce(cost, 1),
    "NULLIF(age, 0) > 1": when(age == 0, None).otherwise(age) > 1,
    "ABS(age) + ROUND(cost) + ROUND(cost, 1) + FLOOR(cost) + CEIL(cost) > SIGN(age)": (
        abs(age) + cost.round() + cost.round(1) + cost.floor() + cost.ceil() > age.sign()
    ),
    "SQRT(cost) + LN(cost) + LOG10(cost) + EXP(cost) > 0": (
        cost.sqrt() + cost.ln() + cost.log10() + cost.exp() > 0
    ),
    "LEAST(age, 5) < GREATEST(age, cost, 7)": least(age, 5) < greatest(age, cost, 7),
    "CLIP(age, 0, 110) = 3": age.clip(0, 110) == 3,
    "LOWER(sex) = 'f' AND UPPER(sex) = 'F' AND TRIM(sex) = 'F' AND LENGTH(sex) = 1": (
        (sex.lower() == "f") & (sex.upper() == "F") & (sex.strip() == "F") & (sex.length() == 1)
    ),
    "SUBSTRING(ward, 1, 2) = SUBSTR(ward, 3)": ward.substring(1, 2) == ward.substring(3, 10**6),
    "LEFT(ward, 1) = RIGHT(ward, 2)": ward.left(1) == ward.right(2),
    "REPLACE(ward, 'a', 'b') = 'b'": ward.replace("a", "b") == "b",
    "sex || '-' || ward = 'F-A'": sex + "-" + ward == "F-A",
    "CONCAT(sex, '-') = 'F-'": coalesce(sex, "") + "-" == "F-",
    "STARTS_WITH(ward, 'A') OR ENDS_WITH(ward, 'B') OR CONTAINS(ward, 'C')": (
        ward.starts_with("A") | ward.ends_with("B") | ward.contains("C")
    ),
    "EXTRACT(YEAR FROM born) = 1960 AND EXTRACT(isodow FROM born) = 1": (
        (born.year() == 1960) & (born.weekday() == 1)
    ),
    "QUARTER(born) + MONTH(born) + DAY(born) + DAYOFYEAR(born) + ISODOW(born) > 9": (
        born.quarter() + born.month() + born.day() + born.day_of_year() + born.weekday() > 9
    ),
    "HOUR(admitted) + MINUTE(admitted) + SECOND(admitted) > DATE_PART('hour', admitted)": (
        admitted.hour() + admitted.minute() + admitted.second() > admitted.hour()
    ),
    "DATE_TRUNC('month', admitted) = TIMESTAMP '2024-01-01 00:00:00'": (
        admitted.date_trunc("month") == dt.datetime(2024, 1, 1)
    ),
    "born >= DATE '2000-02-29' AND born < '2001-01-01'": (
        (born >= dt.date(2000, 2, 29)) & (born < dt.date(2001, 1, 1))
    ),
    "admitted BETWEEN '2024-01-01' AND '2024-01-31 23:59:59'": (
        admitted.between(dt.datetime(2024, 1, 1), dt.datetime(2024, 1, 31, 23, 59, 59))
    ),
    "DATEDIFF('day', born, admitted) > 3 AND DAYS_UNTIL(born, admitted) > 3": (
        (born.days_until(admitted) > 3) & (born.days_until(admitted) > 3)
    ),
    "born - DATE '2000-01-01' > 3": lit(dt.date(2000, 1, 1)).days_until(born) > 3,
    "born + 7 > born - 7": born.add_days(7) > born.add_days(-7),
    "born + age > born - age": born.add_days(age) > born.add_days(-age),
    "born + INTERVAL 7 DAY > admitted - INTERVAL '2 days'": (
        born.add_days(7) > admitted.add_days(-2)
    ),
    "DATE(admitted) = '2024-01-31'": admitted.cast("date") == dt.date(2024, 1, 31),
    "NULL IS NULL": FunctionCall("is_null", (lit(None),)),
}


@cases("text", CONDITIONS)
def test_a_condition_is_the_one_of_the_fluent_surface(text: str) -> None:
    expected = clinic().filter(CONDITIONS[text]).agg(n=sf.count())
    assert asked(where(text)) == str(expected)


@cases(
    ("operand", "bounds"),
    [
        ("CLIP(age, 0, 50)", (0, 50)),
        ("CLIP(age + cost, -1.5, 50)", (Fraction(-3, 2), 50)),
        ("CLIP(age, 50, 0)", None),
        ("CLIP(age, 0, age)", None),
        ("age + CLIP(age, 0, 50)", None),
        ("age", None),
    ],
)
@cases("asked", ["SUM", "AVG", "MEDIAN", "MAX", "STDDEV"])
def test_clipping_to_numbers_gives_bounds(
    asked: str, operand: str, bounds: tuple[object, object] | None
) -> None:
    query = clinic().query(f"SELECT {asked}({operand}) AS x FROM t")  # noqa: S608
    ((_, aggregate),) = query.aggregates
    assert getattr(aggregate, "bounds", "none") == bounds


def test_clipping_gives_bounds_of_both_sides_and_of_quantiles() -> None:
    text = "SELECT COVAR_POP(age, CLIP(cost, 0, 5)), QUANTILE_CONT(CLIP(age, 0, 9), 0.5) FROM t"
    (_, covariance), (_, quantile) = clinic().query(text).aggregates
    assert isinstance(covariance, Covariance)
    assert isinstance(quantile, Quantile)
    assert (covariance.bounds, covariance.other_bounds) == (None, (Fraction(0), Fraction(5)))
    assert quantile.bounds == (Fraction(0), Fraction(9))
