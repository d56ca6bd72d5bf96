"""Whatever text is given, it is a query or one sentence of ours."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sfumato.errors import InputError
from sfumato.tables.query import Query
from sfumato.tables.sql import read_sql
from tests.refusing import raises_code
from tests.tables.sql.clinic import whole_clinic
from tests.tables.sql.corpus.case import DIALECTS
from tests.tables.sql.corpus.legal import LEGAL
from tests.tables.sql.corpus.outside import CONSTRUCTS, EXPRESSIONS
from tests.tables.sql.corpus.structure import STRUCTURE
from tests.tables.sql.test_sql_expressions import CONDITIONS

WORDS = sorted(
    {
        word
        for text in [*LEGAL, *CONDITIONS, *CONSTRUCTS, *EXPRESSIONS, *STRUCTURE]
        for word in text.split()
    }
    | set("()[]{}'\",;.*+-/%<>=|&^~!?$:@#`\\")
)


def is_answered(text: str, dialect: str = "duckdb") -> bool:
    """Whether a text is a query; anything but a query or our refusal fails the test."""
    clinic = whole_clinic()
    try:
        return isinstance(read_sql(text, clinic.visits, clinic.tables, dialect=dialect), Query)
    except InputError as error:
        message = str(error)
    assert message.isprintable()
    return False


@given(st.text(max_size=60))
@example("SELECT COUNT(*) FROM t")
def test_any_text(text: str) -> None:
    is_answered(text)


@given(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join), st.sampled_from(DIALECTS))
def test_words_of_sql_in_any_order(words: str, dialect: str) -> None:
    is_answered(f"SELECT COUNT(*) FROM t {words}", dialect)  # noqa: S608
    is_answered(f"SELECT {words} FROM t", dialect)  # noqa: S608
    is_answered(f"SELECT COUNT(*) FROM t WHERE {words}", dialect)  # noqa: S608
    is_answered(f"SELECT COUNT(*) FROM (SELECT {words} FROM t) AS u", dialect)  # noqa: S608
    is_answered(f"WITH c AS (SELECT * FROM t {words}) SELECT COUNT(*) FROM c", dialect)  # noqa: S608


@given(st.sampled_from([*LEGAL, *CONSTRUCTS, *STRUCTURE]), st.data())
def test_a_query_without_one_of_its_words(text: str, data: st.DataObject) -> None:
    words = text.split()
    gone = data.draw(st.integers(0, len(words) - 1))
    is_answered(" ".join(words[:gone] + words[gone + 1 :]))


def test_some_are_answered_and_some_are_not() -> None:
    assert all(is_answered(each) for each in LEGAL)
    assert not any(is_answered(each) for each in CONSTRUCTS)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("join", ["JOIN", "LEFT JOIN", "CROSS JOIN", "STRAIGHT_JOIN"])
def test_joins_without_on_are_refused_before_the_parser_sees_them(join: str, dialect: str) -> None:
    """Each takes the parser twice as long as the one before: 25 of them many minutes."""
    clinic = whole_clinic()
    with raises_code("E-SQL-UNSUPPORTED", match="a join without ON"):
        read_sql(f"SELECT COUNT(*) FROM t {f'{join} u ' * 25}", clinic.visits, dialect=dialect)  # noqa: S608
