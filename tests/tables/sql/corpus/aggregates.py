"""Each aggregate, of all rows together."""

from __future__ import annotations

import sfumato as sf
from sfumato.tables.expressions import when
from tests.tables.sql.corpus.case import Legal, age, cost, sex, smoker, ward

AGGREGATES = (
    Legal("SELECT COUNT(*) FROM visits", lambda c: c.visits.agg(count=sf.count())),
    Legal("select count(*) as n from visits;", lambda c: c.visits.agg(n=sf.count())),
    Legal(
        "SELECT COUNT() FROM visits -- all of them",
        lambda c: c.visits.agg(count=sf.count()),
        bare="SELECT COUNT(*) FROM visits",
    ),
    Legal("SELECT COUNT(1) AS n FROM visits", lambda c: c.visits.agg(n=sf.count())),
    Legal("SELECT COUNT(age) FROM visits", lambda c: c.visits.agg(count_age=sf.count("age"))),
    Legal("SELECT COUNT(ALL age) AS n FROM visits", lambda c: c.visits.agg(n=sf.count("age"))),
    Legal(
        "SELECT COUNT(DISTINCT patient_id) FROM visits",
        lambda c: c.visits.agg(people=sf.people()),
    ),
    Legal(
        "SELECT COUNT(DISTINCT (visits.PATIENT_ID)) AS who FROM visits",
        lambda c: c.visits.agg(who=sf.people()),
    ),
    Legal(
        "SELECT APPROX_COUNT_DISTINCT(patient_id) AS who FROM visits",
        lambda c: c.visits.agg(who=sf.people()),
        bare="SELECT COUNT(DISTINCT patient_id) FROM visits",
    ),
    Legal(
        "SELECT COUNT(*), COUNT(*), COUNT(*) AS count_2 FROM visits",
        lambda c: c.visits.agg(count=sf.count(), count_3=sf.count(), count_2=sf.count()),
    ),
    Legal(
        "SELECT SUM(cost), AVG(age), (SUM(CLIP(age + 1, 0, 200))) FROM visits",
        lambda c: c.visits.agg(
            sum_cost=sf.sum("cost"),
            mean_age=sf.mean("age"),
            sum=sf.sum((age + 1).clip(0, 200), bounds=(0, 200)),
        ),
        bare="SELECT SUM(cost), AVG(age), SUM(age + 1) FROM visits",
    ),
    Legal(
        "SELECT MEAN(cost) AS m FROM visits",
        lambda c: c.visits.agg(m=sf.mean("cost")),
        postgres="SELECT AVG(cost) AS m FROM visits",
    ),
    Legal(
        "SELECT VARIANCE(age), VAR_POP(age), STDDEV(age), STDDEV_POP(age) FROM visits",
        lambda c: c.visits.agg(
            variance_age=sf.variance("age"),
            variance_age_2=sf.variance("age"),
            std_age=sf.std("age"),
            std_age_2=sf.std("age"),
        ),
        bare="SELECT VAR_POP(age), VAR_POP(age), STDDEV_POP(age), STDDEV_POP(age) FROM visits",
    ),
    Legal(
        "SELECT COVAR_POP(age, cost) FROM visits",
        lambda c: c.visits.agg(covariance_age_cost=sf.tables.covariance("age", "cost")),
    ),
    Legal(
        "SELECT MEDIAN(age) AS m FROM visits",
        lambda c: c.visits.agg(m=sf.median("age")),
        near=1.0,
    ),
    Legal(
        "SELECT MIN(age) AS least, MAX(cost) AS most FROM visits",
        lambda c: c.visits.agg(least=sf.minimum("age"), most=sf.maximum("cost")),
        near=2.0,
    ),
    Legal(
        "SELECT MODE(ward) AS m FROM visits WHERE ward <> 'B2' AND cost > 10",
        lambda c: c.visits.filter((ward != "B2") & (cost > 10)).agg(m=sf.tables.mode("ward")),
        postgres="SELECT MODE() WITHIN GROUP (ORDER BY ward) AS m FROM visits "
        "WHERE ward <> 'B2' AND cost > 10",
    ),
    Legal(
        "SELECT QUANTILE_CONT(age, 0.9) AS q FROM visits",
        lambda c: c.visits.agg(q=sf.quantile("age", 0.9)),
        postgres="SELECT PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY age) AS q FROM visits",
        spark="SELECT PERCENTILE(age, 0.9) AS q FROM visits",
        near=1.0,
    ),
    Legal(
        "SELECT APPROX_QUANTILE(cost, 0.25) AS q FROM visits",
        lambda c: c.visits.agg(q=sf.quantile("cost", 0.25)),
        postgres="SELECT PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY cost) AS q FROM visits",
        spark="SELECT PERCENTILE_APPROX(cost, 0.25) AS q FROM visits",
        near=1.0,
    ),
    Legal(
        "SELECT PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY CLIP(age * 2, 0, 220)) FROM visits",
        lambda c: c.visits.agg(quantile=sf.quantile((age * 2).clip(0, 220), 0.25, bounds=(0, 220))),
        spark="SELECT APPROX_PERCENTILE(CLIP(age * 2, 0, 220), 0.25) FROM visits",
        bare="SELECT QUANTILE_CONT(age * 2, 0.25) FROM visits",
        near=2.0,
    ),
    Legal(
        "SELECT COUNT(*) FILTER (WHERE age > 60) AS old FROM visits",
        lambda c: c.visits.agg(old=sf.count(when(age > 60, 1).otherwise(None))),
    ),
    Legal(
        "SELECT AVG(smoker) AS s, AVG(age > 60) AS old, SUM(smoker) AS n FROM visits",
        lambda c: c.visits.agg(s=sf.mean("smoker"), old=sf.mean(age > 60), n=sf.sum("smoker")),
        bare="SELECT AVG(CAST(smoker AS INT)), AVG(CAST(age > 60 AS INT)), "
        "SUM(CAST(smoker AS INT)) FROM visits",
    ),
    Legal(
        "SELECT COUNT_IF(smoker) AS n FROM visits",
        lambda c: c.visits.agg(n=sf.count(when(smoker, 1).otherwise(None))),
        postgres="SELECT COUNT(*) FILTER (WHERE smoker) AS n FROM visits",
    ),
    Legal(
        "SELECT SUM(cost) FILTER (WHERE sex = 'F') AS f, AVG(age) FILTER (WHERE smoker) AS a "
        "FROM visits",
        lambda c: c.visits.agg(
            f=sf.sum(when(sex == "F", cost).otherwise(None), bounds=(0, 100)),
            a=sf.mean(when(smoker, age).otherwise(None), bounds=(0, 110)),
        ),
    ),
    Legal(
        "SELECT SUM(CLIP(CASE WHEN sex = 'F' THEN cost ELSE 0 END, 0, 100)) AS f FROM visits",
        lambda c: c.visits.agg(
            f=sf.sum(when(sex == "F", cost).otherwise(0).clip(0, 100), bounds=(0, 100))
        ),
        bare="SELECT SUM(CASE WHEN sex = 'F' THEN cost ELSE 0 END) FROM visits",
    ),
    Legal(
        "SELECT SUM(CASE WHEN age > 60 THEN 1 ELSE 0 END) AS old, AVG(CAST(smoker AS INT)) AS s, "
        "SUM(CASE WHEN age > 60 THEN 2.5 WHEN smoker THEN -1 END) AS score FROM visits",
        lambda c: c.visits.agg(
            old=sf.sum(when(age > 60, 1).otherwise(0), bounds=(0, 1)),
            s=sf.mean(smoker.cast("integer"), bounds=(0, 1)),
            score=sf.sum(when(age > 60, 2.5).when(smoker, -1).otherwise(None), bounds=(-1, 2.5)),
        ),
    ),
    Legal(
        "SELECT SUM(CASE WHEN smoker THEN 1 END) FILTER (WHERE age > 60) AS n FROM visits",
        lambda c: c.visits.agg(
            n=sf.sum(when(age > 60, when(smoker, 1).otherwise(None)).otherwise(None), bounds=(0, 1))
        ),
    ),
)
