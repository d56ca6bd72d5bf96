"""A mechanism that is given as a table."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import sfumato as sf
from sfumato.information import private_channel
from sfumato.mechanisms import Tabulated
from sfumato.numeric import Ln
from sfumato.sampling import SeededSource
from tests.refusing import raises_code


def draws(mechanism: Any) -> Any:
    """A black box: many outputs for one value, from one seeded source."""
    source = SeededSource(11)

    def release(value: Any, n: int) -> list[Any]:
        return [mechanism.release(value, source=source).value for _ in range(n)]

    return release


def test_the_epsilon_of_a_table_is_exact() -> None:
    table = Tabulated([[3, 1], [1, 3]], neighbours="all")
    assert table.epsilon == Ln(3)
    assert sf.verify(table)
    assert not sf.verify(table, epsilon=Ln(3) - Ln("1000000001/1000000000"))


def test_what_was_found_is_released_and_verified() -> None:
    table = Tabulated(private_channel(range(6), epsilon=1))
    assert str(table.guarantee) == "1-DP (add or remove one row)"
    assert sf.verify(table, epsilon=1)
    assert not sf.verify(table, epsilon=1 - 1e-9)
    assert table.guarantee_at(3).epsilon(delta=0) == 3
    assert table.distribution(3) is not None


def test_a_count_beyond_the_table_counts_as_its_end() -> None:
    table = Tabulated(private_channel(range(6), epsilon=1))
    for value, end in ((-4, 0), (10**30, 5)):
        assert table.distribution(value).probabilities() == table.distribution(end).probabilities()
    for wrong in (2.0, None, "2", True, [2]):
        with raises_code("E-INPUT-UNKNOWN"):
            table.release(wrong)


def test_the_frequencies_are_those_of_the_table() -> None:
    """Chi-square with 3 degrees of freedom: 33.4 is passed by chance once in 4 million."""
    table = Tabulated([[1, 2, 3, 4], [4, 3, 2, 1]], neighbours="all")
    source, n = SeededSource(3), 4000
    seen = [table.release(0, source=source).value for _ in range(n)]
    expected = [n * each / 10 for each in (1, 2, 3, 4)]
    square = sum((seen.count(y) - each) ** 2 / each for y, each in enumerate(expected))
    assert square < 33.4
    twin = sum((seen.count(3 - y) - each) ** 2 / each for y, each in enumerate(expected))
    assert twin > 33.4


@pytest.mark.full
def test_a_black_box_finds_no_violation_and_finds_that_of_a_twin() -> None:
    """The twin releases from the channel of twice the ε and claims half of it."""
    honest = Tabulated(private_channel(range(6), epsilon=1))
    report = sf.audit(draws(honest), 2, 3, epsilon=1, samples=20_000, seed=5)
    assert not report.violated
    twin = Tabulated(private_channel(range(6), epsilon=2))
    assert sf.audit(draws(twin), 2, 3, epsilon=1, samples=20_000, seed=5).violated


def test_what_keeps_no_epsilon_or_too_little_is_refused() -> None:
    with raises_code("E-GUARANTEE-TOO-WEAK", match="no ε is kept"):
        Tabulated([[1, 0], [1, 1]], neighbours="all")
    with raises_code("E-GUARANTEE-TOO-WEAK", "epsilon", match="keeps ε = 1.09861"):
        Tabulated([[3, 1], [1, 3]], neighbours="all", epsilon=1)
    with raises_code("E-NEIGHBOURS-MISSING", "neighbours"):
        Tabulated({"a": [3, 1], "b": [1, 3]})


def test_an_output_that_is_impossible_on_all_is_no_violation() -> None:
    table = Tabulated([[3, 1, 0], [1, 3, 0]], neighbours="all")
    assert table.epsilon == Ln(3)
    assert {table.release(0).value for _ in range(50)} <= {0, 1}


def test_rows_that_are_equal_keep_zero() -> None:
    table = Tabulated([[1, 1], [1, 1]], neighbours="all")
    assert table.epsilon == 0
    assert sf.verify(table)


def test_the_error_is_a_distance_between_numbers_and_else_right_or_wrong() -> None:
    table = Tabulated({0: {0: 8, 1: 1, 2: 1}, 1: {0: 1, 1: 8, 2: 1}, 2: {0: 1, 1: 1, 2: 8}})
    assert [table.error(confidence=each) for each in (0.8, 0.9, 0.95)] == [0.0, 1.0, 2.0]
    answers = Tabulated({"a": {"a": 3, "b": 1}, "b": {"a": 1, "b": 3}}, neighbours="all")
    assert [answers.error(confidence=each) for each in (0.75, 0.76)] == [0.0, 1.0]
    assert answers.distribution("a").exact("b") == Fraction(1, 4)


@pytest.mark.parametrize("value", ["c", None, [1], float("nan")])
def test_a_value_that_is_no_input_is_refused_without_showing_it(value: Any) -> None:
    answers = Tabulated({"a": {"a": 3, "b": 1}, "b": {"a": 1, "b": 3}}, neighbours="all")
    with raises_code("E-INPUT-UNKNOWN", match=r"no input of this table: \('a', 'b'\)"):
        answers.release(value)
