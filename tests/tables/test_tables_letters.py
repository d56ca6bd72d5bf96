"""Texts are not put in order beside what looks like a number or a date: it would be by letters."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import TYPE_CHECKING

import pandas as pd
import pytest

import sfumato as sf
from sfumato.errors import InputError
from sfumato.ledger import Ledger
from sfumato.tables.expressions.collation import meant_by
from tests.cases import cases
from tests.refusing import raises_code

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.tables.expressions import Expression
    from sfumato.tables.private_table import PrivateTable
    from sfumato.tables.query import Query

_ROWS = ["ID,Birthday,Paid", "1,31.12.1979,9", "2,01.02.1981,10", "3,05.06.1990,n/a"]
_DATE = "declare types={'Birthday': 'date'} where a CSV file is the table, or cast it to date, or"
_LETTERS = "texts are put in order letter by letter: '10' comes before '9'"
birthday, paid = sf.col("Birthday"), sf.col("Paid")


@pytest.fixture(scope="module")
def staff(tmp_path_factory: pytest.TempPathFactory) -> PrivateTable:
    file = tmp_path_factory.mktemp("letters") / "staff.csv"
    file.write_text("\n".join(_ROWS) + "\n", encoding="utf-8")
    return sf.table(file, unit="ID")


@pytest.fixture
def charged(staff: PrivateTable, tmp_path: Path) -> PrivateTable:
    place = tmp_path / "ledger.db"
    with Ledger.create(place, key=tmp_path / "key.pem") as ledger:
        ledger.add_book("staff", sf.PureDP(epsilon=1, relation=staff.relation))
    kept = {"path": str(place), "book": "staff"}
    return replace(staff, policy=staff.policy.with_changes(ledger=kept))


def charges(tmp_path: Path) -> int:
    with Ledger.open(tmp_path / "ledger.db") as ledger:
        return ledger.book("staff").count()


def said(query: Query) -> list[str]:
    return [str(each) for each in query.plan(epsilon=1).notes]


def asked(where: str) -> str:
    return f"SELECT COUNT(*) AS n FROM staff WHERE {where}"  # noqa: S608


@pytest.mark.parametrize(
    "where",
    [
        "Birthday < '1980-01-01'",
        "Birthday >= '01.01.1980'",
        "'1980/1/1' > Birthday",
        "Birthday BETWEEN '1980-01-01' AND '1989-12-31'",
        "NOT (ID = '1' OR Birthday <= ' 1980-01-01 ')",
    ],
)
def test_dates_in_sql_are_refused_before_the_charge(
    where: str, charged: PrivateTable, tmp_path: Path
) -> None:
    before = charges(tmp_path)
    with pytest.raises(InputError) as caught:
        charged.sql(asked(where), epsilon=1)
    assert "would compare letter by letter, since Birthday is text" in str(caught.value)
    assert _DATE in str(caught.value)
    assert charges(tmp_path) == before


@pytest.mark.parametrize(
    ("condition", "kind"),
    [
        (birthday < "1980-01-01", "date"),
        (birthday.between("1980-01-01", "1990-01-01 12:00"), "date"),
        (birthday >= "1980-01-01 12:00", "timestamp"),
        (paid > "9", "number"),
        (sf.tables.lit("1,000.5") <= paid, "number"),
    ],
)
def test_python_refuses_the_same(condition: Expression, kind: str, staff: PrivateTable) -> None:
    with raises_code("E-COMPARISON-TYPE"):
        staff.filter(condition)


def test_a_choice_inside_an_aggregate_is_refused_too(staff: PrivateTable) -> None:
    with raises_code("E-COMPARISON-TYPE"):
        staff.query("SELECT SUM(CASE WHEN Paid > '9' THEN 1 ELSE 0 END) AS n FROM staff").plan(
            epsilon=1
        )


@pytest.mark.parametrize(
    "where",
    [
        "TRIM(Paid) < '50'",
        "COALESCE(Paid, '0') < '50'",
        "NULLIF(Paid, '') >= '50'",
        "CASE WHEN Paid IS NULL THEN '0' ELSE Paid END BETWEEN '0' AND '50'",
        "CASE WHEN Paid = '9' THEN '9' ELSE '10' END < 'M50' OR '50' < Paid || ''",
        "LEAST(Paid, '50') = Paid",
        "GREATEST('50', Paid) = '50'",
        "Paid < LOWER('50')",
        "Paid < '5' || SUBSTR('x0', 2, 1)",
        "Paid < COALESCE(NULL, REPLACE('5-0', '-', ''))",
        "Paid < CASE WHEN ID = '1' THEN '50' ELSE '60' END",
        "CASE WHEN ID = '1' THEN '9' ELSE '10' END < '50'",
    ],
)
def test_what_is_wrapped_around_a_text_does_not_hide_it(where: str, staff: PrivateTable) -> None:
    with raises_code("E-COMPARISON-TYPE"):
        staff.query(asked(where))


@pytest.mark.parametrize(
    "condition",
    [
        paid.strip() < "50",
        paid.fill_null("0").between("0", "50"),
        sf.when(paid == "", None).otherwise(paid) > sf.tables.lit("50").lower(),
        paid.clip("0", "50") == paid,
        sf.tables.lit("1 Jan 1980") > birthday.left(11).upper(),
    ],
)
def test_python_sees_through_wrappers_too(condition: Expression, staff: PrivateTable) -> None:
    with raises_code("E-COMPARISON-TYPE"):
        staff.filter(condition)


def test_a_derived_column_is_cast_in_the_words_of_the_question(staff: PrivateTable) -> None:
    derived = staff.with_columns(b=paid.strip())
    with pytest.raises(InputError) as in_python:
        derived.filter(sf.col("b") < "50")
    with pytest.raises(InputError) as in_sql:
        staff.query(
            "SELECT COUNT(*) AS n FROM (SELECT ID, TRIM(Paid) AS b FROM staff) WHERE b < '50'"
        )
    assert "since b is text; cast it, as in sf.col('b').cast('number') < 50" in str(in_python.value)
    assert "since b is text; cast it, as in CAST(b AS DOUBLE) < 50, or" in str(in_sql.value)
    assert "types" not in f"{in_python.value} {in_sql.value}"
    with raises_code("E-COMPARISON-TYPE"):
        derived.filter(sf.col("b") < "50")


def test_a_column_with_another_name_is_declared_by_its_own(staff: PrivateTable) -> None:
    with raises_code("E-COMPARISON-TYPE"):
        staff.with_columns(b=paid).filter(sf.col("b") < "50")


def test_a_column_of_a_public_table_is_declared_there(staff: PrivateTable) -> None:
    prices = sf.public(pd.DataFrame({"Paid": ["9", "10"], "most": ["50", "50"]}))
    joined = staff.join(prices, on="Paid")
    with raises_code("E-COMPARISON-TYPE"):
        joined.filter(sf.col("most") < "50")
    assert _LETTERS in said(joined.filter(paid < sf.col("most")).agg(n=sf.count()))


@pytest.mark.parametrize(
    "condition",
    [birthday < paid, paid.strip() >= birthday, sf.tables.least(paid, birthday.lower()) == paid],
)
def test_texts_of_rows_beside_one_another_are_told_of(
    condition: Expression, staff: PrivateTable
) -> None:
    queries = [
        staff.filter(condition).agg(n=sf.count()),
        staff.with_columns(b=condition).filter(sf.col("b")).agg(n=sf.count()),
        staff.agg(n=sf.count(sf.when(condition, 1).otherwise(None))),
    ]
    for query in queries:
        assert said(query).count(_LETTERS) == 1
        assert _LETTERS in str(query.plan(epsilon=1))


def test_the_answer_tells_of_letters_as_the_plan_does(staff: PrivateTable) -> None:
    answer = staff.filter(birthday < paid).agg(n=sf.count()).release(epsilon=1)
    assert _LETTERS in map(str, answer.notes)


@pytest.mark.parametrize(
    "condition",
    [
        birthday < "M",
        birthday >= "B12",
        birthday < "",
        sf.tables.lit("M") <= birthday.strip(),
        paid.fill_null("0") < "M",
        birthday < sf.when(paid == "9", "K").otherwise("M"),
        birthday == "1980-01-01",
        birthday.is_in(["1", "2"]),
        birthday.cast("text") < "1980-01-01",
        birthday.cast("text").strip() < "1980-01-01",
        birthday.cast("text") < paid,
        paid < sf.tables.lit("50").cast("text"),
        birthday.cast("date") < sf.tables.lit("1980-01-01").cast("date"),
    ],
)
def test_other_texts_are_compared_as_before(condition: Expression, staff: PrivateTable) -> None:
    query = staff.filter(condition).agg(n=sf.count())
    assert f"where {condition}" in str(query.plan(epsilon=1))
    assert _LETTERS not in said(query)


@cases(
    ("text", "kind"),
    [
        *((each, "number") for each in ("0", "-1.5", "+.5", "1e-3", "45,123", "1 000", "5.")),
        *((each, "number") for each in ("50%", "50 ％", "５０", "٥٠", "−5", "$1,000", "12 €")),
        *((each, "date") for each in ("1980-01-01", "1.2.80", "31/12/1999", "1980-01")),
        *((each, "date") for each in ("01-1980", "1/1980", "1 Jan 1980", "1-JAN-80", "Jan 1980")),
        *(
            (each, "date")
            for each in ("January 1st, 1980", "1980 Sept. 3", "3. May", "1980年1月2日")
        ),
        *((each, "timestamp") for each in ("1980-01-01T10:00", "1.2.1980 9:30:01.5Z")),
        ("1 Jan 1980, 9:30", "timestamp"),
        *((each, None) for each in ("", " ", "-", ".", "e5", "A1", "1A", "M", "10:30", "1-1")),
        *((each, None) for each in ("May", "Marta 12", "Decimal", "%", "€", "1" * 61)),
    ],
)
def test_what_a_text_looks_like(text: str, kind: str | None) -> None:
    assert meant_by(text) == kind


@pytest.mark.parametrize("where", ["Birthday < 1980-01-01", "Birthday = 1980-1-1"])
def test_a_date_without_quotes_is_named(where: str, staff: PrivateTable) -> None:
    with raises_code("E-SQL-SYNTAX", match=r"1980-01-01 without quotes .*write DATE '1980-01-01'"):
        staff.query(asked(where))


def test_a_difference_beside_a_number_is_one(staff: PrivateTable) -> None:
    text = "SELECT COUNT(*) AS n FROM staff WHERE CAST(Paid AS INTEGER) < 1980-01-01"
    assert "(1980 - 1) - 1" in str(staff.query(text))


def test_a_number_beside_a_text_says_what_to_write_first(staff: PrivateTable) -> None:
    with pytest.raises(InputError) as caught:
        staff.filter(paid > 9)
    assert str(caught.value).startswith(
        "Paid > 9 has no value, since Paid is text; declare types={'Paid': 'number'} where a CSV"
    )


def test_dates_and_numbers_in_other_forms_are_read_by_what_the_guide_writes(
    staff: PrivateTable,
) -> None:
    year, month, day = birthday.substring(7, 4), birthday.substring(4, 2), birthday.left(2)
    in_python = (year + "-" + month + "-" + day).cast("date") < dt.date(1980, 1, 1)
    in_sql = (
        "CAST(SUBSTR(Birthday, 7, 4) || '-' || SUBSTR(Birthday, 4, 2) || '-' || "
        "LEFT(Birthday, 2) AS DATE) < '1980-01-01'"
    )
    limited = staff.declare(limits={"rows": 1})
    answers = [
        limited.filter(in_python).agg(n=sf.count()).release(epsilon=1000),
        limited.sql(asked(in_sql), epsilon=1000),
        limited.sql(asked("CAST(REPLACE(Paid, ',', '') AS DOUBLE) > 9.5"), epsilon=1000),
    ]
    assert [each["n"] for each in answers] == [1, 1, 1]


@pytest.mark.parametrize(
    "having",
    ["Birthday < '1980-01-01'", "'1980-01-01' >= Birthday", "Birthday BETWEEN '1.1.1980' AND 'M'"],
)
def test_having_refuses_the_same(having: str, staff: PrivateTable) -> None:
    text = f"SELECT Birthday, COUNT(*) AS n FROM staff GROUP BY Birthday HAVING {having}"  # noqa: S608
    with pytest.raises(InputError) as caught:
        staff.query(text)
    assert "would compare letter by letter, since Birthday is text; declare" in str(caught.value)
    assert "types={'Birthday': 'date'} where a CSV file is the table" in str(caught.value)


def test_having_on_a_derived_key_does_not_offer_to_declare_it(staff: PrivateTable) -> None:
    query = staff.with_columns(year=birthday.right(4)).group_by("year").agg(n=sf.count())
    with raises_code("E-COMPARISON-TYPE"):
        query.having("year", ">", "1980")


@pytest.mark.parametrize(
    ("sign", "value"), [("=", "1980-01-01"), ("<>", "9"), ("<", "M"), (">=", "B12")]
)
def test_having_compares_other_texts_as_before(sign: str, value: str, staff: PrivateTable) -> None:
    query = staff.group_by("Birthday").agg(n=sf.count()).having("Birthday", sign, value)
    assert f"having Birthday {sign} {value}" in str(query)
