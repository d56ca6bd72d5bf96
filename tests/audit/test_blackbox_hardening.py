"""What an attack on the black-box audit found: no false alarm, no blind spot, no traceback."""

from __future__ import annotations

import math
import sys
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.audit.blackbox import search_pairs
from sfumato.audit.blackbox.draws import DrawnOutputs, Meter
from sfumato.audit.blackbox.entries import rows_of
from sfumato.audit.blackbox.features import read_features
from sfumato.audit.blackbox.outcomes import OutputSample, merged, read_outputs
from sfumato.audit.blackbox.pairs import neighbouring_pairs
from sfumato.audit.membership_inference import one_run
from sfumato.errors import InputError
from tests.audit.blackbox_checks import quick

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.full

# Reading one draw does not depend on its neighbours.

OUTPUTS: list[Any] = [
    *(0, 1, -1, 2**62, 2**63, 2**64, True, False, 0.0, -0.0, 1.0, math.nan, math.inf, None),
    *("a", "", b"a", np.float32(0.1), np.float64(0.1), np.int32(3), np.int64(3), np.uint8(3)),
    *(np.uint64(2**63 + 1), np.True_, np.array(1.0), np.array(1), np.array([1.0])),
    *(np.array([1, 2]), np.array([1.0, 2.0]), np.array([[1, 2]]), np.array([]), [], [1], [1.0]),
    *([1, 2.0], [True, 1], [[1, 2]], [[1], [2]], (1, 2), (1.0, 2.0), ((1,), 2), {"a": 1}, {}),
    *(1 + 2j, np.complex64(1j), Decimal(1), Fraction(1, 2), np.str_("a"), [None, 1], [2**63]),
    *(np.float16(1), np.array([1], dtype=np.int32), np.array(["a"]), np.array([True, False])),
    *([1, 2**63], [np.int32(1), np.int64(2)], [np.float64(1.5), 2.5], [np.array(1.0)], {1, 2}),
    *(np.longdouble(1), np.array([2**63 + 1], dtype=np.uint64), {"a": {}}, {"a": []}),
]


def seen(sample: OutputSample, draw: int) -> Any:
    """All that is read off one draw of a sample."""
    entries = {
        label: (int(field.keys[draw]), field.kinds.name(draw), repr(float(field.numbers[draw])))
        for label, field in sample.fields.items()
        if repr(field.values[draw]) != "absent"
    }
    return entries, sample.shapes[draw]


@given(st.lists(st.sampled_from(range(len(OUTPUTS))), min_size=2, max_size=3))
def test_what_is_read_off_a_draw_does_not_depend_on_those_beside_it(places: list[int]) -> None:
    outputs = [OUTPUTS[place] for place in places]
    together = read_outputs(merged([outputs]))
    for draw, output in enumerate(outputs):
        assert seen(together, draw) == seen(read_outputs([output, None]), 0)


CONTAINERS = [np.array, pd.Series, lambda each: pd.DataFrame({"x": each})]
NUMBERS = [0, 1, -3, 1.0, 2.5, math.nan, math.inf, True]


@pytest.mark.parametrize("container", CONTAINERS)
@given(places=st.lists(st.sampled_from(NUMBERS), min_size=1, max_size=4))
def test_the_type_of_a_column_is_no_property_of_its_entries(
    container: Any, places: list[Any]
) -> None:
    """One NaN in a column makes floats of all others, and one text makes texts."""
    for beside in ([], [math.nan], [0.5], ["a text"], [None], [1 + 1j]):
        together = read_outputs(merged([rows_of(container([*places, *beside]))]))
        for draw, output in enumerate(places):
            alone = read_outputs(merged([rows_of(container([output])), [None]]))
            assert seen(together, draw)[0] == seen(alone, 0)[0]


def test_rows_of_two_columns_are_read_by_value_too() -> None:
    whole = rows_of(pd.DataFrame({"x": [1, 2], "y": ["p", "q"]}))
    holed = rows_of(pd.DataFrame({"x": [1, None], "y": ["p", "q"]}))
    assert seen(read_outputs(whole), 0) == seen(read_outputs(holed), 0)


