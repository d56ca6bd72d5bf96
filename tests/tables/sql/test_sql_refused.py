"""SQL that is not answered: one sentence each, of ours, and nothing else happens (Y8, Y9, Y10)."""

from __future__ import annotations

import logging
import sys
from fractions import Fraction
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq
import pytest

import sfumato as sf
from sfumato.errors import InputError
from sfumato.ledger import Ledger
from sfumato.tables.sql import read_sql
from tests.cases import cases
from tests.tables.sql.clinic import DECLARED, VISITS, asked, where, whole_clinic
from tests.tables.sql.corpus.illegal import ILLEGAL, OUTSIDE
from tests.tables.sql.corpus.mistakes import MISTAKES
from tests.tables.sql.corpus.unreadable import UNREADABLE

if TYPE_CHECKING:
    from sfumato.tables.private_table import PrivateTable

#: What another dialect reads as something else, which is answered.
MEANT_OTHERWISE = {
    ("spark", "SELECT COUNT(*) AS n FROM t WHERE LOG(cost) > 1"),
    ("spark", 'SELECT COUNT(*) FROM t WHERE sex = "F"'),
    ("spark", 'SELECT COUNT(*) FROM t WHERE sex IN ("F", "M")'),
    ("spark", 'SELECT COUNT(*) FROM t WHERE IF(smoker, "yes", sex) = sex'),
    ("spark", "SELECT COUNT(*) FROM t WHERE YEAR(ward) = 2020"),
}


@cache
def table() -> PrivateTable:
    """The visits under one name, as a file has it."""
    path = Path(mkdtemp()) / "t.parquet"
    pq.write_table(VISITS, path)
    return sf.table(path, **DECLARED)


def refused(text: Any, dialect: str = "duckdb") -> str:
    with pytest.raises(InputError) as caught:
        read_sql(text, table(), whole_clinic().tables, dialect=dialect)
    message = str(caught.value)
    assert message.isprintable()
    assert len(message) < 700
    assert not message.endswith(".")
    return message


def test_the_corpus_is_large() -> None:
    assert len(set(ILLEGAL)) >= 120


@cases("text", OUTSIDE)
def test_what_is_not_in_the_language_is_named(text: str) -> None:
    message = refused(text)
    assert message.startswith(OUTSIDE[text])


@pytest.mark.parametrize("dialect", ["postgres", "spark"])
def test_it_is_refused_in_every_dialect(dialect: str) -> None:
    for text in ILLEGAL:
        if (dialect, text) not in MEANT_OTHERWISE:
            refused(text, dialect)


@cases("text", MISTAKES)
def test_a_mistake_is_told_in_one_sentence(text: str) -> None:
    assert MISTAKES[text] in refused(text)


@pytest.mark.parametrize("text", UNREADABLE, ids=range(len(UNREADABLE)))
def test_what_cannot_be_read_is_told_in_one_sentence(text: Any) -> None:
    assert UNREADABLE[text] in refused(text)


def test_nothing_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """The parser logs the text of statements that it does not know."""
    with caplog.at_level(logging.WARNING):
        for text in OUTSIDE:
            refused(text)
    assert not caplog.records


def test_nothing_is_charged(tmp_path: Path) -> None:
    place = tmp_path / "ledger.db"
    path = tmp_path / "t.parquet"
    pq.write_table(VISITS, path)
    with Ledger.create(place, key=tmp_path / "key.pem") as ledger:
        ledger.add_book("clinic", sf.PureDP(epsilon=1, relation=table().relation))
    asked = sf.table(path, **DECLARED, ledger={"path": str(place), "book": "clinic"})
    before = entries(place)
    for text in ILLEGAL:
        with pytest.raises(InputError):
            asked.sql(text, tables=whole_clinic().tables, epsilon=Fraction(1, 1000), analyst="ada")
    assert entries(place) == before
    asked.sql("SELECT COUNT(*) FROM t", epsilon=Fraction(1, 1000), analyst="ada")
    assert entries(place) > before


def entries(place: Path) -> int:
    with Ledger.open(place) as ledger:
        return ledger.book("clinic").count()


@pytest.mark.parametrize("item", ["AVG(@)", "AVG(@(age))", "AVG(@.age)", "@"])
def test_a_long_name_does_not_fill_the_sentence(item: str) -> None:
    words = ["SELECT", item.replace("@", "a" * 50_000), "FROM t"]
    refused(" ".join(words))


def nested(depth: int, text: str) -> str:
    return nested(depth - 1, text) if depth else refused(text)


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("""SELECT COUNT(*) FROM t WHERE "Visit Kind" = 'acute'""", "Visit Kind"),
        ("""SELECT COUNT(*) FROM t JOIN regions USING (zip) WHERE "REGION" = 'Vienna'""", "region"),
        ("""SELECT COUNT(*) FROM t WHERE /* é 𝄞 */ ward IN ('A1', "zip")""", "zip"),
    ],
)
def test_the_name_of_a_column_in_double_quotes_is_no_text_in_spark(text: str, column: str) -> None:
    assert f"write `{column}` for the column" in refused(text, "spark")


def test_a_stack_that_is_nearly_full_is_no_traceback() -> None:
    text = where("(" * 24 + "smoker" + ")" * 24)
    assert "too deep" in nested(sys.getrecursionlimit() * 6 // 10, text)


def test_what_is_refused_is_answered_without_it() -> None:
    assert asked("SELECT COUNT(*) FROM t") == "count = count(*)"
