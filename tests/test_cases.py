"""Cases in one test: all are tried, and each that fails is named."""

from __future__ import annotations

import inspect

import pytest

from tests.cases import cases, rings


@cases(("number", "square"), [(2, 4), (3, 8), (4, 17), (5, 25)])
def squares(number: int, square: int) -> None:
    assert number**2 == square


@cases("bad", [1, "x"])
def no_numbers(bad: object) -> None:
    with pytest.raises(TypeError):
        bad + 1  # type: ignore[operator]


def test_every_case_that_fails_is_named() -> None:
    with pytest.raises(BaseExceptionGroup, match="2 of 4 cases") as caught:
        squares()
    assert [each.__notes__ for each in caught.value.exceptions] == [
        ["with number = 3, square = 8"],
        ["with number = 4, square = 17"],
    ]


def test_what_is_not_raised_is_a_failure_too() -> None:
    with pytest.raises(BaseExceptionGroup, match="1 of 2 cases") as caught:
        no_numbers()
    (failure,) = caught.value.exceptions
    assert isinstance(failure, pytest.fail.Exception)
    assert failure.__notes__ == ["with bad = 1"]


def test_the_first_ring_tries_some_values() -> None:
    one, *others = rings([(1, "a"), (2, "b"), (3, "c")], first=[(1, "a")])
    assert one == (1, "a")
    assert [each.values for each in others] == [(2, "b"), (3, "c")]
    assert [mark.name for each in others for mark in each.marks] == ["full", "full"]


def test_a_value_of_the_first_ring_that_is_none_is_told() -> None:
    with pytest.raises(AssertionError, match="of the full one"):
        rings([1, 2], first=[3])


def test_no_case_is_no_test() -> None:
    with pytest.raises(AssertionError, match="no case"):
        cases("bad", [])


def test_names_multiply_and_fixtures_stay() -> None:
    seen = []

    @cases("one, two", [(1, 2), (3, 4)])
    @cases("three", "ab")
    def tried(one: int, two: int, three: str, fixture: str) -> None:
        seen.append((one, two, three, fixture))

    assert [*inspect.signature(tried).parameters] == ["fixture"]
    tried(fixture="f")
    assert seen == [(1, 2, "a", "f"), (1, 2, "b", "f"), (3, 4, "a", "f"), (3, 4, "b", "f")]