def _with_gaps(rng: np.random.Generator, data: int, n: int) -> list[Any]:
    """Right at ε = 1: a bit, or now and then nothing; about one gap in the draws of a call."""
    bits = np.where(rng.random(n) < 0.55, data, 1 - data)
    gaps = rng.random(n) < (2e-4 if data == 0 else 5e-4)
    return [None if gap else int(bit) for bit, gap in zip(bits, gaps, strict=True)]


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "container",
    [
        lambda draws: pd.DataFrame({"x": draws}),
        lambda draws: pd.DataFrame({"x": draws, "y": 1}),
        pd.Series,
        lambda draws: np.array([math.nan if each is None else each for each in draws]),
        lambda draws: np.array(["none" if each is None else each for each in draws]),
        lambda draws: [each if each is None else np.array(float(each)) for each in draws],
    ],
)
def test_a_gap_in_a_batch_is_no_false_alarm(container: Any) -> None:
    """Each of these was accused in some two of six runs."""
    for seed in range(6):
        rng = np.random.default_rng(seed)
        report = quick(lambda data, n, rng=rng: container(_with_gaps(rng, data, n)), samples=12_000)
        assert not report.violated


# Copies, budgets, buffers.


@pytest.mark.parametrize("outcomes", [(0, 1), ("no", "yes"), ([0, 1], [1, 0])])
def test_copies_of_one_draw_in_each_call_are_refused(outcomes: Any) -> None:
    """Even where the first calls happen to agree: later ones do not."""
    for seed in range(10):
        rng = np.random.default_rng(seed)

        def release(data: int, n: int, rng: Any = rng) -> list[Any]:
            return [outcomes[data if rng.random() < 0.73 else 1 - data]] * n

        with pytest.raises(InputError, match="copies of one output"):
            quick(lambda data, n, release=release: release(data, n), samples=12_000)


def test_constant_draws_are_no_copies() -> None:
    assert quick(lambda data, n: [data] * n).violated
    assert not quick(lambda data, n: np.full(n, math.nan)).violated


def test_draws_one_by_one_are_made_in_turns() -> None:
    calls: list[int] = []
    DrawnOutputs(calls.append, (0, 1), Meter(200)).pool(50)
    assert calls == [0, 1] * 50


@pytest.mark.parametrize("limit", [6_100, 10_500])
def test_a_budget_that_runs_out_hits_both_datasets_alike(limit: int) -> None:
    rng, left = np.random.default_rng(60), [limit]

    def release(data: int) -> int:
        left[0] -= 1
        if left[0] < 0:
            raise RuntimeError
        return int(rng.random() < (0.6 if data else 0.4))

    assert not quick(release, samples=10_000).violated


def test_a_buffer_that_is_used_again_hides_nothing() -> None:
    buffer, listed, batch = np.zeros(1), [0], np.zeros(50_000)
    table: dict[str, Any] = {"a": [0]}

    def array(data: int) -> Any:
        buffer[0] = data
        return buffer

    def list_(data: int) -> Any:
        listed[0] = data
        return listed

    def nested(data: int) -> Any:
        table["a"][0] = data
        return table

    def batches(data: int, n: int) -> Any:
        batch[:n] = data
        return batch[:n]

    def lists(data: int, n: int) -> Any:
        listed[0] = data
        return [listed] * n

    for release in (array, list_, nested, batches, lists):
        assert quick(release).violated, release.__name__


# What was not seen.


