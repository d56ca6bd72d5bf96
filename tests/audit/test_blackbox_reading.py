"""What an output may be: values in wrappers, records, dates, sets, and what nobody can see into."""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import sfumato as sf
from sfumato.audit.blackbox import audit
from sfumato.audit.blackbox.entries import flat
from sfumato.sampling import SeededSource
from tests.audit.blackbox_checks import integer_noise, quick
from tests.refusing import raises_code

Pair = namedtuple("Pair", ["count", "note"])  # noqa: PYI024 - the untyped kind is read, too


class Place(Enum):
    HERE = 0
    THERE = 1


@dataclass(frozen=True)
class Answer:
    count: int
    value: int = 0


class Model:
    """An object that hides what it holds."""

    def __init__(self, total: int) -> None:
        self.total = total


@pytest.mark.full
@pytest.mark.parametrize(
    "wrapped",
    [
        lambda number: SimpleNamespace(value=number),
        lambda number: SimpleNamespace(value=SimpleNamespace(value=[number])),
        lambda number: Answer(count=number),
        lambda number: Answer(count=0, value=number),
        lambda number: Pair(number, "a note"),
        lambda number: {number, 500},
        lambda number: frozenset({number}),
        lambda number: [{"x": SimpleNamespace(value=number)}],
        Decimal,
        lambda number: Fraction(number, 3),
        lambda number: date(2024, 3, 1) + timedelta(days=number),
        lambda number: datetime(2024, 3, 1, tzinfo=UTC) + timedelta(hours=number),
        lambda number: pd.Timestamp("2024-03-01") + pd.Timedelta(hours=number),
        lambda number: np.datetime64("2024-03-01") + np.timedelta64(number, "D"),
        lambda number: timedelta(seconds=number),
        np.array,
    ],
)
def test_values_are_seen_in_whatever_holds_them(wrapped: Any) -> None:
    """The same noise within each: caught where it is too small, else not."""
    rng = np.random.default_rng(31)

    def draws(moved: int, n: int) -> list[Any]:
        return [wrapped(int(each)) for each in moved + integer_noise(rng, 1, n)]

    assert quick(draws, 0, 6, samples=1_000).violated
    assert not quick(draws, 0, 1, samples=1_000).violated


def test_what_a_mechanism_of_ours_releases_is_read_as_its_value() -> None:
    noise, bits = sf.mechanisms.DiscreteLaplace(epsilon=1), SeededSource(3)
    one = quick(lambda data: noise.release(data, source=bits), 0, 6, samples=1_000)
    many = quick(lambda data, n: noise.release(np.full(n, data), source=bits), 0, 6)
    assert one.violated
    assert many.violated
    assert one.witness is not None
    assert one.witness.event.startswith("the output is at most ")


def test_no_field_of_a_record_is_lost_because_one_is_called_value() -> None:
    assert flat(Answer(3, 4)) == {"the type": "Answer", "the field count": 3, "the field value": 4}


def test_an_enum_and_a_set_are_said_by_name_and_in_order() -> None:
    place = quick(Place)
    chosen = quick(lambda data: {3 * data, 1, 2})
    assert place.witness is not None
    assert place.witness.event == "the output is Place.HERE"
    assert chosen.violated
    assert flat({10, 9, 2})["coordinate 2"] == 10


@pytest.mark.parametrize(
    "hidden",
    [Model, lambda data: [Model(data)], lambda data: {"model": Model(data)}, lambda data: Model],
)
def test_an_object_that_cannot_be_seen_into_is_refused(hidden: Any) -> None:
    with raises_code("E-FUNCTION-RESULT"):
        quick(hidden, samples=200)


def test_with_a_feature_it_is_taken() -> None:
    rng = np.random.default_rng(32)

    def release(data: int) -> Model:
        return Model(6 * data + int(integer_noise(rng, 1, 1)[0]))

    report = quick(release, samples=1_000, features={"its total": lambda model: model.total})
    assert report.violated
    assert report.witness is not None
    assert report.witness.event.startswith("its total is")
    assert report.witness.kind == "added"


def test_where_nothing_varies_nothing_was_tested_and_the_report_says_so() -> None:
    report = quick(lambda data: 0)
    assert not report.tested
    assert report.lines()[0] == (
        "nothing was tested about 1-DP: all outputs on both datasets look the same"
    )
    assert "no violation" not in str(report) + report.to_html()


def test_equal_distributions_are_tested_all_the_same() -> None:
    rng = np.random.default_rng(33)
    report = audit(lambda _, n: rng.integers(0, 9, n), 0, 1, epsilon=1, samples=2_000)
    assert {each.likelier for each in report.tested} == {"d0", "d1"}
    assert report.lines()[0].startswith("no violation of 1-DP found; this is no proof of privacy")
