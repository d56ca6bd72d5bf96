"""Whatever text is given, it is a query or one sentence of ours."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from sfumato.errors import InputError
from sfumato.tables.query import Query
from sfumato.tables.sql import read_sql
from tests.tables.sql.clinic import clinic
from tests.tables.sql.corpus.legal import LEGAL
from tests.tables.sql.outside import CONSTRUCTS, EXPRESSIONS
from tests.tables.sql.test_sql_expressions import CONDITIONS

WORDS = sorted(
    {word for text in [*LEGAL, *CONDITIONS, *CONSTRUCTS, *EXPRESSIONS] for word in text.split()}
    | set("()[]{}'\",;.*+-/%<>=|&^~!?$:@#`\\")
)


def is_answered(text: str) -> bool:
    """Whether a text is a query; anything but a query or our refusal fails the test."""
    try:
        return isinstance(read_sql(text, clinic()), Query)
    except InputError as error:
        message = str(error)
    assert message.isprintable()
    return False


@given(st.text(max_size=60))
@example("SELECT COUNT(*) FROM t")
def test_any_text(text: str) -> None:
    is_answered(text)


@given(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join))
def test_words_of_sql_in_any_order(words: str) -> None:
    is_answered(f"SELECT COUNT(*) FROM t {words}")  # noqa: S608
    is_answered(f"SELECT {words} FROM t")  # noqa: S608
    is_answered(f"SELECT COUNT(*) FROM t WHERE {words}")  # noqa: S608


@given(st.sampled_from([*LEGAL, *CONSTRUCTS]), st.data())
def test_a_query_without_one_of_its_words(text: str, data: st.DataObject) -> None:
    words = text.split()
    gone = data.draw(st.integers(0, len(words) - 1))
    is_answered(" ".join(words[:gone] + words[gone + 1 :]))


def test_some_are_answered_and_some_are_not() -> None:
    assert all(is_answered(each) for each in LEGAL)
    assert not any(is_answered(each) for each in CONSTRUCTS)