@pytest.mark.parametrize(
    "release",
    [
        lambda data: pd.DataFrame({"k": ["p", "p"], "v": [data, 1]}),
        lambda data: pd.Series([data, 1], index=["p", "p"]),
        lambda data: pd.DataFrame([[data, 1]], columns=["a", "a"]),
        lambda data, n: pd.DataFrame(np.full((n, 2), [data, 0]), columns=["a", "a"]),
        lambda data: {"x" * 80 + "a": data, "x" * 80 + "b": 7},
        lambda data: {"a": {}} if data else {"a": []},
        lambda data: {"a": {}} if data else {},
        lambda data: True if data else 1,
        lambda data: -0.0 if data else 0.0,
        lambda data: {"a": 1, "b": 2} if data else {"b": 2, "a": 1},
        lambda data: pd.DataFrame({"a": [1], "b": [2]})[["a", "b"] if data else ["b", "a"]],
        lambda data: pd.DataFrame({"a": ["p", "q"] if data else ["q", "p"]}),
        lambda data: pd.Series([1.0], name=str(data)),
        lambda data: pd.DataFrame({"a": [1, 2]}, index=pd.RangeIndex(data, data + 2)),
        lambda data: (1, 2) if data else [1, 2],
        lambda data: np.array([1, 2], dtype=np.int64 if data else np.int32),
        lambda data: (np.float32 if data else np.float64)(0.5),
        lambda data: (each for each in [data]),
        lambda data, n: np.ma.array(np.zeros(n), mask=[bool(data)] * n),
        lambda data, n: np.ma.array(np.zeros((n, 2)), mask=[[False, bool(data)]] * n),
        lambda data: np.ma.array([0.0, 1.0], mask=[bool(data), False]),
        lambda data, n: np.array([(data, 0)] * n, dtype=[("a", int), ("b", int)]),
    ],
)
def test_what_was_overwritten_or_overlooked_is_seen(release: Any) -> None:
    assert quick(release, samples=1_000).violated


def test_each_of_several_nameless_features_counts() -> None:
    class Model:
        def __init__(self, weight: int) -> None:
            self.weight = weight

    features = [lambda model: model.weight, lambda model: 0]
    assert quick(Model, features=features, samples=1_000).violated
    assert quick(Model, features=features[::-1], samples=1_000).violated


def test_a_feature_sees_whole_numbers_whatever_is_beside_them() -> None:
    _, digits = read_features({"the digits": bin})
    for beside in (4, math.nan):
        sample = read_outputs(rows_of(np.array([3, beside])))
        assert digits.named(sample, 0) == "'0b11'"


def test_texts_are_looked_into_if_the_first_draw_is_none() -> None:
    rng, calls = np.random.default_rng(61), [0]

    def release(data: int) -> str | None:
        calls[0] += 1
        return None if calls[0] < 9 or rng.random() < 0.5 else f"{rng.integers(10**9)}{data}"

    assert quick(release).violated


@pytest.mark.parametrize("rate", [1e-3, 1.3e-3])
def test_an_event_of_a_hundred_draws_in_a_hundred_thousand_is_tested(rate: float) -> None:
    """Four of six such runs tested nothing at all, where the event shows ε ≥ 1.1 at δ = 1e-5."""
    for seed in range(6):
        rng = np.random.default_rng(seed)
        report = sf.audit(
            lambda data, n, rng=rng: np.where(rng.random(n) < rate * data, 1, 0),
            *(0, 1),
            epsilon=0.5,
            delta=1e-5,
        )
        assert report.violated


@pytest.mark.no_cover
def test_large_vectors_are_chosen_on_fewer_draws() -> None:
    asked: list[int] = []

    def release(data: int, n: int) -> Any:
        asked.append(n)
        return np.full((n, 20_000), data)

    draws = DrawnOutputs(release, (0, 1), Meter(1_000))
    draws.repeat()
    pool = draws.pool(2_000)
    assert pool.first == 125
    assert max(asked) <= 125


# One sentence in place of a traceback.


async def _guaranteed(data: int) -> int:
    return data


async def _guaranteed_one_by_one(data: int) -> Any:
    yield data


def _endless() -> list[Any]:
    inside: list[Any] = []
    inside.append(inside)
    return inside


class _Sized(list[int]):
    def __len__(self) -> int:
        raise RuntimeError


class _Anything:
    def __getattr__(self, name: str) -> Any:
        return self


class _Columns:
    columns = 5

    def __len__(self) -> int:
        return 2


def _raises(error: BaseException) -> Any:
    raise error


