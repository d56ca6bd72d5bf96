"""The corpus of queries that are answered: one tree in every dialect, and the right numbers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from sfumato.tables.sql import read_sql
from tests.cases import cases
from tests.tables.sql.clinic import clinic_of, whole_clinic
from tests.tables.sql.corpus.case import DIALECTS
from tests.tables.sql.corpus.legal import LEGAL
from tests.tables.sql.corpus.noiseless import bare, noiseless

if TYPE_CHECKING:
    from tests.engines import Engines
    from tests.tables.sql.clinic import Clinic
    from tests.tables.sql.corpus.case import Legal


def test_the_corpus_is_large() -> None:
    assert len(LEGAL) >= 60


@cases("dialect", DIALECTS)
@cases("text", LEGAL)
def test_a_text_is_the_question_of_the_fluent_surface(text: str, dialect: str) -> None:
    case, clinic = LEGAL[text], whole_clinic()
    query = read_sql(case.text(dialect), clinic.visits, clinic.tables, dialect=dialect)
    expected = case.asked(clinic)
    assert str(query) == str(expected)
    assert repr(query.aggregates) == repr(expected.aggregates)


@pytest.mark.parametrize("text", LEGAL)
def test_without_noise_it_is_what_a_database_answers(text: str) -> None:
    check_numbers(LEGAL[text], whole_clinic(), "duckdb")


@pytest.mark.full
@pytest.mark.parametrize("engine", ["postgres", "spark"])
def test_so_it_is_on_every_engine(engine: str, engines: Engines) -> None:
    clinic = clinic_of(partial(engines.held, engine))
    for each in LEGAL.values():
        check_numbers(each, clinic, engine)


def check_numbers(case: Legal, clinic: Clinic, dialect: str) -> None:
    """Hold the answer without noise against that of a bare database."""
    query = case.query(clinic, dialect)
    expected = [row for row in bare(case.bare or case.duckdb) if None not in row]
    found = _of_groups(noiseless(query), len(query.keys), expected)
    if "ORDER BY" not in case.duckdb:
        found, expected = sorted(found, key=repr), sorted(expected, key=repr)
    assert len(found) == len(expected), case
    for ours, theirs in zip(found, expected, strict=True):
        assert _is_near(ours, theirs, case.near), case


def _of_groups(
    rows: list[tuple[Any, ...]], keys: int, expected: list[tuple[Any, ...]]
) -> list[tuple[Any, ...]]:
    """The rows of groups that are in a table; those declared in vain are empty."""
    there = {row[:keys] for row in expected}
    return [row for row in rows if row[:keys] in there or any(row[keys:])]


def _is_near(ours: tuple[Any, ...], theirs: tuple[Any, ...], near: float) -> bool:
    exactly = [
        abs(one - other) <= near + 1e-9 * abs(other)
        if isinstance(other, (int, float))
        else one == other
        for one, other in zip(ours, theirs, strict=True)
    ]
    return all(exactly)
