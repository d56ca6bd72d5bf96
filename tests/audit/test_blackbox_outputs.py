"""Outputs of every shape are seen through: vectors, mappings, data frames, texts, one's own."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from sfumato.audit.blackbox import audit
from sfumato.audit.blackbox.outcomes import read_outputs
from sfumato.errors import InputError
from tests.audit.blackbox_checks import integer_noise, quick

pytestmark = pytest.mark.full


def test_vectors_are_seen_through_whole() -> None:
    rng = np.random.default_rng(9)

    def release(data: int, n: int) -> Any:
        return data + integer_noise(rng, 0.5, (n, 6))

    report = audit(release, 0, 1, epsilon=1, samples=40_000)
    assert report.violated
    assert not audit(release, 0, 1, epsilon=3, samples=40_000).violated


def test_vectors_of_different_lengths_tell() -> None:
    report = quick(lambda data, n: [(0,) * (1 + data)] * n)
    assert report.violated


def test_one_coordinate_among_hundreds_is_found() -> None:
    rng = np.random.default_rng(10)
    first, second = np.zeros(300), np.eye(300)[170] * 5
    assert quick(lambda data, n: data + integer_noise(rng, 1, (n, 300)), first, second).violated


def test_two_features_that_tell_only_together_are_found() -> None:
    rng = np.random.default_rng(11)

    def release(data: int, n: int) -> Any:
        first = rng.integers(0, 2, n)
        flips = rng.random(n) < 0.02
        second = first ^ data ^ flips
        return [{"a": int(a), "b": int(b)} for a, b in zip(first, second, strict=True)]

    assert quick(release).violated


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame])
def test_keys_of_data_frames_tell(kind: Any) -> None:
    rng = np.random.default_rng(12)

    def release(data: int, n: int) -> list[Any]:
        keys = ["x", "y", "z"][: 2 + data]
        counts = integer_noise(rng, 1, (n, len(keys)))
        return [kind({"key": keys, "count": row}) for row in counts]

    report = quick(release, samples=1_000)
    assert report.violated
    assert report.witness is not None


def test_a_cell_of_a_data_frame_is_found_by_its_key() -> None:
    rng = np.random.default_rng(13)

    def release(data: int, n: int) -> list[Any]:
        counts = integer_noise(rng, 1, (n, 2)) + np.array([0, 4 * data])
        order = [["x", "y"], ["y", "x"]]
        shuffled = rng.integers(0, 2, n)
        return [
            pd.DataFrame({"key": order[s], "count": row[[s, 1 - s]]})
            for s, row in zip(shuffled, counts, strict=True)
        ]

    report = quick(release, samples=1_000, epsilon=1.5)
    assert report.violated
    assert any("'y'" in each.event and each.epsilon() > 1.5 for each in report.tested)


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame])
def test_a_data_frame_of_as_many_rows_is_as_many_outputs(kind: Any) -> None:
    rng = np.random.default_rng(14)
    one = quick(lambda data, n: kind({"count": 3 * data + integer_noise(rng, 1, n)}))
    two = quick(lambda data, n: kind({"a": integer_noise(rng, 1, n), "b": ["x", "y"][data]}))
    assert one.violated
    assert two.violated


@pytest.mark.parametrize(
    "shaped",
    [
        lambda value: np.array([value, 0]),
        lambda value: np.array([[value, 0], [0, 0]]),
        lambda value: pd.Series({"x": value, "y": 0}),
        lambda value: pd.DataFrame({"count": [value, 0]}, index=["x", "y"]),
        lambda value: {"x": {"y": [value]}},
        lambda value: {value},
        lambda value: (value, "text"),
        lambda value: Fraction(value, 7),
        lambda value: str(value).encode(),
    ],
)
def test_outputs_of_any_shape_are_seen_through(shaped: Any) -> None:
    """The same noise within whatever it is wrapped in: caught where too small, else not."""
    rng = np.random.default_rng(25)

    def draws(moved: int, n: int) -> list[Any]:
        return [shaped(int(each)) for each in moved + integer_noise(rng, 1, n)]

    wrong = quick(draws, 0, 6, samples=1_000)
    right = quick(draws, 0, 1, samples=1_000)
    assert wrong.violated
    assert not right.violated


def test_any_callable_is_called_by_its_signature() -> None:
    class Callable:
        def __call__(self, data: int, n: int) -> list[int]:
            return [data] * n

    def with_seed(data: int, seed: int = 0) -> int:
        return data + seed

    assert quick(Callable()).violated
    assert quick(lambda *both: [both[0]] * both[1]).violated
    assert quick(with_seed).violated


def test_what_is_read_off_an_output_does_not_depend_on_the_others_beside_it() -> None:
    for output in (1, 2.5, (1, 2), (1.5, 2.5), np.array([1, 2]), True, np.float32(0.1)):
        alone, beside = read_outputs([output]), read_outputs([output, None])
        assert alone.shapes[0] == beside.shapes[0]
        for label in alone.fields:
            one, other = alone.field(label), beside.field(label)
            assert one.keys[0] == other.keys[0]
            assert one.kinds.name(0) == other.kinds.name(0)
            assert one.numbers[0] == other.numbers[0]


def test_a_feature_of_the_caller_is_looked_at() -> None:
    rng = np.random.default_rng(15)

    def release(data: int) -> str:
        digits = rng.integers(0, 10, 30)
        digits[-1] = (data - digits[:-1].sum()) % 7
        return "".join(map(str, digits))

    def checksum(text: str) -> int:
        return sum(map(int, text)) % 7

    plain, helped = quick(release), quick(release, features={"the checksum": checksum})
    assert not plain.violated
    assert helped.violated
    assert helped.witness is not None
    assert "the checksum" in helped.witness.event


def test_a_feature_that_fails_is_an_outcome_too() -> None:
    report = quick(lambda data: "7" if data else "x", features=[int, len])
    assert report.violated


def test_texts_tell_by_how_long_they_are_and_how_they_end() -> None:
    rng = np.random.default_rng(19)

    def longer(data: int) -> str:
        return "a" * (3 * data) + str(rng.random())

    def marked(data: int) -> str:
        return str(rng.random()) + "xy"[data]

    assert quick(longer).violated
    assert quick(marked).violated


def test_complex_numbers_are_seen_in_their_parts() -> None:
    rng = np.random.default_rng(24)
    report = quick(lambda data, n: rng.normal(size=n) + 1j * (5 * data + rng.normal(size=n)))
    assert report.violated


def test_a_release_may_yield_its_outputs_and_raise_on_the_way() -> None:
    def release(data: int, n: int) -> Any:
        for _ in range(n):
            yield 1 / (1 - data)

    assert quick(release).violated


def test_outputs_that_nothing_can_be_seen_of_need_a_feature() -> None:
    class Odd:
        def __repr__(self) -> str:
            raise RuntimeError

    def release(data: int) -> Any:
        return Odd() if data else object()

    with pytest.raises(InputError, match=r"an object of type \w+, which an audit cannot see into"):
        quick(release)
    assert quick(release, features=[lambda output: 0]).violated