@pytest.mark.parametrize(
    ("release", "words"),
    [
        (lambda data: sys.exit(0), "raised SystemExit"),
        (lambda data, n: sys.exit(0), "raised SystemExit"),
        (lambda data: _raises(GeneratorExit()), "raised GeneratorExit"),
        (lambda data: _raises(MemoryError()), "MemoryError, which ends"),
        (lambda data, n: _raises(MemoryError()), "MemoryError, which ends"),
        (_guaranteed, "gave a coroutine"),
        (_guaranteed_one_by_one, "gave a async_generator"),
        (lambda data: _endless(), "contains itself"),
        (lambda data, n: _Sized(), "length cannot be told"),
        (lambda data: _Columns(), "type _Columns"),
        (lambda data: _Anything(), "type _Anything"),
    ],
)
@pytest.mark.filterwarnings("error")
def test_what_is_no_output_is_refused_in_a_sentence(release: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        quick(release, samples=200)


def test_an_interrupt_goes_through() -> None:
    with pytest.raises(KeyboardInterrupt):
        quick(lambda data: _raises(KeyboardInterrupt()))


def test_a_list_whose_length_cannot_be_told_is_read_by_its_elements() -> None:
    assert quick(lambda data: _Sized([data]), samples=1_000).violated


def test_words_of_an_event_stay_on_their_line() -> None:
    report = quick(lambda data: data, features={"a\n\x1b[31mred": lambda output: output})
    text = str(report)
    assert report.violated
    assert "\x1b" not in text + "".join(each.event for each in report.tested)
    assert not any("\n" in each.event for each in report.tested)


def test_a_report_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="could not be written"):
        quick(lambda data: data, samples=200).to_html(tmp_path / "nowhere" / "report.html")


def test_progress_must_be_a_function() -> None:
    with pytest.raises(InputError, match="progress must be a function"):
        quick(lambda data: data, progress=5)


def test_a_number_of_right_guesses_is_no_array() -> None:
    with pytest.raises(InputError, match="right"):
        one_run(10, np.array([1, 2]))  # type: ignore[arg-type]


# The search for pairs.


class Person(NamedTuple):
    age: int
    sex: int


@pytest.mark.parametrize(
    ("datasets", "options", "words"),
    [
        (lambda rng: [], {}, "no dataset has a neighbour"),
        (lambda rng: [1], {"neighbours": lambda data: []}, "no dataset has a neighbour"),
        ([[0, 0, 0]], {"neighbours": sf.privacy.Substitute()}, "no dataset has a neighbour"),
        ([1], {"neighbours": lambda data: data + 1}, "neighbours must give a list"),
        ([1], {"neighbours": lambda data: 1 / 0}, "neighbours, a function, raised"),
        (lambda rng: 1 / 0, {}, "datasets, a function, raised"),
        (lambda: [1], {}, "must take a NumPy generator"),
        ([Person(1, 2)], {}, "no rows"),
    ],
)
def test_datasets_without_neighbours_are_refused(datasets: Any, options: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        search_pairs(lambda data: 0, datasets, epsilon=1, samples=200, screening=100, **options)


def test_a_row_is_removed_from_a_set() -> None:
    pairs = neighbouring_pairs([{1, 2}], sf.privacy.AddRemove(), np.random.default_rng(0))
    assert all(other < data and len(other) == 1 for data, other in pairs)


@pytest.mark.parametrize("kind", [list, tuple, np.array])
def test_a_row_is_replaced_by_those_of_other_datasets(kind: Any) -> None:
    datasets = [kind([1]), kind([2]), kind([5])]
    pairs = list(neighbouring_pairs(datasets, sf.privacy.Substitute(), np.random.default_rng(0)))
    assert len(pairs) == 3
    for data, other in pairs:
        assert type(other) is type(data)
        assert data[0] != other[0]
        assert other[0] in (1, 2, 5)


def test_rows_that_do_not_fit_are_not_mixed() -> None:
    datasets = [np.arange(6).reshape(3, 2), np.arange(3)]
    for data, other in neighbouring_pairs(
        datasets, sf.privacy.Substitute(), np.random.default_rng(1)
    ):
        assert other.shape == data.shape
