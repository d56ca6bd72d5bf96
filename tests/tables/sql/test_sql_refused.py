"""SQL that is not answered: one sentence each, of ours, and nothing else happens (Y8, Y9, Y10)."""

from __future__ import annotations

import logging
import sys
from typing import Any

import pytest

from sfumato.errors import InputError
from sfumato.tables.sql import read_sql
from tests.tables.sql.clinic import asked, clinic, where
from tests.tables.sql.outside import CONSTRUCTS, EXPRESSIONS

OUTSIDE = " is not part of the SQL that private tables answer; write "

#: A text whose names are not known, or whose parts do not fit, and words of its sentence.
MISTAKES = {
    "SELECT AVG(agee) FROM t": "there is no column 'agee' in the table; did you mean 'age'?",
    'SELECT AVG("AGE") FROM t': "there is no column 'AGE'",
    'SELECT COUNT(*) FROM t WHERE sex = "F"': "write the text 'F' in single quotes",
    'SELECT COUNT(*) FROM t WHERE sex IN ("F", "M")': "write the text 'F' in single quotes",
    'SELECT COUNT(*) FROM t WHERE IF(smoker, "yes", sex) = sex': "the text 'yes' in single quotes",
    "SELECT AVG(other.age) FROM t": "there is no table 'other'",
    "SELECT AVG(t.age) FROM t AS p": "there is no table 't'",
    "SELECT AVG(a.t.age) FROM t": "a name with dots",
    "SELECT AVG(rowid) FROM t": "there is no column 'rowid'",
    "SELECT getenv('HOME'), COUNT(*) FROM t": "there is no function 'getenv'",
    "SELECT SUM(read_text('x')) FROM t": "there is no function 'read_text'",
    "SELECT SUM(error(ward)) FROM t": "there is no function 'error'",
    "SELECT AVG(flor(age)) FROM t": "did you mean 'FLOOR'?",
    "SELECT AVG(age.x()) FROM t": "a value of several parts",
    "SELECT AVG(ward + 1) FROM t": "add takes",
    "SELECT AVG(ABS(age, 1)) FROM t": "",
    "SELECT COUNT(*) FROM t WHERE age": "compare it",
    "SELECT COUNT(*) FROM t WHERE ward > 3": "declare types={'ward': 'number'} where a CSV file",
    "SELECT COUNT(*) FROM t WHERE ward > 3.5": "declare types={'ward': 'number'}",
    "SELECT COUNT(*) FROM t WHERE YEAR(ward) = 2020": "declare types={'ward': 'date'}",
    "SELECT COUNT(*) FROM t WHERE LENGTH(age) = 2": "cast what does not fit, or write another",
    "SELECT COUNT(*) FROM t WHERE born > 'soon'": "write it as DATE '2024-01-31'",
    "SELECT COUNT(*) FROM t WHERE born > DATE '2024-02-30'": "write it as DATE '2024-01-31'",
    "SELECT COUNT(*) FROM t WHERE age > 99999999999999999999": "64 bits",
    "SELECT COUNT(*) FROM t WHERE age > 1e999": "finite",
    "SELECT COUNT(*) AS n, SUM(age) AS n FROM t": "write another name after AS",
    "SELECT sex, COUNT(*) AS sex FROM t GROUP BY sex": "write another name after AS",
    "SELECT age // 10 AS age, COUNT(*) FROM t GROUP BY 1": "is a column's already",
    "SELECT age // 10 AS Cost, COUNT(*) FROM t GROUP BY 1": "is a column's already",
    "SELECT age // 10 AS a, sex AS A, COUNT(*) FROM t GROUP BY 1, 2": "two keys have one name",
    'SELECT COUNT(*) AS "" FROM t': "",
    "SELECT QUANTILE_CONT(age, 1.5) FROM t": "rank must lie between 0 and 1",
    "SELECT QUANTILE_CONT(age, 0.5, cost) FROM t": "the SQL has 'cost' in line 1",
    "SELECT COUNT(*) FROM t GROUP BY 2": "the place 2 of 1",
    "SELECT COUNT(*) FROM t ORDER BY 0": "the place 0 of 1",
    "SELECT COUNT(*) FROM t ORDER BY 9": "the place 9 of 1",
}

