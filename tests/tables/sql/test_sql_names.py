"""What a table is called after FROM, and how names of columns are found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

import sfumato as sf
from sfumato.errors import UnknownNameError
from sfumato.tables.sql import read_sql
from sfumato.tables.sql.dialect import matching
from tests.refusing import raises_code

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.tables.private_table import PrivateTable


def file_table(path: Path, **declared: object) -> PrivateTable:
    path.write_text("patient_id,age\n1,61\n")
    return sf.table(path, unit="patient_id", **declared)


def counted(name: str, table: PrivateTable) -> str:
    return str(read_sql(" ".join(["SELECT COUNT(*) AS n FROM", name]), table))


@pytest.mark.parametrize("name", ["patients", "PATIENTS", '"patients"', "patients AS p"])
def test_a_file_is_called_by_its_stem(name: str, tmp_path: Path) -> None:
    assert counted(name, file_table(tmp_path / "patients.csv")) == "n = count(*)"


def test_a_name_that_needs_quotes_is_offered_in_quotes(tmp_path: Path) -> None:
    table = file_table(tmp_path / "visits-semi.csv")
    with raises_code(
        "E-NAME-UNKNOWN", match=r'; write FROM "visits-semi", in quotes$', kind=UnknownNameError
    ):
        counted("visits", table)
    assert counted('"visits-semi"', table) == "n = count(*)"


@pytest.mark.parametrize("name", ["people", "'patients.csv'", "'/etc/passwd'", "patient"])
def test_a_file_goes_by_no_other_name(name: str, tmp_path: Path) -> None:
    with raises_code(
        "E-NAME-UNKNOWN", match=r"there is no table .*\(known: 'patients'\)", kind=UnknownNameError
    ):
        counted(name, file_table(tmp_path / "patients.csv"))


def test_a_file_is_also_called_by_its_book(tmp_path: Path) -> None:
    ledger = {"path": str(tmp_path / "ledger.db"), "book": "clinic"}
    table = file_table(tmp_path / "patients.csv", ledger=ledger)
    assert counted("clinic", table) == counted("patients", table)


def test_a_frame_is_called_by_any_name() -> None:
    table = sf.table(pa.table({"age": [61]}), unit="row")
    assert counted("anything", table) == counted('"the table"', table) == "n = count(*)"


def test_a_frame_after_join_was_not_joined_with_itself() -> None:
    visits = sf.table(pa.table({"id": [1]}), unit="id")
    people = sf.table(pa.table({"person": [1]}), unit="person")
    text = "SELECT COUNT(*) FROM people JOIN visits ON id = person"
    with raises_code("E-SQL-UNSUPPORTED", match=r"^FROM that begins with another private table"):
        read_sql(text, visits, {"people": people})


def test_each_row_of_another_person_has_no_column_of_persons() -> None:
    table = sf.table(pa.table({"age": [61]}), unit="row")
    with raises_code("E-SQL-UNSUPPORTED", match=r"write COUNT\(\*\) and GROUP BY age$"):
        read_sql("SELECT COUNT(DISTINCT age) FROM t", table)


def test_columns_derived_before_are_columns() -> None:
    table = sf.table(pa.table({"age": [61]}), unit="row").with_columns(old=sf.col("age") > 60)
    asked = read_sql("SELECT old, COUNT(*) AS n FROM t WHERE age > 1 GROUP BY old", table)
    assert str(asked) == str(table.filter(sf.col("age") > 1).group_by("old").agg(n=sf.count()))


@pytest.mark.parametrize(
    ("given", "quoted", "found"),
    [
        ("Age", False, "Age"),
        ("Age", True, "Age"),
        ("AGE", False, None),
        ("SEX", False, "sex"),
        ("SEX", True, None),
        ("straße", False, "STRASSE"),
    ],
)
def test_case_decides_only_between_names_that_are_alike(
    given: str, found: str | None, *, quoted: bool
) -> None:
    assert matching(given, ["Age", "age", "sex", "STRASSE"], quoted=quoted) == found
