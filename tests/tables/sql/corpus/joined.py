"""Joins with a public table, and of two private ones on the person."""

from __future__ import annotations

import sfumato as sf
from tests.tables.sql.corpus.case import Legal, age, code, cost, sex

JOINED = (
    Legal(
        "SELECT r.region, COUNT(*) AS n FROM visits v JOIN regions r ON v.zip = r.zip "
        "GROUP BY r.region",
        lambda c: (
            c.visits.join(c.regions.rename({"ward": "r_ward"}), on="zip")
            .group_by("region")
            .agg(n=sf.count())
        ),
    ),
    Legal(
        "SELECT region, SUM(cost) AS total FROM visits INNER JOIN regions USING (zip) "
        "WHERE beds > 50 GROUP BY region ORDER BY total DESC",
        lambda c: (
            c.visits.join(c.regions.rename({"ward": "regions_ward"}), on="zip")
            .filter(sf.col("beds") > 50)
            .group_by("region")
            .agg(total=sf.sum("cost"))
            .sort_by("total", descending=True)
        ),
    ),
    Legal(
        "SELECT COUNT(*) AS n, COUNT(r.region) AS known FROM visits AS v LEFT JOIN regions AS r "
        "ON r.zip = v.zip",
        lambda c: c.visits.join(c.regions.rename({"ward": "r_ward"}), on="zip", how="left").agg(
            n=sf.count(), known=sf.count("region")
        ),
    ),
    Legal(
        "SELECT COUNT(*) AS n FROM visits LEFT OUTER JOIN regions AS r ON (visits.zip = r.zip) "
        "WHERE r.region IS NULL",
        lambda c: (
            c.visits.join(c.regions.rename({"ward": "r_ward"}), on="zip", how="left")
            .filter(sf.col("region").is_null())
            .agg(n=sf.count())
        ),
    ),
    Legal(
        "SELECT COUNT(*) AS n FROM (SELECT patient_id, zip AS code FROM visits WHERE age > 30) "
        "AS v JOIN regions AS r ON v.code = r.zip WHERE r.zip = '1010'",
        lambda c: (
            c.visits.filter(age > 30)
            .with_columns(code=code)
            .join(c.regions.rename({"ward": "r_ward"}), on={"code": "zip"})
            .filter(sf.col("code") == "1010")
            .agg(n=sf.count())
        ),
    ),
    Legal(
        "SELECT r.ward AS kind, COUNT(*) AS n FROM visits AS v JOIN regions AS r ON v.zip = r.zip "
        "GROUP BY r.ward",
        lambda c: (
            c.visits.join(c.regions.rename({"ward": "r_ward"}), on="zip")
            .with_columns(kind=sf.col("r_ward"))
            .group_by("kind")
            .agg(n=sf.count())
        ),
    ),
    Legal(
        "SELECT COUNT(*) AS n, AVG(p.height) AS h FROM visits AS v JOIN people AS p "
        "ON v.patient_id = p.person",
        lambda c: c.visits.join(c.people).agg(n=sf.count(), h=sf.mean("height")),
    ),
    Legal(
        "SELECT sex, SUM(CLIP(cost * height, 0, 25000)) AS s FROM visits JOIN people "
        "ON person = patient_id GROUP BY sex",
        lambda c: (
            c.visits.join(c.people)
            .group_by("sex")
            .agg(s=sf.sum((cost * sf.col("height")).clip(0, 25000), bounds=(0, 25000)))
        ),
        bare="SELECT sex, SUM(cost * height) AS s FROM visits JOIN people "
        "ON person = patient_id GROUP BY sex",
    ),
    Legal(
        "SELECT COUNT(*) AS n, COUNT(height) AS known FROM visits LEFT JOIN people AS p "
        "ON visits.patient_id = p.person",
        lambda c: c.visits.join(c.people, how="left").agg(n=sf.count(), known=sf.count("height")),
    ),
    Legal(
        "WITH tall AS (SELECT person, height FROM people WHERE height > 170), "
        "each AS (SELECT patient_id, SUM(cost) AS total FROM visits GROUP BY patient_id) "
        "SELECT COUNT(*) AS n, AVG(CLIP(total, 0, 400)) AS a FROM each JOIN tall "
        "ON each.patient_id = tall.person",
        lambda c: (
            c.visits.per_person(total=sf.sum("cost"))
            .join(c.people.filter(sf.col("height") > 170))
            .agg(n=sf.count(), a=sf.mean(sf.col("total").clip(0, 400), bounds=(0, 400)))
        ),
        bare="SELECT COUNT(*) AS n, AVG(total) AS a FROM (SELECT patient_id, SUM(cost) AS total "
        "FROM visits GROUP BY patient_id) JOIN people ON patient_id = person WHERE height > 170",
    ),
    Legal(
        "SELECT region, COUNT(DISTINCT patient_id) AS people FROM visits AS v JOIN people AS p "
        "ON p.person = v.patient_id JOIN regions AS r ON r.zip = v.zip WHERE height > 160 "
        "GROUP BY region",
        lambda c: (
            c.visits.join(c.people)
            .join(c.regions.rename({"ward": "r_ward"}), on="zip")
            .filter(sf.col("height") > 160)
            .group_by("region")
            .agg(people=sf.people())
        ),
    ),
    Legal(
        "SELECT COUNT(*) AS n FROM (SELECT v.patient_id, r.region, v.sex FROM visits AS v "
        "JOIN regions AS r ON v.zip = r.zip) AS j WHERE region = 'Styria' AND sex = 'F'",
        lambda c: (
            c.visits.join(c.regions.rename({"ward": "r_ward"}), on="zip")
            .filter((sf.col("region") == "Styria") & (sex == "F"))
            .agg(n=sf.count())
        ),
    ),
)
