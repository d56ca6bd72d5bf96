"""Inner selects and names of WITH: rows that are kept, and one row for each person."""

from __future__ import annotations

import sfumato as sf
from tests.tables.sql.corpus.case import Legal, age, cost, patient, sex, ward

_KINDS = list(range(1, 5))

NESTED = (
    Legal(
        "SELECT COUNT(*) AS n FROM (SELECT * FROM visits WHERE age > 40) AS old",
        lambda c: c.visits.filter(age > 40).agg(n=sf.count()),
    ),
    Legal(
        "SELECT COUNT(*) AS n FROM ((SELECT v.* FROM visits v)) w WHERE w.age > 40",
        lambda c: c.visits.filter(age > 40).agg(n=sf.count()),
    ),
    Legal(
        "WITH old AS (SELECT * FROM visits WHERE age > 40) SELECT sex, COUNT(*) AS n FROM old "
        "GROUP BY sex",
        lambda c: c.visits.filter(age > 40).group_by("sex").agg(n=sf.count()),
    ),
    Legal(
        "WITH visits AS (SELECT * FROM visits WHERE sex = 'F') SELECT COUNT(*) AS n FROM visits "
        "WHERE ward = 'A1'",
        lambda c: c.visits.filter(sex == "F").filter(ward == "A1").agg(n=sf.count()),
    ),
    Legal(
        "WITH a AS (SELECT patient_id, age + 1 AS next FROM visits), "
        "b AS (SELECT patient_id, next * 2 AS twice FROM a WHERE next > 30) "
        "SELECT COUNT(*) AS n, SUM(CLIP(twice, 0, 300)) AS s FROM b WHERE twice < 150",
        lambda c: (
            c.visits.with_columns(next=age + 1)
            .filter(sf.col("next") > 30)
            .with_columns(twice=sf.col("next") * 2)
            .filter(sf.col("twice") < 150)
            .agg(n=sf.count(), s=sf.sum(sf.col("twice").clip(0, 300), bounds=(0, 300)))
        ),
        bare="WITH a AS (SELECT patient_id, age + 1 AS next FROM visits), "
        "b AS (SELECT patient_id, next * 2 AS twice FROM a WHERE next > 30) "
        "SELECT COUNT(*) AS n, SUM(twice) AS s FROM b WHERE twice < 150",
    ),
    Legal(
        "SELECT COUNT(DISTINCT who) AS people, AVG(years) AS a FROM "
        "(SELECT patient_id AS who, age AS years, cost AS age FROM visits) AS v WHERE age > 20",
        lambda c: (
            c.visits.with_columns(who=patient, years=age, age=cost)
            .filter(age > 20)
            .agg(people=sf.people(), a=sf.mean("years"))
        ),
    ),
    Legal(
        "SELECT gender, SUM(cost) AS total FROM (SELECT patient_id, sex AS gender, cost "
        "FROM visits) AS v GROUP BY gender",
        lambda c: c.visits.with_columns(gender=sex).group_by("gender").agg(total=sf.sum("cost")),
    ),
    Legal(
        "SELECT COUNT(*) AS n FROM (SELECT * FROM (SELECT * FROM (SELECT *, cost * 2 AS double "
        "FROM visits) AS a WHERE double > 20) AS b WHERE double < 150) AS c WHERE sex = 'M'",
        lambda c: (
            c.visits.with_columns(double=cost * 2)
            .filter(sf.col("double") > 20)
            .filter(sf.col("double") < 150)
            .filter(sex == "M")
            .agg(n=sf.count())
        ),
    ),
    Legal(
        "SELECT AVG(CLIP(total, 0, 400)) AS a, SUM(CLIP(n, 0, 12)) AS s FROM (SELECT patient_id, "
        "SUM(cost) AS total, COUNT(*) AS n FROM visits GROUP BY patient_id) AS t",
        lambda c: c.visits.per_person(total=sf.sum("cost"), n=sf.count()).agg(
            a=sf.mean(sf.col("total").clip(0, 400), bounds=(0, 400)),
            s=sf.sum(sf.col("n").clip(0, 12), bounds=(0, 12)),
        ),
        bare="SELECT AVG(total) AS a, SUM(n) AS s FROM (SELECT patient_id, "
        "SUM(cost) AS total, COUNT(*) AS n FROM visits GROUP BY patient_id) AS t",
    ),
    Legal(
        "WITH each AS (SELECT patient_id, COUNT(*) AS n FROM visits WHERE cost > 10 GROUP BY 1) "
        "SELECT n, COUNT(*) AS people FROM each GROUP BY n",
        lambda c: (
            c.visits.filter(cost > 10).per_person(n=sf.count()).group_by("n").agg(people=sf.count())
        ),
        keys={"n": _KINDS},
    ),
    Legal(
        "SELECT COUNT(*) AS n FROM (SELECT patient_id AS who, MAX(age) AS oldest, "
        "MIN(age) AS least FROM visits GROUP BY patient_id) AS t WHERE oldest - least > 20",
        lambda c: (
            c.visits.per_person(oldest=sf.maximum("age"), least=sf.minimum("age"))
            .with_columns(who=patient)
            .filter(sf.col("oldest") - sf.col("least") > 20)
            .agg(n=sf.count())
        ),
    ),
    Legal(
        "SELECT AVG(mean) AS a FROM (SELECT who, AVG(years) AS mean FROM (SELECT "
        "patient_id AS who, age AS years FROM visits WHERE sex = 'F') AS v GROUP BY who) AS t",
        lambda c: (
            c.visits.filter(sex == "F")
            .with_columns(who=patient, years=age)
            .per_person(mean=sf.mean("years"))
            .with_columns(who=patient)
            .agg(a=sf.mean("mean"))
        ),
        near=1e-6,
    ),
    Legal(
        "SELECT COUNT(*) AS n FROM (SELECT patient_id, COUNT(*) FILTER (WHERE smoker) AS smoked "
        "FROM visits GROUP BY patient_id) AS t WHERE smoked = 0",
        lambda c: (
            c.visits.per_person(smoked=sf.count(sf.when(sf.col("smoker"), 1).otherwise(None)))
            .filter(sf.col("smoked") == 0)
            .agg(n=sf.count())
        ),
    ),
)