#: What is no SQL at all, and words of its sentence.
UNREADABLE: dict[Any, str] = {
    "": "asks nothing",
    "  ;\n; ": "asks nothing",
    "-- only a comment": "asks nothing",
    "/* only a comment */": "asks nothing",
    "SELECT": "SELECT without FROM",
    "SELECT FROM t": "SELECT without an aggregate",
    "SELECT COUNT(* FROM t": "bracket",
    "SELECT COUNT(*) FROM": "cannot be read near line 1, column ",
    "SELECT COUNT(*) FROM t WHERE": "cannot be read near line 1, column ",
    "SELECT COUNT(*) FROM t\nWHERE age > AND 1": "cannot be read near line 2, column ",
    "SELECT COUNT(*) FROM t WHERE (age > 1": "bracket",
    "SELECT COUNT(*) FROM t)": "bracket",
    "SELECT COUNT(*) FROM t WHERE TRIM(sex = 'F'": "bracket",
    "SELECT COUNT(*) FROM t WHERE EXTRACT(YEAR FROM born = 1960": "bracket",
    "SELECT COUNT(*) FROM t WHERE (age > 1]": "bracket",
    "SELECT COUNT(*) FROM t WHERE CASE WHEN smoker THEN 1 = 1": "bracket",
    "SELECT DATE_PART('year', born) FROM t": "SELECT without an aggregate",
    "SELECT AVG(DATEDIFF('day', born, admitted, cost)) FROM t": "",
    "SELECT sex, COUNT(*) FROM t GROUP BY sex ORDER BY sex NULLS LAST": "'NULLS' in line 1",
    "SELECT COUNT(*) FROM t WHERE age = 0x1F": "cannot be read near line 1, column ",
    "SELECT 'COUNT(*) FROM t": "close every quote",
    'SELECT "COUNT(*) FROM t': "close every quote",
    "SELECT COUNT(*) FROM t /* and": "close every quote",
    "SELECT COUNT(*)\x00 FROM t": "hidden character U+0000 in line 1, column 16",
    "SELECT COUNT(*)\nFROM\x1b[31m t": "hidden character U+001B in line 2, column 5",
    "SELECT COUNT(*) FROM t\u202e": "hidden character U+202E",
    'SELECT AVG("\u200fage") FROM t': "hidden character U+200F",
    "SELECT COUNT(*) FROM t WHERE ward = '\ud800'": "hidden character U+D800",
    "\ufeffSELECT COUNT(*) FROM t": "hidden character U+FEFF",
    "SELECT COUNT(*) FROM t WHERE age = " + "(" * 10_000 + "1" + ")" * 10_000: "too deep",
    "SELECT COUNT(*) FROM t WHERE " + "NOT " * 10_000 + "smoker": "too deep",
    "SELECT COUNT(*) FROM t WHERE age = " + "- " * 10_000 + "1": "too deep",
    "SELECT COUNT(*) FROM t WHERE " + "CASE WHEN " * 3_000 + "smoker": "too deep",
    "SELECT COUNT(*) FROM t WHERE " + "age > 1 AND " * 300 + "smoker": "levels",
    "SELECT COUNT(*) FROM t WHERE age IN (" + "1, " * 5_000 + "1)": "parts",
    "SELECT COUNT(*) FROM t" + " " * 100_000: "at most 100000",
    "SELECT COUNT(*) FROM t LIMIT " + "9" * 5_000: "write at most 18 digits",
    "SELECT COUNT(*) FROM t WHERE age = ٣": "",
    "SELECT COUNT(*) FROM t WHERE age = ²": "",
    None: "NoneType",
    b"SELECT COUNT(*) FROM t": "bytes",
    3: "int",
}


def refused(text: Any) -> str:
    with pytest.raises(InputError) as caught:
        read_sql(text, clinic())
    message = str(caught.value)
    assert message.isprintable()
    assert len(message) < 700
    return message


@pytest.mark.parametrize("text", CONSTRUCTS)
def test_what_is_not_in_the_language_is_named(text: str) -> None:
    message = refused(text)
    assert message.startswith(CONSTRUCTS[text])
    assert OUTSIDE in message


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_an_expression_outside_the_language_is_named(text: str) -> None:
    message = refused(where(text))
    assert message.startswith(EXPRESSIONS[text])
    assert OUTSIDE in message


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_is_told_in_one_sentence(text: str) -> None:
    assert MISTAKES[text] in refused(text)


@pytest.mark.parametrize("text", UNREADABLE, ids=range(len(UNREADABLE)))
def test_what_cannot_be_read_is_told_in_one_sentence(text: Any) -> None:
    assert UNREADABLE[text] in refused(text)


def test_nothing_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """The parser logs the text of statements that it does not know."""
    with caplog.at_level(logging.WARNING):
        for text in [*CONSTRUCTS, *map(where, EXPRESSIONS)]:
            refused(text)
    assert not caplog.records


@pytest.mark.parametrize("item", ["AVG(@)", "AVG(@(age))", "AVG(@.age)", "@"])
def test_a_long_name_does_not_fill_the_sentence(item: str) -> None:
    words = ["SELECT", item.replace("@", "a" * 50_000), "FROM t"]
    refused(" ".join(words))


def nested(depth: int, text: str) -> str:
    return nested(depth - 1, text) if depth else refused(text)


def test_a_stack_that_is_nearly_full_is_no_traceback() -> None:
    text = where("(" * 24 + "smoker" + ")" * 24)
    assert "too deep" in nested(sys.getrecursionlimit() * 6 // 10, text)


def test_what_is_refused_is_answered_without_it() -> None:
    assert asked("SELECT COUNT(*) FROM t") == "count = count(*)"
