"""Texts that a grammar builds, with the question that each must be read as."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.errors import InputError
from sfumato.tables.expressions import when
from sfumato.tables.sql import read_sql
from tests.tables.sql.clinic import whole_clinic
from tests.tables.sql.corpus.case import DIALECTS

if TYPE_CHECKING:
    from sfumato.tables.expressions import Expression
    from sfumato.tables.private_table import PrivateTable

    Written = tuple[str, Any]

NUMBERS = st.one_of(
    st.sampled_from([("age", sf.col("age")), ("cost", sf.col("cost")), ("v.age", sf.col("age"))]),
    st.integers(0, 99).map(lambda value: (str(value), sf.tables.lit(value))),
)
SIGNS = {
    "=": lambda a, b: a == b,
    "<>": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    ">=": lambda a, b: a >= b,
}
ARITHMETIC = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b}


def _two(parts: st.SearchStrategy[Written], made: dict[str, Any]) -> st.SearchStrategy[Written]:
    return st.tuples(parts, st.sampled_from(list(made)), parts).map(
        lambda each: (
            f"({each[0][0]} {each[1]} {each[2][0]})",
            made[each[1]](each[0][1], each[2][1]),
        )
    )


VALUES = st.recursive(NUMBERS, lambda parts: _two(parts, ARITHMETIC), max_leaves=4)
COMPARISONS = _two(VALUES, SIGNS)
CONDITIONS = st.recursive(
    COMPARISONS,
    lambda parts: st.one_of(
        _two(parts, {"AND": lambda a, b: a & b, "OR": lambda a, b: a | b}),
        parts.map(lambda each: (f"NOT {each[0]}", ~each[1])),
        st.tuples(parts, VALUES, VALUES).map(
            lambda each: (
                f"(CASE WHEN {each[0][0]} THEN {each[1][0]} ELSE {each[2][0]} END > 3)",
                when(each[0][1], each[1][1]).otherwise(each[2][1]) > 3,
            )
        ),
    ),
    max_leaves=4,
)
#: What an inner select does: it keeps some rows, or derives a column.
LAYERS = st.lists(
    st.one_of(CONDITIONS.map(lambda each: ("where", each)), st.just(("derive", None)))
)


def nested(layers: list[tuple[str, Any]]) -> tuple[str, PrivateTable]:
    """Inner selects, one around the other, and the table that they are."""
    text, table = "visits AS v", whole_clinic().visits
    for place, (kind, given_) in enumerate(layers):
        if kind == "where":
            text = f"(SELECT * FROM {text} WHERE {given_[0]}) AS v"  # noqa: S608
            table = table.filter(given_[1])
        else:
            text = f"(SELECT *, v.cost * 2 AS twice{place} FROM {text}) AS v"  # noqa: S608
            table = table.with_columns(**{f"twice{place}": sf.col("cost") * 2})
    return text, table


@given(LAYERS.filter(lambda each: len(each) < 6), CONDITIONS, st.sampled_from(DIALECTS))
def test_a_text_is_read_as_what_it_was_written_from(
    layers: list[tuple[str, Any]], condition: tuple[str, Expression], dialect: str
) -> None:
    source, table = nested(layers)
    text = f"SELECT sex, COUNT(*) AS n FROM {source} WHERE {condition[0]} GROUP BY sex"  # noqa: S608
    expected = table.filter(condition[1]).group_by("sex").agg(n=sf.count())
    assert str(read_sql(text, whole_clinic().visits, dialect=dialect)) == str(expected)


@given(
    LAYERS.filter(lambda each: 0 < len(each) < 4),
    st.sampled_from(["xyzzy", "17", "'text'", '"name"']),
    st.data(),
)
def test_no_word_goes_unread(layers: list[tuple[str, Any]], more: str, data: st.DataObject) -> None:
    """A word put anywhere is refused, or it changes what is asked."""
    source, _ = nested(layers)
    words = f"SELECT COUNT(*) AS n FROM {source}".split()  # noqa: S608
    place = data.draw(st.integers(1, len(words)))
    text = " ".join([*words[:place], more, *words[place:]])
    plain = str(read_sql(" ".join(words), whole_clinic().visits))
    try:
        found = str(read_sql(text, whole_clinic().visits))
    except InputError:
        return
    assert found != plain or _is_name(words, place)


def _is_name(words: list[str], place: int) -> bool:
    """Whether a word there is a name that nothing else in the text uses."""
    return place == len(words) or words[place - 1].endswith((")", "v"))
