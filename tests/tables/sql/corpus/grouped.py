"""Groups, and what is done with the answer."""

from __future__ import annotations

import datetime as dt

import sfumato as sf
from tests.tables.sql.corpus.case import Legal, admitted, age, born, sex, ward

_DECADES = list(range(1, 9))

GROUPED = (
    Legal(
        "SELECT sex, COUNT(*) AS n, AVG(age) AS age FROM visits GROUP BY sex",
        lambda c: c.visits.group_by("sex").agg(n=sf.count(), age=sf.mean("age")),
    ),
    Legal(
        "SELECT COUNT(*) AS n, Sex FROM visits GROUP BY SEX",
        lambda c: c.visits.group_by("sex").agg(n=sf.count()),
        bare="SELECT sex, COUNT(*) FROM visits GROUP BY sex",
    ),
    Legal(
        "SELECT COUNT(*) AS n FROM visits GROUP BY sex, (ward)",
        lambda c: c.visits.group_by("sex", "ward").agg(n=sf.count()),
        bare="SELECT sex, ward, COUNT(*) FROM visits GROUP BY sex, ward",
    ),
    Legal(
        "SELECT sex, ward, COUNT(*) AS n FROM visits GROUP BY 2, 1, sex",
        lambda c: c.visits.group_by("sex", "ward").agg(n=sf.count()),
    ),
    Legal(
        "SELECT sex, COUNT(*) AS n FROM visits GROUP BY ward, smoker, sex",
        lambda c: c.visits.group_by("sex", "ward", "smoker").agg(n=sf.count()),
        bare="SELECT sex, ward, smoker, COUNT(*) FROM visits GROUP BY ALL",
    ),
    Legal(
        'SELECT "Visit Kind", COUNT(*) AS n FROM visits GROUP BY "Visit Kind"',
        lambda c: c.visits.group_by("Visit Kind").agg(n=sf.count()),
        spark="SELECT `Visit Kind`, COUNT(*) AS n FROM visits GROUP BY `Visit Kind`",
    ),
    Legal(
        "SELECT v.sex AS gender, COUNT(*) AS n FROM visits v GROUP BY v.sex",
        lambda c: c.visits.with_columns(gender=sex).group_by("gender").agg(n=sf.count()),
    ),
    Legal(
        "SELECT v.sex AS gender, SUM(v.cost) AS total FROM visits AS v GROUP BY gender",
        lambda c: c.visits.with_columns(gender=sex).group_by("gender").agg(total=sf.sum("cost")),
    ),
    Legal(
        "SELECT age // 10 AS decade, COUNT(*) AS n FROM visits WHERE age > 17 GROUP BY decade",
        lambda c: (
            c.visits.filter(age > 17)
            .with_columns(decade=age // 10)
            .group_by("decade")
            .agg(n=sf.count())
        ),
        postgres="SELECT DIV(age, 10) AS decade, COUNT(*) AS n FROM visits WHERE age > 17 "
        "GROUP BY decade",
        spark="SELECT age DIV 10 AS decade, COUNT(*) AS n FROM visits WHERE age > 17 "
        "GROUP BY decade",
        keys={"decade": _DECADES},
    ),
    Legal(
        "SELECT YEAR(admitted), COUNT(*) AS n FROM visits GROUP BY year(admitted)",
        lambda c: (
            c.visits.with_columns(**{"year(admitted)": admitted.year()})
            .group_by("year(admitted)")
            .agg(n=sf.count())
        ),
        postgres="SELECT EXTRACT(YEAR FROM admitted), COUNT(*) AS n FROM visits "
        "GROUP BY date_part('year', admitted)",
        keys={"year(admitted)": [2024]},
    ),
    Legal(
        "SELECT COUNT(*) AS n FROM visits GROUP BY LEFT(ward, 1)",
        lambda c: (
            c.visits.with_columns(**{"left(ward, 1)": ward.left(1)})
            .group_by("left(ward, 1)")
            .agg(n=sf.count())
        ),
        bare="SELECT LEFT(ward, 1), COUNT(*) FROM visits GROUP BY 1",
        keys={"left(ward, 1)": ["A", "B", "C", "D"]},
    ),
    Legal(
        "SELECT DATE_TRUNC('quarter', born) AS q, COUNT(*) AS n FROM visits "
        "WHERE born < DATE '1951-01-01' GROUP BY q",
        lambda c: (
            c.visits.filter(born < dt.date(1951, 1, 1))
            .with_columns(q=born.date_trunc("quarter"))
            .group_by("q")
            .agg(n=sf.count())
        ),
        spark="SELECT TRUNC(born, 'QUARTER') AS q, COUNT(*) AS n FROM visits "
        "WHERE born < DATE '1951-01-01' GROUP BY q",
        keys={"q": [dt.date(1950, month, 1) for month in (1, 4, 7, 10)]},
        bare="SELECT CAST(DATE_TRUNC('quarter', born) AS DATE), COUNT(*) FROM visits "
        "WHERE born < DATE '1951-01-01' GROUP BY 1",
    ),
    Legal(
        "SELECT CASE WHEN age < 40 THEN 'young' WHEN age < 65 THEN 'middle' ELSE 'old' END "
        "AS band, COUNT(*) AS n FROM visits GROUP BY 1 ORDER BY 1",
        lambda c: (
            c.visits.with_columns(
                band=sf.when(age < 40, "young").when(age < 65, "middle").otherwise("old")
            )
            .group_by("band")
            .agg(n=sf.count())
            .sort_by("band")
        ),
        keys={"band": ["young", "middle", "old"]},
    ),
    Legal(
        "SELECT sex, COUNT(*) AS n FROM visits GROUP BY sex HAVING COUNT(*) > 10",
        lambda c: c.visits.group_by("sex").agg(n=sf.count()).having("n", ">", 10),
    ),
    Legal(
        "SELECT ward, COUNT(*) AS n, AVG(age) AS a FROM visits GROUP BY ward "
        "HAVING (-1.5 <= AVG(age) AND n BETWEEN 1 AND 900) AND ward <> 'B2'",
        lambda c: (
            c.visits.group_by("ward")
            .agg(n=sf.count(), a=sf.mean("age"))
            .having("a", ">=", -1.5)
            .having("n", ">=", 1)
            .having("n", "<=", 900)
            .having("ward", "<>", "B2")
        ),
    ),
    Legal(
        "SELECT sex, ward, COUNT(*) AS n FROM visits GROUP BY 1, 2 "
        "ORDER BY 3 DESC, sex, ward DESC LIMIT 4",
        lambda c: (
            c.visits.group_by("sex", "ward")
            .agg(n=sf.count())
            .sort_by("ward", descending=True)
            .sort_by("sex")
            .sort_by("n", descending=True)
            .head(4)
        ),
    ),
    Legal(
        "SELECT ward AS w, SUM(cost) FROM visits GROUP BY ward ORDER BY SUM(cost) ASC, ward DESC",
        lambda c: (
            c.visits.with_columns(w=ward)
            .group_by("w")
            .agg(sum_cost=sf.sum("cost"))
            .sort_by("w", descending=True)
            .sort_by("sum_cost")
        ),
    ),
    Legal(
        "SELECT ward, COUNT(DISTINCT patient_id) AS people FROM visits GROUP BY ward LIMIT 2",
        lambda c: c.visits.group_by("ward").agg(people=sf.people()).head(2),
        bare="SELECT ward, COUNT(DISTINCT patient_id) FROM visits GROUP BY ward ORDER BY 1 LIMIT 2",
    ),
)
