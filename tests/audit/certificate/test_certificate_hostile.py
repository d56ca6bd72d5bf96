"""Files that are made to take all time or memory are refused in a sentence, and soon."""

from __future__ import annotations

import json
import tracemalloc
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from sfumato.audit.certificate import check_certificate
from sfumato.audit.certificate.measured import log2
from sfumato.audit.certificate.noise import cost_of, keeps
from sfumato.privacy import PureDP
from sfumato.privacy.events import Pure
from tests.audit.certificate.lies import document, problem, with_content
from tests.refusing import raises_code

if TYPE_CHECKING:
    from sfumato.privacy.events import Event

HEAD = '"kind": "sfumato certificate", "version": 1'


@pytest.mark.parametrize("text", ["1e30000000", "1e-30000000", "0.5", "1/0", "2/4", "9" * 5000])
def test_bounds_are_read_without_an_exponent(text: str) -> None:
    given = document("bounds found")
    bounds = json.loads(given["content"])["bounds"]
    bounds["age"][1] = text
    assert "content.bounds.age[1] is" in problem(with_content(given, bounds=bounds))


def test_a_field_that_stands_twice_is_found_among_many() -> None:
    fields = ",".join(f'"{each}": 0' for each in [*range(100_000), 99_999])
    text = "{" + HEAD + ', "x": {' + fields + "}}"
    assert "'99999' stands twice" in check_certificate(text).problem


def test_more_favourites_than_there_are_columns_are_not_counted() -> None:
    given = document("gaussian by groups")
    given["query"]["aggregates"][2]["count"] = 10**12
    assert "has other answers than its kind has" in problem(given)


def test_a_text_that_would_be_far_longer_in_its_own_form_is_not_written_out() -> None:
    depth, count = 280, 20_000
    text = "{" + HEAD + ', "x": ' + "[" * depth + ",".join(["0"] * count) + "]" * depth + "}"
    tracemalloc.start()
    try:
        assert "laid out otherwise" in check_certificate(text).problem
        assert tracemalloc.get_traced_memory()[1] < 2 * depth * count
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("exponent", [-2990, -24, -1, 0, 1, 24, 2990])
def test_powers_of_two_are_found_at_once(exponent: int) -> None:
    power = Fraction(2) ** exponent
    assert log2(power) == log2(power * Fraction(199, 100)) == exponent
    assert log2(power * Fraction(99, 100)) == exponent - 1


def test_costs_of_too_many_digits_are_not_added_up() -> None:
    events: list[Event] = [Pure(epsilon=Fraction(1, 10**900 + 2 * each + 1)) for each in range(400)]
    assert cost_of(events[0]).epsilon == Fraction(1, 10**900 + 1)
    with raises_code("E-CERTIFICATE-REFUTED", match="too many digits"):
        keeps(PureDP(epsilon=1), events)
