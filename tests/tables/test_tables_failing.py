"""A table that fails: before the charge where that can be seen, else in one constant sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ibis
import pandas as pd
import pytest

import sfumato as sf
from sfumato.errors import EngineError, InputError
from tests.refusing import raises_code

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

UNIT = sf.privacy.AddRemove(unit=sf.privacy.Person("id"))
STAYS = "; the charge was made before a row was read, and stays"
CANARY = "CANARY-7f3a"


@pytest.fixture
def book(tmp_path: Path) -> dict[str, Any]:
    """A book of a new ledger, as a table declares it."""
    place = tmp_path / "ledger.db"
    with sf.Ledger.create(place, key=tmp_path / "key.pem") as ledger:
        ledger.add_book("visits", sf.PureDP(epsilon=1, relation=UNIT))
    return {"path": place, "book": "visits", "analyst": "ada"}


def entries(book: dict[str, Any]) -> list[str]:
    with sf.Ledger.open(book["path"]) as ledger:
        return [each.kind for each in ledger.book("visits").entries()]


def test_a_csv_file_that_is_gone_is_noticed_before_the_charge(
    tmp_path: Path, book: dict[str, Any]
) -> None:
    file = tmp_path / "visits.csv"
    pd.DataFrame({"id": [1, 2]}).to_csv(file, index=False)
    table = sf.table(file, unit="id", limits={"rows": 1}, ledger=book)
    file.unlink()
    with raises_code("E-FILE-UNREADABLE"):
        table.agg(n=sf.count()).release(epsilon=1)
    assert entries(book) == ["opening"]


def test_a_parquet_file_that_is_gone_when_it_is_read(tmp_path: Path, book: dict[str, Any]) -> None:
    file = tmp_path / "visits.parquet"
    pd.DataFrame({"id": [1, 2]}).to_parquet(file)
    table = sf.table(file, unit="id", limits={"rows": 1}, ledger=book)
    file.unlink()
    with pytest.raises(InputError) as failed:
        table.agg(n=sf.count()).release(epsilon=1)
    assert str(failed.value).endswith(STAYS)
    assert entries(book) == ["opening", "charge"]


def failing_view() -> Any:
    """A view of the user's own that fails on a cell, and quotes it."""
    backend = ibis.duckdb.connect()
    rows = f"(VALUES (1, '1'), (2, '{CANARY}')) AS given(id, t)"
    view = f"CREATE VIEW v AS SELECT id, CAST(t AS INT) AS x FROM {rows}"  # noqa: S608
    backend.con.execute(view).fetchall()
    return backend.table("v")


def test_an_engine_that_fails_blames_no_file_and_quotes_no_cell(
    book: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    view = failing_view()
    table = sf.table(view, unit="id", bounds={"x": (0, 9)}, limits={"rows": 1}, ledger=book)
    with pytest.raises(EngineError) as failed:
        table.agg(s=sf.sum("x")).release(epsilon=1)
    assert failed.value.code == "E-ENGINE-FAILED"
    charged = "; the charge was made before a row was read, and stays"
    assert str(failed.value) == str(EngineError("DuckDB")) + charged
    assert str(failed.value).endswith(STAYS)
    assert failed.value.__cause__ is failed.value.__context__ is None
    assert entries(book) == ["opening", "charge"]
    assert "a bug in sfumato: DuckDB failed with ConversionException (sfumato" in caplog.text
    assert CANARY not in caplog.text


def test_what_fails_while_results_are_kept_is_said_all_the_same() -> None:
    """The transaction is over for the engine, in which what it kept would be dropped."""
    backend = ibis.duckdb.connect()
    rows = f"""SELECT 'p' || i AS id, i AS x, IF(i = 3, '{CANARY}', '1') AS t
        FROM range(50) AS given(i)"""  # noqa: S608
    backend.con.execute(f"CREATE TABLE rows AS {rows}")
    backend.con.execute("CREATE VIEW v AS SELECT id, x, CAST(t AS INT) AS y FROM rows")
    table = sf.table(backend.table("v"), unit="id", bounds={"x": (0, 10)})
    question = table.agg(n=sf.count("y"), x=sf.sum("x"))
    with pytest.raises(EngineError):
        question.release(epsilon=1)
    assert backend.con.execute("SELECT count(*) FROM rows").fetchone() == (50,)
