"""What a policy declares of columns that questions derive."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import sfumato as sf
from sfumato.data.policy import digest, read_policy
from tests.refusing import raises_code

if TYPE_CHECKING:
    from pathlib import Path

POLICY = """
[table]
source = "patients.csv"
unit = "row"

[columns.age]
type = "integer"
"""
DERIVED = """
[derived.band]
values = ["adult", "child"]

[derived.decade]
values = ["1", "6"]

[derived.twice]
bounds = [0, 220]
"""
BAND = sf.when(sf.col("age") < 18, "child").otherwise("adult")
SQL = "SELECT CASE WHEN age < 18 THEN 'child' ELSE 'adult' END AS band, COUNT(*) AS n FROM patients"


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    (tmp_path / "patients.csv").write_text("age,sex\n61,F\n64,M\n14,F\n", encoding="utf-8")
    file = tmp_path / "patients.toml"
    file.write_text(POLICY + DERIVED, encoding="utf-8")
    return file


def test_keys_are_those_of_the_policy(policy: Path) -> None:
    table = sf.open(policy)
    asked = table.with_columns(band=BAND).group_by("band").agg(n=sf.count())
    by_sql = table.query(f"{SQL} GROUP BY band")
    for query in (asked, by_sql):
        answer = query.release(epsilon=1000)
        assert dict(zip(answer["band"], answer["n"], strict=True)) == {"adult": 2, "child": 1}


def test_keys_are_read_as_the_type_of_what_is_derived(policy: Path) -> None:
    table = sf.open(policy).with_columns(decade=sf.col("age") // 10)
    query = table.group_by("decade").agg(n=sf.count())
    assert query.plan(epsilon=1).keys.rows == ((1,), (6,))


def test_bounds_are_those_of_the_policy(policy: Path) -> None:
    table = sf.open(policy).with_columns(twice=sf.col("age") * 2)
    assert table.agg(twice=sf.sum("twice")).release(epsilon=10**6)["twice"] == pytest.approx(
        278, abs=0.1
    )


def test_what_a_question_declares_itself_goes_before_the_policy(policy: Path) -> None:
    table = sf.open(policy).with_columns(band=BAND).declare(keys={"band": ["child"]})
    assert table.group_by("band").agg(n=sf.count()).plan(epsilon=1).keys.count == 1
    query = sf.open(policy).query(f"{SQL} GROUP BY band", keys={"band": ["child"]})
    assert query.plan(epsilon=1).keys.count == 1


def test_a_column_that_nobody_derives_is_none_of_the_table(policy: Path) -> None:
    table = sf.open(policy)
    assert table.columns == ("age", "sex")
    with raises_code("E-NAME-UNKNOWN", match="there is no column 'band'"):
        table.group_by("band")


def test_what_is_derived_must_be_of_the_declared_kind(policy: Path) -> None:
    with raises_code("E-KEYS-TYPE"):
        sf.open(policy).with_columns(band=sf.col("age") + 0)
    with raises_code("E-BOUNDS-TYPE"):
        sf.open(policy).with_columns(twice=sf.col("sex"))


def test_the_digest_of_a_policy_covers_it(policy: Path) -> None:
    whole = digest(read_policy(policy))
    policy.write_text(POLICY + DERIVED.replace("220", "221"), encoding="utf-8")
    assert digest(read_policy(policy)) != whole
